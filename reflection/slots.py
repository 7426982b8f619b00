"""Which question a statement answers, and with what: its slot and value.

Only functional predicates have a slot: those that hold for one value at a time, such as the port of a server. All
else may stand side by side, and by default a statement has none: "Use PostgreSQL" and "Add JSONB columns" never
conflict, and a test is not a setting. Which predicates there are, and how people word them, is data: the registry
(contradicting/registry.py), tried in order, the first wording that fits decides. Subject and value are compared without
case, articles and quotes.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from dreamd.reflection.contradicting.amounts import value_key
from dreamd.reflection.contradicting.registry import Registry, Wording, registry_of
from dreamd.reflection.contradicting.shapes import ATTRIBUTE
from dreamd.reflection.contradicting.versions import changed_version

__all__ = ["Slot", "adopted_value", "ended_values", "slot_of", "value_key"]

MAX_CLAUSE_LENGTH = 240  # characters; a longer first sentence is prose, not a setting
MAX_SUBJECT_WORDS = 7
MAX_VALUE_WORDS = 6


class Slot(NamedTuple):
    name: str  # predicate and subject, such as "use:task queue"
    value: str  # as written


_SHORT = r"[^\s,;]+(?: [^\s,;]+){0,5}?"
# `type(scope): ` of a conventional commit. What follows it is what was done; a `fix:` often says what was wrong.
_COMMIT = re.compile(
    r"(?:build|bump|chore|ci|deps|docs|feat|feature|fix|perf|refactor|release|style|test|update|upgrade)(?:\([^()\n]*\))?!?:\s+",
    re.IGNORECASE,
)

# Words before the statement proper, which say that it is one.
_LEAD = re.compile(
    r"(?:no[,:.!]\s+|(?:decision|decided|correction|update(?=[:,])|from now on|going forward|please|now|so|ok(?:ay)?|actually)[:,]?\s+"
    r"|(?:that|this|it|i) (?:was|is) (?:wrong|incorrect|not (?:correct|right|true))\s?[-–—:;,.]\s+"
    r"|(?:we|i)(?:'ll| will| should| must| now| have)?(?: decided to| agreed to| want to| are going to)?\s+(?=use|adopt|choose|pick|"
    r"prefer|switch|migrate|move|replace|set|keep|run|render|build|go\b|went|deploy)|let's\s+|to\s+(?=use)|always\s+)+",
    re.IGNORECASE,
)
# Where the statement ends and its reason or its next sentence begins.
_END = re.compile(
    r"[.!](?=\s|$)|;|\n|\s[-–—]\s|\s[(\[]|,?\s(?:because|since|so that|so we|as it|as we|due to|which|until|unless|when|while)\s",
    re.IGNORECASE,
)
# ", not V" is one of two things that are weighed, unless it only narrows what was said.
_AND_NOT = r",\s(?:and\s)?not\s(?!(?:as|because|before|even|for|if|in|just|necessarily|on|only|to|until|when|while|with|yet)\b)"
_INSTEAD = re.compile(
    rf"(?:,?\s(?:instead of|rather than|over|in place of)\s|{_AND_NOT})(?P<old>[^\s,;]+(?: [^\s,;]+){{0,4}}?)"
    r"(?:,(?=\s(?:for|as)\s)|(?=\s(?:for|as|in|on)\s|[.,;!]|$))",
    re.IGNORECASE,
)
_NAMES_OLD = re.compile(
    r"\b(?:instead of|rather than|in place of|no longer use|stop using|replaces?|replaced|(?:switch|switched|migrate|migrated|"
    r"move|moved)(?: \w+){0,5}? from)\s+(?:the\s+)?(?P<old>[^\s,;]+(?: [^\s,;]+){0,4}?)"
    r"(?=\s(?:with|by|to|for|as|in|on|because|since)\s|[.,;!]|\s*$)",
    re.IGNORECASE,
)
_ADOPTS_NOT = re.compile(
    rf"\b(?:use|adopt|choose|pick|prefer|go with)\s[^,;.]+{_AND_NOT}(?:the\s)?(?P<old>[^\s,;]+(?: [^\s,;]+){{0,4}}?)"
    r"(?=,?\s(?:for|as|in|on|because|since)\s|[.,;!]|\s*$)",
    re.IGNORECASE,
)
_ADOPTS = re.compile(
    rf"(?:use|adopt|choose|pick|prefer|go with|(?:switch|migrate|move)(?: from {_SHORT})? to|replace {_SHORT} (?:with|by)) "
    rf"(?P<v>{_SHORT})",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"\b(?:also|too|as well|additionally|in addition|(?<!, )not|never|n't|don't|no longer)\b", re.IGNORECASE
)
_PRONOUNS = frozenset({"he", "it", "she", "that", "there", "these", "they", "this", "those", "we", "which", "you"})
_NO_SUBJECT = re.compile(
    r":(?:\s|$)|\b(?:if|when|that|whether|should|must)\b"
)  # more than a thing: a clause of its own
_ARTICLE = re.compile(r"\b(?:the|our|an?|all)\s+", re.IGNORECASE)
_EQUALS = re.compile(r"\s*(?<![=<>!:])=(?![=>])\s*")
_OF = re.compile(rf"({ATTRIBUTE}) (?:of|for) (.+)")
_SELF = frozenset({"i", "me", "myself"})


@lru_cache(maxsize=8_192)
def slot_of(text: str, registry: Registry | None = None) -> Slot | None:
    """The slot that `text` fills and its value; None for what may stand beside anything. No registry: the shipped one."""
    clause = _clause(text)
    if clause is None or _BESIDE.search(clause) is not None:
        return None
    done = _COMMIT.sub("", clause, count=1) if _COMMIT.match(clause) else clause
    plain = _EQUALS.sub(" = ", _INSTEAD.sub("", done))
    words = frozenset(plain.casefold().split())
    for wording in (registry or registry_of("")).wordings:
        if words.isdisjoint(wording.words) or (done is not clause and not wording.pattern.pattern.startswith(" (?:")):
            continue
        match = wording.pattern.fullmatch(f" {plain}")
        if match is not None and (slot := _filled(wording, match)) is not None:
            return slot
    changed = changed_version(done)
    return None if changed is None else Slot(f"version:{changed[0]}", changed[1])


def adopted_value(text: str, registry: Registry | None = None) -> str | None:
    """What `text` takes into use: the value of its slot, or X of a bare "Use X"; as `value_key`."""
    slot = slot_of(text, registry)
    if slot is not None:
        return value_key(slot.value)
    clause = _clause(text)
    if clause is None or _BESIDE.search(clause) is not None:
        return None
    match = _ADOPTS.fullmatch(_INSTEAD.sub("", clause))
    return value_key(match["v"]) if match else None


def ended_values(text: str) -> tuple[str, ...]:
    """The values that `text` names as given up ("instead of V", "from V to", "use X, not V"), as `value_key`, sorted."""
    found = {value_key(match["old"]) for names in (_NAMES_OLD, _ADOPTS_NOT) for match in names.finditer(text)}
    return tuple(sorted(value for value in found if value))


def _clause(text: str) -> str | None:
    """The first sentence without its lead and its reason; None if it is too long to be a setting."""
    start = text[: MAX_CLAUSE_LENGTH + 1].strip()
    lead = _LEAD.match(start)
    if lead is not None:
        start = start[lead.end() :]
    end = _END.search(start)
    clause = start[: end.start()] if end else start
    return " ".join(clause.split()) if 0 < len(clause) <= MAX_CLAUSE_LENGTH else None


def _filled(wording: Wording, match: re.Match[str]) -> Slot | None:
    read = match.groupdict().get("subject") or ""
    subject = _subject(read) if read else ""
    value = match["value"].strip(" .,;")
    if (read and not subject) or subject in _PRONOUNS or _NO_SUBJECT.search(subject) or not value_key(value):
        return None
    if len(subject.split()) > MAX_SUBJECT_WORDS or len(value.split()) > MAX_VALUE_WORDS:
        return None
    if wording.subject is not None:
        subject = wording.subject.replace("{subject}", subject)
    return Slot(f"{wording.predicate}:{subject}", value)


def _subject(read: str) -> str:
    """Equal for what is the same subject: the port of X is the X port, and `I` is the user."""
    subject = " ".join(_ARTICLE.sub("", read.casefold()).strip(" .,;:!'\"`").split())
    if subject in _SELF:
        return "user"
    attribute = _OF.fullmatch(subject)
    return subject if attribute is None else f"{attribute[2]} {attribute[1]}"
