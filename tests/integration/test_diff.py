"""`dreamd diff`: what a run changed, before and after, and never a stranger's bytes on a terminal."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dreamd.daemon.cli import main
from dreamd.repo_export.line_diff import FileDiff
from tests.cli import NOON, Command, a_month_of, command_in, lines
from tests.terminal import at_a_terminal

LATER = "2026-03-21T12:00:00Z"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def said(
    text: str, kind: str = "decision", target: str = "redis cache", at: str = "2026-03-12T10:00:00Z"
) -> dict[str, object]:
    return {"at": at, "text": text, "kind": kind, "target": target, "actor": "user"}


@pytest.fixture(scope="module")
def lived_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs: the first learns that Redis 7 is used, the second that it is Redis 8, and watches a ledger."""
    folder = tmp_path_factory.mktemp("lived")

    def dreamd(*words: str) -> None:
        assert main(["--home", str(folder / "home"), *words]) == 0

    first = [*a_month_of("redis cache"), *a_month_of("queue"), said("Use Redis 7 for the cache")]
    second = [
        said("Use Redis 8 for the cache", at="2026-03-20T13:00:00Z"),
        said("The ledger is odd", "observation", "ledger\x1b[31m", "2026-03-20T13:00:00Z"),
    ]
    dreamd("init")
    for now, events in ((NOON, first), (LATER, second)):
        (folder / "events.jsonl").write_text(lines(*events))
        dreamd("ingest", "events", "--as", "user", str(folder / "events.jsonl"), "--now", now)
        dreamd("run", "--now", now)
    return folder / "home"


@pytest.fixture
def home(lived_in: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(lived_in, tmp_path / "home", symlinks=True))


