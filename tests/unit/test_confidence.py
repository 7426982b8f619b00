from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.lifecycle.confidence import base_confidence, confidence_at, effective_silence_days, fading
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.words import DecayClass
from tests.stories import a_stream, on_day, waking

POLICY = Policy()
CALENDAR = Policy(silence="calendar")
days = st.floats(min_value=0, max_value=400, allow_nan=False)


@pytest.mark.parametrize(
    ("silence_days", "expected"),
    [(0, 0.0), (7, 0.0), (14, 0.05), (21, 0.10), (30, 0.05 / 7 * 23), (44, 0.05 / 7 * 23 + 0.20)],
)
def test_fading_is_linear_in_two_stretches(silence_days, expected):
    assert fading(silence_days, DecayClass.ACTIVE, POLICY) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("decay_class", "share"),
    [
        (DecayClass.PERMANENT, 0.0),
        (DecayClass.STABLE, 0.25),
        (DecayClass.ACTIVE, 1.0),
        (DecayClass.SESSION, 1.0),
        (DecayClass.CHECKPOINT, 1.0),
    ],
)
def test_a_decay_class_takes_its_share_of_fading(decay_class, share):
    assert fading(44, decay_class, POLICY) == pytest.approx(share * fading(44, DecayClass.ACTIVE, POLICY))


def test_base_confidence_weighs_its_parts_and_has_floors():
    parts = {"utility": 0.5, "removal_cost": 0.5, "stability": 1.0}
    assert base_confidence(**parts, floor=0.0, policy=POLICY) == pytest.approx(0.6)
    assert base_confidence(**parts, floor=0.7, policy=POLICY) == 0.7
    assert base_confidence(utility=0, removal_cost=0, stability=0, floor=0.0, policy=POLICY) == 0.10


def test_silence_is_divided_by_the_stretch():
    stream = a_stream(last_seen=on_day(1), stretch=2.0)
    assert effective_silence_days(stream, on_day(29), (), CALENDAR) == 14.0


def test_a_future_date_does_not_fade_before_it_comes():
    stream = a_stream(last_seen=on_day(100), base_confidence=0.5)
    assert effective_silence_days(stream, on_day(1), (), CALENDAR) == 0.0
    assert confidence_at(stream, on_day(1), (), CALENDAR) == 0.5


def test_confidence_is_never_negative():
    assert confidence_at(a_stream(last_seen=on_day(1)), on_day(1000), (), CALENDAR) == 0.0


def test_a_space_that_sleeps_forgets_nothing():
    stream = a_stream(last_seen=on_day(1), base_confidence=0.7)
    assert confidence_at(stream, on_day(500), waking(on_day(1)), POLICY) == 0.7


@given(days, days, st.floats(1, 6), st.sampled_from(list(DecayClass)))
def test_confidence_only_falls_with_silence(one, other, stretch, decay_class):
    stream = a_stream(last_seen=on_day(1), base_confidence=0.9, stretch=stretch, decay_class=decay_class)
    sooner, later = (on_day(1) + timedelta(days=number) for number in sorted((one, other)))
    assert confidence_at(stream, sooner, (), CALENDAR) >= confidence_at(stream, later, (), CALENDAR)


@given(days, st.floats(0.1, 1), st.floats(0.1, 1))
def test_what_was_surer_stays_surer(silence, one, other):
    weaker, stronger = (a_stream(last_seen=on_day(1), base_confidence=base) for base in sorted((one, other)))
    now = on_day(1) + timedelta(days=silence)
    assert confidence_at(weaker, now, (), CALENDAR) <= confidence_at(stronger, now, (), CALENDAR)
