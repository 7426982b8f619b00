"""Whose a file is, and who asks: for errors that say as whom a command would work."""

import os
import pwd
from pathlib import Path


def whose(path: Path) -> str:
    """What to say of a thing that may not be read: its owner and who runs this."""
    try:
        owner = path.stat().st_uid
    except OSError:
        return f"you are {_name(os.geteuid())}, who may not look there"
    return f"it belongs to {_name(owner)}, you are {_name(os.geteuid())}"


def other_owner(path: Path) -> str | None:
    """The owner of `path` if that is not whoever runs this, else None."""
    owner = path.stat().st_uid
    return None if owner == os.geteuid() else _name(owner)


def _name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"user {uid}"
