"""What a stream's row takes from its evidence and claims."""

import pytest

from dreamd.lifecycle.growing import is_failure
from dreamd.lifecycle.lending import HEADLINE_CHARACTERS, with_claims
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.words import Actor, Birth, DecayClass, EventKind
from tests.builders import an_event, day
from tests.memory_space import MemorySpace

DECISION, PREFERENCE, ERROR = EventKind.DECISION, EventKind.PREFERENCE, EventKind.ERROR


def space_of(*events):
    space = MemorySpace()
    space.told(day(9), *events)
    return space


@pytest.mark.parametrize(
    ("kind", "outcome", "failed"),
    [
        (ERROR, None, True),
        (ERROR, 1.0, False),
        (EventKind.RESULT, 0.49, True),
        (EventKind.RESULT, 0.5, False),
        (EventKind.OBSERVATION, 0.0, True),
        (EventKind.OBSERVATION, None, False),
    ],
)
def test_the_outcome_says_whether_it_failed_and_without_one_the_kind(kind, outcome, failed):
    assert is_failure(an_event(kind=kind, outcome=outcome)) is failed


@pytest.mark.parametrize(
    ("events", "shelf"),
    [
        ([an_event()], "knowledge"),
        ([an_event(), an_event("Use it", kind=DECISION)], "projects"),
        ([an_event("Use it", kind=DECISION), an_event("Ask first", kind=PREFERENCE)], "preferences"),
        ([an_event("Use it", kind=DECISION, actor=Actor.AGENT), an_event("x", day(1), kind=EventKind.RETRACTION)],
         "knowledge"),
    ],
)  # fmt: skip
def test_the_shelf_follows_the_current_claims(events, shelf):
    assert space_of(*events).stream().shelf == shelf


@pytest.mark.parametrize(
    ("decision_support", "decay"), [(1, DecayClass.STABLE), (0, DecayClass.ACTIVE)]
)  # fmt: skip
def test_an_explicit_claim_lends_its_decay_class_however_seldom_it_was_said(decision_support, decay):
    facts = [an_event(at=day(n / 10), session=f"s{n}") for n in range(20)]
    decisions = [an_event("Use it", kind=DECISION)] * decision_support
    assert space_of(*facts, *decisions).stream().decay_class is decay


@pytest.mark.parametrize(("others", "decay"), [(4, DecayClass.STABLE), (5, DecayClass.ACTIVE)])
def test_a_slow_claim_lends_its_class_from_a_fifth_of_the_support(others, decay):
    slow = an_event("Slow", decay=DecayClass.STABLE)
    rest = [an_event("Fast", day(n / 10), session=f"s{n}") for n in range(others)]
    assert space_of(slow, *rest).stream().decay_class is decay


def test_a_pinned_stream_is_permanent_and_protected():
    space = space_of(an_event())
    stream = with_claims(space.stream(), space.claims(), is_pinned=True, policy=Policy())
    assert (stream.decay_class, stream.is_protected) == (DecayClass.PERMANENT, True)


def test_a_preference_protects_as_long_as_it_is_current():
    said = an_event("Ask first", kind=PREFERENCE)
    assert space_of(said).stream().is_protected
    assert not space_of(said, an_event("No", day(1), kind=EventKind.RETRACTION)).stream().is_protected


def test_a_headline_is_cut():
    assert space_of(an_event("x" * 999)).stream().headline == "x" * HEADLINE_CHARACTERS


def test_late_evidence_may_change_the_birth():
    space = space_of(an_event(at=day(1)))
    assert space.stream().birth is Birth.REFLECTION
    space.told(day(9), an_event("Use it", day(0), kind=DECISION))
    assert space.stream().birth is Birth.EXPLICIT


def test_a_failure_does_not_oppose_a_decision_that_was_retracted():
    retracted = an_event("No", day(1), kind=EventKind.RETRACTION)
    space = space_of(an_event("Use it", kind=DECISION), retracted, an_event("It broke", day(2), kind=ERROR))
    assert space.stream().opposed == 0


def test_a_failure_does_not_oppose_a_decision_for_a_session_that_is_over():
    decision = an_event("Use it", kind=DECISION, decay=DecayClass.SESSION)
    assert space_of(decision, an_event("It broke", day(0.9), kind=ERROR)).stream().opposed == 1
    assert space_of(decision, an_event("It broke", day(1), kind=ERROR)).stream().opposed == 0


def test_an_error_at_the_instant_of_the_decision_does_not_oppose_it():
    assert space_of(an_event("Use it", kind=DECISION), an_event("It broke", kind=ERROR)).stream().opposed == 0


def test_the_digest_of_the_evidence_changes_with_a_bearing():
    alone = space_of(an_event("It broke", day(1), kind=ERROR)).stream().evidence_digest
    decided = an_event("Use it", kind=DECISION)
    assert space_of(decided, an_event("It broke", day(1), kind=ERROR)).stream().evidence_digest != alone
