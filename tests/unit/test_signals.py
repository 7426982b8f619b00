import random
from datetime import UTC, datetime, timedelta
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.lifecycle.doubts import DecisionSpan
from dreamd.lifecycle.evidence import evidence_of
from dreamd.lifecycle.gates import canonical_gates, emergent_gates
from dreamd.lifecycle.measures import removal_cost, stability, stretch, usual_gap_days, utility
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import Actor, Bearing, EventKind, Phase, Scope
from tests.stories import a_piece, folded, on_day

POLICY = Policy()

pieces = st.builds(
    lambda minutes, kind, bearing, actor, outcome: a_piece(
        on_day(1) + timedelta(minutes=minutes),
        kind,
        bearing=bearing,
        actor=actor,
        outcome=outcome,
        is_explicit=kind == "decision" and actor is not Actor.EXTERNAL,
        event=f"{minutes} {kind} {bearing} {actor} {outcome}",
    ),
    minutes=st.integers(0, 60 * 24 * 60),
    kind=st.sampled_from(["observation", "error", "result", "commit", "decision"]),
    bearing=st.sampled_from(list(Bearing)),
    actor=st.sampled_from([Actor.AGENT, Actor.EXTERNAL]),
    outcome=st.sampled_from([None, 0.0, 0.3, 1.0]),
)
some_evidence = st.lists(pieces, min_size=1, max_size=25, unique_by=lambda one: one.event)
active_days = st.sets(st.integers(0, 400), min_size=1, max_size=40).map(sorted)


def daily(days, kind="observation", **fields):
    return [a_piece(on_day(number, 12), kind, **fields) for number in days]


# evidence


@pytest.mark.parametrize(
    ("text", "tags", "is_fix"),
    [
        ("fix(redis): raise the pool", (), True),
        ("fix!: drop the old key", (), True),
        ("Hotfix: retry", (), True),
        ("bugfix(cart)!: round up", (), True),
        ("fixture: add one", (), False),
        ("feat: fix the pool", (), False),
        ("raise the pool", ("fix",), True),
    ],
)
def test_a_commit_that_fixes_is_known_by_tag_or_conventional_type(text, tags, is_fix):
    assert evidence_of(an_event("commit", text=text, tags=tags), Bearing.SUPPORTS).is_fix is is_fix


@pytest.mark.parametrize(
    ("kind", "actor", "is_explicit", "is_intervention"),
    [
        ("decision", Actor.AGENT, True, False),
        ("preference", Actor.USER, True, False),
        ("decision", Actor.TOOL, False, False),
        ("decision", Actor.EXTERNAL, False, False),
        ("observation", Actor.USER, False, False),
        ("intervention", Actor.USER, False, True),
        ("intervention", Actor.AGENT, False, False),
    ],
)
def test_only_users_and_agents_say_things_outright(kind, actor, is_explicit, is_intervention):
    evidence = evidence_of(an_event(kind, actor=actor), Bearing.SUPPORTS)
    assert (evidence.is_explicit, evidence.is_intervention) == (is_explicit, is_intervention)


def an_event(kind, text="words", actor=Actor.AGENT, tags=()):
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return Event(
        id="ev_1",
        space="default",
        at=at,
        recorded_at=at,
        kind=EventKind(kind),
        text=text,
        actor=actor,
        source="cli",
        digest="",
        tags=tags,
    )


# stability


def test_one_burst_of_any_size_on_one_day_has_no_stability():
    burst = [a_piece(on_day(1, minute / 60)) for minute in range(300)]
    assert folded(burst).signals.stability == 0.0


