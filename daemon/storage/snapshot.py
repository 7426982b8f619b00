"""What a dream is given: everything about the streams in play, read in one transaction.

In play are the streams that the caller names (they have new evidence) and those that are due. Streams that are only due
come without links and events, and those that a checkpoint serves with no more than their new evidence names. When
events came late, or the policy changed, the past looks different to every stream, so all that age are due.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from types import MappingProxyType

from sqlalchemy import Connection, func, select

from dreamd.daemon.storage.apply import BEGINNING
from dreamd.daemon.storage.checkpoints import PlainNews, extensions, up_to_date
from dreamd.daemon.storage.facts import read_chains, waiting
from dreamd.daemon.storage.log import Head, read_head
from dreamd.daemon.storage.rows import by_id, chunks, one_of, rows_of, rows_where
from dreamd.daemon.storage.tables import TABLES
from dreamd.lifecycle.checkpoint import RUNNING_OUT, Checkpoint
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.snapshot import PastPolicy, Snapshot
from dreamd.lifecycle.values import (
    Alias,
    Claim,
    Event,
    Hold,
    Link,
    Pin,
    Proposal,
    Question,
    Stream,
    Tombstone,
)
from dreamd.lifecycle.waking import Interval, waking_days, waking_intervals
from dreamd.lifecycle.words import ClaimStatus, Phase, Status

WATCHED = 50  # how many streams out of play are looked at for near misses
_STREAM, _CLAIM, _DUE, _RUN = TABLES["stream"], TABLES["claim"], TABLES["due"], TABLES["run"]
_MATURE = (Phase.EMERGENT, Phase.CANONICAL)
_AGEING = (Status.ACTIVE, Status.FADED)  # a faded stream faded at an instant that depends on the past, if at all


def snapshot(  # noqa: PLR0913, PLR0917 - a pure function of all it depends on
    connection: Connection,
    space: str,
    new: Sequence[Event],
    stream_ids: Collection[str],
    now: datetime,
    policy: Policy,
    news: Mapping[str, PlainNews] = MappingProxyType({}),
) -> Snapshot:
    """The snapshot for a dream at `now`, in the open read transaction.

    `news`: of the streams named, those whose new evidence a checkpoint can take in if there is one that serves.
    """
    head = read_head(connection, space)
    waking = waking_of(connection, space, policy.waking_window_days)
    due = _due(connection, space, now, everything=_past_changed(head, waking, policy))
    past = _past(connection, head, space, policy)
    anew = frozenset[str]() if past is None else past.streams
    in_play = {*stream_ids, *due, *anew}
    streams = by_id(rows_where(connection, Stream, space, "id", in_play))
    streams |= by_id(rows_where(connection, Stream, space, "merged_into", {*stream_ids, *anew}))
    holds = by_id(rows_where(connection, Hold, space, "stream", in_play))
    on_hold = {hold.stream for hold in holds.values()}
    taken_up = {id_: row for id_, row in streams.items() if id_ in stream_ids}
    known = up_to_date(connection, space, taken_up, policy)
    checkpoints = {
        id_: checkpoint
        for id_, checkpoint in known.items()
        if id_ in news and id_ not in on_hold and _may_take_in(checkpoint, news[id_])
    }
    whole = (set(stream_ids) - checkpoints.keys()) | anew
    timeless = frozenset[str]()
    if policy.digest() == head.policy_digest:
        timeless = frozenset(due - set(stream_ids) - _timed(connection, space, due))
    restatable = {claim for stream in checkpoints for claim in news[stream].restatable}
    claims = by_id(
        (
            *rows_where(connection, Claim, space, "stream", (whole | due) - timeless - checkpoints.keys()),
            *rows_where(connection, Claim, space, "id", restatable),
        )
    )
    links = by_id(rows_where(connection, Link, space, "stream", whole))
    named = {link.event for link in links.values()}
    held = {hold.event for hold in holds.values() if hold.stream in whole & set(stream_ids)}
    at_hand = {event.id: event for event in new}
    links |= by_id(link for link in rows_where(connection, Link, space, "event", held) if link.stream is None)
    events = by_id(rows_where(connection, Event, space, "id", {*named, *held} - at_hand.keys()))
    return Snapshot(
        space=space,
        base=head.run,
        number=head.number,
        last_now=head.now,
        last_policy_digest=head.policy_digest,
        streams=streams,
        claims=claims,
        links=links,
        aliases=by_id(rows_where(connection, Alias, space, "stream", in_play)),
        pins=by_id(rows_where(connection, Pin, space, "stream", in_play)),
        holds=holds,
        tombstones=by_id(rows_of(connection, Tombstone, space)),
        proposals=by_id(rows_where(connection, Proposal, space, "stream", in_play)),
        questions=by_id(rows_where(connection, Question, space, "stream", in_play)),
        events={**events, **at_hand},
        new=tuple(at_hand),
        waiting=waiting(connection, space, now),
        due=tuple(sorted(due & streams.keys() & in_play)),
        waking=waking,
        mature_count=_mature_count(connection, space),
        recent_fused=_recent_fused(connection, space, now, policy),
        extensions=extensions(connection, space, checkpoints, news, claims, at_hand.keys()),
        grouped=frozenset(known.keys() - checkpoints.keys()),
        timeless=timeless,
        watched=tuple(_watched(connection, space, in_play)),
        past=past,
    )


def _may_take_in(checkpoint: Checkpoint, news: PlainNews) -> bool:
    """Whether they are later than all it knows, and end nothing that they are known to end."""
    return checkpoint.upto < news.first_at and news.meets.isdisjoint(checkpoint.marks)


def waking_of(connection: Connection, space: str, window_days: float) -> tuple[Interval, ...]:
    """When the space was awake, as all its events so far say."""
    return waking_intervals(read_chains(connection, space, window_days), window_days)


def _past_changed(head: Head, waking: tuple[Interval, ...], policy: Policy) -> bool:
    """Whether a stream that the last dream left alone could now be seen otherwise, without new evidence of its own."""
    if head.looked_at is None:
        return True
    seen = waking_days(waking, BEGINNING, head.looked_at)
    return seen != head.waking_days or policy.digest() != head.policy_digest


def _past(connection: Connection, head: Head, space: str, policy: Policy) -> PastPolicy | None:
    """The policy of the last dream, if it is another one; all streams that age or wake are to be measured anew then.

    A store from before the numbers were kept is taken to have had the defaults, if they have its digest.
    """
    if head.policy_digest is None or head.policy_digest == policy.digest():
        return None
    before = None if head.policy is None else Policy.of(head.policy)
    if before is None and head.policy_digest == Policy().digest():
        before = Policy()
    if before == policy:  # it has a setting that did not exist then
        return None
    if before is not None and before.judges_as(policy):
        return PastPolicy(policy=before, waking=(), streams=frozenset())
    lives = _STREAM.c.status.in_((Status.ACTIVE, Status.FADED))
    streams = connection.scalars(select(_STREAM.c.id).where(_STREAM.c.space == space, lives))
    return PastPolicy(
        policy=before,
        waking=waking_of(connection, space, (before or policy).waking_window_days),
        streams=frozenset(streams),
    )


def _due(connection: Connection, space: str, now: datetime, *, everything: bool) -> set[str]:
    if everything:
        selection = select(_STREAM.c.id).where(_STREAM.c.space == space, _STREAM.c.status.in_(_AGEING))
        return set(connection.scalars(selection)) | _due(connection, space, now, everything=False)
    return set(connection.scalars(select(_DUE.c.stream).where(_DUE.c.space == space, _DUE.c.at <= now)))


def _timed(connection: Connection, space: str, streams: Collection[str]) -> set[str]:
    """Those of `streams` that have a current claim whose time will be over."""
    found: set[str] = set()
    for chunk in chunks(streams):
        selection = select(_CLAIM.c.stream).where(
            _CLAIM.c.space == space,
            one_of(_CLAIM.c.stream, chunk),
            _CLAIM.c.decay.in_(RUNNING_OUT),
            _CLAIM.c.status == ClaimStatus.CURRENT,
        )
        found.update(connection.scalars(selection.distinct()))
    return found


def _mature_count(connection: Connection, space: str) -> int:
    selection = (
        select(func.count())
        .select_from(_STREAM)
        .where(_STREAM.c.space == space, _STREAM.c.status == Status.ACTIVE, _STREAM.c.phase.in_(_MATURE))
    )
    return connection.scalar(selection) or 0


def _recent_fused(connection: Connection, space: str, now: datetime, policy: Policy) -> int:
    since = now - timedelta(days=policy.fuse_window_days)
    selection = select(func.coalesce(func.sum(_RUN.c.fused), 0)).where(
        _RUN.c.space == space, _RUN.c.now > since, _RUN.c.now <= now
    )
    return int(connection.scalar(selection) or 0)


def _watched(connection: Connection, space: str, in_play: set[str]) -> list[Stream]:
    """Active streams out of play that have a next phase, those with the latest evidence first."""
    selection = (
        select(_STREAM.c.id)
        .where(_STREAM.c.space == space, _STREAM.c.status == Status.ACTIVE, _STREAM.c.phase != Phase.CANONICAL)
        .order_by(_STREAM.c.last_seen.desc(), _STREAM.c.id)
        .limit(WATCHED + len(in_play))
    )
    latest = [id_ for id_ in connection.scalars(selection) if id_ not in in_play][:WATCHED]
    return rows_where(connection, Stream, space, "id", latest)
