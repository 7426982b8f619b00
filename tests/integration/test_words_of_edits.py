"""What is said of forgetting and of edits: why, by whom, and the command that takes it back."""

from pathlib import Path

import pytest

from tests.people import DAY, People, a_memory

SAID = "The proxy keeps connections for 30 seconds"
PAGE = "projects/proxy.md"
FIRST = "- Use nginx"


@pytest.fixture
def people(tmp_path: Path) -> People:
    memory = a_memory(tmp_path)
    memory.learns("proxy", SAID, day=17)
    return memory


def edited(people: People, old: str, new: str) -> None:
    page = people.path / PAGE
    text = page.read_text()
    page.write_text("".join(new if line.startswith(old) else line for line in text.splitlines(keepends=True)))
    people.git("commit", "-qam", "edit")


def forgotten(people: People) -> str:
    claim = next(each["id"] for each in people.say("claims", "--target", "proxy") if each["text"] == SAID)
    told = people.home.ok("--now", DAY.format(17), "forget", claim).out
    assert "because a person forgot it" in told
    assert "None" not in told + people.home.ok("report").out
    return str(claim)


def test_what_was_forgotten_and_is_written_again_is_refused_with_the_reason_and_the_command(people: People) -> None:
    claim = forgotten(people)
    line = next(each for each in (people.path / PAGE).read_text().splitlines(keepends=True) if each.startswith(FIRST))
    edited(people, FIRST, f"{line}- {SAID}\n")
    told = people.home.ok("--now", DAY.format(18), "run").out
    why = f"not shown, since you forgot it: dreamd unforget {claim} --space default"
    assert told.startswith("Beyond people's edits nothing changed in default\n")
    assert why in told
    assert "heard of again, though you forgot it" in told
    report = people.home.ok("report", "4").out
    assert "## Edited by people" in report
    assert "Of your edits: 1; first: " in report
    assert f"unforget {claim}" in report
    assert "Problems" not in report
    people.home.ok("--now", DAY.format(18), "unforget", claim)
    assert SAID in (people.path / PAGE).read_text()


def test_a_line_that_was_taken_out_is_not_ended_by_itself(people: People) -> None:
    edited(people, FIRST, "")
    people.runs(18)
    report = people.home.ok("report", "3").out
    assert "ended by" not in report
    assert "ended (user, " in report
    assert "because ;" not in report
    assert not any(line.endswith("because ") for line in report.splitlines())


def test_a_purge_is_named_by_a_title_that_reads(people: People) -> None:
    people.home.ok("--now", DAY.format(18), "purge", "queue", "--yes")
    assert "purge of what a person named" in people.git("log", "-3", "--format=%s")
