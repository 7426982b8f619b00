"""What happened beside new evidence: the events of its sessions, and those of its streams shortly before.

Lessons are found in attempts, and all of an attempt lies within little more than a day (`REACH`). So what is read is
bounded by what happened around the new events, not by the life of a session or a stream.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime

from sqlalchemy import Connection, and_, or_, select

from dreamd.daemon.storage.rows import by_id, chunks, rows_of, rows_where
from dreamd.daemon.storage.tables import TABLES
from dreamd.lifecycle.further import CITED, first_links, holds_evidence
from dreamd.lifecycle.quarantine import kept_back
from dreamd.lifecycle.values import Claim, Event, Hold, Link
from dreamd.lifecycle.words import ClaimKind, EventKind
from dreamd.reflection.practice.values import REMEDIES, SUCCESS_FROM, WORK

_EVENT, _CLAIM = TABLES["event"], TABLES["claim"]
NOISE = "noise"  # rule of the link of what states nothing and has no target
Span = tuple[datetime, datetime]  # both ends included
Placed = list[tuple[Event, str | None]]  # events, each with the stream that it bears on, if any


def session_mates(connection: Connection, space: str, sessions: Mapping[str, Span], having: EventKind) -> Placed:
    """What happened within its span in each of `sessions` that has an event of the kind `having`, by (at, id).

    Nothing that is kept back or held.
    """
    found: dict[str, Event] = {}
    for chunk in chunks(_that_have(connection, space, sessions.keys(), having)):
        spans = [sessions[session] for session in chunk]
        found |= by_id(
            rows_of(
                connection,
                Event,
                space,
                _EVENT.c.session.in_(chunk),
                _EVENT.c.at >= min(first for first, _ in spans),
                _EVENT.c.at <= max(last for _, last in spans),
                _EVENT.c.kind.in_(WORK),
            )
        )
    inside = [event for event in found.values() if _is_in(event, sessions)]
    return _placed(connection, space, inside)


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
    if not troubles:
        return []
    done = select(_EVENT.c.id, _EVENT.c.kind, _EVENT.c.text).where(*within, _EVENT.c.kind.in_(REMEDIES))
    remedies = {id_ for id_, kind, text in connection.execute(done) if mends(kind, text)}
    if not remedies and not any(streams.values()):
        return []
    links = first_links(rows_where(connection, Link, space, "event", troubles | remedies))
    troubled = {link.stream for link in links if link.event in troubles}
    mended = {link.stream for link in links if link.event in remedies}
    wanted = {stream for stream, has_new in streams.items() if stream in troubled and (has_new or stream in mended)}
    if not wanted:
        return []
    named = set(connection.scalars(select(_EVENT.c.id).where(*within, _EVENT.c.kind.in_(WORK))))
    links = first_links(rows_where(connection, Link, space, "event", named))
    events = {link.event for link in links if link.stream in wanted}
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


def same_decisions(connection: Connection, space: str, texts: Collection[str]) -> Placed:
    """The decisions in the words of `texts`, whatever they are about, by (at, id); nothing kept back or held."""
    found: set[str] = set()
    for chunk in chunks(texts):
        is_same = and_(_CLAIM.c.kind == ClaimKind.DECISION, _CLAIM.c.text.in_(chunk))
        claims = {claim.id for claim in rows_of(connection, Claim, space, is_same)}
        found |= {link.event for link in rows_where(connection, Link, space, "claim", claims)}
    return _placed(connection, space, rows_where(connection, Event, space, "id", found))


def _that_have(connection: Connection, space: str, sessions: Collection[str], kind: EventKind) -> set[str]:
    found: set[str] = set()
    for chunk in chunks(sessions):
        selection = select(_EVENT.c.session).where(
            _EVENT.c.space == space, _EVENT.c.session.in_(chunk), _EVENT.c.kind == kind
        )
        found.update(connection.scalars(selection.distinct()))
    return found


def _placed(connection: Connection, space: str, events: Iterable[Event]) -> Placed:
    known = by_id(events)
    links = rows_where(connection, Link, space, "event", known.keys())
    holds = rows_where(connection, Hold, space, "event", known.keys())
    away = kept_back(links) | {hold.event for hold in holds if holds_evidence(hold)}
    streams: dict[str, str | None] = defaultdict(lambda: None)
    for link in first_links(links):
        if link.stream is not None:
            streams[link.event] = link.stream
    away |= {link.event for link in links if link.rule == NOISE}
    rest = [event for id_, event in known.items() if id_ not in away]
    return [(event, streams[event.id]) for event in sorted(rest, key=lambda event: (event.at, event.id))]


def _is_in(event: Event, sessions: Mapping[str, Span]) -> bool:
    span = sessions.get(event.session or "")
    return span is not None and span[0] <= event.at <= span[1]
