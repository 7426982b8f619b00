"""What a large memory costs in Git and files: 10,000 live streams, and a history of 1,000 runs.

Targets (issue 6): the first export of 10,000 streams within 10 CPU seconds; a run that touches 50 of them within 0.7 in
Git and files; `verify` of them within 10; a history of 1,000 runs packs below 25 MB for a space whose live text is
5 MB. The second part is a space of its own, of 2,000 streams with eight statements each. It dreams 300 nights and says
how the history grows; `HISTORY_RUNS=1000` dreams them all, which takes ten CPU minutes.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median

from bench.calibration import calibration_seconds
from bench.dreambench.ours import SPACE, Dreamd
from bench.measure import MEBIBYTE, cpu_seconds_of, measure
from dreamd.daemon.publish import catch_up
from dreamd.daemon.simulate.delivery import Night
from dreamd.repo_export.packs import pack_anew

STREAMS, TOUCHED, NIGHTS = 10_000, 50, 5
OLD_STREAMS, STATEMENTS = 2_000, 8
START = datetime(2026, 1, 1, tzinfo=UTC)
PARTS = ("cache", "queue", "index", "build", "deploy", "token", "schema", "retry", "batch", "shard", "parser", "worker")


def main(_data_dir: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        _many_streams(Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        _long_history(Path(folder), int(os.environ.get("HISTORY_RUNS", "300")))


def _many_streams(folder: Path) -> None:
    system = Dreamd(folder, exports=False)
    measure("ingest and dream 10,000 decisions", lambda: _first_night(system, STREAMS))
    measure("first export of 10,000 streams", lambda: _export(system))
    home = str(system.session.home.path)
    system.close()
    # Each night in a process of its own, as it comes in life.
    with get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        nights = [pool.apply(_exported_night, (folder, number)) for number in range(1, NIGHTS + 1)]
    seconds, loop = sorted(nights)[NIGHTS // 2]
    print(f"export of a run that touched {TOUCHED}: {seconds:.3f} CPU s, median of {NIGHTS} ({loop:.3f})", flush=True)
    command = (sys.executable, "-m", "dreamd.daemon.cli", "--home", home, "--space", SPACE, "verify")
    measure("dreamd verify", lambda: subprocess.run(command, check=True, capture_output=True))


def _exported_night(folder: Path, number: int) -> tuple[float, float]:
    """(CPU seconds, of the calibration loop beside it)"""
    system = Dreamd.again(folder)
    system.exports = False
    _night(system, number, STREAMS)
    _warm_up()
    seconds = cpu_seconds_of(lambda: _export(system))
    system.close()
    return seconds, calibration_seconds()


def _warm_up() -> None:
    """Imports and first uses, which are not what is measured."""
    with tempfile.TemporaryDirectory() as folder:
        _first_night(small := Dreamd(Path(folder)), 2)
        small.close()


def _long_history(folder: Path, runs: int) -> None:
    system = Dreamd(folder)
    seconds = [cpu_seconds_of(lambda: _first_night(system, OLD_STREAMS))]
    for number in range(1, runs):
        seconds.append(cpu_seconds_of(lambda night=number: _night(system, night, OLD_STREAMS)))  # type: ignore[misc]
        if number + 1 in (runs // 2, runs):
            _say_size(system, number + 1)
    tenth = max(len(seconds) // 10, 1)
    print(
        f"a run costs {median(seconds[1 : tenth + 1]):.2f} CPU s in the first tenth, {median(seconds[-tenth:]):.2f}"
        f" in the last, {sum(seconds):.0f} all together"
    )
    system.close()


def _say_size(system: Dreamd, runs: int) -> None:
    """The history as dreamd packs it when it packs all anew."""
    path = system.session.home.repository(SPACE)
    shelves = [file for file in path.rglob("*.md") if "reports" not in file.parts]
    text = sum(file.stat().st_size for file in shelves) / MEBIBYTE
    lying, repository = _object_megabytes(path), system.session.repository(SPACE)
    with repository.writing():
        packing = cpu_seconds_of(lambda: pack_anew(repository))
    print(
        f"{runs} runs: live text {text:.2f} MB; objects as they lay {lying:.2f} MB, packed in {packing:.0f} CPU s"
        f" {_object_megabytes(path, '*.pack'):.2f} MB, and {_object_megabytes(path, '*.idx'):.2f} MB of index",
        flush=True,
    )


def _object_megabytes(repository: Path, pattern: str = "*") -> float:
    objects = repository / ".git" / "objects"
    return sum(file.stat().st_size for file in objects.rglob(pattern) if file.is_file()) / MEBIBYTE


def _first_night(system: Dreamd, count: int) -> None:
    """A decision or a preference about each target: it has a file at once."""
    chance = Random("first")
    kinds = ("decision", "decision", "preference")
    lines = [
        _event(START + timedelta(seconds=number), chance.choice(kinds), number, f"Use {_words(chance)} {number}")
        for number in range(count)
    ]
    system.ingest(Night(day=1, at=START + timedelta(days=1), agents=tuple(lines), user=()))
    system.dream(START + timedelta(days=1))


def _night(system: Dreamd, night: int, count: int) -> None:
    now = START + timedelta(days=night + 1)
    system.ingest(Night(day=night + 1, at=now, agents=tuple(_touches(night, count)), user=()))
    system.dream(now)


def _touches(night: int, count: int) -> Iterator[bytes]:
    chance = Random(night)
    for place, number in enumerate(sorted(chance.sample(range(count), TOUCHED))):
        said = Random(f"{number}/{chance.randrange(STATEMENTS)}")
        text = f"The {_words(said)} of service {number:05} takes {said.randrange(900)} ms under load of {_words(said)}"
        yield _event(START + timedelta(days=night, minutes=place), "observation", number, text)


def _event(at: datetime, kind: str, number: int, text: str) -> bytes:
    target = f"service {number:05}"
    event = {"at": at.isoformat(), "kind": kind, "target": target, "text": text, "session": f"s{at:%j}-{number // 40}"}
    return json.dumps(event).encode()


def _words(chance: Random) -> str:
    return " ".join(chance.sample(PARTS, 2))


def _export(system: Dreamd) -> None:
    now = system.store.head().now
    assert now is not None
    catch_up(system.store, system.session.repository(SPACE), now, _nothing, system.session.redact)


def _nothing(name: str) -> None:
    """A failpoint that lets everything pass."""


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
