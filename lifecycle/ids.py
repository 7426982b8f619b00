"""Ids are derived from keys, never drawn and never taken from whichever event came first.

So a crash retry, another batch size and another machine agree on every id (design, section 3).
"""

from functools import lru_cache
from hashlib import sha256

ID_HEX_DIGITS = 16  # 64 bits: at ten million rows of a kind the chance of one clash is 3 in a million


def digest_of(*parts: str | None) -> str:
    """The sha256 (64 hex digits) of `parts`; parts carry their length, None differs from the empty text."""
    pieces = [
        "-;" if part is None else f"{len(part) if part.isascii() else len(part.encode())};{part}" for part in parts
    ]
    return sha256("".join(pieces).encode()).hexdigest()


def _id(prefix: str, *parts: str | None) -> str:
    return f"{prefix}_{digest_of(prefix, *parts)[:ID_HEX_DIGITS]}"


def event_id(space: str, source: str, given_id: str | None, content_digest: str) -> str:
    """The delivery identity: the given id within its source, else the digest of the content (design, section 4)."""
    if given_id is not None:
        return _id("ev", space, "given", source, given_id)
    return _id("ev", space, "digest", content_digest)


@lru_cache(maxsize=16_384)
def stream_id(space: str, target: str) -> str:
    """`target` is the canonical target at the birth of the stream."""
    return _id("st", space, target)


def claim_id(stream: str, text_key: str, occurrence: int) -> str:
    """`occurrence` counts from 0 how often the statement came back after it had been superseded."""
    return _id("cl", stream, text_key, *(() if occurrence == 0 else (str(occurrence),)))


def link_id(event: str, stream: str | None) -> str:
    return _id("ln", event, stream)


def further_link_id(event: str, stream: str, claim: str) -> str:
    """One more link of an event to a stream; see further.py."""
    return _id("ln", event, stream, claim)


def quarantine_id(event: str) -> str:
    """The link that says what stands about `event` in quarantine; see quarantine.py."""
    return _id("ln", event, "", "quarantine")


def group_id(stream: str, group_key: str) -> str:
    """The group of claims that say the same."""
    return _id("gr", stream, group_key)


def alias_id(space: str, spelling: str) -> str:
    return _id("al", space, spelling)


def pin_id(space: str, subject: str) -> str:
    return _id("pn", space, subject)


def hold_id(space: str, kind: str, subject: str, evidence_digest: str) -> str:
    return _id("ho", space, kind, subject, evidence_digest)


def tombstone_id(space: str, kind: str, digest: str) -> str:
    return _id("tb", space, kind, digest)


def proposal_id(space: str, kind: str, *subjects: str) -> str:
    return _id("pr", space, kind, *subjects)


def question_id(space: str, *claims: str) -> str:
    return _id("qu", space, *claims)


def run_id(space: str, base: str, now: str, changes_digest: str) -> str:
    return _id("run", space, base, now, changes_digest)


def change_group_id(run: str, smallest_subject: str) -> str:
    """The id of one group of a run: the unit of revert."""
    return _id("op", run, smallest_subject)
