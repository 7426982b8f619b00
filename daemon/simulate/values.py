"""What a simulated history is made of: targets with what happened to them, and what is therefore true of them.

Truth is a property of the class of a target. It is written down together with the events, from the class's definition;
no gate, threshold or formula of a memory system is asked.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """One event, before anybody delivers it."""

    at: datetime
    kind: str  # a kind of event, such as "observation"
    text: str
    target: str  # as this event spells it
    session: str
    actor: str = "agent"  # or "user", "external"
    outcome: str | None = None  # "success" or "failure"
    id: str | None = None  # that the source gave it

    def fields(self) -> dict[str, str]:
        """The event as an object of JSONL."""
        named = {
            "id": self.id,
            "at": f"{self.at:%Y-%m-%dT%H:%M:%SZ}",
            "kind": self.kind,
            "target": self.target,
            "text": self.text,
            "outcome": self.outcome,
            "actor": self.actor,
            "session": self.session,
        }
        return {name: value for name, value in named.items() if value is not None}


class Says(StrEnum):
    """What one statement of truth says about its target."""

    EMERGENT = "emergent by"  # `by`: reached from evidence not later than that
    CANONICAL = "canonical by"
    NEVER_EMERGENT = "never emergent"
    NEVER_CANONICAL = "never canonical"
    KEPT = "kept"  # from `since` on: once in the index, it is there whenever later evidence confirms it
    KEPT_NIGHTLY = "kept nightly"  # in the index each day from its delivery on, for `days` (None: to the end)
    LISTED = "listed"  # in the index each day from its delivery to `by`
    GONE = "gone"  # not in the index at `by`
    ARCHIVED = "archived"  # faded at `by`, its history readable
    WAKES = "wakes"  # has its phase and history again from `since` on
    CURRENT = "current"  # `texts` are current from `since` on
    NOT_CURRENT = "not current"  # `texts` are not current from `since` on
    SUPERSEDED = "superseded"  # `texts` are readable from `since` on, with the interval in which they were true
    RETRACTED = "retracted"  # `texts` are readable from `since` on, as retracted
    DOUBTFUL = "doubtful"  # shown so from `since` on, wherever it is listed
    APART = "apart"  # `texts` are never one group
    TOGETHER = "together"  # `texts` are at most `most` groups
    ONE_STREAM = "one stream"  # all spellings lead to one
    LESSON = "lesson"  # a lesson names `texts`
    EXTERNAL = "trust external"  # no statement of it is more trusted than that


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """One statement; what it does not need is None or ()."""

    says: Says
    by: datetime | None = None
    since: datetime | None = None
    days: int | None = None
    texts: tuple[str, ...] = ()
    most: int | None = None

    def as_json(self) -> dict[str, object]:
        named: dict[str, object] = {
            "says": self.says.value,
            "by": None if self.by is None else f"{self.by:%Y-%m-%dT%H:%M:%SZ}",
            "since": None if self.since is None else f"{self.since:%Y-%m-%dT%H:%M:%SZ}",
            "days": self.days,
            "texts": list(self.texts) or None,
            "most": self.most,
        }
        return {name: value for name, value in named.items() if value is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """What happens to one target, as its class has it, and what is true of it."""

    happenings: tuple[Happening, ...]  # by instant; may go on after the last day of the history
    truths: tuple[Truth, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    name: str  # as its first event spells it
    kind: str  # the name of its class
    spellings: tuple[str, ...]  # all that its events use, the first first
    happenings: tuple[Happening, ...]  # those of the history, by instant; at least one
    truths: tuple[Truth, ...]  # at least one
