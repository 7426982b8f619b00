"""Two keys of a text: what is one claim, and what says the same.

Claims with equal `text_key` are ONE: NFC and white space only, for anything further destroys a difference (`x²` is
not `x2`). Claims with equal `group_key` are shown as one and both kept. It too never steps over a number, a polarity,
a name, a version, a date or an identifier: it lowers ordinary capitalised words, unifies typographic signs and drops
a final full stop. A commit prefix stays, for `revert: x` is the opposite of `feat: x`.
"""

import re
import unicodedata
from functools import lru_cache

_TYPOGRAPHIC = str.maketrans("‘’‚‛“”„‟‐‑‒–—−", "''''\"\"\"\"------")
_QUOTED = re.compile(r"(`[^`]*`|\"[^\"]*\")")
# A word of letters that stands alone: not a piece of a path, a version, an option, an identifier or an address.
# One that begins with a small ASCII letter has nothing to lower.
_PLAIN_WORD = re.compile(r"(?<![\w./\\:@#$%&*+=~-])(?![a-z])[^\W\d_]+(?![\w/\\@#$%&*+=~]|[.:'-]\w)")


def text_key(text: str) -> str:
    """`text` in NFC with its white space collapsed."""
    normal = text if text.isascii() else unicodedata.normalize("NFC", text)
    return " ".join(normal.split())


@lru_cache(maxsize=16_384)
def group_key(text: str) -> str:
    """`text_key` with ordinary capitals, typographic signs and the final full stop or exclamation mark levelled.

    Quoted and backticked spans, mixed case (`authService`), capitals (`US`) and single letters inside stay as they are.
    """
    key = text_key(text if text.isascii() else text.translate(_TYPOGRAPHIC)).rstrip(" .!")
    if "`" not in key and '"' not in key:
        return _lowered(key, at_start=True)
    pieces = _QUOTED.split(key)
    return "".join(piece if at % 2 else _lowered(piece, at_start=at == 0) for at, piece in enumerate(pieces))


def _lowered(piece: str, *, at_start: bool) -> str:
    if piece.islower():
        return piece

    def lower(match: re.Match[str]) -> str:
        word = match[0]
        if len(word) == 1:
            return word.lower() if at_start and match.start() == 0 else word
        return word.lower() if word[0].isupper() and word[1:].islower() else word

    return _PLAIN_WORD.sub(lower, piece)
