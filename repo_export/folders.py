"""Reading and writing one file below an open folder, never through a symbolic link.

Each step of a path is opened by itself with O_NOFOLLOW, so that a folder that was swapped for a link leads nowhere. A
file is replaced as a whole (written beside, synced, renamed; of many, all are synced at once), so that a reader and a
kill see the old bytes or the new. Whatever is not a regular file or a real folder is `Strange`, and left alone.
"""

import errno
import hashlib
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

FILE_MODE = 0o640  # readable by the group, like the repository
EXECUTABLE = 0o110  # for whoever may read it
FOLDER_MODE = 0o750
GROUP_WRITES = 0o020
SHARED_FOLDER_MODE = 0o2770  # set-group-id: what is made in it belongs to that group too
MAX_BYTES = 64 * 1024 * 1024  # a larger file is not one of ours
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_DRAFT = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_LINK_OR_FILE = (errno.ELOOP, errno.ENOTDIR)


class Strange(Exception):
    """Something on the path is neither a regular file nor a real folder."""


@contextmanager
def opened(path: Path) -> Iterator[int]:
    """The descriptor of the folder `path` for the time of a block."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def opened_below(path: Path, below: str, *, create: bool) -> Iterator[int | None]:
    """The descriptor of the folder `below` the folder `path`, reached through no link; None if it is not there.

    Folders that are missing on the way are made if `create`.
    """
    with ExitStack() as stack:
        try:
            root = stack.enter_context(opened(path))
            folder, _ = stack.enter_context(_parent(root, f"{below}/.", create=create))
        except FileNotFoundError:
            if create:
                raise
            folder = None
        yield folder


def is_shared(root: int) -> bool:
    """Whether the group of the open folder `root` may write in it: then it may write what dreamd puts there."""
    return bool(os.fstat(root).st_mode & GROUP_WRITES)


def read_file(root: int, path: str) -> bytes | None:
    """The bytes at `path`; None if nothing is there."""
    try:
        with _parent(root, path, create=False) as (folder, name):
            status = os.stat(name, dir_fd=folder, follow_symlinks=False)
            if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_BYTES:
                raise Strange(path)
            # O_NONBLOCK: what became a pipe in between must not stop us.
            descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except FileNotFoundError:
        return None
    except PermissionError as refused:
        raise Strange(path) from refused
    with os.fdopen(descriptor, "rb") as file:
        return file.read(MAX_BYTES + 1)


def blob_id(content: bytes, algorithm: str) -> str:
    """Git's name for the bytes of a file."""
    return hashlib.new(algorithm, b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def is_executable(root: int, path: str) -> bool:
    """Whether a file lies at `path` that its owner may execute."""
    with suppress(Strange, OSError), _parent(root, path, create=False) as (folder, name):
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        return stat.S_ISREG(status.st_mode) and bool(status.st_mode & stat.S_IXUSR)
    return False


def replace_file(root: int, path: str, content: bytes, mode: int = FILE_MODE) -> None:
    """Puts `content` at `path` in one step, making the folders on the way."""
    write_draft(root, path, content, mode)
    place_draft(root, path)


def write_draft(root: int, path: str, content: bytes, mode: int = FILE_MODE, *, is_synced: bool = True) -> None:
    """Writes `content` beside `path`; if it is not synced, `sync_all` has to come before it is placed."""
    with _parent(root, path, create=True) as (folder, name):
        _require_file_or_nothing(folder, name, path)
        beside = _draft_of(name)
        try:
            descriptor = os.open(beside, _DRAFT, FILE_MODE, dir_fd=folder)
        except FileExistsError:  # a kill left it
            if stat.S_ISDIR(os.stat(beside, dir_fd=folder, follow_symlinks=False).st_mode):
                raise Strange(beside) from None
            os.unlink(beside, dir_fd=folder)
            descriptor = os.open(beside, _DRAFT, FILE_MODE, dir_fd=folder)
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(file.fileno(), mode | (GROUP_WRITES if is_shared(root) else 0))
            file.write(content)
            file.flush()
            if is_synced:
                os.fsync(file.fileno())


def place_draft(root: int, path: str) -> None:
    """Puts what `write_draft` wrote at `path`."""
    with _parent(root, path, create=False) as (folder, name):
        _require_file_or_nothing(folder, name, path)
        os.rename(_draft_of(name), name, src_dir_fd=folder, dst_dir_fd=folder)


def sync_all() -> None:
    """Waits until all that was written lies on the disk, which for many files costs much less than each by itself.

    Only where `syncs_all`: elsewhere it would not wait.
    """
    os.sync()


def syncs_all() -> bool:
    return sys.platform == "linux"


def _require_file_or_nothing(folder: int, name: str, path: str) -> None:
    with suppress(FileNotFoundError):
        if not stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise Strange(path)


def remove_draft(root: int, path: str) -> None:
    """Removes what a kill left of `replace_file` beside `path`, if anything."""
    with suppress(FileNotFoundError, PermissionError, Strange), _parent(root, path, create=False) as (folder, name):
        os.unlink(_draft_of(name), dir_fd=folder)


def _draft_of(name: str) -> str:
    return f".{name}.dreamd-new"


def remove_file(root: int, path: str) -> None:
    """Removes the file at `path`, and each folder above it that is left empty."""
    with _parent(root, path, create=False) as (folder, name):
        os.unlink(name, dir_fd=folder)
    parts = path.split("/")[:-1]
    while parts:
        try:
            with _parent(root, "/".join(parts), create=False) as (folder, name):
                os.rmdir(name, dir_fd=folder)
        except OSError:  # not empty, or a person is at work in it
            return
        parts.pop()


@contextmanager
def _parent(root: int, path: str, *, create: bool) -> Iterator[tuple[int, str]]:
    """(the folder that holds the last part of `path`, that part)."""
    *folders, name = path.split("/")
    here = os.dup(root)
    try:
        for part in folders:
            is_new = create and _made_folder(part, here)
            below = _open_folder(part, here)
            if is_new:  # by its descriptor: its name could lead elsewhere by now
                os.fchmod(below, SHARED_FOLDER_MODE if is_shared(root) else FOLDER_MODE)
            os.close(here)
            here = below
        yield here, name
    finally:
        os.close(here)


def _made_folder(part: str, here: int) -> bool:
    """Whether the folder was not there before."""
    try:
        os.mkdir(part, FOLDER_MODE, dir_fd=here)
    except FileExistsError:
        return False
    return True


def _open_folder(part: str, here: int) -> int:
    try:
        return os.open(part, _FOLDER, dir_fd=here)
    except OSError as refused:
        if refused.errno in _LINK_OR_FILE:
            raise Strange(part) from refused
        raise
