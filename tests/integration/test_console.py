"""Copied consoles of Claude Code through the command line: blocks, results without exit codes, who is believed."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.daemon.intake.adapters.console import adapter
from dreamd.daemon.intake.adapters.port import Draft, Mark, Seen
from dreamd.daemon.intake.limits import Limits
from tests.cli import Command, command_in

AT = ("--at", "2026-05-04T09:00:00Z")
THE_DAY = """\
╭──────────────────────────────────╮
│ ✻ Welcome to Claude Code!        │
│   cwd: /home/ada/shop  │
╰──────────────────────────────────╯

> Please make the login refresh its token before it expires, so that nobody who works in the shop for a whole long
  morning is thrown out

⏺ I'll run the tests first.

⏺ Bash(npm test)…
  ⎿  Error: TypeError: refresh is not a function
     … +27 lines (ctrl+r to see all)

⏺ Update(src/token.ts)…
  ⎿  Updated src/token.ts with 2 additions

⏺ Bash(npm test)…
  ⎿  4 passed
     > this is a line of the output, not a turn

⏺ Bash(rm -rf build)…
  ⎿  No (tell Claude what to do differently)

> no, use pnpm instead of npm

✻ Thinking…

  The person wants pnpm.

⏺ Update Todos
  ⎿  ☐ Use pnpm

⏺ Bash(pytest -q)…
  ⎿  collecting ...
     … +90 lines (ctrl+r to see all)

