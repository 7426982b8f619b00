"""The only place that reads the clock, and the one reader of instants that people and sources write.

Everyone else is given `now`. An instant carries a zone: a naive time would mean another instant on another host, so
it is refused rather than guessed (design, section 9). What comes back is always in UTC.
"""

import re
from datetime import UTC, datetime

from dreamd.daemon.errors import BadData

# Outside of these arithmetic with days would leave what a datetime can hold. What an event may have is a limit.
YEARS = range(1_900, 9_001)
ANY_YEAR = range(1, 10_000)

_DATE_TIME = r"(\d{4})-\d\d-\d\d[Tt ](?:[01]\d|2[0-3]):\d\d(?::\d\d(?:[.,]\d{1,9})?)?"
_RFC3339 = re.compile(_DATE_TIME + r"(?:[Zz]|[+-]\d\d:?\d\d)", re.ASCII)
_NAIVE = re.compile(_DATE_TIME, re.ASCII)
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_SHOWN_CHARACTERS = 60  # of a value that is quoted back


def now() -> datetime:
    """This instant, in UTC, to the microsecond."""
    return datetime.now(UTC)


def parse_instant(text: str, years: range = YEARS) -> datetime:
    """The instant that `text` names, in UTC and in one of `years`; digits beyond microseconds are cut off.

    RFC 3339 with `T` or a space; seconds may be missing. Raises BadData for all else, such as a time without a zone.
    """
    match = _RFC3339.fullmatch(text)
    if match is None:
        raise BadData(*_refusal(text))
    year = int(match[1])
    if year not in years:
        raise BadData(f"{text[:_SHOWN_CHARACTERS]!r} is in the year {year}; allowed are {years[0]} to {years[-1]}")
    try:
        return datetime.fromisoformat(text.upper().replace(",", ".")).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise BadData(f"{text[:_SHOWN_CHARACTERS]!r} is no instant: {error}") from None


def _refusal(text: str) -> tuple[str, str]:
    shown = text[:_SHOWN_CHARACTERS]
    if _NAIVE.fullmatch(text):
        return (
            f"{shown!r} has no time zone",
            f"add the zone it was taken in, such as {shown}Z for UTC or {shown}+01:00",
        )
    if _DATE.fullmatch(text):
        return f"{shown!r} has no time of day and no zone", f"write the instant, such as {shown}T00:00:00Z for UTC"
    return f"{shown!r} is no RFC 3339 instant", "write it like 2026-01-05T09:00:00Z or 2026-01-05T10:00:00+01:00"
