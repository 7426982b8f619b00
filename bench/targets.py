"""Which target commits get when their scope is hidden, against the scope that their author gave.

Scopes that only name dependencies and releases, commits of bots and scopes with fewer than 20 commits are left out; the
newest 4,000 of a history count. Every commit is then an event without a name: its text is the subject without the
scope, its files are those it touched. A commit that stays untargeted is a cluster of its own. Pairwise: of all pairs of
commits, those in one cluster against those of one scope. One setting serves all histories: the defaults.

The second table hides the scope of a random half only, and asks whether the other half gets the very name that its
author gave, with its files and without them.
"""

import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.measure import cpu_seconds_of
from dreamd.daemon.intake.git import CommitRecord, event_of
from dreamd.lifecycle.findings import Assignment
from dreamd.lifecycle.values import Event
from dreamd.reflection.targeting.canonical import canonical_form
from dreamd.reflection.targeting.learned import learn
from dreamd.reflection.targeting.placing import lessons_of, placed
from dreamd.reflection.targets import assign

MIN_COMMITS = 20  # of a scope
MIN_LEFT = 5  # of a scope, once only the newest are kept
MAX_COMMITS = 4_000
MIN_SCOPES = 2
SEED = 1
_RECORDED_AT = datetime(2026, 1, 1, tzinfo=UTC)
_LEFT_OUT = re.compile(
    r"(^|[/-])(deps?|deps-dev|release|flake|conda-lock|nixpkgs|poetry2nix|lock|bump|changelog|version|cli/screenshots)"
    r"([/-]|$)"
)


def main(data: Path) -> None:
    histories = {file.stem.removeprefix("commits_"): _rows(file) for file in sorted(data.glob("**/commits_*.jsonl"))}
    histories = {name: rows for name, rows in histories.items() if len({row["scope"] for row in rows}) >= MIN_SCOPES}
    if not histories:
        print("skipped: there is no commits_*.jsonl with scopes")
        return
    print("scope hidden           commits scopes  pairwise F1  precision  recall    ARI  targets  untargeted  CPU s")
    for name, rows in histories.items():
        print(_hidden(name, rows))
    print("half of the scopes hidden   with files: placed  right   by words alone: placed  right")
    for name, rows in histories.items():
        print(_half_hidden(name, rows))


def _rows(file: Path) -> list[Mapping[str, Any]]:
    rows = [json.loads(line) for line in file.read_bytes().splitlines()]
    rows = [row for row in rows if row["scope"] and not row["bot"] and not _LEFT_OUT.search(row["scope"])]
    rows = [row for row in rows if len(row["text"].split()) > 1]
    counts = Counter(row["scope"] for row in rows)
    rows = [row for row in rows if counts[row["scope"]] >= MIN_COMMITS][-MAX_COMMITS:]
    counts = Counter(row["scope"] for row in rows)
    return [row for row in rows if counts[row["scope"]] >= MIN_LEFT]


def _hidden(name: str, rows: Sequence[Mapping[str, Any]]) -> str:
    events = [_event(row, row["text"]) for row in rows]
    found: list[Assignment] = []
    cost = cpu_seconds_of(lambda: found.extend(_assigned(events)))
    by_id = {assignment.event: assignment for assignment in found}
    clusters = [by_id[event.id].target or event.id for event in events]
    scopes = [row["scope"] for row in rows]
    precision, recall, score = pairwise(scopes, clusters)
    untargeted = sum(assignment.target is None for assignment in found)
    targets = len({assignment.target for assignment in found} - {None})
    return (
        f"{name:<22} {len(rows):7} {len(set(scopes)):6} {score:12.3f} {precision:10.3f} {recall:7.3f} "
        f"{adjusted_rand(scopes, clusters):6.3f} {targets:8} {untargeted:11} {cost:6.2f}"
    )


def _half_hidden(name: str, rows: Sequence[Mapping[str, Any]]) -> str:
    mixed = random.Random(SEED).sample(list(rows), len(rows))
    named = [_event(row, row["subject"]) for row in mixed[: len(mixed) // 2]]
    asked = {
        event.id: (event, row["scope"]) for row in mixed[len(mixed) // 2 :] for event in (_event(row, row["text"]),)
    }
    with_files = _right([*named, *(event for event, _ in asked.values())], asked)
    without = _right([*named, *(replace(event, files=()) for event, _ in asked.values())], asked)
    return f"{name:<28} {with_files[0]:18.2f} {with_files[1]:6.2f} {without[0]:23.2f} {without[1]:6.2f}"


def _right(events: Sequence[Event], asked: Mapping[str, tuple[Event, str]]) -> tuple[float, float]:
    """The share of the asked that got a target, and the share of those that got the right one."""
    found = [one for one in _assigned(events) if one.event in asked and one.target is not None]
    right = sum(one.target == canonical_form(asked[one.event][1]) for one in found)
    return len(found) / len(asked), right / max(1, len(found))


def _assigned(events: Sequence[Event]) -> tuple[Assignment, ...]:
    learned = learn(lessons_of(events, {}))
    return placed(assign(events, {}), {event.id: event for event in events}, learned, {})


def _event(row: Mapping[str, Any], subject: str) -> Event:
    record = CommitRecord(
        sha=row["sha"],
        parents=(),
        at=datetime.fromisoformat(row["date"]).astimezone(UTC),
        author="",  # names are not in the data
        subject=subject,
        body="",
        files=tuple(row["files"]),
        file_count=row["n_files"],
    )
    event = event_of(record, space="bench", recorded_at=_RECORDED_AT, redact=str)
    assert event is not None, f"commit {row['sha']} makes no event"
    return event


def pairwise(scopes: Sequence[str], clusters: Sequence[str]) -> tuple[float, float, float]:
    """Precision, recall and F1 over pairs."""
    both, of_scopes, of_clusters = _pairs(scopes, clusters)
    precision, recall = both / max(1, of_clusters), both / max(1, of_scopes)
    return precision, recall, 2 * precision * recall / (precision + recall) if both else 0.0


def adjusted_rand(scopes: Sequence[str], clusters: Sequence[str]) -> float:
    both, of_scopes, of_clusters = _pairs(scopes, clusters)
    by_chance = of_scopes * of_clusters / max(1, len(scopes) * (len(scopes) - 1) / 2)
    highest = (of_scopes + of_clusters) / 2
    return 1.0 if highest == by_chance else (both - by_chance) / (highest - by_chance)


def _pairs(scopes: Sequence[str], clusters: Sequence[str]) -> tuple[int, int, int]:
    """How many pairs agree in both, in the scope, in the cluster."""
    return tuple(  # type: ignore[return-value]
        sum(count * (count - 1) // 2 for count in Counter(names).values())
        for names in (zip(scopes, clusters, strict=True), _own(scopes), _own(clusters))
    )


def _own(names: Iterable[str]) -> Iterable[tuple[str]]:
    return ((name,) for name in names)
