"""A page made from the one before, when all that happened to its stream is that it was told more.

Nothing that was on the page has gone or grown weaker then, and what was not among the strongest, as many as a page has
room for, can only have come among them by being told again. So the lines of the page before stand, but for those of the
groups that were told: the cost follows what is new. The bytes are those of `render_page` over all claims.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dreamd.lifecycle.ranking import Strength, group_strength
from dreamd.lifecycle.values import Claim, Stream
from dreamd.repo_export.document import Line, Words, render_lines
from dreamd.repo_export.markdown import unescape_text
from dreamd.repo_export.page import (
    MAX_GROUPS,
    MORE_MARK,
    Page,
    current_group,
    head_of_page,
    more_statements,
    voice_of,
)
from dreamd.repo_export.variety import varied

_ID = re.compile(r"\[source: [^\[\]]*; id: (?P<id>cl_[0-9a-f]{16}); [^\[\]]*\]\Z")
_SOURCE = " [source: "  # before the first key of an entry; in a statement the bracket has a backslash
_MORE = re.compile(rf"(?P<count>\d+) more statements?{re.escape(MORE_MARK)}.*")


class NotGrown(ValueError):
    """The page before is not one that can be taken further."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageBefore:
    """The current statements of a page as lines, and what follows them."""

    blocks: Mapping[str, tuple[str, ...]]  # by the id of the claim that speaks for the group
    left_out: int  # groups that the page only counts
    rest: tuple[str, ...]  # what is no longer said, and what is related


@dataclass(frozen=True, slots=True, kw_only=True)
class GrownPage:
    page: Page  # its claims are the current members of the groups that were told, and no others
    before: PageBefore
    strengths: Mapping[str, Strength]  # by the claim that speaks for it, of each group of `before` that was not told
    new_groups: int  # those of the page's groups that were not there before

    @property
    def stream(self) -> Stream:
        return self.page.stream


def read_page_before(content: bytes) -> PageBefore:
    """Raises NotGrown if it says nothing, or is not as `render_page` writes it."""
    lines = content.decode("utf-8").removesuffix("\n").split("\n")
    try:
        start = lines.index("", lines.index("", lines.index("---", 1)) + 1) + 1
    except ValueError as problem:
        raise NotGrown("it has no head") from problem
    blocks: dict[str, tuple[str, ...]] = {}
    place = start
    while place < len(lines) and lines[place].startswith("- "):
        end = place + 1
        while end < len(lines) and lines[end].startswith("  "):
            end += 1
        found = _ID.search(lines[place])
        if found is None:
            raise NotGrown("a statement has no id")
        blocks[found["id"]] = tuple(lines[place:end])
        place = end
    if not blocks:
        raise NotGrown("it states nothing")
    more = _MORE.fullmatch(lines[place + 1]) if lines[place : place + 1] == [""] and place + 1 < len(lines) else None
    return PageBefore(
        blocks=blocks,
        left_out=0 if more is None else int(more["count"]),
        rest=tuple(lines[place if more is None else place + 2 :]),
    )


def render_grown_page(grown: GrownPage) -> bytes:
    ranked: list[tuple[Strength, str, Sequence[Line | str]]] = [
        (grown.strengths[voice], _text_on(lines[0]), lines)
        for voice, lines in grown.before.blocks.items()
        if voice in grown.strengths
    ]
    told: dict[str, list[Claim]] = {}
    for claim in grown.page.claims:
        told.setdefault(claim.group, []).append(claim)
    ranked += [
        (group_strength(members), voice_of(members).text, current_group(grown.page, members))
        for members in told.values()
    ]
    ranked.sort(key=lambda pair: pair[0])
    count = len(grown.before.blocks) + grown.before.left_out + grown.new_groups
    lines = [_line(line) for some in varied(ranked[:MAX_GROUPS]) for line in some]
    lines += more_statements(grown.page, count - MAX_GROUPS)
    lines += [Words(line=line) for line in grown.before.rest]
    return head_of_page(grown.page) + render_lines(lines)


def _text_on(line: str) -> str:
    """The statement on a line of a page, as `render_entry` wrote it."""
    return unescape_text(line[2 : line.rindex(_SOURCE)])


def _line(line: Line | str) -> Line:
    return Words(line=line) if isinstance(line, str) else line
