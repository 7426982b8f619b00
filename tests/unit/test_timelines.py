"""The bench on real timelines measures what it says, on histories that are small enough to count by hand."""

from datetime import UTC, datetime, timedelta

import pytest

from bench.commit_histories import History, events_of, history_of
from bench.commit_lives import Lived, lived_by_days, lived_by_lifecycle
from bench.judging import Judged, cuts_of, judge, mean_of
from bench.timelines import missed_targets
from dreamd.lifecycle.policy import Policy

START = datetime(2020, 1, 1, 12, tzinfo=UTC)


def a_commit(day: int, scope: str | None = "api", text: str = "raise the limit", **fields):
    at = START + timedelta(days=day)
    subject = f"feat({scope}): {text}" if scope else text
    row = {"sha": f"{day:020d}{scope or '':_>20}", "date": at.isoformat(), "scope": scope, "subject": subject}
    return {"body": "", "files": [], "n_files": 0, "bot": False, **row, **fields}


def a_history(days_by_scope: dict[str, list[int]]) -> History:
    rows = [a_commit(day, scope) for scope, days in days_by_scope.items() for day in days]
    return history_of("made", events_of(rows))


def cut(year: int, month: int) -> datetime:
    return datetime(year, month, 1, tzinfo=UTC)


def a_life(*days: int, canonical: int | None = None, kept: tuple[datetime, ...] = (), back: bool = False) -> Lived:
    return Lived(
        instants=tuple(START + timedelta(days=day) for day in days),
        canonical_at=None if canonical is None else START + timedelta(days=canonical),
        kept=frozenset(kept),
        came_back=back,
    )


def test_only_what_people_commit_to_a_scope_of_their_own_counts():
    rows = [
        a_commit(0, "api"),
        a_commit(1, "deps"),
        a_commit(2, "deps-dev"),
        a_commit(3, "api", bot=True),
        a_commit(4, None),
        a_commit(5, "independent"),
    ]
    history = history_of("made", events_of(rows))
    assert sorted(history.evidence) == ["api", "independent"]
    assert [len(history.evidence[target]) for target in ("api", "independent")] == [1, 1]


def test_spellings_of_one_scope_are_one_target_as_in_the_dream():
    assert sorted(a_history({"auth-service": [0], "authService": [1], "db2": [2]}).evidence) == ["auth_service", "db2"]


def test_a_cut_has_history_before_it_and_a_year_after_it():
    history = a_history({"api": [0, 900]})  # to 2022-06-19
    assert cuts_of(history) == (cut(2020, 7), cut(2021, 1))


def test_precision_and_recall_are_of_all_streams_over_all_cuts():
    cuts = (cut(2020, 7), cut(2021, 1))
    streams = [
        a_life(0, 200, 400, canonical=0, kept=cuts),  # lives on after both, kept at both
        a_life(0, 100, canonical=50, kept=cuts[:1], back=True),  # kept once, dead
        a_life(0, 500),  # lives on after both, never canonical
        a_life(300, 310),  # not yet known at the first cut, nothing more after the second
    ]
    judged = judge(streams, cuts)
    assert judged.precision == pytest.approx(2 / 3)
    assert judged.recall == pytest.approx(2 / 4)
    assert (judged.canonical, judged.back, judged.days) == (2, 0.5, 25.0)


def test_nothing_kept_is_no_precision_and_no_canonical_stream_no_share():
    judged = judge([a_life(0, 200)], (cut(2020, 7),))
    assert judged == Judged(precision=None, recall=0.0, back=None, canonical=0, days=None)
    assert "fewest canonical streams 0.000, wanted >= 1" in missed_targets([judged])


def test_a_mean_weighs_each_history_the_same():
    one = Judged(precision=1.0, recall=0.5, back=None, canonical=1, days=10.0)
    other = Judged(precision=0.5, recall=0.1, back=0.2, canonical=99, days=30.0)
    mean = mean_of([one, other])
    assert (mean.precision, mean.back) == (0.75, 0.2)
    assert mean.recall == pytest.approx(0.3)
    assert (mean.canonical, mean.days) == (100, 20.0)
    assert missed_targets([one]) == ["mean share faded and back none, wanted <= 0.3"]


def test_a_rule_of_two_numbers_counts_days_and_silence():
    history = a_history({"api": [0, 0, 10, 20, 300, 301], "other": [0, 1000]})
    cuts = (cut(2020, 2), cut(2020, 7), cut(2021, 1))
    lived = lived_by_days(history, cuts, 3, 90)["api"]
    assert lived.canonical_at == START + timedelta(days=20)
    assert lived.kept == {cuts[0], cuts[2]}  # on 1 July it had been silent for 162 days
    assert lived.came_back
    never_silent = lived_by_days(history, cuts, 3, None)["api"]
    assert (never_silent.kept, never_silent.came_back) == (frozenset(cuts), False)
    assert lived_by_days(history, cuts, 6, None)["api"].canonical_at is None


def test_the_lifecycle_keeps_what_lives_and_lets_go_of_what_does_not():
    weekly = [7 * week for week in range(150)]
    history = a_history(
        {"lives": weekly, "ends": weekly[:20], "pauses": weekly[:20] + weekly[60:], "bursts": [3, 4, 5], "once": [9]}
    )
    cuts = cuts_of(history)
    lived = lived_by_lifecycle(history, cuts, Policy())
    assert lived["lives"].kept == frozenset(cuts)
    assert lived["lives"].canonical_at == lived["ends"].canonical_at
    assert lived["ends"].kept == {cut(2020, 7)}
    assert [lived[target].came_back for target in ("lives", "ends", "pauses")] == [False, False, True]
    assert [lived[target].canonical_at for target in ("bursts", "once")] == [None, None]


def test_a_sleeping_space_fades_nothing():
    weekly = [7 * week for week in range(20)]
    history = a_history({"api": [*weekly, 700, 1200]})  # nothing else happens, so almost no day of the pause is waking
    assert not lived_by_lifecycle(history, cuts_of(history), Policy())["api"].came_back
    assert lived_by_lifecycle(history, cuts_of(history), Policy(silence="calendar"))["api"].came_back
