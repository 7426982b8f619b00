"""The manifest agrees with the files, and `verify` and `adopt` have nothing to say about a clean tree."""

from pathlib import Path

import pytest

from tests.people import People, a_memory


@pytest.fixture
def people(tmp_path: Path) -> People:
    memory = a_memory(tmp_path)
    memory.learns("proxy", "The proxy keeps connections for 30 seconds", day=17)
    return memory


def test_after_a_recognised_git_revert_nothing_is_found(people: People) -> None:
    people.git("revert", "--no-edit", people.head())
    people.runs(18)
    assert people.say("runs")[-1]["reverts"] == 2
    assert people.home.ok("verify").out == "clean\n"


def test_adopt_of_a_clean_tree_asks_for_no_name(people: People) -> None:
    assert people.home.ok("--space", "default", "adopt").out.startswith("Nothing to adopt")


def test_a_missing_manifest_is_named_and_written_again(people: People) -> None:
    people.git("rm", "-q", ".dreamd/manifest.json")
    people.git("commit", "-qm", "tidy")
    found = people.home.dreamd("verify")
    assert found.code == 1
    assert ".dreamd/manifest.json:0: it is not there" in found.out
    people.runs(18)
    people.home.ok("export")
    assert people.home.ok("verify").out == "clean\n"
