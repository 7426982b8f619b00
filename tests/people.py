"""A home whose memory a person works in with git: what a test arranges before it looks at what `dreamd` makes of it.

The person is Ada, by name and address; dreamd's own commits are told from hers by the committer.
"""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.acceptance.homes import AHome, a_home
from tests.cli import a_month_of, lines

ADA = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
DAY = "2026-03-{:02d}T20:00:00Z"  # when things happen in these tests, by day
FIRST = 16  # the day of the first run


@dataclass(frozen=True)
class Answered:
    """What a git command of a person ended with."""

    code: int
    out: str


@dataclass(frozen=True)
class People:
    """A home of one space with a memory repository, and Ada at work in it."""

    home: AHome

    @property
    def path(self) -> Path:
        return self.home.path / "memory" / "default"

    def try_git(self, *words: str, at: Path | None = None, stdin: str = "", **environ: str) -> Answered:
        command = ["git", *ADA, "-C", str(at or self.path), *words]
        kept = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1", "GIT_EDITOR": "true"}
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, input=stdin, env={**kept, **environ}
        )
        return Answered(done.returncode, (done.stdout or done.stderr).strip())

    def git(self, *words: str, at: Path | None = None, stdin: str = "", **environ: str) -> str:
        """What git said; it must have done as told."""
        answered = self.try_git(*words, at=at, stdin=stdin, **environ)
        assert answered.code == 0, (words, answered.out)
        return answered.out

    def learns(self, target: str, *texts: str, day: int) -> Any:
        """New evidence about `target` on `day`, and a run in the evening: what the run says of itself."""
        self.told(target, *texts, day=day)
        return self.runs(day)

    def told(self, target: str, *texts: str, day: int) -> None:
        events: list[dict[str, object]] = [
            {"at": f"2026-03-{day:02d}T1{place}:00:00Z", "text": text, "kind": "decision", "target": target}
            for place, text in enumerate(texts)
        ]
        self.ingests(events, day=day)

    def ingests(self, events: list[dict[str, object]], *, day: int) -> None:
        ended = self.home.dreamd("ingest", "events", "-", "--now", DAY.format(day), stdin=lines(*events))
        assert ended.code == 0, ended.err

    def runs(self, day: int) -> Any:
        return self.home.ok("--json", "--now", DAY.format(day), "run").json()

    def exports(self) -> Any:
        (answer,) = self.home.ok("--json", "export").json()
        return answer

    def say(self, *words: str) -> Any:
        return self.home.ok("--json", *words).json()

    def read(self, path: str) -> str:
        return (self.path / path).read_text(encoding="utf-8")

    def write(self, path: str, text: str) -> None:
        (self.path / path).parent.mkdir(parents=True, exist_ok=True)
        (self.path / path).write_text(text, encoding="utf-8")

    def status(self) -> str:
        return self.git("status", "--porcelain")

    def commit(self, message: str) -> str:
        """All that lies there, committed by Ada."""
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)
        return self.head()

    def head(self, revision: str = "HEAD") -> str:
        return self.git("rev-parse", revision)

    def committed(self, path: str, revision: str = "main") -> str:
        return self.git("show", f"{revision}:{path}")

    def run_commits(self) -> dict[str, str]:
        """The newest commit of each run on main, by the run's number."""
        found: dict[str, str] = {}
        for line in self.git("log", "--format=%H %(trailers:key=Dreamd-Number,valueonly,separator=%x2C)", "main").split(
            "\n"
        ):
            sha, _, number = line.partition(" ")
            if number:
                found.setdefault(number, sha)
        return found


def a_memory(folder: Path) -> People:
    """One run old: what was seen of a cache and of a queue, and a decision about a proxy."""
    people = People(a_home(folder / "home"))
    people.ingests([*a_month_of("cache"), *a_month_of("queue")], day=FIRST)
    people.learns("proxy", "Use nginx as the proxy", day=FIRST)
    return people
