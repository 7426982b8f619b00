"""A Markdown file of the repository as a value: front matter, then headings, entries and plain lines in order.

Every page and index is built as such a value and rendered by one function, and any file can be read back into it. A
file of ours is well formed exactly if reading and rendering it gives the same bytes, which is what `verify` asks.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dreamd.repo_export.front_matter import parse_front_matter, render_front_matter
from dreamd.repo_export.markdown import (
    Entry,
    escape_text,
    lines_outside_fences,
    parse_entry,
    render_entry,
    unescape_text,
)

_HEADING = re.compile(r"(?P<marks>#{1,6}) (?P<text>.*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    level: int  # 1..6
    text: str  # not escaped


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A line of our own, such as a note or an empty line: Markdown as it stands."""

    line: str


Line = Heading | Entry | Words
BLANK = Words(line="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    front_matter: Mapping[str, Any] = field(default_factory=dict)  # empty: the file has none
    lines: tuple[Line, ...] = ()


def render_document(document: Document) -> bytes:
    head = render_front_matter(document.front_matter) if document.front_matter else ""
    return head.encode("utf-8") + render_lines(document.lines)


def render_lines(lines: Iterable[Line]) -> bytes:
    return "".join([f"{_render_line(line)}\n" for line in lines]).encode("utf-8")


def parse_document(content: bytes) -> Document:
    """The document in a file; raises ValueError if it is not UTF-8 or its front matter is broken.

    Lines in a fenced block are plain, whatever they look like.
    """
    text = content.decode("utf-8-sig").replace("\r\n", "\n")
    front_matter, body = parse_front_matter(text)
    lines = body.removesuffix("\n").split("\n") if body else []
    open_lines = {number for number, _ in lines_outside_fences(body)}
    return Document(
        front_matter=front_matter,
        lines=tuple(
            _parse_line(line) if number in open_lines else Words(line=line)
            for number, line in enumerate(lines, start=1)
        ),
    )


def _render_line(line: Line) -> str:
    match line:
        case Heading():
            return f"{'#' * line.level} {escape_text(line.text)}"
        case Entry():
            return render_entry(line)
        case Words():
            return line.line


def _parse_line(line: str) -> Line:
    if heading := _HEADING.fullmatch(line):
        return Heading(level=len(heading["marks"]), text=unescape_text(heading["text"]))
    return parse_entry(line) or Words(line=line)
