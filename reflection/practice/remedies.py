"""What counts as something done about a trouble, and how it is shown."""

import re

from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import EventKind
from dreamd.reflection.practice.values import REMEDIES

SHOWN_CHARACTERS = 240

_SAYS_FIX = re.compile(
    r"^(?:[a-z]+\([^)]*\)!?:\s*)?(?:fix|hotfix|bugfix|revert)\b|\b(?:fix(?:e[sd]|ing)?|bug ?fix|hotfix|repair(?:s|ed)?|"
    r"resolv(?:e[sd]?|ing)|work(?:s|ed)? around|workaround|mend(?:s|ed)?|correct(?:s|ed)?)\b",
    re.IGNORECASE,
)
_DOES = frozenset({EventKind.ACTION, EventKind.CORRECTION, EventKind.INTERVENTION})


def says_fix(text: str) -> bool:
    """Whether the first line of `text` says that something is mended."""
    return _SAYS_FIX.search(text.split("\n", 1)[0]) is not None


def is_remedy(event: Event) -> bool:
    """Whether `event` tells of something that was done about a trouble."""
    if "command" in event.tags or "tool" in event.tags or not mends(event.kind, event.text):
        return False
    return event.kind not in _DOES or event.outcome is None or event.outcome > 0.0


def mends(kind: EventKind, text: str) -> bool:
    """Whether an event of `kind` with `text` may tell of something that was done about a trouble."""
    return kind in _DOES or (kind in REMEDIES and says_fix(text))


def shown(text: str) -> str:
    """`text` on one line, bounded."""
    line = " ".join(text.split())
    return line if len(line) <= SHOWN_CHARACTERS else f"{line[: SHOWN_CHARACTERS - 1].rstrip()}…"
