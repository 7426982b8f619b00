"""The mistakes of a first hour, as a table: each is answered with what, where and the command that helps."""

import gzip
import json
import os
import sqlite3
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from dreamd.daemon.cli import main
from tests.cli import NOON, Command, a_month_of, command_in, dreamd_on_path, lines

ROOT = Path(__file__).parents[2]
GOOD = {"at": "2026-03-01T10:00:00Z", "text": "The cache holds 5 items", "target": "cache"}


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a user, which is also where the commands are given."""
    folder = tmp_path / "user"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    for name in ("XDG_DATA_HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def command(user: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    made = command_in(user / "home", capsys)
    assert made("init").code == 0
    return made


@pytest.fixture
def fed(command: Command, user: Path) -> Command:
    """A home with two targets and no run."""
    (user / "good.jsonl").write_text(lines(*a_month_of("rate-limiter"), *a_month_of("mailer")))
    answer = command("ingest", "events", "good.jsonl")
    assert answer.code == 0 and answer.out.endswith(" run\n") and "Next: " in answer.out
    return command


@pytest.fixture
def dreamt(fed: Command) -> Command:
    assert fed("run", "--now", NOON).code == 0
    return fed


@pytest.fixture(scope="module")
def empty_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("empty") / "home"
    assert main(["--home", str(home), "init"]) == 0
    return home


@pytest.fixture
def empty(empty_home: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    """A home with nothing in it, for questions."""
    return command_in(empty_home, capsys)


@pytest.fixture(scope="module")
def read_only(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home after a run, for questions that change nothing."""
    folder = tmp_path_factory.mktemp("asked")
    (folder / "good.jsonl").write_text(lines(*a_month_of("rate-limiter"), *a_month_of("mailer")))
    home = ("--home", str(folder / "home"))
    assert main([*home, "init"]) == 0
    assert main([*home, "ingest", "events", str(folder / "good.jsonl")]) == 0
    assert main([*home, "run", "--now", NOON]) == 0
    return folder / "home"


# Nothing there yet


@pytest.mark.parametrize("words", ["status", "run", "streams", "report", "events", "claims", "runs", "run --dry-run"])
def test_an_empty_home_teaches_the_next_step(empty, words):
    answer = empty(*words.split())
    assert answer.code == 0
    assert "ingest git FOLDER" in answer.out and "ingest events FILE" in answer.out and "run" in answer.out


@pytest.mark.parametrize(
    "words", ["show x", "why x", "pin x", "undo", "diff 1", "report 1", "revert 1", "plan -o x", "unhold x"]
)
def test_a_question_to_an_empty_home_is_answered_with_the_first_commands(empty, words):
    answer = empty(*words.split())
    assert answer.code == 2
    assert "nothing was ingested yet" in answer.err and "ingest git FOLDER; then: dreamd --home" in answer.err


@pytest.mark.parametrize("words", ["streams", "claims", "runs", "report", "status"])
def test_who_forgot_to_run_is_told_so(fed, words):
    answer = fed(*words.split())
    assert answer.code == 0 and "8 events wait" in answer.out and " run\n" in answer.out


def test_show_before_the_first_run_says_to_run(fed):
    answer = fed("show", "mailer")
    assert answer.code == 2 and "8 events wait for a dream" in answer.err and "next: dreamd --home" in answer.err


