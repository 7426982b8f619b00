"""When a space was awake, and how much of a silence therefore counts (design, section 5).

An instant counts if some event of the space lies at most a window before it. Events whose gaps are no longer than the
window form a chain; all that is kept of a chain is its first and its last instant, so the clock of a space is short,
grows in any order and batching, and outlives the events. All arithmetic is in whole microseconds, so that a bound is
met exactly: `instant_after` is the inverse of `waking_days`. Intervals of None mean that every instant counts.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from math import ceil
from operator import itemgetter

from dreamd.lifecycle.policy import Policy

Interval = tuple[datetime, datetime]
Chains = tuple[Interval, ...]  # (first, last) event instant of each chain, ascending and disjoint

MICROSECOND = timedelta(microseconds=1)
MICROSECONDS_PER_DAY = 86_400_000_000

_end_of = itemgetter(1)


def chains(instants: Iterable[datetime], window_days: float) -> Chains:
    """The chains that events at `instants` (in any order, with repetitions) form."""
    return merge_chains((), instants, window_days)


def merge_chains(known: Sequence[Interval], instants: Iterable[datetime], window_days: float) -> Chains:
    """`known` with events at `instants` added: the same as the chains of all events at once.

    An event between two chains may join them. A gap of exactly the window still holds a chain together.
    """
    window = timedelta(days=window_days)
    merged: list[Interval] = []
    for first, last in sorted([*known, *((at, at) for at in set(instants))]):
        if merged and first - merged[-1][1] <= window:
            merged[-1] = (merged[-1][0], max(merged[-1][1], last))
        else:
            merged.append((first, last))
    return tuple(merged)


def waking_intervals(known: Sequence[Interval], window_days: float) -> tuple[Interval, ...]:
    """When the space was awake: from the first event of each chain until a window after its last.

    Closed, disjoint and ascending.
    """
    window = timedelta(days=window_days)
    return tuple((first, last + window) for first, last in known)


def counted(intervals: Sequence[Interval], policy: Policy) -> Sequence[Interval] | None:
    """What counts as silence under `policy`: the waking `intervals`, or all time (None)."""
    return None if policy.silence == "calendar" else intervals


def waking_days(intervals: Sequence[Interval] | None, start: datetime, end: datetime) -> float:
    """How many days between `start` and `end` the space was awake; 0 if `end` is not after `start`."""
    if end <= start:
        return 0.0
    if intervals is None:
        return _days(end - start)
    total = timedelta()
    for index in range(bisect_left(intervals, start, key=_end_of), len(intervals)):
        first, last = intervals[index]
        if first >= end:
            break
        total += min(last, end) - max(first, start)
    return _days(total)


def instant_after(intervals: Sequence[Interval] | None, start: datetime, days: float) -> datetime | None:
    """The first instant `t` from `start` on with `waking_days(intervals, start, t) >= days`.

    None if the space falls asleep before, as far as `intervals` know.
    """
    if days <= 0:
        return start
    needed = microseconds_of(days)
    if intervals is None:
        return _later(start, needed)
    for index in range(bisect_left(intervals, start, key=_end_of), len(intervals)):
        first, last = intervals[index]
        begin = max(first, start)
        there = (last - begin) // MICROSECOND
        if needed <= there:
            return begin + timedelta(microseconds=needed)
        needed -= there
    return None


def microseconds_of(days: float) -> int:
    """The fewest whole microseconds that are at least `days`, as `waking_days` would measure them."""
    guess = ceil(days * MICROSECONDS_PER_DAY)
    while guess / MICROSECONDS_PER_DAY < days:
        guess += 1
    while (guess - 1) / MICROSECONDS_PER_DAY >= days:
        guess -= 1
    return guess


def _days(duration: timedelta) -> float:
    return (duration // MICROSECOND) / MICROSECONDS_PER_DAY


def _later(start: datetime, microseconds: int) -> datetime | None:
    try:
        return start + timedelta(microseconds=microseconds)
    except OverflowError:  # after the year 9999: never
        return None
