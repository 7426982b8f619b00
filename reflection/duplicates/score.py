"""How likely two statements say the same, from the words that they share; and what stops it.

The weights were fitted on one half of labelled pairs and are judged on the other (`bench/pairs`, docs/merging.md). More
shared words say more than a share of few: a statement of three words has to be repeated whole, a long one half.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from dreamd.reflection.duplicates.guards import Pair, stopped_by
from dreamd.reflection.duplicates.reading import Reading, roots_of

Similarity = Callable[[str, str], float]  # of an embedder: the cosine of two texts, -1..1

MIN_SCORE = 0.35  # the operating point, docs/merging.md
MIN_SHARE = 0.5  # of the content words, however many they are
MIN_SHARE_IF_FEW = 0.9  # below FEW shared content words
FEW = 3
# Of the logistic curve: the share of content words that both have, the log of how many that are, and where it starts.
_OF_SHARE, _OF_NUMBER, _START = 5.1, 1.58, -6.1
# The same with an embedder at hand, and what its cosine adds.
_OF_SHARE_TOO, _OF_NUMBER_TOO, _OF_COSINE, _START_TOO = 2.6, 1.4, 4.6, -7.6


@dataclass(frozen=True, slots=True)
class Verdict:
    score: float  # 0..1; at least MIN_SCORE, and no guard: they say the same
    guard: str  # the name of the guard that stops it; "" for none
    difference: str  # what the guard found, such as "7 against 8"; without a guard what speaks for the score

    @property
    def is_same(self) -> bool:
        return self.score >= MIN_SCORE and not self.guard


def judge(a: Reading, b: Reading, similarity: Similarity | None = None) -> Verdict:
    """Whether `a` and `b` say the same. Guards are asked only where the score is reached.

    A `similarity` is asked for what enough words are shared, and where no guard would stop it.
    Symmetric, since the pair is put in the order of its texts first.
    """
    pair = Pair(*sorted((a, b), key=lambda reading: reading.text))
    score, near = score_of(pair), ""
    if similarity is not None and score and stopped_by(pair) is None:
        cosine = similarity(pair.a.text, pair.b.text)
        score, near = _nearer(pair, cosine), f"; near in meaning: {cosine:.2f}"
    stopped = stopped_by(pair) if score >= MIN_SCORE else None
    return Verdict(score, *(stopped or ("", _shared(pair) + near)))


def may_be_same(one: str, other: str, *, is_alone: bool) -> bool:
    """Whether two texts share enough words that looking at them closer can make them one; no pair that can is missed.

    `is_alone`: the words decide, without an embedder. Words with one root count as shared here, whatever they are.
    """
    (a, of_a), (b, of_b) = roots_of(one), roots_of(other)
    both = 0
    for root in a.keys() & b.keys():
        both += a[root] + b[root]
    most = both / 2
    share = 2 * most / (of_a + of_b) if most else 0.0
    if share < (MIN_SHARE if most >= FEW else MIN_SHARE_IF_FEW):
        return False
    return not is_alone or _curve(_OF_SHARE * share + _OF_NUMBER * math.log1p(most) + _START) >= MIN_SCORE


def _shared(pair: Pair) -> str:
    """Such as "6 content words shared, 1 more in one of them": an order that does not depend on which came first."""
    few, many = sorted(sum(left.values()) for left in pair.left)
    more = f"{few} and {many} are not" if few else f"{many} more in one of them" if many else "all there are"
    return f"{pair.shared} content words shared, {more}"


def score_of(pair: Pair) -> float:
    """0..1, rounded so that it is the same on every machine; 0 where too few words are shared."""
    share = _share(pair)
    if share < (MIN_SHARE if pair.shared >= FEW else MIN_SHARE_IF_FEW):
        return 0.0
    return _curve(_OF_SHARE * share + _OF_NUMBER * math.log1p(pair.shared) + _START)


def _nearer(pair: Pair, cosine: float) -> float:
    weighed = _OF_SHARE_TOO * _share(pair) + _OF_NUMBER_TOO * math.log1p(pair.shared) + _OF_COSINE * cosine
    return _curve(weighed + _START_TOO)


def _share(pair: Pair) -> float:
    total = pair.a.amount + pair.b.amount
    return 2 * pair.shared / total if total else 0.0


def _curve(weighed: float) -> float:
    return round(1 / (1 + math.exp(-weighed)), 4)
