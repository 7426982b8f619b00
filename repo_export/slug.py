"""Where a stream's file lies: a name that any file system, shell and reader takes, and that no other target has.

A name that can be read back letter for letter stays plain (`redis_caching` is `redis-caching`). Whatever loses
something on the way carries 16 hex digits of the hash of the whole name, and a plain name that looks as if it did
carries them too, so that no two targets meet: with 8, two of 100,000 emoji would. A path is a function of the
stream's row alone.
"""

import re
import unicodedata
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from typing import Protocol

from dreamd.lifecycle.words import Phase, Status, Vitality

SHELVES = ("preferences", "projects", "knowledge", "lessons")  # folders of live files, in the order they are shown
ARCHIVE = "archive"
SLUG_MAX_LENGTH = 64
HASH_HEX_DIGITS = 16  # as in ids

_PLAIN = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)*")
_LOOKS_HASHED = re.compile(r"(?:.*_)?[0-9a-f]{16}")
_RESERVED = frozenset(
    {"con", "prn", "aux", "nul", "index", "readme", "memory"}
    | {f"{device}{number}" for device in ("com", "lpt") for number in range(10)}
)


@lru_cache(maxsize=65_536)  # the same names, several times a night
def slug(target: str) -> str:
    """The file name (without ending) for a canonical `target`: `[a-z0-9-]{1,64}`, not beginning or ending in `-`."""
    if _is_lossless(target):
        return target.replace("_", "-")
    # NFC: the two ways to write an accent are one name.
    whole = unicodedata.normalize("NFC", target)
    digits = sha256(whole.encode("utf-8", "backslashreplace")).hexdigest()[:HASH_HEX_DIGITS]
    ascii_letters = unicodedata.normalize("NFKD", whole).encode("ascii", "ignore").decode("ascii").lower()
    kept = re.sub(r"[^a-z0-9]+", "-", ascii_letters)[: SLUG_MAX_LENGTH - HASH_HEX_DIGITS - 1].strip("-")
    return f"{kept or 'x'}-{digits}"


class Placed(Protocol):
    """As much of a stream as says where its file lies and where it comes in a list."""

    @property
    def id(self) -> str: ...
    @property
    def target(self) -> str: ...
    @property
    def phase(self) -> Phase: ...
    @property
    def vitality(self) -> Vitality: ...
    @property
    def status(self) -> Status: ...
    @property
    def shelf(self) -> str: ...
    @property
    def base_confidence(self) -> float: ...
    @property
    def merged_into(self) -> str | None: ...
    @property
    def crossed_at(self) -> datetime | None: ...
    @property
    def last_seen(self) -> datetime | None: ...  # None: not asked, since it is active


def path_of(stream: Placed) -> str | None:
    """The path of the file of `stream` from the root of the repository; None for a pattern, which has none."""
    if stream.phase is Phase.PATTERN:
        return None
    name = slug(stream.target)
    if stream.status is not Status.ACTIVE:
        left_at = stream.crossed_at or stream.last_seen
        assert left_at is not None
        return f"{ARCHIVE}/{left_at.year:04d}/{name}.md"
    if stream.shelf not in SHELVES:
        raise ValueError(f"shelf {stream.shelf!r} of stream {stream.id} is none of {', '.join(SHELVES)}")
    return f"{stream.shelf}/{name}.md"


def name_of(path: str) -> str:
    """The file name without its ending: the slug, which no other stream of the space has."""
    return path.rpartition("/")[2].removesuffix(".md")


def _is_lossless(target: str) -> bool:
    return (
        len(target) <= SLUG_MAX_LENGTH
        and _PLAIN.fullmatch(target) is not None
        and target not in _RESERVED
        and _LOOKS_HASHED.fullmatch(target) is None
    )
