"""Whether a text reads like an order to an agent: to ignore its rules, use tools, hide, reveal, remember or pass on.

Told by its shape alone, from lists of words: a filter, not a proof (docs/quarantine.md says what it does not catch).
The imperative of a commit, a plain preference and talk about prompts or agents are none. An order in quotation marks is
one, for quotation marks cost an attacker nothing. It runs on every new event, so plain words are looked for first.
"""

import re

from dreamd.reflection.disguises import decoded, drawn_together, from_hex, hidden_in, turned, unmasked, with_letters
from dreamd.reflection.instruction_rules import ALL_ANCHORS, RULES, Rule
from dreamd.reflection.instruction_words import (
    ANCHORS,
    ANCHORS_ABROAD,
    APART,
    DIGITS,
    ENCODED,
    FIRST_LETTERS,
    KEYS,
    LETTERS,
    LOOT,
    SIGNS,
    TURNED,
)

MAX_DEPTH = 2  # of texts within texts
HIDES = "it hides text from people"
CONTEXT = 200  # characters around a doubtful phrase in which something must show that it is addressed to an agent

_TRAILER = re.compile(
    r"generated with \[?claude code\]?(?:\(\S*\))?|co-authored-by: [^\n]*"
)  # names the helper of a commit
_UNDERLINED = re.compile(r"(?<!\w)_+|_+(?!\w)")
_ONLY_WORDS = bytes(ord(" ") if not (chr(code).isascii() and chr(code).isalnum()) else code for code in range(256))
_EMPHASIS = str.maketrans("", "", '*`"“”„«»')


def instruction_like(text: str, depth: int = 0) -> str | None:
    """Why `text` reads like an order to an agent, as the end of a sentence; None if it does not."""
    if not text.isascii():
        return _disguised(text, depth)
    lower = text.lower()
    if _is_plain(lower):
        return None
    for anchor in ANCHORS:
        if anchor in lower:
            return _judged(text, lower, depth)
    if "http" in lower and any(loot in lower for loot in LOOT):
        return _judged(text, lower, depth)
    return None


def _is_plain(lower: str) -> bool:
    """Whether no word of `lower`, ASCII, begins like one of the orders': what most texts are, found out cheapest."""
    words = lower.encode("ascii").translate(_ONLY_WORDS).split()
    return FIRST_LETTERS.isdisjoint({word[:LETTERS] for word in words}) and not any(sign in lower for sign in SIGNS)


def _disguised(text: str, depth: int) -> str | None:
    hidden = hidden_in(text)
    if hidden is not None:
        return (instruction_like(hidden, depth + 1) if depth < MAX_DEPTH else None) or HIDES
    for plain in unmasked(text):
        if any(anchor in plain for anchor in ANCHORS) or any(anchor in plain for anchor in ANCHORS_ABROAD):
            reason = _judged(text, plain, depth)
            if reason is not None:
                return reason
    return None


def _judged(text: str, lower: str, depth: int) -> str | None:
    """The reason of the first rule that fits `lower`, or what it says once it is decoded."""
    reason = _by_rule(lower, is_hidden=depth > 0)
    if reason is None and any(sign in lower for sign in KEYS):
        reason = _by_rule(lower.replace("_", " "))
    if reason is None and any(sign in lower for sign in APART):
        reason = _by_rule(drawn_together(lower))
    if reason is None and any(sign in lower for sign in DIGITS):
        reason = _by_rule(with_letters(lower))
    if reason is None and depth < MAX_DEPTH:
        reason = _encoded(text, lower, depth + 1)
    return reason


def _encoded(text: str, lower: str, depth: int) -> str | None:
    if any(word in lower for word in ENCODED):
        for inner in (*decoded(text), *(from_hex(lower) if "hex" in lower else ())):
            if (reason := instruction_like(inner, depth)) is not None:
                return reason
    if any(word in lower for word in TURNED):
        for inner in turned(lower):
            if (reason := _by_rule(inner, is_hidden=True)) is not None:
                return reason
    return None


def _by_rule(lower: str, *, is_hidden: bool = False) -> str | None:
    """The reason of the first rule that fits. What was hidden needs no cue: to hide it is one."""
    plain = lower.translate(_EMPHASIS)
    if "generated with" in plain or "co-authored-by" in plain:
        plain = _TRAILER.sub("", plain)
    if "_" in plain:
        plain = _UNDERLINED.sub("", plain)
    flat = "\n".join(" ".join(line.split()) for line in plain.splitlines() if line)
    padded = f" {flat} "
    present = [anchor for anchor in ALL_ANCHORS if anchor in padded]
    for rule in RULES:
        if not rule.anchors.isdisjoint(present) and _fits(rule, flat, is_hidden):
            return rule.reason
    return None


def _fits(rule: Rule, text: str, is_hidden: bool) -> bool:
    if rule.also and not any(word in text for word in rule.also):
        return False
    cue = rule.cue
    if cue is None or is_hidden:
        return rule.pattern.search(text) is not None
    for found in rule.pattern.finditer(text):
        before = text[max(0, found.start() - CONTEXT) : found.start()]
        if cue.search(before) or cue.search(text, found.end(), found.end() + CONTEXT):
            return True
    return False
