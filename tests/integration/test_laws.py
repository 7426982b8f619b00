"""The laws of the lifecycle (design, section 5) through the real store, each named as the claim that it is.

The same random evidence, told in any way, ends in the same decision rows to 1e-9, aside from system time.
"""

import json
import os
import random
import shutil
import tempfile
import time
from contextlib import contextmanager
from dataclasses import fields
from datetime import datetime, timedelta, timezone
from math import isclose
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.daemon.publish import tell
from dreamd.daemon.storage.log import plan_of
from dreamd.lifecycle.codec import table_of
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.words import Actor, DecayClass, EventKind, Phase
from dreamd.repo_export.report import render_report
from tests.acceptance.homes import a_home
from tests.builders import an_event, day
from tests.histories import MEMORY_DISK, SAID, empty_store
from tests.live import LiveSpace

NO_FUSES = Policy(fuse_min_changes=1_000_000)
SYSTEM_TIME = ("recorded_at", "retracted_at")
END = 90.0

evidence = st.builds(
    lambda said, at, **more: an_event(said[1], day(at), kind=said[0], **more),
    said=st.sampled_from(SAID),
    at=st.integers(0, 800).map(lambda tenth: tenth / 10),
    target=st.sampled_from(["queue", "deploys", "Deploys"]),
    actor=st.sampled_from([Actor.AGENT, Actor.AGENT, Actor.USER, Actor.TOOL, Actor.EXTERNAL]),
    outcome=st.sampled_from([None, 0.0, 1.0]),
    session=st.sampled_from(["s1", "s2", "s3", None]),
    decay=st.sampled_from([None, None, None, DecayClass.SESSION, DecayClass.STABLE]),
)
histories = st.lists(evidence, min_size=1, max_size=25, unique_by=lambda event: event.id)
some = settings(max_examples=25)


@contextmanager
def a_space(policy=NO_FUSES):
    folder = Path(tempfile.mkdtemp(dir=MEMORY_DISK if MEMORY_DISK.is_dir() else None))
    shutil.copy(empty_store() / "dreamd.db", folder / "dreamd.db")
    space = LiveSpace(folder, with_git=False, policy=policy)
    try:
        yield space
    finally:
        space.close()
        shutil.rmtree(folder)


def rows(space):
    store = space.store
    found = [*store.streams(), *store.claims(), *store.links(), *store.aliases(), *store.questions()]
    return {(table_of(row), row.id): row for row in found}


def in_one_run(events):
    with a_space() as space:
        space.add(*events)
        space.dream(day(END))
        return rows(space)


def assert_same(one, other):
    assert one.keys() == other.keys()
    for key, row in one.items():
        for name in (field.name for field in fields(row) if field.name not in SYSTEM_TIME):
            ours, theirs = getattr(row, name), getattr(other[key], name)
            same = isclose(ours, theirs, abs_tol=1e-9) if isinstance(ours, float) else ours == theirs
            assert same, (key, name, ours, theirs)


def in_runs(events, count):
    """All told at the start, and `count` runs evenly over the interval, the last at its end."""
    with a_space() as space:
        space.add(*events)
        for number in range(1, count + 1):
            space.dream(day(END * number / count))
        return rows(space)


@some
@given(histories, st.sampled_from([2, 5, 30]))
def test_one_run_or_several_over_the_same_interval_end_in_the_same_rows(events, count):
    assert_same(in_runs(events, count), in_one_run(events))


def test_a_thousand_runs_over_the_same_interval_end_in_the_same_rows():
    chance = random.Random(5)  # noqa: S311 - a history, no secret
    events = [
        an_event(text, day(chance.random() * 80), kind=kind, target=target, session=f"s{chance.randrange(9)}")
        for kind, text in chance.choices(SAID, k=40)
        for target in ("queue", "deploys")
    ]
    assert_same(in_runs(events, 1_000), in_one_run(events))


@some
@given(histories, st.data())
def test_order_batches_repetition_and_late_delivery_change_nothing(events, data):
    """Dreams lie between the deliveries, so most evidence comes later than a dream that would have used it."""
    with a_space() as space:
        now = END - len(events)
        for event in data.draw(st.permutations(events)):
            space.add(event, *data.draw(st.lists(st.sampled_from(events), max_size=2)))
            if data.draw(st.booleans()):
                space.dream(day(now))
                now += 1
        space.add(*events, *events)
        space.dream(day(END))
        told_anyhow = rows(space)
    assert_same(told_anyhow, in_one_run(events))


