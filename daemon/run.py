"""One run, a straight line: collect, find, dream, apply, export.

    facts -> unexamined -> targets -> snapshot -> findings -> Plan -> one transaction -> one commit

A loser of the race for the head plans again, at most three times; a run that changes nothing leaves an attempt and
nothing else. The export may lag behind and catches up; it never decides whether a run happened.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeVar

from dreamd.daemon.errors import Busy, Usage
from dreamd.daemon.memory import collecting_later
from dreamd.daemon.nearness import Nearness
from dreamd.daemon.practising import touched_by, with_practice, without_held
from dreamd.daemon.storage.apply import Applied
from dreamd.daemon.storage.checkpoints import PlainNews
from dreamd.daemon.storage.log import Attempt
from dreamd.daemon.storage.store import SpaceStore
from dreamd.lifecycle import ids
from dreamd.lifecycle.ageing import due_at
from dreamd.lifecycle.casework import events_by_stream
from dreamd.lifecycle.checkpoint import Checkpoint, is_plain
from dreamd.lifecycle.dream import NO_FINDINGS, BeyondExtending, Order, dream_on
from dreamd.lifecycle.extending import restatable_ids
from dreamd.lifecycle.findings import Assignment, Findings
from dreamd.lifecycle.plan import Plan, Problem
from dreamd.lifecycle.planting import by_stream
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.quarantine import released as released_by
from dreamd.lifecycle.snapshot import Snapshot
from dreamd.lifecycle.values import Claim, Event, Stream
from dreamd.lifecycle.waking import Interval
from dreamd.reflection.quarantine import quarantine
from dreamd.reflection.read import read
from dreamd.reflection.sentences import parts_of
from dreamd.reflection.targets import assign
from dreamd.reflection.text_keys import text_key

MAX_PLANS = 3  # how often a run plans again when another writer was faster

R = TypeVar("R", Claim, Stream)

Due = Mapping[str, datetime | None]  # stream id -> when age alone could change it next; None: never


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    plan: Plan
    due: Due  # derived dates of the streams that were looked at
    checkpoints: Mapping[str, Checkpoint | None] = field(default_factory=dict)  # derived, of the streams that grew
    waking: tuple[Interval, ...] | None = None  # when the space was awake, as the plan saw it; None: no dream


def dream_once(  # noqa: PLR0913 - `near` may be left out
    store: SpaceStore,
    now: datetime,
    policy: Policy,
    reach: Callable[[str], None],
    *,
    by_hand: bool,
    near: Nearness | None = None,
) -> Plan:
    """One dream of one space, applied and entered in the log of attempts. Without changes nothing happened.

    `by_hand`: `now` was given by a person, so one before the last run is refused (Usage) instead of moved forward.
    """
    instant, problems = instant_of_run(store, now, by_hand=by_hand)
    plan = carry_out(
        store, lambda: with_problems(plan_dream(store, instant, policy, near), problems), policy, reach, started_at=now
    )
    outcome = "nothing" if not plan.changes else "partly" if plan.proposals else "applied"
    store.record_attempt(
        Attempt(
            at=now,
            trigger=plan.trigger,
            outcome=outcome,
            number=plan.number if plan.changes else None,
            counts=plan.counts,
            near_misses=plan.near_misses,
            problems=plan.problems,
        )
    )
    return plan


def plan_dream(store: SpaceStore, now: datetime, policy: Policy, near: Nearness | None = None) -> Planned:
    """What a dream at `now` would do. Reads one snapshot, writes nothing but the vectors that `near` keeps."""
    new, released = store.unexamined(now), store.released()
    suspects = quarantine(new, released)
    assignments = assign(new, store.alias_targets(), suspects)
    by_stream = _new_by_stream(store.space, new, assignments)
    news = {stream: _plain_news(stream, events) for stream, events in by_stream.items() if all(map(is_plain, events))}
    revisited = touched_by(store, new, assignments, news)
    news = {stream: found for stream, found in news.items() if stream not in revisited}
    while True:  # each time with fewer to be extended
        try:
            streams = (by_stream.keys(), revisited)
            return _plan_with(store, new, streams, news, now, policy, suspects, released, near)
        except BeyondExtending as beyond:
            news = {stream: found for stream, found in news.items() if stream not in beyond.streams}


def _plan_with(  # noqa: PLR0913, PLR0917 - what a snapshot is taken for
    store: SpaceStore,
    new: Sequence[Event],
    streams: tuple[Collection[str], frozenset[str]],
    news: Mapping[str, PlainNews],
    now: datetime,
    policy: Policy,
    suspects: Mapping[str, str],
    released: frozenset[str],
    near: Nearness | None,
) -> Planned:
    speaks_about, revisited = streams
    snapshot = store.snapshot(new, {*speaks_about, *revisited}, now, policy, news)
    released |= released_by(snapshot.links.values())
    assignments = assign(list(snapshot.events.values()), store.alias_targets(), suspects, released)
    known = {stream: extension.known for stream, extension in snapshot.extensions.items()}
    by_stream = events_by_stream(snapshot, assignments)
    findings = _with_models(replace(read(by_stream, assignments, known, near), revisited=revisited), near)
    snapshot, findings = with_practice(store, snapshot, findings, without_held(snapshot, by_stream, speaks_about))
    dreamt = dream_on(snapshot, findings, now, policy)
    return Planned(
        plan=dreamt.plan,
        due=_due_dates(snapshot, dreamt.plan, now, policy),
        checkpoints=dreamt.checkpoints,
        waking=snapshot.waking,
    )


def _new_by_stream(space: str, new: Sequence[Event], assignments: Iterable[Assignment]) -> dict[str, list[Event]]:
    events = {event.id: event for event in new}
    found: dict[str, list[Event]] = defaultdict(list)
    for assignment in assignments:
        if assignment.target is not None:
            found[ids.stream_id(space, assignment.target)].append(events[assignment.event])
    return found


def _plain_news(stream: str, events: Sequence[Event]) -> PlainNews:
    return PlainNews(
        first_at=min(event.at for event in events),
        sessions=frozenset(event.session for event in events if event.session is not None),
        restatable=frozenset(
            id_
            for event in events
            for text in parts_of(event.text, event.kind)
            for id_ in restatable_ids(stream, text_key(text))
        ),
    )


def _with_models(findings: Findings, near: Nearness | None) -> Findings:
    """`findings` with the name of the embedder if it was asked; its vectors are kept by then."""
    if near is None or near.told is None:
        return findings
    near.keep()
    return replace(findings, models=(*findings.models, near.told))


def plan_order(store: SpaceStore, order: Order, now: datetime, policy: Policy, near: Nearness | None = None) -> Planned:
    """What a person's order would do. Its streams are looked at again by the next dream."""
    # Also those of rows to drop: a lifted hold may stand on a stream that a revert took away.
    named = {stream for row in order.drop if (stream := getattr(row, "stream", None)) is not None}
    snapshot = store.snapshot((), named | set(order.streams), now, policy)
    assignments = assign(list(snapshot.events.values()), store.alias_targets())
    findings = NO_FINDINGS
    if order.streams:
        by_stream = events_by_stream(snapshot, assignments)
        findings = _with_models(read(by_stream, assignments, similarity=near), near)
        snapshot, findings = with_practice(store, snapshot, findings, without_held(snapshot, by_stream, ()))
    dreamt = dream_on(snapshot, findings, now, policy, order=order)
    return Planned(plan=dreamt.plan, due=dict.fromkeys(order.streams, now), checkpoints=dreamt.checkpoints)


