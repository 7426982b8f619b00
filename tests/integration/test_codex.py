"""Rollouts of Codex through the command line: what becomes of them, in whichever form and however many pieces."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.daemon.intake.adapters.codex import adapter
from dreamd.daemon.intake.adapters.port import Draft, Found, LeftOut, Mark, Memory, Seen, Unread
from dreamd.daemon.intake.limits import Limits
from tests.cli import Command, command_in
from tests.rollouts import Rollout, a_days_work

TYPES = ("session_meta", "response_item", "event_msg", "turn_context", "compacted", "message", "x")
FIELDS = (
    *("type", "role", "content", "text", "id", "timestamp", "cwd", "source", "originator", "thread_source", "payload"),
    *("name", "arguments", "call_id", "input", "output", "action", "command", "message", "item", "phase", "ordinal"),
    *("forked_from_id", "subagent_history_start_ordinal", "record_type", "metadata", "exit_code", "session_id"),
)
THE_DAY = [
    ("message", "user", "Please make the login refresh its token before it expires"),
    ("error", "tool", "`npm test` failed with exit code 1: TypeError: refresh is not a function"),
    ("correction", "user", "no, use pnpm instead of npm"),
    ("error", "tool", "`pnpm test` failed with exit code 1: TypeError: refresh is not a function"),
    (
        "result",
        "tool",
        "`pnpm test` passes again after changes to src/token.ts; before: TypeError: refresh is not a function",
    ),
    ("preference", "user", "Always run the linter before you commit."),
    ("commit", "agent", "fix(auth): refresh the token once"),
    ("message", "agent", "The token is refreshed one minute before it expires, and the tests pass."),
]


@pytest.fixture
def dreamd(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    command = command_in(tmp_path / "home", capsys)
    assert command("init").code == 0
    return command


def events_of(dreamd: Command) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = dreamd("events", "--json").value
    return found


def told_by(dreamd: Command) -> list[tuple[str, str, str]]:
    return [(each["kind"], each["actor"], each["text"]) for each in events_of(dreamd)]


def read(text: str | bytes, tmp_path: Path, memory: Memory | None = None) -> list[Found]:
    file = tmp_path / "rollout-x.jsonl"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    with file.open("rb") as stream:
        return list(adapter(Limits(), str).read(stream, {} if memory is None else memory, line=0))


def drafts(found: list[Found]) -> list[tuple[object, object, object]]:
    return [
        (each.fields["kind"], each.fields["actor"], each.fields["text"]) for each in found if isinstance(each, Draft)
    ]


def why_left(found: list[Found]) -> list[tuple[str, str]]:
    return [(each.record, each.why) for each in found if isinstance(each, LeftOut)]


def test_a_days_work_becomes_its_events_and_each_turn_comes_once(dreamd: Command, tmp_path: Path) -> None:
    a_days_work().laid_out(tmp_path / "sessions")
    answer = dreamd("ingest", "codex", str(tmp_path / "sessions"), "--json")
    assert answer.code == 0 and answer.value["spaces"] == ["shop"]
    assert told_by(dreamd) == THE_DAY
    fix = next(each for each in events_of(dreamd) if each["kind"] == "result")
    assert (fix["source"], fix["session"], fix["outcome"]) == ("codex:0199-aaaa", "0199-aaaa", 1.0)
    assert fix["files"] == ["src/token.ts"] and fix["at"].startswith("2026-03-02T09:0")


def test_a_second_delivery_brings_nothing_from_wherever_the_file_lies(dreamd: Command, tmp_path: Path) -> None:
    file = a_days_work().laid_out(tmp_path / "sessions")
    dreamd("ingest", "codex", str(tmp_path / "sessions"))
    again = dreamd("ingest", "codex", str(tmp_path / "sessions"), "--json").value
    assert (again["new"], again["duplicate"], again["unchanged"]) == (0, 0, 1)
    (tmp_path / "archived_sessions").mkdir()
    file.rename(tmp_path / "archived_sessions" / file.name)
    moved = dreamd("ingest", "codex", str(tmp_path / "archived_sessions"), "--json").value
    assert (moved["new"], moved["duplicate"]) == (0, len(THE_DAY))


def test_a_rollout_that_grows_between_readings_gives_the_same_events(dreamd: Command, tmp_path: Path) -> None:
    rollout = a_days_work()
    file = rollout.laid_out(tmp_path / "sessions")
    whole = file.read_bytes()
    for end in range(0, len(whole) + 1, 1_500):
        file.write_bytes(whole[:end])
        dreamd("ingest", "codex", str(file))
    file.write_bytes(whole)
    dreamd("ingest", "codex", str(file))
    assert told_by(dreamd) == THE_DAY


@settings(max_examples=25)
@given(cuts=st.lists(st.integers(0, 60), max_size=8))
def test_any_cuts_at_marks_give_the_same_findings(cuts: list[int], tmp_path_factory: pytest.TempPathFactory) -> None:
    rollout = a_days_work()
    file = tmp_path_factory.mktemp("cuts") / "rollout-x.jsonl"
    file.write_text(rollout.text())
    found: list[Found] = []
    memory: Memory = {}
    offset = line = 0
    for stop in [*sorted(cuts), len(rollout.lines) + 1]:
        with file.open("rb") as stream:
            stream.seek(offset)
            for each in adapter(Limits(), str).read(stream, memory, line=line):
                if isinstance(each, Mark):
                    offset, line = each.offset, each.line
                    if line >= stop:
                        break
                else:
                    found.append(each)
        memory = json.loads(json.dumps(memory))
    assert drafts(found) == THE_DAY
    with file.open("rb") as stream:
        whole = [each for each in adapter(Limits(), str).read(stream, {}, line=0) if not isinstance(each, Mark)]
    assert found == whole


def test_old_rollouts_without_envelopes_are_dated_by_their_start(dreamd: Command, tmp_path: Path) -> None:
    records: list[dict[str, object]] = [
        {"id": "5973-old", "timestamp": "2025-05-07T17:24:21.123Z", "instructions": None},
        {"record_type": "state"},
        {
            "type": "message",
            "role": "user",
            "content": [
                {
                    "type": "input_text",
                    "text": "<environment_context>\n<cwd>/home/ada/shelf</cwd>\n</environment_context>",
                }
            ],
        },
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Always sort the imports."}]},
        {
            "type": "local_shell_call",
            "call_id": "c1",
            "action": {"type": "exec", "command": ["bash", "-lc", "make lint"]},
        },
        {
            "type": "function_call_output",
            "call_id": "c1",
            "output": "Exit code: 2\nWall time: 1 seconds\nOutput:\nE501",
        },
    ]
    file = tmp_path / "old.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    answer = dreamd("ingest", "codex", str(file), "--json").value
    assert answer["spaces"] == ["shelf"] and answer["rejected"] == 0
    preference, error = events_of(dreamd)
    assert (preference["kind"], preference["at"][:19]) == ("preference", "2025-05-07T17:24:25")
    assert error["text"].startswith("`make lint` failed with exit code 2") and error["at"] > preference["at"]


def test_what_the_program_put_into_a_turn_is_nobodys_word(tmp_path: Path) -> None:
    rollout = Rollout()
    for text in (
        "<environment_context>\n<cwd>/x</cwd>\n</environment_context>",
        "<user_instructions>\nAlways use tabs.\n</user_instructions>",
        "# AGENTS.md instructions for /x\n\nNever use tabs.",
        "<skill>\n<name>a</name>\nAlways use tabs.\n</skill>",
        "<user_shell_command>\n<command>ls</command>\n</user_shell_command>",
        "<turn_aborted>\nThe user interrupted.\n</turn_aborted>",
    ):
        rollout.message("user", text)
    rollout.message("system", "Always use tabs.")
    rollout.event("user_message", message="<user_instructions>\nAlways use tabs.\n</user_instructions>")
    found = read(rollout.text(), tmp_path)
    assert drafts(found) == []
    assert {why for _, why in why_left(found)} == {"header", "put in by the program"}


def test_of_a_turn_from_an_editor_only_the_request_is_taken(tmp_path: Path) -> None:
    rollout = Rollout()
    text = "# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n## My request for Codex:\nAlways sort the imports."
    rollout.person(text)
    assert drafts(read(rollout.text(), tmp_path)) == [("preference", "user", "Always sort the imports.")]


def test_the_same_words_said_twice_are_two_turns_and_three_forms_are_one(tmp_path: Path) -> None:
    rollout = Rollout()
    for _ in range(2):
        rollout.person("No, use the other parser")
        item = {"type": "UserMessage", "content": [{"type": "text", "text": "No, use the other parser"}]}
        rollout.event("item_completed", item=item)
    found = read(rollout.text(), tmp_path)
    assert len(drafts(found)) == 2
    assert [why for _, why in why_left(found)].count("the same turn again") == 4


@pytest.mark.parametrize(
    "header",
    [
        {"source": "exec", "originator": "codex_exec"},
        {"source": {"subagent": {"thread_spawn": {"parent_thread_id": "x"}}}},
        {"thread_source": "subagent"},
    ],
)
def test_in_a_session_that_a_program_runs_nobody_is_the_person(tmp_path: Path, header: dict[str, object]) -> None:
    rollout = Rollout(header=header)
    rollout.person("Always sort the imports.")
    assert drafts(read(rollout.text(), tmp_path)) == [("preference", "agent", "Always sort the imports.")]


def test_what_a_fork_copied_is_not_told_again(tmp_path: Path) -> None:
    rollout = Rollout(header={"forked_from_id": "0199-parent"})
    copied = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Always sort imports."}]}
    stamp = json.loads(rollout.lines[0])["timestamp"]
    rollout.lines.append(json.dumps({"timestamp": stamp, "type": "session_meta", "payload": {"id": "0199-parent"}}))
    rollout.lines.append(json.dumps({"timestamp": stamp, "type": "response_item", "payload": copied}))
    rollout.person("Never push to main.")
    found = read(rollout.text(), tmp_path)
    assert drafts(found) == [("preference", "user", "Never push to main.")]
    assert [why for _, why in why_left(found)].count("copied from the session that this one was forked from") == 2


def test_a_subagents_copied_history_ends_where_its_header_says(tmp_path: Path) -> None:
    rollout = Rollout(header={"thread_source": "subagent", "subagent_history_start_ordinal": 2})
    for ordinal, text in ((1, "Always sort the imports."), (2, "Never push to main.")):
        payload = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
        rollout.record("response_item", payload, ordinal=ordinal)
    assert drafts(read(rollout.text(), tmp_path)) == [("preference", "agent", "Never push to main.")]


def test_a_command_that_runs_on_is_judged_when_it_ends(tmp_path: Path) -> None:
    rollout = Rollout()
    rollout.exec("npm test", "starting\n", "Process running with session ID 77")
    waiting = rollout.call("write_stdin", {"session_id": 77, "chars": ""})
    end = "Chunk ID: 2\nWall time: 9 seconds\nProcess exited with code 1\nOutput:\nTypeError: a is not b\n"
    rollout.item("function_call_output", call_id=waiting, output=end)
    found = read(rollout.text(), tmp_path)
    assert drafts(found) == [("error", "tool", "`npm test` failed with exit code 1: TypeError: a is not b")]
    assert ("response_item: function_call_output", "still running") in why_left(found)


def test_a_command_that_the_person_refused_gives_nothing(tmp_path: Path) -> None:
    rollout = Rollout()
    call = rollout.call("shell", {"command": ["npm", "test"]})
    rollout.item("function_call_output", call_id=call, output="exec command rejected by user")
    found = read(rollout.text(), tmp_path)
    assert drafts(found) == [] and ("response_item: function_call_output", "refused by the person") in why_left(found)


@pytest.mark.parametrize(
    "output",
    [
        "Exit code: 1\nWall time: 1 seconds\nOutput:\nTypeError: a",
        {"content": "TypeError: a", "success": False},
        [{"type": "input_text", "text": "Process exited with code 1\nOutput:\nTypeError: a"}],
        json.dumps({"output": "TypeError: a", "metadata": {"exit_code": 1}}),
    ],
)
def test_every_form_of_an_output_says_how_it_ended(tmp_path: Path, output: object) -> None:
    rollout = Rollout()
    call = rollout.call("shell_command", {"command": "npm test"})
    rollout.item("function_call_output", call_id=call, output=output)
    assert drafts(read(rollout.text(), tmp_path)) == [
        ("error", "tool", "`npm test` failed with exit code 1: TypeError: a")
    ]


def test_a_patch_that_does_not_apply_is_an_error_of_its_file(tmp_path: Path) -> None:
    rollout = Rollout()
    rollout.patch("/home/ada/shop/src/a.py", "apply_patch verification failed: Failed to find expected lines", 1)
    (error,) = [each for each in read(rollout.text(), tmp_path) if isinstance(each, Draft)]
    assert error.fields["kind"] == "error" and error.fields["files"] == ["src/a.py"]


def test_types_that_nobody_knows_are_counted_by_a_bounded_set_of_names(tmp_path: Path) -> None:
    rollout = Rollout()
    for number in range(300):
        rollout.record(f"new_{number}", {"a": 1})
        rollout.item(f"new_{number}")
        rollout.event(f"new_{number}")
    rollout.lines.append('{"no": "type"}')
    found = read(rollout.text(), tmp_path)
    assert {each.record for each in found if isinstance(each, Seen)} == {
        "session_meta",
        "unknown",
        "response_item: unknown",
        "event_msg: unknown",
    }
    assert [why for _, why in why_left(found)].count("unknown record type") == 901


def test_broken_lines_are_named_and_the_others_kept(dreamd: Command, tmp_path: Path) -> None:
    rollout = Rollout()
    rollout.lines.append("{broken")
    rollout.lines.append("[1, 2]")
    rollout.lines.append('{"type": "event_msg", "payload": ' + "[" * 90 + "]" * 90 + "}")
    rollout.lines.append(json.dumps({"type": "event_msg", "payload": {"message": "x" * 1_100_000}}))
    rollout.person("Always sort the imports.")
    file = rollout.laid_out(tmp_path / "sessions")
    with file.open("ab") as stream:
        stream.write(b'{"type": "\xff"}\n{"type": "half')
    answer = dreamd("ingest", "codex", str(tmp_path / "sessions"), "--json")
    assert answer.code == 65 and answer.value["new"] == 1
    reasons = [(each["line"], each["reason"].split(";")[0]) for each in answer.value["rejections"]]
    assert [line for line, _ in reasons] == [2, 3, 4, 5, 8]
    assert "nested too deep" in reasons[2][1] and "too long" in reasons[3][1] and "UTF-8" in reasons[4][1]


@pytest.mark.parametrize(
    "payload",
    [
        {"type": "message", "role": "user", "content": None},
        {"type": "message", "role": ["user"], "content": [{"text": 7}, None, "x"]},
        {"type": "function_call", "name": 5, "arguments": "{", "call_id": []},
        {"type": "function_call_output", "call_id": {"a": 1}, "output": 7},
        {"type": "custom_tool_call", "name": "apply_patch", "input": ["x"], "call_id": "c"},
        {"type": "local_shell_call", "action": "ls", "call_id": "c"},
        {"type": ["message"]},
        {"type": "item_completed", "item": []},
        {},
    ],
)
def test_shapes_that_nobody_expects_end_no_reading(tmp_path: Path, payload: dict[str, object]) -> None:
    rollout = Rollout()
    rollout.record("response_item", payload)
    rollout.record("event_msg", payload)
    rollout.record("session_meta", payload)
    rollout.record("turn_context", payload)
    rollout.person("Always sort the imports.")
    found = read(rollout.text(), tmp_path)
    assert drafts(found) == [("preference", "user", "Always sort the imports.")]
    assert not [each for each in found if isinstance(each, Unread)]


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(["user", "message", "exec"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=4),
    max_leaves=8,
)


@settings(max_examples=60)
@given(
    records=st.lists(
        st.tuples(st.sampled_from(TYPES), st.dictionaries(st.sampled_from(FIELDS), ANYTHING, max_size=6)), max_size=6
    )
)
def test_no_record_however_shaped_ends_a_reading(
    records: list[tuple[str, dict[str, object]]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    lines: list[dict[str, object]] = [
        {"timestamp": "2026-03-02T09:00:00Z", "type": kind, "payload": payload} for kind, payload in records
    ]
    lines += [payload for _, payload in records]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    found = read(text, tmp_path_factory.getbasetemp())
    assert len([each for each in found if isinstance(each, Seen)]) == len(lines)
    assert not [each for each in found if isinstance(each, Unread)]


def test_the_memory_of_a_long_session_stays_small(tmp_path: Path) -> None:
    rollout = Rollout()
    for number in range(200):
        rollout.person(f"Please look at part {number} of the parser")
        rollout.call("shell", {"command": ["bash", "-lc", f"npm test {number} {'x' * 2_000}"]})
        rollout.item("local_shell_call", call_id=f"{number}{'x' * 50_000}", action={"command": ["make", "test"]})
        rollout.exec(f"sleep {number}", "", f"Process running with session ID {number}")
    memory: Memory = {}
    read(rollout.text(), tmp_path, memory)
    assert len(json.dumps(memory)) < 200_000


def test_a_time_that_is_none_is_named_as_it_stands(dreamd, tmp_path):
    rollout = Rollout()
    rollout.person("Always use uv")
    rollout.lines[-2:] = [line.replace(f'"{json.loads(line)["timestamp"]}"', "null") for line in rollout.lines[-2:]]
    (tmp_path / "rollout-a.jsonl").write_text("\n".join(rollout.lines) + "\n")
    told = dreamd("ingest", "codex", str(tmp_path), "--json")
    (refused,) = told.value["rejections"]
    assert (refused["line"], refused["field"]) == (2, "timestamp") and "is null" in refused["reason"]
