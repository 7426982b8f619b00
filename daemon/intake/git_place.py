"""Where the repository lies that is to be read, and whether it may be: before git is started on it.

A pointer, a link or a folder above may lead elsewhere; what they lead to is looked at as closely as what was named
(repo_export/vetting.py).
"""

import os
import stat
from pathlib import Path

from dreamd.repo_export.git import RepositoryProblem, SafeGit
from dreamd.repo_export.vetting import first_bytes, named_path, require_readable

MAX_BOUNDARY_BYTES = 64 * 1024 * 1024  # of the list of commits at which a shallow clone ends


class IntakeProblem(Exception):
    """A history that cannot be read; `hint` says what a person does about it."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(f"{message}; {hint}")
        self.message = message
        self.hint = hint


def git_at(repo_path: Path) -> SafeGit:
    """Git on the repository that `repo_path` is in, looked at first for what could stop or mislead it."""
    try:
        git_dir = _git_dir(Path(repo_path))
        require_readable(git_dir)
        return SafeGit(git_dir)
    except RepositoryProblem as problem:
        raise IntakeProblem(problem.message, problem.hint) from problem


def shallow_boundary(git_dir: Path) -> frozenset[str]:
    """The commits at which a shallow clone ends."""
    shared = named_path(git_dir / "commondir") or git_dir  # a linked work tree has its objects there
    return frozenset(first_bytes(shared / "shallow", MAX_BOUNDARY_BYTES).decode("ascii", errors="replace").split())


def _git_dir(path: Path) -> Path:
    """The git directory of `path`: its own, that of a folder above, or `path` itself if it is bare."""
    try:
        here = path.resolve()
        if not stat.S_ISDIR(here.stat().st_mode):
            raise NotADirectoryError
    except (FileNotFoundError, NotADirectoryError, ValueError):  # the last: a NUL in the name
        raise IntakeProblem(f"{path} is not a folder", "give the folder of a Git repository") from None
    except OSError as refused:
        raise IntakeProblem(f"{path} cannot be read: {refused.strerror}", "check its owner and mode") from None
    for folder in (here, *here.parents):
        dot_git = folder / ".git"
        try:
            is_bare = all((folder / name).exists() for name in ("HEAD", "objects", "refs"))
            if not is_bare and not os.path.lexists(dot_git):
                continue
            if folder != here:
                _require_no_strangers(folder, here)
            if dot_git.is_dir():
                return dot_git
            # A file is that of a linked work tree or a submodule.
            return _pointed_at(dot_git) if os.path.lexists(dot_git) else folder
        except OSError as refused:
            raise IntakeProblem(f"{dot_git} cannot be read: {refused}", "check its owner and mode") from refused
    raise IntakeProblem(f"{path} is not in a Git repository", "give the folder of one, or run: git init")


def _require_no_strangers(folder: Path, here: Path) -> None:
    """Nobody reads unasked what another user put above: there, as in /tmp, it may wait for whoever comes by."""
    owner = folder.stat().st_uid
    if owner not in (os.geteuid(), here.stat().st_uid):
        raise IntakeProblem(
            f"{here} is in a repository of another user: {folder} (owner {owner})",
            f"to read it all the same, name it: {folder}",
        )


def _pointed_at(dot_git: Path) -> Path:
    git_dir = named_path(dot_git, prefix="gitdir:")
    if git_dir is None or not (git_dir / "HEAD").is_file():
        raise IntakeProblem(f"{dot_git} names no Git directory", "give the folder of a whole repository")
    return git_dir
