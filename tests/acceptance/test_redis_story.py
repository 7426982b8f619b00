"""The golden story: knowledge that matures, fades and dies, at any cadence and on any host."""

import time
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

import pytest

from dreamd.daemon.views import Lens
from tests.acceptance.homes import a_home
from tests.live import STORIES, LiveSpace, read_story

DAY_ONE = datetime(2026, 1, 1, 23, 59, tzinfo=UTC)
# day: phase, vitality, confidence from, to, status (stories, table)
TABLE = {
    1: ("pattern", "active", 0.10, 0.30, "active"),
    2: ("pattern", "active", 0.10, 0.40, "active"),
    3: ("emergent", "active", 0.25, 0.70, "active"),
    9: ("emergent", "active", 0.30, 0.85, "active"),
    17: ("canonical", "active", 0.60, 0.85, "active"),
    23: ("canonical", "active", 0.60, 0.85, "active"),
    25: ("canonical", "decaying", 0.0, 0.85, "active"),
    46: ("canonical", "decaying", 0.0, 0.85, "active"),
    48: ("canonical", "dormant", 0.0, 0.85, "active"),
    60: ("canonical", "dormant", 0.10, 0.85, "active"),
    90: ("canonical", "dormant", 0.0, 0.0999, "faded"),
}
DAYS = sorted(TABLE)
CROSSING_DAYS = (3, 10, 24, 47, 77)  # emergent, canonical, decaying, dormant, faded
FIVE_MINUTES = timedelta(minutes=5)


def on_day(day: int) -> datetime:
    return DAY_ONE + timedelta(days=day - 1)


def tell(folder, instants: Iterable[datetime], *, without: str | None = None) -> dict[int, dict]:
    """What is shown on each day of the table when dreams run at `instants`, each fed with what happened by then."""
    space = LiveSpace(folder, with_git=False)
    waiting = sorted(
        (event for event in read_story("redis.jsonl") if event.target != without), key=lambda event: event.at
    )
    shown = {}
    for instant in sorted({*instants, *map(on_day, DAYS)}):
        due = [event for event in waiting if event.at <= instant]
        waiting = waiting[len(due) :]
        if due:
            space.add(*due)
        space.dream(instant)
        if instant in map(on_day, DAYS):
            lens = Lens.on(space.store, instant, space.policy)
            shown[(instant - DAY_ONE).days + 1] = lens.stream(space.stream("redis_caching"))
    space.close()
    return shown


def assert_the_table_holds(shown: dict[int, dict]) -> None:
    for day, (phase, vitality, low, high, status) in TABLE.items():
        view = shown[day]
        assert (view["phase"], view["vitality"], view["status"]) == (phase, vitality, status), f"day {day}"
        assert low <= view["confidence"] <= high, f"day {day}: {view['confidence']}"
    confidence = {day: view["confidence"] for day, view in shown.items()}
    assert confidence[23] == confidence[17]
    assert confidence[17] > confidence[25] > confidence[46] > confidence[48] > confidence[60]


@pytest.fixture(scope="module")
def on_the_days_of_the_table(tmp_path_factory):
    return tell(tmp_path_factory.mktemp("table"), [])


def test_the_story_holds_when_dreams_run_on_the_days_of_the_table_only(on_the_days_of_the_table):
    assert_the_table_holds(on_the_days_of_the_table)


@pytest.mark.parametrize("every_days", [1, 7])
def test_the_story_is_the_same_nightly_and_weekly(every_days, tmp_path, on_the_days_of_the_table):
    shown = tell(tmp_path, [on_day(day) for day in range(1, 91, every_days)])
    assert_the_table_holds(shown)
    assert_same(shown, on_the_days_of_the_table)


def test_the_story_is_the_same_with_a_dream_every_five_minutes_on_the_days_of_a_crossing(
    tmp_path, on_the_days_of_the_table
):
    assert_same(tell(tmp_path, every_five_minutes(CROSSING_DAYS)), on_the_days_of_the_table)


@pytest.mark.long
def test_the_story_is_the_same_with_a_dream_every_five_minutes(tmp_path, on_the_days_of_the_table):
    assert_same(tell(tmp_path, every_five_minutes(range(1, 91))), on_the_days_of_the_table)


@pytest.mark.parametrize("zone", ["Pacific/Auckland", "America/Los_Angeles", "Asia/Kathmandu"])
def test_the_story_is_the_same_in_any_zone_of_the_host(zone, tmp_path, monkeypatch, on_the_days_of_the_table):
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        assert_same(tell(tmp_path, [on_day(day) for day in range(1, 91, 7)]), on_the_days_of_the_table)
    finally:
        monkeypatch.undo()
        time.tzset()


def test_the_same_when_all_was_ingested_at_the_start(tmp_path, on_the_days_of_the_table):
    space = LiveSpace(tmp_path, with_git=False)
    space.add(*read_story("redis.jsonl"))
    shown = {}
    for day in DAYS:
        space.dream(on_day(day))
        shown[day] = Lens.on(space.store, on_day(day), space.policy).stream(space.stream("redis_caching"))
    space.close()
    assert_same(shown, on_the_days_of_the_table)


def test_evidence_on_day_91_brings_the_same_stream_back(tmp_path):
    home = a_home(tmp_path / "home")
    home.ok("ingest", "events", str(STORIES / "redis.jsonl"), "--now", "2026-03-31T23:59:00Z")
    home.ok("run", "--now", "2026-03-31T23:59:00Z")
    before = home.ok("--json", "show", "Redis-Caching", "--now", "2026-03-31T23:59:00Z").json()
    assert (before["status"], before["path"]) == ("faded", "archive/2026/redis-caching.md")
    home.ok("record", "--target", "redis_caching", "The cache was rebuilt", "--now", "2026-04-01T10:00:00Z")
    home.ok("run", "--now", "2026-04-01T11:00:00Z")
    after = home.ok("--json", "show", "redis caching", "--now", "2026-04-01T11:00:00Z").json()
    assert (after["id"], after["phase"], after["vitality"], after["status"]) == (
        before["id"],
        "canonical",
        "active",
        "active",
    )
    assert after["frequency"] == before["frequency"] + 1
    assert after["path"] == "knowledge/redis-caching.md"


def test_a_space_that_falls_asleep_forgets_nothing(tmp_path):
    shown = tell(tmp_path, [on_day(day) for day in range(1, 91, 7)], without="checkout_flow")
    assert shown[90]["vitality"] == "decaying"
    assert shown[90]["confidence"] == pytest.approx(shown[17]["confidence"], abs=1e-9)


def every_five_minutes(days: Iterable[int]) -> list[datetime]:
    return [on_day(day) - timedelta(hours=23, minutes=59) + FIVE_MINUTES * step for day in days for step in range(288)]


def assert_same(shown: dict[int, dict], other: dict[int, dict]) -> None:
    for day in DAYS:
        for name, value in other[day].items():
            if isinstance(value, float):
                assert shown[day][name] == pytest.approx(value, abs=1e-9), f"day {day}: {name}"
            else:
                assert shown[day][name] == value, f"day {day}: {name}"
