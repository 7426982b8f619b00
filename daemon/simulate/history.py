"""A whole history: targets of every class with their truth, and the nights in which their events are delivered."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from dreamd.daemon.simulate.calendar import Calendar
from dreamd.daemon.simulate.classes import KINDS, counts
from dreamd.daemon.simulate.course import Hand
from dreamd.daemon.simulate.delivery import Night, nights
from dreamd.daemon.simulate.names import service_names
from dreamd.daemon.simulate.values import Course, Target

LEAST_DAYS, MOST_DAYS = 30, 365
LEAST_TARGETS, MOST_TARGETS = 1, 5_000


@dataclass(frozen=True)
class History:
    seed: int
    calendar: Calendar
    targets: tuple[Target, ...]

    @cached_property
    def nights(self) -> tuple[Night, ...]:
        return nights(self.targets, self.calendar, f"{self.seed}")

    @property
    def event_count(self) -> int:
        """Different events; deliveries are more."""
        return sum(len(target.happenings) for target in self.targets)


def simulate(*, days: int, targets: int, seed: int, classes: Collection[str] = ()) -> History:
    """The history of `seed`. With `classes` only their targets, which are the same as in the whole history."""
    _check("days", days, LEAST_DAYS, MOST_DAYS)
    _check("targets", targets, LEAST_TARGETS, MOST_TARGETS)
    calendar = Calendar.of(f"{seed}", days)
    per_class = counts(targets)
    names = iter(service_names(f"{seed}", sum(per_class.values())))
    made = []
    for kind in KINDS:
        for place in range(per_class[kind.name]):
            hand = Hand.of(calendar, f"{seed}/{kind.name}/{place}", next(names))
            if not classes or kind.name in classes:
                made.append(_target(kind.name, hand, kind.live[place % len(kind.live)](hand)))
    return History(seed=seed, calendar=calendar, targets=tuple(made))


def _target(kind: str, hand: Hand, course: Course) -> Target:
    within = tuple(happening for happening in course.happenings if happening.at < hand.calendar.end)
    spellings = dict.fromkeys(happening.target for happening in course.happenings)
    return Target(name=within[0].target, kind=kind, spellings=tuple(spellings), happenings=within, truths=course.truths)


def _check(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise ValueError(f"{name} is {value}; allowed are {least} to {most}")
