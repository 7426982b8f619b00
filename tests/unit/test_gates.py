import pytest

from dreamd.lifecycle.gates import canonical_gates, closeness, emergent_gates, near_miss, next_gates
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.words import Actor, Phase, Status
from tests.stories import a_piece, a_stream, folded, on_day

POLICY = Policy()


def passed(gates):
    return {gate.gate: gate.passed for gate in gates}


def a_pattern(**fields):
    known = {"phase": Phase.PATTERN, "frequency": 2, "removal_cost": 0.1, "lifetime_days": 2.0}
    return a_stream(**{**known, **fields})


def an_emergent(**fields):
    known = {"phase": Phase.EMERGENT, "coverage": 0.5, "stability": 0.7, "removal_cost": 0.6}
    return a_stream(**{**known, **fields})


@pytest.mark.parametrize(
    ("frequency", "cost", "opens"),
    [(2, 0.39, False), (3, 0.39, True), (4, 0.39, True), (2, 0.4, True), (2, 0.41, True)],
)
def test_often_or_costly_is_enough_and_both_are_shown(frequency, cost, opens):
    gates = passed(next_gates(a_pattern(frequency=frequency, removal_cost=cost), POLICY))
    assert gates["frequency"] is gates["removal_cost"] is opens


@pytest.mark.parametrize(("lifetime", "opens"), [(0.99, False), (1.0, False), (1.01, True)])
def test_more_than_a_day_has_to_pass(lifetime, opens):
    assert passed(next_gates(a_pattern(lifetime_days=lifetime), POLICY))["lifetime_days"] is opens


@pytest.mark.parametrize("gate", ["coverage", "stability", "removal_cost"])
@pytest.mark.parametrize(("distance", "opens"), [(-0.01, False), (0.0, False), (0.01, True)])
def test_the_gates_of_canonical_have_to_be_exceeded(gate, distance, opens):
    threshold = getattr(POLICY, f"canonical_min_{gate}")
    assert passed(next_gates(an_emergent(**{gate: threshold + distance}), POLICY))[gate] is opens


def test_an_open_question_or_doubt_shuts_a_gate():
    assert passed(next_gates(an_emergent(), POLICY))["open_question"]
    assert not passed(next_gates(an_emergent(), POLICY, is_question_open=True))["open_question"]
    assert not passed(next_gates(an_emergent(is_doubtful=True), POLICY))["open_question"]


def test_signals_say_whether_anybody_vouches():
    external = folded([a_piece(on_day(number), actor=Actor.EXTERNAL) for number in (1, 3, 5)]).signals
    assert not passed(emergent_gates(external, POLICY))["vouched"]
    assert not passed(canonical_gates(external, False, POLICY))["vouched"]


def test_a_pattern_that_passes_all_else_is_not_vouched_for():
    assert passed(next_gates(a_pattern(frequency=9), POLICY))["vouched"] is False
    assert "vouched" not in passed(next_gates(a_pattern(frequency=2), POLICY))
    assert passed(next_gates(a_pattern(frequency=9), POLICY, vouched=9))["vouched"]


def test_there_is_nothing_after_canonical():
    canonical = a_stream(phase=Phase.CANONICAL)
    assert next_gates(canonical, POLICY) == ()
    assert near_miss(canonical, POLICY) is None


def test_what_is_laid_to_rest_is_no_near_miss():
    assert near_miss(a_pattern(status=Status.FADED), POLICY) is None


def test_a_near_miss_names_the_phase_it_missed_and_how_closely():
    miss = near_miss(a_pattern(frequency=2, removal_cost=0.2), POLICY)
    assert (miss.next_phase, miss.target) == ("emergent", "redis_caching")
    assert miss.closeness == pytest.approx((2 / 3 + 0.5 + 1) / 3)
    assert near_miss(an_emergent(stability=0.3), POLICY).next_phase == "canonical"


def test_closeness_is_one_if_all_is_passed_and_less_for_an_open_question():
    assert closeness(next_gates(an_emergent(), POLICY)) == 1.0
    assert closeness(next_gates(an_emergent(), POLICY, is_question_open=True)) == 0.75
