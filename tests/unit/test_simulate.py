"""Laws of simulated histories: seeded, shared out as said, delivered as said, and true to their classes."""

import json
from collections import Counter
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import pytest

from dreamd.daemon.simulate.calendar import PAUSE_DAYS, Calendar, day_of, weekday
from dreamd.daemon.simulate.classes import FLOOD, KINDS, counts
from dreamd.daemon.simulate.history import History, simulate
from dreamd.daemon.simulate.values import Says, Target
from dreamd.daemon.simulate.writing import write
from tests.acceptance.homes import AHome
from tests.architecture import Source, imports

SEEDS = (1, 2)
DIGEST = "eb34f480b98c86631f9e2a6d049eb5fca2ccadd1906f4eaaf0b8464b1e74cd81"  # of seed 3, 40 targets, 30 days


def digest_of(folder: Path) -> str:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return sha256(b"".join(path.name.encode() + path.read_bytes() for path in files)).hexdigest()


@pytest.fixture(scope="module", params=SEEDS)
def history(request: pytest.FixtureRequest) -> History:
    return simulate(days=180, targets=200, seed=request.param)


def of(history: History, kind: str) -> list[Target]:
    found = [target for target in history.targets if target.kind == kind]
    assert found
    return found


def active_days(target: Target) -> list[int]:
    return sorted({day_of(happening.at) for happening in target.happenings})


def span(target: Target) -> timedelta:
    return target.happenings[-1].at - target.happenings[0].at


def is_kept(word: str) -> bool:
    """Whether a rewording has to keep it: it is a number, or a name."""
    return any(char.isdigit() for char in word) or any(char.isupper() for char in word[1:])


def events_a_day(target: Target) -> set[int]:
    return set(Counter(day_of(happening.at) for happening in target.happenings).values())


def kinds(target: Target) -> list[str]:
    return [happening.kind for happening in target.happenings]


# seeds and shares


def test_the_same_seed_gives_the_same_bytes_on_any_machine(tmp_path: Path) -> None:
    write(simulate(days=30, targets=40, seed=3), tmp_path / "one")
    assert digest_of(tmp_path / "one") == DIGEST


def test_truth_is_computed_from_nothing_of_the_memory_that_it_judges() -> None:
    files = sorted((Path(__file__).parents[2] / "daemon" / "simulate").glob("*.py"))
    assert len(files) > 10
    named = {name for file in files for _, name in imports(Source("daemon.simulate", file.read_text(encoding="utf-8")))}
    assert not [name for name in named if name.startswith("dreamd.") and ".simulate." not in name]


def test_another_seed_gives_another_history() -> None:
    assert simulate(days=30, targets=40, seed=1).nights != simulate(days=30, targets=40, seed=2).nights


def test_the_shares_are_those_of_the_classes() -> None:
    assert sum(kind.percent for kind in KINDS) == 100
    assert counts(500) == {**{kind.name: 5 * kind.percent for kind in KINDS}, FLOOD: 5}


@pytest.mark.parametrize("targets", [1, 2, 40, 60, 99, 333, 5000])
def test_shares_of_any_number_are_rounded_by_the_largest_remainder(targets: int) -> None:
    found = counts(targets)
    assert found.pop(FLOOD) >= 1
    assert sum(found.values()) == targets
    assert all(abs(found[kind.name] - targets * kind.percent / 100) < 1 for kind in KINDS if kind.name != FLOOD)


def test_a_class_alone_has_the_targets_of_the_whole_history() -> None:
    whole = simulate(days=60, targets=50, seed=4)
    assert simulate(days=60, targets=50, seed=4, classes=["weekly"]).targets == tuple(of(whole, "weekly"))


@pytest.mark.parametrize("days", [30, 59, 180, 365])
def test_every_target_has_events_and_truth_however_long_the_history(days: int) -> None:
    history = simulate(days=days, targets=60, seed=5)
    for target in history.targets:
        assert target.happenings and target.truths
        assert all(happening.at < history.calendar.end for happening in target.happenings)
        assert list(target.happenings) == sorted(target.happenings, key=lambda one: (one.at, one.text))


