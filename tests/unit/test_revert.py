"""Undo: a run taken back as far as no later run built on it."""

import pytest

from dreamd.lifecycle.groups import groups_of
from dreamd.lifecycle.words import EventKind, Trigger
from tests.builders import an_event, day
from tests.memory_space import MemorySpace

TOPICS = ("ant", "bee", "cat", "dog", "elk", "fox", "gnu")
NEWS = TOPICS[:3]


@pytest.fixture
def two_runs():
    """Run 1 knows seven streams; run 2 has new evidence for three of them."""
    space = MemorySpace()
    space.told(day(1), *(an_event("First", day(0), target=topic) for topic in TOPICS))
    space.told(day(2), *(an_event("Second", day(1.5), target=topic) for topic in NEWS))
    return space


def test_what_a_later_run_built_on_stays_and_is_named(two_runs):
    undoing = two_runs.revert(1, day(2))
    assert len(undoing.groups) == 4
    assert {blocked.by_run for blocked in undoing.blocked} == {2}
    named = {subject.id for blocked in undoing.blocked for subject in blocked.subjects if subject.table == "stream"}
    assert named == {two_runs.stream_id(topic) for topic in NEWS}
    assert two_runs.store.table("stream").keys() == named


def test_a_cascade_leaves_the_state_before_the_run_and_says_its_size(two_runs):
    empty = MemorySpace().digest()
    undoing = two_runs.revert(1, day(2), cascade=True)
    assert undoing.blocked == ()
    assert undoing.cascade == {2: len(two_runs.store.plans[1].changes)}
    assert two_runs.digest() == empty
    assert two_runs.dream(day(2)).changes == ()


def test_a_cascade_can_itself_be_reverted(two_runs):
    before = two_runs.digest()
    two_runs.revert(1, day(2), cascade=True)
    two_runs.revert(3, day(2))
    assert two_runs.digest() == before
    assert two_runs.dream(day(2)).changes == ()


def test_a_cascade_takes_only_the_later_groups_that_touch(two_runs):
    op = next(group for group, changes in _groups(two_runs, 1).items() if _is_about(two_runs, changes, "ant"))
    undoing = two_runs.revert(1, day(2), op=op, cascade=True)
    left = {stream.target for stream in two_runs.store.table("stream").values()}
    assert left == set(TOPICS) - {"ant"}
    assert list(undoing.cascade) == [2]


def test_one_group_of_a_run_can_be_reverted(two_runs):
    op = next(group for group, changes in _groups(two_runs, 2).items() if _is_about(two_runs, changes, "bee"))
    undoing = two_runs.revert(2, day(2), op=op)
    assert undoing.groups == (op,)
    assert [two_runs.stream(topic).frequency for topic in NEWS] == [2, 1, 2]


def test_an_unknown_group_is_refused(two_runs):
    with pytest.raises(KeyError, match="op_nowhere"):
        two_runs.revert(2, day(2), op="op_nowhere")


def _groups(space, number):
    plan = space.store.plans[number - 1]
    return groups_of(plan.run, plan.changes)


def _is_about(space, changes, topic):
    return any(change.subject.id == space.stream_id(topic) for change in changes)


def test_a_revert_is_a_new_run_and_facts_stay(two_runs):
    events = dict(two_runs.store.events)
    undoing = two_runs.revert(2, day(2))
    assert (undoing.plan.trigger, undoing.plan.reverts, undoing.plan.number) == (Trigger.REVERT, 2, 3)
    assert two_runs.store.events == events


def test_links_evidence_and_counters_come_back_with_the_rows(two_runs):
    """T73, P60."""
    space = MemorySpace()
    space.told(day(1), *(an_event("First", day(0), target=topic) for topic in TOPICS))
    two_runs.revert(2, day(2))
    for table in ("stream", "claim", "link"):
        assert two_runs.store.table(table).keys() == space.store.table(table).keys()
    assert all(two_runs.stream(topic).frequency == 1 for topic in NEWS)
    assert two_runs.digest() == space.digest()


def test_reverting_twice_finds_nothing_to_take_back(two_runs):
    two_runs.revert(2, day(2))
    undoing = two_runs.revert(2, day(2))
    assert (undoing.groups, undoing.plan.changes, undoing.plan.run) == ((), (), "")
    assert {blocked.by_run for blocked in undoing.blocked} == {3}


def test_a_pin_blocks_the_revert_of_what_it_rests_on():
    space = MemorySpace()
    space.told(day(1), an_event())
    space.pin(space.stream(), day(1))
    assert [blocked.by_run for blocked in space.revert(1, day(1)).blocked] == [2]
    assert space.stream().is_protected


def test_a_superseded_claim_is_current_again():
    space = MemorySpace()
    space.told(day(1), an_event("use a", day(0), kind=EventKind.DECISION))
    before = space.digest()
    space.told(day(3), an_event("use b", day(2), kind=EventKind.DECISION))
    space.revert(2, day(3))
    assert space.current() == ["use a"]
    assert space.digest() == before


def test_every_hold_names_the_run_that_was_reverted(two_runs):
    run = two_runs.store.plans[1].run
    two_runs.revert(2, day(2))
    assert {hold.run for hold in two_runs.holds()} == {run}
