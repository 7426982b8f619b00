"""Rows and plans survive JSON exactly."""

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.lifecycle.codec import (
    TABLES,
    event_from_json,
    event_to_json,
    instant_to_json,
    near_miss_from_json,
    near_miss_to_json,
    plan_from_json,
    plan_to_json,
    row_from_json,
    row_to_json,
    subject_of,
    table_of,
)
from dreamd.lifecycle.plan import Gate, NearMiss, Plan, Subject
from dreamd.lifecycle.values import Event

instants = st.datetimes(min_value=datetime(1990, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - a bound is naive
jsons = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()


def through_text(data):
    return json.loads(json.dumps(data))


def built(cls):
    """Any value of a class; times in UTC, floats finite."""
    return st.builds(cls)


st.register_type_strategy(datetime, instants)
st.register_type_strategy(float, st.floats(allow_nan=False, allow_infinity=False))
events = st.builds(Event, extra=st.dictionaries(st.text(), jsons | st.lists(jsons)))


@pytest.mark.parametrize("table", sorted(TABLES))
@given(data=st.data())
def test_every_row_comes_back_as_it_was(table, data):
    row = data.draw(built(TABLES[table]))
    assert row_from_json(table, through_text(row_to_json(row))) == row
    assert table_of(row) == table
    assert subject_of(row) == Subject(table, row.id)


@given(events)
def test_every_event_comes_back_as_it_was(event):
    assert event_from_json(through_text(event_to_json(event))) == event


@given(st.builds(NearMiss, gates=st.lists(built(Gate)).map(tuple)))
def test_every_near_miss_comes_back_as_it_was(miss):
    assert near_miss_from_json(through_text(near_miss_to_json(miss))) == miss


@given(st.lists(instants, min_size=2, max_size=2))
def test_the_text_order_of_instants_is_their_time_order(pair):
    assert sorted(map(instant_to_json, pair)) == [instant_to_json(one) for one in sorted(pair)]


def test_an_instant_is_written_in_utc():
    there = datetime(2026, 1, 1, 9, tzinfo=timezone(timedelta(hours=9)))
    assert instant_to_json(there) == "2026-01-01T00:00:00.000000+00:00"


@given(st.builds(Plan, changes=st.just(()), near_misses=st.just(())))
def test_every_plan_head_comes_back_as_it_was(plan):
    assert plan_from_json(through_text(plan_to_json(plan))) == plan


def test_an_unknown_table_and_a_missing_field_are_refused():
    with pytest.raises(KeyError, match="ghost"):
        row_from_json("ghost", {})
    with pytest.raises(KeyError, match="id"):
        row_from_json("pin", {})
