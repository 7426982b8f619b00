"""docs/quickstart.md does what it says: its commands are run in order for a new user, and their outputs compared.

`...` stands for what differs, as in a doctest; a command that fails shows its exit code in brackets. The clock stands
in March 2026 and goes on by a minute a command, so that the page stays true.
"""

import doctest
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from tests.claude_sessions import a_days_work, laid_out

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "quickstart.md"
MOST_LINES = 150
COMMITS = (
    ("2026-03-02", "fix(queue): retry when the broker is away"),
    ("2026-03-04", "feat(cart): keep the cart for a week"),
    ("2026-03-09", "fix(queue): count a message once"),
    ("2026-03-16", "fix(queue): time out after 30 seconds"),
)
PROGRAM = """
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import time_machine

ticks = Path(sys.argv.pop(1))
minutes = len(ticks.read_text()) if ticks.exists() else 0
ticks.write_text("." * (minutes + 1))
with time_machine.travel(datetime(2026, 3, 20, 12, tzinfo=UTC) + timedelta(minutes=minutes), tick=False):
    from dreamd.daemon.cli import main

    sys.exit(main())
"""


@dataclass(frozen=True)
class Example:
    line: int  # of the page
    command: str
    shown: str


def examples() -> list[Example]:
    found = []
    for token in MarkdownIt("commonmark").parse(PAGE.read_text(encoding="utf-8")):
        if token.type != "fence" or token.info not in ("console", "sh"):
            continue
        assert token.map is not None and token.content.startswith("$ "), "a block begins with a command"
        number = token.map[0] + 2
        for part in re.split(r"^\$ ", token.content, flags=re.MULTILINE)[1:]:
            first, *rest = part.splitlines()
            more = 0
            while more < len(rest) and rest[more].startswith("> "):
                more += 1
            command = "\n".join([first, *(line.removeprefix("> ") for line in rest[:more])])
            found.append(Example(line=number, command=command, shown="\n".join(rest[more:])))
            number += 1 + len(rest)
    return found


@pytest.fixture
def ada(tmp_path: Path) -> dict[str, str]:
    """The environment of somebody with one small project, one session of Claude Code, and nothing else."""
    home = tmp_path / "ada"
    shop = home / "shop"
    subprocess.run(["git", "init", "-q", str(shop)], check=True)
    for day, subject in COMMITS:
        at = f"{day}T10:00:00Z"
        who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
        environ = {**os.environ, "GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at}
        words = ["git", "-C", str(shop), *who, "commit", "-q", "--allow-empty", "-m", subject]
        subprocess.run(words, check=True, env=environ)
    laid_out(home / ".claude" / "projects", [("-home-ada-shop/s1.jsonl", a_days_work("s1", str(shop)).text())])
    (tmp_path / "bin").mkdir()
    (tmp_path / "program.py").write_text(PROGRAM)
    dreamd = tmp_path / "bin" / "dreamd"
    dreamd.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{tmp_path}/program.py" "{tmp_path}/ticks" "$@"\n')
    dreamd.chmod(0o755)
    return {
        "HOME": str(home),
        "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "LC_ALL": "C.UTF-8",
    }


def test_the_page_is_short_and_has_what_it_promises() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text.count("\n") < MOST_LINES
    commands = " ".join(example.command for example in examples())
    words = ("init", "ingest git", "ingest events", "ingest claude-code", "record", "run", "report", "why", "show")
    assert [word for word in (*words, "pin", "undo", "revert", "install") if f"dreamd {word}" not in commands] == []


def test_every_command_of_the_page_works_and_shows_what_the_page_shows(ada: dict[str, str], tmp_path: Path) -> None:
    todo = examples()
    script = "\n".join(
        f"{{ {example.command}\n}} > '{tmp_path}/{place}' 2>&1; echo $? > '{tmp_path}/{place}.code'"
        for place, example in enumerate(todo)
    )
    done = subprocess.run(["bash"], input=script, text=True, env=ada, cwd=ada["HOME"], check=False, capture_output=True)
    assert (done.returncode, done.stderr) == (0, "")
    wrong = []
    for place, example in enumerate(todo):
        code = int((tmp_path / f"{place}.code").read_text())
        got = (tmp_path / str(place)).read_text().replace(ada["HOME"], "/home/ada") + (f"[{code}]\n" if code else "")
        if not doctest.OutputChecker().check_output(f"{example.shown}\n".lstrip("\n"), got, doctest.ELLIPSIS):
            wrong.append(f"line {example.line}: {example.command}\nshown:\n{example.shown}\ngot:\n{got}")
    assert wrong == [], "\n\n".join(wrong)
