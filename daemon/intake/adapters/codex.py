"""Codex: rollouts of OpenAI's Codex CLI, one JSON record a line, as its `RolloutLine` and `ResponseItem` lay them down.

A turn is written up to three times: as the model saw it (`response_item`), as the person saw it (`event_msg` of type
`user_message` or `agent_message`) and, in newer versions, as `item_completed`. It is taken once, where it comes first.
Rollouts of mid 2025 have no envelope: a bare header, then bare items that carry no time; they are dated by the
session's start. What the program put into the person's turns (AGENTS.md, the environment, skills) is nobody's word.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

from dreamd.daemon.clock import parse_instant
from dreamd.daemon.errors import BadData
from dreamd.daemon.intake.adapters import codex_items, speech, turns, work
from dreamd.daemon.intake.adapters.port import Draft, Found, LeftOut, Mark, Memory, Unread

DOUBLE = "the same turn again"
COPIED = "copied from the session that this one was forked from"
IN_ITEM = "told by the tool call and its result"
STATE = "state of the program"
REASONING = "reasoning"
FORK_SECONDS = 2  # within which a fork writes down what it copied
HEAD_LINES = 20  # in which a rollout names its folder
UNKNOWN = "unknown record type"
HEADER = "header"
STILL_RUNNING = "still running"
ANSWER = "answer"
REFUSED = "refused by the person"
MAX_WAITING = 64  # running commands and those who wait for them
MAX_TYPE_CHARACTERS = 60  # of a record's type, since it is a row of a table
LINE_BYTES = 16_000_000  # of a line; images stand in lines of megabytes
MAX_SAID = 64  # turns that may come again in another form

CHANNELS = 3  # in which a turn may be written: response_item, event_msg, item_completed
_PROGRAMS = frozenset(("exec", "mcp", "codex_exec"))  # sessions whose turns a program writes
_STATE_RECORDS = frozenset(("turn_context", "world_state", "inter_agent_communication_metadata", "state"))
_CALLS = frozenset(("function_call", "custom_tool_call", "local_shell_call"))
_OUTPUTS = frozenset(("function_call_output", "custom_tool_call_output"))
_LOOKING = frozenset(("view_image", "read_file", "list_dir", "grep_files", "list_mcp_resources", "read_mcp_resource"))
_PLANNING = frozenset(("update_plan", "request_user_input", "create_goal", "get_goal", "update_goal"))
_DELEGATING = frozenset(
    ("spawn_agent", "wait_agent", "wait", "send_input", "close_agent", "resume_agent", "list_agents")
)
_ITEMS_LEFT_OUT = {
    "reasoning": REASONING,
    "compaction": "summary of what was compacted",
    "compaction_summary": "summary of what was compacted",
    "context_compaction": "summary of what was compacted",
    "web_search_call": "search",
    "tool_search_call": "search",
    "tool_search_output": "search",
    "image_generation_call": "image",
    "ghost_snapshot": STATE,
    "additional_tools": STATE,
}
_EVENTS_LEFT_OUT = {
    **dict.fromkeys(("agent_reasoning", "agent_reasoning_raw_content", "agent_reasoning_section_break"), REASONING),
    **dict.fromkeys(("patch_apply_end", "exec_command_end", "mcp_tool_call_end", "web_search_end"), IN_ITEM),
    **dict.fromkeys(("image_generation_end", "view_image_tool_call", "item_completed", ""), IN_ITEM),
    **dict.fromkeys(("turn_aborted", "thread_rolled_back"), turns.INTERRUPT),
    **dict.fromkeys(("task_started", "task_complete", "turn_started", "turn_complete", "token_count"), STATE),
    **dict.fromkeys(("context_compacted", "entered_review_mode", "exited_review_mode", "thread_name_updated"), STATE),
    **dict.fromkeys(("thread_goal_updated", "sub_agent_activity", "session_configured", "error", "warning"), STATE),
    **dict.fromkeys(("stream_error", "background_event", "plan_update", "turn_diff", "shutdown_complete"), STATE),
}


class Codex:
    """The adapter."""

    name = "codex"
    reads = "rollouts of OpenAI's Codex CLI, as they lie in ~/.codex/sessions"

    def find(self, path: Path) -> Iterator[Path]:
        if path.is_dir():
            yield from sorted(found for found in path.rglob("rollout-*.jsonl") if found.is_file())
        else:
            yield path

    def project(self, file: Path) -> Path | None:
        """As the header says, or the first description of the environment, which old rollouts have instead."""
        with file.open("rb") as stream:
            for number, line in bounded_lines(stream, 0):
                record = _decoded(line)
                if isinstance(record, dict) and (folder := _folder(record)):
                    return Path(folder)
                if number >= HEAD_LINES:
                    return None
        return None

    def read(self, file: BinaryIO, memory: Memory, *, line: int) -> Iterator[Found]:
        rollout = _Rollout(memory)
        for number, content in bounded_lines(file, line):
            yield from rollout.record(content, number)
            yield Mark(offset=file.tell(), line=number)


class _Rollout:
    """One rollout as far as it was read; what must outlast a cut is in the memory."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    @property
    def _work(self) -> work.Work:
        return self._table("work")

    def _table(self, name: str) -> dict[str, Any]:
        """What the memory holds under `name`, made if it is not there."""
        table = self.memory.setdefault(name, {})
        assert isinstance(table, dict)  # noqa: S101 - ours
        return table

    def record(self, content: bytes | None, line: int) -> Iterator[Found]:
        """What one line gives."""
        value = _decoded(content)
        if isinstance(value, str):
            yield Unread(line=line, field=None, reason=value)
            return
        kind, payload = _opened(value)
        if kind == "session_meta":
            yield from self._header(value, payload, line)
        elif self._is_copied(value):
            yield LeftOut(line=line, record=kind, why=COPIED)
        elif kind == "response_item":
            yield from self._item(payload, line, self._at(value, line))
        elif kind == "event_msg":
            yield from self._event(payload, line, self._at(value, line))
        elif kind == "compacted":
            yield LeftOut(line=line, record=kind, why=turns.COMPACTION)
        else:
            yield LeftOut(line=line, record=kind, why=STATE if kind in _STATE_RECORDS else UNKNOWN)

    def _header(self, value: Mapping[str, object], payload: Mapping[str, object], line: int) -> Iterator[Found]:
        session = payload.get("id", payload.get("session_id"))
        if "session" in self.memory or not isinstance(session, str):
            yield LeftOut(
                line=line, record="session_meta", why=HEADER if session == self.memory.get("session") else COPIED
            )
            return
        started = payload.get("timestamp", value.get("timestamp"))
        self.memory["session"] = session
        self.memory["started"] = started
        self.memory["folder"] = payload.get("cwd")
        self.memory["is_person"] = _is_persons(payload)
        start = payload.get("subagent_history_start_ordinal")
        if isinstance(start, int) and not isinstance(start, bool):
            self.memory["first_ordinal"] = start
        elif payload.get("forked_from_id") and (written := _instant(value.get("timestamp"))):
            self.memory["copied_until"] = (written + timedelta(seconds=FORK_SECONDS)).isoformat()
        yield LeftOut(line=line, record="session_meta", why=HEADER)

    def _item(self, item: Mapping[str, object], line: int, at: str | None) -> Iterator[Found]:
        kind = str(item.get("type"))[:MAX_TYPE_CHARACTERS]
        place = _Place(record=f"response_item {kind}", line=line, at=at)
        if kind == "message":
            yield from self._message(item, place)
        elif kind in _CALLS:
            self._begin(item)
        elif kind in _OUTPUTS:
            yield self._end(item, place)
        else:
            yield place.left_out(_ITEMS_LEFT_OUT.get(kind, UNKNOWN))

    def _message(self, item: Mapping[str, object], place: "_Place") -> Iterator[Found]:
        role = item.get("role")
        texts, put_in = codex_items.words_of(item.get("content"))
        text = "\n".join(texts)
        if role == "assistant":
            yield from self._answered(text, 0, place)
        elif role != "user" or (not text and put_in):
            yield place.left_out(turns.INJECTED)
        else:
            yield from self._said(text, 0, place)

    def _event(self, event: Mapping[str, object], line: int, at: str | None) -> Iterator[Found]:
        kind = str(event.get("type"))[:MAX_TYPE_CHARACTERS]
        place = _Place(record=f"event_msg {kind}", line=line, at=at)
        message, channel = event.get("message"), 1
        if kind == "item_completed" and isinstance(item := event.get("item"), Mapping):
            kind = {"UserMessage": "user_message", "AgentMessage": "agent_message"}.get(str(item.get("type")), kind)
            message, channel = "\n".join(codex_items.words_of(item.get("content"))[0]), 2
        text = codex_items.asked(message) if isinstance(message, str) else ""
        if kind == "agent_message":
            yield from self._answered(text, channel, place)
        elif kind != "user_message":
            yield place.left_out(_EVENTS_LEFT_OUT.get(kind, UNKNOWN))
        elif not text:
            yield place.left_out(turns.INJECTED)
        else:
            yield from self._said(text, channel, place)

    def _said(self, text: str, channel: int, place: "_Place") -> Iterator[Found]:
        """A turn of the person; in a session that a program runs, it is an agent's."""
        if not self._is_first(f"person {text}", channel):
            yield place.left_out(DOUBLE)
            return
        work.new_turn(self._work)
        actor = "user" if self.memory.get("is_person", True) else "agent"
        for number, told in enumerate(speech.told(text)):
            if told.kind is None:
                yield place.left_out(told.why or turns.CHATTER)
                continue
            fields = {"kind": str(told.kind), "text": told.text, "target": told.target, "actor": actor}
            yield self._draft(f"turn-{place.line}-{number}", fields, place)

    def _answered(self, text: str, channel: int, place: "_Place") -> Iterator[Found]:
        """An answer of the agent."""
        yield place.left_out(ANSWER if self._is_first(f"agent {text}", channel) else DOUBLE)

    def _begin(self, item: Mapping[str, object]) -> None:
        call = item.get("call_id") or item.get("id")
        if not isinstance(call, str):
            return
        if (running := codex_items.continued(item)) is not None:
            _keep(self._table("waiting"), call, running)
            return
        given = codex_items.given(item)
        files = tuple(work.relative(file, self._base()) for file in given.files)
        how = _how(given)
        work.begin(self._work, call, work.Deed(how=how, name=given.tool, command=given.command or "", files=files))

    def _end(self, item: Mapping[str, object], place: "_Place") -> Found:
        """A result; that of a command which still runs is awaited until somebody has waited for its end."""
        call = str(item.get("call_id"))
        result = codex_items.came_back(item.get("output"))
        running = self._table("waiting").pop(call, None)
        started = call if running is None else self._table("running").pop(str(running), None)
        if result.running is not None and started is not None:
            _keep(self._table("running"), result.running, started)
            return place.left_out(STILL_RUNNING)
        if started is None:
            return place.left_out(work.LOOKING)
        if result.is_rejected:
            work.drop(self._work, str(started))
            return place.left_out(REFUSED)
        done = work.end(self._work, str(started), result.text, is_error=result.is_failure, exit_code=result.exit_code)
        if isinstance(done, work.Ignored):
            return place.left_out(done.why)
        return self._draft(f"call-{call}", {**done.fields(), "actor": "tool"}, place)

    def _draft(self, name: str, fields: Mapping[str, object], place: "_Place") -> Draft:
        given = {"id": name, "at": place.at, "session": self.memory.get("session"), **fields}
        return Draft(line=place.line, fields={name: value for name, value in given.items() if value is not None})

    def _is_first(self, text: str, channel: int) -> bool:
        """Whether this is the first time that this turn comes, in whichever of its forms.

        The n-th time in one form is the n-th turn of these words, unless another form has told of an n-th already.
        """
        said = self._table("said")
        key = sha256("".join(text.split()).encode("utf-8", "replace")).hexdigest()[:16]
        counts = said.pop(key, [0] * CHANNELS)
        counts[channel] += 1
        _keep(said, key, counts, MAX_SAID)
        return all(counts[channel] > count for place, count in enumerate(counts) if place != channel)

    def _base(self) -> str | None:
        folder = self.memory.get("folder")
        return folder if isinstance(folder, str) else None

    def _at(self, value: Mapping[str, object], line: int) -> str | None:
        """When the record was written; where it does not say, that many seconds after the session began."""
        written = value.get("timestamp")
        if isinstance(written, str):
            return written
        started = _instant(self.memory.get("started"))
        return None if started is None else (started + timedelta(seconds=line)).isoformat()

    def _is_copied(self, value: Mapping[str, object]) -> bool:
        """Whether the record is the history that a fork took over."""
        first, ordinal = self.memory.get("first_ordinal"), value.get("ordinal")
        if isinstance(first, int) and isinstance(ordinal, int):
            return ordinal < first
        until, written = _instant(self.memory.get("copied_until")), _instant(value.get("timestamp"))
        return until is not None and written is not None and written < until


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where in the rollout something stands."""

    record: str
    line: int
    at: str | None

    def left_out(self, why: str) -> LeftOut:
        return LeftOut(line=self.line, record=self.record, why=why)


def _opened(value: Mapping[str, object]) -> tuple[str, Mapping[str, object]]:
    """The type of a record and what it holds, with or without an envelope."""
    kind, payload = value.get("type"), value.get("payload")
    if isinstance(kind, str) and isinstance(payload, Mapping):
        return kind[:MAX_TYPE_CHARACTERS], payload
    if kind is None and isinstance(value.get("record_type"), str):
        return str(value["record_type"])[:MAX_TYPE_CHARACTERS], value
    if kind is None and "id" in value and "timestamp" in value:
        return "session_meta", value
    if isinstance(kind, str) and (kind in _ITEMS_LEFT_OUT or kind in _CALLS or kind in _OUTPUTS or kind == "message"):
        return "response_item", value
    return (kind[:MAX_TYPE_CHARACTERS] if isinstance(kind, str) else "no type"), value


def _is_persons(header: Mapping[str, object]) -> bool:
    """Whether a person sat at the session: not one that a program runs, nor a subagent's."""
    source, thread = header.get("source"), header.get("thread_source")
    if isinstance(source, Mapping) or source in _PROGRAMS or header.get("originator") in _PROGRAMS:
        return False
    return thread in {None, "user"}


