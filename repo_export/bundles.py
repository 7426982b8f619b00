"""A memory repository as one file, a bundle of `git`, and made again from one.

A bundle holds all refs with all they lead to, and nothing that runs: no hook, no configuration. Git looks at no work
tree for it. The files are laid out from the branch here, all of it: unlike an export, which minds a person's own.
"""

import stat
from collections.abc import Iterable
from pathlib import Path

from dreamd.repo_export.commit_stream import PENDING_REF, is_safe_path
from dreamd.repo_export.folders import (
    EXECUTABLE,
    FILE_MODE,
    FOLDER_MODE,
    GROUP_WRITES,
    SHARED_FOLDER_MODE,
    opened,
    replace_file,
)
from dreamd.repo_export.git import MemoryRepository, RepositoryProblem
from dreamd.repo_export.layout_record import write_record
from dreamd.repo_export.objects import algorithm_of
from dreamd.repo_export.pruning import PURGED_NAME, purged_commits

TRIES = 3  # a pack that another process replaces while it is read makes git fail once
_LEFT_OUT = ("refs/dreamd/fetched",)  # of a pull that was under way
_REGULAR = (b"100644", b"100755")


def refs_of(repository: MemoryRepository) -> dict[str, str]:
    """The refs that are kept, with what they lead to."""
    listed = repository.git.read("for-each-ref", "--format=%(objectname) %(refname)").decode("utf-8", "surrogateescape")
    found = (line.partition(" ") for line in listed.splitlines())
    return {name: commit for commit, _, name in found if name not in (PENDING_REF, *_LEFT_OUT)}


def write_bundle(repository: MemoryRepository, file: Path) -> bool:
    """Write all refs into `file`, which is then verified; False if there are none yet. Raises RepositoryProblem."""
    if (algorithm := algorithm_of(repository.git)) != "sha1":
        raise RepositoryProblem(f"{repository.path} names its objects by {algorithm}", "back it up with: git clone")
    for left in reversed(range(TRIES)):
        names = refs_of(repository)
        if not names:
            return False
        made = repository.git.run("bundle", "create", "--quiet", str(file), "--stdin", stdin=_lines(names))
        if made.status == 0:
            verify_bundle(repository, file)
            return True
        if not left:
            raise repository.git.problem(("bundle", "create"), made.error)
    return False


def verify_bundle(repository: MemoryRepository, file: Path) -> None:
    """Raises RepositoryProblem if `file` is no whole bundle. `repository` is any."""
    repository.git.read("bundle", "verify", "--quiet", str(file))


def read_bundle(repository: MemoryRepository, file: Path) -> None:
    """Take all of the bundle `file` into the empty `repository` and lay its files out. Raises RepositoryProblem.

    Every object is checked; refs are made only under refs/. What is no regular file with a plain name stays in git.
    """
    told = repository.git.read("bundle", "unbundle", str(file))
    moves = []
    for line in told.decode("utf-8", "surrogateescape").splitlines():
        commit, _, name = line.partition(" ")
        if name.startswith("refs/") and name not in (PENDING_REF, *_LEFT_OUT):
            moves.append(f"create {name} {commit}\n")
    repository.git.read("update-ref", "--stdin", stdin="".join(moves).encode("utf-8", "surrogateescape"))
    repository.git.read("fsck", "--full", "--no-dangling", "--no-reflogs")
    head = repository.head()
    if head is not None:
        _lay_out(repository, head)
        repository.git.read("read-tree", head, index=repository.git_dir / "index")
        write_record(repository, head, {}, {})


def purged_in(repository: MemoryRepository) -> bytes:
    """The ids of commits that purges replaced, a line each; what holds one is never pulled in."""
    return _lines(sorted(purged_commits(repository)))


def add_purged(repository: MemoryRepository, listed: bytes) -> None:
    """Never pull in what holds one of the `listed` commits, but for those that are here."""
    names = {line for line in listed.decode("ascii", "replace").split() if line.isalnum()}
    fresh = {name for name in names - purged_commits(repository) if not repository.has_commit(name)}
    if fresh:
        with opened(repository.git_dir) as git_dir:
            replace_file(git_dir, PURGED_NAME, _lines(sorted(fresh | purged_commits(repository))))


def _lay_out(repository: MemoryRepository, head: str) -> None:
    """All regular files of `head`, into an empty folder: there is no link in it that could lead out."""
    root = repository.path
    is_shared = bool(root.stat().st_mode & stat.S_IWGRP)
    listing = repository.git.read("ls-tree", "-r", "-z", "--full-tree", head)
    found: list[tuple[Path, bool, str]] = []
    for entry in filter(None, listing.split(b"\0")):
        about, _, raw = entry.partition(b"\t")
        mode, _, blob = about.split(b" ")
        path = raw.decode("utf-8", "surrogateescape")
        if mode in _REGULAR and is_safe_path(path):
            found.append((root / path, mode == b"100755", blob.decode("ascii")))
    group = GROUP_WRITES if is_shared else 0
    contents = repository.blobs([blob for *_, blob in found])
    for (file, is_program, _), content in zip(found, contents, strict=True):
        try:
            for folder in reversed(file.relative_to(root).parents[:-1]):
                if not (root / folder).is_dir():
                    (root / folder).mkdir()
                    (root / folder).chmod(SHARED_FOLDER_MODE if is_shared else FOLDER_MODE)
            with file.open("xb") as opened_file:
                opened_file.write(content)
        except OSError as refused:
            raise RepositoryProblem(f"{file} cannot be written: {refused.strerror}", "see its branch main") from None
        file.chmod(FILE_MODE | (EXECUTABLE if is_program else 0) | group)


def _lines(names: Iterable[str]) -> bytes:
    return "".join(f"{name}\n" for name in names).encode("utf-8", "surrogateescape")
