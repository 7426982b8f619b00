"""A statement as it is compared: words by what they are for, in their order.

Everything here is a function of one text. Reading a word is remembered, since the words of a space are few.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from dreamd.reflection.duplicates.vocabulary import (
    CALENDAR,
    COMMIT_TYPES,
    DEGREES,
    EXCHANGED_IF_FEW,
    FOREIGN_NEGATIONS,
    FUNCTION_WORDS,
    LOGIC,
    MODALS,
    NEGATIONS,
    NUMBER_WORDS,
    SAME,
    TURN_NOUNS,
    TURNS,
)

_TYPOGRAPHIC = str.maketrans("‘’‚‛“”„‟‐‑‒–—−", "''''\"\"\"\"------")
_TOKEN = re.compile(r"[$€£]?\d+(?:,\d{3})+(?![\w,])|[$€£]?[^\W_]+(?:[._:/\\@+#'&*-]+[^\W_]+)*[+#%]*|[$€£%]")
_QUOTED = re.compile(r"`([^`\n]+)`|\"([^\"\n]+)\"")
_PREFIX = re.compile(r"\s*([A-Za-z]+)(?:\(([^()\n]*)\))?!?:\s")
_REVERT = re.compile(r"\s*[\"'`]?(?:revert|undo|back(?:ed)?[- ]?out|roll(?:ed)?[- ]?back)", re.IGNORECASE)
_VERSION = re.compile(r"v?(\d+(?:\.\d+)+\S*|\d+\.x)", re.IGNORECASE)
_IDENTIFIER = re.compile(r"\S*[_/\\@#:]\S*|\w*[a-z]\w*[A-Z]\w*|(?=\S*\d)(?=\S*[A-Za-z])\S+|[^\W\d_]+(?:\.[^\W\d_]+)+")
_INITIALS = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]")
_AMOUNT = re.compile(r"([$€£]?)(\d+(?:[.,]\d+)*)([^\W\d_]{1,3}|%)?")
SHORTEST_BASE = 2  # letters before an ending, of a word that stands for another
SHORTEST_STEM = 3
ROOT_LETTERS = 4  # that two forms of one word share at their beginning
MAX_QUOTED_WORDS = 4  # a longer quotation is what somebody said, not a name


@dataclass(frozen=True, slots=True)
class Word:
    text: str  # as written, typographic signs levelled
    stem: str  # what it is compared by
    role: str  # "number", "date", "identifier", "content", "function", "negation", "modal"
    is_name: bool  # capitalised, though it does not begin the statement


@dataclass(frozen=True)
class Reading:
    """A text and its words. All else is worked out when a guard asks for it, once."""

    text: str
    body: str  # without the type and scope of a commit
    words: tuple[Word, ...]
    content: Counter[str]  # stems of what carries content: content words, numbers, dates, identifiers
    prefix: tuple[str, str]  # type and scope of a commit, lowered; ("", "") for none

    @cached_property
    def amount(self) -> int:
        """How much content it has."""
        return sum(self.content.values())

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """Sorted."""
        return tuple(sorted(word.stem for word in self.words if word.role == "number"))

    @cached_property
    def dates(self) -> frozenset[str]:
        return frozenset(word.stem for word in self.words if word.role == "date")

    @cached_property
    def identifiers(self) -> frozenset[str]:
        return frozenset(word.stem for word in self.words if word.role == "identifier")

    @cached_property
    def quoted(self) -> frozenset[str]:
        return frozenset(_quoted(self.text))

    @cached_property
    def negated(self) -> Counter[str]:
        """The stems of what is negated; "" where nothing follows."""
        return Counter(_negated(self.words))

    @cached_property
    def foreign_negations(self) -> Counter[str]:
        """What negates in another language; `n'` of a French verb is `ne`."""
        lowered = ("ne" if word.startswith("n'") and word != "n't" else word for word in self._lowered)
        return Counter(word for word in lowered if word in FOREIGN_NEGATIONS)

    @cached_property
    def logic(self) -> Counter[str]:
        return Counter(LOGIC[word] for word in self._lowered if word in LOGIC)

    @cached_property
    def turns(self) -> Counter[str]:
        """Stems of what turns round the words after it."""
        return Counter(_TURNING[word.stem] for word in self.words if word.stem in _TURNING)

    @cached_property
    def degrees(self) -> Counter[str]:
        return Counter(DEGREES[word] for word in self._lowered if word in DEGREES)

    @cached_property
    def governed(self) -> dict[str, str]:
        """The preposition that stands last before a content word, with nothing but small words between."""
        found: dict[str, str] = {}
        last = ""
        for word, lowered in zip(self.words, self._lowered, strict=True):
            if lowered in _PREPOSITIONS:
                last = lowered
            elif word.role in _CARRIES:
                if last:
                    found.setdefault(word.stem, last)
                last = ""
        return found

    @cached_property
    def _lowered(self) -> tuple[str, ...]:
        return tuple(word.text.lower() for word in self.words)

    @cached_property
    def modals(self) -> frozenset[str]:
        return frozenset(word.stem for word in self.words if word.role == "modal")

    @cached_property
    def deed(self) -> str:
        """The stem of the word that the title of a commit begins with; "" for none."""
        return next((word.stem for word in self.words if word.role in _CARRIES), "") if self.prefix[0] else ""

    @cached_property
    def is_revert(self) -> bool:
        return any(_REVERT.match(said) is not None for said in (self.text, self.body))

    def spelled(self, stems: Collection[str]) -> list[str]:
        """The words with one of `stems`, as they are written."""
        return [word.text for word in self.words if word.stem in stems]


def reading_of(text: str) -> Reading:
    """`text`, read."""
    plain = text if text.isascii() else text.translate(_TYPOGRAPHIC)
    prefix, body = _prefix(plain)
    return Reading(
        text=plain,
        body=body,
        words=tuple(word for token in _starts(body) for word in _words(*token)),
        content=content_of(text),
        prefix=prefix,
    )


@lru_cache(maxsize=16_384)
def content_of(text: str) -> Counter[str]:
    """The content of `text`, at a tenth of what it costs to read all of it; not to be changed."""
    body = _prefix(text if text.isascii() else text.translate(_TYPOGRAPHIC))[1]
    found: Counter[str] = Counter()
    for token in _TOKEN.findall(body):
        for stem_ in _carried(token):
            found[stem_] = found.get(stem_, 0) + 1
    return found


@lru_cache(maxsize=16_384)
def roots_of(text: str) -> tuple[dict[str, int], int]:
    """The content of `text` by what two forms of one word have in common, their first letters, and how much it is.

    Not to be changed.
    """
    roots: dict[str, int] = {}
    for word, count in content_of(text).items():
        root = word[:ROOT_LETTERS] if word.isalpha() else word
        roots[root] = roots.get(root, 0) + count
    return roots, sum(roots.values())


_CARRIES = frozenset({"number", "date", "identifier", "content"})


@lru_cache(maxsize=32_768)
def _carried(token: str) -> tuple[str, ...]:
    """The stems of what carries content in `token`."""
    return tuple(word.stem for word in _words(token, False) if word.role in _CARRIES)


def _starts(text: str) -> list[tuple[str, bool]]:
    """The tokens of `text`, each with whether it begins a sentence."""
    found = []
    end, is_first = 0, True
    for match in _TOKEN.finditer(text):
        between = text[end : match.start()]
        is_first = is_first or (between != " " and any(sign in between for sign in '.!?:\n"`'))
        found.append((match[0], is_first))
        end, is_first = match.end(), False
    return found


@lru_cache(maxsize=32_768)
def _words(token: str, is_first: bool) -> tuple[Word, ...]:  # noqa: FBT001 - cached by value
    lowered = token.lower()
    if lowered.endswith("n't") and lowered != "n't":
        verb = {"can't": "can", "won't": "will", "shan't": "shall"}.get(lowered, lowered[:-3])
        return (*_words(verb, True), Word("n't", "not", "negation", False))
    if lowered == "cannot":
        return (*_words("can", True), Word("not", "not", "negation", False))
    for ending in ("'s", "'re", "'ve", "'ll", "'d", "'m", "'"):
        if lowered.endswith(ending):
            return _words(token[: -len(ending)], is_first) if len(token) > len(ending) else ()
    if "-" in token and not any(sign in token for sign in "_/\\@#:"):
        parts = token.split("-")
        if all(part.isalpha() for part in parts) or (parts[0].isdigit() and all(part.isalpha() for part in parts[1:])):
            return tuple(word for part in parts if part for word in _words(part, is_first))
    return (_word(token, lowered, is_first),)


def _word(token: str, lowered: str, is_first: bool) -> Word:  # noqa: FBT001, PLR0911 - one case a kind of word
    if lowered in NEGATIONS:
        return Word(token, "not", "negation", False)
    if lowered in MODALS:
        return Word(token, MODALS[lowered], "modal", False)
    if lowered in FUNCTION_WORDS:
        return Word(token, lowered, "function", False)
    if lowered in NUMBER_WORDS:
        return Word(token, NUMBER_WORDS[lowered], "number", False)
    if lowered in CALENDAR and (len(lowered) > len(CALENDAR[lowered]) or token[0].isupper()):
        return Word(token, CALENDAR[lowered], "date", False)
    if (version := _VERSION.fullmatch(token)) is not None:
        return Word(token, version[1].lower(), "number", False)
    if (amount := _AMOUNT.fullmatch(token)) is not None:
        return Word(token, f"{amount[1]}{amount[2].replace(',', '')}{(amount[3] or '').lower()}", "number", False)
    if _INITIALS.fullmatch(token):
        return Word(token, lowered.replace(".", ""), "content", not is_first)
    if _IDENTIFIER.fullmatch(token):
        return Word(token, token, "identifier", False)
    if any(char.isdigit() for char in token):
        return Word(token, lowered, "number", False)
    return Word(token, stem(lowered), "content", not is_first and token[0].isupper())


@lru_cache(maxsize=32_768)
def stem(word: str) -> str:
    """The stem of a lower-case word, and of all that may stand for it."""
    if word in SAME:
        return SAME[word]
    for base in _bases(word):
        if base in SAME:
            return SAME[base]
    return _stripped(word)


def _bases(word: str) -> list[str]:
    found = []
    for ending in ("s", "es", "ed", "ing", "d", "ly"):
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_BASE:
            base = word.removesuffix(ending)
            found += [base, base + "e"]
            if len(base) > SHORTEST_BASE and base[-1] == base[-2]:
                found.append(base[:-1])
    if word.endswith(("ies", "ied")):
        found.append(word[:-3] + "y")
    return found


_IRREGULAR = {
    "men": "man", "women": "woman", "children": "kid", "ran": "run", "running": "run", "written": "write",
    "wrote": "write", "took": "take", "taken": "take", "went": "go", "gone": "go", "made": "make", "said":
    "say", "says": "say", "told": "say", "kept": "keep", "held": "hold", "built": "build", "sent": "send",
    "found": "find", "gave": "give", "given": "give", "came": "come", "got": "get", "saw": "see", "seen": "see",
    "ridden": "ride", "rode": "ride", "worn": "wear", "wore": "wear", "drawn": "draw", "drew": "draw", "driven":
    "drive", "drove": "drive", "eaten": "eat", "ate": "eat", "thrown": "throw", "threw": "throw", "shown":
    "show", "broken": "break", "broke": "break", "sold": "sell", "bought": "buy", "rose": "rise", "risen":
    "rise", "fell": "fall", "fallen": "fall", "left": "leave", "met": "meet", "led": "lead", "lost": "lose",
    "won": "win", "grew": "grow", "grown": "grow", "knew": "know", "known": "know", "began": "begin", "begun":
    "begin", "chosen": "choose", "chose": "choose", "spoke": "speak", "spoken": "speak", "paid": "pay", "stood":
    "stand", "sat": "sit", "taught": "teach", "caught": "catch", "brought": "bring", "thought": "think", "swam":
    "swim", "swum": "swim", "sung": "sing", "sang": "sing", "cut": "cut", "put": "put",
}  # fmt: skip


def _stripped(word: str) -> str:
    word = _IRREGULAR.get(word, word)
    if word in SAME:
        return SAME[word]
    if len(word) <= SHORTEST_STEM or not word.isalpha():
        return word
    if word.endswith(("ies", "ied")):
        return word[:-3] + "i"
    if word.endswith(("ss", "us", "is")):
        return word
    for ending in ("ing", "ed", "es", "s", "ly", "e"):
        base = word.removesuffix(ending)
        if base != word and len(base) >= SHORTEST_STEM:
            if ending in ("ing", "ed") and base[-1] == base[-2] and base[-1] not in "lsz":
                base = base[:-1]
            return base.removesuffix("e") if len(base) > SHORTEST_STEM else base
    return word[:-1] + "i" if word.endswith("y") and word[-2] not in "aeiou" else word


_PREPOSITIONS = frozenset(word for pair in EXCHANGED_IF_FEW for word in pair if word not in ("and", "or"))
_TURNING = {stem(word): stem(TURN_NOUNS.get(word, word)) for word in TURNS}


def _negated(words: Sequence[Word]) -> Iterator[str]:
    """What each negation stands before."""
    for place, word in enumerate(words):
        if word.role == "negation":
            yield next((other.stem for other in words[place + 1 :] if other.role in _CARRIES), "")


def _quoted(text: str) -> list[str]:
    found = (match[1] or match[2] for match in _QUOTED.finditer(text))
    return [quote.strip(" .,;:!?") for quote in found if len(quote.split()) <= MAX_QUOTED_WORDS]


def _prefix(text: str) -> tuple[tuple[str, str], str]:
    """Type and scope of a commit, and what it says. They are no words of that: all commits of a scope share them."""
    match = _PREFIX.match(text)
    if match is None or (match[2] is None and match[1].lower() not in COMMIT_TYPES):
        return ("", ""), text
    return (match[1].lower(), (match[2] or "").lower()), text[match.end() :]
