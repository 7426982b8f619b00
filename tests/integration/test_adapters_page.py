"""The page about adapters is true: its example is loaded, registered and run, and so are its recipes."""

import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from dreamd.daemon.commands import facts
from dreamd.daemon.intake.adapters import registry
from tests.cli import Command, command_in

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "adapters.md").read_text(encoding="utf-8")
AIDER = """
# aider chat started at 2026-03-02 09:00:00

> Aider v0.80
> Git repo: .git with 3 files

#### Please move the totals
#### out of the cart

Done: the totals are in `totals.py`.

> Applied edit to totals.py

#### no, use decimals instead of floats

# aider chat started at 2026-03-03 10:00:00

#### ok

> Fine.

#### /add totals.py
"""


def blocks(language: str, below: str) -> list[str]:
    """The fenced blocks of `language` under the heading `below`."""
    section = re.split(rf"^#+ {re.escape(below)}.*$", PAGE, flags=re.MULTILINE)[1]
    section = re.split(r"^## ", section, flags=re.MULTILINE)[0]
    return re.findall(rf"^```{language}\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)


@pytest.fixture
def dreamd(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    command = command_in(tmp_path / "home", capsys)
    assert command("init").code == 0
    return command


def told_by(dreamd: Command) -> list[str]:
    found: list[dict[str, Any]] = dreamd("events", "--json").value
    return [f"{each['kind']} {each['actor']} {each['text']}" for each in found]


def test_the_example_reads_what_the_page_says(dreamd: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, registration = blocks("python", "A complete example")
    name = "dreamd.daemon.intake.adapters.scribe"
    module = ModuleType(name)
    monkeypatch.setitem(sys.modules, name, module)
    exec(compile(source, "scribe.py", "exec"), module.__dict__)  # noqa: S102 - our own page
    lines: dict[str, registry.Entry] = {}
    exec(registration, {"ADAPTERS": lines, "Entry": registry.Entry, "Path": Path})  # noqa: S102
    monkeypatch.setitem(registry.ADAPTERS, "scribe", lines["scribe"])
    monkeypatch.setattr(facts, "SOURCES", (*facts.SOURCES, "scribe"))
    (log,) = blocks("json", "A complete example")
    (stored,) = blocks("text", "A complete example")
    (tmp_path / "shop.scribe").write_text(log)
    answer = dreamd("ingest", "scribe", str(tmp_path / "shop.scribe"), "--json").value
    assert (answer["new"], answer["rejected"], answer["spaces"]) == (3, 0, ["shop"])
    assert told_by(dreamd) == stored.splitlines()
    assert sum(row["count"] for row in answer["left_out"]) == 5
    (tmp_path / "elsewhere.scribe").write_text(log + "{broken\n" + json.dumps({"kind": "new"}) + "\n")
    again = dreamd("ingest", "scribe", str(tmp_path / "elsewhere.scribe"), "--json").value
    assert (again["new"], again["duplicate"], again["rejected"]) == (0, 3, 1)


def test_the_example_is_as_short_as_an_example_should_be() -> None:
    source, _ = blocks("python", "A complete example")
    assert len([line for line in source.splitlines() if line.strip()]) <= 70


def fed(dreamd: Command, tmp_path: Path, output: str) -> dict[str, Any]:
    (tmp_path / "given.jsonl").write_text(output)
    answer: dict[str, Any] = dreamd("ingest", "events", "--as", "user", str(tmp_path / "given.jsonl"), "--json").value
    return answer


def test_the_recipe_for_notes(dreamd: Command, tmp_path: Path) -> None:
    script = blocks("sh", "Notes, one a line")[0].rpartition("|")[0]
    (tmp_path / "notes.md").write_text("# Notes\n- 2026-03-02 We deploy on Tuesdays.\n\n- no day\n")
    done = subprocess.run(["sh", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert fed(dreamd, tmp_path, done.stdout)["new"] == 1 and fed(dreamd, tmp_path, done.stdout)["duplicate"] == 1
    assert told_by(dreamd) == ["decision user We deploy on Tuesdays."]


def test_the_recipe_for_aider(dreamd: Command, tmp_path: Path) -> None:
    (script,) = blocks("python", "Aider")
    (tmp_path / "aider_events.py").write_text(script)
    command = [sys.executable, str(tmp_path / "aider_events.py"), "+01:00"]
    done = subprocess.run(
        command, input=AIDER, cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True
    )
    assert fed(dreamd, tmp_path, done.stdout)["new"] == 2 and fed(dreamd, tmp_path, done.stdout)["duplicate"] == 2
    assert told_by(dreamd) == [
        "message user Please move the totals out of the cart",
        "correction user no, use decimals instead of floats",
    ]
