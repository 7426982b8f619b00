"""A run whose revert was reverted is in force again, and can be taken back as if neither had been."""

from pathlib import Path

import pytest

from tests.people import DAY, People, a_memory


@pytest.fixture
def people(tmp_path: Path) -> People:
    memory = a_memory(tmp_path)
    memory.learns("proxy", "The proxy keeps connections for 30 seconds", day=17)
    return memory


def rows(people: People) -> object:
    return [people.say(*words) for words in (("claims", "--all"), ("streams",))]


def does(people: People, *words: str) -> None:
    people.home.ok("--now", DAY.format(18), *words)


def test_undone_and_undone_again_it_can_be_reverted(people: People) -> None:
    held = rows(people)
    does(people, "undo")
    before = rows(people)
    does(people, "undo")
    assert rows(people) == held
    does(people, "revert", "2")
    assert rows(people) == before
    assert [run["reverts"] for run in people.say("runs")][2:] == [2, 3, 2]
    does(people, "undo")
    assert rows(people) == held


def test_with_cascade_it_is_the_same(people: People) -> None:
    does(people, "undo")
    before = rows(people)
    does(people, "undo")
    does(people, "revert", "2", "--cascade")
    assert rows(people) == before


def test_what_is_taken_back_stays_refused(people: People) -> None:
    does(people, "undo")
    does(people, "undo")
    does(people, "undo")
    refused = people.home.dreamd("--now", DAY.format(18), "revert", "2")
    assert "run 3 took it back already" in refused.out
