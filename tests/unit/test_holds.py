"""What a revert leaves behind, and what lifts it."""

from dataclasses import replace

import pytest

from dreamd.lifecycle.holds import age, is_sticky
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.words import Actor, DecayClass, EventKind, Status, Vitality, Waiting
from tests.builders import an_event, day
from tests.memory_space import MemorySpace


def decision(text, at, **fields):
    return an_event(text, at, kind=EventKind.DECISION, **fields)


def kinds(space, target="cache"):
    return sorted(hold.kind for hold in space.holds() if hold.stream == space.stream_id(target))


@pytest.fixture
def two_gone():
    """Two streams of run 1, taken back by run 2."""
    space = MemorySpace()
    space.told(day(1), an_event(target="cache"), an_event(target="queue"))
    space.revert(1, day(1))
    return space


def test_what_was_taken_back_stays_away_without_new_evidence(two_gone):
    assert two_gone.store.table("stream") == {}
    assert two_gone.dream(day(1)).changes == ()
    assert two_gone.dream(day(90)).changes == ()


def test_the_first_later_event_brings_its_stream_back_with_all_evidence_and_no_other(two_gone):
    two_gone.told(day(3), an_event(at=day(2), target="cache", session="s2"))
    assert two_gone.stream("cache").frequency == 2
    assert kinds(two_gone, "cache") == []
    assert two_gone.stream_id("queue") not in two_gone.store.table("stream")
    assert kinds(two_gone, "queue") == ["create"]


def test_unhold_lifts_what_is_held_and_the_next_dream_takes_it_up(two_gone):
    two_gone.unhold(two_gone.stream_id("cache"), day(2))
    two_gone.dream(day(2))
    assert two_gone.stream("cache").frequency == 1
    assert kinds(two_gone, "queue") == ["create"]


def test_reverting_the_revert_lifts_the_holds(two_gone):
    two_gone.revert(2, day(2))
    assert two_gone.holds() == []
    assert two_gone.stream("queue").frequency == 1
    assert two_gone.dream(day(2)).changes == ()


def test_an_event_without_a_target_stays_examined_after_a_revert():
    space = MemorySpace()
    space.told(day(1), an_event(target=None))
    space.revert(1, day(1))
    assert space.dream(day(2)).changes == ()
    assert space.store.table("link") == {}


def test_unhold_of_an_event_without_a_target_lets_it_be_looked_at_again():
    space = MemorySpace()
    event = an_event(target=None)
    space.told(day(1), event)
    space.revert(1, day(1))
    space.unhold(event.id, day(2))
    assert space.holds() == []
    assert space.dream(day(2)).counts.untargeted == 1


@pytest.fixture
def superseded_then_reverted():
    space = MemorySpace()
    space.told(day(1), decision("use a", day(0)))
    space.told(day(3), decision("use b", day(2)))
    space.revert(2, day(3))
    return space


def test_a_reverted_supersession_stays_refused_and_new_evidence_opens_a_proposal(superseded_then_reverted):
    space = superseded_then_reverted
    assert space.current() == ["use a"]
    assert space.dream(day(3)).changes == ()
    assert space.proposals() == []
    space.told(day(5), an_event("It is warm", day(4)))
    assert space.current() == ["use a", "use b", "It is warm"]
    (proposal,) = space.proposals()
    assert proposal.subjects == (space.claim("use a").id, space.claim("use b").id)


def test_only_the_hold_on_the_ending_outlives_new_evidence(superseded_then_reverted):
    space = superseded_then_reverted
    assert kinds(space) == ["create", "supersede"]
    space.told(day(5), an_event("It is warm", day(4)))
    assert [is_sticky(hold) for hold in space.holds()] == [True]


