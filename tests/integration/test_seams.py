"""Where one part of the memory repository meets another: edits, git, forgetting, retention, views."""

from pathlib import Path

from tests.edited import REDIS, Edited, git

SIZE = "Deploys need a warm cache of size 8"
LATER = "2026-03-22T15:00:00Z"


def test_a_page_that_a_person_brings_back_is_as_it_was_without_our_words_as_notes(edited: Edited) -> None:
    page = edited.text(REDIS)
    edited.commit({REDIS: None})
    edited.run("2026-03-22T12:00:00Z")
    edited.commit({REDIS: page}, at="2026-03-22T14:00:00Z")
    told = edited.run(LATER)
    assert told["edits"]["problems"] == []
    assert edited.text(REDIS).count("These are recorded statements") == 1
    assert [claim["status"] for claim in edited.claims(SIZE)].count("current") == 1
    assert edited.verify() == []


def test_a_git_revert_of_what_was_forgotten_leaves_a_manifest_of_what_lies_there(edited: Edited) -> None:
    before = edited.tree()
    forgotten = edited.command("--now", "2026-03-22T12:00:00Z", "forget", "redis")
    assert "because forgotten; forgotten by a person" in forgotten.out
    git(edited.memory, "revert", "--no-edit", "HEAD")
    assert "is dreamd revert 2" in edited.run(LATER)["export"]["noticed"][0]
    assert edited.tree() == before
    assert edited.verify() == []


def test_a_forgotten_statement_was_forgotten_by_a_person(edited: Edited) -> None:
    (claim,) = edited.claims(SIZE)
    told = edited.command("--now", LATER, "forget", claim["id"])
    assert "because a person forgot it" in told.out


def test_who_tells_what_would_happen_says_that_it_does_not_look_at_edits(edited: Edited, tmp_path: Path) -> None:
    at = ("--now", LATER)
    assert edited.command(*at, "run", "--dry-run", "--json").value["unread_commits"] == 0
    edited.change(REDIS, "size 8", "size 12")
    edited.commit({"mine.txt": "no memory\n"})
    said = "1 commit by people not looked at here; a run takes it in first"
    for words in (("run", "--dry-run"), ("plan", "-o", str(tmp_path / "plan.json")), ("status",)):
        assert said in edited.command(*at, *words).out
    assert edited.command(*at, "status", "--json").value["spaces"][0]["export"]["unread_commits"] == 1
    edited.run(LATER)
    assert said not in edited.command(*at, "status").out


def test_a_person_who_states_again_what_was_forgotten_is_told_how_to_believe_it(edited: Edited) -> None:
    (claim,) = edited.claims(SIZE)
    assert edited.command("--now", "2026-03-21T12:00:00Z", "forget", claim["id"]).code == 0
    edited.commit({REDIS: edited.text(REDIS) + f"- {SIZE}\n"}, at="2026-03-22T12:00:00Z")
    (problem,) = edited.run(LATER)["edits"]["problems"]
    assert f"dreamd unforget {claim['id']}" in problem["message"]
    assert f"unforget {claim['id']}" in edited.report()
    assert edited.command("--now", LATER, "unforget", claim["id"]).code == 0
    assert edited.status_of(SIZE) == "current"
