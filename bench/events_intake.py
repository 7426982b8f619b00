"""What it costs to read events and commits in: check, redact, digest and store, as `dreamd ingest` does.

Bounds (issue 3): 20,000 events a CPU second, of 100 to 400 characters, one in twenty with a keyword of secrets; a
repository of 10,000 commits with three files each within 4 CPU seconds.
"""

import json
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import TypeVar

from bench.measure import measure
from dreamd.daemon.intake import git
from dreamd.daemon.intake.events import read_events
from dreamd.daemon.intake.record import Channel
from dreamd.daemon.intake.redaction import Redactor
from dreamd.daemon.storage.store import Store
from dreamd.lifecycle.values import Event

EVENTS, LEAST_A_SECOND = 20_000, 20_000
COMMITS, MOST_SECONDS = 10_000, 4
BATCH = 1_000
START = datetime(2026, 1, 1, tzinfo=UTC)
REDACTOR = Redactor(b"k" * 32)
WORDS = (
    *("the", "worker", "lost", "a", "request", "while", "the", "pool", "was", "draining", "and", "the", "retry"),
    *("found", "it", "again", "after", "the", "cache", "was", "warm"),
)

Item = TypeVar("Item")


def main(data_dir: Path) -> None:
    del data_dir  # it makes its own
    lines = list(_lines())
    channel = Channel(name="bench", space="bench", recorded_at=START, redactor=REDACTOR)
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(Path(folder) / "dreamd.db", window_days=30)
        list(read_events(lines[:BATCH], channel))  # first uses are not what is measured
        space = store.space("bench")

        def read_in() -> None:
            for batch in _batches(read_events(lines, channel), BATCH):
                space.add_events([event for event in batch if isinstance(event, Event)])

        _, cost = measure(f"{EVENTS} events", read_in)
        print(f"{EVENTS / cost.cpu_seconds:,.0f} events a CPU second (bound {LEAST_A_SECOND:,})")
        repository = Path(folder) / "project"
        subprocess.run(["git", "init", "-q", str(repository)], check=True)
        command = ["git", "-C", str(repository), "fast-import", "--quiet"]
        subprocess.run(command, input=b"".join(_history()), check=True)
        branch = ["git", "-C", str(repository), "symbolic-ref", "HEAD", "refs/heads/bench"]
        subprocess.run(branch, check=True)
        commits = store.space("commits")

        def read_history() -> None:
            found = git.read_commits(repository, known_tips=())
            for batch in _batches(found, BATCH):
                made = (
                    git.event_of(record, space="commits", recorded_at=START, redact=REDACTOR.redact)
                    for record in batch
                    if isinstance(record, git.CommitRecord)
                )
                commits.add_events([event for event in made if event is not None])

        _, cost = measure(f"{COMMITS} commits", read_history)
        print(f"{COMMITS} commits in {cost.cpu_seconds:.2f} CPU s (bound {MOST_SECONDS})")
        store.close()


def _text(number: int) -> str:
    words = [WORDS[(number * 7 + place * 3) % len(WORDS)] for place in range(15 + number % 45)]
    if number % 20 == 0:
        words[5] = "token"
    return f"{number} {' '.join(words)}"


def _lines() -> Iterator[bytes]:
    for number in range(EVENTS):
        event = {
            "at": (START + timedelta(minutes=number)).isoformat(),
            "kind": ("error", "result", "observation", "decision")[number % 4],
            "target": f"part {number % 300}",
            "text": _text(number),
            "session": f"s{number // 50}",
            "files": [f"src/part{number % 300}/worker.py"],
        }
        yield json.dumps(event).encode("utf-8")


def _history() -> Iterator[bytes]:
    for number in range(COMMITS):
        message = f"fix(part{number % 50}): {_text(number)[:70]}\n\n{_text(number + 1)}\n".encode()
        yield b"commit refs/heads/bench\n"
        yield b"committer Ada <ada@example.org> %d +0000\n" % (1_700_000_000 + number * 60)
        yield b"data %d\n%s" % (len(message), message)
        for place in range(3):
            yield b"M 100644 inline src/part%d/file%d.py\ndata 8\n%08d\n" % (number % 50, place, number)
        yield b"\n"


def _batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    waiting = iter(items)
    while batch := list(islice(waiting, size)):
        yield batch
