"""Which form the front matter of a file has: Claude Code's two, basic-memory's and Obsidian's, or none.

Claude Code wrote `name, description, type` first, and later moved `type` below `metadata`, beside `node_type`. Such a
file is one memory: its bullets are sentences of it, no entries of their own.
"""

from collections.abc import Mapping
from typing import Any

from dreamd.repo_export.note import Note

MEMORY_TYPES = ("user", "feedback", "project", "reference")
REQUIRED = ("name", "description", "type")


def nested(front_matter: Mapping[str, Any]) -> Mapping[str, Any]:
    """What stands below `metadata`."""
    below = front_matter.get("metadata")
    return below if isinstance(below, dict) else {}


def memory_type(front_matter: Mapping[str, Any]) -> object:
    """The type of a memory in either form; None: it has none."""
    below = nested(front_matter).get("type")
    return below if below is not None else front_matter.get("type")


def is_memory_form(front_matter: Mapping[str, Any]) -> bool:
    """Whether this is, or means to be, front matter of one memory as Claude Code writes it."""
    if "permalink" in front_matter and "description" not in front_matter:
        return False  # basic-memory, where `type` is free
    below = nested(front_matter)
    if below.get("node_type") == "memory" or memory_type(front_matter) in MEMORY_TYPES:
        return True
    return "description" in front_matter and ("name" in front_matter or "type" in front_matter or "type" in below)


def is_memory_file(note: Note) -> bool:
    return is_memory_form(note.front_matter)
