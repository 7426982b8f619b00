"""Whether two targets are one under two names: what their names, their statements and the words of people say.

Names are kin if they hold the same words, however ordered, joined or in number, beside a word that only says what kind
of thing it is (`auth`, `auth-service`). A name that differs in a number, a version or any other word is no kin: `db2`
is not `db3`. Kin that also state the same are proved to be one; all else is for a person to decide.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache

from dreamd.reflection.text_keys import group_key

MIN_WORDS = 3  # of a statement that can speak for two targets being one: "clean up" is said of anything
PROOF_WORDS = 5  # of all statements shared together
NEAR = 60  # characters before a renaming in which a word may say that it did not happen
MAX_NAME_WORDS = 4
# Say what kind of thing a target is; at the end of a name. Edit freely.
_KINDS_OF_THING = frozenset(["service", "svc"])
_ENDS_IN_ES = re.compile(r"(?:s|x|z|ch|sh)es$")
_MIN_PLURAL = 4  # letters: "bus", "aws" and "css" are no plurals

# Begins where a word begins and is bounded, so that one endless word is not tried from each of its letters.
_WORD = r"(?<![\w@./+#-])[`\"'“”‘’]?[\w@][\w@./+#-]{0,79}[`\"'“”‘’]?"
_NAME = rf"{_WORD}(?: {_WORD}){{0,{MAX_NAME_WORDS - 1}}}"
_RENAMED = (
    re.compile(rf"\brenam(?:e|ed|es|ing)\s+(?P<old>{_NAME})\s+(?:to|into|as|->|→)\s+(?P<new>{_NAME})", re.IGNORECASE),
    re.compile(
        rf"(?P<old>{_NAME})\s+(?:is|was|were|has been|have been|got)\s+(?:now\s+)?renamed\s+(?:to|into|as)\s+"
        rf"(?P<new>{_NAME})",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?P<old>{_NAME})\s+is\s+(?:now\s+(?:called|named|known as)|called\s+now)\s+(?P<new>{_NAME})", re.IGNORECASE
    ),
    re.compile(
        rf"(?P<new>{_NAME})\s*[,(]\s*(?:formerly|previously)\s+(?:(?:called|named|known as)\s+)?(?P<old>{_NAME})",
        re.IGNORECASE,
    ),
)
_HINT = re.compile(r"renam|\bnow\b|formerly|previously", re.IGNORECASE)  # is in every renaming
# What makes of a renaming one that did not happen, or not yet.
_NOT_DONE = re.compile(
    r"\b(?:not|never|no|cannot|should|shall|could|would|may|might|must|will|maybe|perhaps|plan|plans|planned|want|wants|"
    r"consider|considered|propose|proposed|if|unless|whether|before|until|revert|reverts|reverted)\b|n't\b|n’t\b|\?",
    re.IGNORECASE,
)
_BEFORE_NAMES = frozenset(
    ["the", "a", "our", "project", "package", "module", "service", "target", "repo", "repository"]
)
_AFTER_NAMES = frozenset([*_KINDS_OF_THING, "library", "module", "package", "project", "repo", "repository", "target"])
_AROUND = " `\"'“”‘’.,;:"


@lru_cache(maxsize=16_384)
def name_key(form: str) -> str:
    """What the canonical forms of kin have in common."""
    words = form.split("_")
    while len(words) > 1 and words[-1] in _KINDS_OF_THING:
        words.pop()
    return "".join(sorted(_singular(word) for word in words))


def old_and_new(one: str, other: str) -> tuple[str, str]:
    """Which of two kin becomes a spelling of the other: the longer name, so that no order of events decides it."""
    new, old = sorted((one, other), key=lambda form: (form.count("_"), len(form), form))
    return old, new


def shared(texts: Iterable[str], others: Iterable[str]) -> tuple[str, ...]:
    """The statements that both have and that say enough, in the words of the first, sorted."""
    known = {group_key(text) for text in others}
    found = {key: text for text in sorted(texts) if (key := group_key(text)) in known}
    return tuple(sorted(text for text in found.values() if len(text.split()) >= MIN_WORDS))


def is_proof(statements: Collection[str]) -> bool:
    """Whether the `shared` statements of kin prove that they are one. More evidence never takes a proof away."""
    return sum(len(text.split()) for text in statements) >= PROOF_WORDS


def renaming(text: str, known_as: Callable[[str], str | None]) -> tuple[str, str] | None:
    """The targets (old, new) that `text` says outright were renamed; None if it does not.

    `known_as` tells the target that a name stands for, if there is one.
    """
    for pattern in _RENAMED if _HINT.search(text) else ():
        for match in pattern.finditer(text):
            if _NOT_DONE.search(text, max(0, match.start() - NEAR), match.end() + 2):
                continue
            old = next(filter(None, map(known_as, _readings(match["old"], at_end=True))), None)
            new = next(filter(None, map(known_as, _readings(match["new"], at_end=False))), None)
            if old is not None and new is not None and old != new:
                return old, new
    return None


def _readings(phrase: str, *, at_end: bool) -> Iterator[str]:
    """The names that `phrase` may end or begin with, the longest first."""
    words = phrase.split()
    while not at_end and len(words) > 1 and words[0].lower() in _BEFORE_NAMES:
        words.pop(0)
    for count in range(len(words), 0, -1):
        part = words[-count:] if at_end else words[:count]
        yield " ".join(part).strip(_AROUND)
    if at_end and len(words) > 1 and words[-1].lower() in _AFTER_NAMES:
        yield from _readings(" ".join(words[:-1]), at_end=True)


def _singular(word: str) -> str:
    """`builders` -> `builder`; a word with a digit or a sign, and a short one, stays."""
    if len(word) < _MIN_PLURAL or not word.isalpha() or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-2] if _ENDS_IN_ES.search(word) else word.removesuffix("s")
