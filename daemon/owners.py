"""Whose a file is, which group may write it, and who asks."""

import grp
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


def is_of_a_group(folder: Path) -> bool:
    """Whether `folder` is meant to be written by its group: somebody prepared it so, or the group is the owner's own.

    Prepared: it has the set-group-id bit, and its group may write there. The owner's own: a group of the owner's name,
    whose other members were let in by hand; the same rule gives such users the umask 002 (pam_umask, `usergroups`).
    """
    known = folder.stat()
    if known.st_mode & stat.S_ISGID and known.st_mode & stat.S_IWGRP:
        return True
    return known.st_uid != 0 and _name(known.st_uid) == group_name(known.st_gid)


def group_name(gid: int) -> str:
    try:
        return grp.getgrgid(gid).gr_name
    except KeyError:
        return f"group {gid}"


def _name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"user {uid}"