@pytest.fixture
def dreamd(home: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    return command_in(home, capsys)


def test_a_run_is_shown_as_the_unified_diff_of_its_pages(dreamd: Command) -> None:
    shown = dreamd("diff", "2").out
    assert "--- a/projects/redis-cache.md\n+++ b/projects/redis-cache.md\n@@ " in shown
    assert "\n-- Use Redis 7 for the cache [" in shown and "\n+- Use Redis 8 for the cache [" in shown
    assert "knowledge/queue.md" not in shown.split("+++ b/MEMORY.md")[0] and ".dreamd" not in shown
    assert "reports/2026/03/000002.md is new" in shown
    first = dreamd("diff", "1").out
    assert "--- /dev/null\n+++ b/projects/redis-cache.md\n@@ -0,0 +1," in first


def test_git_takes_the_hunks_for_a_patch(dreamd: Command, home: Path, tmp_path: Path) -> None:
    repository, copy = home / "memory" / "default", tmp_path / "copy"
    subprocess.run(["git", "clone", "-q", str(repository), str(copy)], check=True)
    subprocess.run(["git", "-C", str(copy), "checkout", "-q", "HEAD^"], check=True)
    patch = "".join(
        f"{line}\n" for file in dreamd("diff", "2", "--json").value["files"] for line in file.get("diff", ())
    )
    subprocess.run(["git", "-C", str(copy), "apply", "-"], input=patch, text=True, check=True)
    for path in ("MEMORY.md", "projects/redis-cache.md"):
        assert (copy / path).read_bytes() == (repository / path).read_bytes()


def test_what_shows_in_no_file_is_a_short_list(dreamd: Command) -> None:
    shown = dreamd("diff", "2").out
    assert (
        "In no file:\n  ledger\\u{1B}[31m (pattern): + the stream itself, + 1 statement, + 1 event, + 1 spelling\n"
        in shown
    )


def test_stat_counts_lines(dreamd: Command) -> None:
    shown = dreamd("diff", "2", "--stat").out
    assert re.search(r"  projects/redis-cache\.md +\+8 +-4\n", shown) and "3 files, " in shown
    assert "@@" not in shown


def test_a_run_has_a_number_and_an_id_that_may_be_shortened(dreamd: Command) -> None:
    value = dreamd("diff", "2", "--json").value
    for name in (value["id"], value["id"][:10], value["id"].removeprefix("run_")[:9]):
        if not name.isdigit():  # such a beginning is a number
            assert dreamd("diff", name, "--json").value == value
    assert dreamd("diff", "run_").code == 2 and dreamd("diff", "run_x").code == 2 and dreamd("diff", "3").code == 2
    for nothing in ("", "²", "0", "9" * 18, "9" * 5_000, "run_\x1b[31m", "-1"):
        answer = dreamd("diff", nothing)
        assert answer.code == 2 and "\x1b" not in answer.err


def test_a_number_in_several_spaces_exits_2_and_names_them(dreamd: Command) -> None:
    dreamd("record", "--space", "other", "--target", "queue", "--kind", "decision", "Use one queue", "--now", LATER)
    dreamd("run", "--now", LATER)
    answer = dreamd("diff", "1")
    assert (answer.code, "default, other" in answer.err) == (2, True)
    assert dreamd("diff", "1", "--space", "other").code == 0
    answer = dreamd("diff", "run_")
    assert answer.code == 2


def test_a_run_that_was_taken_back_says_by_which(dreamd: Command) -> None:
    dreamd("revert", "2", "--now", LATER)
    assert dreamd("diff", "2").out.splitlines()[1] == "Taken back, all of it or a part, by run 3"
    back = dreamd("diff", "3", "--json").value
    assert (back["reverts"], dreamd("diff", "2", "--json").value["reverted_by"]) == (2, [3])
    (page,) = [file for file in back["files"] if file["path"] == "projects/redis-cache.md"]
    assert any(line.startswith("+- Use Redis 7") for line in page["diff"])


def test_a_run_whose_commit_was_reset_away_is_rendered_from_the_log(dreamd: Command, home: Path) -> None:
    before = dreamd("diff", "2", "--json").value
    subprocess.run(["git", "-C", str(home / "memory" / "default"), "reset", "-q", "--hard", "HEAD^"], check=True)
    answer = dreamd("diff", "2")
    assert "Rendered from the log, for its commit is not in the branch" in answer.out
    after = dreamd("diff", "2", "--json").value
    pages = [file for file in before["files"] if not file["path"].startswith("reports/")]
    assert (after["files"], after["commit"], after["changes"]) == (pages, None, before["changes"])


def test_a_run_without_any_repository_is_rendered_from_the_log_and_makes_none(dreamd: Command, home: Path) -> None:
    first = dreamd("diff", "1", "--json").value["files"]
    shutil.rmtree(home / "memory" / "default")
    value = dreamd("diff", "1", "--json").value
    assert value["from_log"] == "there is no memory repository yet"
    assert value["files"] == [file for file in first if not file["path"].startswith("reports/")]
    assert not (home / "memory" / "default").exists()


def test_a_terminal_gets_colours_and_the_words_that_differ(dreamd: Command, home: Path) -> None:
    shown = at_a_terminal(home, "diff", "2")
    assert "\x1b[31m-\x1b[0m\x1b[31m- Use Redis \x1b[0m\x1b[31m\x1b[7m7\x1b[0m" in shown
    assert "\x1b[32m+\x1b[0m\x1b[32m- Use Redis \x1b[0m\x1b[32m\x1b[7m8\x1b[0m" in shown
    assert COLOUR.sub("", shown) == dreamd("diff", "2").out
    assert "ledger\\u{1B}[31m" in shown


def test_no_colour_where_none_is_wanted(dreamd: Command, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = dreamd("diff", "2").out
    assert at_a_terminal(home, "diff", "2", NO_COLOR="1") == plain
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    for name, value, is_plain in (("TERM", "dumb", True), ("NO_COLOR", "1", True), ("NO_COLOR", "", False)):
        with monkeypatch.context() as told:
            told.setenv("TERM", "xterm")
            told.setenv(name, value)
            assert (dreamd("diff", "2").out == plain) is is_plain, name


def test_the_head_of_a_table_is_bold_on_a_terminal(dreamd: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert dreamd("runs").out.startswith("\x1b[1mspace ")


def test_what_a_person_committed_into_a_page_steers_no_terminal(dreamd: Command, home: Path) -> None:
    """Their bytes are in the diff of the run that renders the page anew."""
    repository, page = home / "memory" / "default", home / "memory" / "default" / "projects" / "redis-cache.md"
    page.write_bytes(page.read_bytes() + b"\x1b]0;owned\x07 \xff\n")
    identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    subprocess.run(["git", "-C", str(repository), *identity, "commit", "-qam", "mine"], check=True)
    dreamd("export", "--now", LATER)
    value = dreamd("diff", "2", "--json")
    assert "\x1b" not in dreamd("diff", "2").out + value.out and "\x07" not in value.out


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (None, b"", []),
        (None, b"a\n", ["@@ -0,0 +1 @@", "a"]),
        (b"a\nb\n", b"a\nc\n", ["@@ -1,2 +1,2 @@", "a", "b", "c"]),
        (b"a", b"a\n", []),
        (b"\xff\n", None, ["@@ -1 +0,0 @@", "\\xff"]),
    ],
)
def test_the_hunks_of_small_files(before: bytes | None, after: bytes | None, expected: list[str]) -> None:
    assert [line.text for line in FileDiff(path="x", before=before, after=after).lines()] == expected
