"""Putting streams into the draft."""

from dreamd.lifecycle.words import Actor, Bearing, ClaimStatus, DecayClass, EventKind, Status
from tests.builders import an_event, day, plain_findings
from tests.memory_space import MemorySpace


def test_noise_is_linked_to_nothing_with_its_reason():
    space = MemorySpace()
    event = an_event(target=None)
    found = plain_findings([event])
    space.find = lambda events: type(found)(
        assignments=found.assignments, statements=(), closures=(), noise=((event.id, "our own output"),)
    )
    (change,) = space.told(day(0), event).changes
    assert (change.after.stream, change.after.bearing, change.because) == (None, Bearing.MENTIONS, "our own output")


def test_late_evidence_may_take_a_claim_of_another_interval_back():
    """A, B, A were three intervals; that B was said before both leaves two."""
    space = MemorySpace()
    said = [an_event("use a", day(n), kind=EventKind.DECISION, session=f"s{n}") for n in (1, 3)]
    space.told(day(9), said[0])
    space.told(day(9), said[1], an_event("use b", day(0), kind=EventKind.DECISION))
    assert [(claim.text, claim.status) for claim in space.claims()] == [
        ("use b", ClaimStatus.SUPERSEDED),
        ("use a", ClaimStatus.CURRENT),
    ]


def test_an_open_question_goes_when_a_person_says_the_same():
    space = MemorySpace()
    space.told(day(0), an_event("use a", day(0), kind=EventKind.DECISION, actor=Actor.USER))
    space.told(day(2), an_event("use b", day(2), kind=EventKind.DECISION))
    assert len(space.questions()) == 1
    space.told(day(3), an_event("use b", day(1), kind=EventKind.DECISION, actor=Actor.USER))
    assert space.questions() == []
    assert space.current() == ["use b"]


def test_a_faded_stream_wakes_when_it_is_pinned():
    space = MemorySpace()
    space.told(day(0), an_event())
    space.add(*(an_event("work", day(n), target="other", session=f"s{n}") for n in range(1, 130)))
    space.dream(day(129))
    assert space.stream().status is Status.FADED
    space.pin(space.stream(), day(129))
    assert space.stream().status is Status.ACTIVE
    assert space.dream(day(129)).changes == ()


def test_an_order_does_not_expire_what_a_dream_has_not_yet_expired():
    space = MemorySpace()
    space.told(day(0.1), an_event("Red", decay=DecayClass.SESSION), an_event("Warm"))
    space.pin(space.claim("Warm"), day(9))
    assert sorted(space.current()) == ["Red", "Warm"]
    space.dream(day(9))
    assert space.current() == ["Warm"]
