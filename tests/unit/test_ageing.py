from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.lifecycle.ageing import DECAYING, DORMANT, FADED, aged, due_at, vitality_at
from dreamd.lifecycle.confidence import confidence_at
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.values import Claim
from dreamd.lifecycle.words import Actor, ClaimKind, ClaimStatus, DecayClass, EventKind, Phase, Status, Vitality
from tests.stories import a_piece, a_stream, on_day, told, waking

POLICY = Policy()
CALENDAR = Policy(silence="calendar")
MICRO = timedelta(microseconds=1)

streams = st.builds(
    a_stream,
    last_seen=st.just(on_day(1)),
    base_confidence=st.floats(0.1, 1),
    stretch=st.floats(1, 6),
    decay_class=st.sampled_from([DecayClass.ACTIVE, DecayClass.STABLE, DecayClass.PERMANENT]),
    is_protected=st.booleans(),
)
nows = st.integers(0, 3000 * 24 * 60).map(lambda minutes: on_day(1) + timedelta(minutes=minutes))
clocks = st.lists(st.floats(0, 900, allow_nan=False), max_size=20).map(
    lambda events: waking(on_day(1), *(on_day(1) + timedelta(days=number) for number in events))
)


@pytest.mark.parametrize("stretch", [1.0, 1.7, 6.0])
@pytest.mark.parametrize(
    ("silence_days", "before", "after"),
    [(7, Vitality.ACTIVE, Vitality.DECAYING), (30, Vitality.DECAYING, Vitality.DORMANT)],
)
def test_a_bound_belongs_to_the_more_silent_side(silence_days, before, after, stretch):
    stream = a_stream(last_seen=on_day(1), stretch=stretch)
    bound = on_day(1) + timedelta(days=silence_days * stretch)
    assert vitality_at(stream, bound - MICRO, (), CALENDAR) is before
    assert vitality_at(stream, bound, (), CALENDAR) is after


def test_crossings_carry_their_true_instants():
    stream = a_stream(last_seen=on_day(1), base_confidence=0.5)
    looked = aged(stream, on_day(300), (), CALENDAR)
    kinds = [kind for kind, _ in looked.crossings]
    instants = [instant for _, instant in looked.crossings]
    assert kinds == [DECAYING, DORMANT, FADED]
    assert instants[:2] == [on_day(8), on_day(31)]
    assert (looked.vitality, looked.status, looked.crossed_at) == (Vitality.DORMANT, Status.FADED, instants[2])


def test_what_is_met_exactly_is_not_yet_below():
    base = 0.10 + 23 * POLICY.early_fading_per_day + 14 * POLICY.late_fading_per_day
    stream = a_stream(last_seen=on_day(1), base_confidence=base)
    assert aged(stream, on_day(45), (), CALENDAR).status is Status.ACTIVE
    assert aged(stream, on_day(45) + timedelta(milliseconds=1), (), CALENDAR).status is Status.FADED


def test_the_least_sure_fade_no_sooner_than_they_are_dormant():
    stream = a_stream(last_seen=on_day(1), base_confidence=0.10)
    assert aged(stream, on_day(1), (), CALENDAR).status is Status.ACTIVE
    assert aged(stream, on_day(31) - MICRO, (), CALENDAR).status is Status.ACTIVE
    assert aged(stream, on_day(31), (), CALENDAR).crossings[-2:] == ((DORMANT, on_day(31)), (FADED, on_day(31)))


def test_what_is_protected_ages_but_never_fades_away():
    stream = a_stream(last_seen=on_day(1), base_confidence=0.3, is_protected=True)
    looked = aged(stream, on_day(900), (), CALENDAR)
    assert (looked.vitality, looked.status) == (Vitality.DORMANT, Status.ACTIVE)
    assert confidence_at(stream, on_day(900), (), CALENDAR) == 0.0


def test_what_is_permanent_never_fades():
    stream = a_stream(last_seen=on_day(1), base_confidence=0.1, decay_class=DecayClass.PERMANENT)
    assert aged(stream, on_day(9000), (), CALENDAR).status is Status.ACTIVE
    assert due_at(stream, (), on_day(40), (), CALENDAR) is None


