"""Transcripts: a made-up tree of Claude Code sessions of 50 MB, read for the first time and once more unchanged.

The sessions are made here (requests, thinking, reads of files, commands that fail and pass, edits, progress of
subagents, answers), since nobody's own are anybody's to share. Targets (issue 3): the first pass within 15 CPU
seconds, the second within 0.5. They are whole commands but for the start of the program, which spine shows.
"""

import json
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stdout
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

from bench.measure import measure
from dreamd.daemon.cli import main as main_of_dreamd
from dreamd.daemon.home import create

TREE_BYTES = 50 * 1024 * 1024
PROJECTS = 8
TURNS = 12  # of a session
START = datetime(2026, 3, 2, 9, tzinfo=UTC)
FIRST_BOUND = 15.0  # CPU seconds
SECOND_BOUND = 0.5

CODE = "\n".join(
    f"{n:6}\tdef step_{n}(value: int) -> int:  # what the step does to the value it is given" for n in range(60)
)
LOG = "\n".join(f"tests/unit/test_part_{n}.py::test_case_{n} PASSED [{n}%]" for n in range(40))
THOUGHT = "The person wants the upload to be retried, so the client has to know which of the errors are worth it. " * 4


def main(_data_dir: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "projects"
        size, files = _make(tree)
        print(f"a tree of {size / 1e6:.0f} MB in {files} files")
        _pass(Path(folder) / "warm", next(tree.rglob("*.jsonl")))
        home = Path(folder) / "home"
        first, first_cost = measure("first pass", lambda: _pass(home, tree))
        second, second_cost = measure("second pass, nothing new", lambda: _pass(home, tree))
    print(
        f"{first['new']} events of {sum(first['records'].values())} records; then {second['unchanged']} files unchanged"
    )
    for name, cost, bound in (("first", first_cost, FIRST_BOUND), ("second", second_cost, SECOND_BOUND)):
        print(
            f"{name} pass: {cost.cpu_seconds:.2f} of {bound:g} CPU s: {'ok' if cost.cpu_seconds <= bound else 'OVER'}"
        )


def _pass(home: Path, path: Path) -> dict[str, Any]:
    """What `dreamd ingest claude-code PATH --json` tells, run in this process."""
    create(home)
    told = StringIO()
    with redirect_stdout(told):
        code = main_of_dreamd(["--home", str(home), "--json", "ingest", "claude-code", str(path)])
    if code != 0:
        raise SystemExit(f"ingest ended with {code}")
    counts: dict[str, Any] = json.loads(told.getvalue())
    return counts


def _make(tree: Path) -> tuple[int, int]:
    size = files = 0
    while size < TREE_BYTES:
        project = f"-home-ada-project{files % PROJECTS}"
        file = tree / project / f"session-{files:04}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(json.dumps(record) + "\n" for record in _session(files))
        size += file.write_text(text, encoding="utf-8")
        files += 1
    return size, files


def _session(number: int) -> Iterator[dict[str, object]]:
    cwd = f"/home/ada/project{number % PROJECTS}"
    for place, (kind, fields) in enumerate(_records(number, cwd)):
        at = START + timedelta(days=number % 80, seconds=20 * place)
        yield {
            "parentUuid": f"{number:08}-0000-4000-8000-{place - 1:012}",
            "isSidechain": False,
            "userType": "external",
            "cwd": cwd,
            "sessionId": f"session-{number:04}",
            "version": "2.1.14",
            "gitBranch": "main",
            "type": kind,
            "uuid": f"{number:08}-0000-4000-8000-{place:012}",
            "timestamp": at.isoformat().replace("+00:00", "Z"),
            **fields,
        }


def _records(number: int, cwd: str) -> Iterator[tuple[str, dict[str, object]]]:
    yield "summary", {"summary": "Retry uploads", "leafUuid": "x"}
    for turn in range(TURNS):
        file = f"{cwd}/src/part{(number + turn) % 12}/module.py"
        yield _said(f"Please make step {turn} of the upload in session {number} retry when the server is busy.")
        if turn % 13 == 5:
            yield _said("No, use tenacity instead of a loop of your own.")
        if turn % 17 == 3:
            yield _said(f"Always write a test for part {number % 12} first.")
        yield _block({"type": "thinking", "thinking": THOUGHT, "signature": "Ev" * 200})
        yield from _tool(turn, 0, "Read", {"file_path": file}, CODE)
        yield from _tool(
            turn, 1, "Edit", {"file_path": file, "old_string": CODE[:400], "new_string": CODE[:500]}, CODE[:900]
        )
        if turn % 4 == 1:
            failed = f"Exit code 1\n{LOG}\nE   TypeError: step_{turn} takes one argument\n1 failed, 39 passed"
            yield from _tool(turn, 2, "Bash", {"command": "pytest -q tests/unit"}, failed, is_error=True)
            yield from _tool(turn, 3, "Edit", {"file_path": file, "old_string": "a", "new_string": "b"}, "updated")
        yield from _tool(turn, 4, "Bash", {"command": "pytest -q tests/unit"}, f"{LOG}\n40 passed")
        yield "progress", {"data": {"type": "agent_progress", "message": {"content": CODE[:1500]}}, "toolUseID": "x"}
        yield _block(
            {"type": "text", "text": f"Step {turn} now retries three times when the server is busy. " + THOUGHT}
        )


def _said(text: str) -> tuple[str, dict[str, object]]:
    return "user", {"message": {"role": "user", "content": text}}


def _block(block: dict[str, object]) -> tuple[str, dict[str, object]]:
    return "assistant", {"message": {"role": "assistant", "id": "msg", "content": [block], "stop_reason": None}}


def _tool(  # noqa: PLR0913, PLR0917 - a call and its result
    turn: int, place: int, name: str, given: dict[str, object], output: str, is_error: bool = False
) -> Iterator[tuple[str, dict[str, object]]]:
    call = f"toolu_{turn}_{place}"
    yield _block({"type": "tool_use", "id": call, "name": name, "input": given})
    result = {"type": "tool_result", "tool_use_id": call, "content": output, "is_error": is_error}
    yield "user", {"message": {"role": "user", "content": [result]}, "toolUseResult": {"stdout": output}}
