"""Answers that newcomers stumbled over: how long ago, what is pinned, as of when, and going back safely."""

from pathlib import Path

import pytest

from tests.cli import NOON, Command, a_month_of, command_in, lines


@pytest.fixture
def dreamt(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    command = command_in(tmp_path / "home", capsys)
    (tmp_path / "events.jsonl").write_text(lines(*a_month_of("mailer")), encoding="utf-8")
    command("init")
    command("ingest", "events", str(tmp_path / "events.jsonl"))
    assert command("run", "--now", NOON).code == 0
    return command


@pytest.mark.parametrize(("since", "runs"), [("7d", "1 run"), ("2w", "1 run"), ("12h", "1 run"), ("5m", "0 runs")])
def test_a_fold_may_begin_so_long_ago(dreamt, since, runs):
    now = "2026-03-20T20:00:00Z"
    assert f": {runs}, 0 quiet nights; " in dreamt("report", "--since", since, "--now", now).out


def test_show_says_what_is_pinned(dreamt):
    assert "pinned" not in dreamt("show", "mailer", "--now", NOON).out
    (claim, *_) = dreamt("claims", "--json").value
    dreamt("pin", claim["id"], "--now", NOON)
    told = dreamt("show", "mailer", "--now", NOON).out
    assert [claim["text"] in line for line in told.splitlines() if line.endswith("; pinned]")] == [True]
    dreamt("pin", "mailer", "--now", NOON)
    assert "active, pinned; confidence" in dreamt("show", "mailer", "--now", NOON).out


def test_show_as_of_is_headed_by_the_stream_as_it_was(dreamt):
    then = dreamt("show", "mailer", "--as-of", "2026-03-05T00:00:00Z", "--now", NOON)
    assert then.out.startswith("As it was true at 2026-03-05T00:00:00Z")
    assert "2 events on 2 days, 2026-03-02 to 2026-03-04" in then.out and "pattern, active" in then.out
    today = dreamt("show", "mailer", "--as-of", "2026-03-20T00:00:00Z", "--now", NOON).out
    assert "4 events on 4 days, 2026-03-02 to 2026-03-16" in today and "emergent" in today


def test_undo_can_be_tried_and_takes_along_what_was_built_on_it(dreamt):
    before = dreamt("streams", "--json", "--now", NOON).value
    assert dreamt("undo", "--dry-run", "--now", NOON).out.startswith("Would take back 1 group of run 1, ")
    assert dreamt("streams", "--json", "--now", NOON).value == before
    assert dreamt("undo", "--cascade", "--json", "--now", NOON).value["outcome"] == "applied"
    assert dreamt("streams", "--json", "--now", NOON).value == []


def test_why_tells_a_value_from_the_threshold_it_has_to_exceed(dreamt):
    rows = [line.split() for line in dreamt("why", "mailer", "--now", NOON).out.splitlines() if "fail" in line]
    assert rows and all(row[1] != row[2] for row in rows)
