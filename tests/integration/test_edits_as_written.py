"""What people write by hand is read as Markdown reads it: wrapped, numbered, or with a conflict left in it."""

from pathlib import Path

import pytest

from tests.edited import REDIS, Edited, git

SIZE = "Deploys need a warm cache of size 8"
BIGGER = "Deploys need a warm cache of size 12"
LOST = "The redis lost request 2"
NEVER = "Never deploy on Friday unless the hotfix is signed off by Ann"
WRAPPED = "- Never deploy on Friday\n  unless the hotfix is signed off by Ann\n"


@pytest.mark.parametrize(
    "written",
    [WRAPPED, WRAPPED.replace("  unless", "unless"), WRAPPED.replace("- ", "1. "), f"* {NEVER}\n", f"2) {NEVER}\n"],
)
def test_a_bullet_is_one_statement_with_what_it_goes_on_with(edited: Edited, written: str) -> None:
    head, _, rest = edited.text(REDIS).partition(f"- {SIZE}")
    edited.commit({REDIS: f"{head}{written}\n- {SIZE}{rest}", "lessons/deploys.md": written})
    edited.run()
    assert [each["text"] for each in edited.claims("Friday")] == [NEVER, NEVER]
    assert f"- {NEVER} [" in edited.text(REDIS)
    assert "## Notes" not in edited.text(REDIS) + edited.text("lessons/deploys.md")
    assert edited.verify() == []


def test_a_statement_that_an_editor_wrapped_says_what_it_said(edited: Edited) -> None:
    line = next(line for line in edited.text(REDIS).splitlines() if line.startswith(f"- {SIZE}"))
    edited.change(REDIS, line, line.replace(" warm cache", "\n  warm cache").replace(" [source", "\n  [source"))
    assert "edits" not in edited.run()
    assert edited.status_of(SIZE) == "current"


def test_a_statement_that_goes_on_below_its_brackets_is_changed(edited: Edited) -> None:
    line = next(line for line in edited.text(REDIS).splitlines() if line.startswith(f"- {SIZE}"))
    edited.change(REDIS, line, f"{line}\n  unless Ann says so")
    edited.run()
    assert (edited.status_of(SIZE), edited.status_of(f"{SIZE} unless Ann says so")) == ("retracted", "current")


def conflicted(edited: Edited) -> str:
    text = edited.text(REDIS)
    line = next(line for line in text.splitlines() if line.startswith(f"- {SIZE}"))
    other = line.replace(SIZE, BIGGER)
    return text.replace(line, f"<<<<<<< HEAD\n{line}\n=======\n{other}\n- Mine\n>>>>>>> mine\n- Theirs stands")


def test_what_stands_between_conflict_markers_is_not_taken_and_the_report_names_the_file(edited: Edited) -> None:
    before = edited.claims()
    edited.commit({REDIS: conflicted(edited)})
    edited.run()
    after = edited.claims()
    assert [each for each in after if each["id"] in {claim["id"] for claim in before}] == before
    assert {each["text"] for each in after} - {each["text"] for each in before} == {"Theirs stands"}
    assert f"{REDIS}: “conflict markers in {REDIS}”" in edited.report()
    assert not any(marker in edited.text(REDIS) for marker in ("<<<<<<<", "=======", ">>>>>>>"))
    assert edited.verify() == []


def test_a_conflict_that_a_later_commit_settled_counts_as_it_was_settled(edited: Edited) -> None:
    settled = edited.text(REDIS).replace(SIZE, BIGGER)
    lost = next(line for line in settled.splitlines() if line.startswith(f"- {LOST}"))
    edited.commit({REDIS: conflicted(edited)})
    edited.commit({REDIS: settled.replace(f"{lost}\n", "")}, at="2026-03-21T10:00:00Z")
    edited.run()
    assert (edited.status_of(SIZE), edited.status_of(BIGGER), edited.status_of(LOST)) == (
        "retracted",
        "current",
        "retracted",
    )
    assert edited.claims("Mine") == []
    assert "conflict markers" not in edited.report()


def test_a_merge_that_was_committed_with_its_markers_takes_nothing_back(edited: Edited, tmp_path: Path) -> None:
    git(edited.memory, "checkout", "-qb", "mine")
    edited.change(REDIS, SIZE, BIGGER)
    git(edited.memory, "checkout", "-q", "main")
    edited.change(REDIS, SIZE, f"{SIZE} or 9")
    with pytest.raises(AssertionError, match="CONFLICT"):
        git(edited.memory, "merge", "-q", "mine")
    edited.commit({})
    edited.run()
    statuses = {each["text"]: each["status"] for each in edited.claims() if each["target"] == "redis"}
    assert "current" in {statuses.get(text) for text in (SIZE, f"{SIZE} or 9", BIGGER)}
    assert set(status for text, status in statuses.items() if "size" not in text) == {"current"}
    assert f"conflict markers in {REDIS}" in edited.report()
    assert "<<<<<<<" not in edited.text(REDIS)
