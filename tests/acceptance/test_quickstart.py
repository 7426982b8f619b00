"""docs/quickstart.md does what it says: its commands are run in order for a new user, and their outputs compared.

`...` stands for what differs, as in a doctest; a command that fails shows its exit code in brackets. The clock stands
in March 2026 and goes on by a minute a command, so that the page stays true.
"""

import doctest
import io
import os
import re
import shlex
import subprocess
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine
from markdown_it import MarkdownIt

from dreamd.daemon.cli import main
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
NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)


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


class Shell:
    """A shell of somebody with one small project, one session of Claude Code, and nothing else.

    `dreamd` runs in this process, which saves its imports; all other commands in a shell of their own.
    """

    def __init__(self, home: Path) -> None:
        self.home = self.folder = home
        self.given = 0

    def run(self, command: str) -> str:
        """What the command printed, and its exit code if that is not 0."""
        self.given += 1
        out, code = self._dreamd(command) if command.startswith("dreamd ") else self._other(command)
        return out.replace(str(self.home), "/home/ada") + (f"[{code}]\n" if code else "")

    def _dreamd(self, command: str) -> tuple[str, int]:
        printed = io.StringIO()
        now = NOON + timedelta(minutes=self.given)
        with (
            chdir(self.folder),
            time_machine.travel(now, tick=False),
            redirect_stdout(printed),
            redirect_stderr(printed),
        ):
            code = main(shlex.split(command)[1:])
        return printed.getvalue(), code

    def _other(self, command: str) -> tuple[str, int]:
        words = ["bash", "-c", f'{command}\necho "$?:$PWD"']
        done = subprocess.run(words, text=True, cwd=self.folder, check=True, capture_output=True)
        assert done.stderr == ""
        out, _, last = done.stdout.rstrip("\n").rpartition("\n")
        code, _, folder = last.partition(":")
        self.folder = Path(folder)
        return f"{out}\n" if out else "", int(code)


@pytest.fixture
def ada(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
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
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_DATA_HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    return Shell(home)


def test_the_page_is_short_and_has_what_it_promises() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text.count("\n") < MOST_LINES
    commands = " ".join(example.command for example in examples())
    words = ("init", "ingest git", "ingest events", "ingest claude-code", "record", "run", "report", "why", "show")
    assert [word for word in (*words, "pin", "undo", "revert", "install") if f"dreamd {word}" not in commands] == []


def test_every_command_of_the_page_works_and_shows_what_the_page_shows(ada: Shell) -> None:
    wrong = []
    for example in examples():
        got = ada.run(example.command)
        if not doctest.OutputChecker().check_output(f"{example.shown}\n".lstrip("\n"), got, doctest.ELLIPSIS):
            wrong.append(f"line {example.line}: {example.command}\nshown:\n{example.shown}\ngot:\n{got}")
    assert wrong == [], "\n\n".join(wrong)
