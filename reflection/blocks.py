"""The blocks of a text: paragraphs, list items, headings and code, as people write them in notes and commits."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from dreamd.reflection.shape import is_of_a_machine

_LINE = re.compile(r"[^\r\n\u2028\u2029]*(?:\r\n|[\r\n\u2028\u2029]|$)")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_BULLET = re.compile(r"\s*(?:[-*+•–]|\(?\d{1,3}[.)]|\[[ xX]\])\s+(?:\[[ xX]\]\s+)?(?=\S)")
_HEADING = re.compile(r"\s*(?:#{1,6}(?:\s|$)|(?:\*\*|__)[^*_]+(?:\*\*|__):?\s*$)")
_RULE = re.compile(r"\s*(?:[-=_*~]\s*){3,}$")
_TABLE = re.compile(r"\s*\|.*\|\s*$")
_QUOTE = re.compile(r"\s*>\s?")
_INDENTED = re.compile(r"(?: {4}|\t)\s*\S")
# What ends a commit's body, and what stands above a list: words of no sentence.
_TRAILER = re.compile(
    r"\s*(?:[A-Z][a-z]+(?:-[A-Za-z]+)*-(?:[Bb]y|[Ii]d|[Tt]o|[Ff]rom)|C[Cc]|Refs?|Fix(?:es|ed)|Closes|See also|Issue|PR)"
    r"(?::\s|\s#\d+\s*$)"
)
_CAPTION = re.compile(r"\s*\S+(?:\s+\S+){0,2}:\s*$")


class Shape(Enum):
    PROSE = auto()
    ITEM = auto()
    HEADING = auto()
    CODE = auto()


@dataclass(frozen=True, slots=True)
class Block:
    shape: Shape
    start: int  # in the text, without the sign of a list item and white space around
    end: int


def blocks_of(text: str) -> Iterator[Block]:
    """The blocks of `text` in their order; a line that goes on where the one before broke off is of its block."""
    open_: Block | None = None
    fence: tuple[str, int] | None = None
    was_blank = True
    for line in _LINE.finditer(text):
        if line.start() == line.end():
            break
        words, mark = line[0], _FENCE.match(line[0])
        if fence is not None:
            if mark is not None and mark[1].startswith(fence[0]):
                yield _trimmed(text, Shape.CODE, fence[1], line.end())
                fence = None
            continue
        shape, start = _shape(words, line.start(), after_blank=was_blank and open_ is None)
        was_blank = not words.strip()
        is_more = shape is Shape.PROSE and mark is None and not was_blank
        if open_ is not None and is_more and open_.shape in (Shape.PROSE, Shape.ITEM):
            open_ = Block(open_.shape, open_.start, line.end())
            continue
        if open_ is not None:
            yield _trimmed(text, open_.shape, open_.start, open_.end)
            open_ = None
        if mark is not None:
            fence = (mark[1], line.start())
        elif not was_blank:
            open_ = Block(shape, start, line.end())
    if fence is not None:
        yield _trimmed(text, Shape.CODE, fence[1], len(text))
    elif open_ is not None:
        yield _trimmed(text, open_.shape, open_.start, open_.end)


def _shape(line: str, at: int, *, after_blank: bool) -> tuple[Shape, int]:
    """What `line` is or begins, and where its words begin."""
    if _RULE.match(line) or _HEADING.match(line) or _CAPTION.match(line) or _TRAILER.match(line):
        return Shape.HEADING, at
    if _TABLE.match(line) or is_of_a_machine(line.strip()):
        return Shape.CODE, at
    bullet = _BULLET.match(line)
    if bullet is not None:
        return Shape.ITEM, at + bullet.end()
    if after_blank and _INDENTED.match(line):
        return Shape.CODE, at
    quote = _QUOTE.match(line)
    return Shape.PROSE, at + (quote.end() if quote else 0)


def _trimmed(text: str, shape: Shape, start: int, end: int) -> Block:
    words = text[start:end]
    start += len(words) - len(words.lstrip())
    return Block(shape, start, start + len(words.strip()))
