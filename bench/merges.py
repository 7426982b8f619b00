"""What claims and merges cost in a night: 200 new events on a space of 5,000 streams. Needs no data.

Every tenth stream has a hundred statements and one has two thousand; half of the news restate something in other words.
Target (issue 5): claims and merges of such a run within 2 CPU seconds; the whole plan and the whole dream beside it.
"""

import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.measure import cpu_seconds_of, measure
from dreamd.daemon.intake.events import Rejection, read_events
from dreamd.daemon.intake.record import Channel
from dreamd.daemon.intake.redaction import Redactor
from dreamd.daemon.planning import plan_dream
from dreamd.daemon.run import dream_once
from dreamd.daemon.storage.store import SpaceStore, Store
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.values import Event
from dreamd.reflection import read as reading

STREAMS, NEW = 5_000, 200
MANY, MOST = 100, 2_000  # statements of every tenth of the streams that get news, and of one
START = datetime(2026, 1, 5, 9, tzinfo=UTC)
POLICY = Policy(fuse_min_changes=10**6)
VERBS = ("reads", "writes", "checks", "sends", "drops", "keeps", "sorts", "counts")
THINGS = ("orders", "invoices", "refunds", "parcels", "labels", "letters", "reports", "tickets", "events", "uploads")
PLACES = ("cache", "ledger", "queue", "archive", "index", "journal", "mailbox", "registry")


def main(data_dir: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(Path(folder) / "dreamd.db", window_days=POLICY.waking_window_days).space("bench")
        old = [event for place in range(STREAMS) for event in _statements(place)]
        measure(f"ingest {len(old)} events", lambda: _ingest(store, old))
        measure("first dream", lambda: _dream(store, START + timedelta(days=40)))
        _ingest(store, list(_news()))
        spent: list[float] = []
        _timed(spent)
        now = START + timedelta(days=42)
        plan, _cost = measure(
            f"plan of {NEW} new events on {STREAMS} streams", lambda: plan_dream(store, now, POLICY).plan
        )
        merged = sum(not found.guard for found in plan.comparisons)
        print(f"  of it claims and merges: {sum(spent):.3f} CPU s (at most 2); {merged} of {NEW} merged")
        measure("the whole dream", lambda: _dream(store, now))


def _timed(spent: list[float]) -> None:
    """Note what reading costs from now on, in `spent`."""
    from dreamd.daemon import planning  # noqa: PLC0415 - it is patched

    plain = reading.read

    def read(*arguments: Any, **named: Any) -> object:
        found: list[object] = []
        spent.append(cpu_seconds_of(lambda: found.append(plain(*arguments, **named))))
        return found[0]

    vars(planning)["read"] = read


def _statements(place: int) -> Iterator[tuple[datetime, str, str]]:
    count = MOST if place == 1 else MANY if place < NEW and place % 10 == 0 else 3
    for number in range(count):
        yield START + timedelta(minutes=number * 7 + place % 5), f"service{place}", _statement(place, number)


def _statement(place: int, number: int) -> str:
    verb, thing = VERBS[number % len(VERBS)], THINGS[(number // 3 + place) % len(THINGS)]
    where, other = PLACES[(number // 7) % len(PLACES)], THINGS[(number // 11 + 3) % len(THINGS)]
    return f"service{place} {verb} {thing} of room {number} from the {where} before it looks at {other}"


def _news() -> Iterator[tuple[datetime, str, str]]:
    at = START + timedelta(days=41)
    for place in range(NEW):
        number = place % 3
        text = _statement(place, number)
        head, tail = text.split(" before ")
        said = f"Before {tail}, {head}" if place % 2 else f"{text.replace('room', 'hall')} again"
        yield at + timedelta(minutes=place), f"service{place}", said


def _ingest(store: SpaceStore, said: list[tuple[datetime, str, str]]) -> None:
    channel = Channel(name="bench", space="bench", recorded_at=START, redactor=Redactor(b"k" * 32))
    lines = (
        f'{{"at": "{at.isoformat()}", "target": "{target}", "text": "{text}", "kind": "observation"}}'.encode()
        for at, target, text in said
    )
    batch: list[Event] = []
    for event in read_events(lines, channel):
        if isinstance(event, Rejection):
            raise ValueError(f"an event does not parse: {event}")
        batch.append(event)
    for first in range(0, len(batch), 1_000):
        store.add_events(batch[first : first + 1_000])


def _dream(store: SpaceStore, now: datetime) -> None:
    dream_once(store, now, POLICY, lambda _: None, by_hand=False)
