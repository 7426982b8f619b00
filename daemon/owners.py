"""Whose a file is, and who asks: for errors that say as whom a command would work."""

import os
import pwd
import stat
from pathlib import Path


def whose(path: Path) -> str:
    """What to say of a thing that may not be read: its owner and who runs this."""
    try:
        known = path.stat()
    except OSError:
        return f"you are {_name(os.geteuid())}, who may not look there"
    if known.st_uid == os.geteuid():
        return f"it is yours, but its mode is {stat.S_IMODE(known.st_mode):04o}"
    return f"it belongs to {_name(known.st_uid)}, you are {_name(os.geteuid())}"


def other_owner(path: Path) -> str | None:
    """The owner of `path` if that is not whoever runs this, else None."""
    owner = path.stat().st_uid
    return None if owner == os.geteuid() else _name(owner)


def _name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"user {uid}"
