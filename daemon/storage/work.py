"""What happened beside new evidence: the events of its sessions, and those of its streams shortly before.

Lessons are found in attempts, and all of an attempt lies within little more than a day (`REACH`). So what is read is
bounded by what happened around the new events, not by the life of a session or a stream.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import datetime
from operator import itemgetter

from sqlalchemy import Connection, and_, or_, select

from dreamd.daemon.storage.rows import by_id, chunks, one_of, rows_where
from dreamd.daemon.storage.tables import TABLES
from dreamd.lifecycle.further import CITED, FURTHER, first_links, holds_evidence
from dreamd.lifecycle.quarantine import KEPT_BACK
from dreamd.lifecycle.values import Event, Hold, Link
from dreamd.lifecycle.words import ClaimKind, EventKind
from dreamd.reflection.practice.values import REMEDIES, SUCCESS_FROM, WORK

_EVENT, _CLAIM, _LINK = TABLES["event"], TABLES["claim"], TABLES["link"]
NOISE = "noise"  # rule of the link of what states nothing and has no target
Span = tuple[datetime, datetime]  # both ends included
Placed = list[tuple[Event, str | None]]  # events, each with the stream that it bears on, if any


def session_mates(  # noqa: PLR0913, PLR0917 - what is asked for, and what is not
    connection: Connection,
    space: str,
    sessions: Mapping[str, Span],
    having: EventKind,
    known: Collection[str] = (),
    kinds: Collection[EventKind] = WORK,
) -> Placed:
    """What happened within its span in each of `sessions` that has an event of the kind `having`, by (at, id).

    Of `kinds` alone, and nothing that is `known` by its id, kept back or held.
    """
    found: set[str] = set()
    for chunk in chunks(_that_have(connection, space, sessions.keys(), having)):
        spans = [sessions[session] for session in chunk]
        selection = select(_EVENT.c.id, _EVENT.c.session, _EVENT.c.at).where(
            _EVENT.c.space == space,
            one_of(_EVENT.c.session, chunk),
            _EVENT.c.at >= min(first for first, _ in spans),
            _EVENT.c.at <= max(last for _, last in spans),
            _EVENT.c.kind.in_(kinds),
        )
        for id_, session, at in connection.execute(selection).all():
            if id_ not in known and sessions[session][0] <= at <= sessions[session][1]:
                found.add(id_)
    return _placed(connection, space, rows_where(connection, Event, space, "id", found))


def shortly_before(
    connection: Connection, space: str, streams: Mapping[str, bool], span: Span, mends: Callable[[EventKind, str], bool]
) -> Placed:
    """What happened within `span` about those of `streams` with trouble and a remedy in it, by (at, id).

    Nothing that is kept back or held. `streams` says of each whether it has a remedy among its new events; `mends`
    tells remedies by kind and text.
    """
    within = (_EVENT.c.space == space, _EVENT.c.at >= span[0], _EVENT.c.at <= span[1])
    is_trouble = or_(_EVENT.c.kind == EventKind.ERROR, _EVENT.c.outcome < SUCCESS_FROM)
    troubles = set(connection.scalars(select(_EVENT.c.id).where(*within, is_trouble)))
    troubled = {stream for _, stream in _links_of(connection, space, troubles) if stream in streams}
    if not troubled:
        return []
    done = select(_EVENT.c.id, _EVENT.c.kind, _EVENT.c.text).where(*within, _EVENT.c.kind.in_(REMEDIES))
    remedies = {id_ for id_, kind, text in connection.execute(done).all() if mends(kind, text)}
    mended = {stream for _, stream in _links_of(connection, space, remedies)}
    wanted = {stream for stream in troubled if streams[stream] or stream in mended}
    if not wanted:
        return []
    named = set(connection.scalars(select(_EVENT.c.id).where(*within, _EVENT.c.kind.in_(WORK))))
    events = {event for event, stream in _links_of(connection, space, named) if stream in wanted}
    return _placed(connection, space, rows_where(connection, Event, space, "id", events))


def work_on(connection: Connection, space: str, streams: Collection[str]) -> Placed:
    """All that bears on `streams` and practice may be found in, by (at, id)."""
    links = first_links(rows_where(connection, Link, space, "stream", streams))
    events = rows_where(connection, Event, space, "id", {link.event for link in links})
    placed = _placed(connection, space, (event for event in events if event.kind in WORK))
    return [(event, stream) for event, stream in placed if stream in streams]


def citing(connection: Connection, space: str, events: Collection[str]) -> set[str]:
    """The streams with claims that need some of `events` beside the one that states them."""
    links = rows_where(connection, Link, space, "event", events)
    return {link.stream for link in links if link.rule == CITED and link.stream is not None}


def same_decisions(connection: Connection, space: str, texts: Collection[str], known: Collection[str] = ()) -> Placed:
    """The decisions in the words of `texts`, whatever they are about, by (at, id); nothing known, kept back or held."""
    found: set[str] = set()
    for chunk in chunks(texts):
        is_same = and_(_CLAIM.c.space == space, _CLAIM.c.kind == ClaimKind.DECISION, one_of(_CLAIM.c.text, chunk))
        for claims in chunks(set(connection.scalars(select(_CLAIM.c.id).where(is_same)))):
            of_claims = select(_LINK.c.event).where(_LINK.c.space == space, one_of(_LINK.c.claim, claims))
            found.update(connection.scalars(of_claims))
    return _placed(connection, space, rows_where(connection, Event, space, "id", found - set(known)))


def known_claims(connection: Connection, space: str, ids: Collection[str]) -> set[str]:
    """Those of `ids` that are claims."""
    found: set[str] = set()
    for chunk in chunks(ids):
        found.update(connection.scalars(select(_CLAIM.c.id).where(_CLAIM.c.space == space, one_of(_CLAIM.c.id, chunk))))
    return found


def _that_have(connection: Connection, space: str, sessions: Collection[str], kind: EventKind) -> set[str]:
    found: set[str] = set()
    for chunk in chunks(sessions):
        selection = select(_EVENT.c.session).where(
            _EVENT.c.space == space, one_of(_EVENT.c.session, chunk), _EVENT.c.kind == kind
        )
        found.update(connection.scalars(selection.distinct()))
    return found


def _links_of(connection: Connection, space: str, events: Collection[str]) -> Iterator[tuple[str, str]]:
    """(event, stream) of the first links of `events`."""
    for chunk in chunks(events):
        selection = select(_LINK.c.event, _LINK.c.stream, _LINK.c.rule)
        for event, stream, rule in connection.execute(
            selection.where(_LINK.c.space == space, one_of(_LINK.c.event, chunk))
        ):
            if stream is not None and rule not in FURTHER:
                yield event, stream


def _placed(connection: Connection, space: str, events: Iterable[Event]) -> Placed:
    known = by_id(events)
    holds = rows_where(connection, Hold, space, "event", known.keys())
    away = {hold.event for hold in holds if holds_evidence(hold)}
    streams: dict[str, str] = {}
    for chunk in chunks(known.keys()):
        # In an order of its own it would be read by another index, all of the space.
        selection = select(_LINK.c.id, _LINK.c.event, _LINK.c.stream, _LINK.c.rule).where(
            _LINK.c.space == space, one_of(_LINK.c.event, chunk)
        )
        for _, event, stream, rule in sorted(connection.execute(selection).all(), key=itemgetter(0)):
            if rule == NOISE or (stream is None and rule in KEPT_BACK):
                away.add(event)
            if stream is not None and rule not in FURTHER:
                streams[event] = stream
    rest = [event for id_, event in known.items() if id_ not in away]
    return [(event, streams.get(event.id)) for event in sorted(rest, key=lambda event: (event.at, event.id))]
