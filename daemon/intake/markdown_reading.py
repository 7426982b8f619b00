"""What the files of a memory folder state: one line or paragraph, one statement; and what in them states nothing.

Read are entries (a bullet with what goes on below it), items of numbered lists and paragraphs; a paragraph
`**Why:** ...` is the reason of the statement before it. What is none of these (code, tables, quotations, comments, lone
tags) is named with its lines, so that nothing is lost in silence. Nothing is rephrased.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from dreamd.repo_export.markdown import Entry, unescape_text
from dreamd.repo_export.note import Kind, Note, NoteLine, body_of

EMPTY = "empty"
TAG = "a tag alone"
RULE_ONLY = frozenset({Kind.BLANK, Kind.RULE, Kind.HEADING})  # give the text its shape; nothing is lost with them

_NUMBER = re.compile(r"[ \t]*\d{1,9}[.)][ \t]*")
_WHY = re.compile(
    r"(?:\*\*|__)?(?:why|reason|because)(?:\*\*|__)?:(?:\*\*|__)?\s*(?P<why>\S.*)", re.IGNORECASE | re.DOTALL
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    line: int  # of the file, from 1
    text: str  # verbatim, on one line
    entry: Entry | None = None  # where it is a bullet: its metadata, and the link it begins with
    raw: str = ""  # the line as it stands, where it is a bullet
    section: str = ""  # the heading above it, below the title
    title: str = ""  # of the file
    because: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    line: int
    last_line: int
    why: str


def statements_in(note: Note, is_left_out: Callable[[Statement], str | None]) -> Iterator[Statement | Left]:
    """What is in a note, in order; `is_left_out` gives the reason for a statement that is not taken."""
    waiting: Statement | None = None
    for found in _joined(_blocks(note)):
        if isinstance(found, Left):
            yield found
            continue
        if waiting is not None and (why := _WHY.fullmatch(found.text)) and waiting.because is None:
            waiting = replace(waiting, because=why["why"])
            continue
        if waiting is not None:
            yield waiting
            waiting = None
        if not found.text.strip():
            yield Left(line=found.line, last_line=found.line, why=EMPTY)
        elif (why_not := is_left_out(found)) is not None:
            yield Left(line=found.line, last_line=found.line, why=why_not)
        else:
            waiting = found
    if waiting is not None:
        yield waiting


@dataclass(slots=True, kw_only=True)
class _Block:
    """Lines that belong together."""

    kind: Kind
    lines: list[NoteLine]
    section: str
    title: str
    texts: list[str] = field(default_factory=list)  # what is read of the lines


def _blocks(note: Note) -> Iterator[_Block]:
    block: _Block | None = None
    section = title = ""
    for line in body_of(note):
        goes_on = block is not None and (
            line.kind is Kind.WORDS and block.kind in {Kind.WORDS, Kind.BULLET, Kind.NUMBERED}
            if line.kind not in _TOLD
            else line.kind is block.kind
        )
        if block is not None and goes_on:
            block.lines.append(line)
            continue
        if block is not None:
            yield block
            block = None
        if line.kind is Kind.HEADING:
            is_title = line.level == 1 and not title
            title, section = (line.title, "") if is_title else (title, line.title)
        elif line.kind not in RULE_ONLY:
            block = _Block(kind=line.kind, lines=[line], section=section, title=title)
    if block is not None:
        yield block


_TOLD = {
    Kind.CODE: "code",
    Kind.TABLE: "a table",
    Kind.QUOTE: "a quotation",
    Kind.COMMENT: "a comment",
    Kind.TAG: TAG,
}


def _joined(blocks: Iterator[_Block]) -> Iterator[Statement | Left]:
    for block in blocks:
        first, last = block.lines[0], block.lines[-1]
        if block.kind in _TOLD:
            yield Left(line=first.number, last_line=last.number, why=_TOLD[block.kind])
            continue
        if block.kind is Kind.WORDS:
            text = unescape_text(" ".join(line.text.strip() for line in block.lines))
            yield Statement(line=first.number, text=text, section=block.section, title=block.title)
            continue
        rest = [line.text.strip() for line in block.lines[1:]]
        entry = first.entry
        head = entry.text if entry is not None else _NUMBER.sub("", first.text, count=1)
        text = " ".join([head.strip(), *rest]).strip()
        if entry is not None and entry.link and not text:
            text = entry.link
        yield Statement(
            line=first.number,
            text=text,
            entry=entry,
            raw=first.text,
            section=block.section,
            title=block.title,
        )
