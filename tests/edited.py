"""A home whose memory repository a person edits: `edited.commit({...})` as a person, `edited.run()` as dreamd."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from dreamd.daemon.cli import main
from tests.cli import Answer, a_month_of, command_in, lines

FIRST_RUN = "2026-03-20T12:00:00Z"
EDITED_AT = "2026-03-21T09:00:00Z"
SECOND_RUN = "2026-03-22T12:00:00Z"
ADA = ("Ada", "ada@example.org")
REDIS = "knowledge/redis.md"
STYLE = "preferences/style.md"
SAID = (
    {"at": "2026-03-05T10:00:00Z", "text": "Use tabs in makefiles", "kind": "preference", "target": "style"},
    {"at": "2026-03-06T10:00:00Z", "text": "Deploys need a warm cache of size 8", "target": "redis"},
)


def git(path: Path, *arguments: str, at: str = EDITED_AT, who: tuple[str, str] = ADA) -> str:
    name, email = who
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": "/nonexistent",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": name,
        "GIT_AUTHOR_EMAIL": email,
        "GIT_COMMITTER_NAME": name,
        "GIT_COMMITTER_EMAIL": email,
        "GIT_AUTHOR_DATE": at,
        "GIT_COMMITTER_DATE": at,
        "GIT_MERGE_AUTOEDIT": "no",
    }
    words = ["git", "-C", str(path), *arguments]
    done = subprocess.run(words, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


@dataclass(frozen=True)
class Edited:
    home: Path
    capsys: pytest.CaptureFixture[str]

    @property
    def memory(self) -> Path:
        return self.home / "memory" / "default"

    def command(self, *words: str) -> Answer:
        return command_in(self.home, self.capsys)(*words)

    def run(self, now: str = SECOND_RUN) -> Any:
        answer = self.command("--now", now, "run", "--json")
        assert answer.code == 0, answer.err
        return answer.value

    def ingest(self, *events: dict[str, object], now: str = FIRST_RUN) -> None:
        file = self.home.parent / "events.jsonl"
        file.write_text(lines(*events))
        assert self.command("--now", now, "ingest", "events", str(file)).code == 0

    def text(self, path: str) -> str:
        return (self.memory / path).read_text()

    def write(self, path: str, text: str | None, root: Path | None = None) -> None:
        file = (root or self.memory) / path
        if text is None:
            file.unlink()
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)

    def commit(self, files: Mapping[str, str | None], *, at: str = EDITED_AT, who: tuple[str, str] = ADA) -> str:
        for path, text in files.items():
            self.write(path, text)
        git(self.memory, "add", "-A")
        git(self.memory, "commit", "-qm", "by hand", at=at, who=who)
        return self.head()

    def change(self, path: str, old: str, new: str, **more: Any) -> str:
        text = self.text(path)
        assert old in text, text
        return self.commit({path: text.replace(old, new)}, **more)

    def head(self) -> str:
        return git(self.memory, "rev-parse", "HEAD").strip()

    def tree(self) -> dict[str, str]:
        """What is committed outside the reports and dreamd's own state, by path."""
        names = git(self.memory, "ls-tree", "-r", "--name-only", "HEAD").splitlines()
        kept = [name for name in names if not name.startswith(("reports/", ".dreamd/"))]
        return {name: git(self.memory, "show", f"HEAD:{name}") for name in kept}

    def claims(self, text: str = "") -> list[Any]:
        answer = self.command("--now", SECOND_RUN, "claims", "--all", "--json")
        return [claim for claim in answer.value if text in claim["text"]]

    def status_of(self, text: str) -> str:
        (claim,) = [claim for claim in self.claims() if claim["text"] == text]
        return str(claim["status"])

    def report(self) -> str:
        return max((self.memory / "reports").rglob("*.md")).read_text()

    def verify(self) -> Any:
        return self.command("verify", "--json").value


def prepare(home: Path) -> None:
    """Make a home with two pages, once; tests work on copies of it."""
    events = home.parent / "events.jsonl"
    events.write_text(lines(*a_month_of("redis"), *SAID))
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        for words in (["init"], ["--now", FIRST_RUN, "ingest", "events", str(events)], ["--now", FIRST_RUN, "run"]):
            assert main(["--home", str(home), *words]) == 0


def copy_of(prepared: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> Edited:
    shutil.copytree(prepared, home, symlinks=True)
    return Edited(home=home, capsys=capsys)
