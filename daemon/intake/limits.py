"""How large, deep, early and late what comes in may be. The reason of a rejection names the limit that was passed.

Every way in obeys them: JSONL, adapters and `record` refuse what passes one; a commit, which nobody can write anew, is
cut to them, but for its date.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    event_bytes: int = 1_000_000  # of one event as JSON, so of one line
    text_characters: int = 100_000  # of `text` and of `because`
    name_characters: int = 500  # of target, source, session, scope, id and each tag; they are parts of keys and files
    path_characters: int = 4_096  # of each entry of `files`
    list_items: int = 10_000  # of `files` and `tags`
    json_depth: int = 32  # of objects and lists within each other
    document_bytes: int = 32_000_000  # of a transcript that is one document, which is held as a whole
    earliest_year: int = 1970  # a date before it is a field that was never set, or a broken clock's
    ahead_days: float = 36_525.0  # a date further ahead of the present is no date; a nearer one waits until it comes
    spaces: int = 1_000  # of a home; each is a repository and a part of every run, so no source opens them without end


def time_problem(at: datetime, now: datetime, limits: Limits) -> str | None:
    """Why no event may have happened at `at`, told at `now`; None if one may."""
    if at.year < limits.earliest_year:
        return f"is in the year {at.year}; earliest_year allows {limits.earliest_year} and later"
    if at - now > timedelta(days=limits.ahead_days):
        days = (at - now) / timedelta(days=1)
        return f"is {days:.2f} days ahead of {now:%Y-%m-%d}, the present; ahead_days allows {limits.ahead_days:g}"
    return None