def test_no_two_targets_share_a_sentence_or_a_name(history: History) -> None:
    said = Counter(text for target in history.targets for text in {one.text for one in target.happenings})
    assert set(said.values()) == {1}
    names = Counter(name.casefold() for target in history.targets for name in target.spellings)
    assert set(names.values()) == {1}


# the calendar


def test_a_fortnight_without_anything_comes_once_in_180_days(history: History) -> None:
    (first,) = history.calendar.pauses
    busy = {day_of(happening.at) for target in history.targets for happening in target.happenings}
    assert not busy & set(range(first, first + PAUSE_DAYS))
    assert len(Calendar.of("1", 365).pauses) == 2
    assert Calendar.of("1", 100).pauses == ()


def test_agents_work_on_weekdays_and_some_days_of_weekends() -> None:
    calendar = Calendar.of("9", 365)
    days = [day for day in range(1, 366) if not calendar.is_paused(day)]
    weekend = [calendar.is_working(day) for day in days if weekday(day) > 4]
    assert all(calendar.is_working(day) for day in days if weekday(day) < 5)
    assert 0.05 < sum(weekend) / len(weekend) < 0.3


def test_all_work_on_a_target_on_one_day_is_done_in_one_session(history: History) -> None:
    for target in of(history, "daily"):
        sessions = {(day_of(one.at), one.session) for one in target.happenings}
        assert len(sessions) == len(active_days(target))


# deliveries


def test_every_event_is_delivered_not_before_it_happened_and_at_most_ten_days_late(history: History) -> None:
    first: dict[str, int] = {}
    for night in history.nights:
        assert night.at == history.calendar.end_of(night.day)
        for line in (*night.agents, *night.user):
            assert json.loads(line)["at"] < f"{night.at:%Y-%m-%dT%H:%M:%SZ}"
            first.setdefault(line.decode(), night.day)
    for target in history.targets:
        for happening in target.happenings:
            late = first[json.dumps(happening.fields())] - day_of(happening.at)
            assert 0 <= late <= 10


def test_the_shares_of_repeated_and_late_deliveries_are_as_said(history: History) -> None:
    days: dict[str, list[int]] = {}
    for night in history.nights:
        for line in night.agents:
            days.setdefault(line.decode(), []).append(night.day)
    said = [(target.kind, one) for target in history.targets for one in target.happenings if one.actor == "agent"]
    delivered = [(kind, days[json.dumps(one.fields())], one) for kind, one in said]
    usual = [(when, one) for kind, when, one in delivered if kind != "noise"]
    noise = [when for kind, when, _ in delivered if kind == "noise"]
    assert 0.035 < sum(len(when) > 1 for when, _ in usual) / len(usual) < 0.065
    assert 0.02 < sum(min(when) > day_of(one.at) for when, one in usual) / len(usual) < 0.04
    assert 0.1 < sum(len(when) > 1 for when in noise) / len(noise) < 0.5


def test_some_deliveries_of_a_night_are_out_of_order(history: History) -> None:
    instants = [[json.loads(line)["at"] for line in night.agents] for night in history.nights]
    assert sum(night != sorted(night) for night in instants) > len(instants) / 10


def test_only_what_the_user_said_comes_by_the_users_way(history: History) -> None:
    for night in history.nights:
        assert {json.loads(line)["actor"] for line in night.agents} <= {"agent", "external"}
        assert {json.loads(line)["actor"] for line in night.user} <= {"user"}


# the classes


def test_daily_work_is_on_three_of_five_working_days(history: History) -> None:
    working = history.calendar.working(1, 180)
    for target in of(history, "daily"):
        assert 0.45 < len(active_days(target)) / len(working) < 0.75
        assert events_a_day(target) <= {1, 2, 3, 4}
    told = Counter(kind for target in of(history, "daily") for kind in kinds(target))
    assert 0.29 < told["commit"] / told.total() < 0.38
    assert 0.07 < told["error"] / told.total() < 0.13


