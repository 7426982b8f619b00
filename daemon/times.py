"""Instants as answers show them."""

from datetime import UTC, datetime


def rfc3339(instant: datetime) -> str:
    """In UTC with `Z`; microseconds only where there are some."""
    return instant.astimezone(UTC).isoformat().replace("+00:00", "Z")


def rfc3339_or_none(instant: datetime | None) -> str | None:
    return None if instant is None else rfc3339(instant)
