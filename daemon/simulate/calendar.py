"""When agents work: weekdays, some days of weekends, and nobody for a fortnight once in 180 days.

Days are numbered from 1 and begin at midnight UTC. On each working day there are three sessions; all that is done
about one target on one day is done in one of them.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random

START = datetime(2026, 1, 5, tzinfo=UTC)  # a Monday
WEEKEND_SHARE = 0.15  # of weekend days on which agents work
PAUSE_DAYS = 14
PAUSE_EVERY_DAYS = 180
PAUSE_MARGIN_DAYS = 20  # of those 180 at either end, in which no pause begins or ends
SESSIONS = (("morning", 7), ("afternoon", 12), ("evening", 17))  # name, hour at which it begins
SESSION_HOURS = 4
SATURDAY = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    seed: str
    days: int  # of the history; the calendar itself goes on
    pauses: tuple[int, ...]  # first day of each
    _weekends: dict[int, bool] = field(default_factory=dict)

    @staticmethod
    def of(seed: str, days: int) -> "Calendar":
        chance = Random(f"{seed}/pauses")
        latest = PAUSE_EVERY_DAYS - PAUSE_MARGIN_DAYS - PAUSE_DAYS
        pauses = tuple(
            block * PAUSE_EVERY_DAYS + chance.randint(PAUSE_MARGIN_DAYS, latest)
            for block in range(days // PAUSE_EVERY_DAYS)
        )
        return Calendar(seed=seed, days=days, pauses=pauses)

    @property
    def end(self) -> datetime:
        """The midnight after the last day."""
        return self.end_of(self.days)

    def is_paused(self, day: int) -> bool:
        return any(first <= day < first + PAUSE_DAYS for first in self.pauses)

    def is_working(self, day: int) -> bool:
        if self.is_paused(day):
            return False
        if weekday(day) < SATURDAY:
            return True
        if day not in self._weekends:
            self._weekends[day] = Random(f"{self.seed}/weekend/{day}").random() < WEEKEND_SHARE
        return self._weekends[day]

    def working(self, first: int, last: int) -> list[int]:
        """The working days from `first` to `last`, both included."""
        return [day for day in range(max(first, 1), last + 1) if self.is_working(day)]

    def next_working(self, day: int) -> int:
        """`day`, or the first working day after it."""
        while not self.is_working(day):
            day += 1
        return day

    @staticmethod
    def midnight(day: int) -> datetime:
        """The instant at which `day` begins."""
        return START + timedelta(days=day - 1)

    @staticmethod
    def end_of(day: int) -> datetime:
        return START + timedelta(days=day)


def weekday(day: int) -> int:
    """0 is Monday."""
    return (day - 1 + START.weekday()) % 7


def day_of(instant: datetime) -> int:
    return (instant - START).days + 1


def session_of(day: int, part: int) -> str:
    return f"{Calendar.midnight(day):%Y-%m-%d}-{SESSIONS[part][0]}"


def instants(chance: Random, day: int, part: int, count: int) -> list[datetime]:
    """`count` different instants in one session, ascending."""
    seconds = sorted(chance.sample(range(SESSION_HOURS * 3600), count))
    begin = Calendar.midnight(day) + timedelta(hours=SESSIONS[part][1])
    return [begin + timedelta(seconds=second) for second in seconds]
