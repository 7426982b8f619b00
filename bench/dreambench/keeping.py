"""What stays in the index and what leaves it.

An index is judged as of the end of the day before. Each function gives the targets that fail, and how many were
judged.
"""

from collections.abc import Iterator
from datetime import datetime

from bench.dreambench.port import PHASES
from bench.dreambench.watch import Watched, first_deliveries
from dreamd.daemon.simulate.calendar import day_of
from dreamd.daemon.simulate.values import Says, Target, Truth

Found = tuple[list[Target], int]
PREFERENCES = ("preference", "rare rule")


def lost(watched: Watched, *, is_preference: bool) -> Found:
    """Targets that their class keeps and that were absent when they had to be there.

    KEPT: it was in the index on an earlier day and is absent on a day when a later event confirms it. KEPT_NIGHTLY: it
    is absent on any day after the first night, for as many days as the class names.
    """
    delivered = first_deliveries(watched.history)
    judged, failing = 0, []
    for target in watched.history.targets:
        if (target.kind in PREFERENCES) is not is_preference:
            continue
        for truth in target.truths:
            if truth.says is Says.KEPT:
                judged += 1
                failing += [target] if _was_missed(watched, target, truth) else []
            elif truth.says is Says.KEPT_NIGHTLY:
                first = target.happenings[0]
                since = delivered[(first.target, first.fields()["at"], first.text)]
                last = watched.history.calendar.days if truth.days is None else since + truth.days - 1
                judged += 1
                nights = range(since, min(last, watched.history.calendar.days) + 1)
                failing += [target] if any(not _is_listed(watched, target, night) for night in nights) else []
    return failing, judged


def gone_early(watched: Watched) -> Found:
    """Targets that are absent on a night from their delivery to the day that their class names, or to the last day."""
    delivered = first_deliveries(watched.history)
    judged, failing = 0, []
    for target, truth in _of(watched, Says.LISTED):
        assert truth.by is not None
        first = target.happenings[0]
        since = delivered[(first.target, first.fields()["at"], first.text)]
        nights = range(since, min(_night(truth.by), watched.history.calendar.days) + 1)
        judged += 1
        failing += [target] if any(not _is_listed(watched, target, night) for night in nights) else []
    return failing, judged


def kept_though_dead(watched: Watched, kinds: tuple[str, ...]) -> Found:
    """Targets of `kinds` that are listed on the day by which they are to be gone."""
    judged = [(target, truth) for target, truth in _dated(watched, Says.GONE) if target.kind in kinds]
    failing = [target for target, truth in judged if _is_listed(watched, target, _night(truth.by))]
    return failing, len(judged)


def not_archived(watched: Watched) -> Found:
    judged = list(_dated(watched, Says.ARCHIVED))
    failing = []
    for target, truth in judged:
        seen = watched.seen(target.name, _night(truth.by))
        if seen is None or not seen.is_archived or not watched.statements[target.name]:
            failing.append(target)
    return failing, len(judged)


def not_woken(watched: Watched) -> Found:
    """Targets that came back and lack, at the end, the phase or the statements that they had."""
    judged, failing = 0, []
    for target, truth in _of(watched, Says.WAKES):
        if truth.since is None or target.happenings[-1].at < truth.since:
            continue
        judged += 1
        before = max(_phase(watched, target, day) for day in range(1, day_of(truth.since)))
        texts = {said.text for said in watched.statements[target.name]}
        seen = watched.seen(target.name, watched.history.calendar.days)
        is_whole = set(truth.texts) <= texts
        if seen is None or not is_whole or PHASES.index(seen.phase) < before:
            failing.append(target)
    return failing, judged


def not_doubtful(watched: Watched) -> Found:
    """Targets that were listed without a word of doubt once all that opposes them had come."""
    delivered = first_deliveries(watched.history)
    judged, failing = 0, []
    for target, truth in _of(watched, Says.DOUBTFUL):
        if truth.since is None or truth.since >= watched.history.calendar.end:
            continue
        judged += 1
        known = max(delivered[(each.target, each.fields()["at"], each.text)] for each in target.happenings)
        seen = [watched.seen(target.name, day) for day in range(known, watched.history.calendar.days + 1)]
        if any(one is not None and one.is_listed and not one.is_doubtful for one in seen):
            failing.append(target)
    return failing, judged


def first_listed(watched: Watched, target: Target) -> int | None:
    """The first day at whose end it is listed."""
    days = range(1, watched.history.calendar.days + 1)
    return next((day for day in days if _is_listed(watched, target, day)), None)


def _was_missed(watched: Watched, target: Target, truth: Truth) -> bool:
    first = first_listed(watched, target)
    if first is None or truth.since is None:
        return False
    confirming = {day_of(happening.at) for happening in target.happenings if happening.at >= truth.since}
    return any(day - 1 > first and not _is_listed(watched, target, day - 1) for day in confirming)


def _is_listed(watched: Watched, target: Target, day: int) -> bool:
    seen = watched.seen(target.name, day)
    return seen is not None and seen.is_listed


def _phase(watched: Watched, target: Target, day: int) -> int:
    seen = watched.seen(target.name, day)
    return -1 if seen is None else PHASES.index(seen.phase)


def _of(watched: Watched, says: Says) -> Iterator[tuple[Target, Truth]]:
    return ((target, truth) for target in watched.history.targets for truth in target.truths if truth.says is says)


def _dated(watched: Watched, says: Says) -> Iterator[tuple[Target, Truth]]:
    """Those whose date lies in the history."""
    end = watched.history.calendar.end
    return ((target, truth) for target, truth in _of(watched, says) if truth.by is not None and truth.by <= end)


def _night(by: datetime | None) -> int:
    """The day that ends at `by`, which is a midnight."""
    assert by is not None
    return day_of(by) - 1
