"""What a text says that its sources do not: numbers, names, identifiers, paths, quotations, and words that name things.

Compared are words, not meanings, and the rule leans to refusing: whatever is more than a plain word has to stand in
the sources as it is; a capital inside a sentence is a name; a word in small letters passes if a source holds it or
another form of it, if it is one of the plain words that join and tell, or if it is made as English makes words of
others. So a summary in the sources' own words passes in any language, and a free one only in English.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from dreamd.reflection.distilling.plain_words import DERIVED, NUMBER_WORDS, PLAIN_WORDS, SHORTENED
from dreamd.reflection.polarity import polarity_of, stem

SHOWN_LENGTH = 40  # characters of a word in a reason
MIN_PLURAL = 4  # letters; of a shorter word no ending is taken off, for `bus` is no form of `bu`

_TYPOGRAPHIC = str.maketrans("‘’‚‛“”„‟‐‑‒–—−", "''''\"\"\"\"------")
_QUOTED = re.compile(r"\"([^\"]+)\"|`([^`]+)`|(?<![^\s(\[{])'([^']+(?:'(?=\w)[^']+)*)'(?!\w)")
_OPENING, _CLOSING = "\"'`(", "\"'`).,;:!?…"
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?(?:-[^\W\d_]+(?:'[^\W\d_]+)?)*")
_LETTERS = re.compile(r"[^\W\d_]+")
_ENDING = re.compile(r"'(?:s|re|ve|ll|d|m)\Z")  # of another word
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ENDS_SENTENCE = re.compile(r"[.!?:…][\"')\]}]*$")
# What beside a piece of a source makes it another thing: 2.4 is not 2.4.1, 5 is not $5, 5 % or <5.
_BEFORE, _AFTER = r"(?<![\w.,:/\\@#$+<>~-])", r"(?![\w%°]|[.,:/\\@-]\w)"


def novelty(text: str, sources: Sequence[str], *, is_whole: bool = True) -> str | None:
    """The first thing that `text` says and no source does, as a clause; None if there is none.

    One that is not whole, a title, need not negate what all sources negate, and any word of it may have a capital.
    """
    told, known = _levelled(text), "\n".join(_levelled(source) for source in sources)
    for found in _QUOTED.finditer(told):
        quoted = " ".join((found[1] or found[2] or found[3]).split()).strip(" .,;:!?")
        if quoted not in known:
            return f"the quotation {_shown(quoted)} is in no statement that it cites"
    words = _stems(known)
    starts = True
    for token in told.split():
        core = token.lstrip(_OPENING).rstrip(_CLOSING)
        if core and (reason := _new_token(core, known, words, starts=starts or not is_whole)) is not None:
            return reason
        starts = bool(_ENDS_SENTENCE.search(token)) or (starts and not core)
    return _turned(told, sources, is_whole=is_whole)


def _levelled(text: str) -> str:
    """One line, one form of each sign."""
    return " ".join(unicodedata.normalize("NFC", text).translate(_TYPOGRAPHIC).split())


def _stems(known: str) -> frozenset[str]:
    """The words of the sources in their plainest form, those inside identifiers too."""
    pieces = _LETTERS.findall(known)
    pieces += [part for piece in pieces for part in _HUMP.split(piece)]
    return frozenset(form for piece in pieces for form in _forms(piece.lower()))


def _is_form_of(lower: str, known: frozenset[str]) -> bool:
    """Whether it, or the word that it is made of, is among the `known` forms: `newer` of `new`, `easily` of `easy`."""
    made_of = [lower.removesuffix(ending) for ending in ("ly", "er", "est") if lower.endswith(ending)]
    made_of += [word[:-1] + "y" for word in made_of if word.endswith("i")]
    return not known.isdisjoint(_forms(lower)) or any(not known.isdisjoint(_forms(word)) for word in made_of)


def _forms(lower: str) -> set[str]:
    """`lower` and what it may be a form of: `retries` and `retried` of `retry`, `aliases` of `alias`."""
    forms = {lower, stem(lower)}
    forms |= {lower.removesuffix(ending) for ending in ("s", "es") if len(lower) > MIN_PLURAL}
    if lower.endswith(("ies", "ied")) and len(lower) > MIN_PLURAL:
        forms.add(lower[:-3] + "y")
    return forms


def _new_token(core: str, known: str, words: frozenset[str], *, starts: bool) -> str | None:
    if _WORD.fullmatch(core):
        return _new_word(core, known, words, starts=starts)
    if _stands_in(core, known) or core.lower() in SHORTENED:
        return None
    parts = core.split("-")
    if all(parts) and len(parts) > 1 and sum(any(map(str.isdigit, part)) for part in parts) <= 1:
        reasons = (_new_token(part, known, words, starts=starts) for part in parts)
        return next((reason for reason in reasons if reason is not None), None)
    noun = "number" if core[:1].isdigit() else "name"
    return f"the {noun} {_shown(core)} is in no statement that it cites"


def _new_word(word: str, known: str, words: frozenset[str], *, starts: bool) -> str | None:
    """Of letters only: a hyphen joins words that are judged one by one."""
    plain = _ENDING.sub("", word)
    parts = plain.split("-")
    if all(_is_form_of(part.lower(), words) for part in parts) or _stands_in(word, known):
        return None
    if len(parts) > 1 and plain.lower() not in PLAIN_WORDS | NUMBER_WORDS:
        reasons = (_new_word(part, known, words, starts=starts) for part in parts)
        return next((reason for reason in reasons if reason is not None), None)
    is_small = plain.islower() or (starts and plain[:1].isupper() and (plain[1:].islower() or plain in ("A", "I")))
    if not is_small:
        return f"the name {_shown(word)} is in no statement that it cites"
    lower = plain.lower()
    if lower in NUMBER_WORDS:
        return f"the number {_shown(word)} is in no statement that it cites"
    if (
        lower in SHORTENED
        or lower.removesuffix("n't") in PLAIN_WORDS
        or _is_form_of(lower, _PLAIN_FORMS)
        or _is_derived(lower)
    ):
        return None
    return f"the word {_shown(word)} is in no statement that it cites"


def _is_derived(lower: str) -> bool:
    return any(lower.endswith(ending) and len(lower) >= length for ending, length in DERIVED)


def _stands_in(piece: str, known: str) -> bool:
    return piece in known and re.search(_BEFORE + re.escape(piece) + _AFTER, known) is not None


def _turned(told: str, sources: Iterable[str], *, is_whole: bool) -> str | None:
    """Whether the text negates what no source negates, or the other way round."""
    negated = [_negates(_levelled(source)) for source in sources]
    if _negates(told) and not any(negated):
        return "it negates what no statement that it cites negates"
    if is_whole and not _negates(told) and len(negated) > 1 and all(negated[1:]):  # the first is the title
        return "it does not negate what every statement that it cites negates"
    return None


def _negates(text: str) -> bool:
    return any(polarity_of(word).is_negated for word in text.split())


def _shown(text: str) -> str:
    plain = "".join(character if character.isprintable() else "?" for character in text)
    return f"“{plain[:SHOWN_LENGTH]}”"


_PLAIN_FORMS = frozenset(form for word in PLAIN_WORDS for form in _forms(word))
