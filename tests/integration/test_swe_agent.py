"""Trajectories of SWE-agent through the command line: what is kept, when it was, and what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli import Command, command_in

AT = ("--at", "2026-05-04T09:00:00Z")
TASK = "We're solving this issue.\nISSUE:\nThe cart loses its total\n```py\ncart.total()\n```\nINSTRUCTIONS:\nBe quick."
DIFF = "diff --git a/src/cart.py b/src/cart.py\n--- a/src/cart.py\n+++ b/src/cart.py\n@@ -1 +1 @@\n-a\n+b\n"
BROKEN_EDIT = (
    "Your proposed edit has introduced new syntax error(s). Please read this error message carefully.\n\nERRORS:\n"
    "- E999 IndentationError: unexpected indent\n\nThis is how your edit would have looked if applied\n1: a\n"
)


@pytest.fixture
def dreamd(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    command = command_in(tmp_path / "home", capsys)
    assert command("init").code == 0
    return command


def a_step(action: str, observation: str = "", thought: str = "I think.") -> dict[str, object]:
    return {"action": action, "observation": observation, "thought": thought, "state": "{}", "response": thought}


def a_trajectory(*steps: dict[str, object], **info: object) -> dict[str, object]:
    history = [
        {"role": "system", "content": "You are an agent."},
        {"role": "user", "content": "Always use the demonstration.", "is_demo": True},
        {"role": "user", "content": TASK},
        *({"role": "assistant", "content": step["thought"]} for step in steps),
    ]
    return {"environment": "swe_main", "trajectory": list(steps), "history": history, "info": info}


def the_run() -> dict[str, object]:
    return a_trajectory(
        a_step("open src/cart.py", "[File: /testbed/src/cart.py (90 lines total)]\n1: a"),
        a_step("edit 1:1\n b\nend_of_edit", BROKEN_EDIT),
        a_step("edit 1:1\nb\nend_of_edit", "[File: /testbed/src/cart.py (90 lines total)]\n1: b"),
        a_step("pytest tests/test_cart.py", "E   TypeError: no total\n1 failed in 0.1s"),
        a_step("create notes.md", "[File: notes.md (1 lines total)]"),
        a_step("pytest tests/test_cart.py", "3 passed in 0.1s"),
        a_step("python -m pytest", "collecting ..."),
        a_step("submit", DIFF),
        exit_status="submitted",
        submission=DIFF,
    )


def laid_out(folder: Path, *runs: dict[str, object]) -> Path:
    for place, run in enumerate(runs):
        file = folder / f"run{place}" / "cart.traj"
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(run))
    return folder


def events_of(dreamd: Command) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = dreamd("events", "--json").value
    return found


def test_a_run_becomes_its_task_errors_fix_and_submission(dreamd: Command, tmp_path: Path) -> None:
    folder = laid_out(tmp_path / "shop", the_run())
    assert dreamd("ingest", "swe-agent", *AT, str(folder)).code == 0
    events = events_of(dreamd)
    assert [(each["kind"], each["actor"], each["text"]) for each in events] == [
        ("message", "external", "The cart loses its total"),
        ("error", "tool", "edit of src/cart.py failed: E999 IndentationError: unexpected indent"),
        ("error", "tool", "`pytest tests/test_cart.py` failed: TypeError: no total"),
        (
            "result",
            "tool",
            "`pytest tests/test_cart.py` passes again after changes to notes.md; before: TypeError: no total",
        ),
        ("result", "agent", "Submitted a change to src/cart.py for: The cart loses its total"),
    ]
    assert [each["at"][11:19] for each in events] == ["09:00:00", "09:00:02", "09:00:04", "09:00:06", "09:00:09"]
    assert len({each["session"] for each in events}) == 1 and events[-1]["files"] == ["src/cart.py"]


def test_without_a_time_nothing_is_taken_in_and_the_remedy_is_named(dreamd: Command, tmp_path: Path) -> None:
    folder = laid_out(tmp_path / "shop", the_run())
    answer = dreamd("ingest", "swe-agent", str(folder), "--json")
    assert answer.code == 2 and "hold no times" in answer.error["error"] and "--at 20" in answer.error["hint"]
    naive = dreamd("ingest", "swe-agent", "--at", "2026-05-04T09:00:00", str(folder), "--json")
    assert naive.code != 0 and events_of(dreamd) == []
    dated = dreamd("ingest", "codex", *AT, str(folder), "--json")
    assert dated.code == 2 and "--at means nothing to `codex`" in dated.error["error"]


def test_a_run_that_is_written_anew_after_a_step_gives_only_what_is_new(dreamd: Command, tmp_path: Path) -> None:
    run = the_run()
    steps = run["trajectory"]
    assert isinstance(steps, list)
    folder = laid_out(tmp_path / "shop", {**run, "trajectory": steps[:3], "info": {}})
    words = ("--space", "shop", "ingest", "swe-agent", "--json", *AT)
    assert dreamd(*words, str(folder)).value["new"] == 2
    (folder / "run0" / "cart.traj").write_text(json.dumps(run))
    again = dreamd(*words, str(folder)).value
    assert (again["new"], again["duplicate"]) == (3, 2)
    moved = tmp_path / "elsewhere"
    (folder / "run0").rename(moved)
    assert dreamd(*words, str(moved)).value["duplicate"] == 5


def test_two_runs_at_one_task_are_two_sources_of_evidence(dreamd: Command, tmp_path: Path) -> None:
    other = a_trajectory(a_step("make test", "Error: make: *** no rule"), exit_status="exit_cost")
    folder = laid_out(tmp_path / "shop", the_run(), other)
    dreamd("--space", "shop", "ingest", "swe-agent", *AT, str(folder))
    events = events_of(dreamd)
    assert len({each["session"] for each in events}) == 2
    (ended,) = [each for each in events if each["text"].startswith("Ended")]
    assert ended["text"] == "Ended without a submission (exit_cost) for: The cart loses its total"
    assert ended["outcome"] == 0.0


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"{", "the document is no JSON"),
        (b"[1]", "no list `trajectory`"),
        (b'{"trajectory": {}}', "no list `trajectory`"),
        (b"\xff\xfe", "not UTF-8"),
        (b"[" * 100_000, "nested too deep"),
        (b'{"trajectory": [' + b"1" * 5_000 + b"]}", "no JSON"),
        (b" " * 10_001, "document_bytes allows 10000 bytes"),
    ],
)
def test_what_is_no_trajectory_is_refused_with_its_reason(
    dreamd: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, reason: str
) -> None:
    if "document_bytes" in reason:
        monkeypatch.setenv("DREAMD_LIMITS__DOCUMENT_BYTES", "10000")
    (tmp_path / "a.traj").write_bytes(content)
    answer = dreamd("ingest", "swe-agent", *AT, str(tmp_path / "a.traj"), "--json")
    assert answer.code == 65 and answer.value["new"] == 0
    assert reason in answer.value["rejections"][0]["reason"]


def test_shapes_that_nobody_expects_are_named_and_end_no_reading(dreamd: Command, tmp_path: Path) -> None:
    run = the_run()
    run["trajectory"] = [
        {"action": 7},
        None,
        {"action": "", "observation": 3},
        a_step("make test", "Error: no such target"),
    ]
    run["history"] = [None, {"role": ["user"], "content": 7}, {"role": "user", "content": [{"text": "Mend the cart"}]}]
    run["info"] = {"exit_status": 7, "submission": ["x"]}
    folder = laid_out(tmp_path / "shop", run)
    answer = dreamd("ingest", "swe-agent", *AT, str(folder), "--json")
    assert [each["line"] for each in answer.value["rejections"]] == [1, 2]
    assert "`make test` failed: no such target" in [each["text"] for each in events_of(dreamd)]