def test_weekly_work_is_on_one_day_a_week_from_the_first(history: History) -> None:
    for target in of(history, "weekly"):
        weeks = [(day - 1) // 7 for day in active_days(target)]
        assert len(weeks) == len(set(weeks)) >= 23
        assert weeks[0] == 0
        assert events_a_day(target) <= {2, 3, 4}


def test_monthly_work_is_on_one_day_in_twenty_to_forty(history: History) -> None:
    for target in of(history, "monthly"):
        days = active_days(target)
        assert days[0] <= 30
        assert all(20 <= later - earlier <= 40 for earlier, later in zip(days, days[1:], strict=False))
        assert events_a_day(target) <= {1, 2, 3}


def test_a_season_of_two_weeks_is_followed_by_silence_and_another(history: History) -> None:
    for target in of(history, "seasonal"):
        days = active_days(target)
        gap, place = max(
            (later - earlier, place) for place, (earlier, later) in enumerate(zip(days, days[1:], strict=False))
        )
        assert 75 <= gap <= 100
        assert days[place] - days[0] <= 13
        assert days[-1] - days[place + 1] <= 13


def test_what_is_dropped_is_done_daily_for_a_month_or_two_and_then_not_at_all(history: History) -> None:
    retracted = 0
    for target in of(history, "dropped"):
        work = [one for one in target.happenings if one.kind != "retraction"]
        assert {one.kind for one in work} <= {"observation", "result"}
        days = sorted({day_of(one.at) for one in work})
        assert days[0] <= 7
        assert days == history.calendar.working(days[0], days[-1])
        assert days[-1] - days[0] < 60
        retracted += target.happenings[-1].kind == "retraction"
    assert 0 < retracted < len(of(history, "dropped"))


def test_a_fix_comes_with_the_last_error_and_success_weekly_after_it(history: History) -> None:
    for target in of(history, "fixed"):
        told = kinds(target)
        errors = [one for one in target.happenings if one.kind == "error"]
        assert told == ["error"] * len(errors) + ["commit"] + ["result"] * (len(told) - len(errors) - 1)
        assert 3 <= len(errors) <= 8
        assert len({day_of(one.at) for one in errors}) >= 3
        assert day_of(errors[-1].at) - day_of(errors[0].at) < 7
        fix, success = target.happenings[len(errors) : len(errors) + 2]
        assert {fix.session, success.session} == {errors[-1].session}
        weeks = [(day_of(one.at) - 1) // 7 for one in target.happenings if one.kind == "result"]
        assert len(weeks) == len(set(weeks))


def test_a_burst_is_over_in_twenty_hours_over_midnight(history: History) -> None:
    for target in of(history, "burst"):
        assert 20 <= len(target.happenings) <= 60
        assert span(target) < timedelta(hours=20)
        assert len(active_days(target)) == 2


def test_noise_is_one_event_or_two(history: History) -> None:
    for target in of(history, "noise"):
        assert len(target.happenings) in (1, 2)
        assert span(target) <= timedelta(days=46)


def test_sprints_are_of_three_kinds(history: History) -> None:
    shapes: Counter[str] = Counter()
    for target in of(history, "sprint"):
        days = active_days(target)
        gaps = sorted(later - earlier for earlier, later in zip(days, days[1:], strict=False))
        if set(gaps) == {1}:
            shapes["once"] += 1
            assert 3 <= len(days) <= 5 and events_a_day(target) <= set(range(3, 11))
        elif gaps[0] == 1:
            shapes["twice"] += 1
            assert set(gaps[:-1]) == {1} and gaps[-1] >= 20
        else:
            shapes["weeks"] += 1
            assert len(days) in (4, 5) and events_a_day(target) <= {1, 2}
    assert shapes == {"once": 4, "twice": 4, "weeks": 4}


def test_what_is_said_outright_is_said_by_whom_its_class_names(history: History) -> None:
    for kind, first, actor in (
        ("decision", "decision", "agent"),
        ("changed", "decision", "agent"),
        ("doubtful", "decision", "agent"),
        ("preference", "preference", "user"),
        ("rare rule", "preference", "user"),
    ):
        for target in of(history, kind):
            assert (target.happenings[0].kind, target.happenings[0].actor) == (first, actor)
            (emergent,) = [truth for truth in target.truths if truth.says is Says.EMERGENT]
            assert emergent.by == target.happenings[0].at
    assert all(len(target.happenings) == 1 for target in of(history, "preference"))
    assert all(len(target.happenings) <= 4 for target in of(history, "decision"))


def test_a_changed_decision_differs_in_its_value_alone(history: History) -> None:
    for target in of(history, "changed"):
        old, new = target.happenings
        assert 20 <= day_of(new.at) - day_of(old.at) <= 74  # a pause may come in between
        differing = [pair for pair in zip(old.text.split(), new.text.split(), strict=True) if pair[0] != pair[1]]
        assert len(differing) == 1


def test_a_correction_is_the_users(history: History) -> None:
    for target in of(history, "corrected"):
        fact, correction = target.happenings
        assert fact.actor == "agent" and correction.actor == "user"
        assert correction.text.startswith("That was wrong: ")


def test_a_doubtful_decision_fails_thirty_times(history: History) -> None:
    for target in of(history, "doubtful"):
        outcomes = Counter(one.outcome for one in target.happenings[1:])
        assert outcomes["failure"] == 30 and outcomes["success"] <= 8
        failures = [one for one in target.happenings if one.outcome == "failure"]
        assert 15 <= day_of(failures[-1].at) - day_of(failures[0].at) <= 45


def test_twins_differ_and_wordings_keep_every_number_and_name(history: History) -> None:
    for target in of(history, "twins"):
        assert len({one.text for one in target.happenings}) == 2
    for target in of(history, "restated"):
        texts = {one.text for one in target.happenings}
        assert len(texts) == 5
        kept = [{word.strip(",.:") for word in text.split() if is_kept(word)} for text in texts]
        assert all(numbers == kept[0] for numbers in kept)
        assert all(target.name in text for text in texts)


def test_a_target_is_spelled_in_three_ways(history: History) -> None:
    for target in of(history, "spelled"):
        assert len({one.target for one in target.happenings}) == 3


def test_the_flood_is_one_claim_from_outside_delivered_ten_times_each(history: History) -> None:
    for target in of(history, FLOOD):
        assert len(target.happenings) == 20
        assert len({one.text for one in target.happenings}) == 1
        assert {one.actor for one in target.happenings} == {"external"}
        assert span(target) < timedelta(days=3)
    flooded = {target.name for target in of(history, FLOOD)}
    lines = [line for night in history.nights for line in night.agents if json.loads(line)["target"] in flooded]
    assert set(Counter(lines).values()) == {10}


# the command


def test_the_command_writes_deliveries_that_can_be_ingested(tmp_path: Path) -> None:
    home = AHome(tmp_path / "home")
    home.ok("init")
    told = home.ok(
        "--json", "simulate", "--days", "30", "--targets", "10", "--seed", "2", "-o", f"{tmp_path / 'made'}"
    ).json()
    files = sorted((tmp_path / "made" / "deliveries").iterdir())
    assert told["files"] == len(files) + 1
    new = 0
    for file in files:
        as_user = ("--as", "user") if file.name.endswith(".user.jsonl") else ()
        new += home.ok("--json", "ingest", "events", f"{file}", *as_user).json()["new"]
    assert new == told["events"]
    truth = json.loads((tmp_path / "made" / "truth.json").read_text())
    assert len(truth["targets"]) == told["targets"]
    assert all(target["truth"] for target in truth["targets"])


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("--class", "hourly"), "one of: daily, weekly"),
        (("--days", "29"), "allowed are 30 to 365"),
        (("--targets", "5001"), "allowed are 1 to 5000"),
    ],
)
def test_the_command_names_what_it_refuses(tmp_path: Path, words: tuple[str, ...], part: str) -> None:
    ended = AHome(tmp_path).dreamd("simulate", "-o", f"{tmp_path / 'made'}", *words)
    assert ended.code == 2 and part in ended.err


def test_a_history_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    words = ("simulate", "--days", "30", "--targets", "1", "-o", f"{tmp_path / 'made'}")
    home = AHome(tmp_path)
    home.ok(*words)
    ended = home.dreamd(*words)
    assert ended.code == 65 and "is there already" in ended.err
