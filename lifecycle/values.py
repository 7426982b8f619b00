"""The rows of the memory as frozen values (design, section 4).

`Event` is a fact and is never changed. All others are decisions: they change only through a plan. Times are aware and
in UTC; shares are 0..1; durations say their unit. Empty is (), None means "not known" or "does not apply".
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from dreamd.lifecycle.words import (
    Actor,
    Bearing,
    Birth,
    ClaimKind,
    ClaimStatus,
    DecayClass,
    EventKind,
    Phase,
    Status,
    Vitality,
    Waiting,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    id: str  # delivery identity, see ids.event_id
    space: str
    at: datetime  # when it happened
    recorded_at: datetime  # when dreamd stored it
    kind: EventKind
    text: str  # redacted, verbatim otherwise
    actor: Actor  # capped by the channel that it came through
    source: str  # where it was learned, such as "session:s01" or "git:4f1c2aa"
    digest: str  # sha256 over (at, kind, target, text, actor, source, session, outcome)
    given_id: str | None = None  # the id the source gave it
    target: str | None = None  # as the event spelled it
    because: str | None = None
    outcome: float | None = None  # 0 failure .. 1 success; None: says nothing about success
    session: str | None = None
    scope: str | None = None  # "local", "system", "infra", or any other word
    files: tuple[str, ...] = ()  # paths that it touched
    decay: DecayClass | None = None  # the class it asks for
    tags: tuple[str, ...] = ()
    extra: Mapping[str, object] = field(default_factory=dict)  # unknown keys, as they came


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    id: str
    space: str
    target: str  # canonical form
    title: str  # the target as people wrote it first
    headline: str | None  # text of the strongest current claim; None if no claim is current
    birth: Birth
    phase: Phase
    emergent_at: datetime | None  # instant of evidence at which EMERGENT was reached
    canonical_at: datetime | None
    vitality: Vitality  # as of the run that last looked
    status: Status
    crossed_at: (
        datetime | None
    )  # true instant of the last crossing of vitality or status by age; None: none since evidence
    merged_into: str | None
    base_confidence: float  # 0.10..1, as of the last evidence
    decay_class: DecayClass
    is_protected: bool  # pinned, or holding a current preference or intervention: never fades away
    is_doubtful: bool  # what opposes a current explicit decision outweighs what supports it
    first_seen: datetime  # first evidence of either bearing
    last_seen: datetime  # last evidence of either bearing
    frequency: int  # deliveries of evidence that support
    opposed: int  # deliveries of evidence that oppose
    active_days: int  # distinct UTC days with support
    lifetime_days: float  # last minus first supporting evidence
    coverage: float
    stability: float
    reinforcement_density: float  # frequency per lifetime day
    removal_cost: float
    utility: float
    stretch: float  # 1..stretch_max, divides silence
    scope: str | None  # the widest scope of its evidence
    shelf: str  # which folder of the memory repository: "preferences", "projects", "knowledge" or "lessons"
    evidence_digest: str  # sha256 over its links' ids and bearings: what its holds are keyed by


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    id: str
    space: str
    stream: str
    text: str  # verbatim from the event `stated_in`
    kind: ClaimKind
    origin: (
        EventKind  # the strongest kind of event that stated it (intervention, correction, preference, decision, ...)
    )
    status: ClaimStatus
    group: str  # claims of one group say the same
    stated_in: str  # event id: first in (trust, at, id) among its evidence
    slot: str | None  # subject and functional predicate, such as "use:the task queue"
    value: str | None  # what fills the slot
    decay: DecayClass
    valid_from: datetime  # when it began to be true: its first evidence
    valid_to: datetime | None  # when it ceased to be true
    recorded_at: datetime  # when we began to believe it (system time)
    retracted_at: datetime | None  # when we learned that it was never true (system time)
    last_at: datetime  # its last evidence
    support: int  # deliveries that state it
    days: int  # distinct UTC days on which it was stated
    trust: Actor
    supersedes: str | None  # claim id that this one took the place of
    closed_by: str | None  # event id that superseded or retracted it


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    id: str  # ids.link_id(event, stream), ids.further_link_id(event, stream, claim), or ids.quarantine_id(event)
    space: str
    event: str
    stream: str | None  # None: noise, untargeted or the word of the quarantine, see `rule`
    claim: str | None  # the claim that the event states first, or the one that a further link is about
    bearing: Bearing
    rule: str  # how the target was found: "named", "scope", "path", ...; or see further.py and quarantine.py
    score: float  # 0..1, certainty of the rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias:
    id: str
    space: str
    spelling: str  # as written
    target: str  # canonical form
    stream: str
    rule: str  # "canonical form", "merge", "person"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    id: str
    space: str
    subject: str  # stream or claim id
    stream: str  # the stream, or the claim's stream
    pinned_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """What a revert leaves: this change is not made again from this evidence (design, section 7)."""

    id: str
    space: str
    kind: (
        str  # the kind of change, such as "create", "phase:emergent", "vitality:decaying", "status:faded", "supersede"
    )
    subject: str  # id of the row whose change is held
    stream: str | None  # whose next event lifts it; None: a link that marked noise or untargeted
    event: str | None  # for a link: the event that therefore counts as examined
    evidence_digest: str  # what the change rested on
    run: str  # the run that was reverted


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """Keyed digest of what a person forgot or rejected; holds no text."""

    id: str
    space: str
    stream: str | None
    kind: str  # "claim" or "subject"
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    id: str  # ids.proposal_id(space, kind, subjects)
    space: str
    kind: str  # "supersede", "retract", "merge", "policy"
    stream: str
    subjects: tuple[str, ...]  # row ids it is about: the claim or stream to change, then what takes its place
    text: str  # one sentence for a person
    status: Waiting


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    id: str
    space: str
    stream: str
    claims: tuple[str, ...]  # the claim ids that contradict each other, sorted
    text: str
    asked_from: datetime  # instant of the evidence that raised it
    status: Waiting
    choice: str | None  # the claim id a person chose, or "both"


Row = Stream | Claim | Link | Alias | Pin | Hold | Tombstone | Proposal | Question
