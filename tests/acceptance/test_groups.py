"""A group of people around one memory: another user reads, clones, commits, pushes back, and dreamd goes on."""

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from dreamd.daemon.owners import is_of_a_group
from tests.cli import NOON, a_month_of, lines

ROOT = Path(__file__).parents[2]
IS_ROOT = os.geteuid() == 0
# Numbers, so that no account is made; without root all of them are whoever runs the tests, who is the group too.
ADA, EVE, BOB = (61_001, 61_002, 61_003) if IS_ROOT else (os.geteuid(),) * 3
TEAM = 61_009 if IS_ROOT else os.getegid()
PYTHON = {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
SERVER = """
import contextlib, io, json, os, sys
from dreamd.daemon.cli import main
os.umask(0o022)
for line in sys.stdin:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        code = max(main(words.split()) for words in json.loads(line))
    print(json.dumps([code, out.getvalue()]), flush=True)
"""


@pytest.fixture(scope="module")
def ada():
    """dreamd as Ada, in one process: each of its own would cost more than a second of imports."""
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd="/",
        env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", **PYTHON},
        **_identity(ADA),
    )
    yield process
    process.stdin.close()
    process.wait()
    process.stdout.close()


@pytest.fixture
def folder():
    """A folder that everybody may enter, with a home for each user."""
    made = Path(tempfile.mkdtemp(prefix="dreamd-test-"))
    made.chmod(0o777)
    yield made
    shutil.rmtree(made)


@pytest.fixture
def dreamd(ada, folder):
    """`dreamd("run", "status")` gives what both say, in Ada's home; `code`: how they have to end."""

    def ask(*commands, home="home", code=0):
        ada.stdin.write(json.dumps([f"--home {folder}/{home} {command}" for command in commands]) + "\n")
        ada.stdin.flush()
        found, out = json.loads(ada.stdout.readline())
        assert found == code, out
        return out

    return ask


def _identity(user, team=True):
    return {"user": user, "group": user, "extra_groups": [TEAM] if team else []} if IS_ROOT else {}


def _as(user, folder, *words, team=True):
    """A command as `user`, who is of a group of their own and, unless said otherwise, of the team."""
    home = folder / f"of-{user}"
    if not home.exists():
        home.mkdir(mode=0o700)
        if IS_ROOT:
            os.chown(home, user, user)
    return subprocess.run(
        words,
        capture_output=True,
        text=True,
        check=False,
        cwd=home,
        umask=0o022,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            **{f"GIT_{role}_NAME": f"user {user}" for role in ("AUTHOR", "COMMITTER")},
            **{f"GIT_{role}_EMAIL": f"user{user}@example.org" for role in ("AUTHOR", "COMMITTER")},
        },
        **_identity(user, team),
    )


def _ok(user, folder, *words, **more):
    done = _as(user, folder, *words, **more)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _begin(folder, dreamd, options=""):
    """Ada's home with one run; what `init` said."""
    for target in ("mailer", "cache"):
        (folder / f"{target}.jsonl").write_text(lines(*a_month_of(target)))
    return dreamd(f"init {options}", f"ingest events {folder}/mailer.jsonl", f"run --now {NOON}", "init")


def _trust(user, folder, said):
    """`user` does what `init` said that the group has to do."""
    asked = [line.split() for line in said.splitlines() if "safe.directory" in line]
    assert len({tuple(words) for words in asked}) == 2
    for words in asked:
        _ok(user, folder, *words)


def _mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_member_of_the_group_reads_clones_commits_and_dreamd_goes_on(folder, dreamd):
    said = _begin(folder, dreamd, f"--group {TEAM}")
    memory = folder / "home" / "memory" / "default"
    assert "may read and write the memory" in said
    _trust(BOB, folder, said)
    assert "dream 1" in _ok(BOB, folder, "git", "-C", str(memory), "log", "--oneline")

    # In place: a page, a file in a folder of its own, and a commit.
    page = memory / "knowledge" / "mailer.md"
    append = f"echo '- The mailer runs on host b' >> {page}; mkdir {memory}/notes; echo x > {memory}/notes/bob.md"
    _ok(BOB, folder, "sh", "-c", f"umask 002; {append}")
    _ok(BOB, folder, "git", "-C", str(memory), "add", "-A")
    _ok(BOB, folder, "git", "-C", str(memory), "commit", "-q", "-m", "from bob")
    bobs = _ok(BOB, folder, "git", "-C", str(memory), "rev-parse", "HEAD").strip()
    assert (memory / ".git" / "index").stat().st_uid == BOB

    # dreamd lays out, commits and packs beside what is his.
    dreamd(f"ingest events {folder}/cache.jsonl", "run --now 2026-03-21T12:00:00Z", "export")
    assert (memory / "knowledge" / "cache.md").stat().st_uid == ADA
    git = ("git", f"--git-dir={memory}/.git")
    assert bobs in _ok(ADA, folder, *git, "rev-list", "main")
    _ok(ADA, folder, *git, "gc", "--quiet", "--prune=now")
    assert _ok(ADA, folder, "git", "-C", str(memory), "status", "--porcelain") == ""

    # In a clone, pushed back into the memory itself, with a umask that would shut dreamd out.
    _ok(BOB, folder, "git", "clone", "-q", str(memory), "clone")
    clone = folder / f"of-{BOB}" / "clone"
    _ok(BOB, folder, "sh", "-c", f"echo '- The cache runs on host c' >> {clone}/knowledge/cache.md")
    _ok(BOB, folder, "git", "-C", str(clone), "commit", "-q", "-a", "-m", "from a clone")
    _ok(BOB, folder, "git", "-C", str(clone), "push", "-q")
    assert "host c" in (memory / "knowledge" / "cache.md").read_text()
    claims = dreamd("pin cache --now 2026-03-22T12:00:00Z", "verify", "status", "claims --all")
    assert "The mailer runs on host b" in claims and "The cache runs on host c" in claims
    assert _ok(BOB, folder, "git", "-C", str(memory), "status", "--porcelain") == ""


