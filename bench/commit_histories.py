"""Real commit histories as evidence by target, the way that `ingest git` and the dream would have it.

What is judged are scopes that people commit to: commits of bots, and scopes that only name dependencies and releases,
are left out. Each other commit becomes the event that intake makes of it, and belongs to the target that reflection
assigns.
"""

import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dreamd.daemon.intake.git import CommitRecord, event_of
from dreamd.lifecycle.evidence import Evidence, evidence_of
from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import Bearing
from dreamd.reflection.targets import assign

RECORDED_AT = datetime(2026, 1, 1, tzinfo=UTC)  # of all: the lifecycle does not look at it
_DEPENDENCIES = re.compile(
    r"(^|[/-])(deps?|deps-dev|release|flake|conda-lock|nixpkgs|poetry2nix|lock|bump|version)([/-]|$)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    name: str
    instants: tuple[datetime, ...]  # of all commits that count, ascending: when the space was at work
    evidence: Mapping[str, tuple[Evidence, ...]]  # by target, ascending

    @property
    def end(self) -> datetime:
        return self.instants[-1]


def read_history(file: Path) -> History | None:
    """The history in `file`, which holds a commit a line; None if none of them counts."""
    rows = [json.loads(line) for line in file.read_bytes().splitlines()]
    events = events_of(rows)
    return history_of(file.stem.removeprefix("commits_"), events) if events else None


def events_of(rows: Sequence[Mapping[str, Any]]) -> list[Event]:
    """The events of those commits that people made to a scope which is no dependency."""
    counted = [row for row in rows if row["scope"] and not row["bot"] and not _DEPENDENCIES.search(row["scope"])]
    made = (event_of(_record(row), space="bench", recorded_at=RECORDED_AT, redact=str) for row in counted)
    return [event for event in made if event is not None]


def history_of(name: str, events: Sequence[Event]) -> History:
    by_id = {event.id: event for event in events}
    by_target: dict[str, list[Evidence]] = defaultdict(list)
    for assignment in assign(events, {}):
        if assignment.target is not None:
            by_target[assignment.target].append(evidence_of(by_id[assignment.event], Bearing.SUPPORTS))
    return History(
        name=name,
        instants=tuple(sorted(event.at for event in events)),
        evidence={
            target: tuple(sorted(found, key=lambda one: (one.at, one.event))) for target, found in by_target.items()
        },
    )


def _record(row: Mapping[str, Any]) -> CommitRecord:
    return CommitRecord(
        sha=row["sha"],
        parents=(),
        at=datetime.fromisoformat(row["date"]).astimezone(UTC),
        author="",  # names are not in the data
        subject=row["subject"],
        body=row["body"],
        files=tuple(row["files"]),
        file_count=row["n_files"],
    )
