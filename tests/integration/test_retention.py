"""What runs leave behind goes when the settings say so, through the command line; by default nothing goes."""

import shutil
import subprocess
from pathlib import Path

import pytest
from pytest import CaptureFixture, MonkeyPatch

from tests.cli import Command, command_in

DAYS = ("2026-01-05", "2026-02-10", "2026-03-20")


@pytest.fixture
def command(tmp_path: Path, capsys: CaptureFixture[str]) -> Command:
    """A home with three runs, one a month, and a night after the first that changed nothing."""
    command = command_in(tmp_path / "home", capsys)
    assert command("init").code == 0
    return command


def a_run(command: Command, day: str) -> None:
    text = f"Deploy on {day}, never before"
    said = command("--now", f"{day}T10:00:00Z", "record", "--target", "deploys", "--kind", "decision", text)
    assert said.code == 0, said.err
    ran = command("--now", f"{day}T12:00:00Z", "run")
    assert ran.code == 0, ran.err


def three_runs(command: Command) -> None:
    for day in DAYS:
        a_run(command, day)
    assert len(command("runs", "--json").value) >= len(DAYS)


def reports(tmp_path: Path) -> list[str]:
    root = tmp_path / "home" / "memory" / "default"
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "-C", str(root), "ls-tree", "-r", "--name-only", "HEAD"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    laid_out = sorted(str(file.relative_to(root)) for file in root.rglob("reports/**/*") if file.is_file())
    found = sorted(path for path in listed if "reports/" in path)
    assert laid_out == found
    return found


def test_by_default_nothing_goes(command: Command, tmp_path: Path) -> None:
    three_runs(command)
    assert len(reports(tmp_path)) == 2 * len(DAYS)
    for number in (1, 2, 3):
        assert command("report", str(number)).code == 0
        assert command("revert", "--dry-run", str(number)).code == 0


