"""Seals: keyed digests by which something is known again that must not be kept.

A tombstone holds a seal and no text. Without the home's key file nobody can try texts against it, which a plain digest
would allow for anything short.
"""

import hmac
from collections.abc import Callable
from functools import cache
from hashlib import sha256

SEAL_HEX_DIGITS = 32

# What a person forgot is stored, and not believed; what was purged is not stored again.
CLAIM = "claim"  # the text key of a statement
CLAIM_ELSEWHERE = "claim-elsewhere"  # the same, of a forgotten target: it does not count in that target's own stream
SUBJECT = "subject"  # a canonical target
PURGED_EVENT = "purged-event"  # the id of an event: its delivery identity
PURGED_TEXT = "purged-text"  # the text key of a whole text, or of a statement
PURGED_SUBJECT = "purged-subject"  # a canonical target
PURGED = (PURGED_EVENT, PURGED_TEXT, PURGED_SUBJECT)


class Seal:
    """Makes the seals of one home."""

    def __init__(self, key: Callable[[], bytes]) -> None:
        self._key = cache(key)  # read when it is needed: who only looks at a memory may not read it

    def __call__(self, space: str, kind: str, text: str) -> str:
        """The seal of `text` as a thing of `kind` in `space`; in another space, or as another thing, it is another."""
        told = "\0".join((space, kind, text)).encode("utf-8", "surrogatepass")
        return hmac.new(self._key(), told, sha256).hexdigest()[:SEAL_HEX_DIGITS]
