"""A home with one run and a remote beside it, and a person with a clone of that remote."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from dreamd.daemon.cli import main
from tests.cli import NOON, Answer, Command, a_month_of, command_in, lines
from tests.poison import git

LATER = "2026-03-21T12:00:00Z"
PAGE = "knowledge/mailer.md"


def a_home_with_one_run(folder: Path) -> Path:
    home = folder / "home"
    assert main(["--home", str(home), "init"]) == 0
    (folder / "mailer.jsonl").write_text(lines(*a_month_of("mailer")))
    assert main(["--home", str(home), "ingest", "events", str(folder / "mailer.jsonl")]) == 0
    assert main(["--home", str(home), "run", "--now", NOON]) == 0
    return home


@dataclass(frozen=True, kw_only=True)
class Place:
    """The home of one test, and the bare repository that is its remote."""

    folder: Path
    home: Path
    remote: Path
    dreamd: Command

    @property
    def memory(self) -> Path:
        return self.home / "memory" / "default"

    def run(self, now: str = LATER) -> Answer:
        """A run, which has to end well whatever the remote does."""
        answer = self.dreamd("run", "--now", now, "--json")
        assert answer.code == 0, answer.err
        return answer

    def state(self, now: str = LATER) -> dict:
        return self.dreamd("status", "--json", "--now", now).value["spaces"][0]["remote"]

    def feed(self, target: str) -> None:
        """Events about `target`, not yet dreamt over."""
        file = self.folder / f"{target}.jsonl"
        file.write_text(lines(*a_month_of(target)))
        assert self.dreamd("ingest", "events", str(file)).code == 0

    def clone(self, name: str = "clone") -> Path:
        git(self.folder, "clone", "-q", str(self.remote), name)
        return self.folder / name

    def head(self, repository: Path | None = None) -> str:
        return git(repository or self.memory, "rev-parse", "main")

    def holds(self, commit: str, repository: Path | None = None) -> bool:
        """Whether the history of `main` holds `commit`."""
        return commit in git(repository or self.memory, "rev-list", "main").split()


def a_place(folder: Path, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Place:
    """A copy of `home` in `folder`, with an empty remote."""
    shutil.copytree(home, folder / "home")
    remote = folder / "default.git"
    git(folder, "init", "-q", "--bare", "-b", "main", "--template=", str(remote))
    monkeypatch.setenv("DREAMD_REMOTE__URL", f"{folder}/{{space}}.git")
    return Place(folder=folder, home=folder / "home", remote=remote, dreamd=command_in(folder / "home", capsys))


def commit(clone: Path, files: dict[str, str | None], message: str = "an edit") -> str:
    """A commit of Ada's in her clone: what a file then holds, None: no file."""
    for path, text in files.items():
        if text is None:
            (clone / path).unlink()
        else:
            (clone / path).parent.mkdir(parents=True, exist_ok=True)
            (clone / path).write_text(text)
    git(clone, "add", "-A")
    git(clone, "commit", "-q", "-m", message)
    return git(clone, "rev-parse", "HEAD")


def push(clone: Path, files: dict[str, str | None], message: str = "an edit") -> str:
    made = commit(clone, files, message)
    git(clone, "push", "-q", "origin", "HEAD:main")
    return made
