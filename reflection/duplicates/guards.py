"""Guards: what makes two statements differ, however alike their words are (design, section 6).

A guard is given a pair and tells what differs, or None. All are symmetric. A pair that any guard stops is never merged;
whether it is a contradiction is for others to say.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property, lru_cache

from dreamd.reflection.duplicates.measures import measures_of, signs_of
from dreamd.reflection.duplicates.reading import ROOT_LETTERS, Reading, Word, stem
from dreamd.reflection.duplicates.vocabulary import CLAUSES, ENDINGS, EXCHANGED, EXCHANGED_IF_FEW, OPPOSITES, PREFIXES

MAX_EXCHANGED_ONE = 2  # of any statement, if one of them stands in the very place of another
MAX_SWAP = 4  # words between two that change places
SHORT = 7  # content words shared; a statement with fewer tells one thing, and any exchanged words tell another
LONG_ENOUGH = 5  # content words shared, of a statement that may tell besides what something is after
MAX_EXCHANGED = 3  # content words on either side that such a statement has instead of others
MAX_IN_PLACE = 3  # words of a stretch that stands in another's place; longer ones are told otherwise
_AGE = {"", "y"}  # "17-year-old" for "17"
_SILENT = frozenset({"a", "am", "an", "and", "are", "be", "been", "being", "is", "it", "its", "or", "that", "the"}) | {
    "this",
    "was",
    "were",
}


@dataclass(frozen=True)
class Pair:
    """Two readings and what only one of them has."""

    a: Reading
    b: Reading

    @cached_property
    def left(self) -> tuple[dict[str, int], dict[str, int]]:
        """Content that only the one and only the other has, each as often as it is there more."""
        a, b = self.a.content, self.b.content
        mine = {word: count - b.get(word, 0) for word, count in a.items() if count > b.get(word, 0)}
        other = {word: count - a.get(word, 0) for word, count in b.items() if count > a.get(word, 0)}
        for word in sorted(mine) if other else ():
            form = next((one for one in sorted(other) if _is_form_of(word, one)), None)
            if form is not None:
                del mine[word], other[form]
        return mine, other

    @cached_property
    def shared(self) -> int:
        """How many content words both have."""
        return (self.a.amount + self.b.amount - sum(sum(left.values()) for left in self.left)) // 2

    @cached_property
    def exchanged(self) -> tuple[tuple[tuple[Word, ...], tuple[Word, ...]], ...]:
        """Stretches of words that stand in the same place."""
        one, other = ([word.stem for word in reading.words] for reading in (self.a, self.b))
        return tuple(
            (self.a.words[i:j], self.b.words[k:m])
            for what, i, j, k, m in SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
            if what == "replace"
        )


def stopped_by(pair: Pair) -> tuple[str, str] | None:
    """The name of the first guard that stops `pair`, and what differs; None if none does."""
    for name, guard in GUARDS.items():
        if (difference := guard(pair)) is not None:
            return name, difference
    return None


def _revert(pair: Pair) -> str | None:
    return "one takes the other back" if pair.a.is_revert != pair.b.is_revert else None


def _prefix(pair: Pair) -> str | None:
    """Another type or scope of a commit is another kind of deed or place; so is another verb at its front."""
    if pair.a.deed and pair.b.deed and pair.a.deed != pair.b.deed:
        return _against(pair.a.spelled([pair.a.deed])[:1], pair.b.spelled([pair.b.deed])[:1])
    one, other = pair.a.prefix, pair.b.prefix
    return (
        _against([f"{one[0]}({one[1]})"], [f"{other[0]}({other[1]})"]) if one[0] and other[0] and one != other else None
    )


def _numbers(pair: Pair) -> str | None:
    """Other numbers; one that only a long statement has, spelled out and in nothing's place, is a detail.

    So is another unit or sign of one number: "30 s" against "30 ms", "-5" against "5".
    """
    if (found := _measures(pair)) is not None:
        return found
    if pair.a.numbers == pair.b.numbers:
        return None
    one, other = Counter(pair.a.numbers), Counter(pair.b.numbers)
    if set(one) == set(other):
        return None
    mine, theirs = (one - other).keys(), (other - one).keys()
    if pair.shared >= SHORT and not (mine and theirs) and _is_detail(pair, {*mine, *theirs}):
        return None
    return _against(mine, theirs)


def _measures(pair: Pair) -> str | None:
    one, other = measures_of(pair.a.body), measures_of(pair.b.body)
    for number in sorted(one.keys() & other.keys()):
        if one[number] != other[number] and one[number] ^ other[number] != _AGE:
            return _against(*([_measure(number, told) for told in of[number]] for of in (one, other)))
    return None


def _measure(number: str, told: str) -> str:
    unit = told.removeprefix("-")
    return f"{'-' if unit != told else ''}{number} {unit}".strip()


def _is_detail(pair: Pair, numbers: Collection[str]) -> bool:
    """Whether all `numbers` are spelled out and inserted: "the two workers that" for "the workers that"."""
    words = [word for word in (*pair.a.words, *pair.b.words) if word.role == "number" and word.stem in numbers]
    if any(char.isdigit() for word in words for char in word.text):
        return False
    return not any(word.stem in numbers for stretches in pair.exchanged for words in stretches for word in words)


def _dates(pair: Pair) -> str | None:
    return _both_against(pair.a.dates - pair.b.dates, pair.b.dates - pair.a.dates)


def _identifiers(pair: Pair) -> str | None:
    return _both_against(pair.a.identifiers - pair.b.identifiers, pair.b.identifiers - pair.a.identifiers)


def _quotes(pair: Pair) -> str | None:
    """What is quoted stands in the other one too, to the letter."""
    one = [quote for quote in pair.a.quoted if quote not in pair.b.text]
    other = [quote for quote in pair.b.quoted if quote not in pair.a.text]
    return _against(one, other) if one or other else None


def _polarity(pair: Pair) -> str | None:
    one, other = pair.a.negated, pair.b.negated
    if not (one.total() == other.total() and (one == other or one & other)):
        return _against(_nots(one - other), _nots(other - one))
    return _unlike(pair.a.foreign_negations, pair.b.foreign_negations)


def _nots(negated: Counter[str]) -> list[str]:
    return [f"not {word}".strip() for word in negated]


def _modality(pair: Pair) -> str | None:
    one, other = pair.a.modals, pair.b.modals
    return None if one == other else _against(one - other, other - one)


def _antonyms(pair: Pair) -> str | None:
    one, other = _words_of(pair.a), _words_of(pair.b)
    mine, theirs = one - other, other - one
    for word in sorted(mine):
        for against in sorted(theirs):
            if _are_opposites(word, against):
                return _against(pair.a.spelled([word]), pair.b.spelled([against]))
    return None


def _logic(pair: Pair) -> str | None:
    """If, unless, only, until: what a statement depends on, or what it leaves out.

    That something is after or before another, which only a long statement tells, is a detail.
    """
    one, other = pair.a.logic, pair.b.logic
    if (
        pair.shared >= LONG_ENOUGH
        and not ((one - other) and (other - one))
        and {*(one - other), *(other - one)} <= CLAUSES
    ):
        return None
    return _unlike(one, other)


def _turns(pair: Pair) -> str | None:
    """A deed that turns round what follows: "failed to start", "avoid threads"; two in long statements may say one."""
    if pair.shared >= SHORT and pair.a.turns.total() == pair.b.turns.total():
        return None
    return _unlike(pair.a.turns, pair.b.turns)


def _degrees(pair: Pair) -> str | None:
    return _unlike(pair.a.degrees, pair.b.degrees)


def _signs(pair: Pair) -> str | None:
    return _unlike(signs_of(pair.a.body), signs_of(pair.b.body))


def _prepositions(pair: Pair) -> str | None:
    """One in the place of another, or before what another stands before: "sent by the mailer", "sent to the mailer"."""
    pairs = EXCHANGED if pair.shared >= SHORT else EXCHANGED_IF_FEW
    for one, other in pair.exchanged:
        if max(len(one), len(other)) > MAX_IN_PLACE:
            continue
        for mine in one:
            for theirs in other:
                if frozenset({mine.text.lower(), theirs.text.lower()}) in pairs:
                    return _against([mine.text], [theirs.text])
    one_governed, other_governed = pair.a.governed, pair.b.governed
    for word in sorted(one_governed.keys() & other_governed.keys()):
        if frozenset({one_governed[word], other_governed[word]}) in pairs:
            return _against([one_governed[word], word], [other_governed[word], word])
    return None


@lru_cache(maxsize=16_384)
def _are_opposites(one: str, other: str) -> bool:
    if other in _OPPOSITE_STEMS.get(one, ()):
        return True
    short, long = sorted((one, other), key=len)
    return len(short) >= ROOT_LETTERS and any(long == prefix + short for prefix in PREFIXES)


def _names(pair: Pair) -> str | None:
    """Another name in the same place."""
    left = pair.left
    for one, other in pair.exchanged:
        if max(len(one), len(other)) > MAX_IN_PLACE:
            continue
        mine = [word.text for word in one if word.is_name and word.stem in left[0]]
        theirs = [word.text for word in other if word.is_name and word.stem in left[1]]
        if mine and theirs:
            return _against(mine, theirs)
    return None


def _substitution(pair: Pair) -> str | None:
    """Some content words instead of others, and all else the same."""
    one, other = pair.left
    if not one or not other:
        return None
    count = max(sum(one.values()), sum(other.values()))
    is_deed = bool(pair.a.prefix[0] or pair.b.prefix[0])  # the title of a commit names one deed, in as many words
    is_few = is_deed or count <= (1 if pair.shared >= SHORT else MAX_EXCHANGED)
    if not is_few and not (count <= MAX_EXCHANGED_ONE and _in_place(pair)):
        return None
    return _against(pair.a.spelled(one), pair.b.spelled(other))


def _in_place(pair: Pair) -> bool:
    """Whether a single content word stands where the other text has another."""
    return any(
        len(one) == len(other) == 1 and one[0].stem in pair.left[0] and other[0].stem in pair.left[1]
        for one, other in pair.exchanged
    )


def _order(pair: Pair) -> str | None:
    """Two words that change places around a third, as in "A depends on B", "B depends on A"; not if one is passive."""
    one, other = _places(pair.a), _places(pair.b)
    if ("by" in one[1]) != ("by" in other[1]):
        return None
    content = [word for word in one[1] if word in other[1] and word in pair.a.content and word in pair.b.content]
    for first in content:
        for second in content:
            here, there = one[1][second] - one[1][first], other[1][first] - other[1][second]
            if not (0 < here <= MAX_SWAP and 0 < there <= MAX_SWAP):
                continue
            between = set(one[0][one[1][first] + 1 : one[1][second]]) & set(
                other[0][other[1][second] + 1 : other[1][first]]
            )
            if between:
                return f"{first} and {second} change places around {min(between)}"
    return None


def _places(reading: Reading) -> tuple[list[str], dict[str, int]]:
    """The telling words in order, and where those stand that come once."""
    words = [word.stem for word in reading.words if word.stem not in _SILENT]
    counts = Counter(words)
    return words, {word: place for place, word in enumerate(words) if counts[word] == 1}


# In the order in which they are asked: what says most about a pair first.
GUARDS: Mapping[str, Callable[[Pair], str | None]] = {
    "revert": _revert,
    "commit": _prefix,
    "polarity": _polarity,
    "number": _numbers,
    "date": _dates,
    "identifier": _identifiers,
    "quote": _quotes,
    "modality": _modality,
    "opposite": _antonyms,
    "logic": _logic,
    "turn": _turns,
    "degree": _degrees,
    "preposition": _prepositions,
    "sign": _signs,
    "name": _names,
    "substitution": _substitution,
    "order": _order,
}


def _words_of(reading: Reading) -> frozenset[str]:
    return frozenset(word.stem for word in reading.words)


@lru_cache(maxsize=16_384)
def _is_form_of(one: str, other: str) -> bool:
    """Whether one word is made of the other: `describ`, `description`."""
    if not one.isalpha() or not other.isalpha() or _are_opposites(one, other):
        return False
    root = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        root += 1
    if root < ROOT_LETTERS:
        return False
    return any(_are_endings(one[cut:], other[cut:]) for cut in range(root, ROOT_LETTERS - 1, -1))


def _are_endings(one: str, other: str) -> bool:
    """Whether two words with these endings can be one; two single letters can as well make two names."""
    return one in ENDINGS and other in ENDINGS and (not one or not other or min(len(one), len(other)) > 1)


def _both_against(one: Iterable[str], other: Iterable[str]) -> str | None:
    mine, theirs = tuple(one), tuple(other)
    return _against(mine, theirs) if mine and theirs else None


def _unlike(one: Counter[str], other: Counter[str]) -> str | None:
    """What only one has, or has more often."""
    return None if one == other else _against(one - other, other - one)


def _against(one: Iterable[str], other: Iterable[str]) -> str:
    """Such as "7 against 8", in an order that does not depend on which came first."""
    mine, theirs = sorted((" ".join(sorted(one)) or "nothing", " ".join(sorted(other)) or "nothing"))
    return f"{mine} against {theirs}"


def _stemmed(opposites: Mapping[str, Iterable[str]]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for word, others in opposites.items():
        found.setdefault(stem(word), set()).update(stem(other) for other in others)
    return {word: frozenset(others - {word}) for word, others in found.items()}


_OPPOSITE_STEMS = _stemmed(OPPOSITES)
