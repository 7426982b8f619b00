"""Console transcripts of Claude Code: what a person copied from the terminal into a text or Markdown file.

A text says nothing of who wrote it and when: its turns are granted to the person only where the one who ingests it says
so, and its events are dated by what they say. Results are shown cut short and without exit codes, so a command has
failed where what is shown of it says so. A file that has grown is read again as a whole; the ids are those of the
lines and their words.
"""

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from dreamd.daemon.intake.adapters import signs, speech, turns, work
from dreamd.daemon.intake.adapters.answers import ON_THE_WAY, telling_part
from dreamd.daemon.intake.adapters.commands import plain
from dreamd.daemon.intake.adapters.console_blocks import Block, Sort, blocks
from dreamd.daemon.intake.adapters.finding import files_under
from dreamd.daemon.intake.adapters.port import Draft, Found, Hide, LeftOut, Mark, Memory, Seen, Unread
from dreamd.daemon.intake.limits import Limits
from dreamd.lifecycle.words import Actor, EventKind

LINE_BYTES = 100_000  # of a line; a longer one was written by no console
HEAD_LINES = 40  # in which the banner stands
REFUSED = "refused by the person"

_CWD = re.compile(r"^│ {1,20}cwd: ((?:/|[A-Za-z]:\\)[^│\n]*)│", re.MULTILINE)
_ERROR = re.compile(r"(?:Error: |(?=Error editing file|Error writing file|API Error\b))")
_REFUSED = re.compile(
    r"\s*(?:No \(tell Claude what to do differently\)|Interrupted by user|User rejected|\[Request interrupted)"
)
_BLOCKED = re.compile(r"was blocked\. For security, Claude Code")
_NOTED = re.compile(r"^Read \S+ \(\d+ lines?\)$", re.MULTILINE)  # files that the program saw change meanwhile
_EMPTY_RESULTS = frozenset(("(No content)", "(no content)"))
_NAMED_PATH = re.compile(r'^(?:file_path|path|notebook_path):\s*"?([^",]+)"?')
_HOW: Mapping[str, work.How] = {
    "Bash": "shell",
    **dict.fromkeys(("Update", "Write", "Create", "Edit", "MultiEdit", "NotebookEdit"), "edit"),
    **dict.fromkeys(("Read", "Search", "List", "Fetch", "Glob", "Grep", "LS", "Web Search", "WebFetch"), "look"),
    **dict.fromkeys(("Update Todos", "Read Todos", "TodoWrite", "TodoRead"), "plan"),
    **dict.fromkeys(("Task", "Call"), "delegate"),
}


def adapter(limits: Limits, hide: Hide) -> "Console":
    return Console(limits, hide)


class Console:
    name = "console"
    reads = "console transcripts of Claude Code (*.md, *.txt)"

    def __init__(self, limits: Limits, hide: Hide) -> None:
        self.limits = limits
        self.hide = hide

    def find(self, path: Path) -> Iterator[Path]:
        return files_under(path, lambda file: file.suffix in {".md", ".txt"} and _is_console(file))

    def project(self, file: Path) -> Path | None:
        """The folder that the banner names."""
        with file.open("rb") as stream:
            head = b"".join(stream.readline(LINE_BYTES) for _ in range(HEAD_LINES)).decode("utf-8", "replace")
        match = _CWD.search(head)
        return Path(match[1].strip().replace("\\", "/")) if match else None

    def read(self, file: BinaryIO, memory: Memory, *, line: int) -> Iterator[Found]:  # noqa: ARG002 - read as a whole
        size = file.seek(0, 2)
        if size > self.limits.document_bytes:
            reason = f"the file has {size} bytes; document_bytes allows {self.limits.document_bytes}"
            yield Unread(line=1, field=None, reason=reason)
            yield Mark(offset=size, line=line)
            return
        file.seek(0)
        session = _session(file)
        file.seek(0)
        if session is None:
            yield Unread(line=1, field=None, reason="this is no console transcript: no line begins with `> ` or `⏺ `")
        else:
            yield from _Console(session, self.hide).found(blocks(_lines(file)))
        yield Mark(offset=file.seek(0, 2), line=line)


