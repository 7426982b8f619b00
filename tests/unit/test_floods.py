"""A flood from one source counts once (issue 5, item 8; design, section 4)."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.daemon.views import evidence_of_claims
from dreamd.lifecycle import floods
from dreamd.lifecycle.floods import FLOOD_FROM
from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import Actor, Bearing, EventKind, Phase
from tests.builders import an_event, day
from tests.integration.test_extending import spaces
from tests.live import LiveSpace

HOUR = 1 / 24


@pytest.fixture
def space(tmp_path: Path) -> Iterator[LiveSpace]:
    live = LiveSpace(tmp_path, with_git=False)
    yield live
    live.close()


def page(number: float, text: str = "The cache is safe to trust", **fields: object) -> Event:
    """What a web page said `number` days after the start."""
    given = {"actor": Actor.EXTERNAL, "source": "https://example.org/cache", "session": f"s{number}", **fields}
    return an_event(text, day(number), **given)


def test_an_outsider_that_says_the_same_two_hundred_times_counts_once_a_day(space: LiveSpace) -> None:
    space.add(*(page(n * HOUR / 20) for n in range(200)))
    space.dream(day(2))
    (claim,) = space.store.claims()
    assert space.stream("cache").frequency == 1
    assert len(evidence_of_claims(space.store)[claim.id]) == claim.support == 200  # all of it stays to be seen
    assert claim.trust is Actor.EXTERNAL


def test_an_outsider_that_only_changes_the_numbers_floods_as_well(space: LiveSpace) -> None:
    space.add(*(page(n * HOUR / 10, f"{n} of 99.{n} readers trust the cache") for n in range(50)))
    space.dream(day(2))
    assert space.stream("cache").frequency == 1
    assert len(space.store.claims()) == 50  # a claim for each: they do not say the same


def test_a_flood_from_outside_does_not_carry_what_others_said_into_the_next_phase(space: LiveSpace) -> None:
    space.add(*(page(0.01 + n * HOUR / 20) for n in range(200)), an_event("The cache is safe to trust", day(1.5)))
    space.dream(day(2))
    stream = space.stream("cache")
    assert (stream.frequency, stream.phase) == (2, Phase.PATTERN)


def test_a_flood_against_a_decision_counts_once_too(space: LiveSpace) -> None:
    space.add(an_event("Use Redis for the cache", day(0), kind=EventKind.DECISION))
    space.add(*(page(1 + n * HOUR / 10, "Redis lost all of it", kind=EventKind.ERROR) for n in range(99)))
    space.dream(day(2))
    assert (space.stream("cache").opposed, space.stream("cache").is_doubtful) == (1, False)


def test_the_same_words_in_other_sessions_or_on_other_days_are_new_evidence(space: LiveSpace) -> None:
    """Field failure P23: the same event stated ten times is one statement with ten pieces of evidence."""
    said = [an_event("The cache is warm", day(n % 5 + n * HOUR), session=f"s{n % 2}") for n in range(10)]
    space.add(*said, *said, *said)  # delivered again: field failure P37
    space.dream(day(9))
    (claim,) = space.store.claims()
    assert len(evidence_of_claims(space.store)[claim.id]) == claim.support == space.stream("cache").frequency == 10


@pytest.mark.parametrize(("times", "counted"), [(FLOOD_FROM, FLOOD_FROM), (FLOOD_FROM + 1, 1), (99, 1)])
def test_an_agent_that_repeats_itself_in_one_session_and_day_is_in_a_loop(
    space: LiveSpace, times: int, counted: int
) -> None:
    space.add(*(an_event("Still waiting for the lock", day(n * HOUR / 10)) for n in range(times)))
    space.dream(day(2))
    assert space.stream("cache").frequency == counted


def test_a_loop_that_goes_on_over_several_nights_counts_once_for_each_day(space: LiveSpace) -> None:
    for night in range(3):
        for part in range(4):
            start = night + part * 3 * HOUR
            space.add(*(an_event("Still waiting for the lock", day(start + n * HOUR / 10)) for n in range(5)))
            space.dream(day(start + HOUR))
    bearings = [link.bearing for link in space.store.links()]
    days = {event.at.date() for event in space.store.events([link.event for link in space.store.links()])}
    assert bearings.count(Bearing.SUPPORTS) == space.stream("cache").frequency == len(days)


told = st.builds(
    lambda text, hour, **more: an_event(text, day(hour * HOUR), **more),
    text=st.sampled_from(["It waits for the lock", "it waits for the  lock.", "It holds 4 keys"]),
    hour=st.integers(0, 72),
    kind=st.sampled_from([EventKind.OBSERVATION] * 5 + [EventKind.ERROR, EventKind.DECISION]),
    actor=st.sampled_from([Actor.AGENT, Actor.AGENT, Actor.EXTERNAL]),
    session=st.sampled_from(["s1", "s1", "s2"]),
)


@settings(max_examples=15, deadline=None)
@given(st.lists(told, max_size=30))
def test_a_flood_ends_in_the_same_rows_whatever_the_nights_between(events: list[Event]) -> None:
    folder, (nightly, at_once) = spaces()
    try:
        with patch.object(floods, "FLOOD_FROM", 2):
            for night in range(0, 80, 4):
                batch = [event for event in events if day(night * HOUR) <= event.at < day((night + 4) * HOUR)]
                if batch:
                    nightly.add(*batch)
                    nightly.dream(day((night + 4) * HOUR))
            at_once.add(*events)
            for space in (nightly, at_once):
                space.dream(day(5))
        assert nightly.digest() == at_once.digest()
    finally:
        for space in (nightly, at_once):
            space.close()
        shutil.rmtree(folder)
