"""Laying out what was committed: from the branch to the files beside it, without ever overwriting a person's bytes.

A path is a person's if what lies there (or what is staged) is neither what the commit last laid out had, nor any
commit since, nor what is about to be written; then that file waits and is named, and all others are written. Only
paths of dreamd's own commits are looked at. The order is files, index, record: after a kill anywhere the next call
ends in the same place.
"""

import hashlib
import json
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from dreamd.repo_export.commit_stream import DREAMD_EMAIL, is_safe_path
from dreamd.repo_export.folders import Strange, blob_id, identify, opened, remove_file, replace_file
from dreamd.repo_export.git import PLAIN_LOG, MemoryRepository, RepositoryProblem
from dreamd.repo_export.locks import index_locked
from dreamd.repo_export.vetting import first_bytes

RECORD_NAME = "dreamd-laid-out"  # beside the index
PRIVATE_INDEX_NAME = "dreamd-index"
REGULAR = ("100644", "100755")
MAX_RECORD_BYTES = 16 * 1024 * 1024
PATHS_PER_CALL = 500  # of arguments to one git command

EDITED = "changed by a person"
DELETED = "deleted by a person"
STAGED = "staged by a person"
IN_THE_WAY = "something stands in its place that is no readable file"
NOT_A_FILE = "the commit holds no regular file here"
UNSAFE = "not a path for a memory repository"

_NAME = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")  # of an object


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidOut:
    head: str | None  # the commit that the work tree now shows; None: there is none
    written: tuple[str, ...] = ()  # sorted
    removed: tuple[str, ...] = ()  # sorted
    waiting: tuple[tuple[str, str], ...] = ()  # (path, reason), sorted
    index_waits: str | None = None  # why the index could not be aligned; the next call does it
    parked: str | None = None  # why nothing was touched: a merge, a rebase, another branch


@dataclass(slots=True)
class _Path:
    """One path that dreamd committed and has not yet laid out. A blob of None is "no such file"."""

    target: str | None = None  # what HEAD has
    mode: str = "000000"
    known: set[str | None] = field(default_factory=set)  # what may lie there without being a person's


Contents = Mapping[str, bytes | None]  # by path; None: no file


def catch_up_layout(repository: MemoryRepository, at_hand: Contents = MappingProxyType({})) -> LaidOut:
    """Brings the work tree and the index to the head of the branch, path by path; a person's path waits.

    What a person committed is left to their own git. Nothing to do is cheap: the cost follows the commits since. What
    is `at_hand`, by path, need not be read from Git again.
    """
    with repository.writing():
        head = repository.head()
        if head is None:
            return LaidOut(head=None)
        parked = repository.in_progress()
        if parked is not None:
            return LaidOut(head=head, parked=parked)
        last, waiting_before = _read_record(repository)
        if last == head and not waiting_before:
            return LaidOut(head=head)
        paths = _paths_to_lay_out(repository, last, head, waiting_before)
        staged = _staged(repository, tuple(paths))
        touched, waiting = _lay_out(repository, paths, staged, at_hand)
        repository.reach("export-after-files")
        index_waits = _align_index(repository, paths, staged, waiting)
        repository.reach("export-after-index")
        if index_waits is None:
            _write_record(repository, head, {path: paths[path] for path, reason in waiting.items() if reason != UNSAFE})
        return LaidOut(
            head=head,
            written=tuple(sorted(path for path in touched if paths[path].target is not None)),
            removed=tuple(sorted(path for path in touched if paths[path].target is None)),
            waiting=tuple(sorted(waiting.items())),
            index_waits=index_waits,
        )


def left_alone(repository: MemoryRepository) -> tuple[str, ...]:
    """The paths that waited when files were last laid out, sorted."""
    return tuple(sorted(_read_record(repository)[1]))


def note_to_lay_out(repository: MemoryRepository, head: str | None, before: Mapping[str, str | None]) -> None:
    """Notes that what the branch is about to bring at these paths is to be laid out, whoever committed it.

    `before`: what `head` has there. Call it with the layout caught up, and before the branch moves: after a kill
    between the two there is nothing to lay out at these paths, and the next call takes the note back.
    """
    last, waiting = _read_record(repository)
    noted = {path: _Path(known=set(bases)) for path, bases in waiting.items()}
    for path, blob in before.items():
        if is_safe_path(path):
            noted.setdefault(path, _Path()).known.add(blob)
    _write_record(repository, last or head or "", noted)