class _Console:
    """One transcript."""

    def __init__(self, session: str, hide: Hide) -> None:
        self.session = session
        self.hide = hide
        self.work: work.Work = {}

    def found(self, read: Iterator[Block]) -> Iterator[Found]:
        """An answer is the last word of the agent before the person speaks; what it says before a tool call is not."""
        waiting: Block | None = None
        for block in read:
            if waiting is not None:
                yield self._answered(waiting, is_last=block.sort is Sort.PERSON)
                waiting = None
            yield Seen(line=block.line, record=block.sort)
            match block.sort:
                case Sort.PERSON:
                    yield from self._said(block)
                case Sort.CALL:
                    yield self._called(block)
                case Sort.ANSWER:
                    waiting = block
                case Sort.THOUGHT:
                    yield _left_out(block, "thinking")
                case Sort.PROGRAM:
                    yield _left_out(block, "state of the program")
        if waiting is not None:
            yield self._answered(waiting, is_last=True)

    def _said(self, block: Block) -> Iterator[Found]:
        work.new_turn(self.work)
        for number, told in enumerate(speech.told(plain(block.text))):
            if told.kind is None:
                yield _left_out(block, told.why or turns.CHATTER)
                continue
            fields = {"kind": str(told.kind), "text": told.text, "target": told.target, "actor": "user"}
            yield self._draft(f"turn-{block.line}-{number}", fields, block)

    def _answered(self, block: Block, *, is_last: bool) -> Found:
        text = plain(block.text)
        said = telling_part(text) if is_last else None
        if turns.is_own_memory(text) or said is None:
            return _left_out(block, ON_THE_WAY if said is None else turns.OWN_MEMORY)
        fields = {"kind": "message", "text": said, "actor": "agent", "files": list(work.edited_in_turn(self.work))}
        return self._draft(f"answer-{block.line}", fields, block)

    def _called(self, block: Block) -> Found:
        tool, given = block.call
        output = _NOTED.sub("", plain(block.result)).strip()
        if any(_REFUSED.match(part[0]) for part in block.results if part):
            return _left_out(block, REFUSED)
        if _BLOCKED.search(output):
            return _left_out(block, work.TOOL_RULE)
        how = _HOW.get(tool, "other")
        call = str(block.line)
        shown = "" if output in _EMPTY_RESULTS else output
        files = (_path(given),) if how == "edit" else ()
        deed = work.Deed(how=how, name=tool, command=given if how == "shell" else "", files=files)
        work.begin(self.work, call, deed, self.hide)
        if how == "shell":
            done = signs.ended(self.work, call, given, shown, self.hide)
        else:
            is_error = how != "delegate" and _ERROR.match(shown) is not None
            done = work.end(self.work, call, _ERROR.sub("", shown, count=1), self.hide, is_error=is_error)
        if isinstance(done, work.Ignored):
            return _left_out(block, done.why)
        if turns.is_own_memory(done.text):
            return _left_out(block, turns.OWN_MEMORY)
        actor = Actor.AGENT if done.kind is EventKind.COMMIT else Actor.TOOL
        return self._draft(f"call-{call}", {**done.fields(), "actor": str(actor)}, block)

    def _draft(self, name: str, fields: Mapping[str, object], block: Block) -> Draft:
        said = sha256(f"{block.text}\0{block.result}".encode("utf-8", "replace")).hexdigest()[:8]
        whole = {"id": f"{name}-{said}", "session": self.session, **fields}
        return Draft(line=block.line, fields={key: value for key, value in whole.items() if value not in (None, [])})


def _left_out(block: Block, why: str) -> LeftOut:
    return LeftOut(line=block.line, record=block.sort, why=why)


def _path(given: str) -> str:
    named = _NAMED_PATH.match(given)
    return (named[1] if named else given.split(",", 1)[0]).strip().strip('"')


def _session(file: BinaryIO) -> str | None:
    """A name that the transcript has wherever it lies: a digest of all up to the end of the first turn or answer."""
    whole = sha256()
    is_console = False
    for block in blocks(_lines(file)):
        whole.update(f"{block.text}\0".encode("utf-8", "replace"))
        is_console = is_console or block.sort is not Sort.PROGRAM
        if is_console:
            return whole.hexdigest()[:16]
    return None


def _lines(file: BinaryIO) -> Iterator[tuple[int, str]]:
    number = 0
    while piece := file.readline(LINE_BYTES):
        number += 1
        yield number, piece.decode("utf-8", "replace").rstrip("\r\n").removeprefix("\ufeff" if number == 1 else "")


def _is_console(file: Path) -> bool:
    """Whether a text found in a folder is such a transcript: its first lines hold a sign of the agent."""
    try:
        with file.open("rb") as stream:
            head = stream.read(20_000).decode("utf-8", "replace")
    except OSError:
        return False
    return re.search(r"^⏺ \S", head, re.MULTILINE) is not None
