"""The harness: feeds a history to a system night by night and writes down what is seen.

Nothing is judged here. Only the system's own work is on its bill: what the harness asks is not.
"""

import json
import resource
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bench.dreambench.port import Reached, Said, Seen, System
from dreamd.daemon.simulate.delivery import Night
from dreamd.daemon.simulate.history import History
from dreamd.daemon.simulate.values import Says, Target

WATCHED_STATEMENTS = (Says.NOT_CURRENT,)  # truths about statements that have to hold on every night


@dataclass(frozen=True, slots=True, kw_only=True)
class Bill:
    day: int
    new_events: int  # delivered for the first time
    cpu_seconds: float  # of ingest, dream and export, with the processes they start


@dataclass(slots=True, kw_only=True)
class Watched:
    """What a system showed in the course of one history."""

    history: History
    nights: list[Mapping[str, Seen]] = field(default_factory=list)  # by key, one for each day, the first day's first
    stale: set[str] = field(default_factory=set)  # names of targets that once had current what must not be
    statements: dict[str, Sequence[Said]] = field(default_factory=dict)  # at the end, by name
    reached: Mapping[str, Reached] = field(default_factory=dict)  # at the end, by key
    keys: dict[str, str] = field(default_factory=dict)  # name or other spelling -> key
    undone: list[bool] = field(default_factory=list)  # whether each undo that was rehearsed was exact
    bills: list[Bill] = field(default_factory=list)

    def seen(self, name: str, day: int) -> Seen | None:
        """How the target was shown at the end of `day` (from 1)."""
        return self.nights[day - 1].get(self.keys[name])


def first_deliveries(history: History) -> Mapping[tuple[str, str, str], int]:
    """The day on which each event was delivered first, by target, instant and text."""
    found: dict[tuple[str, str, str], int] = {}
    for night in history.nights:
        for line in (*night.agents, *night.user):
            event = json.loads(line)
            found.setdefault((event["target"], event["at"], event["text"]), night.day)
    return found


def watch(system: System, history: History, *, undos: int = 0) -> Watched:
    """Live through `history` with `system`, dreaming every night; an undo is rehearsed on `undos` of them."""
    watched = Watched(history=history)
    watched.keys = {name: system.key_of(name) for target in history.targets for name in target.spellings}
    delivered = first_deliveries(history)
    new = [0] * (history.calendar.days + 1)
    for day in delivered.values():
        new[day] += 1
    rehearsed = _spread(history.calendar.days, undos)
    forbidden = _forbidden(history)
    for night in history.nights:
        start = _cpu_seconds()
        system.ingest(night)
        spent = _cpu_seconds() - start
        if night.day in rehearsed and (exact := system.undo_restores(night.at)) is not None:
            watched.undone.append(exact)
        start = _cpu_seconds()
        system.dream(night.at)
        spent += _cpu_seconds() - start
        watched.bills.append(Bill(day=night.day, new_events=new[night.day], cpu_seconds=spent))
        watched.nights.append(system.look())
        _look_for_stale(system, watched, forbidden.get(night.day, []))
    watched.statements = {target.name: tuple(system.statements(target.name)) for target in history.targets}
    watched.reached = system.reached()
    return watched


def live(system: System, history: History, *, every: int | None) -> Mapping[str, Mapping[str, object]]:
    """The rows that a system ends with that dreams every so many days, and at the end (None: only then)."""
    last = history.nights[-1]
    for night in history.nights:
        system.ingest(night)
        if night is last or (every is not None and night.day % every == 0):
            system.dream(night.at)
    return system.rows()


def _spread(days: int, count: int) -> frozenset[int]:
    """`count` days spread over the history, the last among them."""
    return frozenset(days - place * days // count for place in range(count)) if count else frozenset()


def _forbidden(history: History) -> Mapping[int, list[tuple[Target, frozenset[str]]]]:
    """For each day the targets some of whose texts must not be current at its end, with those."""
    delivered = first_deliveries(history)
    by_day: dict[int, list[tuple[Target, frozenset[str]]]] = {}
    for target in history.targets:
        for truth in target.truths:
            if truth.says is Says.NOT_CURRENT and truth.since is not None:
                told = _delivered_at(target, truth.since, delivered)
                for day in range(told or history.calendar.days + 1, history.calendar.days + 1):
                    by_day.setdefault(day, []).append((target, frozenset(truth.texts)))
    return by_day


def _delivered_at(target: Target, at: datetime, delivered: Mapping[tuple[str, str, str], int]) -> int | None:
    days = [
        delivered[(event.target, event.fields()["at"], event.text)] for event in target.happenings if event.at == at
    ]
    return min(days, default=None)


def _look_for_stale(system: System, watched: Watched, forbidden: Sequence[tuple[Target, frozenset[str]]]) -> None:
    for target, texts in forbidden:
        if target.name not in watched.stale:
            said = system.statements(target.name)
            if any(one.status == "current" and one.text in texts for one in said):
                watched.stale.add(target.name)


def _cpu_seconds() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


__all__ = ["Bill", "Night", "Watched", "first_deliveries", "live", "watch"]
