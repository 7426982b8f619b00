"""What a night with 1,000 new events costs on a small and on a large memory, and how much of the machine it holds.

Events of 5,000 targets come evenly over half a year and are dreamt over every night, without an export until the last;
then a night is measured with dreaming and export, each in a process of its own. `GROWN_EVENTS` names other sizes than
10,000 and 100,000, such as `10000,1000000` (target of issue 4: at most 1.3 times as much; an hour to build).
"""

import json
import os
import resource
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median

from bench.calibration import calibration_seconds
from bench.dreambench.ours import Dreamd
from dreamd.daemon.simulate.delivery import Night

TARGETS, DAYS, NEW = 5_000, 180, 1_000
START = datetime(2026, 1, 1, tzinfo=UTC)
MEASURED = 5  # nights, of which the median is told; the first export writes all pages and is not among them
KINDS = ("observation", "observation", "observation", "result", "commit", "error")


def main(_data_dir: Path) -> None:
    sizes = [int(size) for size in os.environ.get("GROWN_EVENTS", "10000,100000").split(",")]
    cost: dict[int, float] = {}
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            _apart(_build, folder, size)
            seconds, peak = _apart(_measure, folder, size)
        cost[size] = seconds
        loops = seconds / calibration_seconds()
        print(f"{size:>9,} events {seconds:8.2f} CPU s a night ({loops:.1f} loops) {peak:7.0f} MB peak", flush=True)
    first, last = sizes[0], sizes[-1]
    print(f"{last:,} to {first:,}: {cost[last] / cost[first]:.2f} times")


def _apart(work, folder: str, size: int):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(work, (folder, size))


def _build(folder: str, size: int) -> None:
    system = Dreamd(Path(folder), exports=False)
    for day in range(DAYS):
        system.ingest(night_of(day, size // DAYS + (day < size % DAYS)))
        system.dream(_at(day + 1))
    system.close()


def _measure(folder: str, _size: int) -> tuple[float, float]:
    """(CPU seconds of a night, peak in MB)"""
    system = Dreamd.again(Path(folder))
    seconds = []
    for night in range(MEASURED + 1):
        system.ingest(night_of(DAYS + night, NEW))
        before = _cpu_seconds()
        system.dream(_at(DAYS + night + 1))
        seconds.append(_cpu_seconds() - before)
    system.close()
    return median(seconds[1:]), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _cpu_seconds() -> float:
    """Of this process and of the git processes that it started."""
    return sum(os.times()[:4])


def _at(day: int) -> datetime:
    return START + timedelta(days=day)


def night_of(day: int, count: int, targets: Sequence[int] = range(TARGETS)) -> Night:
    """`count` events of a day, each about one of `targets`."""
    chance = Random(f"{day}/{count}")
    lines = []
    for number in range(count):
        target = chance.choice(targets)
        at = _at(day) + timedelta(seconds=86_000 * (number + 1) / (count + 1))
        lines.append(
            json.dumps(
                {
                    "at": at.isoformat(),
                    "kind": chance.choice(KINDS),
                    "target": f"service {target:04}",
                    "text": f"Part {chance.randrange(10**6)} of service {target:04} took {chance.randrange(999)} ms",
                    "session": f"s{day}-{number // 40}",
                }
            ).encode()
        )
    return Night(day=day + 1, at=_at(day + 1), agents=tuple(lines), user=())


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
