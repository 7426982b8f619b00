"""What is learned from how work went: an attempt to mend something, and the lessons that attempts add up to."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import EventKind

SHORT_GAP = timedelta(hours=24)  # from trouble to success; what lies further apart is no attempt, also in one session
EXPLAINED_WITHIN = timedelta(hours=2)  # after a success, the commit that says what was mended
REACH = SHORT_GAP + EXPLAINED_WITHIN  # all of an attempt lies within it
SUCCESS_FROM = 0.5  # outcome
# Kinds of events that remedies are, and those that attempts are made of.
REMEDIES = frozenset(
    {EventKind.ACTION, EventKind.COMMIT, EventKind.CORRECTION, EventKind.INTERVENTION, EventKind.DECISION}
)
WORK = REMEDIES | {EventKind.ERROR, EventKind.RESULT, EventKind.OBSERVATION}


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """An event, and the stream that it speaks about."""

    event: Event
    stream: str | None  # None: no target is known


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """Something went wrong, something was done about it, and then it worked or went wrong again."""

    stream: str  # of what went wrong
    trouble: str  # what went wrong, from the words of its event
    trouble_key: str  # equal for the same trouble on another day
    remedy: str  # what was done, from the words of the evidence
    remedy_in_general: str  # without what differs from attempt to attempt
    remedy_key: str
    has_worked: bool
    evidence: tuple[Event, ...]  # what went wrong, what was done, how it ended; in time, each once
    at: datetime  # when it ended


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """When `trouble`, `remedy` worked: so often of so many."""

    stream: str
    key: str  # equal for the same lesson, however often it was tried
    text: str
    tried: tuple[Attempt, ...]  # in time; most of them worked


def when(event: Event) -> tuple[datetime, str]:
    """Sorts events in time."""
    return (event.at, event.id)
