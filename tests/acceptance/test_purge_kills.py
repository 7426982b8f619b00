"""Kill -9 in every step of a purge: what comes after ends where an unkilled one does, and nothing comes back."""

import json
import shutil
import signal

import pytest

from dreamd.daemon.failpoints import FAILPOINTS
from tests.acceptance.canaries import FIRST, SECOND, THIRD, found_in, planted_in, story_of
from tests.acceptance.homes import AHome, a_home
from tests.cli import lines

CANARY = "qzzbetweenqq"
POINTS = [point for point in FAILPOINTS if point.startswith("purge-")]


def a_full_home(folder) -> AHome:
    folder.mkdir(exist_ok=True)
    home = a_home(folder / "home")
    events = [*planted_in("decision", CANARY), *story_of("cache")]
    (folder / "events.jsonl").write_text(lines(*events))
    home.ok("--now", FIRST, "ingest", "events", str(folder / "events.jsonl"))
    home.ok("--now", FIRST, "run")
    home.git("default", "remote", "add", "hub", "https://hub.invalid/memory.git")
    return home


@pytest.fixture(scope="module")
def full(tmp_path_factory):
    folder = tmp_path_factory.mktemp("full")
    return a_full_home(folder)


@pytest.fixture(scope="module")
def unkilled(full, tmp_path_factory):
    home = copied(full, tmp_path_factory.mktemp("unkilled"))
    home.ok("--now", SECOND, "purge", "of decision", "--yes")
    return home


def copied(home: AHome, folder) -> AHome:
    shutil.copytree(home.path, folder / "home")
    shutil.copy(home.path.parent / "events.jsonl", folder / "events.jsonl")
    return AHome(folder / "home")


def test_a_purge_that_is_killed_in_every_step_one_after_the_other_ends_the_same(full, unkilled, tmp_path):
    home = copied(full, tmp_path)
    words = ["purge", "of decision", "--yes"]
    for point in POINTS:
        killed = home.process("--now", SECOND, *words, DREAMD_FAILPOINT=f"{point}:kill")
        assert killed.code == -signal.SIGKILL, f"{point} is never reached: {killed.err}"
        words = ["purge", "--resume"]
    check_finished(home, unkilled, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("point", POINTS)
def test_a_purge_that_was_killed_anywhere_is_finished_by_the_next_and_ends_the_same(point, full, unkilled, tmp_path):
    home = copied(full, tmp_path)
    killed = home.process("--now", SECOND, "purge", "of decision", "--yes", DREAMD_FAILPOINT=f"{point}:kill")
    assert killed.code == -signal.SIGKILL, f"{point} is never reached: {killed.err}"
    check_finished(home, unkilled, tmp_path)


def check_finished(home: AHome, unkilled: AHome, folder) -> None:
    home.ok("--now", SECOND, "--json", "purge", "--resume")
    assert found_in(home.path, CANARY) == []
    assert not (home.path / "purging.json").exists()
    assert home.digest() == unkilled.digest()
    assert home.tree() == unkilled.tree()
    assert home.runs_committed() == unkilled.runs_committed()
    assert home.ok("verify").out == "clean\n"
    assert home.git("default", "status", "--porcelain") == ""
    home.ok("--now", THIRD, "ingest", "events", str(folder / "events.jsonl"))
    home.ok("--now", THIRD, "run")
    assert found_in(home.path, CANARY) == []


@pytest.mark.parametrize("point", ["purge-after-tombstones", "purge-after-refs"])
def test_a_run_after_the_kill_finishes_the_purge_too(point, full, tmp_path):
    home = copied(full, tmp_path)
    home.process("--now", SECOND, "purge", "of decision", "--yes", DREAMD_FAILPOINT=f"{point}:kill")
    home.ok("--now", THIRD, "ingest", "events", str(tmp_path / "events.jsonl"))
    told = home.ok("--now", THIRD, "run")
    assert "Purge 1 of space default" in told.err
    assert found_in(home.path, CANARY) == []


def test_the_certificate_lists_a_configured_remote_as_out_of_reach_and_tells_nothing_of_what_was_purged(unkilled):
    (certificate,) = (unkilled.path / "purges").glob("*.json")
    value = json.loads(certificate.read_text())
    assert value["complete"]
    places = {each["place"]: each["note"] for each in value["not_reached"]}
    assert "force" in places["remote hub (https://hub.invalid/memory.git)"]
    assert "remote hub" in certificate.with_suffix(".md").read_text()


def test_a_database_that_is_put_back_from_an_older_backup_is_purged_again_by_the_next_run(full, unkilled, tmp_path):
    home = copied(unkilled, tmp_path)
    shutil.copy(full.path / "dreamd.db", home.path / "dreamd.db")
    assert CANARY.encode() in (home.path / "dreamd.db").read_bytes()
    told = home.dreamd("--now", THIRD, "run")
    assert "Purge 2 of space default" in told.err
    assert [place for place in found_in(home.path, CANARY) if not place.endswith("purging.json")] == []
    shutil.rmtree(home.path / "memory" / "default")  # as the error asks for: it holds a run that the database has not
    home.ok("--now", THIRD, "ingest", "events", str(tmp_path / "events.jsonl"))
    home.ok("--now", THIRD, "run")
    home.ok("--now", THIRD, "export")
    assert found_in(home.path, CANARY) == []
    assert home.ok("verify").out == "clean\n"
