"""How events arrive: most in the night after they happened, some late, some twice, some out of order.

What the user said comes by a way of its own, which grants that; everything else as an agent's.
"""

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from dreamd.daemon.simulate.calendar import Calendar, day_of
from dreamd.daemon.simulate.classes import FLOOD
from dreamd.daemon.simulate.values import Happening, Target

REPEATED_SHARE = 0.05
NOISE_REPEATED_SHARE = 0.3
LATE_SHARE = 0.03
LATEST_DAYS = 10
OUT_OF_ORDER_SHARE = 0.01
FLOOD_DELIVERIES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """What was delivered in the course of one day, to be dreamt over at its end."""

    day: int  # from 1
    at: datetime  # the midnight at the end of the day
    agents: tuple[bytes, ...]  # lines of JSONL, in order of delivery
    user: tuple[bytes, ...]  # those to be taken in as the user's


@dataclass(frozen=True, slots=True, kw_only=True)
class _Delivery:
    place: datetime  # where it stands in the order of its day
    number: int  # keeps equal places in the order of events
    is_users: bool
    line: bytes


def nights(targets: Iterable[Target], calendar: Calendar, seed: str) -> tuple[Night, ...]:
    """Every day of the calendar with its deliveries; what would come after the last day comes on it."""
    by_day: dict[int, list[_Delivery]] = defaultdict(list)
    number = 0
    for target in targets:
        chance = Random(f"{seed}/deliveries/{target.name}")
        for happening in target.happenings:
            line = json.dumps(happening.fields()).encode("ascii")
            place = happening.at
            if chance.random() < OUT_OF_ORDER_SHARE:
                place += timedelta(hours=chance.uniform(-24, 24))
            for day in _days(happening, target.kind, chance):
                number += 1
                delivery = _Delivery(place=place, number=number, is_users=happening.actor == "user", line=line)
                by_day[min(day, calendar.days)].append(delivery)
    return tuple(_night(day, by_day.get(day, [])) for day in range(1, calendar.days + 1))


def _days(happening: Happening, kind: str, chance: Random) -> list[int]:
    """The days on which one event is delivered."""
    first = day_of(happening.at)
    if kind == FLOOD:
        return [first + chance.randint(0, LATEST_DAYS) for _ in range(FLOOD_DELIVERIES)]
    if chance.random() < LATE_SHARE:
        first += chance.randint(1, LATEST_DAYS)
    if chance.random() < (NOISE_REPEATED_SHARE if kind == "noise" else REPEATED_SHARE):
        return [first, first + chance.randint(0, LATEST_DAYS)]
    return [first]


def _night(day: int, deliveries: list[_Delivery]) -> Night:
    ordered = sorted(deliveries, key=lambda delivery: (delivery.place, delivery.number))
    return Night(
        day=day,
        at=Calendar.end_of(day),
        agents=tuple(delivery.line for delivery in ordered if not delivery.is_users),
        user=tuple(delivery.line for delivery in ordered if delivery.is_users),
    )
