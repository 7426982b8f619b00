from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.waking import chains, counted, instant_after, merge_chains, waking_days, waking_intervals

START = datetime(2026, 1, 1, tzinfo=UTC)
MICRO = timedelta(microseconds=1)
WINDOW = 7.0

instants = st.integers(min_value=0, max_value=200 * 24 * 60).map(lambda minutes: START + timedelta(minutes=minutes))
many_instants = st.lists(instants, max_size=30)
durations = st.floats(min_value=0, max_value=100, allow_nan=False)


def day(number: float) -> datetime:
    return START + timedelta(days=number)


def waking(*days: float) -> tuple[tuple[datetime, datetime], ...]:
    return waking_intervals(chains([day(number) for number in days], WINDOW), WINDOW)


@pytest.mark.parametrize(
    ("gap", "expected"),
    [
        (timedelta(days=7) - MICRO, 1),
        (timedelta(days=7), 1),
        (timedelta(days=7) + MICRO, 2),
    ],
)
def test_a_gap_of_the_window_still_holds_a_chain_together(gap, expected):
    assert len(chains([START, START + gap], WINDOW)) == expected


def test_a_space_is_awake_until_a_window_after_its_last_event():
    assert waking(0, 3, 20) == ((day(0), day(10)), (day(20), day(27)))


def test_an_event_between_two_chains_joins_them():
    assert merge_chains(chains([day(0), day(12)], WINDOW), [day(6)], WINDOW) == ((day(0), day(12)),)


def test_two_months_shut_lose_seven_days_only():
    assert waking_days(waking(0, 60), day(0), day(60)) == WINDOW


def test_silence_before_it_begins_is_none():
    assert waking_days(waking(0), day(3), day(1)) == 0.0
    assert waking_days(None, day(3), day(1)) == 0.0


def test_under_the_calendar_rule_every_instant_counts():
    clock = counted(waking(0), Policy(silence="calendar"))
    assert waking_days(clock, day(0), day(60)) == 60.0
    assert instant_after(clock, day(0), 60.0) == day(60)


def test_a_space_that_sleeps_does_not_reach_more_days():
    assert instant_after(waking(0), day(0), 7.0) == day(7)
    assert instant_after(waking(0), day(0), 7.0 + 1e-9) is None


def test_time_asleep_is_skipped():
    assert instant_after(waking(0, 60), day(0), 8.0) == day(61)


def test_an_instant_beyond_the_calendar_is_never_reached():
    assert instant_after(None, day(0), 4_000_000.0) is None


@given(many_instants)
def test_waking_intervals_are_disjoint_and_ascending(at):
    intervals = waking_intervals(chains(at, WINDOW), WINDOW)
    assert all(one[1] < other[0] for one, other in pairwise(intervals))


@given(many_instants, st.integers(min_value=1, max_value=5), st.randoms(use_true_random=False))
def test_any_batching_and_order_gives_the_chains_of_all(at, batches, random):
    shuffled = random.sample(at, len(at))
    merged: tuple[tuple[datetime, datetime], ...] = ()
    for batch in range(batches):
        merged = merge_chains(merged, shuffled[batch::batches], WINDOW)
    assert merged == chains(at, WINDOW)


@given(many_instants, instants, instants, instants)
def test_waking_time_adds_up(at, one, two, three):
    start, middle, end = sorted((one, two, three))
    intervals = waking_intervals(chains(at, WINDOW), WINDOW)
    parts = waking_days(intervals, start, middle) + waking_days(intervals, middle, end)
    assert abs(waking_days(intervals, start, end) - parts) < 1e-9


@given(many_instants, instants)
def test_an_instant_counts_if_an_event_lies_at_most_a_window_before(at, now):
    intervals = waking_intervals(chains(at, WINDOW), WINDOW)
    is_awake = any(timedelta() <= now - event <= timedelta(days=WINDOW) for event in at)
    assert any(first <= now <= last for first, last in intervals) == is_awake


@given(many_instants, instants, durations)
def test_the_instant_after_is_the_first_that_has_the_wanted_waking_time(at, start, wanted):
    intervals = waking_intervals(chains(at, WINDOW), WINDOW)
    instant = instant_after(intervals, start, wanted)
    if instant is None:
        assert waking_days(intervals, start, day(1000)) < wanted
    else:
        assert waking_days(intervals, start, instant) >= wanted
        assert instant == start or waking_days(intervals, start, instant - MICRO) < wanted
