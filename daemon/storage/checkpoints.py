"""Checkpoints at rest: derived, one a stream, thrown away with whatever else changes on it.

What a checkpoint was made from is in no row, so the writer of decisions drops that of every stream it touches, unless
it comes with a new one. One that this code cannot read is as good as none.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, select

from dreamd.daemon.storage.rows import by_id, chunks, insert_values, one_of, rows_where
from dreamd.daemon.storage.tables import TABLES
from dreamd.lifecycle.checkpoint import Checkpoint, Extension, Neighbour, rules_of
from dreamd.lifecycle.codec import checkpoint_from_json, checkpoint_to_json
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.settled import IN_NO_GROUP
from dreamd.lifecycle.values import Claim, Event, Stream
from dreamd.lifecycle.words import Bearing

_CHECKPOINT, _CLAIM, _EVENT, _LINK = TABLES["checkpoint"], TABLES["claim"], TABLES["event"], TABLES["link"]
_OF_NEIGHBOUR = (_CLAIM.c.text, _CLAIM.c.valid_from, _CLAIM.c.group, _CLAIM.c.slot, _CLAIM.c.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainNews:
    """New evidence of one stream that a checkpoint can take in, and what else it names."""

    first_at: datetime
    sessions: frozenset[str]
    restatable: frozenset[str]  # ids of the claims that it may state again
    meets: frozenset[str]  # marks: where one was left, it may end something


def write(connection: Connection, space: str, touched: Collection[str], made: Mapping[str, Checkpoint | None]) -> None:
    """Replace the checkpoints of the `touched` streams by those `made` for them; in the open write transaction."""
    for chunk in chunks(set(touched) | made.keys()):
        connection.execute(delete(_CHECKPOINT).where(_CHECKPOINT.c.space == space, one_of(_CHECKPOINT.c.stream, chunk)))
    rows = [
        (space, stream, checkpoint_to_json(checkpoint))
        for stream, checkpoint in sorted(made.items())
        if checkpoint is not None
    ]
    insert_values(connection, _CHECKPOINT, ("space", "stream", "body"), rows)


def up_to_date(
    connection: Connection, space: str, streams: Mapping[str, Stream], policy: Policy
) -> dict[str, Checkpoint]:
    """The checkpoints of those of `streams` that they agree with: made by the present rules, of the same evidence."""
    rules = rules_of(policy)
    return {
        stream: checkpoint
        for stream, checkpoint in _read(connection, space, streams.keys()).items()
        if checkpoint.evidence_digest == streams[stream].evidence_digest and checkpoint.rules == rules
    }


def extensions(  # noqa: PLR0913, PLR0917 - what a snapshot has at hand
    connection: Connection,
    space: str,
    checkpoints: Mapping[str, Checkpoint],
    news: Mapping[str, PlainNews],
    claims: Mapping[str, Claim],
    new: Collection[str],
) -> dict[str, Extension]:
    """`checkpoints` with what the `news` of their streams need besides; `claims` are those that may be restated."""
    known = _known_sessions(connection, space, {stream: news[stream] for stream in checkpoints}, new)
    said_in = {claim.stated_in for claim in claims.values() if claim.stream in checkpoints}
    voices = by_id(rows_where(connection, Event, space, "id", said_in))
    neighbours = _neighbours(connection, space, checkpoints.keys())
    return {
        stream: Extension(
            checkpoint=checkpoint,
            known_sessions=frozenset(known.get(stream, ())),
            voices=voices,
            known=tuple(neighbours.get(stream, ())),
        )
        for stream, checkpoint in checkpoints.items()
    }


def _neighbours(connection: Connection, space: str, streams: Collection[str]) -> dict[str, list[Neighbour]]:
    """What the `streams` state, without the rest of their claims."""
    found: dict[str, list[Neighbour]] = {}
    for chunk in chunks(streams):
        said = _CLAIM.c.kind.not_in(IN_NO_GROUP)
        of_streams = (_CLAIM.c.space == space, one_of(_CLAIM.c.stream, chunk), said)
        selection = select(_CLAIM.c.stream, *_OF_NEIGHBOUR).where(*of_streams)
        for stream, text, at, group, slot, value in connection.execute(selection).all():
            found.setdefault(stream, []).append(Neighbour(text=text, at=at, group=group, slot=slot, value=value))
    return found


def _read(connection: Connection, space: str, streams: Collection[str]) -> dict[str, Checkpoint]:
    found = {}
    for chunk in chunks(streams):
        selection = select(_CHECKPOINT.c.stream, _CHECKPOINT.c.body)
        where = (_CHECKPOINT.c.space == space, one_of(_CHECKPOINT.c.stream, chunk))
        for stream, body in connection.execute(selection.where(*where)):
            try:
                found[stream] = checkpoint_from_json(body)
            except (KeyError, TypeError, ValueError, AttributeError):
                continue
    return found


def _known_sessions(
    connection: Connection, space: str, news: Mapping[str, PlainNews], new: Collection[str]
) -> dict[str, set[str]]:
    """Which of the sessions that the news name have support of their stream already; `new`: the ids of their events."""
    named = {session for found in news.values() for session in found.sessions}
    session_of: dict[str, str] = {}
    for chunk in chunks(named):
        selection = select(_EVENT.c.id, _EVENT.c.session).where(
            _EVENT.c.space == space, one_of(_EVENT.c.session, chunk)
        )
        session_of.update((id_, session) for id_, session in connection.execute(selection) if id_ not in new)
    known: dict[str, set[str]] = {}
    for chunk in chunks(session_of.keys()):
        links = select(_LINK.c.stream, _LINK.c.event).where(
            _LINK.c.space == space, one_of(_LINK.c.event, chunk), _LINK.c.bearing == Bearing.SUPPORTS
        )
        for stream, event in connection.execute(links).all():
            if stream in news:
                known.setdefault(stream, set()).add(session_of[event])
    return known
