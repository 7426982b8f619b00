"""Fuses: what evidence does not explain by itself changes only a little at a time."""

from dataclasses import replace

import pytest

from dreamd.lifecycle.fuses import allowance
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.words import Actor, EventKind, Waiting
from tests.builders import an_event, day
from tests.memory_space import MemorySpace

TOPICS = ("ant", "bee", "cat", "dog", "elk", "fox", "gnu")


def choose(value, at, topics=TOPICS, actor=Actor.AGENT):
    return [an_event(f"use {value}", at, kind=EventKind.DECISION, target=topic, actor=actor) for topic in topics]


def topics_using(space, value):
    return [topic for topic in TOPICS if space.current(topic) == [f"use {value}"]]


@pytest.fixture
def tripped():
    """Seven choices were applied by run 1; on day 2 all seven change."""
    space = MemorySpace()
    space.told(day(1), *choose("a", day(0)))
    space.told(day(2.1), *choose("b", day(2)))
    return space


def test_of_seven_supersessions_three_are_applied_and_four_are_proposed(tripped):
    plan = tripped.store.plans[-1]
    assert plan.fused == 3
    assert len(topics_using(tripped, "b")) == 3
    assert len(tripped.proposals()) == 4
    assert {proposal.kind for proposal in tripped.proposals()} == {"supersede"}
    assert plan.proposals == tuple(proposal.id for proposal in tripped.proposals())


def test_what_is_held_back_is_only_the_ending(tripped):
    held = [topic for topic in TOPICS if topic not in topics_using(tripped, "b")]
    assert all(tripped.current(topic) == ["use a", "use b"] for topic in held)
    assert all(tripped.stream(topic).frequency == 2 for topic in held)


def test_a_dream_after_a_tripped_fuse_changes_nothing(tripped):
    assert tripped.dream(day(2.1)).changes == ()


def test_accepting_applies_that_one_and_no_other(tripped):
    proposal = tripped.proposals()[0]
    tripped.decide(proposal, Waiting.ACCEPTED, day(2.2))
    assert len(topics_using(tripped, "b")) == 4
    assert tripped.store.table("claim")[proposal.subjects[0]].status == "superseded"
    assert len(tripped.proposals()) == 3
    assert tripped.dream(day(2.2)).changes == ()


def test_what_a_person_accepts_does_not_count_against_the_fuse(tripped):
    assert tripped.decide(tripped.proposals()[0], Waiting.ACCEPTED, day(2.2)).fused == 0


def test_rejecting_closes_it_for_good(tripped):
    proposal = tripped.proposals()[0]
    stream = tripped.store.table("stream")[proposal.stream]
    tripped.decide(proposal, Waiting.REJECTED, day(2.2))
    later = an_event("use b", day(30), kind=EventKind.DECISION, target=stream.target, session="s9")
    plan = tripped.told(day(31), later)
    assert tripped.current(stream.target) == ["use a", "use b"]
    assert proposal.id not in plan.proposals
    assert len(tripped.proposals()) == 3


def test_a_fresh_store_trips_nothing():
    """Seven hundred choices and changes of mind imported at once rest on their evidence alone."""
    space = MemorySpace()
    topics = [f"topic {number}" for number in range(100)]
    for number in range(7):
        space.add(*choose(f"value {number}", day(number), topics))
    plan = space.dream(day(8))
    assert (plan.fused, plan.proposals) == (0, ())
    assert all(space.current(topic) == ["use value 6"] for topic in topics)


def test_the_week_rolls():
    space = MemorySpace()
    space.told(day(1), *choose("a", day(0)))
    assert space.told(day(2), *choose("b", day(1.5), TOPICS[:3])).fused == 3
    assert space.told(day(8.9), *choose("b", day(8.8), TOPICS[3:4])).fused == 0
    assert space.told(day(9), *choose("b", day(8.95), TOPICS[4:5])).fused == 1


def test_open_proposals_do_not_slip_through_when_the_week_is_over(tripped):
    assert tripped.dream(day(40)).fused == 0
    assert len(topics_using(tripped, "b")) == 3


@pytest.mark.parametrize(
    ("mature", "recent", "allowed"),
    [(0, 0, 3), (30, 0, 3), (40, 0, 4), (40, 3, 4), (40, 5, 3), (40, 8, 0), (40, 99, 0), (10, 1, 2)],
)
def test_the_allowance_is_a_number_or_a_share_of_a_run_and_of_a_week(mature, recent, allowed):
    snapshot = MemorySpace().store.snapshot([], (), day(0), Policy())
    assert allowance(replace(snapshot, mature_count=mature, recent_fused=recent), Policy()) == allowed


def test_retractions_count_as_well():
    space = MemorySpace()
    space.told(day(1), *choose("a", day(0)))
    gone = [an_event("No longer", day(2), kind=EventKind.RETRACTION, target=topic) for topic in TOPICS]
    plan = space.told(day(2.1), *gone)
    assert plan.fused == 3
    assert sorted(proposal.kind for proposal in space.proposals()) == ["retract"] * 4


def test_what_one_event_ends_of_a_target_is_one_change_however_many_statements_it_had():
    """The allowance is a share of streams: one target that is let go does not use up that of all others."""
    space = MemorySpace()
    said = [an_event(f"fact {number}", day(number / 100), target="old") for number in range(50)]
    space.told(day(1), *said, *choose("a", day(0.6)))
    plan = space.told(day(2), an_event("No longer", day(1.5), kind=EventKind.RETRACTION, target="old"))
    assert (plan.fused, space.proposals(), space.current("old")) == (1, [], [])
    assert space.told(day(2.1), *choose("b", day(2), TOPICS[:2])).fused == 2
    assert topics_using(space, "b") == list(TOPICS[:2])


def test_what_one_event_ends_is_held_back_as_a_whole():
    space = MemorySpace()
    said = [an_event(f"fact {number} about {topic}", day(number / 100), target=topic)
            for topic in TOPICS for number in range(5)]  # fmt: skip
    space.told(day(1), *said)
    gone = [an_event("No longer", day(1.5), kind=EventKind.RETRACTION, target=topic) for topic in TOPICS]
    assert space.told(day(2), *gone).fused == 3
    assert sorted(len(space.current(topic)) for topic in TOPICS) == [0, 0, 0, 5, 5, 5, 5]


def test_the_earliest_endings_come_first():
    space = MemorySpace()
    space.told(day(1), *choose("a", day(0)))
    late_first = [choose("b", day(3 - number / 10), [topic])[0] for number, topic in enumerate(TOPICS)]
    space.told(day(4), *late_first)
    assert topics_using(space, "b") == list(TOPICS[-3:])


def test_fading_never_trips_a_fuse():
    space = MemorySpace()
    space.told(day(1), *(an_event(at=day(0), target=topic) for topic in TOPICS))
    space.add(*(an_event("other work", day(number), target="other", session=f"s{number}") for number in range(1, 200)))
    plan = space.dream(day(200))
    assert {space.stream(topic).status for topic in TOPICS} == {"faded"}
    assert (plan.fused, plan.proposals) == (0, ())
