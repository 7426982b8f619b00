"""Instants as answers show them and options name them."""

import re
from datetime import UTC, datetime, timedelta

from dreamd.daemon.clock import parse_instant
from dreamd.daemon.errors import BadData

_AGO = re.compile(r"(\d{1,6})([mhdw])", re.ASCII)
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def rfc3339(instant: datetime) -> str:
    """In UTC with `Z`; microseconds only where there are some."""
    return instant.astimezone(UTC).isoformat().replace("+00:00", "Z")


def instant_or_ago(text: str, now: datetime) -> datetime:
    """The instant that `text` names, or so long before `now`: 30m, 12h, 7d, 2w. Raises BadData."""
    ago = _AGO.fullmatch(text)
    if ago is not None:
        try:
            return now - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
        except OverflowError:
            raise BadData(f"{text!r} is before all time", "give less, such as 52w") from None
    try:
        return parse_instant(text)
    except BadData as bad:
        raise BadData(bad.message, f"{bad.hint or 'give another instant'}; or how long ago: 12h, 7d, 2w") from None


def rfc3339_or_none(instant: datetime | None) -> str | None:
    return None if instant is None else rfc3339(instant)
