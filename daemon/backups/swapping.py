"""Putting a finished home in the place of the present one, in one step of the file system.

On Linux the two folders exchange their names (renameat2), so that at every instant one whole home is there. Where the
file system cannot do that, there is none for the time between two renames.
"""

import ctypes
import errno
import os
from pathlib import Path

from dreamd.daemon.failpoints import reach

_AT_FDCWD = -100
_EXCHANGE = 2
_CANNOT = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP)


def swap(finished: Path, home: Path, aside: Path) -> None:
    """Give `finished` the name `home`; what was there before is at `aside`, if it was more than an empty folder."""
    os.sync()  # all of it is on the disk before its name is
    reach("restore-before-swap")
    if not home.exists() or not any(home.iterdir()):
        finished.rename(home)  # an empty folder gives way
    else:
        finished.rename(aside)  # so that the old home is there as soon as the names are exchanged
        try:
            _exchange(aside, home)
        except OSError:
            aside.rename(finished)
            raise
    reach("restore-after-swap")
    descriptor = os.open(home.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def give_to(top: Path, uid: int, gid: int) -> None:
    """All below `top` to that owner and group. No link is followed."""
    for folder, folders, files in os.walk(top):
        for name in (*folders, *files):
            os.chown(os.path.join(folder, name), uid, gid, follow_symlinks=False)  # noqa: PTH118 - as os.walk gives it
    os.chown(top, uid, gid, follow_symlinks=False)


def _exchange(one: Path, other: Path) -> None:
    """Let the two exchange their names."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        number = errno.ENOSYS
    else:
        is_done = rename(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _EXCHANGE) == 0
        number = 0 if is_done else ctypes.get_errno()
    if number in _CANNOT:
        between = one.with_name(f"{one.name}.moving")
        other.rename(between)
        one.rename(other)
        between.rename(one)
    elif number:
        raise OSError(number, os.strerror(number), str(other))