def test_init_prints_commands_that_work_as_printed(user, capsys):
    home = user / "a home"
    told = command_in(home, capsys)("init").out.splitlines()
    start = told.index("Next, in a project's folder:") + 1
    printed = [line.strip() for line in told[start : start + 4]]
    printed += [line.strip() for line in told if " record --as" in line]
    subprocess.run(["git", "init", "-q"], check=True)
    _commit("fix(queue): retry when the broker is away")
    environ = {**os.environ, "PATH": f"{dreamd_on_path(user)}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    for words in printed:
        done = subprocess.run(words, shell=True, capture_output=True, text=True, check=False, env=environ)
        assert done.returncode == 0, (words, done.stderr)
    assert len(printed) == 5


# What is handed over


@dataclass(frozen=True)
class Case:
    name: str
    words: str
    code: int
    says: tuple[str, ...]  # of the error, each in it
    make: Callable[[Path], object] = lambda folder: None
    mends: str = ""  # a command of a shell that the error prints, and that works


def _repositories(folder: Path) -> None:
    for name in ("one", "two"):
        subprocess.run(["git", "init", "-q", str(folder / "work" / name)], check=True)


ARRAY = json.dumps([GOOD, {**GOOD, "text": "The cache holds 6 items"}], indent=1)
CSV = "at,text,target\n2026-03-01T10:00:00Z,The cache holds 5 items,cache\n"
TRANSCRIPT = {"type": "user", "sessionId": "s", "uuid": "u", "message": {"content": "hello"}}

CASES = (
    Case("no path", "ingest events", 2, ("nothing to read", "dreamd ingest events -")),
    Case("no file", "ingest events x.jsonl", 65, ("x.jsonl", "no such file")),
    Case(
        "a folder",
        "ingest events d",
        2,
        ("d is a folder", "ingest events d/*.jsonl"),
        lambda f: _write(f / "d/a.jsonl", ""),
    ),
    Case("a folder without any", "ingest events d", 2, ("holds no .jsonl file",), lambda f: (f / "d").mkdir()),
    Case("a repository", "ingest events work/one", 2, ("ingest git work/one",), _repositories),
    Case(
        "a JSON array",
        "ingest events a.json",
        65,
        ("a.json is one JSON array",),
        lambda f: _write(f / "a.json", ARRAY),
        "python3",
    ),
    Case(
        "one object",
        "ingest events o",
        65,
        ("over several lines",),
        lambda f: _write(f / "o", json.dumps(GOOD, indent=1)),
        "python3",
    ),
    Case("CSV", "ingest events a.csv", 65, ("a.csv is a table (CSV)",), lambda f: _write(f / "a.csv", CSV), "python3"),
    Case(
        "gzip",
        "ingest events a.gz",
        65,
        ("compressed with gzip",),
        lambda f: _write(f / "a.gz", gzip.compress(lines(GOOD).encode())),
        "gzip",
    ),
    Case(
        "UTF-16", "ingest events a", 65, ("UTF-16",), lambda f: _write(f / "a", lines(GOOD).encode("utf-16")), "iconv"
    ),
    Case("a database", "ingest events home/dreamd.db", 65, ("binary file",)),
    Case(
        "events as a transcript",
        "ingest claude-code a",
        65,
        ("a is a file of events", "ingest events a"),
        lambda f: _write(f / "a", lines(GOOD)),
    ),
    Case(
        "events of another kind as a rollout",
        "ingest codex a",
        65,
        ("a is a file of events, no transcript of codex", "did you mean: dreamd ingest events a"),
        lambda f: _write(f / "a", "\n" + lines({"type": "note", **GOOD}, GOOD)),
    ),
    Case(
        "a transcript",
        "ingest events t",
        65,
        ("transcript of claude-code", "ingest claude-code t"),
        lambda f: _write(f / "t", lines(TRANSCRIPT)),
    ),
    Case("an empty file", "ingest events e", 0, ("e is empty",), lambda f: _write(f / "e", "")),
    Case("nothing at all", "ingest events /dev/null", 0, ("/dev/null is empty", "an event is a line such as")),
    Case(
        "a naive time",
        "ingest events n",
        65,
        ("n:1: at: ", "no time zone", "2026-03-01T10:00:00Z for UTC", "nothing was stored"),
        lambda f: _write(f / "n", lines({**GOOD, "at": "2026-03-01T10:00:00"})),
    ),
    Case(
        "a date",
        "ingest events n",
        65,
        ("n:1: at: '2026-03-01' has no time of day", "2026-03-01T00:00:00Z"),
        lambda f: _write(f / "n", lines({**GOOD, "at": "2026-03-01"})),
    ),
    Case("no repository", "ingest git d", 65, ("d is not in a Git repository",), lambda f: (f / "d").mkdir()),
    Case("repositories below", "ingest git work", 65, ("ingest git work/one work/two",), _repositories),
    Case("no commit", "ingest git work/one", 65, ("has no commit to read",), _repositories),
    Case(
        "a remote",
        "ingest git https://host.example/x.git",
        65,
        ("is an address", "git clone https://host.example/x.git"),
    ),
    Case(
        "a file of events",
        "ingest git a.jsonl",
        65,
        ("ingest events a.jsonl",),
        lambda f: _write(f / "a.jsonl", lines(GOOD)),
    ),
    Case("a source mistyped", "ingest event x", 2, ("source 'event' is unknown", "did you mean: dreamd ingest events")),
    Case("a source left out", "ingest work/one", 2, ("dreamd ingest git work/one",), _repositories),
    Case("--now without a zone", "run --now 2026-01-01T10:00", 2, ("--now: ", "no time zone", "2026-01-01T10:00Z")),
    Case("--now a date", "run --now 2026-01-01", 2, ("--now: '2026-01-01' has no time of day", "2026-01-01T00:00:00Z")),
    Case("--now in words", "run --now tomorrow", 2, ("--now: 'tomorrow' is no RFC 3339 instant",)),
    Case("a command mistyped", "strams", 2, ("No such command 'strams'", "did you mean: dreamd streams")),
    Case("a folder for init", "init elsewhere", 2, ("dreamd --home elsewhere init",)),
    Case("a command of others", "log", 2, ("did you mean: dreamd runs",)),
    Case("an option mistyped", "run --dry-rnu", 2, ("No such option: --dry-rnu", "did you mean: dreamd run --dry-run")),
    Case("an option without value", "streams --space", 2, ("--space lacks its value",)),
    Case("a kind mistyped", "record --kind desicion x", 65, ("kind: is 'desicion'", "decision")),
)


def _write(file: Path, content: str | bytes) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(content if isinstance(content, bytes) else content.encode())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_is_handed_over_wrong_is_named_with_its_remedy(command, user, case):
    case.make(user)
    answer = command(*case.words.split())
    assert answer.code == case.code, answer.err
    told = answer.err.replace(f"dreamd --home {user / 'home'} ", "dreamd ")  # the home that was named is named again
    assert [words for words in case.says if words not in told] == []
    assert "hint: " in answer.err or answer.code == 0
    assert "internal error" not in answer.err
    if case.mends:
        printed = answer.err[answer.err.index(f"{case.mends} ") :].strip()
        environ = {**os.environ, "PATH": f"{dreamd_on_path(user)}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
        subprocess.run(printed, shell=True, check=True, capture_output=True, env=environ)
        assert {event["text"] for event in command("events", "--json").value} >= {GOOD["text"]}


AFTER_A_RUN = (
    ("show mailr", 2, ("no stream fits 'mailr'", "did you mean: mailer")),
    ("why rate", 2, ("did you mean: rate_limiter",)),
    ("pin Rate-Limitr", 2, ("did you mean: rate_limiter",)),
    ("show zzzzz", 2, ("no stream fits 'zzzzz'", "dreamd streams lists them")),
    ("report 9", 2, ("has no run 9; there are runs 1 to 1", "dreamd runs")),
    ("revert 9", 2, ("has no run 9; there are runs 1 to 1",)),
    (
        "streams --space defualt",
        2,
        ("there is no space 'defualt'; there are: default", "did you mean: --space default"),
    ),
    ("streams --space Other!", 2, ("no name of a space", "use: --space other")),
    ("streams --phase emergnt", 2, ("one of: pattern, emergent, canonical",)),
    ("report --since yesterday", 2, ("--since: 'yesterday' is no RFC 3339 instant", "7d")),
    ("run --now 2026-03-01T00:00:00Z", 2, ("before the last run", "give a later --now")),
    ("show mailer --as-of 2020-01-01T00:00:00Z", 2, ("has no evidence up to 2020", "give a later --as-of")),
    ("accept pr_00000000", 2, ("no open proposal fits", "dreamd status")),
)


@pytest.mark.parametrize(("words", "code", "says"), AFTER_A_RUN, ids=[words for words, _, _ in AFTER_A_RUN])
def test_what_is_asked_for_wrongly_is_named_with_what_was_meant(read_only, capsys, words, code, says):
    dreamt = command_in(read_only, capsys)
    answer = dreamt(*words.split())
    told = answer.err.replace(f"dreamd --home {read_only} ", "dreamd ")
    assert answer.code == code and [each for each in says if each not in told] == [], answer.err
    as_json = dreamt(*words.split(), "--json")
    assert set(as_json.error) == {"error", "code", "hint"}


# Settings


@pytest.mark.parametrize(
    ("toml", "variable", "says"),
    [
        (
            "[policy]\nstrech_max = 2\n",
            "",
            ("policy.strech_max is no setting", "did you mean policy.stretch_max", "edit "),
        ),
        ("[policy]\nstretch_max = -2\n", "", ("policy.stretch_max is -2", "allowed: number from 1 to 1000", "edit ")),
        ("[policy\n", "", ("dreamd.toml is no TOML", "edit ")),
        (
            "",
            "DREAMD_POLICY__STRECH_MAX",
            ("did you mean DREAMD_POLICY__STRETCH_MAX", "unset DREAMD_POLICY__STRECH_MAX"),
        ),
        ("", "DREAMD_HOM", ("DREAMD_HOM is no setting", "did you mean DREAMD_HOME", "unset DREAMD_HOM")),
    ],
)
def test_a_mistyped_setting_names_the_nearest_and_where_to_mend_it(command, user, monkeypatch, toml, variable, says):
    (user / "home" / "dreamd.toml").write_text(toml)
    if variable:
        monkeypatch.setenv(variable, "-1")
    answer = command("status")
    assert answer.code == 78 and [each for each in says if each not in answer.err] == [], answer.err


# Homes


def test_a_home_that_is_something_else(command, user, capsys):
    (user / "file").write_text("")
    (user / "other").mkdir()
    (user / "other" / "thesis.odt").write_text("")
    for name, says in (("file", "is not a folder"), ("other", "holds 'thesis.odt'")):
        answer = command_in(user / name, capsys)("init")
        assert answer.code == 78 and says in answer.err and "--home" in answer.err
    answer = command_in(user / "none at all", capsys)("run")
    assert answer.code == 78 and f"dreamd --home '{user / 'none at all'}' init" in answer.err


def test_a_home_of_a_newer_version_is_left_alone(fed, user):
    with sqlite3.connect(user / "home" / "dreamd.db") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    answer = fed("status")
    assert answer.code == 74 and "version 9999" in answer.err and "newer one" in answer.err


def test_no_command_at_all_says_how_to_start(user, capsys):
    assert main([]) == 0
    assert capsys.readouterr().out.startswith("New here? Start with: dreamd init")
    main(["init"])
    capsys.readouterr()
    assert main([]) == 0
    assert capsys.readouterr().out.startswith("Usage:")


@pytest.mark.parametrize("words", ["help", "-h", "help run", "run -h", "help install"])
def test_help_is_given_however_it_is_asked_for(empty, words):
    answer = empty(*words.split())
    assert answer.code == 0 and "Usage: dreamd" in answer.out


def test_what_is_written_ahead_of_the_clock_is_noted(fed):
    answer = fed("run", "--now", "2999-01-01T00:00:00Z")
    assert answer.code == 0 and "ahead of the clock" in answer.err


def _commit(subject: str) -> None:
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    subprocess.run(["git", *who, "commit", "-q", "--allow-empty", "-m", subject], check=True)
