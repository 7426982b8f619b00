"""Where the growth of a stream stands, so that plain later evidence is added to it instead of growing it whole.

A checkpoint is derived: it may be lost or out of date, and then the stream is grown from all its evidence. It is only
made where nothing that came before can speak about what comes later: no pin, no refused ending, no open question, no
claim that runs out.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from dreamd.lifecycle.claims import Told
from dreamd.lifecycle.edits import edit_of
from dreamd.lifecycle.findings import Statement
from dreamd.lifecycle.floods import MAX_HEARD, Heard
from dreamd.lifecycle.lending import Lent
from dreamd.lifecycle.measures import FORMULAS
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.ranking import RANKING
from dreamd.lifecycle.signals import Standing
from dreamd.lifecycle.values import Claim, Event
from dreamd.lifecycle.words import DecayClass, EventKind

GROUPS = "groups-2"  # how statements are grouped; under another way a stream is grown whole once more
MAX_WEIGHED = 64  # current decisions; with more of them a stream is grown whole
RUNNING_OUT = (DecayClass.SESSION, DecayClass.CHECKPOINT)
# What may end a claim, or gives a stream another kind of birth, floor or doubt.
_OUTRIGHT = (
    EventKind.DECISION,
    EventKind.PREFERENCE,
    EventKind.INTERVENTION,
    EventKind.CORRECTION,
    EventKind.RETRACTION,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    stream: str
    evidence_digest: str  # of the evidence that is in it: it holds for a row with the same digest
    rules: str  # of what it was made by: formulas, ranking and policy
    upto: datetime  # the last event of any bearing
    heard: Heard  # what was said on that day
    standing: Standing
    lent: Lent
    # Sorted: where a plain statement that meets one may end something, or says again what was taken back.
    marks: tuple[str, ...]


def checkpoint_of(  # noqa: PLR0913 - all that it is made of and depends on
    stream: str,
    evidence_digest: str,
    standing: Standing | None,
    *,
    events: Iterable[Event],
    statements: Iterable[Statement],
    claims: Collection[Claim],
    told: Told,
    heard: Heard,
    is_pinned: bool,
    policy: Policy,
) -> Checkpoint | None:
    """The checkpoint of a stream that was grown whole; None if later evidence has to see all of it again."""
    if standing is None or is_pinned or told.refused or told.questions or len(standing.weighed) > MAX_WEIGHED:
        return None
    if len(heard) > MAX_HEARD or any(claim.decay in RUNNING_OUT for claim in claims):
        return None
    return Checkpoint(
        stream=stream,
        evidence_digest=evidence_digest,
        rules=rules_of(policy),
        upto=max(event.at for event in events),
        heard=heard,
        standing=standing,
        lent=Lent.of(claims),
        marks=tuple(sorted(told.denied.union(*(statement.leaves for statement in statements)))),
    )


def rules_of(policy: Policy) -> str:
    """What a checkpoint was made by, as far as it can change: under other rules it does not serve."""
    return f"{FORMULAS}:{GROUPS}:{RANKING}:{policy.digest()}"


def is_plain(event: Event) -> bool:
    """Whether `event` can be added to a checkpoint: it asks for no decay and is not said outright.

    That what it states ends nothing either is found when it is added, see `Statement.meets`.
    """
    return event.kind not in _OUTRIGHT and event.decay is None and edit_of(event) is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A statement of a stream as its claim keeps it, to which new ones are compared."""

    text: str
    at: datetime  # when it was first stated
    group: str
    slot: str | None
    value: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Extension:
    """What a stream with a checkpoint needs besides it, to take in plain new events."""

    checkpoint: Checkpoint
    known_sessions: frozenset[str]  # those of the new events that have support of the stream already
    voices: Mapping[str, Event]  # by id: the events that the claims to be restated are worded after
    known: tuple[Neighbour, ...] = ()  # what the stream states so far
