"""Two versions of a file, line by line: the hunks of a unified diff, as values that a terminal or JSON shows."""

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

CONTEXT_LINES = 3
ALIKE = 0.5  # from here on two lines are told word by word
LONG_PRODUCT = 1_000_000  # of the numbers of lines
LONGEST_COMPARED = 2_000  # characters; longer lines are not told word by word

_WORDS = re.compile(r"\w+|\s+|[^\w\s]")

Mark = Literal["@", " ", "-", "+"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffLine:
    mark: Mark  # "@": the head of a hunk
    text: str
    changed: tuple[tuple[int, int], ...] = ()  # parts of `text` that differ from the line it took the place of


@dataclass(frozen=True, slots=True, kw_only=True)
class FileDiff:
    path: str
    before: bytes | None  # None: it was not there
    after: bytes | None  # None: it goes

    @property
    def status(self) -> Literal["new", "gone", "changed"]:
        if self.before is None:
            return "new"
        return "gone" if self.after is None else "changed"

    def lines(self, *, by_words: bool = False) -> tuple[DiffLine, ...]:
        """The hunks, each with its head; `by_words`: with the parts of a line that differ."""
        return tuple(_hunks(_lines_of(self.before), _lines_of(self.after), by_words=by_words))

    def size(self) -> tuple[int, int]:
        """How many lines came, and how many went."""
        marks = [line.mark for line in self.lines()]
        return marks.count("+"), marks.count("-")


def _lines_of(content: bytes | None) -> list[str]:
    text = (content or b"").decode("utf-8", errors="backslashreplace")
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _hunks(before: Sequence[str], after: Sequence[str], *, by_words: bool) -> Iterator[DiffLine]:
    # Lines that come often, such as empty ones, cost the product of both counts; in long files they are passed over.
    is_long = len(before) * len(after) > LONG_PRODUCT
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=is_long)
    for group in matcher.get_grouped_opcodes(CONTEXT_LINES):
        first, last = group[0], group[-1]
        yield DiffLine(mark="@", text=f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@")
        for tag, old_from, old_to, new_from, new_to in group:
            if tag == "equal":
                yield from (DiffLine(mark=" ", text=line) for line in before[old_from:old_to])
                continue
            old, new = before[old_from:old_to], after[new_from:new_to]
            pairs = [_compared(*pair) for pair in zip(old, new, strict=False)] if by_words else []
            for place, line in enumerate(old):
                yield DiffLine(mark="-", text=line, changed=pairs[place][0] if place < len(pairs) else ())
            for place, line in enumerate(new):
                yield DiffLine(mark="+", text=line, changed=pairs[place][1] if place < len(pairs) else ())


def _range(start: int, end: int) -> str:
    """Lines as a unified diff counts them."""
    count = end - start
    if count == 1:
        return str(start + 1)
    return f"{start + 1 if count else start},{count}"


Parts = tuple[tuple[int, int], ...]


def _compared(old: str, new: str) -> tuple[Parts, Parts]:
    """The parts of each that the other has not, by words; nothing where they have little in common."""
    if max(len(old), len(new)) > LONGEST_COMPARED:
        return (), ()
    words = [list(_WORDS.finditer(line)) for line in (old, new)]
    matcher = difflib.SequenceMatcher(None, [it[0] for it in words[0]], [it[0] for it in words[1]], autojunk=False)
    if matcher.ratio() < ALIKE:
        return (), ()
    gone, came = [], []
    for tag, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if tag != "equal":
            gone += [(words[0][old_from].start(), words[0][old_to - 1].end())] if old_to > old_from else []
            came += [(words[1][new_from].start(), words[1][new_to - 1].end())] if new_to > new_from else []
    return tuple(gone), tuple(came)
