"""Kill -9 in a backup leaves none; in a restore the old home or the new one. A dream meanwhile tears nothing."""

import shutil
import signal

import pytest

from tests.acceptance.canaries import FIRST, SECOND, THIRD, story_of
from tests.acceptance.homes import AHome, a_home
from tests.acceptance.test_backup import check_clean
from tests.cli import lines


@pytest.fixture(scope="module")
def full(tmp_path_factory):
    """A home after two dreams, with a backup from between them."""
    folder = tmp_path_factory.mktemp("kills")
    home = a_home(folder / "home")
    for now, target in ((FIRST, "cache"), (SECOND, "queue")):
        (folder / "events.jsonl").write_text(lines(*story_of(target)))
        home.ok("--now", now, "ingest", "events", str(folder / "events.jsonl"))
        home.ok("--now", now, "run")
        if now == FIRST:
            home.ok("backup", str(folder / "first.tar"))
    return home


def copied(home: AHome, folder) -> AHome:
    shutil.copytree(home.path, folder / "home")
    return AHome(folder / "home")


@pytest.mark.parametrize(
    "point",
    [
        pytest.param("restore-after-unpacking", marks=pytest.mark.long),
        "restore-before-swap",
        "restore-after-swap",
    ],
)
def test_a_restore_that_is_killed_leaves_the_old_home_or_the_new_one(point, full, tmp_path):
    home = copied(full, tmp_path)
    backup = str(full.path.parent / "first.tar")
    killed = home.process("restore", backup, "--replace", DREAMD_FAILPOINT=f"{point}:kill")
    assert killed.code == -signal.SIGKILL, killed.err
    runs = [run["run"] for run in home.ok("--json", "runs").json()]
    assert runs == ([1] if point == "restore-after-swap" else [1, 2])
    check_clean(home)


def test_a_backup_that_is_killed_is_not_there(full, tmp_path):
    killed = full.process("backup", str(tmp_path / "b.tar"), DREAMD_FAILPOINT="backup-after-archive:kill")
    assert killed.code == -signal.SIGKILL, killed.err
    assert not (tmp_path / "b.tar").exists()


def test_a_dream_and_an_edit_between_the_copies_are_in_the_backup_whole_or_not_at_all(full, tmp_path, monkeypatch):
    home = copied(full, tmp_path)
    (tmp_path / "more.jsonl").write_text(lines(*story_of("index")))

    def dream(point: str) -> None:
        if point == "backup-after-bundles":
            page = next((home.path / "memory" / "default").glob("*/cache.md"))
            page.write_text(page.read_text().replace("is kept small", "is kept large"))
            home.ok("--now", THIRD, "adopt", "--author", "A <a@b.invalid>")
            home.ok("--now", THIRD, "ingest", "events", str(tmp_path / "more.jsonl"))
            home.ok("--now", THIRD, "run")

    monkeypatch.setattr("dreamd.daemon.backups.making.reach", dream)
    home.ok("backup", str(tmp_path / "b.tar"))
    made = AHome(tmp_path / "made")
    made.ok("restore", str(tmp_path / "b.tar"))
    assert made.digest() == home.digest()
    assert made.tree() == home.tree()
    check_clean(made)


def test_an_older_state_beside_a_remote_that_is_ahead_harms_neither(full, tmp_path, monkeypatch):
    home = copied(full, tmp_path)
    bare = tmp_path / "default.git"
    home.git("default", "clone", "-q", "--bare", str(home.path / "memory" / "default"), str(bare))
    tip = home.git("default", "rev-parse", "HEAD")
    monkeypatch.setenv("DREAMD_REMOTE__URL", str(tmp_path / "{space}.git"))
    home.ok("--now", THIRD, "restore", str(full.path.parent / "first.tar"), "--replace")
    assert home.git("default", f"--git-dir={bare}", "rev-parse", "main") == tip
    assert "waits: the remote holds run" in home.ok("--now", THIRD, "run").out
    home.ok("--now", THIRD, "export")
    assert home.git("default", f"--git-dir={bare}", "rev-parse", "main") == tip
    assert home.dreamd("status").code == 1
    monkeypatch.delenv("DREAMD_REMOTE__URL")
    check_clean(home)