def carry_out(
    store: SpaceStore,
    make: Callable[[], Planned],
    policy: Policy,
    reach: Callable[[str], None],
    *,
    started_at: datetime,
) -> Plan:
    """Make a plan and apply it; when another writer moved the head, make it again, at most MAX_PLANS times.

    Raises Busy if others were faster every time.
    """
    with collecting_later():
        return _carry_out(store, make, policy, reach, started_at)


def _carry_out(
    store: SpaceStore, make: Callable[[], Planned], policy: Policy, reach: Callable[[str], None], started_at: datetime
) -> Plan:
    for _ in range(MAX_PLANS):
        planned = make()
        if not planned.plan.changes:
            store.set_due(planned.due)
            if planned.waking is not None:
                store.mark_looked(planned.plan.now, planned.waking, policy)
            return planned.plan
        outcome = store.apply(
            planned.plan,
            due=planned.due,
            checkpoints=planned.checkpoints,
            started_at=started_at,
            waking=planned.waking,
            policy=policy,
            reach=reach,
        )
        if isinstance(outcome, Applied):
            return planned.plan
    raise Busy(
        f"space {store.space!r}: other writers moved the head {MAX_PLANS} times while this run was planned",
        hint="run the command again",
    )


def instant_of_run(store: SpaceStore, now: datetime, *, by_hand: bool) -> tuple[datetime, tuple[Problem, ...]]:
    """The `now` to plan with, and a problem if the clock went back behind the last run.

    Raises Usage if such a `now` was given by hand.
    """
    last = store.head().now
    if last is None or now >= last:
        return now, ()
    if by_hand:
        raise Usage(
            f"--now {now.isoformat()} is before the last run of space {store.space!r} at {last.isoformat()}",
            hint="give a later --now, or leave it out",
        )
    behind = (last - now).total_seconds()
    return last, (Problem(source="clock_back", message=f"the clock is {behind:.0f} s behind the last run's"),)


def with_problems(planned: Planned, problems: tuple[Problem, ...]) -> Planned:
    """`planned` with further problems to report."""
    return replace(planned, plan=replace(planned.plan, problems=(*problems, *planned.plan.problems)))


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
