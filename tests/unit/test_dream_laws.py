"""The laws of the dream: it is a function of the evidence and of the instant, of nothing else.

Random evidence about a few targets, told in one run or in many, in any order, late and more than once. Fuses are wide
open here, as the law on cadence holds only as long as none trips.
"""

import json
from dataclasses import fields, replace
from datetime import timedelta
from math import isclose

from hypothesis import given
from hypothesis import strategies as st

from dreamd.lifecycle.codec import plan_from_json, plan_to_json
from dreamd.lifecycle.dream import dream
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.words import Actor, DecayClass, EventKind
from tests.builders import an_event, day
from tests.memory_space import MemorySpace, plain_rule

NO_FUSES = Policy(fuse_min_changes=1_000_000)
SYSTEM_TIME = ("recorded_at", "retracted_at")
END = 60.0

evidence = st.builds(
    lambda at, text, kind, target, session, outcome, actor, decay: an_event(
        text,
        day(at),
        kind=kind,
        target=target,
        session=session,
        source=f"session:{session}",
        outcome=outcome,
        actor=actor,
        decay=decay,
    ),
    at=st.integers(0, 400).map(lambda tenth: tenth / 10),
    text=st.sampled_from(["use a", "use b", "it works", "it broke"]),
    kind=st.sampled_from([kind for kind in EventKind if kind is not EventKind.ACTION]),
    target=st.sampled_from(["cache", "queue", None]),
    session=st.sampled_from(["s1", "s2"]),
    outcome=st.sampled_from([None, 0.0, 1.0]),
    actor=st.sampled_from([Actor.AGENT, Actor.AGENT, Actor.USER, Actor.TOOL, Actor.EXTERNAL]),
    decay=st.sampled_from([None, None, None, DecayClass.SESSION, DecayClass.CHECKPOINT]),
)
histories = st.lists(evidence, min_size=1, max_size=14, unique_by=lambda event: event.id)


def at_once(events, now=END):
    space = MemorySpace(policy=NO_FUSES)
    space.add(*events)
    space.dream(day(now))
    return space


def assert_same(one, other):
    """The same decision rows, to 1e-9, aside from system time."""
    left, right = one.rows(), other.rows()
    assert left.keys() == right.keys()
    for subject, row in left.items():
        for field in fields(row):
            if field.name not in SYSTEM_TIME:
                ours, theirs = getattr(row, field.name), getattr(right[subject], field.name)
                same = isclose(ours, theirs, abs_tol=1e-9) if isinstance(ours, float) else ours == theirs
                assert same, (subject, field.name, ours, theirs)


@given(histories, st.integers(0, 700).map(lambda tenth: tenth / 10))
def test_a_dream_after_its_plan_was_applied_is_empty(events, now):
    space = at_once(events, now)
    assert space.dream(day(now)).changes == ()


@given(histories, st.data())
def test_the_order_of_events_and_rows_does_not_matter(events, data):
    assert_same(at_once(events), at_once(data.draw(st.permutations(events))))
    space = at_once(events[: len(events) // 2])
    space.add(*events)
    new = space.store.unexamined(day(END))
    streams = {space.stream_id(event.target) for event in new if event.target is not None}
    snapshot = space.store.snapshot(new, streams, day(END), NO_FUSES)
    tables = ("streams", "claims", "links", "aliases", "holds", "proposals", "questions", "events")
    turned = replace(
        snapshot,
        **{name: dict(reversed(getattr(snapshot, name).items())) for name in tables},
        new=tuple(reversed(snapshot.new)),
        due=tuple(reversed(snapshot.due)),
    )
    found = plain_rule(snapshot.events.values())
    back = replace(
        found,
        assignments=tuple(reversed(found.assignments)),
        statements=tuple(reversed(found.statements)),
        closures=tuple(reversed(found.closures)),
    )
    plan = dream(snapshot, found, day(END), NO_FUSES)
    assert dream(turned, back, day(END), NO_FUSES) == plan


@given(histories, st.lists(st.integers(0, 59), max_size=8))
def test_one_run_or_many_over_the_same_interval_end_in_the_same_rows(events, days):
    many = MemorySpace(policy=NO_FUSES)
    many.add(*events)
    for number in sorted(days):
        many.dream(day(number))
    many.dream(day(END))
    assert_same(many, at_once(events))


@given(histories, st.data())
def test_events_that_come_late_repeated_and_in_any_batching_end_in_the_same_rows(events, data):
    late = MemorySpace(policy=NO_FUSES)
    now = END - len(events)
    for event in data.draw(st.permutations(events)):
        late.add(event, *data.draw(st.lists(st.sampled_from(events), max_size=1)))
        if data.draw(st.booleans()):
            late.dream(day(now))
            now += 1
    late.add(*events)
    late.dream(day(END))
    assert_same(late, at_once(events))


@given(histories)
def test_a_future_event_does_nothing_before_it_comes(events):
    without, waiting = at_once(events), MemorySpace(policy=NO_FUSES)
    future = an_event("use z", day(END) + timedelta(microseconds=1), kind=EventKind.DECISION)
    waiting.add(*events, future)
    plan = waiting.dream(day(END))
    assert plan.counts.waiting == 1
    assert_same(waiting, without)
    assert waiting.dream(future.at).changes != ()


@given(histories, st.integers(0, 60))
def test_a_plan_comes_back_from_json_as_it_was(events, now):
    for plan in (space := at_once(events, now)).store.plans:
        assert plan_from_json(json.loads(json.dumps(plan_to_json(plan)))) == plan
    if space.store.plans:
        undoing = space.revert(1, day(now))
        assert plan_from_json(json.loads(json.dumps(plan_to_json(undoing.plan)))) == undoing.plan


@given(histories, st.integers(1, 60))
def test_any_run_reverted_at_once_leaves_the_rows_as_before_and_again_as_after(events, now):
    space = at_once(events[: len(events) // 2], now / 2)
    space.add(*events)
    before, count = space.digest(), space.last_run()
    space.dream(day(now))
    if space.last_run() == count:
        return
    after = space.digest()
    assert space.revert(space.last_run(), day(now)).blocked == ()
    assert space.digest() == before
    assert space.dream(day(now)).changes == ()
    space.revert(space.last_run(), day(now))
    assert space.digest() == after
    assert space.dream(day(now)).changes == ()
