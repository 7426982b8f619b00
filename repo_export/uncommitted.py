"""What a person changed in the work tree and did not commit: a look that costs one `stat` a file.

Read are files of another size than the commit's, and those that were touched since dreamd last laid files out. So an
old edit that kept the size is not seen; it is named when its file has to be written, and is never written over.
"""

import os
from collections.abc import Callable, Iterator

from dreamd.repo_export.folders import Strange, blob_id, opened, read_file
from dreamd.repo_export.git import MemoryRepository
from dreamd.repo_export.index_entries import staged_entries
from dreamd.repo_export.layout_record import RECORD_NAME
from dreamd.repo_export.plumbing import PLAIN_LOG
from dreamd.repo_export.worktree import DELETED, EDITED, PATHS_PER_CALL, REGULAR

SHA1_DIGITS = 40


def uncommitted(repository: MemoryRepository, keep: Callable[[str], bool]) -> tuple[tuple[str, str], ...]:
    """(path, what became of it) of the files of the branch that `keep` accepts, sorted by path."""
    head = repository.head()
    if head is None:
        return ()
    try:
        laid_out = (repository.git_dir / RECORD_NAME).stat().st_mtime_ns
    except FileNotFoundError:
        return ()  # nothing was laid out yet
    lying: dict[str, str | None] = {}
    with opened(repository.path) as root:
        for path, blob, size in _committed(repository, head):
            if keep(path) and (found := _lies(root, path, blob, size, laid_out)) != blob:
                lying[path] = found
    if not lying:
        return ()
    older = _older(repository, head, tuple(lying)[:PATHS_PER_CALL])
    gone = tuple(path for path, found in lying.items() if found is None)
    staged = (staged_entries(repository, gone) if gone else None) or {}
    removed = {path for path in gone if (entry := staged.get(path)) is not None and not entry.is_skipped}
    edited = {path for path, found in lying.items() if found is not None and found not in older}
    said = "and not committed; to take it in: dreamd adopt"
    return tuple((path, f"{DELETED if path in removed else EDITED} {said}") for path in sorted(removed | edited))


def _committed(repository: MemoryRepository, head: str) -> Iterator[tuple[str, str, int]]:
    """(path, blob, bytes) of the regular files of the commit."""
    listing = repository.git.read("ls-tree", "-r", "-z", "-l", "--full-tree", head)
    for entry in filter(None, listing.split(b"\0")):
        about, _, raw_path = entry.partition(b"\t")
        mode, _, blob, size = about.decode("ascii").split()
        if mode in REGULAR:
            yield raw_path.decode("utf-8", errors="surrogateescape"), blob, int(size)


def _lies(root: int, path: str, blob: str, size: int, laid_out: int) -> str | None:
    """Git's name for what lies there; `blob` also where nothing suggests another. None: no file."""
    try:
        found = os.stat(path, dir_fd=root, follow_symlinks=False)
        if found.st_size == size and found.st_ctime_ns < laid_out:
            return blob
        content = read_file(root, path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (Strange, OSError):
        return blob  # said elsewhere
    if content is None:
        return None
    algorithm = "sha1" if len(blob) == SHA1_DIGITS else "sha256"
    plain = blob_id(content.replace(b"\r\n", b"\n"), algorithm)  # line ends of Windows are no edit
    return blob if plain == blob else blob_id(content, algorithm)


def _older(repository: MemoryRepository, head: str, paths: tuple[str, ...]) -> frozenset[str]:
    """The blobs that the branch had at `paths`: a work tree that shows one is behind, and nobody's edit."""
    options = ("--raw", "--no-abbrev", "--no-renames", "--format=")
    listing = repository.git.read("log", *PLAIN_LOG, *options, head, "--", *paths).decode("utf-8", "replace")
    return frozenset(word for line in listing.splitlines() for word in line.split("\t")[0].split(" ")[2:4])
