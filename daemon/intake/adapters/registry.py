"""The adapters by name. One is imported when it is used, so that the command line costs nothing of them.

To add one: write its file, and a line here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from dreamd.daemon.intake.adapters.port import Adapter, Hide
from dreamd.daemon.intake.limits import Limits


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    module: str  # holds `adapter(limits, hide)`
    reads: str  # for the help: what it reads
    default: Path | None  # where it looks when no path is given, relative to the person's home; None: a path is needed
    moved_by: str | None = None  # the variable that names another folder for the first part of `default`
    is_dated: bool = True  # its records hold their times; else the person says when the session began
    is_original: bool = True  # the agent wrote it; else what it calls a person's words are theirs only where granted


ADAPTERS: Mapping[str, Entry] = {
    "claude-code": Entry(
        module="claude_code",
        reads="sessions of Claude Code",
        default=Path(".claude") / "projects",
        moved_by="CLAUDE_CONFIG_DIR",
    ),
    "codex": Entry(
        module="codex",
        reads="rollouts of OpenAI's Codex CLI",
        default=Path(".codex") / "sessions",
        moved_by="CODEX_HOME",
    ),
    "swe-agent": Entry(module="swe_agent", reads="trajectories of SWE-agent", default=None, is_dated=False),
    "console": Entry(
        module="console",
        reads="copied consoles of Claude Code",
        default=None,
        is_dated=False,
        is_original=False,
    ),
}


def load(name: str, limits: Limits, hide: Hide) -> Adapter:
    """The adapter of that name; raises KeyError if there is none."""
    module = import_module(f"dreamd.daemon.intake.adapters.{ADAPTERS[name].module}")
    made: Adapter = module.adapter(limits, hide)
    return made
