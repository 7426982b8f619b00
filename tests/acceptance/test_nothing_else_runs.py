"""Which programs run and where is written, on poisoned repositories: as the kernel saw it, and without its help.

The first proof needs strace (.ci/run installs it) and leave to trace; the second, of programs found by name, needs
neither.
"""

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.acceptance.homes import AHome, a_home
from tests.cli import NOON, a_month_of, lines
from tests.poison import Trap, a_project, checksum, no_hang
from tests.strace import trace, why_not

LATER = "2026-03-21T12:00:00Z"
MORE = {"at": "2026-03-20T18:00:00Z", "text": "The job_queue lost a job", "kind": "error", "target": "job_queue"}
COMMANDS = (
    ("--now", LATER, "ingest", "git", "{project}"),
    ("--now", LATER, "--space", "default", "run"),
    ("--now", LATER, "revert", "2", "--space", "default"),
)
NO_STRACE = why_not()


class Scene:
    """A home with a poisoned memory, a poisoned project, and a user whose environment is poisoned too."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = a_home(folder / "home")
        assert self.home.dreamd("ingest", "events", "-", stdin=lines(*a_month_of("job_queue"))).code == 0
        self.home.ok("--now", NOON, "run")
        assert self.home.dreamd("ingest", "events", "-", stdin=lines(MORE)).code == 0
        self.trap = Trap.set_in(folder / "trap")
        self.user = self.trap.environment()
        self.project = a_project(folder / "project")
        self.trap.put_into(self.project / ".git", self.project)
        memory = self.home.path / "memory" / "default"
        self.trap.put_into(memory / ".git", memory)
        for link in (path for path in (memory / ".git").iterdir() if path.is_symlink()):
            link.unlink()

    def command(self, words: tuple[str, ...]) -> list[str]:
        given = (word.replace("{project}", str(self.project)) for word in words)
        return [sys.executable, "-m", "dreamd.daemon.cli", "--home", str(self.home.path), *given]

    def environment(self, path: str) -> Mapping[str, str]:
        # Python's own cache of compiled modules lies beside the program, and is not what is asked about.
        own = {"PATH": path, "PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONDONTWRITEBYTECODE": "1"}
        return {**self.user, **own}

    def surroundings(self) -> dict[str, str]:
        return checksum(self.trap.outside.parent, self.project)


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


@pytest.mark.skipif(NO_STRACE is not None, reason=str(NO_STRACE))
def test_only_git_and_python_run_and_only_the_home_is_written(scene: Scene, tmp_path: Path) -> None:
    # A folder in PATH that is relative means, for a program that runs in a git directory, the repository's.
    environment = dict(scene.environment(f".:{os.environ['PATH']}"))
    allowed = {"git", Path(sys.executable).name, Path(os.path.realpath(sys.executable)).name}
    before = scene.surroundings()
    for number, words in enumerate(COMMANDS):
        with no_hang():
            seen = trace(scene.command(words), tmp_path / f"log{number}", cwd=tmp_path, env=environment)
        assert seen.code == 0, seen.err
        assert "git" in {Path(program).name for program in seen.programs}
        assert {Path(program).name for program in seen.programs} <= allowed
        assert not [program for program in seen.programs if program.startswith(str(tmp_path))]
        home = f"{scene.home.path}/"
        assert [path for path in seen.written if not path.startswith(home) and path != os.devnull] == []
        assert seen.sockets == ()
    assert not scene.trap.sprung.exists()
    assert scene.surroundings() == before


@pytest.mark.skipif(NO_STRACE is not None, reason=str(NO_STRACE))
def test_the_trace_shows_what_a_program_does(tmp_path: Path) -> None:
    command = ["sh", "-c", "echo x > made; ln -s elsewhere link; (cat made; mv made moved) & cat link; wait"]
    seen = trace(command, tmp_path / "log", cwd=tmp_path, env={"PATH": os.environ["PATH"]})
    assert sorted(Path(program).name for program in seen.programs) == ["cat", "cat", "ln", "mv", "sh"]
    assert {Path(path).name for path in seen.written} == {"made", "link", "moved"}


def test_git_is_the_only_program_that_is_called_by_name(scene: Scene, tmp_path: Path) -> None:
    shims, called = tmp_path / "shims", tmp_path / "called"
    shims.mkdir()
    names = (
        "git",
        "sh",
        "bash",
        "env",
        "cat",
        "less",
        "more",
        "vi",
        "ssh",
        "gpg",
        "gpg2",
        "ssh-keygen",
        "curl",
        "uname",
    )
    for name in names:
        real = shutil.which(name)
        then = f'exec {real} "$@"' if name == "git" else "exit 1"
        (shims / name).write_text(f'#!/bin/sh\necho "{name} $*" >> {called}\n{then}\n')
        (shims / name).chmod(0o755)
    before = scene.surroundings()
    for words in COMMANDS[:2]:
        with no_hang():
            ended = AHome(scene.home.path).process(
                *scene.command(words)[5:], **scene.environment(f"relative:.:{shims}")
            )
        assert ended.code == 0, ended.err
    # Each call names its git directory first of all, and no configuration of its own can be missing; but for the
    # question after the version that GitPython asks as it is imported.
    calls = called.read_text().splitlines()
    assert {line.split()[0] for line in calls} == {"git"}
    calls = [line for line in calls if line != "git version"]
    assert all(" --git-dir=/" in line and " core.hooksPath=/dev/null " in line for line in calls)
    assert not scene.trap.sprung.exists()
    assert scene.surroundings() == before


def test_a_machine_without_git_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, project = a_home(tmp_path / "home"), a_project(tmp_path / "project")
    (project / "git").write_text("#!/bin/sh\n")
    (project / "git").chmod(0o755)
    monkeypatch.chdir(project)
    monkeypatch.setenv("PATH", f".:{tmp_path / 'empty'}")
    ended = home.dreamd("ingest", "git", str(project))
    assert ended.code == 65
    assert "there is no git in PATH" in ended.err
    assert "install git" in ended.err
