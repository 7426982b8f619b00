"""The main job on a real history: ingest, dream, export; then with nothing new, a little new, ten times as much.

Reads `commits/commits_vite.jsonl` of the data folder: one commit a line, made into the JSONL that `dreamd ingest
events` takes. Targets (issue 2): ingest, first dream and export within 12 CPU seconds and 300 MB; nothing new under
0.3 and no commit; after 50 new events under 0.8; ten times the events at most eleven times the cost; `dreamd --help`
under 0.3.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bench.measure import Cost, measure
from dreamd.daemon.intake.events import Rejection, read_events
from dreamd.daemon.intake.record import Channel
from dreamd.daemon.intake.redaction import Redactor
from dreamd.daemon.publish import catch_up
from dreamd.daemon.run import dream_once
from dreamd.daemon.storage.store import SpaceStore, Store
from dreamd.lifecycle.plan import Plan
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.values import Event
from dreamd.repo_export.git import MemoryRepository

HISTORY = Path("commits") / "commits_vite.jsonl"
KEPT_BACK = 50  # newest commits, which come after the first dream
COPIES = 10  # of the history, with other targets, for the tenfold run
BATCH = 1_000
POLICY = Policy()
REDACTOR = Redactor(b"k" * 32)


def main(data_dir: Path) -> None:
    file = data_dir / HISTORY
    if not file.is_file():
        print(f"skipped: {file} is not there")
        return
    commits = sorted(map(json.loads, file.read_bytes().splitlines()), key=lambda commit: commit["date"])
    end = datetime.fromisoformat(commits[-1]["date"]) + timedelta(days=1)
    early, late = commits[:-KEPT_BACK], commits[-KEPT_BACK:]
    with tempfile.TemporaryDirectory() as folder:
        _warm_up(Path(folder) / "warm")
        space = _Space(Path(folder) / "once")
        once = space.whole("3,000 commits", list(_lines(early, 1)), end - timedelta(hours=1))
        measure("dream with nothing new", lambda: space.dream(end - timedelta(hours=1)))
        space.ingest(_lines(late, 1))
        measure(f"dream after {KEPT_BACK} new events", lambda: space.dream(end))
        tenfold = _Space(Path(folder) / "tenfold")
        ten = tenfold.whole("30,000 commits", list(_lines(early, COPIES)), end)
        print(f"ten times the events cost {_total(ten) / _total(once):.1f} times as much")
    _help()


def _total(costs: Iterable[Cost]) -> float:
    """In calibration loops, since a shared machine is not equally fast all the time."""
    return sum(cost.cpu_seconds / cost.calibration_seconds for cost in costs)


class _Space:
    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.store: SpaceStore = Store.open(folder / "dreamd.db", window_days=POLICY.waking_window_days).space("vite")
        self.repository = MemoryRepository.create(folder / "memory" / "vite", _nothing)

    def whole(self, name: str, lines: list[bytes], now: datetime) -> tuple[Cost, ...]:
        _, ingest = measure(f"{name}: ingest", lambda: self.ingest(lines))
        _, dream = measure(f"{name}: first dream", lambda: dream_once(self.store, now, POLICY, _nothing, by_hand=False))
        _, export = measure(
            f"{name}: export", lambda: catch_up(self.store, self.repository, now, _nothing, REDACTOR.redact)
        )
        return ingest, dream, export

    def ingest(self, lines: Iterable[bytes]) -> None:
        batch: list[Event] = []
        for event in read_events(lines, _channel()):
            if isinstance(event, Rejection):
                raise ValueError(f"the history does not parse: {event}")
            batch.append(event)
            if len(batch) == BATCH:
                self.store.add_events(batch)
                batch.clear()
        self.store.add_events(batch)

    def dream(self, now: datetime) -> Plan:
        plan = dream_once(self.store, now, POLICY, _nothing, by_hand=False)
        exported = catch_up(self.store, self.repository, now, _nothing, REDACTOR.redact)
        if bool(plan.changes) != bool(exported.commits):
            raise ValueError(f"{len(plan.changes)} changes, yet {len(exported.commits)} commits")
        return plan


def _lines(commits: Iterable[dict[str, object]], copies: int) -> Iterator[bytes]:
    """Each commit as an event of `copies` targets, each copy with an identity of its own."""
    for commit in commits:
        for copy in range(copies):
            suffix = f"-{copy}" if copy else ""
            event = {
                "id": f"{commit['sha']}{suffix}",
                "at": commit["date"],
                "kind": "commit",
                "target": f"{commit['scope']}{suffix}",
                "text": commit["subject"],
                "source": f"git:{commit['sha']}",
                "session": f"git:{str(commit['date'])[:10]}",
                "files": commit["files"],
                "tags": [commit["type"]],
            }
            yield json.dumps(event).encode("utf-8")


def _channel() -> Channel:
    return Channel(name="bench", space="vite", recorded_at=datetime(2026, 1, 1, tzinfo=UTC), redactor=REDACTOR)


def _warm_up(folder: Path) -> None:
    """Imports and first uses, which are not what is measured."""
    space = _Space(folder)
    at = datetime(2026, 1, 1, tzinfo=UTC)
    line = {"at": at.isoformat(), "kind": "decision", "target": "warm_up", "text": "Use one process"}
    space.ingest([json.dumps(line).encode("utf-8")])
    space.dream(at)


def _help() -> None:
    call: Callable[[], object] = lambda: subprocess.run(  # noqa: E731 - one call, measured
        [sys.executable, "-m", "dreamd.daemon.cli", "--help"], check=True, capture_output=True
    )
    measure("dreamd --help", call)


def _nothing(name: str) -> None:
    """A failpoint that lets everything pass."""
