"""A backup made beside a writer is whole, and what is restored from it is a home in which all commands are clean."""

import json
import os
import shutil
import sqlite3
import stat

import pytest

from tests.acceptance.canaries import FIRST, SECOND, THIRD, found_in, planted_in, story_of
from tests.acceptance.homes import AHome, a_home
from tests.cli import lines

CANARY = "qzzbackedupqq"


@pytest.fixture(scope="module")
def full(tmp_path_factory):
    """A home with two runs, and a person's own file beside ours."""
    folder = tmp_path_factory.mktemp("full")
    home = a_home(folder / "home")
    (folder / "events.jsonl").write_text(lines(*planted_in("decision", CANARY), *story_of("cache")))
    home.ok("--now", FIRST, "ingest", "events", str(folder / "events.jsonl"))
    home.ok("--now", FIRST, "run")
    (folder / "home" / "memory" / "default" / "NOTES.txt").write_text("mine\n")
    home.git("default", "add", "NOTES.txt")
    home.git("default", "-c", "user.name=A", "-c", "user.email=a@b.invalid", "commit", "-qm", "notes")
    home.ok("--now", FIRST, "--json", "backup", str(folder / "one.tar.gz"))
    return home


def archive_of(home: AHome):
    return home.path.parent / "one.tar.gz"


def copied(home: AHome, folder) -> AHome:
    shutil.copytree(home.path, folder / "home")
    return AHome(folder / "home")


def check_clean(home: AHome) -> None:
    assert home.ok("--json", "status").json()["wrong"] == []
    assert home.ok("verify").out == "clean\n"
    assert home.git("default", "status", "--porcelain") == ""
    home.git("default", "fsck", "--full", "--strict")


def test_a_restored_home_is_the_one_that_was_backed_up_wherever_it_lies(full, tmp_path):
    made = AHome(tmp_path / "elsewhere")
    made.ok("restore", str(archive_of(full)))
    assert made.digest() == full.digest()
    assert made.git("default", "rev-parse", "HEAD") == full.git("default", "rev-parse", "HEAD")
    assert (made.path / "memory" / "default" / "NOTES.txt").read_text() == "mine\n"
    assert (made.path / "key").read_text() == (full.path / "key").read_text()
    assert (made.path / "dreamd.toml").read_text() == (full.path / "dreamd.toml").read_text()
    check_clean(made)
    (tmp_path / "more.jsonl").write_text(lines(*story_of("queue")))
    made.ok("--now", SECOND, "ingest", "events", str(tmp_path / "more.jsonl"))
    made.ok("--now", SECOND, "run")
    made.ok("--now", SECOND, "export")
    check_clean(made)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_what_was_purged_and_forgotten_after_the_backup_stays_gone(full, tmp_path):
    home = copied(full, tmp_path)
    home.ok("--now", SECOND, "purge", "of decision", "--yes")
    home.ok("--now", SECOND, "forget", "cache")
    assert found_in(home.path, CANARY) == []
    shutil.copy(archive_of(full), tmp_path / "b.tar.gz")
    told = home.ok("--now", THIRD, "--json", "restore", str(tmp_path / "b.tar.gz"), "--replace").json()
    assert told["forgotten_again"] > 0
    assert [each["complete"] for each in told["purged_again"]] == [True]
    assert found_in(home.path, CANARY) == []
    assert home.ok("--json", "show", "cache").json()["status"] == "forgotten"
    check_clean(home)
    home.ok("--now", THIRD, "ingest", "events", str(full.path.parent / "events.jsonl"))
    home.ok("--now", THIRD, "run")
    home.ok("--now", THIRD, "export")
    assert found_in(home.path, CANARY) == []
    assert home.ok("--json", "show", "cache").json()["status"] == "forgotten"
    check_clean(home)
    home.ok("--now", THIRD, "unforget", "cache")  # as where it was forgotten
    assert home.ok("--json", "show", "cache").json()["status"] == "active"
    aside = AHome(tmp_path / os.path.basename(told["kept_aside"]))
    assert sorted(path.name for path in (aside.path / "purges").iterdir()) == ["0001.json", "0001.md"]
    check_clean(aside)