@pytest.mark.parametrize("status", [Status.FORGOTTEN, Status.MERGED])
def test_what_a_person_forgot_and_what_was_merged_does_not_age(status):
    stream = a_stream(last_seen=on_day(1), status=status, crossed_at=on_day(2))
    looked = aged(stream, on_day(900), (), CALENDAR)
    assert (looked.status, looked.vitality, looked.crossed_at, looked.crossings) == (
        status,
        Vitality.ACTIVE,
        on_day(2),
        (),
    )
    assert due_at(stream, (), on_day(3), (), CALENDAR) is None


def test_evidence_to_come_does_not_age():
    assert aged(a_stream(last_seen=on_day(9)), on_day(1), (), CALENDAR).crossings == ()


# due


def test_due_is_the_next_crossing_if_every_day_is_awake():
    stream = a_stream(last_seen=on_day(1), base_confidence=0.5)
    faded = aged(stream, on_day(900), (), CALENDAR).crossed_at
    assert due_at(stream, (), on_day(1), (), CALENDAR) == on_day(8)
    assert due_at(stream, (), on_day(8), (), CALENDAR) == on_day(31)
    assert due_at(stream, (), on_day(31), (), CALENDAR) == faded
    assert due_at(stream, (), faded, (), CALENDAR) is None


def test_a_space_that_sleeps_is_due_when_it_could_have_woken():
    stream = a_stream(last_seen=on_day(1))
    assert due_at(stream, (), on_day(100), waking(on_day(1)), POLICY) == on_day(123)


@pytest.mark.parametrize(
    ("decay", "status", "is_due"),
    [
        (DecayClass.SESSION, ClaimStatus.CURRENT, True),
        (DecayClass.CHECKPOINT, ClaimStatus.CURRENT, True),
        (DecayClass.ACTIVE, ClaimStatus.CURRENT, False),
        (DecayClass.SESSION, ClaimStatus.SUPERSEDED, False),
    ],
)
def test_a_short_lived_claim_is_due_when_its_time_is_over(decay, status, is_due):
    claim = a_claim(decay=decay, status=status, valid_to=on_day(2))
    expected = on_day(2) if is_due else on_day(8)
    assert due_at(a_stream(last_seen=on_day(1)), (claim,), on_day(1), (), CALENDAR) == expected


def a_claim(**fields) -> Claim:
    known = {
        "id": "cl_1",
        "space": "default",
        "stream": "st_1",
        "text": "The queue is paused",
        "kind": ClaimKind.FACT,
        "origin": EventKind.OBSERVATION,
        "group": "gr_1",
        "stated_in": "ev_1",
        "slot": None,
        "value": None,
        "valid_from": on_day(1),
        "recorded_at": on_day(1),
        "retracted_at": None,
        "last_at": on_day(1),
        "support": 1,
        "days": 1,
        "trust": Actor.AGENT,
        "supersedes": None,
        "closed_by": None,
    }
    return Claim(**{**known, **fields})


# laws


@given(streams, nows, clocks)
def test_status_and_vitality_are_what_silence_and_confidence_say(stream, now, clock):
    looked = aged(stream, now, clock, POLICY)
    below = confidence_at(stream, now, clock, POLICY) < POLICY.faded_below_confidence - 1e-12
    is_faded = below and looked.vitality is Vitality.DORMANT and not stream.is_protected
    assert looked.status is (Status.FADED if is_faded else Status.ACTIVE)
    kinds = {kind for kind, _ in looked.crossings}
    assert (DECAYING in kinds) is (looked.vitality is not Vitality.ACTIVE)
    assert (DORMANT in kinds) is (looked.vitality is Vitality.DORMANT)


@given(streams, nows, clocks)
def test_each_crossing_is_the_first_instant_at_which_it_holds(stream, now, clock):
    for kind, instant in aged(stream, now, clock, POLICY).crossings:
        before = aged(stream, instant - MICRO, clock, POLICY)
        at = aged(stream, instant, clock, POLICY)
        assert kind in {known for known, _ in at.crossings}
        assert kind not in {known for known, _ in before.crossings}


@given(streams, st.lists(nows, min_size=1, max_size=10), clocks)
def test_ageing_at_any_cadence_gives_equal_rows(stream, looks, clock):
    *between, end = sorted(looks)
    row = stream
    for now in between:
        looked = aged(row, now, clock, POLICY)
        row = replace(row, vitality=looked.vitality, status=looked.status, crossed_at=looked.crossed_at)
    assert aged(row, end, clock, POLICY) == aged(stream, end, clock, POLICY)


