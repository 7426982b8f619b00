"""The day that a statement looks forward to: written out, or named from the day on which it was said.

"Tomorrow", "in 3 weeks", "next Friday" (the Friday of the next week, weeks beginning on Monday), "by Friday" (the
first one from then on), "by end of March" and "due on Oct 15" (the next there is) have one reading. "This quarter",
"soon", "on Friday" have none: they stay as they were said and are flagged. That a day has passed says nothing about
whether what was to happen has happened.
"""

import calendar
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

MONTHS = {name.casefold(): number for number, name in enumerate(calendar.month_abbr) if name}
WEEKDAYS = {name.casefold(): number for number, name in enumerate(calendar.day_name)}
MAX_TEXT = 2_000  # characters that are read

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_WEEKDAY = rf"(?:{'|'.join(WEEKDAYS)})"
# What makes a date one to look forward to; a date without it may be of anything.
_CUE = (
    r"(?:by|until|till|before|no later than|due(?: date)?(?: is)?(?: on| by| in)?|deadline(?: is| of)?(?: on)?"
    r"|expires?(?: on| at the)?|ends?(?: on)?|scheduled for|planned for|postponed to|moved to"
    r"|appointment(?: is)?(?: on)?)"
)
_AHEAD = re.compile(
    rf"\b(?P<cue>{_CUE} )?(?:the )?(?:(?P<near>today|tomorrow|day after tomorrow)"
    rf"|in (?P<count>\d{{1,3}}|a|an|one|two|three|four|five|six) (?P<unit>day|week|month|year)s?\b(?! (?:a|of)\b)"
    rf"|next (?P<next_day>{_WEEKDAY})"
    rf"|end of (?P<end_of>(?:the|this|next) (?:week|month|quarter|year))"
    rf"|(?P<vague>(?:this|next) (?:week|month|quarter|year|sprint|release)|(?:later|some day|sometime) this \w+)"
    rf"|(?:this |coming )?(?P<by_day>{_WEEKDAY})"
    rf"|end of (?P<end_month>{_MONTH})(?: (?P<end_year>\d{{4}}))?"
    r"|(?P<iso>\d{4}-\d\d-\d\d)"
    rf"|(?P<month>{_MONTH}) (?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)(?:,? (?P<year>\d{{4}}))?"
    rf"|(?P<day_first>\d{{1,2}})(?:st|nd|rd|th)?\.? (?P<month_then>{_MONTH})(?: (?P<year_then>\d{{4}}))?"
    r"|(?P<hazy>soon|Q[1-4]))\b",
    re.IGNORECASE,
)
# One of these is in every text that names a day; looked for first, since most name none.
_ANY = (
    "day", "week", "month", "quarter", "year", "sprint", "release", "tomorrow", "soon", " q",
    *(f" {month}" for month in MONTHS), *(f"{digit}-" for digit in range(10)),
)  # fmt: skip
_NEED_A_CUE = ("by_day", "end_month", "iso", "month", "month_then", "hazy")
_TO_COME = re.compile(rf"\b(?:will|shall|going to)\b[^.;!?]{{0,60}} on {_WEEKDAY}\b", re.IGNORECASE)
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
# "Deploys on Friday are not allowed" is a rule, and names no day.
_HABIT = re.compile(r"\b(?:always|never|every|each|usually|allowed|forbidden|must not|(?-i:may))\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ahead:
    words: str  # as they stand in the text
    on: date | None  # the day that they name; None: they name none for certain


def day_ahead(text: str, said_on: date) -> Ahead | None:
    """The first day that `text`, said on `said_on` (UTC), looks forward to; None if it looks to none."""
    read = text[:MAX_TEXT]
    lowered = read.lower()
    if not any(word in lowered for word in _ANY):
        return None
    is_rule = _HABIT.search(read) is not None
    for found in _AHEAD.finditer(read):
        needs_a_cue = any(found[name] is not None for name in _NEED_A_CUE)
        if (found["cue"] is None and needs_a_cue) or (is_rule and (found["by_day"] or found["vague"])):
            continue
        return Ahead(words=found[0], on=_day_or_none(found, said_on))
    to_come = None if is_rule else _TO_COME.search(read)
    return None if to_come is None else Ahead(words=to_come[0], on=None)


def over_at(text: str, said_at: datetime) -> datetime | None:
    """The instant at which the day that `text` looks forward to is over (UTC); None if it names none ahead of it."""
    ahead = day_ahead(text, said_at.date())
    if ahead is None or ahead.on is None or ahead.on < said_at.date() or ahead.on.year >= date.max.year:
        return None
    return datetime(ahead.on.year, ahead.on.month, ahead.on.day, tzinfo=UTC) + timedelta(days=1)


def _day_or_none(found: re.Match[str], said_on: date) -> date | None:
    try:
        return _day(found, said_on)
    except OverflowError:  # beyond the year 9999
        return None


def _day(found: re.Match[str], said_on: date) -> date | None:  # noqa: PLR0911 - one return a wording
    if (near := found["near"]) is not None:
        return said_on + timedelta(days=("today", "tomorrow", "day after tomorrow").index(near.casefold()))
    if (count := found["count"]) is not None:
        return _later(said_on, _COUNTS.get(count.casefold()) or int(count), found["unit"].casefold())
    if (weekday := found["next_day"]) is not None:
        monday = said_on + timedelta(days=7 - said_on.weekday())
        return monday + timedelta(days=WEEKDAYS[weekday.casefold()])
    if (weekday := found["by_day"]) is not None:
        return said_on + timedelta(days=(WEEKDAYS[weekday.casefold()] - said_on.weekday()) % 7)
    if (month := found["end_month"]) is not None:
        return _end_of_month(said_on, MONTHS[month[:3].casefold()], found["end_year"])
    if (span := found["end_of"]) is not None:
        return _end_of(said_on, *span.casefold().split())
    if (iso := found["iso"]) is not None:
        return _written(iso)
    if found["month"] is not None:
        return _next(said_on, found["month"], found["day"], found["year"])
    if found["month_then"] is not None:
        return _next(said_on, found["month_then"], found["day_first"], found["year_then"])
    return None


def _later(said_on: date, count: int, unit: str) -> date | None:
    if unit in ("day", "week"):
        return said_on + timedelta(days=count * (7 if unit == "week" else 1))
    months = said_on.month - 1 + count * (12 if unit == "year" else 1)
    year, month = said_on.year + months // 12, months % 12 + 1
    if year > date.max.year:
        return None
    return date(year, month, min(said_on.day, calendar.monthrange(year, month)[1]))


def _end_of_month(said_on: date, month: int, year: str | None) -> date | None:
    wanted = int(year) if year else said_on.year + (month < said_on.month)
    return _last_day(wanted, month) if date.min.year <= wanted <= date.max.year else None


def _end_of(said_on: date, which: str, span: str) -> date | None:
    ahead = which == "next"
    if span == "week":
        return said_on + timedelta(days=6 - said_on.weekday() + 7 * ahead)
    months = {"month": 1, "quarter": 3, "year": 12}[span]
    first = (said_on.month - 1) // months * months + months * ahead  # months from January to where the span begins
    last = first + months - 1
    return _last_day(said_on.year + last // 12, last % 12 + 1)


def _next(said_on: date, month: str, day: str, year: str | None) -> date | None:
    """The day with the year that is given, else the first one from `said_on` on; None if there is no such day."""
    number = MONTHS[month[:3].casefold()]
    for wanted in [int(year)] if year else range(said_on.year, said_on.year + 8):
        if 1 <= wanted <= date.max.year and 1 <= int(day) <= calendar.monthrange(wanted, number)[1]:
            found = date(wanted, number, int(day))
            if year or found >= said_on:
                return found
    return None


def _written(iso: str) -> date | None:
    try:
        return date.fromisoformat(iso)
    except ValueError:
        return None


def _last_day(year: int, month: int) -> date | None:
    return date(year, month, calendar.monthrange(year, month)[1]) if year <= date.max.year else None