@pytest.mark.parametrize("width", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("other_width", [1, 2, 3, 4, 5])
def test_two_short_bursts_twenty_days_apart_are_not_stable(width, other_width):
    assert stability([*range(width), *range(20, 20 + other_width)]) < 0.5


@pytest.mark.parametrize(
    "days",
    [
        pytest.param([7 * week for week in range(6)], id="weekly for six weeks"),
        pytest.param([day for day in range(21) if day % 7 < 5], id="every weekday for three weeks"),
        pytest.param([30 * month + (month * 7) % 11 for month in range(24)], id="monthly with jitter for two years"),
    ],
)
def test_evidence_over_the_whole_life_is_stable(days):
    assert stability(days) > 0.6


def test_forty_random_days_over_a_year_are_stable_for_95_of_100_seeds():
    stable = sum(stability(sorted(random.Random(seed).sample(range(365), 40))) > 0.6 for seed in range(200))
    assert stable >= 190


def test_how_many_events_a_day_holds_does_not_matter_to_stability():
    once = daily(range(1, 12))
    often = once + [a_piece(on_day(3, minute / 60)) for minute in range(50)]
    assert folded(often).signals.stability == folded(once).signals.stability


@given(active_days, st.integers(0, 1000))
def test_stability_is_the_same_at_another_pace_and_date(days, shift):
    assert stability([7 * day + shift for day in days]) == stability(days)


@given(active_days)
def test_stability_is_a_share(days):
    assert 0.0 <= stability(days) < 1.0


# removal cost


def test_one_plain_observation_is_cheap_to_lose_in_any_scope():
    for scope in (None, *Scope, "planet"):
        assert folded([a_piece(on_day(1), scope=scope)]).signals.removal_cost < 0.10


@pytest.mark.parametrize("scope", [None, *Scope])
def test_three_errors_in_one_session_cost_a_tenth_to_a_quarter(scope):
    errors = [a_piece(on_day(1, hour), "error", session="s1", scope=scope) for hour in (1, 2, 3)]
    assert 0.10 <= folded(errors).signals.removal_cost <= 0.25


def test_one_explicit_decision_costs_four_tenths():
    assert folded([a_piece(on_day(1), "decision")]).signals.removal_cost >= 0.40


def test_thirty_observations_in_twelve_sessions_cost_more_than_half():
    observed = [a_piece(on_day(1 + place, 12), session=f"s{place % 12}") for place in range(30)]
    assert folded(observed).signals.removal_cost > 0.50


def test_a_wider_scope_costs_more():
    costs = [folded([a_piece(on_day(1), scope=scope)]).signals.removal_cost for scope in ("local", "system", "infra")]
    assert costs == sorted(set(costs))


def test_a_fixed_error_costs_more_than_an_open_one():
    errors = [a_piece(on_day(1, hour), "error", session="s") for hour in (1, 2, 3)]
    fixed = [*errors, a_piece(on_day(1, 4), "result", session="s")]
    failed = [*errors, a_piece(on_day(1, 4), session="s")]
    assert folded(fixed).signals.removal_cost > folded(failed).signals.removal_cost


def test_each_kind_of_loss_adds():
    known = {"fixed_errors": 1, "open_errors": 1, "commits": 1, "sessions": 2, "decisions": 1}
    cost = removal_cost(**known, scope=Scope.SYSTEM)
    for name, count in known.items():
        assert removal_cost(**{**known, name: count + 1}, scope=Scope.SYSTEM) > cost


def test_a_success_at_the_same_instant_fixes_an_error_whatever_their_ids():
    one = [a_piece(on_day(1), "error", event="a"), a_piece(on_day(1), "result", event="b")]
    other = [a_piece(on_day(1), "error", event="b"), a_piece(on_day(1), "result", event="a")]
    assert folded(one).signals == folded(other).signals


# utility and opposition


def test_evidence_that_opposes_shows_in_utility_only():
    support = daily(range(1, 12))
    opposing = daily(range(3, 9), "error", bearing=Bearing.OPPOSES, session="other", scope="infra")
    plain, opposed = folded(support).signals, folded(support + opposing).signals
    assert opposed.opposed == 6
    assert opposed.utility < plain.utility
    for name in (
        "frequency",
        "active_days",
        "lifetime_days",
        "coverage",
        "stability",
        "removal_cost",
        "stretch",
        "scope",
    ):
        assert getattr(opposed, name) == getattr(plain, name)


def test_evidence_of_either_bearing_is_seen_and_mentions_are_not():
    evidence = [
        *daily([2], bearing=Bearing.OPPOSES),
        *daily([3]),
        *daily([5], bearing=Bearing.OPPOSES),
        *daily([1, 9], bearing=Bearing.MENTIONS),
    ]
    signals = folded(evidence).signals
    assert (signals.first_seen, signals.last_seen) == (on_day(2, 12), on_day(5, 12))
    assert (signals.frequency, signals.opposed) == (1, 2)


def test_a_stream_that_was_only_mentioned_is_a_pattern_without_support():
    maturity = folded(daily([1, 4], bearing=Bearing.MENTIONS))
    assert (maturity.phase, maturity.signals.frequency) == (Phase.PATTERN, 0)
    assert maturity.signals.last_seen == on_day(4, 12)


def test_no_evidence_is_refused():
    with pytest.raises(ValueError, match="without evidence"):
        folded([])


def test_utility_grows_with_success_and_reinforcement():
    plain = utility(successes=2, failures=2, active_days=4, lifetime_days=8)
    assert utility(successes=3, failures=2, active_days=4, lifetime_days=8) > plain
    assert utility(successes=2, failures=3, active_days=4, lifetime_days=8) < plain
    assert utility(successes=2, failures=2, active_days=5, lifetime_days=8) > plain
    assert utility(successes=2, failures=2, active_days=4, lifetime_days=16) < plain


def test_a_fix_is_worth_more_than_another_commit_and_less_than_a_success_that_was_seen():
    days = range(1, 9)
    plain = folded(daily(days, "commit")).signals
    fixes = folded(daily(days, "commit", is_fix=True)).signals
    seen = folded(daily(days, "commit", is_fix=True, outcome=1.0)).signals
    assert plain.utility < fixes.utility < seen.utility


def test_a_fix_that_failed_is_no_success():
    failed = folded(daily(range(1, 9), "commit", is_fix=True, outcome=0.0)).signals
    assert failed.utility < folded(daily(range(1, 9), "commit")).signals.utility


# stretch


@pytest.mark.parametrize(
    ("gap", "lifetime", "expected"),
    [(1, 17, 1.0), (7, 17, 1.0), (14, 17, 2.0), (1, 360, 2.0), (42, 10, 6.0), (90, 10, 6.0), (1, 5000, 6.0)],
)
def test_silence_is_stretched_by_gap_or_life_within_bounds(gap, lifetime, expected):
    assert stretch(gap, lifetime, POLICY) == expected


def test_a_stretch_of_one_is_the_plain_rule():
    assert stretch(90, 5000, Policy(stretch_max=1.0)) == 1.0


def test_the_usual_gap_is_the_upper_quartile():
    assert usual_gap_days([0], POLICY) == 1.0
    assert usual_gap_days([0, 1, 2, 3, 13], POLICY) == 10.0
    assert usual_gap_days([0, 1, 2, 3, 4, 14], POLICY) == 1.0


# laws


@given(some_evidence, st.randoms(use_true_random=False))
def test_the_order_in_which_evidence_arrives_does_not_matter(evidence, shuffler):
    shuffled = shuffler.sample(evidence, len(evidence))
    span = DecisionSpan(claim="cl_1", since=on_day(5), until=on_day(50))
    assert folded(shuffled, decisions=[span]) == folded(evidence, decisions=[span])


@given(some_evidence)
def test_later_evidence_never_lowers_a_phase(evidence):
    order = list(Phase)
    reached = []
    by_time = sorted(evidence, key=lambda one: one.at)
    ends = [len(list(group)) for _, group in groupby(by_time, key=lambda one: one.at)]
    for end in range(len(ends)):
        reached.append(order.index(folded(by_time[: sum(ends[: end + 1])]).phase))
    assert reached == sorted(reached)


@given(some_evidence)
def test_signals_stay_in_their_ranges(evidence):
    signals = folded(evidence).signals
    for name in ("coverage", "stability", "removal_cost", "utility", "base_confidence"):
        assert 0.0 <= getattr(signals, name) <= 1.0
    assert 1.0 <= signals.stretch <= POLICY.stretch_max
    assert signals.base_confidence >= POLICY.min_base_confidence


@given(st.lists(pieces, min_size=1, max_size=25))
def test_the_gates_that_are_shown_agree_with_the_phase(evidence):
    plain = [one for one in evidence if not one.is_explicit]
    if not plain:
        return
    maturity = folded(plain)
    emergent = all(gate.passed for gate in emergent_gates(maturity.signals, POLICY))
    canonical = all(gate.passed for gate in canonical_gates(maturity.signals, False, POLICY))
    assert not emergent or maturity.phase is not Phase.PATTERN
    assert not (emergent and canonical) or maturity.phase is Phase.CANONICAL
