"""What one shape of a secret is: how it is found, what it is called, an example that goes and one that stays."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

Place = Callable[[str, re.Match[str]], tuple[int, int] | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    kind: str  # what a reader sees: [redacted:kind:tag]
    anchors: tuple[str, ...]
    source: str  # of the pattern; what it names `secret` is hidden, else all it matches
    example: str  # holds a secret
    counter_example: str  # looks alike and holds none
    also: tuple[str, ...] = ()  # one of these has to be there too, if there are any
    least_word: int = 0  # characters of the longest word with a digit there has to be, unless there is a =
    meaning: str = ""  # where it stands, for the reference
    place: Place | None = None  # where in the text the secret of a match is; None: there is none; default: all

    @property
    def pattern(self) -> re.Pattern[str]:
        """Compiled when it is first needed: all of them take as long as a whole command may."""
        return _compiled(self.source)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source)
