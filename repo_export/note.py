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
    TAG = "tag"  # alone on its line, as some put around their sections
    RULE = "rule"
    WORDS = "words"


_FENCE = re.compile(r"[ \t]*(?:[-*+] +|\d{1,9}[.)] +)?(`{3,}(?=[^`]*$)|~{3,})")
_HEADING = re.compile(r" {0,3}(?P<marks>#{1,6})(?:[ \t]+(?P<text>.*?))?(?:[ \t]+#+)?[ \t]*")
_BULLET = re.compile(r"(?P<indent>[ \t]*)[-*+](?:[ \t]+(?P<body>.*)|$)")
_RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})")
_SHAPES = (
    (Kind.HEADING, _HEADING),
    (Kind.RULE, _RULE),
    (Kind.BULLET, _BULLET),
    (Kind.NUMBERED, re.compile(r"[ \t]*\d{1,9}[.)](?:[ \t].*)?")),
    (Kind.TABLE, re.compile(r"[ \t]*\|.*")),
    (Kind.QUOTE, re.compile(r"[ \t]*>.*")),
    (Kind.TAG, re.compile(r"[ \t]*</?[A-Za-z][\w.-]*(?:\s[^<>]*)?/?>[ \t]*")),
)
_UNDERLINE = re.compile(r" {0,3}(?:=+|-{2,})[ \t]*")
_CODE_INDENT = ("    ", "\t")
_KEY = re.compile(r"[\w\"'-][^:]*:(?:\s|$)")


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
    reader = _Reader()
    for place in range(start, len(texts)):
        text = texts[place]
        kind = reader.next_kind(text)
        heading = _HEADING.fullmatch(text) if kind is Kind.HEADING else None
        yield NoteLine(
            number=place + 1,
            text=text,
            end=ends[place],
            kind=kind,
            entry=_entry(text) if kind is Kind.BULLET else None,
            level=len(heading["marks"]) if heading else 0,
            title=(heading["text"] or "").strip() if heading else "",
        )


class _Reader:
    """What a line is, given those before it."""

    def __init__(self) -> None:
        self.fence = ""
        self.is_comment = False
        self.is_list = False
        self.before = Kind.BLANK

    def next_kind(self, text: str) -> Kind:
        kind = self._inside(text) or self._begun(text) or _shape_of(text)
        if kind is Kind.WORDS and self.before is Kind.WORDS and _UNDERLINE.fullmatch(text):
            kind = Kind.RULE
        if kind in {Kind.BULLET, Kind.NUMBERED}:
            self.is_list = True
        elif kind is not Kind.BLANK and not text.startswith((" ", "\t")):
            self.is_list = self.is_list and kind is Kind.WORDS and self.before is not Kind.BLANK  # a lazy continuation
        self.before = kind
        return kind

    def _inside(self, text: str) -> Kind | None:
        """What was begun by a line before goes on here."""
        if self.fence:
            found = _FENCE.match(text)
            if found and found[1].startswith(self.fence) and not text.strip().strip(self.fence[0]):
                self.fence = ""
            return Kind.CODE
        if self.is_comment:
            self.is_comment = "-->" not in text
            return Kind.COMMENT
        return None

    def _begun(self, text: str) -> Kind | None:
        """Code or a comment that begins here."""
        if found := _FENCE.match(text):
            self.fence = found[1]
            return Kind.CODE
        if text.lstrip().startswith("<!--"):
            self.is_comment = "-->" not in text
            return Kind.COMMENT
        is_indented = text.startswith(_CODE_INDENT) and bool(text.strip())
        return Kind.CODE if is_indented and not self.is_list and self.before in {Kind.BLANK, Kind.CODE} else None


def _shape_of(text: str) -> Kind:
    if not text.strip():
        return Kind.BLANK
    for kind, shape in _SHAPES:
        if shape.fullmatch(text):
            return kind
    return Kind.WORDS


def _entry(text: str) -> Entry:
    """A bullet may be indented by tabs, and may be empty."""
    bullet = _BULLET.fullmatch(text)
    assert bullet is not None, text  # noqa: S101 - of that kind
    entry = parse_entry(f"{bullet['indent'].replace(chr(9), '  ')}- {bullet['body'] or ''}")
    assert entry is not None, text  # noqa: S101 - it is a bullet
    return entry
