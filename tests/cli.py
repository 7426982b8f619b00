"""The command line as tests use it: one call a command, in this process, with exit code and both outputs."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from dreamd.daemon.cli import main

NOON = "2026-03-20T12:00:00Z"
DAYS = ("2026-03-02", "2026-03-04", "2026-03-09", "2026-03-16")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    code: int
    out: str
    err: str

    @property
    def value(self) -> Any:
        return json.loads(self.out)

    @property
    def error(self) -> Any:
        return json.loads(self.err)


Command = Callable[..., Answer]


def command_in(home: object, capsys: pytest.CaptureFixture[str]) -> Command:
    """`command("run", "--json")` gives what `dreamd --home HOME run --json` answers."""

    def command(*words: str) -> Answer:
        code = main(["--home", str(home), *words])
        caught = capsys.readouterr()
        return Answer(code=code, out=caught.out, err=caught.err)

    return command


def lines(*events: dict[str, object]) -> str:
    return "".join(json.dumps(event) + "\n" for event in events)


def a_month_of(target: str) -> list[dict[str, object]]:
    """Enough evidence about `target` for a file: on four days, two of them with a fix."""
    return [
        {
            "at": f"{day}T10:00:00Z",
            "text": f"The {target} lost request {place}",
            "kind": "error",
            "target": target,
        }
        for place, day in enumerate(DAYS)
    ]


def dreamd_on_path(folder: Path) -> Path:
    """A folder, below `folder`, with a program `dreamd` of this code: for commands that are printed to be given."""
    file = folder / "bin" / "dreamd"
    file.parent.mkdir(exist_ok=True)
    root = Path(__file__).parents[1]
    file.write_text(f'#!/bin/sh\nPYTHONPATH="{root}" exec "{sys.executable}" -m dreamd.daemon.cli "$@"\n')
    file.chmod(0o755)
    return file.parent
