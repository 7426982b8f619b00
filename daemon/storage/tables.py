"""The tables: one per row of `lifecycle.values`, then the log, then what is derived.

`space` is a part of every key and of every foreign key, so a link across spaces cannot be stored. Columns carry the
names of the fields of their value. Foreign keys are checked at commit: a plan may write its rows in any order.
Derived tables (`pending`, `due`, `chain`, `checkpoint`, `finding`) can be rebuilt from the rest and are in no digest.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKeyConstraint, Index, MetaData, UniqueConstraint
from sqlmodel import SQLModel

from dreamd.daemon.storage import columns as column
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
    Trigger,
    Vitality,
    Waiting,
)

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


class Stored(SQLModel):
    metadata = MetaData(naming_convention=NAMES)


def _of(field: str, table: str) -> ForeignKeyConstraint:
    """`field` names a row of `table` in the same space; looked at when the transaction commits."""
    return ForeignKeyConstraint(
        ["space", field], [f"{table}.space", f"{table}.id"], deferrable=True, initially="DEFERRED"
    )


class SpaceRow(Stored, table=True):
    __tablename__ = "space"
    name: str = column.key()
    window_days: float = column.real()  # of the waking chains in `chain`


class EventRow(Stored, table=True):
    __tablename__ = "event"
    __table_args__ = (Index(None, "space", "at", "id"), Index(None, "space", "session"))
    space: str = column.key()
    id: str = column.key()
    at: datetime = column.instant()
    recorded_at: datetime = column.instant()
    kind: EventKind = column.word(EventKind)
    text: str = column.text()
    actor: Actor = column.word(Actor)
    source: str = column.text()
    digest: str = column.text()
    given_id: str | None = column.text(optional=True)
    target: str | None = column.text(optional=True)
    because: str | None = column.text(optional=True)
    outcome: float | None = column.real(optional=True)
    session: str | None = column.text(optional=True)
    scope: str | None = column.text(optional=True)
    files: tuple[str, ...] = column.words()
    decay: DecayClass | None = column.word(DecayClass, optional=True)
    tags: tuple[str, ...] = column.words()
    extra: Any = column.json_text()


class StreamRow(Stored, table=True):
    __tablename__ = "stream"
    __table_args__ = (
        Index(None, "space", "target"),
        Index(None, "space", "status", "last_seen"),
        Index(None, "space", "merged_into"),
    )
    space: str = column.key()
    id: str = column.key()
    target: str = column.text()
    title: str = column.text()
    headline: str | None = column.text(optional=True)
    birth: Birth = column.word(Birth)
    phase: Phase = column.word(Phase)
    emergent_at: datetime | None = column.instant(optional=True)
    canonical_at: datetime | None = column.instant(optional=True)
    vitality: Vitality = column.word(Vitality)
    status: Status = column.word(Status)
    crossed_at: datetime | None = column.instant(optional=True)
    merged_into: str | None = column.text(optional=True)
    base_confidence: float = column.real()
    decay_class: DecayClass = column.word(DecayClass)
    is_protected: bool = column.truth()
    is_doubtful: bool = column.truth()
    first_seen: datetime = column.instant()
    last_seen: datetime = column.instant()
    frequency: int = column.whole()
    opposed: int = column.whole()
    active_days: int = column.whole()
    lifetime_days: float = column.real()
    coverage: float = column.real()
    stability: float = column.real()
    reinforcement_density: float = column.real()
    removal_cost: float = column.real()
    utility: float = column.real()
    stretch: float = column.real()
    scope: str | None = column.text(optional=True)
    shelf: str = column.text()
    evidence_digest: str = column.text()
    awaits: datetime | None = column.instant(optional=True)


class ClaimRow(Stored, table=True):
    __tablename__ = "claim"
    __table_args__ = (
        Index(None, "space", "stream"),
        Index(None, "space", "group"),
        Index(None, "space", "kind"),
        Index(None, "space", "origin"),
        _of("stream", "stream"),
    )
    space: str = column.key()
    id: str = column.key()
    stream: str = column.text()
    text: str = column.text()
    kind: ClaimKind = column.word(ClaimKind)
    origin: EventKind = column.word(EventKind)
    status: ClaimStatus = column.word(ClaimStatus)
    group: str = column.text()
    stated_in: str = column.text()
    slot: str | None = column.text(optional=True)
    value: str | None = column.text(optional=True)
    decay: DecayClass = column.word(DecayClass)
    valid_from: datetime = column.instant()
    valid_to: datetime | None = column.instant(optional=True)
    recorded_at: datetime = column.instant()
    retracted_at: datetime | None = column.instant(optional=True)
    last_at: datetime = column.instant()
    support: int = column.whole()
    days: int = column.whole()
    trust: Actor = column.word(Actor)
    supersedes: str | None = column.text(optional=True)
    closed_by: str | None = column.text(optional=True)
    due: datetime | None = column.instant(optional=True)


class LinkRow(Stored, table=True):
    __tablename__ = "link"
    __table_args__ = (
        Index(None, "space", "event"),
        Index(None, "space", "stream"),
        Index(None, "space", "claim"),
        _of("event", "event"),
        _of("stream", "stream"),
        _of("claim", "claim"),
    )
    space: str = column.key()
    id: str = column.key()
    event: str = column.text()
    stream: str | None = column.text(optional=True)
    claim: str | None = column.text(optional=True)
    bearing: Bearing = column.word(Bearing)
    rule: str = column.text()
    score: float = column.real()


class AliasRow(Stored, table=True):
    __tablename__ = "alias"
    __table_args__ = (Index(None, "space", "stream"), Index(None, "space", "rule"))
    space: str = column.key()
    id: str = column.key()
    spelling: str = column.text()
    target: str = column.text()
    stream: str = column.text()
    rule: str = column.text()


class PinRow(Stored, table=True):
    __tablename__ = "pin"
    __table_args__ = (Index(None, "space", "stream"),)
    space: str = column.key()
    id: str = column.key()
    subject: str = column.text()
    stream: str = column.text()
    pinned_at: datetime = column.instant()


class HoldRow(Stored, table=True):
    __tablename__ = "hold"
    __table_args__ = (Index(None, "space", "stream"), Index(None, "space", "event"))
    space: str = column.key()
    id: str = column.key()
    kind: str = column.text()
    subject: str = column.text()
    stream: str | None = column.text(optional=True)
    event: str | None = column.text(optional=True)
    evidence_digest: str = column.text()
    run: str = column.text()


class TombstoneRow(Stored, table=True):
    __tablename__ = "tombstone"
    space: str = column.key()
    id: str = column.key()
    stream: str | None = column.text(optional=True)
    kind: str = column.text()
    digest: str = column.text()


class ProposalRow(Stored, table=True):
    __tablename__ = "proposal"
    __table_args__ = (Index(None, "space", "stream"),)
    space: str = column.key()
    id: str = column.key()
    kind: str = column.text()
    stream: str = column.text()
    subjects: tuple[str, ...] = column.words()
    text: str = column.text()
    status: Waiting = column.word(Waiting)


class QuestionRow(Stored, table=True):
    __tablename__ = "question"
    __table_args__ = (Index(None, "space", "stream"),)
    space: str = column.key()
    id: str = column.key()
    stream: str = column.text()
    claims: tuple[str, ...] = column.words()
    text: str = column.text()
    asked_from: datetime = column.instant()
    status: Waiting = column.word(Waiting)
    choice: str | None = column.text(optional=True)


# the log


class RunRow(Stored, table=True):
    __tablename__ = "run"
    __table_args__ = (UniqueConstraint("space", "id"), Index(None, "space", "now"))
    space: str = column.key()
    number: int = column.counter()
    id: str = column.text()
    plan_schema: int = column.whole()
    base: str = column.text()
    now: datetime = column.instant()
    trigger: Trigger = column.word(Trigger)
    reverts: int | None = column.whole(optional=True)
    outcome: str = column.text()
    policy_digest: str = column.text()
    findings_digest: str = column.text()
    fused: int = column.whole()
    proposals: tuple[str, ...] = column.words()
    near_misses: Any = column.json_text()
    problems: Any = column.json_text()
    counts: Any = column.json_text()
    timings: Any = column.json_text()  # seconds by step
    started_at: datetime | None = column.instant(optional=True)  # wall clock
    policy_change: Any = column.json_text(optional=True)
    comparisons: Any = column.json_text()
    models: tuple[str, ...] = column.words()


class ChangeRow(Stored, table=True):
    __tablename__ = "change"
    __table_args__ = (
        Index(None, "space", "subject"),
        ForeignKeyConstraint(["space", "number"], ["run.space", "run.number"], deferrable=True, initially="DEFERRED"),
    )
    space: str = column.key()
    number: int = column.counter()
    position: int = column.counter()
    subject_table: str = column.text()
    subject: str = column.text()
    before: Any = column.json_text(optional=True)
    after: Any = column.json_text(optional=True)
    because: str = column.text()
    kinds: tuple[str, ...] = column.words()


class AttemptRow(Stored, table=True):
    __tablename__ = "attempt"
    space: str = column.key()
    seq: int = column.counter()
    at: datetime = column.instant()
    trigger: Trigger = column.word(Trigger)
    outcome: str = column.text()
    number: int | None = column.whole(optional=True)
    counts: Any = column.json_text()
    near_misses: Any = column.json_text()
    problems: Any = column.json_text()


class HeadRow(Stored, table=True):
    __tablename__ = "head"
    space: str = column.key()
    run: str = column.text()
    number: int = column.whole()
    looked_at: datetime | None = column.instant(
        optional=True
    )  # `now` of the last dream, whether or not it changed anything
    waking_days: float = column.real()  # how long the space was awake up to then, as that dream saw it
    policy_digest: str | None = column.text(optional=True)  # what that dream was planned with
    policy: Any = column.json_text(optional=True)  # its numbers; None: not known


# facts about sources, and what is derived


class CursorRow(Stored, table=True):
    __tablename__ = "cursor"
    space: str = column.key()
    source: str = column.key()
    value: str = column.text()


class PendingRow(Stored, table=True):
    """Derived: the unexamined events, those without a link and without a hold that names them."""

    __tablename__ = "pending"
    __table_args__ = (Index(None, "space", "at", "event"), _of("event", "event"))
    space: str = column.key()
    event: str = column.key()
    at: datetime = column.instant()


class DueRow(Stored, table=True):
    """Derived: before this instant the stream cannot change without new evidence."""

    __tablename__ = "due"
    __table_args__ = (Index(None, "space", "at"),)
    space: str = column.key()
    stream: str = column.key()
    at: datetime = column.instant()


class ChainRow(Stored, table=True):
    """Derived: events of the space whose gaps are at most `space.window_days`, see lifecycle.waking."""

    __tablename__ = "chain"
    space: str = column.key()
    first: datetime = column.key(column.Instant())
    last: datetime = column.instant()


TABLES = Stored.metadata.tables


class CheckpointRow(Stored, table=True):
    """Derived: where the growth of a stream stands, see lifecycle.checkpoint."""

    __tablename__ = "checkpoint"
    space: str = column.key()
    stream: str = column.key()
    body: Any = column.json_text()


class FindingRow(Stored, table=True):
    """Derived: what an embedder or a distiller answered, see findings.py."""

    __tablename__ = "finding"
    __table_args__ = (Index(None, "space", "input"),)
    space: str = column.key()
    key: str = column.key()
    version: str = column.text()
    model: str = column.text()
    input: str = column.text()
    parts: tuple[str, ...] = column.words()
    dimension: int | None = column.whole(optional=True)
    value: bytes = column.octets()
