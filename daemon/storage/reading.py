"""Reading the memory as it is: for files, reports, answers to people and the digest.

All functions take an open transaction and a space. Nothing here decides anything, and nothing is read twice from two
states.
"""

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Engine, case, func, select

from dreamd.daemon.storage.columns import canonical_json
from dreamd.daemon.storage.engine import reading
from dreamd.daemon.storage.rows import by_id, chunks, fetch, one_of, query, rows_of, rows_where, table_for
from dreamd.daemon.storage.tables import TABLES
from dreamd.lifecycle.codec import TABLES as VALUES
from dreamd.lifecycle.codec import row_to_json
from dreamd.lifecycle.further import is_first
from dreamd.lifecycle.quarantine import QUARANTINED, RELEASED
from dreamd.lifecycle.values import Alias, Claim, Event, Link, Row, Stream
from dreamd.lifecycle.words import Actor, ClaimKind, ClaimStatus, EventKind, Phase, Status, Vitality, Waiting

_EVENT, _STREAM, _PENDING = TABLES["event"], TABLES["stream"], TABLES["pending"]
TARGET_RULES = ("merge", "person")  # aliases that send a spelling to another target than its own canonical form
IN_DIGEST = ("stream", "claim", "link", "alias", "pin", "tombstone", "proposal", "question")
_KINDS: Mapping[str, type[Row] | type[Event]] = {
    "ev": Event,
    **{prefix: VALUES[table] for prefix, table in (
        ("st", "stream"), ("cl", "claim"), ("ln", "link"), ("al", "alias"), ("pn", "pin"), ("ho", "hold"),
        ("pr", "proposal"), ("qu", "question"),
    )},
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """What a file or an answer says about the event behind a statement."""

    source: str
    at: datetime
    text: str
    because: str | None
    kind: EventKind
    actor: Actor
    outcome: float | None
    session: str | None


class Member(NamedTuple):
    """As much of a claim as says how strong its group is, beside the claim that it was asked for."""

    beside: str
    id: str
    group: str
    origin: EventKind
    trust: Actor
    support: int
    days: int
    last_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedEvent:
    event: Event
    links: tuple[Link, ...]  # () if it is unexamined or held; the one that says most first
    streams: tuple[Stream, ...]  # those that the links lead to


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreCounts:
    """How much a space holds; the mappings count streams or claims by word."""

    events: int
    unexamined: int
    links: int
    runs: int
    attempts: int
    quarantined: int
    open_proposals: int
    open_questions: int
    phases: Mapping[str, int]  # of active streams
    vitality: Mapping[str, int]  # of active streams
    statuses: Mapping[str, int]  # of all streams
    claims: Mapping[str, int]  # by status


def outright_claims(connection: Connection, space: str) -> list[Claim]:
    """The current claims that a reader must see first: preferences, corrections and what is pinned; sorted by id."""
    claim, pin = TABLES["claim"], TABLES["pin"]
    pinned = select(pin.c.subject).where(pin.c.space == space)
    found: dict[str, Claim] = {}
    # One at a time: for a choice of them SQLite reads all claims of the space.
    for first in (claim.c.kind == ClaimKind.PREFERENCE, claim.c.origin == EventKind.CORRECTION, claim.c.id.in_(pinned)):
        found |= by_id(rows_of(connection, Claim, space, claim.c.status == ClaimStatus.CURRENT, first))
    return [found[id_] for id_ in sorted(found)]


def streams(
    connection: Connection, space: str, status: Status | None = None, phase: Phase | None = None
) -> list[Stream]:
    """The streams of the space, sorted by id."""
    conditions: list[ColumnElement[bool]] = []
    if status is not None:
        conditions.append(_STREAM.c.status == status)
    if phase is not None:
        conditions.append(_STREAM.c.phase == phase)
    return rows_of(connection, Stream, space, *conditions)


class Shelved(NamedTuple):
    """As much of a stream as says where its file lies and where it comes in a list."""

    id: str
    target: str
    phase: Phase
    vitality: Vitality
    status: Status
    shelf: str
    base_confidence: float
    merged_into: str | None
    crossed_at: datetime | None  # this and the next: None where it is active
    last_seen: datetime | None


def streams_of(ids: Collection[str]) -> Callable[[Engine, str, float], list[Stream]]:
    """A step for `SpaceStore.through`: the streams with these ids."""

    def step(engine: Engine, space: str, _window_days: float) -> list[Stream]:
        with reading(engine) as connection:
            return rows_where(connection, Stream, space, "id", ids)

    return step


def shelved(engine: Engine, space: str, _window_days: float) -> list[Shelved]:
    """A step: all streams of the space, in any order; several times as fast as `streams`."""
    is_left = _STREAM.c.status != Status.ACTIVE
    columns: list[ColumnElement[Any]] = [_STREAM.c[name] for name in Shelved._fields[:-2]]
    columns += [case((is_left, _STREAM.c[name])) for name in Shelved._fields[-2:]]
    with reading(engine) as connection:
        return list(map(Shelved._make, connection.execute(select(*columns).where(_STREAM.c.space == space)).all()))


def stream_by_target(connection: Connection, space: str, target: str) -> Stream | None:
    """The stream with the canonical target; of several, the one that is not merged."""
    found = rows_of(connection, Stream, space, _STREAM.c.target == target)
    return min(found, key=lambda stream: (stream.status is Status.MERGED, stream.id), default=None)


def live_targets(connection: Connection, space: str) -> set[str]:
    """The targets of the streams that are neither merged into another nor forgotten."""
    lives = _STREAM.c.status.in_((Status.ACTIVE, Status.FADED))
    return set(connection.scalars(select(_STREAM.c.target).where(_STREAM.c.space == space, lives)))


def claims(connection: Connection, space: str, stream_ids: Collection[str] | None) -> list[Claim]:
    if stream_ids is None:
        return rows_of(connection, Claim, space)
    return rows_where(connection, Claim, space, "stream", stream_ids)


def members_beside(connection: Connection, space: str, claim_ids: Collection[str]) -> list[Member]:
    """For each of the claims, the current members of its group."""
    of, member = TABLES["claim"].alias(), TABLES["claim"].alias()
    columns = [of.c.id.label("beside"), *(member.c[name] for name in Member._fields[1:])]
    found: list[Member] = []
    for chunk in chunks(claim_ids):
        selection = (
            select(*columns)
            .join(member, (member.c.space == of.c.space) & (member.c.group == of.c.group))
            .where(of.c.space == space, one_of(of.c.id, chunk), member.c.status == ClaimStatus.CURRENT)
        )
        found += map(Member._make, connection.execute(selection).all())
    return found


def claims_in(connection: Connection, space: str, groups: Collection[str]) -> list[Claim]:
    """The current claims of `groups`, sorted by id."""
    found = rows_where(connection, Claim, space, "group", groups)
    return [claim for claim in found if claim.status is ClaimStatus.CURRENT]


def alias_targets(connection: Connection, space: str) -> dict[str, str]:
    found = rows_of(connection, Alias, space, TABLES["alias"].c.rule.in_(TARGET_RULES))
    return {alias.spelling: alias.target for alias in found}


def quarantine(connection: Connection, space: str) -> list[Link]:
    """The links that keep an event in quarantine, sorted by id."""
    link = TABLES["link"]
    return rows_of(connection, Link, space, link.c.stream.is_(None), link.c.rule == QUARANTINED)


def event_page(connection: Connection, space: str, after: tuple[datetime, str] | None, limit: int) -> list[LinkedEvent]:
    """The next events after the position (at, id), by (at, id), with their links and streams."""
    selection = query(Event, space).order_by(_EVENT.c.at, _EVENT.c.id).limit(limit)
    if after is not None:
        at, last = after
        selection = selection.where((_EVENT.c.at > at) | ((_EVENT.c.at == at) & (_EVENT.c.id > last)))
    events = fetch(connection, Event, selection)
    links: dict[str, list[Link]] = {}
    for link in rows_where(connection, Link, space, "event", {event.id for event in events}):
        links.setdefault(link.event, []).append(link)
    named = {link.stream for group in links.values() for link in group}
    known = by_id(rows_where(connection, Stream, space, "id", named))
    return [_linked(event, tuple(links.get(event.id, ())), known) for event in events]


def _linked(event: Event, links: tuple[Link, ...], known: Mapping[str, Stream]) -> LinkedEvent:
    # What became of a released event says more than that it was released.
    ordered = tuple(
        sorted(links, key=lambda link: (link.stream is None, not is_first(link), link.rule == RELEASED, link.id))
    )
    streams = tuple(known[link.stream] for link in ordered if link.stream is not None)
    return LinkedEvent(event=event, links=ordered, streams=streams)


def origins(connection: Connection, space: str, event_ids: Collection[str]) -> dict[str, Origin]:
    names = [field.name for field in fields(Origin)]
    columns = [_EVENT.c.id, *(_EVENT.c[name] for name in names)]
    found: dict[str, Origin] = {}
    for chunk in chunks(event_ids):
        selection = select(*columns).where(_EVENT.c.space == space, one_of(_EVENT.c.id, chunk))
        for id_, *values in connection.execute(selection):
            found[id_] = Origin(**dict(zip(names, values, strict=True)))
    return found


def prefixed(connection: Connection, space: str, subject: str) -> list[Row | Event]:
    """The rows whose id is `subject` or begins with it; [] if it does not look like an id."""
    kind = _KINDS.get(subject.partition("_")[0])
    if kind is None or "_" not in subject:
        return []
    column = table_for(kind).c.id
    exact = rows_of(connection, kind, space, column == subject)
    return list(exact or rows_of(connection, kind, space, column.startswith(subject, autoescape=True)))


def counts(connection: Connection, space: str) -> StoreCounts:
    def number(table: str, *conditions: ColumnElement[bool]) -> int:
        of = TABLES[table]
        return connection.scalar(select(func.count()).select_from(of).where(of.c.space == space, *conditions)) or 0

    def words(table: str, column: str, *conditions: ColumnElement[bool]) -> dict[str, int]:
        of = TABLES[table]
        selection = select(of.c[column], func.count()).where(of.c.space == space, *conditions).group_by(of.c[column])
        return {str(word): count for word, count in sorted(connection.execute(selection))}

    is_active = _STREAM.c.status == Status.ACTIVE
    return StoreCounts(
        events=number("event"),
        unexamined=number("pending"),
        links=number("link"),
        runs=number("run"),
        attempts=number("attempt"),
        quarantined=number("link", TABLES["link"].c.stream.is_(None), TABLES["link"].c.rule == QUARANTINED),
        open_proposals=number("proposal", TABLES["proposal"].c.status == Waiting.OPEN),
        open_questions=number("question", TABLES["question"].c.status == Waiting.OPEN),
        phases=words("stream", "phase", is_active),
        vitality=words("stream", "vitality", is_active),
        statuses=words("stream", "status"),
        claims=words("claim", "status"),
    )


def digest(connection: Connection, space: str) -> str:
    """The sha256 over all decisions but the holds: equal for equal memories, on any database."""
    hasher = hashlib.sha256()
    for line in _canonical_lines(connection, space):
        hasher.update(line.encode("utf-8"))
    return hasher.hexdigest()


def _canonical_lines(connection: Connection, space: str) -> Iterator[str]:
    for table in IN_DIGEST:
        # Sorted here: databases order text by their own collation.
        for row in sorted(rows_of(connection, VALUES[table], space), key=lambda row: row.id):
            yield f"{table} {canonical_json(row_to_json(row))}\n"
