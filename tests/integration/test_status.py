"""`status`: what waits, what is wrong, in words and as JSON, and an exit code that a script can use."""

import grp
import json
import pwd
import shutil
import stat
from types import SimpleNamespace

import pytest

from dreamd.daemon import owners
from dreamd.daemon.storage.log import Attempt
from dreamd.daemon.storage.store import Store
from dreamd.lifecycle.words import Trigger
from tests.cli import NOON, a_month_of, command_in, lines
from tests.poison import git
from tests.remote_place import LATER, a_home_with_one_run


@pytest.fixture(scope="module")
def grown(tmp_path_factory):
    return a_home_with_one_run(tmp_path_factory.mktemp("grown"))


@pytest.fixture
def home(grown, tmp_path):
    shutil.copytree(grown, tmp_path / "home")
    return tmp_path / "home"


@pytest.fixture
def dreamd(home, capsys):
    return command_in(home, capsys)


def test_an_empty_home_is_well(tmp_path, capsys):
    dreamd = command_in(tmp_path / "new", capsys)
    assert dreamd("init").code == 0 and dreamd("status").code == 0
    assert dreamd("status", "--json").value["wrong"] == []


def test_a_home_after_a_run_is_well_and_says_when_it_was(dreamd):
    status = dreamd("status", "--now", LATER, "--json")
    (space,) = status.value["spaces"]
    assert status.code == 0 and status.value["wrong"] == []
    assert space["head"]["at"] == space["last_attempt"]["at"] == space["last_success"]["at"] == NOON
    assert space["export"] == {
        "status": "done",
        "reason": None,
        "pending_runs": 0,
        "unread_commits": 0,
        "since": None,
        "waiting": [],
    }
    assert space["remote"] is None and space["unexamined"] == 0
    assert f"last run: 1 at {NOON}" in dreamd("status").out


def test_a_run_that_is_not_exported_is_wrong_with_its_age_and_reason(home, dreamd, tmp_path):
    memory = home / "memory" / "default"
    git(memory, "checkout", "-q", "-b", "mine")
    (tmp_path / "e.jsonl").write_text(lines(*a_month_of("cache")))
    dreamd("ingest", "events", str(tmp_path / "e.jsonl"))
    assert dreamd("run", "--now", LATER).code == 0
    status = dreamd("status")
    assert status.code == 1 and f"1 run, since {LATER}, not in the memory repository yet: branch 'mine'" in status.out
    (space,) = dreamd("status", "--json").value["spaces"]
    assert space["export"]["status"] == "pending" and space["export"]["pending_runs"] == 1
    git(memory, "checkout", "-q", "main")
    assert dreamd("export").code == 0 and dreamd("status").code == 0


def test_a_repository_that_cannot_be_used_is_wrong_and_is_not_mended_by_looking(home, dreamd):
    head = home / "memory" / "default" / ".git" / "HEAD"
    head.unlink()
    status = dreamd("status")
    assert status.code == 1 and "is damaged" in status.out and not head.exists()


def test_a_run_that_failed_does_not_hide_the_last_that_succeeded(home, dreamd):
    store = Store.open(home / "dreamd.db", window_days=7)
    now = store.space("default").head().now
    store.space("default").record_attempt(Attempt(at=now.replace(day=28), trigger=Trigger.DREAM, outcome="failed"))
    store.close()
    status = dreamd("status", "--json")
    (space,) = status.value["spaces"]
    assert status.code == 1 and space["last_attempt"]["outcome"] == "failed" and space["last_success"]["at"] == NOON
    assert "last attempt: 2026-03-28T12:00:00Z, failed; last success: 2026-03-20T12:00:00Z" in dreamd("status").out


def test_a_backlog_is_counted_and_is_not_wrong(dreamd, tmp_path):
    (tmp_path / "e.jsonl").write_text(json.dumps({"at": NOON, "text": "The cache holds 5 items"}) + "\n")
    dreamd("ingest", "events", str(tmp_path / "e.jsonl"))
    status = dreamd("status")
    assert status.code == 0 and "1 event waits for a dream" in status.out


@pytest.mark.parametrize(
    ("uid", "user", "group", "mode", "expected"),
    [
        (1000, "ada", "ada", 0o755, True),  # a group of her own
        (1000, "ada", "users", 0o755, False),
        (0, "root", "root", 0o755, False),
        (1000, "ada", "users", 0o2775, True),  # prepared
        (0, "root", "team", 0o2770, True),
        (1000, "ada", "users", 0o2755, False),
        (1000, "ada", "users", 0o775, False),
    ],
)
def test_a_folder_is_a_groups_if_it_was_prepared_or_the_group_is_the_owners_own(  # noqa: PLR0913 - a table
    monkeypatch, uid, user, group, mode, expected
):
    monkeypatch.setattr(pwd, "getpwuid", lambda _: SimpleNamespace(pw_name=user))
    monkeypatch.setattr(grp, "getgrgid", lambda _: SimpleNamespace(gr_name=group))
    folder = SimpleNamespace(stat=lambda: SimpleNamespace(st_uid=uid, st_gid=7, st_mode=stat.S_IFDIR | mode))
    assert owners.is_of_a_group(folder) is expected