⏺ Bash(git commit -m "Refresh the token…
      … (ctrl+r to expand)
  ⎿  \u00a0Error: trim trailing whitespace...........Failed
  ⎿  Read src/token.ts (41 lines)

⏺ Bash(git commit -m "Refresh the token…

      It is refreshed a minute before it expires.")…
  ⎿  [main 1234567] Refresh the token
      1 file changed

⏺ The token is refreshed one minute before it expires. The tests pass.

  1. It is done.

> Always run the linter before you commit.

⏺ Task(Look for linters)…
  ⎿  Error: nothing found

⏺ Thanks, I will.

> /cost
  ⎿  Total cost: $1.00

> ok
"""


@pytest.fixture
def dreamd(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    command = command_in(tmp_path / "home", capsys)
    assert command("init").code == 0
    return command


@pytest.fixture
def day(tmp_path: Path) -> Path:
    file = tmp_path / "log" / "day-1.md"
    file.parent.mkdir()
    file.write_text(THE_DAY)
    (tmp_path / "log" / "README.md").write_text("# Notes\n\n> a quotation\n")
    return file


def events_of(dreamd: Command) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = dreamd("events", "--json").value
    return found


def test_a_day_at_the_console_becomes_its_events(dreamd: Command, day: Path) -> None:
    answer = dreamd("ingest", "console", *AT, "--as", "user", str(day.parent), "--json").value
    assert (answer["files"], answer["spaces"], answer["rejected"]) == (1, ["shop"], 0)
    assert [(each["kind"], each["actor"], each["text"]) for each in events_of(dreamd)] == [
        (
            "message",
            "user",
            "Please make the login refresh its token before it expires, so that nobody who works in the shop for a"
            " whole long morning is thrown out",
        ),
        ("error", "tool", "`npm test` failed: TypeError: refresh is not a function"),
        (
            "result",
            "tool",
            "`npm test` passes again after changes to src/token.ts; before: TypeError: refresh is not a function",
        ),
        ("correction", "user", "no, use pnpm instead of npm"),
        ("error", "tool", '`git commit -m "Refresh the token` failed: trim trailing whitespace...........Failed'),
        ("commit", "agent", "Refresh the token"),
        ("message", "agent", "The token is refreshed one minute before it expires. The tests pass."),
        ("preference", "user", "Always run the linter before you commit."),
    ]
    assert events_of(dreamd)[0]["at"].startswith("2026-05-04T09:00:06")  # the sixth line


def test_what_is_left_out_is_counted_with_its_reason(dreamd: Command, day: Path) -> None:
    answer = dreamd("ingest", "console", *AT, str(day), "--json").value
    assert answer["records"] == {
        "answer": 3,
        "line of the program": 4,
        "thought": 1,
        "tool call": 9,
        "turn of the person": 5,
    }
    assert {(each["record"], each["why"]): each["count"] for each in answer["left_out"]} == {
        ("answer", "said on the way"): 2,
        ("line of the program", "state of the program"): 4,
        ("thought", "thinking"): 1,
        ("tool call", "file edit (its files go to the fix, commit or answer)"): 1,
        ("tool call", "how it ended is not shown"): 1,
        ("tool call", "planning"): 1,
        ("tool call", "refused by the person"): 1,
        ("tool call", "report of a subagent"): 1,
        ("turn of the person", "chatter"): 1,
        ("turn of the person", "slash command"): 1,
    }


def test_a_text_that_says_a_person_spoke_is_believed_only_where_that_is_granted(dreamd: Command, day: Path) -> None:
    dreamd("ingest", "console", *AT, str(day))
    actors = {each["kind"]: each["actor"] for each in events_of(dreamd)}
    assert actors["preference"] == actors["correction"] == "agent" and actors["error"] == "tool"


def test_without_a_time_nothing_is_taken_in(dreamd: Command, day: Path) -> None:
    answer = dreamd("ingest", "console", str(day), "--json")
    assert answer.code == 2 and "--at" in answer.error["hint"] and events_of(dreamd) == []


def test_a_second_delivery_and_a_moved_file_bring_nothing_new(dreamd: Command, day: Path) -> None:
    dreamd("ingest", "console", *AT, str(day))
    assert dreamd("ingest", "console", *AT, str(day), "--json").value["unchanged"] == 1
    moved = day.rename(day.parent / "day-one.txt")
    again = dreamd("ingest", "console", *AT, str(moved), "--json").value
    assert (again["new"], again["duplicate"]) == (0, 8)


def test_what_was_added_to_a_file_is_all_that_is_new(dreamd: Command, day: Path) -> None:
    dreamd("ingest", "console", *AT, str(day))
    with day.open("a") as stream:
        stream.write("\n> Never push to main.\n")
    assert dreamd("ingest", "console", *AT, str(day), "--json").value["new"] == 1


def test_what_is_no_console_is_refused(dreamd: Command, day: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    readme = day.parent / "notes.txt"
    readme.write_text("just notes\n")
    answer = dreamd("ingest", "console", *AT, str(readme), "--json")
    assert answer.code == 65 and "no console transcript" in answer.value["rejections"][0]["reason"]
    monkeypatch.setenv("DREAMD_LIMITS__DOCUMENT_BYTES", "10000")
    readme.write_text("> a turn\n" + "x" * 10_000)
    answer = dreamd("ingest", "console", *AT, str(readme), "--json")
    assert answer.code == 65 and "document_bytes allows 10000" in answer.value["rejections"][0]["reason"]


PIECES = st.sampled_from(
    [
        "> ",
        "⏺ ",
        "⏺ Bash(",
        ")…",
        "  ⎿  ",
        "\n",
        "     ",
        "Error: ",
        "✻ ",
        "│ ",
        "… +3 lines (ctrl+r to see all)",
        "no, ",
    ]
)


@settings(max_examples=60)
@given(pieces=st.lists(PIECES | st.text(max_size=6), max_size=30))
def test_no_text_ends_a_reading_and_every_block_is_accounted_for(
    pieces: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.getbasetemp() / "any.md"
    file.write_bytes("".join(["> Mend the old cart\n", *pieces]).encode("utf-8", "surrogatepass"))
    with file.open("rb") as stream:
        found = list(adapter(Limits(), str).read(stream, {}, line=0))
    told = {each.line for each in found if not isinstance(each, Seen | Mark)}
    assert {each.line for each in found if isinstance(each, Seen)} == told
    assert len({each.fields["id"] for each in found if isinstance(each, Draft)}) == len(
        [each for each in found if isinstance(each, Draft)]
    )
