"""The index and the files of a work tree, once the history was made again without something.

What lies there as it was committed is replaced by what is left of it; a file that a person changed and has not
committed is theirs, and named if it still tells of it.
"""

import os

from dreamd.repo_export.commit_stream import is_safe_path
from dreamd.repo_export.folders import Strange, blob_id, opened, read_file, remove_file, replace_file
from dreamd.repo_export.git import MemoryRepository
from dreamd.repo_export.locks import index_locked
from dreamd.repo_export.objects import algorithm_of, contents, write_objects
from dreamd.repo_export.scrubbing import Scrub

PRIVATE_INDEX_NAME = "dreamd-index"  # removed as a leftover
EXECUTABLE = "100755"
REGULAR = ("100644", EXECUTABLE)


def align(repository: MemoryRepository, scrub: Scrub) -> tuple[str, ...]:
    """Bring index and files to what is left of them; the paths of the files that still tell of it, sorted."""
    staged = _staged(repository)
    known = dict(contents(repository.git, sorted({blob for _, blob, _ in staged})))
    algorithm = algorithm_of(repository.git)
    entries, made = [], []
    with opened(repository.path) as root:
        for mode, blob, path in staged:
            content = known.get(blob)
            left = content if content is None else scrub.file(content, path.encode("utf-8", "surrogateescape"))
            if left == content or content is None or mode not in REGULAR:
                continue
            _lay_out(root, path, content, left, is_executable=mode == EXECUTABLE)
            if left is None:
                entries.append(f"0 {'0' * len(blob)}\t{path}\0")
            else:
                entries.append(f"{mode} {blob_id(left, algorithm)}\t{path}\0")
                made.append((b"blob", left))
    write_objects(repository.git, made, algorithm)
    _set_index(repository, "".join(entries).encode("utf-8", "surrogateescape"))
    return files_telling(repository, scrub)


def files_telling(repository: MemoryRepository, scrub: Scrub) -> tuple[str, ...]:
    """The paths of the files beside .git that still tell of it, in what they hold or how they are called."""
    found = []
    for file in sorted(repository.path.rglob("*")):
        path = file.relative_to(repository.path).as_posix()
        if path.split("/")[0] == ".git" or file.is_symlink() or not file.is_file():
            continue
        content = file.read_bytes()
        left = scrub.file(content, path.encode("utf-8", "surrogateescape"))
        if left != content or scrub.hit_elsewhere(file.name):
            found.append(path)
    return tuple(found)


def _staged(repository: MemoryRepository) -> list[tuple[str, str, str]]:
    """(mode, blob, path) of the entries of the index that are in no conflict."""
    if not (repository.git_dir / "index").exists():
        return []
    found = []
    for entry in filter(None, repository.git.read("ls-files", "--stage", "-z").split(b"\0")):
        about, _, path = entry.partition(b"\t")
        mode, blob, stage = about.decode("ascii").split(" ")
        if stage == "0":
            found.append((mode, blob, path.decode("utf-8", "surrogateescape")))
    return found


def _lay_out(root: int, path: str, before: bytes, left: bytes | None, *, is_executable: bool) -> None:
    """Replace the file if it lies there as it was committed."""
    if not is_safe_path(path):
        return
    try:
        if read_file(root, path) != before:
            return
        if left is None:
            remove_file(root, path)
        else:
            replace_file(root, path, left)
            if is_executable:
                os.chmod(path, 0o750, dir_fd=root)
    except Strange:
        return


def _set_index(repository: MemoryRepository, entries: bytes) -> None:
    """Write the entries. The file is made anew, so that no list of trees in it keeps the old ones."""
    index = repository.git_dir / "index"
    if not index.exists() or not entries:
        return
    private = repository.git_dir / PRIVATE_INDEX_NAME
    with index_locked(repository.git_dir) as is_ours:
        if not is_ours:
            raise repository.git.problem(("update-index",), "another git process holds the index")
        private.unlink(missing_ok=True)
        private.write_bytes(index.read_bytes())
        repository.git.read("update-index", "-z", "--index-info", stdin=entries, index=private)
        private.chmod(0o640)
        private.replace(index)