def test_key_and_database_stay_closed_to_the_group_and_the_memory_to_others(folder, dreamd):
    said = _begin(folder, dreamd, f"--group {TEAM}")
    home = folder / "home"
    for name in ("key", "dreamd.db"):
        assert _mode(home / name) == 0o600
    memory = home / "memory" / "default"
    for path in memory.rglob("*"):
        assert not _mode(path) & stat.S_IRWXO and path.stat().st_gid == TEAM, path
        assert not path.is_dir() or _mode(path) & stat.S_ISGID, path
    assert (_mode(memory), _mode(memory / "MEMORY.md")) == (0o2770, 0o660)
    if IS_ROOT:
        for word in ("key", "dreamd.db"):
            assert _as(BOB, folder, "cat", str(home / word)).returncode != 0
        _trust(EVE, folder, said)
        assert _as(EVE, folder, "git", "-C", str(memory), "log", team=False).returncode != 0


def test_without_being_asked_a_group_that_others_share_only_reads(folder, dreamd):
    """As on machines where all users have one group."""
    (folder / "home").mkdir()
    os.chown(folder / "home", ADA, TEAM)
    if is_of_a_group(folder / "home"):  # of whoever runs the tests, without root
        return
    said = _begin(folder, dreamd)
    memory = folder / "home" / "memory" / "default"
    assert "may read the memory" in said and "init --group GROUP" in said
    assert (_mode(memory), _mode(memory / "MEMORY.md")) == (0o750, 0o640)


def test_a_home_in_a_folder_prepared_for_a_group_is_written_by_it(folder, dreamd):
    (folder / "home").mkdir()
    os.chown(folder / "home", ADA, TEAM)
    (folder / "home").chmod(0o2770)
    assert "may read and write the memory" in _begin(folder, dreamd)
    memory = folder / "home" / "memory" / "default"
    assert memory.stat().st_gid == TEAM and (_mode(memory), _mode(memory / "MEMORY.md")) == (0o2770, 0o660)


def test_a_memory_that_is_there_can_be_opened_to_a_group_later(folder, dreamd):
    _begin(folder, dreamd)
    said = dreamd(f"init --group {TEAM}")
    memory = folder / "home" / "memory" / "default"
    assert "may read and write the memory" in said
    assert {path.stat().st_gid for path in memory.rglob("*")} == {TEAM}
    _trust(BOB, folder, said)
    _ok(BOB, folder, "git", "-C", str(memory), "commit", "-q", "--allow-empty", "-m", "from bob")
    dreamd(f"ingest events {folder}/cache.jsonl", "run --now 2026-03-21T12:00:00Z", "verify", "status")


def test_what_keeps_the_group_out_is_named(folder, dreamd):
    (folder / "of-ada").mkdir(mode=0o700)
    os.chown(folder / "of-ada", ADA, ADA if IS_ROOT else -1)
    assert f"{folder}/of-ada is closed to it" in dreamd("init", home="of-ada/home")


def test_a_group_that_is_not_there_is_refused(folder, dreamd):
    assert "no group 'no-such-group'" in dreamd("init --group no-such-group", code=2)


def test_a_folder_that_a_member_made_and_left_closed_makes_its_files_wait_and_no_more(folder, dreamd):
    said = _begin(folder, dreamd, f"--group {TEAM}")
    memory = folder / "home" / "memory" / "default"
    _trust(BOB, folder, said)
    shutil.rmtree(memory / "reports")
    _ok(BOB, folder, "mkdir", "-p", str(memory / "reports" / "2026"))  # with the umask 022
    dreamd(f"ingest events {folder}/cache.jsonl", "run --now 2026-03-21T12:00:00Z")
    assert (memory / "knowledge" / "cache.md").is_file()
    if IS_ROOT:
        assert "left alone: reports/2026/03/000002.md" in dreamd("status")
