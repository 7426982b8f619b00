from datetime import timedelta

import pytest

from dreamd.lifecycle.doubts import DecisionSpan
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.words import Actor, Bearing, Phase
from tests.stories import a_piece, folded, on_day

POLICY = Policy()


def daily(days, kind="observation", **fields):
    return [a_piece(on_day(number, 12), kind, **fields) for number in days]


@pytest.mark.parametrize(
    ("span", "phase"),
    [
        (timedelta(days=1) - timedelta(microseconds=1), Phase.PATTERN),
        (timedelta(days=1), Phase.PATTERN),
        (timedelta(days=1, microseconds=1), Phase.EMERGENT),
    ],
)
def test_a_burst_within_a_day_never_promotes(span, phase):
    burst = [a_piece(on_day(1) + span * share) for share in (0, 0.5, 1)]
    assert folded(burst).phase is phase


@pytest.mark.parametrize(("deliveries", "phase"), [(2, Phase.PATTERN), (3, Phase.EMERGENT), (4, Phase.EMERGENT)])
def test_three_deliveries_emerge(deliveries, phase):
    assert folded(daily(range(1, 2 * deliveries, 2))).phase is phase


def test_a_costly_pattern_emerges_before_the_third_delivery():
    costly = [a_piece(on_day(number), "commit", is_fix=True, count=4) for number in (1, 3)]
    assert folded(costly, Policy(emergent_min_frequency=100)).phase is Phase.EMERGENT


def test_support_from_external_alone_never_promotes():
    external = daily(range(1, 60), actor=Actor.EXTERNAL)
    assert folded(external).phase is Phase.PATTERN
    assert folded([*external, a_piece(on_day(60))]).phase is Phase.CANONICAL


@pytest.mark.parametrize(("kind", "confidence", "cost"), [("decision", 0.35, 0.40), ("intervention", 0.7, 0.8)])
def test_what_was_said_outright_emerges_at_once_with_its_floors(kind, confidence, cost):
    maturity = folded([a_piece(on_day(1), kind)])
    assert (maturity.phase, maturity.emergent_at) == (Phase.EMERGENT, on_day(1))
    assert maturity.signals.base_confidence >= confidence
    assert maturity.signals.removal_cost >= cost


def test_floors_hold_from_their_event_on():
    maturity = folded([*daily(range(1, 30)), a_piece(on_day(30), "intervention")])
    assert maturity.phase is Phase.CANONICAL
    assert maturity.canonical_at < on_day(30)
    assert folded(daily(range(1, 4))).signals.removal_cost < 0.4


def test_a_weekly_target_is_canonical_by_day_75():
    weekly = folded(daily(range(1, 76, 7)))
    assert weekly.phase is Phase.CANONICAL


def test_an_open_question_keeps_from_canonical_from_its_instant_on():
    evidence = daily(range(1, 20))
    reached = folded(evidence).canonical_at
    assert folded(evidence, question_open_from=reached).phase is Phase.EMERGENT
    assert folded(evidence, question_open_from=reached + timedelta(microseconds=1)).phase is Phase.CANONICAL


def a_failed_decision():
    decision = a_piece(on_day(1), "decision")
    failures = [a_piece(on_day(2 + number / 3), "error", bearing=Bearing.OPPOSES) for number in range(30)]
    span = DecisionSpan(claim="cl_1", since=decision.at, until=None)
    return decision, failures, span


def test_a_decision_followed_by_thirty_failures_is_doubtful_and_never_canonical():
    decision, failures, span = a_failed_decision()
    later = daily(range(13, 40))
    maturity = folded([decision, *failures, *later], decisions=[span])
    assert maturity.signals.is_doubtful
    assert maturity.phase is Phase.EMERGENT


@pytest.mark.parametrize(("failures", "is_doubtful"), [(2, False), (3, False), (4, True)])
def test_a_decision_is_doubtful_once_more_opposes_than_supports(failures, is_doubtful):
    decision, opposing, span = a_failed_decision()
    evidence = [decision, a_piece(on_day(1, 5)), a_piece(on_day(1, 6)), *opposing[:failures]]
    assert folded(evidence, decisions=[span]).signals.is_doubtful is is_doubtful


def test_support_before_a_decision_does_not_speak_for_it():
    decision, failures, span = a_failed_decision()
    before = [a_piece(on_day(-20 + number)) for number in range(5)]
    assert folded([*before, decision, *failures[:2]], decisions=[span]).signals.is_doubtful


def test_a_decision_that_ended_is_not_doubtful():
    decision, failures, span = a_failed_decision()
    ended = DecisionSpan(claim="cl_1", since=span.since, until=failures[-1].at)
    assert not folded([decision, *failures], decisions=[ended]).signals.is_doubtful


def test_a_canonical_stream_stays_so_when_its_decision_becomes_doubtful():
    decision = a_piece(on_day(1), "decision")
    failures = [a_piece(on_day(31 + number / 3), "error", bearing=Bearing.OPPOSES) for number in range(100)]
    span = DecisionSpan(claim="cl_1", since=decision.at, until=None)
    maturity = folded([decision, *daily(range(2, 30)), *failures], decisions=[span])
    assert (maturity.phase, maturity.signals.is_doubtful) == (Phase.CANONICAL, True)
