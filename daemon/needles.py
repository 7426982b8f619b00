"""What is looked for when something is purged: the words and phrases that stand in it and nowhere else.

A text that was stored came into titles, index lines, reasons and reports, whole or cut short, escaped in several ways.
So a line is not compared with the text but with its words: a word that only the purged rows hold, or four words in a
row that only they hold, give it away. What other rows, or our own wording, say too is nobody's secret and no needle.
"""

import html
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from dreamd.daemon.own_words import own_texts

PHRASE_WORDS = 4  # so many words in a row are a phrase; a shorter text is one as a whole
MIN_LETTERS = 4  # of a word that counts by itself
MIN_DIGITS = 7  # of a number that counts by itself: shorter ones are dates, counts and versions
CUT_LETTERS = 6  # so much of the beginning of a word is known again where a text was cut short
CUT = "…"
ERASED = "[erased]"

_WORD = re.compile(r"[^\W_]+")
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")


def words_of(text: str) -> list[str]:
    """The words of `text` in small letters, whatever it was escaped for; white space, signs and `_` part them."""
    if "\\u" in text:
        text = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
    if "\\" in text:
        text = re.sub(r"\\[nrtbf]", " ", text)
    if "&" in text:
        text = html.unescape(text)
    return _WORD.findall(text.casefold())


def phrases_of(words: list[str]) -> Iterable[tuple[str, ...]]:
    """All phrases of `words`; all of them together, if they are fewer."""
    if len(words) <= PHRASE_WORDS:
        return [tuple(words)] if words else []
    return zip(*(words[start:] for start in range(PHRASE_WORDS)), strict=False)


@dataclass(frozen=True, slots=True)
class Needles:
    """What gives a purged text away."""

    words: frozenset[str]
    phrases: frozenset[tuple[str, ...]]

    def hit(self, text: str) -> bool:
        """Whether `text` holds something of what was purged."""
        words = words_of(text)
        if not self.words.isdisjoint(words) or self._has_phrase(words):
            return True
        return CUT in text and self._is_cut(text)

    def hit_by_phrase(self, text: str) -> bool:
        """Whether `text` holds a whole phrase of what was purged: for what a person wrote, not we.

        Few words that all stand elsewhere too are nothing in a person's text.
        """
        words = words_of(text)
        return any(
            len(phrase) >= PHRASE_WORDS or not self.words.isdisjoint(phrase)
            for length in {len(phrase) for phrase in self.phrases}
            for phrase in self.phrases.intersection(_runs(words, length))
        )

    def erased(self, value: object) -> object:
        """`value`, as JSON has it, without what is hit: entries of lists and named ones go, other texts: `ERASED`."""
        match value:
            case str():
                return ERASED if self.hit(value) else value
            case list() | tuple():
                return [self.erased(each) for each in value if not self._names(each)]
            case dict():
                return {name: self.erased(each) for name, each in value.items() if not self.hit(str(name))}
            case _:
                return value

    def without(self, texts: Iterable[str]) -> "Needles":
        """Those that stand in none of `texts`."""
        words, phrases = set(self.words), set(self.phrases)
        by_length: set[int] = {len(phrase) for phrase in phrases}
        for text in texts:
            found = words_of(text)
            words.difference_update(found)
            for length in by_length:
                phrases.difference_update(_runs(found, length))
        return Needles(frozenset(words), frozenset(phrases))

    def as_json(self) -> dict[str, object]:
        return {"words": sorted(self.words), "phrases": sorted(map(list, self.phrases))}

    @classmethod
    def from_json(cls, value: Mapping[str, list[object]]) -> "Needles":
        phrases = frozenset(tuple(map(str, phrase)) for phrase in value["phrases"])  # type: ignore[call-overload]
        return cls(frozenset(map(str, value["words"])), phrases)

    def _names(self, value: object) -> bool:
        """Whether an entry of a list is about something purged: one of its own texts says so."""
        match value:
            case str():
                return self.hit(value)
            case dict():
                return any(self._names(each) for each in value.values() if not isinstance(each, list | tuple))
            case _:
                return False

    def _has_phrase(self, words: list[str]) -> bool:
        return any(
            not self.phrases.isdisjoint(_runs(words, length)) for length in {len(phrase) for phrase in self.phrases}
        )

    def _is_cut(self, text: str) -> bool:
        ends = (words[-1] for part in text.split(CUT)[:-1] if (words := words_of(part)))
        cut = [end for end in ends if len(end) >= CUT_LETTERS]
        return any(word.startswith(end) for end in cut for word in self.words)


def needles_of(purged: Collection[str], kept: Iterable[str], names: Collection[str] = ()) -> Needles:
    """The needles of the `purged` texts, beside those that are `kept`. `names` are needles as they are: ids."""
    words: set[str] = set()
    phrases: set[tuple[str, ...]] = set()
    for text in purged:
        found = words_of(text)
        words.update(word for word in found if _counts_alone(word))
        phrases.update(phrase for phrase in phrases_of(found) if not all(word.isdigit() for word in phrase))
    left = Needles(frozenset(words), frozenset(phrases)).without(own_texts()).without(kept)
    as_they_are = frozenset(phrase for name in names if (phrase := tuple(words_of(name))))
    digits = frozenset(phrase[-1] for phrase in as_they_are)  # an id is its kind and its digits
    return Needles(left.words | digits, left.phrases | as_they_are)


def _runs(words: list[str], length: int) -> Iterable[tuple[str, ...]]:
    return zip(*(words[start:] for start in range(length)), strict=False)


def _counts_alone(word: str) -> bool:
    return len(word) >= (MIN_DIGITS if word.isdigit() else MIN_LETTERS)
