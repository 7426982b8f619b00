"""Sessions of Claude Code: JSONL files below `~/.claude/projects`, one a session, with its subagents beside it.

A person speaks only in the `user` records of the main session; in a subagent's file the `user` is the agent that
called it. Tool results come as `user` records too, and carry a person's words if the person refused the call. The
schema is not published: what is not known is counted as such and never fatal. Ids are those of the records, which hold
for all sessions, so a session that was resumed or forked into another file tells nothing new.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from dreamd.daemon.intake.adapters import turns, work
from dreamd.daemon.intake.adapters.answers import ON_THE_WAY, telling_part
from dreamd.daemon.intake.adapters.commands import plain
from dreamd.daemon.intake.adapters.cutting import bounded
from dreamd.daemon.intake.adapters.deeds import deed_of
from dreamd.daemon.intake.adapters.port import Draft, Found, Hide, LeftOut, Mark, Memory, Seen, Unread
from dreamd.daemon.intake.adapters.records import (
    Broken,
    is_instant,
    object_of,
    objects_of,
    record_of,
    text_of,
    undated,
    whole_lines,
)
from dreamd.daemon.intake.adapters.speech import Told, told
from dreamd.daemon.intake.limits import Limits
from dreamd.lifecycle.words import Actor, EventKind

MAX_PROJECT_LINES = 200  # read to find out where a session worked
MAX_ANSWERS = 4  # of a person to the questions of a tool

DUPLICATE = "repeats the subagent's own file"
PROMPT = "prompt of the calling agent"
REFUSED = "refused by the person, without a word"
BOOKKEEPING = "bookkeeping"
THINKING = "thinking"
CALL = "told with its result"
UNKNOWN = "unknown record type"

# Records that say nothing of the work, and why each is left out.
_NO_WORK = {
    **dict.fromkeys(("summary", "custom-title", "ai-title"), "title of a session"),
    **dict.fromkeys(
        ("system", "file-history-snapshot", "last-prompt", "mode", "permission-mode", "pr-link"), BOOKKEEPING
    ),
    **dict.fromkeys(("agent-name", "agent-color", "agent-setting", "tag", "worktree-state"), BOOKKEEPING),
    **dict.fromkeys(("content-replacement", "attribution-snapshot", "bridge-session"), BOOKKEEPING),
    "progress": "progress of a tool or hook",
    "queue-operation": "comes as a turn of its own",
}
_KNOWN = frozenset({*_NO_WORK, "user", "assistant", "attachment"})
_REFUSED = re.compile(
    r"\s*The (?:user doesn't want to (?:proceed with this tool use|take this action)"
    r"|agent proposed a plan that was rejected)"
)
_SAID = re.compile(
    r"the user (?:said|provided the following reason[^:\n]*):[ \t]*\n?(?P<words>.*?)"
    r"(?=\n\s*Note: The user's next message|\Z)",
    re.DOTALL,
)
_CLARIFIES = re.compile(r"\s*The user wants to clarify these questions")


def adapter(limits: Limits, hide: Hide) -> "ClaudeCode":
    return ClaudeCode(limits, hide)


class ClaudeCode:
    name = "claude-code"
    reads = "sessions of Claude Code"

    def __init__(self, limits: Limits, hide: Hide) -> None:
        self.limits = limits
        self.hide = hide

    def find(self, path: Path) -> Iterator[Path]:
        if not path.is_dir():
            yield path
            return
        for folder, below, files in os.walk(path):  # links are not followed; what is no plain file is named
            below.sort()
            for name in sorted(files):
                file = Path(folder) / name
                if name.endswith(".jsonl") and not os.path.islink(file):
                    yield file

    def project(self, file: Path) -> Path | None:
        with file.open("rb") as stream:
            for line in whole_lines(stream, self.limits.event_bytes, 0):
                try:
                    record = record_of(line, self.limits) or {}
                except Broken:
                    record = {}
                if cwd := text_of(record.get("cwd")):
                    return Path(cwd.replace("\\", "/") if re.match(r"[A-Za-z]:\\", cwd) else cwd)
                if line.number >= MAX_PROJECT_LINES:
                    return None
        return None

    def read(self, file: BinaryIO, memory: Memory, *, line: int) -> Iterator[Found]:
        for each in whole_lines(file, self.limits.event_bytes, line):
            try:
                record = record_of(each, self.limits)
            except Broken as broken:
                yield Unread(line=each.number, field=None, reason=broken.reason)
            else:
                if record is not None:
                    yield from _Record(record, each.number, memory, self.hide).found()
            yield Mark(offset=each.end, line=each.number)


class _Record:
    """One record, and what comes of it."""

    def __init__(self, record: dict[str, object], line: int, memory: Memory, hide: Hide) -> None:
        self.record = record
        self.hide = hide
        self.line = line
        self.memory = memory
        kept = memory.setdefault("work", {})
        self.work: work.Work = kept if isinstance(kept, dict) else {}
        kind = text_of(record.get("type"))
        self.type = kind if kind in _KNOWN else "unknown"
        self.is_subagent = record.get("isSidechain") is True or "agentId" in record
        for name in ("sessionId", "cwd"):  # a record that lacks one has that of the record before
            if text_of(record.get(name)):
                memory[name] = record[name]
        self.at = text_of(record.get("timestamp")) or memory.get("timestamp")
        if is_instant(text_of(record.get("timestamp"))):  # what is none is told of its own line alone
            memory["timestamp"] = record["timestamp"]
        memory.setdefault("root", memory.get("cwd"))  # where the session began: the project
        self.count = 0

    def found(self) -> Iterator[Found]:
        yield Seen(line=self.line, record=self.type)
        if self.type == "user":
            yield from self._user()
        elif self.type == "assistant":
            yield from self._assistant()
        elif self.type == "attachment":
            yield from self._attachment()
        elif self.type == "progress" and object_of(self.record.get("data")).get("type") == "agent_progress":
            yield self._left_out(DUPLICATE)
        else:
            yield self._left_out(_NO_WORK.get(self.type, UNKNOWN))

    def _user(self) -> Iterator[Found]:
        content = object_of(self.record.get("message")).get("content")
        if self.record.get("isCompactSummary") is True or self.record.get("isVisibleInTranscriptOnly") is True:
            yield self._left_out(turns.COMPACTION)
        elif self.record.get("isMeta") is True or self._is_sent_by_a_program():
            yield self._left_out(turns.INJECTED)
        elif isinstance(content, str):
            yield from self._turn(content)
        else:
            texts = [text_of(block.get("text")) for block in objects_of(content) if block.get("type") == "text"]
            if any(texts):
                yield from self._turn("\n".join(texts))
            for block in objects_of(content):
                if block.get("type") == "tool_result":
                    yield from self._result(block)
                elif block.get("type") != "text":
                    yield self._left_out("image or document")
            if not objects_of(content):
                yield self._left_out(turns.EMPTY)

    def _is_sent_by_a_program(self) -> bool:
        """Whether the record says that no person typed it: newer versions name who did."""
        origin = text_of(object_of(self.record.get("origin")).get("kind"))
        return origin not in {"", "human", "user"} or self.record.get("promptSource") in {"system", "scheduled"}

    def _attachment(self) -> Iterator[Found]:
        """A person may speak while the agent works; the program's own reminders come the same way."""
        attachment = object_of(self.record.get("attachment"))
        prompt = attachment.get("prompt")
        is_typed = attachment.get("type") == "queued_command" and attachment.get("commandMode", "prompt") == "prompt"
        if is_typed and isinstance(prompt, str) and not self._is_sent_by_a_program():
            yield from self._turn(prompt)
        else:
            yield self._left_out(turns.INJECTED)

    def _turn(self, text: str) -> Iterator[Found]:
        if self.is_subagent:
            yield self._left_out(PROMPT)
            return
        said = told(plain(text))
        if not any(each.why in {turns.INJECTED, turns.INTERRUPT, turns.LOCAL_COMMAND} for each in said):
            work.new_turn(self.work)
        for each in said:
            yield self._said(each)

    def _said(self, each: Told) -> Found:
        if each.kind is None:
            return self._left_out(each.why or turns.CHATTER)
        return self._draft({"kind": str(each.kind), "text": each.text, "target": each.target}, Actor.USER)

    def _result(self, block: dict[str, object]) -> Iterator[Found]:
        call = text_of(block.get("tool_use_id"))
        output = plain(_output_of(block.get("content")))
        beside = object_of(self.record.get("toolUseResult"))
        if _REFUSED.match(output):
            work.drop(self.work, call)
            yield from self._refusal(output)
            return
        if beside.get("interrupted") is True or output.startswith("[Request interrupted by user"):
            work.drop(self.work, call)
            yield self._left_out(turns.INTERRUPT, "user: tool result")
            return
        if not self.is_subagent and (answers := object_of(beside.get("answers"))):
            yield from self._answers(answers)
        code = beside.get("exitCode", beside.get("exit_code"))
        is_error = block.get("is_error") is True
        code = code if isinstance(code, int) else None
        came = work.end(self.work, call, output, self.hide, is_error=is_error, exit_code=code)
        if isinstance(came, work.Ignored):
            yield self._left_out(came.why, "user: tool result")
        elif turns.is_own_memory(came.text):
            yield self._left_out(turns.OWN_MEMORY, "user: tool result")
        else:
            yield self._draft(came.fields(), Actor.AGENT if came.kind is EventKind.COMMIT else Actor.TOOL)

    def _refusal(self, output: str) -> Iterator[Found]:
        """What the person said who refused a tool call; it corrects, whatever its words."""
        match = _SAID.search(output)
        words = match["words"].strip() if match else ""
        if not words or _CLARIFIES.match(words) or self.is_subagent:
            yield self._left_out(REFUSED, "user: tool result")
            return
        for each in told(words):
            if each.kind is EventKind.MESSAGE:
                yield self._said(Told(kind=EventKind.CORRECTION, text=each.text))
            else:
                yield self._said(each)

    def _answers(self, answers: dict[str, object]) -> Iterator[Found]:
        """A person chose between what the agent offered: a decision, with the question that it answers."""
        for question, answer in list(answers.items())[:MAX_ANSWERS]:
            text = bounded(plain(f"{question.strip()} {text_of(answer).strip()}"), 400)
            if text_of(answer) and text:
                yield self._said(Told(kind=EventKind.DECISION, text=text))

    def _assistant(self) -> Iterator[Found]:
        message = object_of(self.record.get("message"))
        content = message.get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else objects_of(content)
        is_calling = message.get("stop_reason") == "tool_use" or any(each.get("type") == "tool_use" for each in blocks)
        for block in blocks:
            match block.get("type"):
                case "text":
                    yield self._answer(plain(text_of(block.get("text"))), is_calling=is_calling)
                case "tool_use":
                    folders = (text_of(self.memory.get("root")), text_of(self.memory.get("cwd")))
                    deed = deed_of(text_of(block.get("name")), object_of(block.get("input")), folders)
                    work.begin(self.work, text_of(block.get("id")), deed, self.hide)
                    yield self._left_out(CALL, "assistant: tool call")
                case "thinking" | "redacted_thinking":
                    yield self._left_out(THINKING)
                case _:
                    yield self._left_out("block of an unknown type")
        if not blocks:
            yield self._left_out(turns.EMPTY)

    def _answer(self, text: str, *, is_calling: bool) -> Found:
        if self.is_subagent:
            return self._left_out(work.DELEGATED)
        if self.record.get("isApiErrorMessage") is True or text.startswith("API Error"):
            return self._left_out("error of the service")
        if turns.is_own_memory(text):
            return self._left_out(turns.OWN_MEMORY)
        said = None if is_calling else telling_part(text)
        if said is None:
            return self._left_out(ON_THE_WAY if text.strip() else turns.EMPTY)
        files = list(work.edited_in_turn(self.work))
        return self._draft({"kind": str(EventKind.MESSAGE), "text": said, "files": files}, Actor.AGENT)

    def _draft(self, fields: dict[str, object], actor: Actor) -> Draft | Unread:
        if (why := undated(self.record)) is not None:
            return Unread(line=self.line, field="timestamp", reason=why)
        session = text_of(self.memory.get("sessionId"))
        origin = text_of(self.record.get("uuid")) or f"{session}:{self.line}"
        self.count += 1
        common = {
            "id": origin if self.count == 1 else f"{origin}:{self.count}",
            "at": self.at,
            "actor": str(actor),
            "source": ClaudeCode.name,
            "session": session or None,
        }
        given = {name: each for name, each in fields.items() if each not in (None, [])}
        return Draft(line=self.line, fields={**common, **given}, dated_by="timestamp")

    def _left_out(self, why: str, record: str | None = None) -> LeftOut:
        return LeftOut(line=self.line, record=record or self.type, why=why)


def _output_of(content: object) -> str:
    """The text of a tool result, which is a text or a list of blocks."""
    if isinstance(content, str):
        return content
    return "\n".join(text_of(block.get("text")) for block in objects_of(content))
