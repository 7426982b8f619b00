"""The naive merges: statements about a target are one if the cosine of their words is high.

`cosine only`: a statement joins the first group whose first statement is near. `connected components`: whatever a
chain of near statements connects is one.
"""

import re
from collections import Counter
from collections.abc import Sequence
from math import sqrt

from bench.dreambench.rules.memory import Rule

NEAR = 0.8  # of cosine only
LINKED = 0.7  # of a link between components
_WORD = re.compile(r"\w+")


def cosine_only() -> Rule:
    return Rule(name="cosine only", emergent_days=2, canonical_days=5, group=groups_by_first)


def connected_components() -> Rule:
    return Rule(name="connected components", emergent_days=2, canonical_days=5, group=groups_by_chain)


def groups_by_first(texts: Sequence[str]) -> Sequence[int]:
    bags = [_bag(text) for text in texts]
    firsts: list[int] = []
    groups = []
    for place, bag in enumerate(bags):
        near = next((group for group, first in enumerate(firsts) if cosine(bag, bags[first]) >= NEAR), None)
        if near is None:
            firsts.append(place)
        groups.append(len(firsts) - 1 if near is None else near)
    return groups


def groups_by_chain(texts: Sequence[str]) -> Sequence[int]:
    bags = [_bag(text) for text in texts]
    groups = list(range(len(texts)))
    for one in range(len(texts)):
        for other in range(one):
            if groups[one] != groups[other] and cosine(bags[one], bags[other]) >= LINKED:
                old, new = groups[one], groups[other]
                groups = [new if group == old else group for group in groups]
    return groups


def cosine(one: Counter[str], other: Counter[str]) -> float:
    shared = sum(count * other[word] for word, count in one.items())
    return shared / sqrt(_square(one) * _square(other)) if shared else 0.0


def _bag(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text.casefold()))


def _square(bag: Counter[str]) -> int:
    return sum(count * count for count in bag.values())
