"""Variety at the top of a page: a reader who reads ten lines should not read one thing ten times.

Statements that are worded alike but for their numbers do not say the same, and each stays. Only the first few of a
kind stand where their rank puts them; the others follow after everything else of their class. What was said outright
keeps its order. The order is a function of what a page shows, so it is the same for a page made from the one before.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

from dreamd.lifecycle.ranking import Strength

MAX_ALIKE = 2  # statements of a kind that stand where their rank puts them
OUTRIGHT = 0  # the first part of a strength

_WORD = re.compile(r"[^\W\d_]{2,}")

Block = TypeVar("Block")


def varied(ranked: Sequence[tuple[Strength, str, Block]]) -> list[Block]:
    """The blocks of (strength, text, block), given by strength, in the order in which a page shows them."""
    shown: list[Block] = []
    for place, first in enumerate(ranked):
        if place == 0 or _class_of(first[0]) != _class_of(ranked[place - 1][0]):
            of_class = [one for one in ranked[place:] if _class_of(one[0]) == _class_of(first[0])]
            shown += _of_class(of_class) if first[0][0] != OUTRIGHT else [block for _, _, block in of_class]
    return shown


def _class_of(strength: Strength) -> tuple[int, int, int]:
    return strength[:3]


def _of_class(ranked: Sequence[tuple[Strength, str, Block]]) -> list[Block]:
    if len(ranked) <= MAX_ALIKE:
        return [block for _, _, block in ranked]
    placed: Counter[tuple[str, ...]] = Counter()
    shown: list[Block] = []
    postponed: list[Block] = []
    for _, text, block in ranked:
        kind = tuple(_WORD.findall(text.lower()))
        placed[kind] += 1
        (shown if placed[kind] <= MAX_ALIKE else postponed).append(block)
    return shown + postponed
