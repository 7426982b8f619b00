"""What makes two deliveries one: the digest of an event's content (design, section 4).

It is taken over the redacted text, so what is compared is what is stored, and over the instant in UTC, so that a source
that changes its offset still delivers the same event.
"""

from datetime import UTC, datetime

from dreamd.lifecycle.ids import digest_of
from dreamd.lifecycle.words import Actor, EventKind


def content_digest(  # noqa: PLR0913 - the eight parts are the contract
    *,
    at: datetime,
    kind: EventKind,
    target: str | None,
    text: str,
    actor: Actor,
    source: str,
    session: str | None,
    outcome: float | None,
) -> str:
    """The sha256 (64 hex digits) of what an event says; `because`, files and tags are not part of it."""
    return digest_of(
        at.astimezone(UTC).isoformat(),
        kind,
        target,
        text,
        actor,
        source,
        session,
        None if outcome is None else repr(float(outcome)),
    )
