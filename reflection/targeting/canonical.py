"""The canonical form of a name: one for every spelling of it, so that what differs in a digit or sign stays apart.

`Auth-Service`, `authService` and `auth service` have one form; `db2` and `db3` have two (design, section 6).
"""

import re
import unicodedata
from functools import lru_cache
from hashlib import sha256

# Signs that make names differ (c++, c#, c*, r&d) although they are punctuation; + and $ are symbols anyway.
_KEPT_PUNCTUATION = frozenset("#%&*")
_SEPARATING_SYMBOLS = frozenset("<>=|~")
# Written with a hump inside, yet one word in every other spelling; listed in that spelling. Edit freely.
_ONE_WORD_NAMES = frozenset(
    [
        "DynamoDB",
        "FastAPI",
        "GitHub",
        "GitLab",
        "GraphQL",
        "JavaScript",
        "LaTeX",
        "MariaDB",
        "MongoDB",
        "MySQL",
        "NumPy",
        "OpenAI",
        "PostgreSQL",
        "PyPI",
        "PyTorch",
        "RabbitMQ",
        "SQLAlchemy",
        "SQLite",
        "TypeScript",
        "iOS",
        "macOS",
    ]
)
_WORD = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"(?<=[^\W\d_])(?=[^\W\d_])")


@lru_cache(maxsize=8192)
def canonical_form(name: str) -> str:
    """The one form of every spelling of `name`: NFKC, case folded, humps and separators as a single `_`.

    Letters and digits are never split. A name of separators only gets a form made of its digest, so that only the empty
    name has an empty form. `canonical_form(canonical_form(n)) == canonical_form(n)`.
    """
    if not name:
        return ""
    plain = unicodedata.normalize("NFKC", _without_marks(name))
    folded = _folded(_WORD.sub(lambda word: _split_humps(word[0]), plain))
    form = "_".join("".join(" " if _separates(char) else char for char in folded).split())
    if form and not form.isspace():
        return form
    return f"sign_{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def _without_marks(name: str) -> str:
    """Without invisible format characters, which no reader can see."""
    return name if name.isascii() else "".join(char for char in name if unicodedata.category(char) != "Cf")


def _folded(name: str) -> str:
    """Case folded and NFKC until neither changes anything: folding can denormalise, and the other way round."""
    while (folded := unicodedata.normalize("NFKC", _without_marks(name).casefold())) != name:
        name = folded
    return name


def _split_humps(word: str) -> str:
    """`authService` -> `auth_Service`, `HTTPServer` -> `HTTP_Server`; `PDFs` and `SQLite` stay."""
    if word in _ONE_WORD_NAMES or word.islower():
        return word
    return _HUMP.sub(lambda at: "_" if _is_hump(word, at.start()) else "", word)


def _is_hump(word: str, at: int) -> bool:
    if not _is_capital(word[at]):
        return False
    if word[at - 1].islower():
        return True
    # The last capital of a run begins the next word, unless only a plural `s` follows: HTTPServer, but PDFs.
    return _is_capital(word[at - 1]) and word[at + 1 : at + 3].islower() and len(word) > at + 2


def _is_capital(char: str) -> bool:
    return char.isupper() and char.casefold() != char  # Cherokee folds to capitals; those are no humps


def _separates(char: str) -> bool:
    if char.isalnum() or char in _KEPT_PUNCTUATION:
        return False
    category = unicodedata.category(char)
    return char in _SEPARATING_SYMBOLS or category == "Sk" or category[0] in "PZC"
