"""The classes of targets and their shares of a history."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dreamd.daemon.simulate import passing, repaired, sameness, spoken, steady
from dreamd.daemon.simulate.course import Hand
from dreamd.daemon.simulate.values import Course

FLOOD = "flood"  # comes on top of the targets
FLOOD_SHARE = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    name: str
    percent: int  # of the targets
    live: Sequence[Callable[[Hand], Course]]  # of several, the targets of the class take them in turn


def _kind(name: str, percent: int, *live: Callable[[Hand], Course]) -> Kind:
    return Kind(name=name, percent=percent, live=live)


KINDS = (
    _kind("daily", 8, steady.daily),
    _kind("weekly", 12, steady.weekly),
    _kind("monthly", 6, steady.monthly),
    _kind("seasonal", 4, steady.seasonal),
    _kind("fixed", 10, repaired.fixed),
    _kind("dropped", 8, steady.dropped),
    _kind("burst", 6, passing.burst),
    _kind("noise", 12, passing.noise),
    _kind("sprint", 6, passing.sprint_bursts, passing.sprint_twice, passing.sprint_weeks),
    _kind("decision", 6, spoken.decision),
    _kind("changed", 5, spoken.changed),
    _kind("corrected", 3, spoken.corrected),
    _kind("preference", 3, spoken.preference),
    _kind("rare rule", 2, spoken.rare_rule),
    _kind("doubtful", 3, spoken.doubtful),
    _kind("twins", 3, sameness.twins),
    _kind("restated", 2, sameness.restated),
    _kind("spelled", 1, sameness.spelled_apart),
    _kind(FLOOD, 0, passing.flood),
)


def counts(targets: int) -> dict[str, int]:
    """How many of `targets` each class has, by the largest remainder; of equal ones the class that comes first.

    The flood is not among the targets: 1 for each hundred, at least 1.
    """
    whole = {kind.name: targets * kind.percent // 100 for kind in KINDS}
    left = targets - sum(whole.values())
    by_remainder = sorted(KINDS, key=lambda kind: -(targets * kind.percent % 100))
    for kind in by_remainder[:left]:
        whole[kind.name] += 1
    return {**whole, FLOOD: max(1, round(FLOOD_SHARE * targets))}
