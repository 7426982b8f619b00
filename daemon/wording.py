"""The names that somebody may have meant, and lists of names."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

SHOWN_NAMES = 8  # of a list of names in an error


def did_you_mean(asked: str, names: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """The names nearest to `asked`, nearest first: by letters, or as a part of a longer name."""
    known = sorted(set(names))
    near = get_close_matches(asked.casefold(), known, n=most, cutoff=0.6)
    part = [name for name in known if asked and asked.casefold() in name.casefold() and name not in near]
    return tuple([*near, *sorted(part, key=len)][:most])


def some_of(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    more = len(names) - SHOWN_NAMES
    return ", ".join(names[:SHOWN_NAMES]) + (f" and {more} more" if more > 0 else "")
