"""What a run would do: a dream, `dreamd retarget`, and a person's order. Nothing is written but vectors that are kept.

    facts -> unexamined -> targets -> snapshot -> findings -> practice -> Plan

What is read before the snapshot says which streams have to be whole in it.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeVar

from dreamd.daemon.forgotten import recalled, with_forgotten
from dreamd.daemon.likening import likenesses, to_be_joined, with_alike
from dreamd.daemon.nearness import Nearness
from dreamd.daemon.practising import citing, touched_by, touched_by_moves, with_practice
from dreamd.daemon.storage.checkpoints import PlainNews
from dreamd.daemon.storage.store import SpaceStore
from dreamd.daemon.targeting import Targets, targets_anew, targets_of_new
from dreamd.lifecycle import ids
from dreamd.lifecycle.ageing import due_at
from dreamd.lifecycle.casework import events_by_stream
from dreamd.lifecycle.checkpoint import Checkpoint, is_plain
from dreamd.lifecycle.dream import NO_FINDINGS, BeyondExtending, Extended, Order, dream_on, extended_in
from dreamd.lifecycle.extending import restatable_ids
from dreamd.lifecycle.findings import EVERYTHING, Assignment, Findings, Likeness, Statement
from dreamd.lifecycle.joining import proved
from dreamd.lifecycle.plan import Plan
from dreamd.lifecycle.planting import by_stream
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.quarantine import released as released_by
from dreamd.lifecycle.retargeting import SPLIT, given_up
from dreamd.lifecycle.settled import settled
from dreamd.lifecycle.snapshot import Snapshot
from dreamd.lifecycle.values import Claim, Event, Proposal, Stream
from dreamd.lifecycle.waking import Interval
from dreamd.lifecycle.words import Trigger, Waiting
from dreamd.reflection.aliases import led_on, moved
from dreamd.reflection.contradicting.registry import registry_of
from dreamd.reflection.quarantine import quarantine
from dreamd.reflection.read import Remembered, read, stated_by
from dreamd.reflection.targets import assign

R = TypeVar("R", Claim, Stream)

Due = Mapping[str, datetime | None]  # stream id -> when age alone could change it next; None: never


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    plan: Plan
    due: Due  # derived dates of the streams that were looked at
    checkpoints: Mapping[str, Checkpoint | None] = field(default_factory=dict)  # derived, of the streams that grew
    waking: tuple[Interval, ...] | None = None  # when the space was awake, as the plan saw it; None: no dream


def plan_dream(store: SpaceStore, now: datetime, policy: Policy, near: Nearness | None = None) -> Planned:
    """What a dream at `now` would do. Reads one snapshot, writes nothing but the vectors that `near` keeps."""
    head = store.head().run
    new, released = store.unexamined(now), store.released()
    targets = targets_of_new(store, new, quarantine(new, released), released, now)
    moving = targets.moving(store.space)
    alike = likenesses(store, new, [targets.found[event.id] for event in new], targets.aliases)
    kin = to_be_joined(store.space, alike)
    by_stream = _new_by_stream(store.space, new, targets.found)
    recalling = recalled(store, new)
    registry, read_before = registry_of(policy.predicates), Remembered()
    news = {
        stream: _plain_news(
            stream, [each for event in events for each in stated_by(event, registry, read_before)], events
        )
        for stream, events in by_stream.items()
        # Of an event that came by another name the row of that name is measured anew too.
        if stream not in moving | kin
        and all(is_plain(event) and not targets.found[event.id].via and event.id not in recalling for event in events)
    }
    revisited = _revisited(store, new, targets, news, _homes(store, alike, targets.aliases))
    news = {stream: found for stream, found in news.items() if stream not in revisited}
    remembered: tuple[Remembered, Extended] = (read_before, {})
    while True:  # each time with fewer to be extended
        try:
            planned = _plan_with(store, new, targets, (news, revisited), now, policy, alike, near, remembered)
            # What was read before the snapshot was read from the same state, else all of it is read again.
            return planned if planned.plan.base == head else plan_dream(store, now, policy, near)
        except BeyondExtending as beyond:
            news = {stream: found for stream, found in news.items() if stream not in beyond.streams}


def _plan_with(  # noqa: PLR0913, PLR0917 - what a snapshot is taken for
    store: SpaceStore,
    new: Sequence[Event],
    targets: Targets,
    streams: tuple[Mapping[str, PlainNews], frozenset[str]],
    now: datetime,
    policy: Policy,
    alike: tuple[Likeness, ...],
    near: Nearness | None,
    remembered: tuple[Remembered, Extended],
) -> Planned:
    news, revisited = streams  # to be extended where a checkpoint serves, and to be made whole for their practice
    named = targets.streams(store.space) | to_be_joined(store.space, alike) | revisited
    snapshot = targets.onto(store.snapshot(new, named, now, policy, news))
    released = targets.released | released_by(snapshot.links.values())
    targets = replace(targets, released=released)
    snapshot = with_alike(store, snapshot, alike)
    return _planned(
        store, snapshot, targets, now, policy, near, alike=alike, revisited=revisited, remembered=remembered
    )


def plan_retarget(store: SpaceStore, now: datetime, policy: Policy, near: Nearness | None = None) -> Planned:
    """What looking at every target that no event named again would do. No new event is taken in."""
    order = Order(trigger=Trigger.RETARGET, because="what no event named was looked at again")
    return plan_anew(store, targets_anew(store, now), order, now, policy, near)


def plan_anew(  # noqa: PLR0913, PLR0917 - as a dream, and the order
    store: SpaceStore, targets: Targets, order: Order, now: datetime, policy: Policy, near: Nearness | None
) -> Planned:
    revisited = _revisited(store, (), targets, {}, {})
    streams = targets.streams(store.space) | set(order.streams) | revisited
    snapshot = targets.onto(store.snapshot((), streams, now, policy))
    targets = replace(targets, released=released_by(snapshot.links.values()))
    planned = _planned(store, snapshot, targets, now, policy, near, order=order, revisited=revisited)
    return replace(planned, waking=None)


def _planned(  # noqa: PLR0913, PLR0917 - all that a plan follows from
    store: SpaceStore,
    snapshot: Snapshot,
    targets: Targets,
    now: datetime,
    policy: Policy,
    near: Nearness | None,
    *,
    order: Order | None = None,
    alike: tuple[Likeness, ...] = (),
    revisited: frozenset[str] = frozenset(),
    remembered: tuple[Remembered, Extended] | None = None,
) -> Planned:
    read_before, extended_before = (None, None) if remembered is None else remembered
    merges = proved(snapshot, alike, policy)
    merged = {each.old: each.new for each in merges}
    assignments = tuple(led_on(one, merged) for one in targets.of(snapshot))
    aliases = {**targets.aliases, **merged}
    gone = moved((row.target for row in snapshot.streams.values() if row.merged_into is None), aliases)
    known = {stream: extension.known for stream, extension in snapshot.extensions.items()}
    events = events_by_stream(given_up(snapshot), assignments, gone)
    told = read(
        events,
        assignments,
        known,
        near,
        settled=settled(snapshot, events),
        predicates=policy.predicates,
        remembered=read_before,
    )
    read_in = _with_models(told, near)
    others = tuple(each for each in alike if each not in merges)
    read_in = with_forgotten(store, snapshot, read_in, order)
    findings = replace(
        read_in, moved=gone, splits=targets.splits, merges=merges, likenesses=others, revisited=revisited
    )
    extended = None if order is not None else extended_in(snapshot, findings, policy, extended_before)
    snapshot, findings = with_practice(store, snapshot, findings, events)
    dreamt = dream_on(snapshot, findings, now, policy, order=order, extended=extended)
    return Planned(
        plan=dreamt.plan,
        due=_due_dates(snapshot, dreamt.plan, now, policy),
        checkpoints=dreamt.checkpoints,
        waking=snapshot.waking,
    )


def _revisited(
    store: SpaceStore,
    new: Sequence[Event],
    targets: Targets,
    news: Mapping[str, PlainNews],
    homes: Mapping[str, str],
) -> frozenset[str]:
    """The streams whose practice may change: by `new` events, by those that are looked at again, and by merges."""
    events = (*new, *targets.events.values())
    found = targets.found.values()
    by_moves = touched_by_moves(store, homes, events, found) | citing(store, targets.again)
    return touched_by(store, events, found, news) | by_moves


def _homes(store: SpaceStore, alike: Sequence[Likeness], aliases: Mapping[str, str]) -> dict[str, str]:
    """By stream that a proof may merge away, the one that its evidence would go to."""
    proofs = {each.old: each.new for each in reversed(alike) if each.is_proof}
    return _homes_of(store, moved(proofs, {**aliases, **proofs}))


def _homes_of(store: SpaceStore, gone: Iterable[tuple[str, str]]) -> dict[str, str]:
    return {ids.stream_id(store.space, old): ids.stream_id(store.space, new) for old, new in gone}


def _new_by_stream(space: str, new: Sequence[Event], assigned: Mapping[str, Assignment]) -> dict[str, list[Event]]:
    found: dict[str, list[Event]] = defaultdict(list)
    for event in new:
        if (target := assigned[event.id].target) is not None:
            found[ids.stream_id(space, target)].append(event)
    return found


def _plain_news(stream: str, stated: Sequence[Statement], events: Sequence[Event]) -> PlainNews:
    return PlainNews(
        first_at=min(event.at for event in events),
        sessions=frozenset(event.session for event in events if event.session is not None),
        restatable=frozenset(id_ for one in stated for id_ in restatable_ids(stream, one.text_key)),
        meets=frozenset(mark for one in stated for mark in one.meets) - {EVERYTHING},
    )


def _with_models(findings: Findings, near: Nearness | None) -> Findings:
    """`findings` with the name of the embedder if it was asked; its vectors are kept by then."""
    if near is None or near.told is None:
        return findings
    near.keep()
    return replace(findings, models=(*findings.models, near.told))


def plan_order(store: SpaceStore, order: Order, now: datetime, policy: Policy, near: Nearness | None = None) -> Planned:
    """What a person's order would do. Its streams are looked at again by the next dream."""
    split = next((row for row in order.put if isinstance(row, Proposal) and row.kind == SPLIT), None)
    if split is not None and split.status is Waiting.ACCEPTED:
        return plan_anew(store, targets_anew(store, now, split.stream), order, now, policy, near)
    # Also those of rows to drop: a lifted hold may stand on a stream that a revert took away.
    named = {stream for row in order.drop if (stream := getattr(row, "stream", None)) is not None}
    aliases = {**store.alias_targets(), **order.aliases()}
    revisited = touched_by_moves(store, _homes_of(store, moved(order.aliases(), aliases)), (), ())
    snapshot = store.snapshot((), named | set(order.streams) | revisited, now, policy)
    assignments = Targets(aliases=aliases, suspects={}, released=frozenset()).of(snapshot)
    gone = moved(
        (*order.aliases(), *(row.target for row in snapshot.streams.values() if row.merged_into is None)), aliases
    )
    findings = replace(NO_FINDINGS, moved=gone)
    if order.streams:
        events = events_by_stream(snapshot, assignments, gone)
        told = read(events, assignments, similarity=near, predicates=policy.predicates)
        told = with_forgotten(store, snapshot, _with_models(told, near), order)
        findings = replace(told, moved=gone, revisited=revisited)
        snapshot, findings = with_practice(store, snapshot, findings, events)
    dreamt = dream_on(snapshot, findings, now, policy, order=order)
    there = {change.subject.id for change in dreamt.plan.changes} | snapshot.streams.keys()
    due: dict[str, datetime | None] = {stream: now for stream in (*order.streams, *revisited) if stream in there}
    due |= {stream: None for old, _ in gone if (stream := ids.stream_id(store.space, old)) in there}
    return Planned(plan=dreamt.plan, due=due, checkpoints=dreamt.checkpoints)


