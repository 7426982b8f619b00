"""The profiles by name. One is imported when it is generated.

To add one: write its file, and a line here (docs/profiles.md).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module

from dreamd.repo_export.profiles.port import Profile


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    module: str  # holds `profile()`
    read_by: str  # for people: who reads it


PROFILES: Mapping[str, Entry] = {
    "claude-code": Entry(module="claude_code", read_by="Claude Code, as the memory of a project"),
    "codex": Entry(module="codex", read_by="OpenAI's Codex CLI, as its memories"),
    "letta": Entry(module="letta", read_by="Letta Code, as an agent's memory folder"),
}


def load(name: str) -> Profile:
    """The profile of that name; raises KeyError if there is none."""
    module = import_module(f"dreamd.repo_export.profiles.{PROFILES[name].module}")
    made: Profile = module.profile()
    return made