def _paths_to_lay_out(
    repository: MemoryRepository, last: str | None, head: str, waiting_before: Mapping[str, list[str | None]]
) -> dict[str, _Path]:
    paths: dict[str, _Path] = {}
    ours: set[str] = set(waiting_before)
    for email, path, old, new in _changes(repository, last, head):
        is_newest = path not in paths
        about = paths.setdefault(path, _Path())
        if is_newest:
            about.mode, about.target = new
        # Without a record any old version might be one that a person brought back: only the newest step counts.
        if is_newest or last is not None:
            about.known |= {old[1], new[1]}
        if email == DREAMD_EMAIL:
            ours.add(path)
    if last is not None:
        # What a reset or a rewritten history left behind counts as laid out too.
        for path, old, _ in _raw(
            repository.git.read("diff-tree", "-r", "-z", "--raw", "--no-abbrev", last, head).split(b"\0")
        ):
            if path in paths:
                paths[path].known.add(old[1])
    else:
        for about in paths.values():
            about.known.add(None)
    unchanged = tuple(path for path in waiting_before if path not in paths)
    for path, (mode, blob) in _in_head(repository, head, unchanged).items():
        paths[path] = _Path(target=blob, mode=mode)
    for path, bases in waiting_before.items():
        paths.setdefault(path, _Path()).known |= {*bases, paths[path].target}
    return {path: about for path, about in paths.items() if path in ours}


_Side = tuple[str, str | None]  # mode, blob


def _changes(repository: MemoryRepository, last: str | None, head: str) -> Iterator[tuple[str, str, _Side, _Side]]:
    """(committer, path, before, after) of the commits since `last`, newest first; of all if not known."""
    revisions = (head,) if last is None else (head, f"^{last}")
    options = ("--first-parent", "--diff-merges=first-parent", "--raw", "--no-abbrev", "--format=commit %ce")
    output = repository.git.read("log", "-z", *PLAIN_LOG, *options, *revisions, "--")
    email = ""
    tokens = iter(output.split(b"\0"))
    for token in tokens:
        if token.startswith(b"commit "):
            email = token.removeprefix(b"commit ").decode("utf-8", errors="replace")
        elif token.lstrip(b"\n").startswith(b":"):
            # The path is taken with it, so that one that looks like a header is not read as such.
            for path, old, new in _raw([token, next(tokens)]):
                yield email, path, old, new


def _raw(tokens: list[bytes]) -> Iterator[tuple[str, _Side, _Side]]:
    """(path, before, after) of pairs of tokens `:mode mode blob blob status`, `path`."""
    for about, raw_path in zip(tokens[::2], tokens[1::2], strict=False):
        old_mode, new_mode, old, new, _ = about.decode("ascii").lstrip("\n:").split(" ")
        path = raw_path.decode("utf-8", errors="surrogateescape")
        yield path, (old_mode, _blob(old)), (new_mode, _blob(new))


def _blob(name: str) -> str | None:
    return name if name.strip("0") else None


def _in_head(repository: MemoryRepository, head: str, paths: tuple[str, ...]) -> dict[str, _Side]:
    found: dict[str, _Side] = {}
    for start in range(0, len(paths), PATHS_PER_CALL):
        some = paths[start : start + PATHS_PER_CALL]
        for entry in filter(
            None, repository.git.read("ls-tree", "-r", "-z", "--full-tree", head, "--", *some).split(b"\0")
        ):
            about, _, raw_path = entry.partition(b"\t")
            mode, _, blob = about.decode("ascii").split(" ")
            found[raw_path.decode("utf-8", errors="surrogateescape")] = (mode, blob)
    return found


def _staged(repository: MemoryRepository, paths: tuple[str, ...]) -> dict[str, str | None] | None:
    """What the index has for each of `paths`: None for no entry, "" for a conflict. None: there is no index yet."""
    if not (repository.git_dir / "index").exists():
        return None
    found: dict[str, str | None] = dict.fromkeys(paths)
    for entry in filter(None, repository.git.read("ls-files", "--stage", "-z").split(b"\0")):
        about, _, raw_path = entry.partition(b"\t")
        path = raw_path.decode("utf-8", errors="surrogateescape")
        if path in found:
            _, blob, stage = about.decode("ascii").split(" ")
            found[path] = blob if stage == "0" else ""
    return found


def _lay_out(
    repository: MemoryRepository,
    paths: Mapping[str, _Path],
    staged: Mapping[str, str | None] | None,
    at_hand: Contents,
) -> tuple[tuple[str, ...], dict[str, str]]:
    """Writes and removes what may be: (the paths that were touched, the reason of each path that waits)."""
    waiting: dict[str, str] = {}
    touched: list[str] = []
    to_write: list[tuple[str, str]] = []
    with opened(repository.path) as root:
        # Removals first: a folder may have to make room for a file.
        for path, about in sorted(paths.items(), key=lambda item: (item[1].target is not None, item[0])):
            reason, lies = _why_it_waits(root, path, about, staged)
            if reason is not None:
                waiting[path] = reason
            elif about.target is not None and about.target != lies:
                to_write.append((path, about.target))
            elif about.target is None and lies is not None:
                remove_file(root, path)
                touched.append(path)
        known = {blob: at_hand[path] for path, blob in to_write if _is(at_hand.get(path), blob)}
        unknown = tuple(blob for _, blob in to_write if blob not in known)
        contents = repository.blobs(unknown)
        for path, blob in to_write:
            content = known[blob] if blob in known else next(contents)
            assert content is not None
            # Looked at again: a person may have saved the file while the others were written.
            reason, _ = _why_it_waits(root, path, paths[path], staged)
            if reason is None:
                reason = _replaced(root, path, content)
            if reason is None:
                touched.append(path)
            else:
                waiting[path] = reason
    return tuple(touched), waiting


