"""Groups: the connected parts of a run."""

from hypothesis import given
from hypothesis import strategies as st

from dreamd.lifecycle.groups import groups_of, touches
from dreamd.lifecycle.words import EventKind
from tests.builders import an_event, day
from tests.memory_space import MemorySpace


def a_run(*targets):
    space = MemorySpace()
    space.add(*(an_event("use a", day(0), kind=EventKind.DECISION, target=target) for target in targets))
    return space.dream(day(1))


def test_streams_without_anything_in_common_are_groups_of_their_own():
    plan = a_run("ant", "bee", "cat", None)
    groups = groups_of(plan.run, plan.changes)
    assert sorted(len(changes) for changes in groups.values()) == [1, 3, 3, 3]


def test_each_change_is_in_exactly_one_group():
    plan = a_run("ant", "bee", None)
    members = [change for changes in groups_of(plan.run, plan.changes).values() for change in changes]
    assert sorted(members, key=lambda change: change.subject) == list(plan.changes)


def test_a_shared_event_does_not_make_a_group():
    plan = a_run("ant")
    events = {change.after.event for change in plan.changes if change.subject.table == "link"}
    assert events.isdisjoint(row for change in plan.changes for row in touches(change))


def test_a_claim_touches_its_stream_and_what_it_supersedes():
    space = MemorySpace()
    space.add(*(an_event(f"use {one}", day(n), kind=EventKind.DECISION) for n, one in enumerate("ab")))
    plan = space.dream(day(2))
    old, new = space.claim("use a"), space.claim("use b")
    (change,) = [change for change in plan.changes if change.subject.id == new.id]
    assert touches(change) == {new.id, old.id, space.stream().id}


@given(st.permutations(range(10)))
def test_groups_and_their_ids_do_not_depend_on_the_order_of_changes(order):
    plan = a_run("ant", "bee", "cat", None)
    turned = [plan.changes[place] for place in order]
    one, other = groups_of(plan.run, plan.changes), groups_of(plan.run, turned)
    assert list(one) == list(other)
    assert {group: set(map(id, changes)) for group, changes in one.items()} == {
        group: set(map(id, changes)) for group, changes in other.items()
    }


def test_no_changes_are_no_groups():
    assert groups_of("run_1", ()) == {}
