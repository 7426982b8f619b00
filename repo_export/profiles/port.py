"""What a profile is: the memory of a space, written once more in the files and the form that one agent reads.

A profile is a pure function of what the memory repository shows, so the same memory gives the same bytes. It writes
nothing itself: laying.py does, and leaves alone whatever is not dreamd's.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from dreamd.repo_export.markdown import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPage:
    """A live page that MEMORY.md lists."""

    path: str  # in the memory repository, from its root
    slug: str  # its file name without ending: [a-z0-9-], unique in the space
    stream: str  # id, "" if the page does not say
    target: str  # canonical form; "" if the page does not say
    title: str  # one line, not escaped
    description: str  # one line, not escaped
    hook: str  # the strongest statement as MEMORY.md shows it; "" where that tells none
    type: str  # "user", "feedback", "project" or "reference"
    tags: tuple[tuple[str, str], ...]  # of its line in MEMORY.md: phase, vitality, last, maybe doubtful
    aliases: tuple[str, ...]  # other spellings of the target
    is_pinned: bool
    is_doubtful: bool
    statements: tuple[Entry, ...]  # the current ones, a correction before the others, else strongest first


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """What a profile is made of. Nothing in it is superseded, retracted, young or archived."""

    space: str
    head: tuple[Entry, ...] = ()  # what every session needs; a correction before what it corrects
    pages: tuple[MemoryPage, ...] = ()  # best first
    left_out: tuple[tuple[str, str], ...] = ()  # (path, reason): live pages that are not among `pages`


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated:
    """The files of a profile; empty if nothing is known."""

    files: Mapping[str, bytes]  # by path from the profile's folder
    left_out: tuple[tuple[str, str], ...] = ()  # (path in the memory repository, reason): what did not fit


class Profile(Protocol):
    """One agent's form of a memory."""

    def generate(self, memory: Memory) -> Generated:
        """The files; those that the agent loads by itself within its caps, what does not fit named."""
        ...
