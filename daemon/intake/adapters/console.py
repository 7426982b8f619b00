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
from dreamd.daemon.intake.adapters.console_blocks import Block, Sort, blocks
from dreamd.daemon.intake.adapters.port import Draft, Found, LeftOut, Mark, Memory, Unread

LINE_BYTES = 100_000  # of a line; a longer one was written by no console
DOCUMENT_LINES = 1_000_000  # of one transcript
HEAD_LINES = 40  # in which the banner stands
ANSWER = "answer"
REFUSED = "refused by the person"

_CWD = re.compile(r"^│\s+cwd: (/.*?|[A-Za-z]:\\.*?)\s*│\s*$", re.MULTILINE)
_ERROR = re.compile(r"\s*(?:Error:|Error editing file|Error writing file|API Error\b)")
_REFUSED = re.compile(
    r"\s*(?:No \(tell Claude what to do differently\)|Interrupted by user|User rejected|\[Request interrupted)"
)
_EMPTY_RESULTS = frozenset(("(No content)", "(no content)"))
_NAMED_PATH = re.compile(r'^(?:file_path|path|notebook_path):\s*"?([^",]+)"?')
_HOW: Mapping[str, work.How] = {
    "Bash": "shell",
    **dict.fromkeys(("Update", "Write", "Create", "Edit", "MultiEdit", "NotebookEdit"), "edit"),
    **dict.fromkeys(("Read", "Search", "List", "Fetch", "Glob", "Grep", "LS", "Web Search", "WebFetch"), "look"),
    **dict.fromkeys(("Update Todos", "Read Todos", "TodoWrite", "TodoRead"), "plan"),
    **dict.fromkeys(("Task", "Call"), "delegate"),
}


class Console:
    """The adapter."""

    name = "console"
    reads = "console transcripts of Claude Code, copied into *.md or *.txt; they hold no times: say when with --at"

    def find(self, path: Path) -> Iterator[Path]:
        if path.is_dir():
            yield from sorted(file for file in path.rglob("*") if file.suffix in {".md", ".txt"} and _is_console(file))
        else:
            yield path

    def project(self, file: Path) -> Path | None:
        """The folder that the banner names."""
        with file.open("rb") as stream:
            head = b"".join(stream.readline(LINE_BYTES) for _ in range(HEAD_LINES)).decode("utf-8", "replace")
        match = _CWD.search(head)
        return Path(match[1]) if match else None

    def read(self, file: BinaryIO, memory: Memory, *, line: int) -> Iterator[Found]:  # noqa: ARG002 - read as a whole
        file.seek(0)
        session = _session(file)
        file.seek(0)
        if session is None:
            yield Unread(line=1, field=None, reason="this is no console transcript: no line begins with `> ` or `⏺ `")
        else:
            yield from _Console(session, memory).found(blocks(_lines(file)))
        yield Mark(offset=file.seek(0, 2), line=line)


class _Console:
    """One transcript as far as it was read."""

    def __init__(self, session: str, memory: Memory) -> None:
        self.session = session
        self.memory = memory
        self.work: work.Work = {}

    def found(self, read: Iterator[Block]) -> Iterator[Found]:
        for block in read:
            if block.sort is Sort.PERSON:
                yield from self._said(block)
            elif block.sort is Sort.CALL:
                yield self._called(block)
            else:
                yield LeftOut(line=block.line, record=block.sort, why=_WHY[block.sort])

    def _said(self, block: Block) -> Iterator[Found]:
        work.new_turn(self.work)
        for number, told in enumerate(speech.told(block.text)):
            if told.kind is None:
                yield LeftOut(line=block.line, record=block.sort, why=told.why or turns.CHATTER)
                continue
            fields = {"kind": str(told.kind), "text": told.text, "target": told.target, "actor": "user"}
            yield self._draft(f"turn-{block.line}-{number}", fields, block)

    def _called(self, block: Block) -> Found:
        tool, given = block.call
        output = block.result.strip()
        how = _HOW.get(tool, "other")
        if _REFUSED.match(output) or any(_REFUSED.match(part[0]) for part in block.results if part):
            return LeftOut(line=block.line, record=block.sort, why=REFUSED)
        files = (_path(given),) if how == "edit" else ()
        deed = work.Deed(how=how, name=tool, command=given if how == "shell" else "", files=files)
        is_error = signs.went_wrong(given, output) if how == "shell" else _ERROR.match(output) is not None
        work.begin(self.work, str(block.line), deed)
        shown = "" if output in _EMPTY_RESULTS else re.sub(r"^Error: ", "", output)
        done = work.end(self.work, str(block.line), shown, is_error=is_error)
        if isinstance(done, work.Ignored):
            return LeftOut(line=block.line, record=block.sort, why=done.why)
        return self._draft(f"call-{block.line}", {**done.fields(), "actor": "tool"}, block)

    def _draft(self, name: str, fields: Mapping[str, object], block: Block) -> Draft:
        said = sha256(f"{block.text}\0{block.result}".encode("utf-8", "replace")).hexdigest()[:8]
        whole = {"id": f"{name}-{said}", "session": self.session, **fields}
        return Draft(line=block.line, fields={key: value for key, value in whole.items() if value is not None})


_WHY = {Sort.ANSWER: ANSWER, Sort.THOUGHT: "reasoning", Sort.PROGRAM: "state of the program"}


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
    for number in range(1, DOCUMENT_LINES + 1):
        piece = file.readline(LINE_BYTES)
        if not piece:
            return
        yield number, piece.decode("utf-8", "replace").rstrip("\r\n").removeprefix("\ufeff" if number == 1 else "")


def _is_console(file: Path) -> bool:
    """Whether a text found in a folder is such a transcript: its first lines hold a sign of the agent."""
    try:
        with file.open("rb") as stream:
            head = stream.read(20_000).decode("utf-8", "replace")
    except OSError:
        return False
    return re.search(r"^⏺ \S", head, re.MULTILINE) is not None