def plan_edits(  # noqa: PLR0913, PLR0917 - as a dream, and the order
    store: SpaceStore,
    new: Sequence[Event],
    order: Order,
    now: datetime,
    policy: Policy,
    near: Nearness | None = None,
) -> Planned:
    """What people's edits would do: their events (`new`) are taken in, and nothing else; nothing else ages."""
    aliases = store.alias_targets()
    found = assign(new, aliases)
    targets = Targets(aliases=aliases, suspects={}, released=frozenset(), found={one.event: one for one in found})
    revisited = _revisited(store, new, targets, {}, {})
    streams = targets.streams(store.space) | set(order.streams) | revisited
    snapshot = store.snapshot(new, streams, now, policy)
    targets = replace(targets, released=released_by(snapshot.links.values()))
    planned = _planned(store, snapshot, targets, now, policy, near, order=order, revisited=revisited)
    return replace(planned, waking=None)


def _due_dates(snapshot: Snapshot, plan: Plan, now: datetime, policy: Policy) -> Due:
    claims = by_stream(_after(snapshot.claims, plan, Claim))
    return {
        stream.id: due_at(stream, claims.get(stream.id, ()), now, snapshot.waking, policy)
        for stream in _after(snapshot.streams, plan, Stream).values()
    }


def _after(rows: Mapping[str, R], plan: Plan, kind: type[R]) -> dict[str, R]:
    """`rows` as they are once `plan` is applied."""
    changed = dict(rows)
    for change in plan.changes:
        if isinstance(change.after, kind):
            changed[change.after.id] = change.after
        elif change.after is None:
            changed.pop(change.subject.id, None)
    return changed