def _is(content: bytes | None, blob: str) -> bool:
    return content is not None and blob_id(content, _algorithm_of(blob)) == blob


def _replaced(root: int, path: str, content: bytes) -> str | None:
    """Why it could not be written."""
    try:
        replace_file(root, path, content)
    except Strange:
        return IN_THE_WAY
    return None


def _why_it_waits(
    root: int, path: str, about: _Path, staged: Mapping[str, str | None] | None
) -> tuple[str | None, str | None]:
    """(reason or None, the blob id of what lies there)."""
    if not is_safe_path(path):
        return UNSAFE, None
    if about.target is not None and about.mode not in REGULAR:
        return NOT_A_FILE, None
    try:
        lies = identify(root, path, _algorithm(about))
    except Strange:
        return IN_THE_WAY, None
    if lies != about.target and lies not in about.known:
        return (DELETED if lies is None else EDITED), lies
    if staged is not None and staged[path] != about.target and staged[path] not in about.known:
        return STAGED, lies
    return None, lies


def _algorithm(about: _Path) -> str:
    return _algorithm_of(next((blob for blob in (about.target, *about.known) if blob is not None), ""))


def _algorithm_of(blob: str) -> str:
    return "sha256" if len(blob) == hashlib.sha256().digest_size * 2 else "sha1"


def _align_index(
    repository: MemoryRepository,
    paths: Mapping[str, _Path],
    staged: Mapping[str, str | None] | None,
    waiting: Mapping[str, str],
) -> str | None:
    """Sets the entries of what was laid out; why it could not, if another git holds the index.

    A file that waits is aligned too as long as nothing is staged there: else the person's next commit of anything else
    would take our change back unseen. What is staged keeps its entry.
    """
    entries = [
        _index_entry(path, about)
        for path, about in sorted(paths.items(), key=lambda item: (item[1].target is not None, item[0]))
        if waiting.get(path) not in (STAGED, UNSAFE, NOT_A_FILE)
        and (staged is None or (staged[path] != about.target and staged[path] in about.known))
    ]
    if not entries:
        return None
    private = repository.git_dir / PRIVATE_INDEX_NAME
    with index_locked(repository.git_dir) as is_ours:
        if not is_ours:
            return "another git process holds .git/index.lock; if none runs, remove it and run: dreamd export"
        private.unlink(missing_ok=True)
        if (repository.git_dir / "index").exists():
            shutil.copyfile(repository.git_dir / "index", private)
        # --index-info reads no file of the work tree, so no filter runs.
        repository.git.read("update-index", "-z", "--index-info", stdin=b"".join(entries), index=private)
        private.chmod(0o640)
        private.replace(repository.git_dir / "index")
    return None


def _index_entry(path: str, about: _Path) -> bytes:
    blob = about.target
    width = len(next(known for known in (blob, *about.known) if known is not None))
    mode = about.mode if blob is not None else "0"
    return f"{mode} {blob or '0' * width}\t{path}\0".encode("utf-8", errors="surrogateescape")


def _read_record(repository: MemoryRepository) -> tuple[str | None, dict[str, list[str | None]]]:
    """(the commit last laid out, the bases of each path that waits); the commit is None if Git no longer has it."""
    try:
        record = json.loads(first_bytes(repository.git_dir / RECORD_NAME, MAX_RECORD_BYTES))
        last, waiting = str(record["commit"]), dict(record["waiting"])
    except (RepositoryProblem, ValueError, KeyError, TypeError, RecursionError):
        return None, {}
    if not all(_is_recorded(path, bases) for path, bases in waiting.items()):
        return None, {}
    if not _NAME.fullmatch(last):
        return None, waiting
    is_there = repository.git.run("cat-file", "-e", f"{last}^{{commit}}").status == 0
    return (last if is_there else None), waiting


def _is_recorded(path: str, bases: object) -> bool:
    """Whether `_write_record` could have written this pair: the record is a file that anyone may have changed."""
    try:
        path.encode("utf-8", errors="surrogateescape")
    except UnicodeEncodeError:
        return False
    is_name = (base is None or (isinstance(base, str) and _NAME.fullmatch(base)) for base in _list(bases))
    return is_safe_path(path) and isinstance(bases, list) and all(is_name)


def _list(found: object) -> list[object]:
    return found if isinstance(found, list) else []


def _write_record(repository: MemoryRepository, head: str, waiting: Mapping[str, _Path]) -> None:
    # With each waiting path what it may come back to and be ours again.
    bases = {path: sorted(about.known, key=str) for path, about in waiting.items()}
    record = json.dumps({"commit": head, "waiting": bases}, indent=1, sort_keys=True)
    with opened(repository.git_dir) as git_dir:
        replace_file(git_dir, RECORD_NAME, record.encode("ascii"))