@given(streams, nows, nows, clocks)
def test_nothing_crosses_before_it_is_due(stream, one, other, clock):
    now, later = sorted((one, other))
    due = due_at(stream, (), now, clock, POLICY)
    new = [instant for _, instant in aged(stream, later, clock, POLICY).crossings if instant > now]
    assert not new or (due is not None and due <= new[0])


# the golden story, on pure functions


def redis():
    """The evidence of `redis_caching`: six errors, two ways out, then a success on each day."""
    errors = [(1, 14), (1, 16), (1, 19), (2, 2 + 1 / 6), (2, 6.5), (3, 10)]
    results = [(2, 13), *((day, 11 + (day % 4)) for day in range(4, 17)), (17, 12)]
    return [
        *(a_piece(on_day(day, hour), "error") for day, hour in errors),
        *(a_piece(on_day(day, hour), "result") for day, hour in results),
        a_piece(on_day(3, 13), "commit", is_fix=True, outcome=1.0),
    ]


CHECKOUT = tuple(on_day(day, 15) for day in (*range(2, 17, 3), *range(17, 100, 3)))


def end_of(day: int) -> datetime:
    return on_day(day, 24) - timedelta(minutes=1)


@pytest.mark.parametrize(
    ("day", "phase", "vitality", "least", "most", "status"),
    [
        (1, Phase.PATTERN, Vitality.ACTIVE, 0.10, 0.30, Status.ACTIVE),
        (2, Phase.PATTERN, Vitality.ACTIVE, 0.10, 0.40, Status.ACTIVE),
        (3, Phase.EMERGENT, Vitality.ACTIVE, 0.25, 0.70, Status.ACTIVE),
        (9, Phase.EMERGENT, Vitality.ACTIVE, 0.30, 0.85, Status.ACTIVE),
        (17, Phase.CANONICAL, Vitality.ACTIVE, 0.60, 0.85, Status.ACTIVE),
        (23, Phase.CANONICAL, Vitality.ACTIVE, 0.60, 0.85, Status.ACTIVE),
        (25, Phase.CANONICAL, Vitality.DECAYING, 0.10, 0.85, Status.ACTIVE),
        (46, Phase.CANONICAL, Vitality.DECAYING, 0.10, 0.85, Status.ACTIVE),
        (48, Phase.CANONICAL, Vitality.DORMANT, 0.10, 0.85, Status.ACTIVE),
        (60, Phase.CANONICAL, Vitality.DORMANT, 0.10, 0.85, Status.ACTIVE),
        (90, Phase.CANONICAL, Vitality.DORMANT, 0.0, 0.0999, Status.FADED),
    ],
)
def test_the_golden_story(day, phase, vitality, least, most, status):
    stream, confidence = told(redis(), CHECKOUT, end_of(day))
    assert (stream.phase, stream.vitality, stream.status) == (phase, vitality, status)
    assert least <= confidence <= most


def test_the_golden_story_loses_confidence_from_day_24_on():
    shown = {day: told(redis(), CHECKOUT, end_of(day))[1] for day in (17, 23, 25, 46, 48)}
    assert shown[23] == shown[17]
    assert shown[17] > shown[25] > shown[46] > shown[48]


@pytest.mark.parametrize(("day", "least", "most"), [(3, 0.35, 1.0), (17, 0.55, 0.75)])
def test_what_the_golden_story_would_cost_to_lose(day, least, most):
    assert least <= told(redis(), CHECKOUT, end_of(day))[0].removal_cost <= most


def test_an_event_on_day_91_brings_the_same_stream_back():
    back, _ = told([*redis(), a_piece(on_day(91, 12), "result")], CHECKOUT, end_of(91))
    assert (back.phase, back.vitality, back.status) == (Phase.CANONICAL, Vitality.ACTIVE, Status.ACTIVE)


def test_without_other_work_the_golden_story_falls_asleep():
    on_17, on_90 = (told(redis(), (), end_of(day)) for day in (17, 90))
    assert on_90[0].vitality is Vitality.DECAYING
    assert on_90[1] == on_17[1]