def test_a_statement_that_was_forgotten_after_the_backup_stays_retracted(full, tmp_path):
    home = copied(full, tmp_path)
    claim = next(each for each in home.ok("--json", "claims").json() if "kept small" in each["text"])
    assert "is kept small" in home.ok("show", "cache").out
    home.ok("--now", SECOND, "forget", claim["id"])
    home.ok("--now", THIRD, "restore", str(archive_of(full)), "--replace")
    assert claim["id"] not in {each["id"] for each in home.ok("--json", "claims").json()}
    assert "is kept small" not in home.git("default", "show", "HEAD:MEMORY.md")
    home.ok("--now", THIRD, "unforget", claim["id"])
    assert claim["id"] in {each["id"] for each in home.ok("--json", "claims").json()}
    check_clean(home)


def test_a_home_in_which_something_lies_gives_way_only_when_told(full, tmp_path):
    home = copied(full, tmp_path)
    refused = home.dreamd("restore", str(archive_of(full)))
    assert refused.code == 2
    assert "--replace" in refused.err
    stranger = tmp_path / "stranger"
    stranger.mkdir()
    (stranger / "thesis.txt").write_text("mine")
    refused = home.dreamd("restore", str(archive_of(full)), "--to", str(stranger), "--replace")
    assert refused.code == 2
    assert os.listdir(stranger) == ["thesis.txt"]
    (home.path / "key").write_text("cd" * 32 + "\n")
    refused = home.dreamd("restore", str(archive_of(full)), "--replace")
    assert refused.code == 78
    assert "another key" in refused.err
    assert sorted(os.listdir(tmp_path)) == ["home", "stranger"]


def test_a_database_that_can_no_longer_be_read_gives_way_and_that_is_said(full, tmp_path):
    home = copied(full, tmp_path)
    (home.path / "dreamd.db").write_bytes(b"torn" * 1000)
    told = home.ok("--json", "restore", str(archive_of(full)), "--replace").json()
    assert "cannot be read" in told["notes"][0]
    assert home.digest() == full.digest()
    check_clean(home)


def test_a_backup_is_its_owners_alone_never_overwrites_and_tells_what_is_in_it_and_what_not(full, tmp_path):
    (tmp_path / "to").mkdir()
    told = full.ok("--now", SECOND, "backup", str(tmp_path / "to")).out
    (file,) = (tmp_path / "to").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "space default:" in told
    assert "with its memory repository" in told
    assert "Not in it: what is not committed" in told
    before = file.read_bytes()
    refused = full.dreamd("--now", SECOND, "backup", str(file))
    assert (refused.code, file.read_bytes()) == (2, before)
    assert full.dreamd("backup", str(full.path / "inside.tar")).code == 2
    again = full.ok("--now", SECOND, "--json", "backup", str(tmp_path / "again.tar.gz")).json()
    assert str(tmp_path) not in json.dumps(again["files"])
    assert (tmp_path / "again.tar.gz").read_bytes() == before  # equal states, equal files


def test_a_repository_that_cannot_be_read_is_named_and_made_from_the_database(full, tmp_path):
    home = copied(full, tmp_path)
    (home.path / "memory" / "default" / ".git" / "HEAD").unlink()
    made = home.dreamd("--json", "backup", str(tmp_path / "b.tar"))
    assert made.code == 1
    assert "memory repository of space default" in made.json()["left_out"][0]
    there = AHome(tmp_path / "there")
    there.ok("restore", str(tmp_path / "b.tar"))
    assert there.digest() == full.digest()
    check_clean(there)


def test_a_purge_under_way_keeps_a_backup_from_being_made(full, tmp_path):
    home = copied(full, tmp_path)
    home.process("purge", "of decision", "--yes", DREAMD_FAILPOINT="purge-after-tombstones:kill")
    assert home.dreamd("backup", str(tmp_path / "b.tar")).code == 75
    assert os.listdir(tmp_path) == ["home"]
    shutil.copy(home.path / "tombstones", tmp_path / "seals")
    told = home.ok("--json", "restore", str(archive_of(full)), "--replace").json()  # its journal is minded, too
    assert [each["complete"] for each in told["purged_again"]] == [True]
    assert found_in(home.path, CANARY) == []
    check_clean(home)


