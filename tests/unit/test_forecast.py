"""What could become of a stream if its evidence went on as it does."""

from datetime import date

from dreamd.lifecycle.evidence import evidence_of
from dreamd.lifecycle.forecast import forecast
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.words import Actor, Bearing, Phase
from tests.builders import an_event, day
from tests.memory_space import MemorySpace

POLICY = Policy()


def looked_ahead(*events, is_question_open=False):
    space = MemorySpace()
    space.add(*events)
    space.dream(max(event.at for event in events))
    evidence = [evidence_of(event, Bearing.SUPPORTS) for event in events]
    return forecast(space.stream(), evidence, POLICY, is_question_open=is_question_open)


def weekly(weeks, **fields):
    return [an_event(f"Week {n}", day(7 * n), session=f"s{n}", **fields) for n in range(weeks)]


def reaches(phase, events):
    """The day on which more of the same evidence really reaches `phase`."""
    space, told = MemorySpace(), []
    for event in events:
        told.append(event)
        space.add(event)
        space.dream(event.at)
        if space.stream().phase is phase:
            return event.at.date()
    return None


def test_evidence_that_goes_on_as_it_does_is_promoted_when_it_says():
    found = looked_ahead(*weekly(4))
    assert found.every_days == 7
    assert found.phase_on == reaches(Phase.CANONICAL, weekly(40))
    assert found.gates["removal_cost"] == found.phase_on


def test_a_pattern_is_told_when_it_could_emerge():
    found = looked_ahead(an_event("It broke", day(0)))
    assert found.phase_on == date(day(2).year, day(2).month, day(2).day)


def test_what_needs_other_evidence_is_never_promised():
    found = looked_ahead(*weekly(6, actor=Actor.EXTERNAL))
    assert found.phase_on is None
    assert found.gates["vouched"] is None


def test_an_open_question_is_not_a_matter_of_time():
    found = looked_ahead(*weekly(6), is_question_open=True)
    assert found.phase_on is None
    assert found.gates["open_question"] is None


def test_a_canonical_stream_has_nothing_ahead():
    assert looked_ahead(*weekly(60)) is None