def test_reports_older_than_the_setting_leave_the_tree_and_can_still_be_read(
    command: Command, tmp_path: Path, monkeypatch: MonkeyPatch
) -> None:
    monkeypatch.setenv("DREAMD_RETENTION__REPORTS_DAYS", "40")
    three_runs(command)
    assert reports(tmp_path) == [
        ".dreamd/reports/000002.json",
        ".dreamd/reports/000003.json",
        "reports/2026/02/000002.md",
        "reports/2026/03/000003.md",
    ]
    told = command("report", "1")
    assert told.code == 0
    assert "deploys" in told.out.lower()
    root = tmp_path / "home" / "memory" / "default"
    history = subprocess.run(
        ["git", "-c", "safe.directory=*", "-C", str(root), "log", "--format=%H", "--", "reports/2026/01/000001.md"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert len(history) == 2
    assert command("verify").code == 0


def test_a_quiet_night_lets_no_report_go(command: Command, tmp_path: Path, monkeypatch: MonkeyPatch) -> None:
    a_run(command, DAYS[0])
    monkeypatch.setenv("DREAMD_RETENTION__REPORTS_DAYS", "1")
    before = reports(tmp_path)
    assert command("--now", f"{DAYS[0]}T13:00:00Z", "run", "--json").value["outcome"] == "nothing"
    assert reports(tmp_path) == before != []


def test_what_the_log_let_go_is_refused_by_name_and_the_rest_can_be_reverted(
    command: Command, monkeypatch: MonkeyPatch
) -> None:
    monkeypatch.setenv("DREAMD_RETENTION__CHANGES_DAYS", "40")
    three_runs(command)
    for words in (("revert", "1"), ("revert", "--dry-run", "1"), ("diff", "1"), ("report", "1")):
        refused = command("--json", *words)
        assert refused.code == 1, words
        assert "no longer holds what run 1 changed" in refused.error["error"]
        assert "retention.changes_days" in refused.error["error"]
        assert "git log" in refused.error["hint"]
    assert command("report", "2").code == 0
    assert command("--now", "2026-03-21T00:00:00Z", "undo").code == 0
    assert command("show", "deploys").code == 0
    before = command("show", "deploys", "--known-at", "2026-01-04T00:00:00Z")
    assert (before.code, "no longer holds" in before.err) == (1, True)
    assert command("show", "deploys", "--known-at", "2026-01-06T00:00:00Z").code == 0


def test_what_a_fuse_counts_is_kept_whatever_the_setting_says(command: Command, monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setenv("DREAMD_RETENTION__CHANGES_DAYS", "0.01")
    for day in ("2026-01-05", "2026-01-07", "2026-01-09"):
        a_run(command, day)
    assert command("revert", "--dry-run", "1").code == 0


def test_nights_that_changed_nothing_leave_the_log(command: Command, tmp_path: Path, monkeypatch: MonkeyPatch) -> None:
    a_run(command, DAYS[0])
    assert command("--now", f"{DAYS[0]}T13:00:00Z", "run", "--json").value["outcome"] == "nothing"
    count = attempts(tmp_path)
    a_run(command, DAYS[1])
    assert attempts(tmp_path) == count + 1
    monkeypatch.setenv("DREAMD_RETENTION__ATTEMPTS_DAYS", "30")
    a_run(command, DAYS[2])
    assert attempts(tmp_path) == count + 1


def attempts(tmp_path: Path) -> int:
    import sqlite3  # noqa: PLC0415 - no command counts them

    with sqlite3.connect(tmp_path / "home" / "dreamd.db") as connection:
        found: int = connection.execute("SELECT count(*) FROM attempt").fetchone()[0]
    return found


def git(root: Path, *words: str) -> str:
    who = ("-c", "safe.directory=*", "-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    return subprocess.run(["git", *who, "-C", str(root), *words], capture_output=True, text=True, check=True).stdout


def test_a_lost_repository_is_made_again_from_what_the_log_still_holds(
    command: Command, tmp_path: Path, monkeypatch: MonkeyPatch
) -> None:
    monkeypatch.setenv("DREAMD_RETENTION__CHANGES_DAYS", "10")
    three_runs(command)
    root = tmp_path / "home" / "memory" / "default"
    page = (root / "projects" / "deploys.md").read_bytes()
    shutil.rmtree(root)
    told = command("export", "--json")
    assert told.code == 0, told.err
    assert "what runs 1 to 2 changed" in told.out
    assert git(root, "log", "--format=%s").splitlines() == ["dream 3: 1 learnt", "dream 2: what was known by then"]
    assert "let go what runs 1 to 2 changed" in (root / "reports/2026/02/000002.md").read_text()
    assert (root / "projects" / "deploys.md").read_bytes() == page
    assert command("verify").code == 0
    a_run(command, "2026-03-25")
    assert command("verify").code == 0


def test_a_git_revert_of_what_the_log_let_go_is_told_and_stops_no_run(
    command: Command, tmp_path: Path, monkeypatch: MonkeyPatch
) -> None:
    monkeypatch.setenv("DREAMD_RETENTION__CHANGES_DAYS", "40")
    three_runs(command)
    root = tmp_path / "home" / "memory" / "default"
    first = git(root, "log", "--reverse", "--format=%H").splitlines()[0]
    page = root / "projects" / "deploys.md"
    page.write_text("".join(line for line in page.read_text().splitlines(True) if "2026-01-05, never" not in line))
    git(root, "commit", "-qam", f'Revert "dream 1"\n\nThis reverts commit {first}.')
    ran = command("--now", "2026-03-21T00:00:00Z", "run", "--json")
    assert ran.code == 0, ran.err
    (noticed,) = ran.value["export"]["noticed"]
    assert "retention.changes_days, up to run 1" in noticed
    said = {claim["text"]: claim["status"] for claim in command("claims", "--all", "--json").value}
    assert said["Deploy on 2026-01-05, never before"] == "retracted"
    assert command("verify").code == 0
