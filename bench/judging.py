"""How well a rule keeps what will be needed, judged by what a history did next.

At half-yearly cuts: of the streams that are CANONICAL and not faded, the share that gets evidence in the next 365 days
(precision); of all streams known then that get such evidence, the share that is CANONICAL and kept (recall). Beside
them, over the whole history: the share of the canonical streams that faded and came back, and the days from the first
evidence to CANONICAL.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from statistics import fmean, median

from bench.commit_histories import History
from bench.commit_lives import Lived

AHEAD = timedelta(days=365)  # that a cut looks at
CUT_MONTHS = (1, 7)  # a cut is the first instant of January and of July, UTC


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    precision: float | None  # None: nothing was kept at any cut
    recall: float | None  # None: nothing lived on after any cut
    back: float | None  # share of the canonical streams that faded and came back; None: there are none
    canonical: int  # streams
    days: float | None  # median, first evidence to CANONICAL

    def row(self) -> str:
        share = " / ".join("  - " if one is None else f"{one:.3f}" for one in (self.precision, self.recall))
        back = "   -" if self.back is None else f"{self.back:.2f}"
        days = "    -" if self.days is None else f"{self.days:5.0f}"
        return f"{share}   back {back}   canonical {self.canonical:3}   days {days}"


def cuts_of(history: History) -> tuple[datetime, ...]:
    """The cuts after the first commit that have a whole year of history after them."""
    years = range(history.instants[0].year, history.end.year + 1)
    cuts = (datetime(year, month, 1, tzinfo=UTC) for year in years for month in CUT_MONTHS)
    return tuple(cut for cut in cuts if history.instants[0] < cut and cut + AHEAD <= history.end)


def judge(streams: Iterable[Lived], cuts: Sequence[datetime]) -> Judged:
    right = kept = living = 0
    canonical = []
    for lived in streams:
        if lived.canonical_at is not None:
            canonical.append(lived)
        for cut in cuts:
            place = bisect_left(lived.instants, cut)
            if place == 0:
                continue  # not yet known
            lives_on = place < len(lived.instants) and lived.instants[place] < cut + AHEAD
            living += lives_on
            kept += cut in lived.kept
            right += lives_on and cut in lived.kept
    return Judged(
        precision=right / kept if kept else None,
        recall=right / living if living else None,
        back=sum(lived.came_back for lived in canonical) / len(canonical) if canonical else None,
        canonical=len(canonical),
        days=median(_days_to_canonical(lived) for lived in canonical) if canonical else None,
    )


def mean_of(judged: Sequence[Judged]) -> Judged:
    """The mean over histories, each weighing the same; what one of them lacks is left out of that mean."""
    return Judged(
        precision=_mean(one.precision for one in judged),
        recall=_mean(one.recall for one in judged),
        back=_mean(one.back for one in judged),
        canonical=sum(one.canonical for one in judged),
        days=_mean(one.days for one in judged),
    )


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _days_to_canonical(lived: Lived) -> float:
    assert lived.canonical_at is not None
    return (lived.canonical_at - lived.instants[0]) / timedelta(days=1)
