"""What a memory system has to answer to be judged: a small adapter that each system brings.

The harness feeds a night's deliveries, lets the system dream, and asks. A system that knows nothing of a question
answers with the empty value: no group, no interval, None for what it cannot do.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from dreamd.daemon.simulate.delivery import Night

PHASES = ("pattern", "emergent", "canonical")  # from young to mature


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One target as it is shown now."""

    phase: str  # one of PHASES
    is_listed: bool  # in MEMORY.md or an index that it links to, or what the system has in their place
    is_doubtful: bool = False
    is_archived: bool = False  # laid to rest, and still readable


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One statement about a target."""

    text: str
    status: str  # "current", "superseded" or "retracted"
    group: str  # statements of one group are held to say the same
    kind: str = "fact"
    trust: str = "agent"
    ended_at: datetime | None = None  # when it ceased to be true


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """When a target reached its phases: by which evidence, in the evidence's own time; None: never."""

    emergent_at: datetime | None
    canonical_at: datetime | None


class System(Protocol):
    @property
    def name(self) -> str: ...

    def ingest(self, night: Night) -> None:
        """Take in what was delivered on one day; `night.at` is now."""

    def dream(self, now: datetime) -> None: ...

    def look(self) -> Mapping[str, Seen]:
        """Every target that is known, by `key_of` its name."""

    def key_of(self, name: str) -> str:
        """How a target's name is spelled inside the system."""

    def statements(self, name: str) -> Sequence[Said]: ...

    def reached(self) -> Mapping[str, Reached]:
        """Of every target that is known, by `key_of` its name."""

    def rows(self) -> Mapping[str, Mapping[str, object]]:
        """All decisions as comparable values, by id, without system time."""

    def undo_restores(self, now: datetime) -> bool | None:
        """Whether a dream now, taken back at once, leaves the decisions as they are. Changes nothing; None: no undo."""

    def close(self) -> None: ...
