"""What the words of a result say about how it went, where it has no outcome.

A result that speaks of failure, or that repeats what went wrong, is no success. One that speaks of failure and of
success in one breath says neither. What is denied or over ("no errors", "no longer fails", "the error is gone") is no
failure. The rules are English.
"""

import re

from dreamd.reflection.polarity import polarity_of
from dreamd.reflection.practice.troubles import trouble_key

MIN_REPEATED = 2  # words of a trouble that a result must hold all of to repeat it

_BAD = (
    r"(?:fail(?:s|ed|ing|ures?)?|errors?|errored|crash(?:es|ed|ing)?|broken?|breaks|exceptions?|tracebacks?|"
    r"panic(?:s|ked)?|"
    r"abort(?:s|ed|ing)?|tim(?:es?|ed|ing) ?-?outs?|refuse[sd]?|den(?:y|ied|ies)|reject(?:s|ed)?|missing|"
    r"invalid|hangs?|hung|"
    r"stuck|lost|loses|leak(?:s|ed|ing)?|killed|segfault(?:s|ed)?|deadlock(?:s|ed)?|unresolved|unsuccessful(?:ly)?|"
    r"unavailable|unreachable|unhealthy|problems?|issues?|unable|impossible|unchanged|worse)"
)
_OVER = r"(?:gone|fixed|solved|resolved|cured|cleared|repaired|disappeared|vanished|went away|stopped)"
_WELL = r"(?:work(?:s|ed|ing)?|pass(?:es|ed|ing)?|runs?|running|green|fine|ok|okay|holds?|well|up|healthy|good|stable)"
_BUT = r"(?!(?:but|yet|still|and|however|while|so)\b)"
_THEN = rf"(?:\s+{_BUT}[\w'-]+)"  # another word of the same thought

# What is denied or over. Taken out before failures are looked for.
_DENIED = re.compile(
    rf"\bstill\s+(?:\w+\s+)?{_WELL}\b"
    rf"|\b(?:no longer|never|no more|no further|no|0|zero|none|nothing|without|free of)"
    rf"(?: of \d+)?{_THEN}{{0,2}}?\s+{_BAD}\b"
    rf"|\bcan(?:not|'t| not)\s+reproduce\b"
    rf"|(?:\bnot|n't){_THEN}{{0,1}}?\s+{_BAD}\b"
    rf"|\b(?:fix(?:e[sd])?|solve[sd]?|resolve[sd]?|remove[sd]?|cure[sd]?|clear(?:s|ed)?|stop(?:s|ped)?|end(?:s|ed)?|"
    rf"got rid of|handle[sd]?|survive[sd]?|recover(?:s|ed)? from){_THEN}{{0,3}}?\s+{_BAD}\b"
    rf"|\b{_BAD}(?:\s+(?!(?:not|but|yet|still|and|however)\b|\w+n't\b)\w+){{0,4}}?\s+{_OVER}\b",
    re.IGNORECASE,
)
_FAILS = re.compile(
    rf"\b{_BAD}\b|\bstill\b"
    r"|(?:\b(?:not|never|cannot|hardly|nothing|nowhere)|n't)\s+(?:yet\s+|really\s+|even\s+|been\s+|"
    r"properly\s+|at all\s+)*"
    r"(?:work|help|pass|start|build|built|compil|run\b|succe|fix|solv|resolv|mend|cur|com(?:e|ing)\b|load|"
    r"connect|finish|respond|"
    r"answer|found|find|go\b|gone|done|better|possible|reach|open|boot|deploy|complet|"
    r"recogni|change|improve|make it|ok|get)"
    r"|\b(?:cannot|can't|could(?: not|n't)|unable|won't|not able)\b"
    r"|\bno (?:effect|change|difference|luck|success|improvement|better|avail|such|route|response|answer|use)\b"
    r"|\b(?:in vain|the same (?:\w+ )?(?:as before|thing|again|result|message|trouble)|"
    r"same as before|out of memory|gave up)\b"
    r"|\bfatal\b|\b(?:is|are|was|were|stays?|remains?|turned|went|all) (?:red|down)\b"
    r"|\bexit(?:ed|s)?\b[^.;\n]{0,20}?(?:code|status)?\s*[:=]?\s*-?[1-9]\d*\b|"
    r"\b(?:exit|return|error) code\b(?! (?:is |was )?0)"
    r"|\b(?:with|rc|code|signal)\s*(?:code\s*)?=?\s*[1-9]\d{0,2}$"
    r"|\b(?:http|status)(?: code)?[ :=/]*[45]\d\d\b",
    re.IGNORECASE,
)
_EXIT_0 = re.compile(r"\b(?:exit(?:ed|s)?|returned|rc)\b[^.;\n]{0,20}?\s*[:=]?\s*0\b", re.IGNORECASE)
_SUCCEEDS = re.compile(
    rf"\b(?:works|worked|pass(?:es|ed)|succeed(?:s|ed)|success(?:fully)?|green|{_OVER}|again fine|healthy|recovered)\b",
    re.IGNORECASE,
)
_NOT = re.compile(r"(?:\b(?:not|never|nothing|cannot|no|hardly)|n't)\s+(?:\w+\s+)?\w+", re.IGNORECASE)
_IN_VAIN = re.compile(
    r"\b(?:in vain|to no avail|no (?:effect|luck|success|difference)|"
    r"(?:did not|didn't|does not|doesn't) (?:help|work))\b",
    re.IGNORECASE,
)


def says_failure(text: str) -> bool:
    """Whether `text` speaks of something that went wrong and is not over."""
    return _FAILS.search(_asserted(text)) is not None


def says_success_too(text: str) -> bool:
    """Whether `text`, which speaks of a failure, also says outright that something works."""
    said = text.replace("’", "'")
    return _DENIED.search(said) is not None or _SUCCEEDS.search(_NOT.sub(" ", said)) is not None


def says_in_vain(text: str) -> bool:
    """Whether `text` says of what was done that it did not help."""
    return _IN_VAIN.search(text.replace("’", "'")) is not None


def repeats(text: str, trouble: str) -> bool:
    """Whether `text` says once more what `trouble` says: all of its words, neither denied nor over."""
    if trouble_key(text) == trouble_key(trouble):
        return True
    said = text.replace("’", "'")
    if _DENIED.search(said) is not None or _SUCCEEDS.search(_NOT.sub(" ", said)) is not None:
        return False
    one, other = polarity_of(text), polarity_of(trouble)
    words = set(other.words.lower().split())
    return len(words) >= MIN_REPEATED and words <= set(one.words.lower().split()) and one.is_negated == other.is_negated


def _asserted(text: str) -> str:
    return _EXIT_0.sub(" ", _DENIED.sub(" ", text.replace("’", "'")))
