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
