"""Whether two statements are the same but for a negation.

A text is read as words without those that negate, and the parity of those. Words that are the opposite of another
(`forbidden`, `disable`, `without`) are read as the other one, negated. Equal words with another parity contradict:
"is allowed" and "is not allowed" are a contradiction, never a duplicate.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

_TOKEN = re.compile(r"[^\s,;:!?()\[\]{}\"“”`]+")
_NEGATES = frozenset({"not", "never", "no", "cannot"})
_SILENT = frozenset(
    ["always", "ever", "do", "does", "did", "longer", "any", "anymore"]
)  # carries no content beside a negation
# word -> the word that it is the opposite of
_OPPOSITES = {
    "denied": "allowed", "disable": "enable", "disabled": "enabled", "disables": "enables", "disallow": "allow",
    "disallowed": "allowed", "disallows": "allows", "dislike": "like", "dislikes": "likes", "hate": "love",
    "hates": "loves", "forbid": "allow", "forbidden": "allowed", "forbids": "allows",
    "impossible": "possible", "prohibited": "allowed", "unsupported": "supported", "unsafe": "safe", "without": "with",
}  # fmt: skip
_IRREGULAR = {
    "can't": "can",
    "won't": "will",
    "shan't": "shall",
    "cant": "can",
    "dont": "do",
    "doesnt": "do",
    "wont": "will",
}
_PLAIN = re.compile(r"[a-z]{4,}")


class Polarity(NamedTuple):
    words: str  # the statement without what negates; "" if nothing is left
    is_negated: bool


@lru_cache(maxsize=8_192)
def polarity_of(text: str) -> Polarity:
    """The words of `text` without negations, lightly stemmed, and whether their number is odd."""
    words: list[str] = []
    is_negated = False
    for token in _TOKEN.findall(text):
        word, negates = _read(token)
        is_negated ^= negates
        if word:
            words.append(word)
    return Polarity(" ".join(words), is_negated)


def negation_pair(first: str, second: str) -> bool:
    """Whether one is the negation of the other."""
    one, other = polarity_of(first), polarity_of(second)
    return bool(one.words) and one.words == other.words and one.is_negated != other.is_negated


def has_opposite(polarity: Polarity, texts: Iterable[str]) -> bool:
    """Whether one of `texts` is the negation of what has `polarity`. Most texts are told by their letters alone."""
    opposite = Polarity(polarity.words, not polarity.is_negated)
    # A word as it was written begins with its stem, unless it stands for another one.
    kept = (word.lower() for word in polarity.words.split() if word not in _REWRITTEN and word.isascii())
    telling = max(kept, key=len, default="")
    return any(telling in text.lower().replace("’", "'") and polarity_of(text) == opposite for text in texts)


def stem(word: str) -> str:
    """`starts`, `started`, `starting` -> `start`; a word with a digit or a sign, and a short one, stays."""
    if not _PLAIN.fullmatch(word) or word.endswith("ss"):
        return word
    for ending in ("ing", "ed", "es", "s", "e"):
        base = word.removesuffix(ending)
        if base != word and len(base) >= 3:  # noqa: PLR2004 - "used" -> "us" would be another word
            return base[:-1] if ending in ("ing", "ed") and base[-1] == base[-2] and base[-1] not in "ls" else base
    return word


_REWRITTEN = frozenset(stem(word) for word in (*_OPPOSITES.values(), *_IRREGULAR.values()))


@lru_cache(maxsize=16_384)
def _read(token: str) -> tuple[str, bool]:
    """The stem of the word that `token` stands for, "" for none, and whether it negates."""
    word, negates = _word(token.strip(".'’‘"))
    return ("" if word in _SILENT else stem(word)), negates


def _word(token: str) -> tuple[str, bool]:
    word = token.lower().replace("’", "'")
    if word in _NEGATES:
        return ("can" if word == "cannot" else ""), True
    if word in _IRREGULAR:
        return _IRREGULAR[word], True
    if word.endswith("n't"):
        return word.removesuffix("n't"), True
    if word in _OPPOSITES:
        return _OPPOSITES[word], True
    return (word if token.islower() or token.istitle() else token), False
