"""The store on a real SQLite file: what is written comes back, and one writer wins."""

import sqlite3
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy.exc import IntegrityError

from dreamd.daemon.storage.apply import Applied, Stale
from dreamd.daemon.storage.errors import BrokenInvariant, StorageError, StoreBusy, StoreDrift, StoreTooNew
from dreamd.daemon.storage.store import Store
from dreamd.lifecycle.codec import TABLES, subject_of
from dreamd.lifecycle.plan import PLAN_SCHEMA, Change, Counts, Plan
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.values import Event, Hold, Link, Stream
from dreamd.lifecycle.words import Actor, Bearing, EventKind, Trigger

START = datetime(2026, 3, 1, tzinfo=UTC)
INSTANTS = st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
TEXTS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=8)


@pytest.fixture
def store(tmp_path):
    opened = Store.open(tmp_path / "dreamd.db", window_days=7.0)
    yield opened
    opened.close()


def an_event(number, space="ops", **given_fields):
    known = {
        "id": f"ev_{number:016x}", "space": space, "at": START + timedelta(days=number, microseconds=1),
        "recorded_at": START, "kind": EventKind.OBSERVATION, "text": "it is warm", "actor": Actor.AGENT,
        "source": "s", "digest": f"d{number}",
    }  # fmt: skip
    return Event(**{**known, **given_fields})


def a_link(number, space="ops", stream=None):
    event = f"ev_{number:016x}"
    return Link(
        id=f"ln_{number}", space=space, event=event, stream=stream, claim=None, bearing=Bearing.MENTIONS,
        rule="noise", score=0.5,
    )  # fmt: skip


def a_plan(head, *pairs, run="run_1", space="ops"):
    changes = tuple(
        Change(subject=subject_of(after or before), before=before, after=after, because="so", kinds=("create",))
        for before, after in pairs
    )
    return Plan(
        schema=PLAN_SCHEMA, run=run, number=head.number + 1, space=space, base=head.run, now=START,
        trigger=Trigger.DREAM, reverts=None, policy_digest="p", findings_digest="f", changes=changes, fused=0,
        proposals=(), near_misses=(), problems=(), counts=Counts(),
    )  # fmt: skip


def values_of(hint):
    if get_origin(hint) is UnionType:
        return st.none() | values_of(get_args(hint)[0])
    if get_origin(hint) is tuple:
        return st.lists(TEXTS, max_size=2).map(tuple)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return st.sampled_from(hint)
    plain = {
        str: TEXTS, datetime: INSTANTS, bool: st.booleans(), int: st.integers(0, 2**31 - 1),
        float: st.floats(allow_nan=False, allow_infinity=False),
    }  # fmt: skip
    return plain[hint]


def rows(kind):
    hints = get_type_hints(kind)
    return st.fixed_dictionaries({field.name: values_of(hints[field.name]) for field in fields(kind)}).map(
        lambda found: kind(**found)
    )


STANDS_ALONE = sorted(set(TABLES) - {"claim", "link"})


@settings(max_examples=20)
@given(data=st.data())
def test_every_row_comes_back_exactly_and_its_inverse_restores_the_digest(data, tmp_path_factory):
    opened = Store.open(tmp_path_factory.mktemp("s") / "d.db", window_days=7.0)
    space = opened.space("ops")
    before = space.digest()
    made = [replace(data.draw(rows(TABLES[name])), space="ops", id=f"x_{name}") for name in STANDS_ALONE]
    stream = next(row for row in made if isinstance(row, Stream))
    made.append(replace(data.draw(rows(TABLES["claim"])), space="ops", id="cl_1", stream=stream.id))
    space.apply(a_plan(space.head(), *((None, row) for row in made)), due={}, check=lambda _: [])
    assert [change.after for change in space.changes(1)] == made
    # Drift would be raised if a stored row were not what the plan says.
    undo = a_plan(space.head(), *((row, None) for row in made), run="run_2")
    assert isinstance(space.apply(undo, due={}, check=lambda _: []), Applied)
    assert space.digest() == before
    opened.close()


@settings(max_examples=20)
@given(sizes=st.lists(st.integers(1, 4), max_size=4), repeats=st.lists(st.integers(0, 5), max_size=6))
def test_events_are_the_same_in_any_batching(sizes, repeats, tmp_path_factory):
    opened = Store.open(tmp_path_factory.mktemp("s") / "d.db", window_days=1.0)
    space = opened.space("ops")
    given_events = [an_event(number * 2) for number in [*repeats, *range(6)]]
    for size in [*sizes, len(given_events)]:
        space.add_events(given_events[:size])
        given_events = given_events[size:] or given_events
    expected = [an_event(number * 2) for number in range(6)]
    assert space.unexamined(START + timedelta(days=99)) == expected
    assert len(space.waking(Policy(waking_window_days=1.0))) == len(expected)
    assert space.waking(Policy(waking_window_days=1.0)) == tuple(
        (event.at, event.at + timedelta(days=1)) for event in expected
    )
    opened.close()


