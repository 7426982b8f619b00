"""Homes and repositories of other users, machines without git or without an identity: each in a process of its own."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from dreamd.daemon.cli import main
from tests.claude_sessions import a_days_work, laid_out
from tests.cli import NOON, a_month_of, lines

ROOT = Path(__file__).parents[2]
NOBODY = 65_534
# Several commands in one process: each of its own would cost a second of imports.
EACH = "import sys; from dreamd.daemon.cli import main; sys.exit(max(main(w.split()) for w in sys.argv[1:]))"


@pytest.fixture(scope="module")
def fed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with events and no run, to be copied."""
    folder = tmp_path_factory.mktemp("other")
    (folder / "good.jsonl").write_text(lines(*a_month_of("rate-limiter"), *a_month_of("mailer")))
    home = ("--home", str(folder / "home"))
    assert main([*home, "init"]) == 0
    assert main([*home, "ingest", "events", str(folder / "good.jsonl")]) == 0
    return folder / "home"


def _each(*commands: str, user: int | None = None, **environ: str) -> subprocess.CompletedProcess[str]:
    return _python("-c", EACH, *commands, user=user, **environ)


def _process(*words: str, user: int | None = None, **environ: str) -> subprocess.CompletedProcess[str]:
    return _python("-m", "dreamd.daemon.cli", *words, user=user, **environ)


def _python(*words: str, user: int | None, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words],
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **environ},
        capture_output=True,
        text=True,
        check=False,
        user=user,
        cwd="/",
    )


def test_without_git_the_run_is_kept_and_the_error_says_what_is_missing(fed, tmp_path):
    home = tmp_path / "home"
    shutil.copytree(fed, home)
    done = _each(f"--home {home} run --now {NOON}", f"--home {home} ingest git {ROOT}", PATH=str(tmp_path))
    assert done.returncode == 65 and "there is no git in PATH" in done.stderr and "install git" in done.stderr
    assert "Not exported: there is no git in PATH" in done.stdout
    assert main(["--home", str(home), "export"]) == 0
    assert (home / "memory" / "default" / "MEMORY.md").is_file()


def test_commits_need_no_git_identity(fed, tmp_path):
    home = tmp_path / "home"
    shutil.copytree(fed, home)
    done = _process("--home", str(home), "run", "--now", NOON, HOME=str(tmp_path / "nowhere"))
    assert done.returncode == 0 and (home / "memory" / "default" / "MEMORY.md").is_file()


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that other users may look into."""
    folder = Path(tempfile.mkdtemp(prefix="dreamd-test-"))
    folder.chmod(0o755)
    yield folder
    for path in [folder, *folder.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o755)
    shutil.rmtree(folder)


def _other() -> int | None:
    """A user who may not do everything: nobody, if root runs the tests."""
    return NOBODY if os.geteuid() == 0 else None


def test_a_home_that_may_only_be_read_is_read(fed, open_folder):
    home = open_folder / "home"
    shutil.copytree(fed, home)
    assert main(["--home", str(home), "run", "--now", NOON]) == 0
    for path in [home, *home.rglob("*")]:
        if _other() is not None:
            os.chown(path, NOBODY, NOBODY)
        path.chmod(0o555 if path.is_dir() else 0o444)
    asked = ("status", "streams", "report", "show mailer", "why mailer", "events", "claims", "runs", "verify")
    done = _each(*(f"--home {home} {words} --now {NOON}" for words in asked), user=_other())
    assert done.returncode == 0, done.stderr
    assert "Space default: 8 events" in done.stdout and "mailer is" in done.stdout and "clean" in done.stdout
    done = _process("--home", str(home), "record", "The cache holds 5 items", user=_other())
    assert done.returncode == 74 and "may only be read here" in done.stderr and "writable" in done.stderr


def test_a_closed_home_names_its_owner_and_who_asks(fed, open_folder):
    home = open_folder / "home"
    shutil.copytree(fed, home)
    for name in ("key", "dreamd.db"):
        (home / name).chmod(0o000)
    done = _process("--home", str(home), "status", user=_other())
    assert done.returncode == 78 and "it belongs to" in done.stderr and "--home" in done.stderr
    home.chmod(0o000)
    done = _each(f"--home {home} status", f"--home {home} init", user=_other())
    assert done.returncode == 78 and done.stderr.count("--home") == 2, done.stderr
    assert "internal error" not in done.stderr


def test_a_closed_repository_names_its_owner(open_folder):
    home, repository = open_folder / "home", open_folder / "project"
    subprocess.run(["git", "init", "-q", str(repository)], check=True)
    (repository / ".git").chmod(0o000)
    open_folder.chmod(0o777)
    done = _each(f"--home {home} init", f"--home {home} ingest git {repository}", user=_other())
    assert done.returncode == 65 and "cannot be read" in done.stderr and "it belongs to" in done.stderr


def test_a_folder_that_may_not_be_written_is_named(open_folder):
    open_folder.chmod(0o555)
    done = _process("--home", str(open_folder / "home"), "init", user=_other())
    assert done.returncode == 78 and "cannot create" in done.stderr and "--home" in done.stderr


def test_a_closed_folder_of_sessions_is_named_and_the_others_are_read(open_folder):
    home, projects = open_folder / "home", open_folder / "projects"
    laid_out(projects, [("p/s.jsonl", a_days_work("s2").text()), ("q/s.jsonl", a_days_work().text())])
    (projects / "p").chmod(0o000)
    open_folder.chmod(0o777)
    done = _each(f"--home {home} init", f"--home {home} ingest claude-code {projects}", user=_other())
    assert done.returncode == 65 and "8 new" in done.stdout, done.stderr
    assert f"rejected {projects / 'p'}: cannot be read: it belongs to" in done.stderr and "mend its mode" in done.stderr
    (projects / "q").chmod(0o000)
    done = _each(*(f"--home {home} ingest {words} {projects}" for words in ("claude-code", "codex")), user=_other())
    assert done.returncode == 65 and done.stderr.count("p and 1 more cannot be read: it belongs to") == 2, done.stderr
    assert "holds none" not in done.stderr


@pytest.mark.parametrize("first", ["closed.jsonl good.jsonl", "good.jsonl closed.jsonl"])
def test_a_closed_file_of_events_is_named_and_the_others_are_read(open_folder, first):
    home = open_folder / "home"
    for name in ("closed.jsonl", "good.jsonl"):
        (open_folder / name).write_text(lines(*a_month_of("mailer")))
    (open_folder / "closed.jsonl").chmod(0o000)
    open_folder.chmod(0o777)
    files = " ".join(str(open_folder / name) for name in first.split())
    done = _each(f"--home {home} init", f"--home {home} ingest events {files}", user=_other())
    assert done.returncode == 65 and "good.jsonl: 4 new" in done.stdout, done.stderr
    assert "closed.jsonl: cannot be read: Permission denied; check its owner and mode" in done.stderr
    done = _process("--home", str(home), "ingest", "events", str(open_folder / "closed.jsonl"), user=_other())
    assert done.returncode == 65 and "closed.jsonl: Permission denied" in done.stderr and "hint: " in done.stderr
