"""Purged is gone: no byte of it in the home, and it never comes back."""

import json
import random

import pytest

from tests.acceptance.canaries import (
    DOORS,
    FIRST,
    SECOND,
    THIRD,
    a_canary,
    commit_with,
    found_in,
    planted_in,
    story_of,
    subject_of,
)
from tests.acceptance.homes import AHome, a_home
from tests.cli import lines


def with_canaries(folder, canaries: dict[str, str]) -> AHome:
    home = a_home(folder / "home")
    events = [event for door, canary in canaries.items() for event in planted_in(door, canary)]
    early = [*(event for event in events if str(event["at"]) < "2026-03-10"), *story_of("cache")[:3]]
    (folder / "early.jsonl").write_text(lines(*early))
    (folder / "late.jsonl").write_text(lines(*(each for each in events if each not in early), *story_of("cache")[3:]))
    home.ok("--now", FIRST, "ingest", "events", str(folder / "early.jsonl"))
    home.ok("--now", FIRST, "run")
    home.ok("--now", SECOND, "ingest", "events", str(folder / "late.jsonl"))
    if "commit" in canaries:
        commit_with(folder / "project", canaries["commit"])
        home.ok("--now", SECOND, "--space", "default", "ingest", "git", str(folder / "project"))
    home.ok("--now", SECOND, "run")
    if "alias" in canaries:
        home.ok("--now", SECOND, "alias", f"{canaries['alias']}Db", "storage")
    return home


def ingest_again(folder, home: AHome) -> None:
    for name in ("early", "late"):
        home.ok("--now", THIRD, "ingest", "events", str(folder / f"{name}.jsonl"))
    if (folder / "project").exists():
        home.ok("--now", THIRD, "--space", "default", "ingest", "git", str(folder / "project"))


def purge(home: AHome, *words: str) -> object:
    return home.ok("--now", SECOND, "--json", "purge", *words, "--yes").json()


def check_purged(folder, canaries: dict[str, str]) -> None:
    home = with_canaries(folder, canaries)
    for door, canary in canaries.items():
        assert found_in(home.path, canary), door
    rest = home.ok("--json", "show", "cache").json()
    subjects = [subject for door, canary in canaries.items() for subject in subject_of(door, canary, home)]
    certificate = purge(home, *subjects)
    assert certificate["complete"], certificate
    left = {door: places for door, canary in canaries.items() if (places := found_in(home.path, canary))}
    assert left == {}
    assert home.ok("--json", "show", "cache").json() == rest
    assert home.ok("verify").out == "clean\n"
    assert home.git("default", "status", "--porcelain") == ""
    assert home.git("default", "fsck", "--full", "--strict") == ""
    ingest_again(folder, home)
    home.ok("--now", THIRD, "run")
    home.ok("--now", THIRD, "export")
    for run in home.ok("--json", "runs").json():
        home.dreamd("--now", THIRD, "revert", str(run["run"]), "--cascade")
    home.ok("--now", THIRD, "run")
    left = {door: places for door, canary in canaries.items() if (places := found_in(home.path, canary))}
    assert left == {}
    assert home.ok("verify").out == "clean\n"


def test_of_twenty_canaries_no_byte_is_left_after_a_purge_and_none_comes_back(tmp_path):
    chance = random.Random(20260320)
    canaries = {door: a_canary(chance) for door in DOORS}
    assert len(canaries) == 20
    check_purged(tmp_path, canaries)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
def test_of_two_hundred_canaries_no_byte_is_left_after_a_purge_and_none_comes_back(tmp_path, seed):
    chance = random.Random(seed)
    check_purged(tmp_path, {door: a_canary(chance) for door in DOORS})


def test_a_dry_run_says_what_would_go_and_writes_nothing(tmp_path):
    home = with_canaries(tmp_path, {"target": "qqdryrunq", "text": "qqotherq"})
    before = {path: path.read_bytes() for path in home.path.rglob("*") if path.is_file()}
    told = home.ok("--json", "--now", SECOND, "purge", "qqdryrunq", "--dry-run").json()
    assert told["would_erase"]["events"] == 4
    assert told["would_erase"]["streams"] == 1
    assert {path: path.read_bytes() for path in home.path.rglob("*") if path.is_file()} == before


def test_a_purge_of_nothing_known_is_refused_and_one_that_fits_two_things_asks_which(tmp_path):
    home = with_canaries(tmp_path, {"text": "qqonlyq"})
    assert home.dreamd("--now", SECOND, "purge", "no such thing", "--yes").code == 2
    assert home.dreamd("purge").code == 2
    again = [{"at": "2026-03-12T10:00:00Z", "text": "The cache is warm", "target": "cache", "session": "cache"}]
    (tmp_path / "again.jsonl").write_text(lines(*again))
    home.ok("--now", SECOND, "ingest", "events", str(tmp_path / "again.jsonl"))
    asked = home.dreamd("--now", SECOND, "purge", "cache", "--yes")
    assert asked.code == 2
    assert "--as" in asked.err
    home.ok("--now", SECOND, "purge", "cache", "--as", "session", "--yes")
    assert home.ok("--json", "show", "cache").json()["status"] == "active"


def test_a_purge_is_not_taken_back_and_what_needs_it_is_named_as_purged(tmp_path):
    home = with_canaries(tmp_path, {"text": "qqblockq", "tags": "qqstaysq"})
    purge(home, "of text")
    number = home.ok("--json", "runs").json()[-1]["run"]
    refused = home.dreamd("--now", THIRD, "revert", str(number))
    assert refused.code == 2
    assert "is a purge" in refused.err
    blocked = home.dreamd("--json", "--now", THIRD, "revert", "1", "--cascade").out
    assert json.loads(blocked)["blocked"][0]["purged"] is True
    assert home.ok("verify").out == "clean\n"


def test_what_others_said_too_stays_and_the_purge_says_so(tmp_path):
    home = with_canaries(tmp_path, {"text": "qqsharedq"})
    also = [
        {
            "at": "2026-03-12T10:00:00Z",
            "text": "Parsing of qqsharedq took 1 seconds",
            "target": "parser",
            "session": "b",
        }
    ]
    (tmp_path / "also.jsonl").write_text(lines(*also))
    home.ok("--now", SECOND, "ingest", "events", str(tmp_path / "also.jsonl"))
    home.ok("--now", SECOND, "run")
    value = purge(home, "of text")
    assert value["erased"]["events that stay and say it too"] == 1
    texts = {claim["text"] for claim in home.ok("--json", "show", "parser").json()["claims"]}
    assert [text for text in texts if "qqsharedq" in text] == ["Parsing of qqsharedq took 1 seconds"]
    assert home.ok("verify").out == "clean\n"
