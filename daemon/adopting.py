"""`dreamd adopt`: a person's edit that lies in the work tree, committed as that person's; the next run reads it.

A file that waited may have been begun from an older page than the newest one. The commit then says which, so that what
dreamd wrote since is not taken for removed.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import SequenceMatcher

from dreamd.daemon.editing import is_read
from dreamd.daemon.errors import Failed, Usage
from dreamd.repo_export.commit_stream import AUTHOR, is_safe_path
from dreamd.repo_export.edits.people import ADOPTED_TRAILER
from dreamd.repo_export.folders import Strange, blob_id, opened, read_file
from dreamd.repo_export.git import Commit, HeadMoved, MemoryRepository
from dreamd.repo_export.index import MEMORY_PATH
from dreamd.repo_export.index_entries import align_entries, staged_entries
from dreamd.repo_export.layout_record import read_record
from dreamd.repo_export.slug import ARCHIVE, SHELVES

MODE = "100644"


@dataclass(frozen=True, slots=True, kw_only=True)
class Adopted:
    commit: str | None  # None: nothing in the work tree differs
    paths: tuple[str, ...]
    by: str  # empty if nothing differs and nobody was named


def adopt(
    repository: MemoryRepository, paths: Sequence[str], author: str, now: datetime, environment: Mapping[str, str]
) -> Adopted:
    """Commit what a person changed in the files `paths`, or in all that may hold knowledge, as `author`'s.

    No `author`: the identity that the repository's own configuration, or the environment, names. Raises Usage if there
    is none or a path is not of this repository; Failed while git is in the middle of something.
    """
    with repository.writing():
        parked = repository.in_progress()
        if parked is not None:
            raise Failed(parked, "then run: dreamd adopt")
        if author:
            _check_identity(author)
        head = repository.head()
        wanted = [_inside(repository, path) for path in paths]
        found = _differing(repository, head, wanted)
        if not found:
            return Adopted(commit=None, paths=(), by=author)
        _check_identity(by := author or _identity(repository, environment))
        bases = _bases(repository, head, found)
        trailers = "".join(f"{ADOPTED_TRAILER}: {blob} {path}\n" for path, blob in sorted(bases.items()))
        subject = f"adopt: {', '.join(sorted(found)[:3])}{' and more' if len(found) > 3 else ''}\n"  # noqa: PLR2004
        message = f"{subject}\n{trailers}" if trailers else subject
        made = repository.commit_files(found, message=message, when=now, author=by, committer=by, onto=head)
        if isinstance(made, HeadMoved):
            raise Failed(f"somebody committed to {repository.path} meanwhile", "run it again: dreamd adopt")
        if isinstance(made, Commit):
            staged = staged_entries(repository, found)
            entries = {path: (MODE, _blob(made.sha, content)) for path, content in found.items()}
            align_entries(repository, made.sha, entries, staged)
        return Adopted(commit=made.sha if isinstance(made, Commit) else None, paths=tuple(sorted(found)), by=by)


def _check_identity(by: str) -> None:
    if AUTHOR.fullmatch(by) is None:
        raise Usage(f"{by!r} is no identity", "give one: --author 'Name <address>'")


def _identity(repository: MemoryRepository, environment: Mapping[str, str]) -> str:
    """Of `user.name` and `user.email` in the repository, else GIT_AUTHOR_NAME and GIT_AUTHOR_EMAIL."""
    values = []
    for name, variable in (("user.name", "GIT_AUTHOR_NAME"), ("user.email", "GIT_AUTHOR_EMAIL")):
        answer = repository.git.run("config", "--local", "--get", name)
        values.append(answer.out.decode("utf-8", "replace").strip() or environment.get(variable, "").strip())
    if not all(values):
        raise Usage(
            "nobody is named whose edit this is",
            "give --author 'Name <address>', or set user.name and user.email in the memory repository",
        )
    return f"{values[0]} <{values[1]}>"


def _inside(repository: MemoryRepository, path: str) -> str:
    whole = os.path.normpath(os.path.join(repository.path, path))  # of an absolute path this is the path itself
    inside = os.path.relpath(whole, repository.path)
    if not is_safe_path(inside) or not is_read(inside):
        folders = ", ".join(f"{shelf}/" for shelf in (*SHELVES, ARCHIVE))
        raise Usage(
            f"{path!r} is no file of {repository.path} that may hold knowledge",
            f"name {MEMORY_PATH} or a .md file in {folders}",
        )
    return inside


def _differing(repository: MemoryRepository, head: str | None, wanted: Sequence[str]) -> dict[str, bytes | None]:
    """What lies there, by path, of those files that are not as `head` has them; None: it was removed."""
    committed = {} if head is None else repository.tree_files(head, is_read)
    record = read_record(repository)
    found: dict[str, bytes | None] = {}
    with opened(repository.path) as root:
        for path in sorted({*(wanted or (*committed, *_lying(repository)))}):
            try:
                content = read_file(root, path)
            except Strange:
                continue
            if content == committed.get(path):
                continue
            # What was never laid out is not removed: another writer's commit that this work tree does not show yet.
            if content is None and path not in wanted and path not in record.waiting:
                continue
            found[path] = content
    return found


def _lying(repository: MemoryRepository) -> Iterator[str]:
    for shelf in (*SHELVES, ARCHIVE):
        for folder, _, names in os.walk(repository.path / shelf):
            inside = os.path.relpath(folder, repository.path)
            yield from (path for name in names if is_read(path := f"{inside}/{name}") and is_safe_path(path))


def _bases(repository: MemoryRepository, head: str | None, found: Mapping[str, bytes | None]) -> dict[str, str]:
    """The blob that each file was most likely begun from, where that is not the one of `head`."""
    record = read_record(repository)
    committed = {} if head is None else repository.files_at(head, found)
    shown = repository.files_at(record.shown[-1], found) if record.shown else {}
    bases: dict[str, str] = {}
    for path, content in found.items():
        if content is None:
            continue
        own = committed.get(path)
        older = [blob for blob in record.waiting.get(path, ()) if blob is not None]
        candidates = [own, shown.get(path), *repository.blobs(older)]
        known = [each for each in candidates if each is not None]
        if not known:
            continue
        best = max(known, key=lambda each: _likeness(each, content))  # the first of equals: that of the head
        if best != own:
            bases[path] = _blob_like(head or "", best)
    return bases


def _likeness(one: bytes, other: bytes) -> float:
    return SequenceMatcher(None, one.split(b"\n"), other.split(b"\n"), autojunk=False).ratio()


def _blob(commit: str, content: bytes | None) -> str | None:
    return None if content is None else _blob_like(commit, content)


def _blob_like(commit: str, content: bytes) -> str:
    return blob_id(content, "sha256" if len(commit) == 64 else "sha1")  # noqa: PLR2004 - hex digits of a sha256
