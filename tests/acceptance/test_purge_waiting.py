"""A purge while a person's edit waits in the work tree, or was adopted and not yet read: it is an edit all the same."""

import json
from pathlib import Path

import pytest

from tests.acceptance.canaries import found_in
from tests.edited import REDIS, Edited, copy_of, git

CANARY = "dingozz"
CAME = "Redis lost eight replicas"


@pytest.fixture
def edited(prepared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Edited:
    """A page that tells of the canary, begun to be edited before a dream wrote more on it."""
    edited = copy_of(prepared, tmp_path / "home", capsys)
    learns(edited, f"The {CANARY} cluster lost a node", "2026-03-21T10:00:00Z")
    edited.write(REDIS, edited.text(REDIS).replace("size 8", "size 12"))
    learns(edited, CAME, "2026-03-22T10:00:00Z")
    return edited


def learns(edited: Edited, text: str, at: str) -> None:
    edited.ingest({"at": at, "text": text, "kind": "error", "target": "redis"}, now=at)
    edited.run(at)


def purge(edited: Edited) -> int:
    events = edited.command("--json", "events").value
    ids = [event["id"] for event in events if CANARY in json.dumps(event)]
    return edited.command("--json", "--now", "2026-03-25T00:00:00Z", "purge", *ids, "--yes").code


def without_canary(edited: Edited) -> None:
    """As the certificate asks of the person: the file that waits tells of it no more."""
    lines = edited.text(REDIS).splitlines(keepends=True)
    edited.write(REDIS, "".join(line for line in lines if CANARY not in line))


def test_an_edit_that_waited_is_held_against_what_is_left_of_the_page(edited: Edited) -> None:
    assert purge(edited) == 1  # the file that waits still tells of it
    without_canary(edited)
    git(edited.memory, "commit", "-qam", "mine", at="2026-03-25T01:00:00Z")
    assert edited.run("2026-03-26T00:00:00Z")["edits"]["counts"]["retracted"] == 1
    assert edited.status_of("Deploys need a warm cache of size 12") == "current"
    assert edited.status_of(CAME) == "current"
    assert found_in(edited.home, CANARY) == []
    assert edited.verify() == []


def test_an_adopted_edit_that_names_a_page_that_is_gone_is_read(edited: Edited) -> None:
    without_canary(edited)
    assert edited.command("--now", "2026-03-24T00:00:00Z", "adopt", "--author", "Ada <ada@example.org>").code == 0
    assert purge(edited) == 0
    edited.run("2026-03-26T00:00:00Z")
    assert edited.status_of("Deploys need a warm cache of size 12") == "current"
    assert edited.verify() == []


def test_a_purge_that_answers_in_json_asks_for_yes_in_json(edited: Edited) -> None:
    told = edited.command("--json", "purge", "redis")
    assert (told.code, told.out) == (2, "")
    assert "--yes" in told.error["hint"]
