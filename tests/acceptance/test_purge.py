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
