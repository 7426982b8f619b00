"""Homes for acceptance tests, driven through the door that users have: the command line.

A command runs in this process, which saves a second of imports each; one that shall be killed has its own.
"""

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dreamd.daemon.cli import main

KEY = "ab" * 32


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int  # negative: the signal that killed it
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)


@dataclass(frozen=True)
class AHome:
    """A home at `path`. Two with the same key give the same trees for the same commands."""

    path: Path

    def dreamd(self, *arguments: str, stdin: str = "") -> Ended:
        """The command line with these arguments."""
        out, err, before = io.StringIO(), io.StringIO(), sys.stdin
        sys.stdin = io.TextIOWrapper(io.BytesIO(stdin.encode("utf-8")), encoding="utf-8")
        try:
            with redirect_stdout(out), redirect_stderr(err):
                code = main(["--home", str(self.path), *arguments])
        finally:
            sys.stdin = before
        return Ended(code, out.getvalue(), err.getvalue())

    def process(self, *arguments: str, **environ: str) -> Ended:
        """The program in a process of its own; variables are added to the environment."""
        done = subprocess.run(
            [sys.executable, "-m", "dreamd.daemon.cli", "--home", str(self.path), *arguments],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, **environ},
        )
        return Ended(done.returncode, done.stdout, done.stderr)

    def ok(self, *arguments: str) -> Ended:
        """As `dreamd`, and it must succeed."""
        ended = self.dreamd(*arguments)
        assert ended.code == 0, ended.err
        return ended

    def git(self, space: str, *arguments: str) -> str:
        """What git says about the memory of `space`."""
        command = ["git", "-C", str(self.path / "memory" / space), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def tree(self, space: str = "default") -> dict[str, str]:
        """The committed files outside reports/ and .dreamd/: path and blob."""
        listed = self.git(space, "ls-tree", "-r", "HEAD").splitlines()
        entries = (line.split("\t") for line in listed)
        return {path: about for about, path in entries if not path.startswith(("reports/", ".dreamd/"))}

    def runs_committed(self, space: str = "default") -> list[str]:
        """The trailer of each commit, newest first."""
        return self.git(space, "log", "--format=%(trailers:key=Dreamd-Run,valueonly,separator=%x2C)").split()

    def digest(self) -> str:
        (space,) = self.ok("--json", "status").json()["spaces"]
        return str(space["digest"])


def a_home(path: Path) -> AHome:
    """An empty home with a fixed key."""
    home = AHome(path)
    home.ok("init")
    (path / "key").write_text(KEY + "\n")
    return home
