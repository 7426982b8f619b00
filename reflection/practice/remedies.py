"""What counts as something done about a trouble, and how it is shown."""

import re

from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import EventKind
from dreamd.reflection.practice.endings import says_in_vain
from dreamd.reflection.practice.values import REMEDIES

SHOWN_CHARACTERS = 240

_SAYS_FIX = re.compile(
    r"^(?:[a-z]+\([^)]*\)!?:\s*)?(?:fix|hotfix|bugfix|revert)\b|\b(?:fix(?:e[sd]|ing)?|bug ?fix|hotfix|repair(?:s|ed)?|"
    r"resolv(?:e[sd]?|ing)|work(?:s|ed)? around|workaround|mend(?:s|ed)?|correct(?:s|ed)?)\b",
    re.IGNORECASE,
)
_EVADES = re.compile(
    r"--no-verify|\bSKIP=|\bHUSKY=0|--force\b|\s-f\b|\|\| true|chmod (?:-R )?0?777|--exit-zero|--no-strict|rm -rf|"
    r"git (?:reset --hard|clean|restore \.|checkout (?:-- )?\.)|--skip|--allow-dirty|--ignore"
)
# The same in words, as people and agents tell it.
_SAYS_EVADED = re.compile(
    r"\bforce[- ]?push|\bgit (?:commit -\w*n\b|push \S+ \+)|--force-with-lease|--admin\b|"
    r"(?<!the )(?<!not )(?<!stop )(?<!stopped )\b(?:skip|bypass|circumvent|evad|ignor|disabl|"
    r"switch(?:ed)? off|turn(?:ed)? off|comment(?:ed)? out|go(?:ing)? around|"
    r"went around)\w*\s+(?:(?:the|all|its|that|this|a|every)\s+)?(?:[\w-]+\s+){0,2}?"
    r"(?:hooks?|checks?|tests?|lint(?:er|ing)?|ci|verification|validation|type checks?|pre-commit)\b",
    re.IGNORECASE,
)
_DOES = frozenset({EventKind.ACTION, EventKind.CORRECTION, EventKind.INTERVENTION})


def says_fix(text: str) -> bool:
    """Whether the first line of `text` says that something is mended."""
    return _SAYS_FIX.search(text.split("\n", 1)[0]) is not None


def is_remedy(event: Event) -> bool:
    """Whether `event` tells of something that was done about a trouble, whether it helped or not."""
    return "command" not in event.tags and "tool" not in event.tags and mends(event.kind, event.text)


def is_vain(event: Event) -> bool:
    """Whether what was done says of itself that it did not help."""
    return event.outcome is None and says_in_vain(event.text)


def evades(command: str) -> bool:
    """Whether `command` gets around what failed instead of mending it: nobody should be taught that."""
    return _EVADES.search(command) is not None


def says_evaded(text: str) -> bool:
    """Whether `text` tells, by a command or in words, that somebody got around what failed."""
    return evades(text) or _SAYS_EVADED.search(text) is not None


def mends(kind: EventKind, text: str) -> bool:
    """Whether an event of `kind` with `text` may tell of something that was done about a trouble."""
    return kind in _DOES or (kind in REMEDIES and says_fix(text))


def shown(text: str) -> str:
    """`text` on one line, bounded."""
    line = " ".join(text.split())
    return line if len(line) <= SHOWN_CHARACTERS else f"{line[: SHOWN_CHARACTERS - 1].rstrip()}…"
