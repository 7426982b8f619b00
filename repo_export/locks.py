"""Who may write a memory repository right now, and what a killed writer left behind.

dreamd's own lock is a flock on `.git/dreamd.lock`. Every git process it starts inherits the descriptor, so whoever
gets the lock knows that no git process of ours lives, also after a kill. `index.lock` is taken as a hard link to that
very file: one that is found later with the same inode is provably ours. Foreign locks are removed only once they are
older than git holds one; ages are told by a `now` that is passed in.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

LOCK_NAME = "dreamd.lock"
TRIES = 100  # how often a held lock is tried again,
WAIT_SECONDS = 0.1  # and the pause between: ten seconds; a write takes well under one
STALE_REF_LOCK_SECONDS = 60  # git holds a ref lock for milliseconds
STALE_INDEX_LOCK_SECONDS = 24 * 3600  # `git commit -a` holds index.lock for as long as the editor is open


class LockHeld(Exception):
    """Another writer kept the lock for as long as we were ready to wait."""


@contextmanager
def flocked(path: Path) -> Iterator[int]:
    """The descriptor of `path`, exclusively locked. Raises LockHeld after ten seconds."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o640)
    try:
        for _ in range(TRIES):
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(WAIT_SECONDS)
        else:
            raise LockHeld(str(path))
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def index_locked(git_dir: Path) -> Iterator[bool]:
    """Whether `index.lock` is ours inside the block: False if another git process holds it. Needs the flock."""
    lock = git_dir / "index.lock"
    try:
        os.link(git_dir / LOCK_NAME, lock)
    except FileExistsError:
        yield False
        return
    try:
        yield True
    finally:
        lock.unlink()


def remove_stale_locks(git_dir: Path, branch_ref: str, now: datetime) -> tuple[str, ...]:
    """The names of the lock files that were removed, sorted. Call it with the flock held, and only then.

    A lock younger than its bound, or dated after `now`, stays.
    """
    refs = ("HEAD.lock", "packed-refs.lock", f"{branch_ref}.lock", "refs/dreamd/pending.lock")
    bounds = dict.fromkeys(refs, STALE_REF_LOCK_SECONDS) | {"index.lock": STALE_INDEX_LOCK_SECONDS}
    # The private index is only ever locked by our own git, and none lives.
    bounds["dreamd-index.lock"] = 0
    return tuple(sorted(name for name, bound in bounds.items() if _removed(git_dir, name, now.timestamp(), bound)))


def _removed(git_dir: Path, name: str, now: float, bound_seconds: float) -> bool:
    lock = git_dir / name
    try:
        status = lock.lstat()
        own = (git_dir / LOCK_NAME).stat()
    except FileNotFoundError:
        return False
    is_ours = (status.st_dev, status.st_ino) == (own.st_dev, own.st_ino)
    if bound_seconds > 0 and not is_ours and now - status.st_mtime < bound_seconds:
        return False
    lock.unlink(missing_ok=True)
    return True