def _how(given: codex_items.Given) -> work.How:
    if given.command is not None:
        return "shell"
    if given.tool == codex_items.PATCH:
        return "edit"
    if given.tool in _LOOKING:
        return "look"
    if given.tool in _PLANNING:
        return "plan"
    return "delegate" if given.tool in _DELEGATING else "other"


def _folder(record: Mapping[str, object]) -> str | None:
    kind, payload = _opened(record)
    folder = payload.get("cwd")
    if kind in {"session_meta", "turn_context"} and isinstance(folder, str) and folder:
        return folder
    if kind == "response_item" and payload.get("type") == "message":
        content = payload.get("content")
        parts = content if isinstance(content, list) else []
        texts = (part.get("text") for part in parts if isinstance(part, Mapping))
        return next((found for text in texts if isinstance(text, str) and (found := codex_items.folder_in(text))), None)
    return None


def _instant(value: object) -> datetime | None:
    try:
        return parse_instant(value) if isinstance(value, str) else None
    except BadData:
        return None


def _keep(table: dict[str, Any], key: str, value: object, most: int = MAX_WAITING) -> None:
    table.pop(key, None)
    table[key] = value
    while len(table) > most:
        del table[next(iter(table))]


def _decoded(content: bytes | None) -> dict[str, object] | str:
    """The record in a line, or why it is none."""
    if content is None:
        return f"the line is too long; line_bytes allows {LINE_BYTES} bytes"
    try:
        value = json.loads(content)
    except UnicodeDecodeError as error:
        return f"the line is not UTF-8: {error.reason} at byte {error.start + 1}"
    except json.JSONDecodeError as error:
        return f"the line is no JSON: {error.msg} at character {error.pos + 1}"
    except RecursionError:
        return "the JSON is nested too deep"
    except ValueError as error:
        return f"the line is no JSON: {error}"
    return value if isinstance(value, dict) else "the line is no object"


def bounded_lines(file: BinaryIO, before: int) -> Iterator[tuple[int, bytes | None]]:
    """The whole lines that follow, numbered; None for one that is too long. A last line without its end waits."""
    number = before
    while piece := file.readline(LINE_BYTES + 1):
        number += 1
        if piece.endswith(b"\n"):
            yield number, piece
            continue
        is_long = len(piece) > LINE_BYTES
        while is_long and piece and not piece.endswith(b"\n"):
            piece = file.readline(LINE_BYTES + 1)
        if not (is_long and piece):
            return
        yield number, None