def test_a_person_accepts_what_was_reverted(superseded_then_reverted):
    space = superseded_then_reverted
    space.told(day(5), an_event("It is warm", day(4)))
    space.decide(space.proposals()[0], Waiting.ACCEPTED, day(6))
    assert space.current() == ["use b", "It is warm"]
    space.told(day(8), an_event("It is warm", day(7)))
    assert space.current() == ["use b", "It is warm"]


def test_a_reverted_retraction_stays_refused_as_well():
    space = MemorySpace()
    space.told(day(1), an_event("The port is 80"))
    space.told(day(3), an_event("Forget it", day(2), kind=EventKind.RETRACTION))
    space.revert(2, day(3))
    space.told(day(5), an_event("It is warm", day(4)))
    assert space.current() == ["The port is 80", "It is warm"]
    assert [proposal.kind for proposal in space.proposals()] == ["retract"]


def aged_space():
    """One observation, and other work every day."""
    space = MemorySpace()
    space.add(decision("use a", day(0), target="cache"))
    space.add(*(an_event(at=day(number), target="other", session=f"s{number}") for number in range(120)))
    space.dream(day(1))
    return space


def test_a_held_decaying_does_not_stop_dormant():
    space = aged_space()
    space.dream(day(8))
    assert space.stream().vitality is Vitality.DECAYING
    space.revert(2, day(8))
    assert space.stream().vitality is Vitality.ACTIVE
    space.dream(day(20))
    assert space.stream().vitality is Vitality.ACTIVE
    space.dream(day(30))
    assert space.stream().vitality is Vitality.DORMANT


def test_a_held_crossing_is_forgotten_with_new_evidence():
    space = aged_space()
    space.dream(day(8))
    space.revert(2, day(8))
    space.told(day(21), an_event("It is warm", day(20)))
    space.dream(day(40))
    assert space.stream().vitality is Vitality.DECAYING


def test_a_stream_that_is_held_awake_is_aged_as_if_nobody_had_looked():
    """Holds leave out what they name, and nothing else of the crossings."""
    space = aged_space()
    stream, policy, waking = space.stream(), Policy(), space.store.waking(Policy())
    _, free = age(stream, day(119), waking, policy)
    space.dream(day(8))
    space.revert(2, day(8))
    held, crossings = age(space.stream(), day(119), waking, policy, space.holds())
    assert [kind for kind, _ in free] == ["vitality:decaying", "vitality:dormant", "status:faded"]
    assert crossings == free[1:]
    assert (held.vitality, held.status, held.crossed_at) == (Vitality.DORMANT, Status.FADED, free[2][1])


def test_what_a_person_forgot_does_not_age():
    stream = replace(aged_space().stream(), status=Status.FORGOTTEN)
    waking = aged_space().store.waking(Policy())
    assert age(stream, day(119), waking, Policy()) == (stream, ())


def test_a_reverted_expiry_is_held_until_new_evidence():
    space = MemorySpace()
    space.told(day(0.1), an_event("Tests are red", day(0), decay=DecayClass.SESSION))
    space.dream(day(2))
    assert space.current() == []
    space.revert(2, day(2))
    assert space.current() == ["Tests are red"]
    space.dream(day(9))
    assert space.current() == ["Tests are red"]
    space.told(day(9.1), an_event("It is warm", day(9)))
    assert space.current() == ["It is warm"]


def test_a_revert_late_in_time_is_not_undone_by_age_at_once():
    space = MemorySpace()
    space.told(day(1), decision("use a", day(0)))
    space.told(day(60), decision("use a", day(59), session="s2"))
    before = space.digest()
    space.revert(2, day(60))
    assert space.stream().frequency == 1
    assert space.dream(day(60)).changes == ()
    space.revert(3, day(60))
    assert space.digest() == before


def test_a_persons_order_leaves_no_hold():
    space = MemorySpace()
    space.told(day(1), an_event(actor=Actor.USER))
    space.pin(space.stream(), day(1))
    space.revert(2, day(1))
    assert space.holds() == []
    assert space.store.table("pin") == {}
