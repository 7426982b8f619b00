"""Where Claude Code keeps its own memory of a project, for whoever wants dreamd's there as a profile."""

import re
from collections.abc import Mapping
from pathlib import Path

from dreamd.daemon.home import is_space, space_name
from dreamd.daemon.installing import user_settings

LONGEST_NAME = 200  # of a project's folder; Claude Code names longer ones in a way of its own


def memory_folder(environ: Mapping[str, str], project: Path) -> Path | None:
    """Claude Code's memory of the project, whether it is there or not; None if its name cannot be told."""
    name = re.sub(r"[^0-9A-Za-z]", "-", str(_top(project)))
    return None if len(name) > LONGEST_NAME else user_settings(environ).absolute().parent / "projects" / name / "memory"


def setting_for(environ: Mapping[str, str], project: Path, space: str | None) -> str | None:
    """The entry of `profiles.generated` that writes the memory of `space`, by default the project's, there."""
    from dreamd.daemon.intake.transcripts import project_name  # noqa: PLC0415 - imports GitPython

    folder = memory_folder(environ, project)
    if folder is None or re.search(r'[,"\\\x00-\x1f]', str(folder)):
        return None
    name = space if space is not None and is_space(space) else space_name(project_name(_top(project)))
    return f"{name}:claude-code={folder}"


def _top(project: Path) -> Path:
    """The top of the repository that `project` lies in, else itself: the memory of a repository is one."""
    return next((folder for folder in (project, *project.parents) if (folder / ".git").exists()), project)