@settings(max_examples=8)
@given(histories, st.sampled_from(["Pacific/Kiritimati", "America/St_Johns", "Pacific/Pago_Pago"]))
def test_the_zone_of_the_host_changes_nothing(events, zone):
    expected, before = in_one_run(events), os.environ.get("TZ")
    os.environ["TZ"] = zone
    time.tzset()
    try:
        assert_same(in_runs(events, 2), expected)
    finally:
        os.environ.pop("TZ")
        if before is not None:
            os.environ["TZ"] = before
        time.tzset()


def test_the_zone_in_which_a_time_is_written_changes_nothing(tmp_path):
    """An evening elsewhere is another day in UTC: active days are counted there."""
    digests = []
    for name, hours in (("utc", 0), ("east", 13), ("west", -10)):
        zone = timezone(timedelta(hours=hours))
        instants = [datetime.fromisoformat(f"2026-01-{n:02d}T23:30:00Z").astimezone(zone) for n in range(1, 20)]
        lines = [json.dumps({"at": at.isoformat(), "text": "The queue works", "target": "queue"}) for at in instants]
        home = a_home(tmp_path / name)
        command = ("--now", "2026-01-25T00:00:00Z")
        home.dreamd(*command, "ingest", "events", "-", stdin="\n".join(lines))
        home.ok(*command, "run")
        digests.append(home.digest())
    assert len(set(digests)) == 1


def test_a_decision_that_came_back_may_be_said_once_more():
    """A value superseded what had superseded it before: only the nearest of the chain is near what is written."""
    said = ["Deploys on Friday are not allowed", "Deploys on Friday are allowed"] * 3
    with a_space() as space:
        for number, text in enumerate([*said, said[-1], said[-1]]):
            space.add(an_event(text, day(number), kind=EventKind.DECISION, target="deploys"))
            space.dream(day(number))
        current = [claim.text for claim in space.store.claims() if claim.status == "current"]
    assert current == [said[-1]]


def test_a_late_first_event_moves_the_phase_up_by_its_own_time():
    """Two deliveries within a day are a pattern; an older one that comes late makes a life of weeks."""
    with a_space() as space:
        space.add(an_event("it works", day(20)), an_event("it works well", day(20.2)))
        space.dream(day(21))
        assert space.stream("cache").phase is Phase.PATTERN
        space.add(an_event("first seen", day(1)))
        space.dream(day(22))
        stream = space.stream("cache")
        assert (stream.phase, stream.first_seen, stream.emergent_at) == (Phase.EMERGENT, day(1), day(20.2))


def test_late_evidence_that_sets_a_phase_back_is_told_with_both_values():
    """What made the stream canonical was the spread of its days; a much older day takes that away."""
    with a_space() as space:
        decision = an_event("Use the cache", day(200), kind=EventKind.DECISION)
        weeks = [an_event(f"It works {n}", day(200 + 2 * n), session=f"w{n}") for n in range(1, 7)]
        space.add(decision, *weeks)
        space.dream(day(214))
        assert space.stream("cache").phase is Phase.CANONICAL
        space.add(an_event("Long before", day(0)))
        plan = space.dream(day(215))
        assert space.stream("cache").phase is Phase.EMERGENT
        (change,) = [change for change in plan.changes if change.subject.table == "stream"]
        assert "phase_recomputed" in change.kinds
        assert "phase recomputed from canonical to emergent" in change.because
        record = space.store.runs()[-1]
        whole = plan_of(record, space.store.changes(record.number))
        report = render_report(tell(space.store, whole, str)).decode()
        assert "phase canonical → emergent" in report
        assert "1 set back to a younger phase" in report


@pytest.mark.parametrize("days", [1.0, 400.0])
def test_a_future_date_does_not_fade_before_it_comes(days):
    with a_space(Policy(silence="calendar")) as space:
        space.add(an_event("it works", day(0)), an_event("it will work", day(days)))
        plan = space.dream(day(0.5))
        assert plan.counts.waiting == 1
        assert space.stream("cache").frequency == 1
        space.dream(day(days))
        assert (space.stream("cache").frequency, space.stream("cache").vitality) == (2, "active")
