"""Codex: rollouts of OpenAI's Codex CLI, one JSON record a line, as its `RolloutLine` and `ResponseItem` lay them down.

A turn is written up to three times: as the model saw it (`response_item`), as the person saw it (`event_msg` of type
`user_message` or `agent_message`) and, in newer versions, as `item_completed`. It is taken once, where it comes first.
Rollouts of mid 2025 have no envelope: a bare header, then bare items that carry no time; they are dated by the
session's start. What the program put into the person's turns (AGENTS.md, the environment, skills) is nobody's word.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

from dreamd.daemon.clock import parse_instant
from dreamd.daemon.errors import BadData
from dreamd.daemon.intake.adapters import codex_items, speech, turns, work
from dreamd.daemon.intake.adapters.answers import ON_THE_WAY, telling_part
from dreamd.daemon.intake.adapters.commands import plain
from dreamd.daemon.intake.adapters.finding import files_under
from dreamd.daemon.intake.adapters.port import Draft, Found, Hide, LeftOut, Mark, Memory, Seen, Unread
from dreamd.daemon.intake.adapters.records import Broken, object_of, record_of, text_of, undated, whole_lines
from dreamd.daemon.intake.limits import Limits
from dreamd.lifecycle.words import Actor, EventKind

DOUBLE = "the same turn again"
COPIED = "copied from the session that this one was forked from"
FORK_SECONDS = 2  # within which a fork writes down what it copied
HEAD_LINES = 20  # in which a rollout names its folder
UNKNOWN = "unknown record type"
HEADER = "header"
STILL_RUNNING = "still running"
CALL = "told with its result"
REFUSED = "refused by the person"
MAX_ID_CHARACTERS = 100  # of a call; a longer one is kept as its digest
MAX_WAITING = 64  # running commands and those who wait for them
MAX_SAID = 64  # turns that may come again in another form

CHANNELS = 3  # in which a turn may be written: response_item, event_msg, item_completed


def adapter(limits: Limits, hide: Hide) -> "Codex":
    return Codex(limits, hide)


class Codex:
    name = "codex"
    reads = "rollouts of OpenAI's Codex CLI"

    def __init__(self, limits: Limits, hide: Hide) -> None:
        self.limits = limits
        self.hide = hide

    def find(self, path: Path) -> Iterator[Path]:
        return files_under(path, lambda file: file.name.startswith("rollout-") and file.suffix == ".jsonl")

    def project(self, file: Path) -> Path | None:
        """As the header says, or the first description of the environment, which old rollouts have instead."""
        with file.open("rb") as stream:
            for line in whole_lines(stream, self.limits.event_bytes, 0):
                try:
                    record = record_of(line, self.limits) or {}
                except Broken:
                    record = {}
                if folder := codex_items.folder_of(record):
                    return Path(folder)
                if line.number >= HEAD_LINES:
                    return None
        return None

    def read(self, file: BinaryIO, memory: Memory, *, line: int) -> Iterator[Found]:
        rollout = _Rollout(memory, self.hide)
        for each in whole_lines(file, self.limits.event_bytes, line):
            try:
                record = record_of(each, self.limits)
            except Broken as broken:
                yield Unread(line=each.number, field=None, reason=broken.reason)
            else:
                if record is not None:
                    yield from rollout.record(record, each.number)
            yield Mark(offset=each.end, line=each.number)


class _Rollout:
    """One rollout as far as it was read; what must outlast a cut is in the memory."""

    def __init__(self, memory: Memory, hide: Hide) -> None:
        self.memory = memory
        self.hide = hide

    @property
    def _work(self) -> work.Work:
        return self._table("work")

    def _table(self, name: str) -> dict[str, Any]:
        """What the memory holds under `name`, made if it is not there."""
        table = self.memory.setdefault(name, {})
        assert isinstance(table, dict)  # noqa: S101 - ours
        return table

    def record(self, value: Mapping[str, object], line: int) -> Iterator[Found]:
        """What one record gives."""
        kind, payload = codex_items.opened(value)
        place = _Place(
            record=codex_items.named(kind, payload), line=line, at=self._at(value, line), undated=undated(value)
        )
        yield Seen(line=line, record=place.record)
        if kind == "session_meta":
            yield self._header(value, payload, place)
        elif self._is_copied(value):
            yield place.left_out(COPIED)
        elif kind == "response_item":
            yield from self._item(payload, place)
        elif kind == "event_msg":
            yield from self._event(payload, place)
        elif kind == "compacted":
            yield place.left_out(turns.COMPACTION)
        else:
            yield place.left_out(codex_items.STATE if kind in codex_items.STATE_RECORDS else UNKNOWN)

    def _header(self, value: Mapping[str, object], payload: Mapping[str, object], place: "_Place") -> Found:
        session = payload.get("id", payload.get("session_id"))
        if "session" in self.memory or not isinstance(session, str):
            return place.left_out(HEADER if session == self.memory.get("session") else COPIED)
        self.memory["session"] = session
        self.memory["started"] = payload.get("timestamp", value.get("timestamp"))
        self.memory["folder"] = payload.get("cwd")
        self.memory["is_person"] = codex_items.is_persons(payload)
        start = payload.get("subagent_history_start_ordinal")
        if isinstance(start, int) and not isinstance(start, bool):
            self.memory["first_ordinal"] = start
        elif payload.get("forked_from_id") and (written := _instant(value.get("timestamp"))):
            self.memory["copied_until"] = (written + timedelta(seconds=FORK_SECONDS)).isoformat()
        return place.left_out(HEADER)

    def _item(self, item: Mapping[str, object], place: "_Place") -> Iterator[Found]:
        kind = text_of(item.get("type"))
        if kind == "message":
            yield from self._message(item, place)
        elif kind in codex_items.CALLS:
            self._begin(item)
            yield place.left_out(CALL)
        elif kind in codex_items.OUTPUTS:
            yield self._end(item, place)
        else:
            yield place.left_out(codex_items.ITEMS_LEFT_OUT.get(kind, UNKNOWN))

    def _message(self, item: Mapping[str, object], place: "_Place") -> Iterator[Found]:
        role = item.get("role")
        texts, put_in = codex_items.words_of(item.get("content"))
        text = "\n".join(texts)
        if role == "assistant":
            yield self._answered(text, 0, item.get("phase"), place)
        elif role != "user" or (not text and put_in):
            yield place.left_out(turns.INJECTED)
        else:
            yield from self._said(text, 0, place)

    def _event(self, event: Mapping[str, object], place: "_Place") -> Iterator[Found]:
        kind = text_of(event.get("type"))
        message, channel = event.get("message"), 1
        if kind == "item_completed":
            item = object_of(event.get("item"))
            kind = {"UserMessage": "user_message", "AgentMessage": "agent_message"}.get(text_of(item.get("type")), kind)
            message, channel = "\n".join(codex_items.words_of(item.get("content"))[0]), 2
        text = codex_items.asked(text_of(message))
        if kind == "agent_message":
            yield self._answered(text, channel, event.get("phase"), place)
        elif kind != "user_message":
            yield place.left_out(codex_items.EVENTS_LEFT_OUT.get(kind, UNKNOWN))
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
        for number, told in enumerate(speech.told(plain(text))):
            if told.kind is None:
                yield place.left_out(told.why or turns.CHATTER)
                continue
            fields = {"kind": str(told.kind), "text": told.text, "target": told.target, "actor": actor}
            yield self._draft(f"turn-{place.line}-{number}", fields, place)

    def _answered(self, text: str, channel: int, phase: object, place: "_Place") -> Found:
        """An answer of the agent; what it says while it works only accompanies the work."""
        if not self._is_first(f"agent {text}", channel):
            return place.left_out(DOUBLE)
        shown = plain(text)
        if turns.is_own_memory(shown):
            return place.left_out(turns.OWN_MEMORY)
        said = None if phase == "commentary" else telling_part(shown)
        if said is None:
            return place.left_out(ON_THE_WAY if shown.strip() else turns.EMPTY)
        fields = {"kind": "message", "text": said, "actor": "agent", "files": list(work.edited_in_turn(self._work))}
        return self._draft(f"answer-{place.line}", fields, place)

    def _begin(self, item: Mapping[str, object]) -> None:
        call = _call_of(item.get("call_id") or item.get("id"))
        if (running := codex_items.continued(item)) is not None:
            _keep(self._table("waiting"), call, running)
            return
        given = codex_items.given(item)
        files = tuple(work.relative(file, self._base()) for file in given.files)
        how = codex_items.how(given)
        deed = work.Deed(how=how, name=given.tool, command=plain(given.command or ""), files=files)
        work.begin(self._work, call, deed, self.hide)

    def _end(self, item: Mapping[str, object], place: "_Place") -> Found:
        """A result; that of a command which still runs is awaited until somebody has waited for its end."""
        call = _call_of(item.get("call_id"))
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
        text, code = plain(result.text), result.exit_code
        done = work.end(self._work, str(started), text, self.hide, is_error=result.is_failure, exit_code=code)
        if isinstance(done, work.Ignored):
            return place.left_out(done.why)
        if turns.is_own_memory(done.text):
            return place.left_out(turns.OWN_MEMORY)
        actor = Actor.AGENT if done.kind is EventKind.COMMIT else Actor.TOOL
        return self._draft(f"call-{call}", {**done.fields(), "actor": str(actor)}, place)

    def _draft(self, name: str, fields: Mapping[str, object], place: "_Place") -> Draft | Unread:
        if place.undated is not None:
            return Unread(line=place.line, field="timestamp", reason=place.undated)
        given = {"id": name, "at": place.at, "session": self.memory.get("session"), **fields}
        told = {name: value for name, value in given.items() if value not in (None, [])}
        return Draft(line=place.line, fields=told, dated_by="timestamp")

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
    undated: str | None = None  # why its time is none

    def left_out(self, why: str) -> LeftOut:
        return LeftOut(line=self.line, record=self.record, why=why)


def _call_of(value: object) -> str:
    """The id of a call as it is kept: short, whatever the transcript says."""
    text = text_of(value)
    return text if len(text) <= MAX_ID_CHARACTERS else sha256(text.encode("utf-8", "replace")).hexdigest()


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
