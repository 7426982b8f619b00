"""Facts append: events and the cursors of their sources, and what is derived as they come.

A call is one write transaction: its events, the cursor of their source, the unexamined list and the waking chains move
together or not at all. The same event again is a duplicate, however it is batched; another content under the same id is
a conflict, and the first stays.
"""

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from sqlalchemy import ColumnElement, Connection, and_, delete, exists, func, insert, or_, select, update

from dreamd.daemon.storage.rows import chunks, fetch, insert_rows, insert_values, one_of, query, write_all
from dreamd.daemon.storage.tables import TABLES
from dreamd.lifecycle.quarantine import RELEASED
from dreamd.lifecycle.values import Event
from dreamd.lifecycle.waking import Chains, chains, merge_chains

_EVENT, _PENDING, _LINK, _HOLD = TABLES["event"], TABLES["pending"], TABLES["link"], TABLES["hold"]
_TOMBSTONE = TABLES["tombstone"]
INSTANTS_CURSOR = "purged:instants"  # when the events happened that a purge erased
_SPACE, _CHAIN, _CURSOR = TABLES["space"], TABLES["chain"], TABLES["cursor"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """What became of one event that was given to the store."""

    event: str  # its id
    outcome: Literal["new", "duplicate", "conflict", "purged"]
    stored_digest: str  # the digest of the event that is stored under this id; "" if none is


class Guard(Protocol):
    """Knows what was purged and may not come in again, and makes the seals by which all tombstones are known."""

    @property
    def seal(self) -> Callable[[str, str, str], str]: ...

    def digests(self, space: str) -> frozenset[str]: ...

    def is_purged(self, event: Event, digests: Collection[str]) -> bool: ...


def add_events(
    connection: Connection, space: str, events: Sequence[Event], window_days: float, guard: Guard | None = None
) -> tuple[Delivery, ...]:
    """Store the events that are new; one delivery for each of `events`, in their order."""
    ensure_space(connection, space, window_days)
    purged = _purged_before(connection, space, events, guard)
    stored = _stored_digests(connection, space, {event.id for event in events})
    fresh: list[Event] = []
    deliveries: list[Delivery] = []
    for event in events:
        if event.space != space:
            raise ValueError(f"event {event.id} is of space {event.space!r}, this is space {space!r}")
        known = stored.get(event.id)
        if event.id in purged:
            deliveries.append(Delivery(event=event.id, outcome="purged", stored_digest=""))
        elif known is None:
            stored[event.id] = event.digest
            fresh.append(event)
            deliveries.append(Delivery(event=event.id, outcome="new", stored_digest=event.digest))
        else:
            same = "duplicate" if known == event.digest else "conflict"
            deliveries.append(Delivery(event=event.id, outcome=same, stored_digest=known))  # type: ignore[arg-type]
    if fresh:
        insert_rows(connection, fresh)
        pending = [(space, event.id, event.at) for event in fresh]
        insert_values(connection, _PENDING, ("space", "event", "at"), pending)
        _extend_chains(connection, space, (event.at for event in fresh), window_days)
    return tuple(deliveries)


def _purged_before(connection: Connection, space: str, events: Sequence[Event], guard: Guard | None) -> frozenset[str]:
    """Those of `events` that may not come in again."""
    if guard is None:
        return frozenset()
    rows = select(_TOMBSTONE.c.digest).where(_TOMBSTONE.c.space == space, _TOMBSTONE.c.kind.startswith("purged-"))
    digests = guard.digests(space) | frozenset(connection.scalars(rows))
    return frozenset(event.id for event in events if guard.is_purged(event, digests)) if digests else frozenset()


def ensure_space(connection: Connection, space: str, window_days: float) -> None:
    """Register the space, and lock its row, so that on PostgreSQL too only one writer at a time changes a space."""
    known = connection.scalar(select(_SPACE.c.window_days).where(_SPACE.c.name == space).with_for_update())
    if known is None:
        connection.execute(insert(_SPACE), {"name": space, "window_days": window_days})
    elif known != window_days:
        rebuild_chains(connection, space, window_days)


def read_cursor(connection: Connection, space: str, source: str) -> str | None:
    """How far the source was read, as its reader wrote it; None before the first time."""
    found: str | None = connection.scalar(
        select(_CURSOR.c.value).where(_CURSOR.c.space == space, _CURSOR.c.source == source)
    )
    return found


def read_cursors(connection: Connection, prefix: str) -> list[tuple[str, str, str]]:
    """(space, source, value) of the cursors whose source begins with `prefix`, in all spaces, sorted."""
    selection = select(_CURSOR.c.space, _CURSOR.c.source, _CURSOR.c.value).where(
        _CURSOR.c.source.startswith(prefix, autoescape=True)
    )
    return sorted((space, source, value) for space, source, value in connection.execute(selection))


def write_cursor(connection: Connection, space: str, source: str, value: str) -> None:
    connection.execute(delete(_CURSOR).where(_CURSOR.c.space == space, _CURSOR.c.source == source))
    connection.execute(insert(_CURSOR), {"space": space, "source": source, "value": value})


# what waits to be examined


def unexamined(connection: Connection, space: str, now: datetime, limit: int | None) -> list[Event]:
    """The events that `_is_unexamined` tells, up to `now`; by (at, id)."""
    selection = (
        query(Event, space)
        .join(_PENDING, and_(_PENDING.c.space == _EVENT.c.space, _PENDING.c.event == _EVENT.c.id))
        .where(_PENDING.c.space == space, _PENDING.c.at <= now)
        .order_by(_PENDING.c.at, _PENDING.c.event)
        .limit(limit)
    )
    return fetch(connection, Event, selection)


def waiting(connection: Connection, space: str, now: datetime) -> int:
    """How many unexamined events are later than `now`."""
    return (
        connection.scalar(
            select(func.count()).select_from(_PENDING).where(_PENDING.c.space == space, _PENDING.c.at > now)
        )
        or 0
    )


def examine_again(connection: Connection, space: str, events: Iterable[str]) -> None:
    """Put right which of `events` are unexamined, after links or holds that name them came or went."""
    for chunk in chunks(set(events)):
        connection.execute(delete(_PENDING).where(_PENDING.c.space == space, one_of(_PENDING.c.event, chunk)))
        found = select(_EVENT.c.space, _EVENT.c.id, _EVENT.c.at).where(
            _EVENT.c.space == space, one_of(_EVENT.c.id, chunk), *_is_unexamined()
        )
        connection.execute(insert(_PENDING).from_select(["space", "event", "at"], found))


def released(connection: Connection, space: str) -> frozenset[str]:
    """The unexamined events that a person let out of quarantine."""
    # As a list to look up: joined, SQLite reads all links of the space.
    pending = select(_PENDING.c.event).where(_PENDING.c.space == space)
    of_pending = (_LINK.c.space == space, _LINK.c.event.in_(pending), _LINK.c.rule == RELEASED)
    selection = select(_LINK.c.event).where(*of_pending)
    return frozenset(connection.scalars(selection))


def _is_unexamined() -> tuple[ColumnElement[bool], ...]:
    """No link and no hold names it; that a person let it out of quarantine does not examine it."""
    link = exists().where(_LINK.c.space == _EVENT.c.space, _LINK.c.event == _EVENT.c.id)
    examined = link.where(or_(_LINK.c.stream.is_not(None), _LINK.c.rule != RELEASED))
    held = exists().where(_HOLD.c.space == _EVENT.c.space, _HOLD.c.event == _EVENT.c.id)
    return ~examined, ~held


# when the space was awake


def read_chains(connection: Connection, space: str, window_days: float) -> Chains:
    """The waking chains for `window_days`: the stored ones if they were made with it, else from all events."""
    stored_window = connection.scalar(select(_SPACE.c.window_days).where(_SPACE.c.name == space))
    if stored_window is None or stored_window != window_days:
        return _chains_of_all_events(connection, space, window_days)
    return _stored_chains(connection, space)


def rebuild_chains(connection: Connection, space: str, window_days: float) -> None:
    """Make the waking chains anew from all events."""
    connection.execute(delete(_CHAIN).where(_CHAIN.c.space == space))
    _write_chains(connection, space, _chains_of_all_events(connection, space, window_days))
    connection.execute(update(_SPACE).where(_SPACE.c.name == space).values(window_days=window_days))


def _extend_chains(connection: Connection, space: str, instants: Iterable[datetime], window_days: float) -> None:
    known = _stored_chains(connection, space)
    merged = merge_chains(known, instants, window_days)
    gone, come = set(known) - set(merged), set(merged) - set(known)
    for first, _ in gone:
        connection.execute(delete(_CHAIN).where(_CHAIN.c.space == space, _CHAIN.c.first == first))
    _write_chains(connection, space, tuple(come))


def _write_chains(connection: Connection, space: str, found: Chains) -> None:
    write_all(connection, insert(_CHAIN), [{"space": space, "first": first, "last": last} for first, last in found])


def _stored_chains(connection: Connection, space: str) -> Chains:
    selection = select(_CHAIN.c.first, _CHAIN.c.last).where(_CHAIN.c.space == space).order_by(_CHAIN.c.first)
    return tuple((first, last) for first, last in connection.execute(selection))


def _chains_of_all_events(connection: Connection, space: str, window_days: float) -> Chains:
    instants = [*connection.scalars(select(_EVENT.c.at).where(_EVENT.c.space == space)), *_purged(connection, space)]
    return chains(sorted(instants), window_days)


def _purged(connection: Connection, space: str) -> list[datetime]:
    """When the events happened that a purge erased: the space was awake then."""
    return [datetime.fromisoformat(at) for at in json.loads(read_cursor(connection, space, INSTANTS_CURSOR) or "[]")]


def _stored_digests(connection: Connection, space: str, ids: set[str]) -> dict[str, str]:
    stored: dict[str, str] = {}
    for chunk in chunks(ids):
        selection = select(_EVENT.c.id, _EVENT.c.digest).where(_EVENT.c.space == space, one_of(_EVENT.c.id, chunk))
        stored.update((event, digest) for event, digest in connection.execute(selection))
    return stored
