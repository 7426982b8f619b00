"""A history as files: one folder of deliveries, a file a day, and what is true beside it.

DIR/deliveries/2026-01-05.jsonl        dreamd ingest events FILE
DIR/deliveries/2026-01-05.user.jsonl   dreamd ingest events FILE --as user
DIR/truth.json
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dreamd.daemon.simulate.delivery import Night
from dreamd.daemon.simulate.history import History
from dreamd.daemon.simulate.values import Target

DELIVERIES = "deliveries"
TRUTH = "truth.json"


def write(history: History, folder: Path) -> int:
    """Write `history` into `folder`, which is made; gives the number of files.

    Raises FileExistsError for one that is there.
    """
    deliveries = folder / DELIVERIES
    deliveries.mkdir(parents=True, exist_ok=True)
    files = 1
    with (folder / TRUTH).open("x", encoding="ascii") as file:
        file.write(json.dumps(truth_as_json(history), indent=1) + "\n")
    for night in history.nights:
        for path, lines in _files(night):
            if lines:
                with (deliveries / path).open("xb") as out:
                    out.write(b"\n".join(lines) + b"\n")
                files += 1
    return files


def truth_as_json(history: History) -> dict[str, Any]:
    return {
        "seed": history.seed,
        "days": history.calendar.days,
        "first_day": f"{history.calendar.midnight(1):%Y-%m-%d}",
        "last_instant": f"{history.calendar.end:%Y-%m-%dT%H:%M:%SZ}",
        "pauses": [f"{history.calendar.midnight(day):%Y-%m-%d}" for day in history.calendar.pauses],
        "targets": [_target_as_json(target) for target in history.targets],
    }


def _files(night: Night) -> Sequence[tuple[str, Sequence[bytes]]]:
    day = f"{night.at.date().fromordinal(night.at.toordinal() - 1)}"
    return (f"{day}.jsonl", night.agents), (f"{day}.user.jsonl", night.user)


def _target_as_json(target: Target) -> dict[str, Any]:
    return {
        "target": target.name,
        "class": target.kind,
        "spellings": list(target.spellings),
        "events": len(target.happenings),
        "truth": [truth.as_json() for truth in target.truths],
    }