def test_another_content_under_a_known_id_is_a_conflict_and_the_first_stays(store):
    space = store.space("ops")
    first, other = an_event(1), an_event(1, text="cold", digest="other")
    assert [found.outcome for found in space.add_events([first, first, other])] == ["new", "duplicate", "conflict"]
    assert space.events([first.id]) == [first]


def test_of_two_plans_on_one_head_one_is_applied_and_one_is_stale(store):
    space = store.space("ops")
    space.add_events([an_event(1), an_event(2)])
    head = space.head()
    assert isinstance(space.apply(a_plan(head, (None, a_link(1))), due={}), Applied)
    lost = space.apply(a_plan(head, (None, a_link(2)), run="run_2"), due={})
    assert isinstance(lost, Stale)
    assert lost.head.run == "run_1"
    assert [link.id for link in space.links()] == ["ln_1"]


@settings(max_examples=20)
@given(steps=st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["link", "hold"])), max_size=8))
def test_the_unexamined_list_equals_its_definition_after_any_history(steps, tmp_path_factory):
    opened = Store.open(tmp_path_factory.mktemp("s") / "d.db", window_days=7.0)
    space = opened.space("ops")
    there: dict[str, Any] = {}
    space.add_events([an_event(number) for number in range(4)])
    for index, (number, kind) in enumerate(steps):
        event = f"ev_{number:016x}"
        hold = Hold(
            id=f"ho_{number}", space="ops", kind="link", subject="x", stream=None, event=event, evidence_digest="",
            run="r",
        )  # fmt: skip
        row = a_link(number) if kind == "link" else hold
        pair = (there.pop(row.id), None) if row.id in there else (None, row)
        if pair[1] is not None:
            there[row.id] = row
        space.apply(a_plan(space.head(), pair, run=f"run_{index}"), due={})
        known = {row.event for row in there.values()}
        left = [found.id for found in space.unexamined(START + timedelta(days=9))]
        assert left == [f"ev_{n:016x}" for n in range(4) if f"ev_{n:016x}" not in known]
    opened.close()


def test_a_link_into_another_space_cannot_be_stored(store):
    store.space("home").add_events([an_event(1, space="home")])
    space = store.space("ops")
    with pytest.raises(IntegrityError):
        space.apply(a_plan(space.head(), (None, a_link(1))), due={}, check=lambda _: [])
    assert space.links() == []
    assert space.head().run == ""


def test_a_broken_invariant_and_a_drifted_row_leave_nothing(store):
    space = store.space("ops")
    space.add_events([an_event(1)])
    with pytest.raises(BrokenInvariant):
        space.apply(a_plan(space.head(), (None, a_link(1))), due={}, check=lambda _: ["bad"])
    with pytest.raises(StoreDrift):
        space.apply(a_plan(space.head(), (a_link(1), None)), due={})
    assert (space.head().number, space.links(), space.runs()) == (0, [], [])


def test_a_reader_sees_one_state_while_a_writer_commits(store):
    from dreamd.daemon.storage.engine import reading  # noqa: PLC0415
    from dreamd.daemon.storage.facts import waiting  # noqa: PLC0415

    space = store.space("ops")
    with reading(space._engine) as connection:
        first = waiting(connection, "ops", START)
        space.add_events([an_event(1)])
        assert waiting(connection, "ops", START) == first == 0
    assert space.waiting(START) == 1


def test_a_held_write_lock_is_busy(tmp_path):
    path = tmp_path / "d.db"
    opened = Store.open(path, window_days=7.0, busy_timeout_ms=1)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusy) as caught:
        opened.space("ops").add_events([an_event(1)])
    assert caught.value.exit_code == 75
    other.close()
    opened.close()


def test_what_is_no_store_is_refused(tmp_path):
    path = tmp_path / "d.db"
    path.write_bytes(b"no database at all" * 100)
    with pytest.raises(StorageError, match=r"d\.db"):
        Store.open(path, window_days=7.0)


def test_a_newer_store_is_refused(tmp_path):
    path = tmp_path / "d.db"
    Store.open(path, window_days=7.0).close()
    with sqlite3.connect(path) as driver:
        driver.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreTooNew, match="9999"):
        Store.open(path, window_days=7.0)
