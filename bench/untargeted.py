"""The first dream over 20,000 events that name no target, with files and without; then a night, and a retarget.

Made from the `commits_*.jsonl` of the data folder, their scopes hidden; a later round of the same commits, where there
are too few, is later by years. Where there are no files, one event in ten names its target, so that words can be
learned. To be reached: at most 60 CPU seconds and 600 MB for a first dream.
"""

import json
import tempfile
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import count, islice
from pathlib import Path
from typing import Any

from bench.measure import measure
from dreamd.daemon.intake.events import Rejection, read_events
from dreamd.daemon.intake.record import Channel
from dreamd.daemon.intake.redaction import Redactor
from dreamd.daemon.planning import plan_retarget
from dreamd.daemon.run import carry_out, dream_once
from dreamd.daemon.storage.store import SpaceStore, Store
from dreamd.lifecycle.plan import Plan
from dreamd.lifecycle.policy import Policy

EVENTS = 20_000
NIGHT = 200  # events of one more night
NAMED_EACH = 10  # where there are no files, each tenth event names its target
ROUND = timedelta(days=365 * 12)
BATCH = 1_000
NOW = datetime(2200, 1, 1, tzinfo=UTC)
POLICY = Policy()
REDACTOR = Redactor(b"k" * 32)


def main(data: Path) -> None:
    commits = [json.loads(line) for file in sorted(data.glob("**/commits_*.jsonl")) for line in _lines(file)]
    commits = [commit for commit in commits if len(commit["text"].split()) > 1]
    if not commits:
        print("skipped: there is no commits_*.jsonl")
        return
    for name, with_files in (("with files", True), ("without files", False)):
        with tempfile.TemporaryDirectory() as folder:
            store = Store.open(Path(folder) / "dreamd.db", window_days=POLICY.waking_window_days).space("bench")
            events = _events(commits, with_files=with_files)
            _ingest(store, islice(events, EVENTS))
            plan, _ = measure(f"{name}: first dream over {EVENTS:,}", lambda store=store: _dream(store))  # type: ignore[misc]
            _tell(store, plan)
            _ingest(store, islice(events, NIGHT))
            plan, _ = measure(f"{name}: {NIGHT} more", lambda store=store: _dream(store))  # type: ignore[misc]
            _tell(store, plan)
            plan, _ = measure(f"{name}: retarget", lambda store=store: _retarget(store))  # type: ignore[misc]
            _tell(store, plan)


def _lines(file: Path) -> Iterable[bytes]:
    return file.read_bytes().splitlines()


def _events(commits: list[dict[str, Any]], *, with_files: bool) -> Iterator[bytes]:
    number = 0
    for turn in count():
        for commit in commits:
            number += 1
            event = {
                "id": f"{commit['sha']}-{turn}",
                "at": (datetime.fromisoformat(commit["date"]) + turn * ROUND).isoformat(),
                "kind": "observation",
                "text": commit["text"],
                "source": f"git:{commit['sha']}",
            }
            if with_files:
                event["files"] = commit["files"][:100]
            elif number % NAMED_EACH == 0 and commit["scope"]:
                event["target"] = commit["scope"]
            yield json.dumps(event).encode("utf-8")


def _ingest(store: SpaceStore, lines: Iterable[bytes]) -> None:
    channel = Channel(name="bench", space="bench", recorded_at=datetime(2026, 1, 1, tzinfo=UTC), redactor=REDACTOR)
    batch = []
    for event in read_events(lines, channel):
        if isinstance(event, Rejection):
            raise ValueError(f"the history does not parse: {event}")
        batch.append(event)
        if len(batch) == BATCH:
            store.add_events(batch)
            batch.clear()
    store.add_events(batch)


def _dream(store: SpaceStore) -> Plan:
    return dream_once(store, NOW, POLICY, _nothing, by_hand=False)


def _retarget(store: SpaceStore) -> Plan:
    return carry_out(store, lambda: plan_retarget(store, NOW, POLICY), POLICY, _nothing, started_at=NOW)


def _tell(store: SpaceStore, plan: Plan) -> None:
    print(
        f"    {plan.counts.examined:,} examined, {plan.counts.untargeted:,} untargeted, {len(plan.changes):,} changes;"
        f" {len(store.streams()):,} streams",
        flush=True,
    )


def _nothing(name: str) -> None:
    """A failpoint that lets everything pass."""
