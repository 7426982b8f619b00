"""A Markdown file that anybody wrote, line by line, with nothing lost: what was read is written with the same bytes.

`document.py` reads a file into the values that dreamd writes itself; this reads what others wrote, for `verify` and
for the intake of memory folders: either line end, a byte order mark, a last line without its end, front matter that
is closed by `---` or `...`, bullets of any sign. Each line knows what it is; lines in fences, comments and indented
code are none of the others.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from dreamd.repo_export.front_matter import FrontMatterError, load_block
from dreamd.repo_export.markdown import Entry, parse_entry

BOM = "\ufeff"

_FENCE = re.compile(r"[ \t]*(?:[-*+] +|\d{1,9}[.)] +)?(`{3,}(?=[^`]*$)|~{3,})")
_HEADING = re.compile(r" {0,3}(?P<marks>#{1,6})(?:[ \t]+(?P<text>.*?))?(?:[ \t]+#+)?[ \t]*")
_BULLET = re.compile(r"(?P<indent>[ \t]*)[-*+](?:[ \t]+(?P<body>.*)|$)")
_NUMBERED = re.compile(r"[ \t]*\d{1,9}[.)](?:[ \t]|$)")
_RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-{2,})[ \t]*")
_CODE_INDENT = ("    ", "\t")
_KEY = re.compile(r"[\w\"'-][^:]*:(?:\s|$)")


class Kind(StrEnum):
    FRONT_MATTER = "front matter"
    BLANK = "blank"
    CODE = "code"
    COMMENT = "comment"
    HEADING = "heading"
    BULLET = "bullet"
    NUMBERED = "numbered item"
    TABLE = "table"
    QUOTE = "quote"
    RULE = "rule"
    WORDS = "words"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteLine:
    number: int  # in the file, from 1
    text: str  # without its end
    end: str  # "\n", "\r\n" or "" (the last one)
    kind: Kind
    entry: Entry | None = None  # of a bullet
    level: int = 0  # of a heading, 1..6
    title: str = ""  # of a heading


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    has_bom: bool
    lines: tuple[NoteLine, ...]
    front_matter: Mapping[str, Any] = field(default_factory=dict)  # empty: there is none
    block: str = ""  # the front matter between its fences, as it stands
    problem: str | None = None  # why the front matter cannot be read


def parse_note(content: bytes) -> Note:
    """What is in a file; raises ValueError if it is not UTF-8. Front matter that cannot be read is its `problem`."""
    text = content.decode("utf-8")
    has_bom = text.startswith(BOM)
    raw = text.removeprefix(BOM).split("\n")
    ends = ["\n"] * (len(raw) - 1) + [""]
    if raw[-1] == "":
        raw.pop()
        ends.pop()
    texts: list[str] = []
    for place, line in enumerate(raw):
        if line.endswith("\r") and ends[place]:
            texts.append(line[:-1])
            ends[place] = "\r\n"
        else:
            texts.append(line)
    closed = _front_matter_end(texts)
    values: Mapping[str, Any] = {}
    problem: str | None = None
    block = ""
    if closed is None:
        problem = "the front matter is not closed by a line ---"
        closed = 0
    elif closed:
        block = "".join(f"{line}\n" for line in texts[1 : closed - 1])
        try:
            values = load_block(block)
        except FrontMatterError as broken:
            problem = str(broken)
    head = [
        NoteLine(number=place + 1, text=texts[place], end=ends[place], kind=Kind.FRONT_MATTER)
        for place in range(closed)
    ]
    body = tuple(_body(texts, ends, closed))
    return Note(has_bom=has_bom, lines=(*head, *body), front_matter=values, block=block, problem=problem)


def write_note(note: Note) -> bytes:
    """`write_note(parse_note(content)) == content`, whatever it is."""
    whole = "".join([f"{line.text}{line.end}" for line in note.lines])
    return f"{BOM if note.has_bom else ''}{whole}".encode()


def body_of(note: Note) -> Iterator[NoteLine]:
    """The lines behind the front matter."""
    return (line for line in note.lines if line.kind is not Kind.FRONT_MATTER)


def _front_matter_end(lines: list[str]) -> int | None:
    """How many lines the front matter takes with its fences; 0: there is none; None: it is not closed."""
    if not lines or lines[0].rstrip() != "---":
        return 0
    for place, line in enumerate(lines[1:], start=1):
        if line.rstrip() in {"---", "..."}:
            # Two rules with prose between them are no front matter.
            inside = [each for each in lines[1:place] if each.strip() and not each.lstrip().startswith("#")]
            return place + 1 if not inside or _KEY.match(inside[0]) else 0
    first = next((each for each in lines[1:] if each.strip()), "")
    return None if _KEY.match(first) else 0


def _body(texts: list[str], ends: list[str], start: int) -> Iterator[NoteLine]:
    fence = ""
    is_comment = is_list = False
    before = Kind.BLANK
    for place in range(start, len(texts)):
        text = texts[place]
        kind, level, title, entry = Kind.WORDS, 0, "", None
        found = _FENCE.match(text)
        if fence:
            kind = Kind.CODE
            if found and found[1].startswith(fence) and not text.strip().strip(fence[0]):
                fence = ""
        elif is_comment:
            kind = Kind.COMMENT
            is_comment = "-->" not in text
        elif found:
            kind, fence = Kind.CODE, found[1]
        elif not text.strip():
            kind = Kind.BLANK
        elif text.lstrip().startswith("<!--"):
            kind = Kind.COMMENT
            is_comment = "-->" not in text
        elif text.startswith(_CODE_INDENT) and not is_list and before in {Kind.BLANK, Kind.CODE}:
            kind = Kind.CODE
        elif heading := _HEADING.fullmatch(text):
            kind, level, title = Kind.HEADING, len(heading["marks"]), (heading["text"] or "").strip()
        elif _RULE.fullmatch(text):
            kind = Kind.RULE
        elif bullet := _BULLET.fullmatch(text):
            kind, entry = Kind.BULLET, _entry(text, bullet)
        elif _NUMBERED.match(text):
            kind = Kind.NUMBERED
        elif text.lstrip().startswith("|"):
            kind = Kind.TABLE
        elif text.lstrip().startswith(">"):
            kind = Kind.QUOTE
        elif before is Kind.WORDS and _UNDERLINE.fullmatch(text):
            kind = Kind.RULE
        if kind in {Kind.BULLET, Kind.NUMBERED}:
            is_list = True
        elif kind is not Kind.BLANK and not text.startswith((" ", "\t")):
            is_list = is_list and kind is Kind.WORDS and before is not Kind.BLANK  # a lazy continuation
        yield NoteLine(
            number=place + 1, text=text, end=ends[place], kind=kind, entry=entry, level=level, title=title
        )
        before = kind


def _entry(text: str, bullet: re.Match[str]) -> Entry:
    """A bullet may be indented by tabs, and may be empty."""
    indent = bullet["indent"].replace("\t", "  ")
    entry = parse_entry(f"{indent}- {bullet['body'] or ''}")
    assert entry is not None, text  # noqa: S101 - it is a bullet
    return entry