def test_a_purge_between_the_copies_keeps_a_backup_from_being_made(full, tmp_path, monkeypatch):
    home = copied(full, tmp_path)
    points = {"backup-after-bundles": ("--now", SECOND, "purge", "of decision", "--yes")}
    monkeypatch.setattr("dreamd.daemon.backups.making.reach", lambda point: home.ok(*points[point]))
    assert home.dreamd("backup", str(tmp_path / "b.tar")).code == 75
    assert os.listdir(tmp_path) == ["home"]


def test_a_writer_who_has_begun_is_waited_for_and_one_who_does_not_end_keeps_the_home(full, tmp_path, monkeypatch):
    monkeypatch.setattr("dreamd.daemon.storage.copying.BUSY_TIMEOUT_MS", 50)
    home = copied(full, tmp_path)
    writer = sqlite3.connect(home.path / "dreamd.db", isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    assert home.dreamd("restore", str(archive_of(full)), "--replace").code == 75
    writer.execute("UPDATE cursor SET value = 'half' WHERE 1")
    made = home.ok("--json", "backup", str(tmp_path / "b.tar")).json()  # beside the writer, without what it has begun
    writer.execute("ROLLBACK")
    writer.close()
    assert made["spaces"]["default"]["digest"] == full.digest()
    assert sorted(os.listdir(tmp_path)) == ["b.tar", "home"]


def test_profiles_are_known_again_outside_of_the_home_and_made_again_inside(full, tmp_path):
    home = copied(full, tmp_path)
    (tmp_path / "agent").mkdir()
    wish = f'\n[profiles]\ngenerated = "claude-code, default:codex={tmp_path}/agent"\n'
    settings = home.path / "dreamd.toml"
    settings.write_text(settings.read_text().replace("[profiles]", "") + wish)
    home.ok("--now", SECOND, "export")
    outside = sorted(path.name for path in (tmp_path / "agent").rglob("*"))
    inside = sorted(path.name for path in (home.path / "profiles").rglob("*"))
    home.ok("backup", str(tmp_path / "b.tar"))
    shutil.rmtree(home.path)
    made = AHome(tmp_path / "made")
    made.ok("restore", str(tmp_path / "b.tar"))
    (told,) = made.ok("--now", THIRD, "--json", "export").json()
    assert [each["status"] for each in told["profiles"]] == ["done", "done"]
    assert sorted(path.name for path in (tmp_path / "agent").rglob("*")) == outside != []
    assert sorted(path.name for path in (made.path / "profiles").rglob("*")) == inside
    check_clean(made)


def test_a_link_to_a_home_stays_and_leads_to_the_restored_one(full, tmp_path):
    home = copied(full, tmp_path)
    (tmp_path / "link").symlink_to(home.path)
    AHome(tmp_path / "link").ok("--now", SECOND, "restore", str(archive_of(full)), "--replace")
    assert (tmp_path / "link").is_symlink()
    assert sorted(os.listdir(tmp_path)) == ["home", "home.before-20260320T000000Z", "link"]
    check_clean(AHome(tmp_path / "link"))


def test_an_empty_home_and_spaces_that_have_not_dreamt_come_back_too(tmp_path):
    home = a_home(tmp_path / "home")
    home.ok("backup", str(tmp_path / "empty.tar"))
    (tmp_path / "events.jsonl").write_text(lines(*story_of("cache")))
    for space in ("work", "play"):
        home.ok("--now", FIRST, "--space", space, "ingest", "events", str(tmp_path / "events.jsonl"))
    home.ok("--now", FIRST, "--space", "work", "run")
    home.ok("--space", "play", "backup", str(tmp_path / "two.tar"))
    assert home.ok("restore", str(tmp_path / "empty.tar"), "--replace").code == 0
    assert home.ok("--json", "status").json()["spaces"] == []
    assert home.ok("--space", "play", "--json", "restore", str(tmp_path / "two.tar"), "--replace").json()["notes"] == []
    assert [space["space"] for space in home.ok("--json", "status").json()["spaces"]] == ["play", "work"]
    assert home.ok("verify").out == "clean\n"
    home.ok("--now", SECOND, "run")
    assert home.git("play", "status", "--porcelain") == home.git("work", "status", "--porcelain") == ""
