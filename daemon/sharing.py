"""A group of people: who, beside the owner of a home, may write the memory repositories.

The file system says it, and nothing else: `<home>/memory` with the set-group-id bit gives every repository made below
to its group. The key and the database stay the owner's alone.
"""

import grp
import os
import stat
from pathlib import Path

from dreamd.daemon.errors import Configuration, Usage
from dreamd.daemon.home import Home
from dreamd.daemon.owners import group_name
from dreamd.repo_export.folders import SHARED_FOLDER_MODE
from dreamd.repo_export.plumbing import SafeGit

SHARED_MEMORY_MODE = 0o2755  # the folder of all repositories: only the owner makes one
SHARED_REPOSITORY = "0660"  # what git is told


def is_shared(home: Home) -> bool:
    """Whether the group may write the memory of `home`."""
    return bool(home.memory.stat().st_mode & stat.S_ISGID)


def share_with(home: Home, name: str) -> None:
    """Let the group `name` (or its number) write the memory of `home`: all of it, and what comes.

    Raises Usage if there is no such group, Configuration if whoever runs this may not give files to it.
    """
    gid = _number_of(name)
    try:
        os.chown(home.memory, -1, gid)
        home.memory.chmod(SHARED_MEMORY_MODE)
        for repository in repositories(home):
            _give(repository, gid)
            SafeGit(repository / ".git").read("config", "core.sharedRepository", SHARED_REPOSITORY)
    except PermissionError as refused:
        raise Configuration(
            f"{refused.filename} cannot be given to the group {name}: {refused.strerror}",
            "run it as the owner of the home, and as a member of that group, or as root",
        ) from None


def repositories(home: Home) -> list[Path]:
    """The memory repositories of `home`, sorted."""
    return sorted(folder for folder in home.memory.iterdir() if (folder / ".git").is_dir() and not folder.is_symlink())


def closed_above(home: Home) -> Path | None:
    """The uppermost folder that keeps the group out of the memory of `home`; None: they can go there."""
    gid = home.memory.stat().st_gid
    for folder in reversed(home.memory.resolve().parents):
        known = folder.stat()
        may_enter = stat.S_IXGRP if known.st_gid == gid else stat.S_IXOTH
        if not known.st_mode & may_enter:
            return folder
    return None


def lines_for_the_group(home: Home) -> list[str]:
    """What `init` says to and about the people of the home's group."""
    group = group_name(home.memory.stat().st_gid)
    first = (
        f"The group {group} may read and write the memory. Each member needs, once (for git log, and for a clone):"
        if is_shared(home)
        else f"The group {group} may read the memory. Each member needs, once (for git log, and for a clone):"
    )
    lines = [first]
    for repository in repositories(home) or [home.memory / "default"]:
        lines.append(f"  git config --global --add safe.directory {repository}")
        lines.append(f"  git config --global --add safe.directory {repository}/.git")
    if is_shared(home):
        lines.append("and `umask 002` where files are edited in place; a clone that pushes back needs none.")
    else:
        lines.append("A group that shall write it too: dreamd init --group GROUP")
    closed = closed_above(home)
    if closed is not None:
        lines.append(
            f"The group cannot get there yet: {closed} is closed to it; as its owner: chmod g+x or o+x {closed}"
        )
    return lines


def _number_of(name: str) -> int:
    if name.isascii() and name.isdigit():
        return int(name)
    try:
        return grp.getgrnam(name).gr_gid
    except KeyError:
        raise Usage(f"there is no group {name!r}", "see: getent group; or make one: groupadd") from None


def _give(top: Path, gid: int) -> None:
    """All below `top` to the group, which may do there what the owner may. No link is followed."""
    for folder, _, names in os.walk(top):
        os.chown(folder, -1, gid, follow_symlinks=False)
        os.chmod(folder, SHARED_FOLDER_MODE)  # noqa: PTH101 - a text, as os.walk gives it
        for name in names:
            path = Path(folder) / name
            known = path.lstat()
            if stat.S_ISREG(known.st_mode):
                os.chown(path, -1, gid, follow_symlinks=False)
                path.chmod(stat.S_IMODE(known.st_mode) | (known.st_mode & stat.S_IRWXU) >> 3)
