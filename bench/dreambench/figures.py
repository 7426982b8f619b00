"""The figures: what was seen, held against what is true.

Each figure is a share or a count with the targets that it complains about, so that every one of them can be looked
into. What lies after the last day of the history is not judged.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median

from bench.dreambench import keeping, sameness
from bench.dreambench.port import PHASES
from bench.dreambench.watch import Watched
from dreamd.daemon.simulate.values import Says, Target, Truth

EMERGENT, CANONICAL = PHASES.index("emergent"), PHASES.index("canonical")


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    name: str
    value: float | None  # None: nothing to judge by
    of: int | None = None  # how many were judged
    failing: tuple[str, ...] = ()  # "class: target", sorted
    note: str = ""


def figures(watched: Watched) -> list[Figure]:
    return [
        *_phase_figures(watched),
        _count("lost knowledge", keeping.lost(watched, is_preference=False)),
        _count("lost preferences", keeping.lost(watched, is_preference=True)),
        _count("decisions gone early", keeping.gone_early(watched)),
        _count("kept though dead", keeping.kept_though_dead(watched, ("dropped", "burst"))),
        _count("sprints not gone", keeping.kept_though_dead(watched, ("sprint",))),
        _count("dropped not archived", keeping.not_archived(watched)),
        _count("seasonal not woken", keeping.not_woken(watched)),
        _count("doubtful not shown", keeping.not_doubtful(watched)),
        _count("stale current", sameness.stale_current(watched)),
        _count("ended not readable", sameness.not_readable(watched)),
        _count("false merges", sameness.false_merges(watched)),
        _count("missed merges", sameness.missed_merges(watched)),
        _count("spellings apart", sameness.spellings_apart(watched)),
        _count("outsiders trusted", sameness.trusted_outsiders(watched)),
        _count("fixes without a lesson", sameness.without_lesson(watched)),
        _days_to_the_index(watched),
    ]


def _count(name: str, found: tuple[Iterable[Target], int]) -> Figure:
    failing, of = found
    names = _named(failing)
    return Figure(name=name, value=float(len(names)), of=of, failing=names)


def _named(targets: Iterable[Target]) -> tuple[str, ...]:
    return tuple(sorted(f"{target.kind}: {target.name}" for target in targets))


def _phase_figures(watched: Watched) -> Iterator[Figure]:
    """Precision over the classes whose truth names the phase; recall by the day, in the evidence's own time."""
    emergent = {Says.EMERGENT, Says.CANONICAL}  # what is to be CANONICAL is to be EMERGENT on the way
    yield _precision(watched, "EMERGENT", EMERGENT, emergent, Says.NEVER_EMERGENT)
    yield _recall(watched, "EMERGENT", emergent, lambda reached: reached[0])
    yield _precision(watched, "CANONICAL", CANONICAL, {Says.CANONICAL}, Says.NEVER_CANONICAL)
    yield _recall(watched, "CANONICAL", {Says.CANONICAL}, lambda reached: reached[1])
    named = {Says.CANONICAL, Says.NEVER_CANONICAL}
    others = [target for target in watched.history.targets if not named & _says(target)]
    found = [target for target in others if _highest(watched, target) >= CANONICAL]
    # Not wrong: their truth does not say.
    yield Figure(name="CANONICAL elsewhere", value=float(len(found)), of=len(others), failing=_named(found))


def _precision(watched: Watched, name: str, phase: int, yes: set[Says], no: Says) -> Figure:
    shown = [target for target in watched.history.targets if _highest(watched, target) >= phase]
    right = [target for target in shown if yes & _says(target)]
    wrong = [target for target in shown if no in _says(target)]
    judged = len(right) + len(wrong)
    return Figure(
        name=f"{name} precision", value=len(right) / judged if judged else None, of=judged, failing=_named(wrong)
    )


def _recall(
    watched: Watched,
    name: str,
    says: set[Says],
    instant_of: Callable[[tuple[datetime | None, datetime | None]], datetime | None],
) -> Figure:
    judged = [(target, by) for target in watched.history.targets if (by := _by(target, says, watched)) is not None]
    missed = []
    for target, by in judged:
        reached = watched.reached.get(watched.keys[target.name])
        instant = None if reached is None else instant_of((reached.emergent_at, reached.canonical_at))
        if instant is None or instant > by:
            missed.append(target)
    share = (len(judged) - len(missed)) / len(judged) if judged else None
    return Figure(name=f"{name} recall by the day", value=share, of=len(judged), failing=_named(missed))


def _by(target: Target, says: set[Says], watched: Watched) -> datetime | None:
    """The instant by which the class names the phase; None if it does not, or only after the last day."""
    named = [truth.by for truth in target.truths if truth.says in says and truth.by is not None]
    return min((by for by in named if by <= watched.history.calendar.end), default=None)


def _says(target: Target) -> set[Says]:
    return {truth.says for truth in target.truths}


def _highest(watched: Watched, target: Target) -> int:
    """The highest phase in which it was ever shown; -1 if never."""
    days = range(1, watched.history.calendar.days + 1)
    return max((_rank(watched, target, day) for day in days), default=-1)


def _rank(watched: Watched, target: Target, day: int) -> int:
    seen = watched.seen(target.name, day)
    return -1 if seen is None else PHASES.index(seen.phase)


def _days_to_the_index(watched: Watched) -> Figure:
    """From the first event to the end of the day on which it was listed first; of those that ever were and should."""
    named = {Says.EMERGENT, Says.CANONICAL}
    waits = []
    for target in watched.history.targets:
        if named & _says(target) and (listed := keeping.first_listed(watched, target)) is not None:
            end = watched.history.calendar.end_of(listed)
            waits.append((end - target.happenings[0].at) / timedelta(days=1))
    value = median(waits) if waits else None
    return Figure(name="days to the index (median)", value=value, of=len(waits))


def truth_of(target: Target, says: Says) -> Iterator[Truth]:
    return (truth for truth in target.truths if truth.says is says)
