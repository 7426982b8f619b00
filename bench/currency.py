"""Knowledge update: whether the newest value of what changes is found first, and a stale one never.

Each history goes the product's own way: commits as events, a dream every 30 days of it, and the claims that are current
at its end. A chain is what commits say alike but for versions, at least four times ("from 1 to 2" is read as "to 2",
since the same change comes in both wordings). It is asked for by its words without versions, three ways: `current` are
the current claims, those with just these words first, in the order in which the product itself ranks claims
(`strength`), then by full text; `full text` are the current claims by full text alone; `no lifecycle` are all
statements by full text alone. Full text: those with all the words first, then BM25 over stemmed words.

Histories are halved by the digest of a chain's words: `chosen` chains may be looked at while rules are made, the
`held back` ones decide.
"""

import json
import re
import sqlite3
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from dreamd.daemon.intake.git import CommitRecord, event_of
from dreamd.daemon.run import dream_once
from dreamd.daemon.storage.store import SpaceStore, Store
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.ranking import strength
from dreamd.lifecycle.words import ClaimStatus

MIN_CHAIN = 4  # commits, and different texts among them
MIN_WORDS = 2  # of a chain without its versions
TARGETS = (0.97, 0.01)  # newest first at least, stale first at most
DAYS_BETWEEN_RUNS = 60
# As in the definition of the figures: versions, the beginning of digests, arrows.
_VERSION = re.compile(
    r"[`'\"]?[<>=^~]*\bv?\d+(?:\.\d+)+[\w.+-]*[`'\"]?|\bv\d+\b|`?\b(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b`?|->|→"
)
_SUBJECT = re.compile(r"^[A-Za-z][\w-]*(?:\([^()]*\))?!?:\s+|\s*\(#\d+\)")


@dataclass(frozen=True, slots=True)
class Said:
    text: str  # as the event states it
    key: str  # without versions, prefix and number of the pull request
    at: datetime


@dataclass(slots=True)
class Figures:
    chains: int = 0
    newest: int = 0
    stale: int = 0

    def add(self, first: Said | None, newest: frozenset[str], chain: str) -> None:
        self.chains += 1
        self.newest += first is not None and first.key == chain and first.text in newest
        self.stale += first is not None and first.key == chain and first.text not in newest

    def __str__(self) -> str:
        share = max(self.chains, 1)
        return f"{self.chains:4} chains: newest first {self.newest / share:.3f}, stale first {self.stale / share:.3f}"


Judged = dict[tuple[str, str], Figures]  # by half and way


def main(data: Path) -> None:
    totals: Judged = defaultdict(Figures)
    for file in sorted((data / "commits").glob("commits_*.jsonl")):
        rows = [json.loads(line) for line in file.read_bytes().splitlines()]
        for (half, way), figures in sorted(judged(rows).items()):
            print(f"  {file.stem:40} {half:10} {way:13} {figures}")
            total = totals[half, way]
            total.chains += figures.chains
            total.newest += figures.newest
            total.stale += figures.stale
    if not totals:
        print(f"  skipped: {data / 'commits'} holds no history (commits_*.jsonl) with a chain of versions")
        return
    for (half, way), figures in sorted(totals.items()):
        print(f"  {'all':40} {half:10} {way:13} {figures}")
    decides = totals["held back", "current"]
    if decides.newest < TARGETS[0] * decides.chains or decides.stale > TARGETS[1] * decides.chains:
        print(f"  MISSED: newest first at least {TARGETS[0]}, stale first at most {TARGETS[1]}")
        sys.exit(1)


def judged(rows: Sequence[Mapping[str, Any]]) -> Judged:
    """The figures of one history; none if it has no chain."""
    said = [Said(row["subject"], _key(row["text"]), _at(row)) for row in rows]
    chains: dict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        if _VERSION.search(row["text"]):
            chains[said[place].key].append(place)
    asked = {
        key: places
        for key, places in chains.items()
        if len(places) >= MIN_CHAIN
        and len(key.split()) >= MIN_WORDS
        and len({rows[place]["text"] for place in places}) >= MIN_CHAIN
    }
    if not asked:
        return {}
    claims = current_claims(rows)
    current, everything = Ranking(claims), Ranking(said)
    figures: Judged = defaultdict(Figures)
    for key, places in asked.items():
        last = max(said[place].at for place in places)
        newest = frozenset(said[place].text for place in places if said[place].at.date() == last.date())
        half = "held back" if sha256(key.encode()).digest()[0] % 2 else "chosen"
        by_text = current.first(key)
        exact = next((claim for claim in claims if claim.key == key), by_text)
        for way, first in (("current", exact), ("full text", by_text), ("no lifecycle", everything.first(key))):
            figures[half, way].add(first, newest, key)
    return figures


class Ranking:
    """Statements by full text."""

    def __init__(self, said: Sequence[Said]) -> None:
        self.said = said
        self.index = sqlite3.connect(":memory:")
        self.index.execute("CREATE VIRTUAL TABLE said USING fts5(text, tokenize='porter unicode61')")
        self.index.executemany("INSERT INTO said(rowid, text) VALUES (?, ?)", ((n, s.text) for n, s in enumerate(said)))

    def first(self, query: str) -> Said | None:
        """The first of those with all the words, else of those with any of them; None if there is none."""
        words = [f'"{word}"' for word in re.findall(r"\w+", query)]
        for match in (" AND ".join(words), " OR ".join(words)):
            ask = "SELECT rowid FROM said WHERE said MATCH ? ORDER BY bm25(said), rowid LIMIT 1"
            found = self.index.execute(ask, (match,)).fetchone()
            if found is not None:
                return self.said[int(found[0])]
        return None


def current_claims(rows: Sequence[Mapping[str, Any]]) -> list[Said]:
    """What is current at the end of the history, the strongest first; dreamt over every DAYS_BETWEEN_RUNS days."""
    key_of = {row["subject"]: _key(row["text"]) for row in rows}
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(Path(folder) / "dreamd.db", window_days=Policy().waking_window_days)
        space = store.space("bench")
        _dreamt(space, rows)
        claims = sorted((claim for claim in space.claims() if claim.status is ClaimStatus.CURRENT), key=strength)
        store.close()
    return [Said(claim.text, key_of.get(claim.text, _key(claim.text)), claim.last_at) for claim in claims]


def _dreamt(space: SpaceStore, rows: Sequence[Mapping[str, Any]]) -> None:
    events = sorted(
        (made for row in rows if (made := event_of(_record(row), space="bench", recorded_at=_at(row), redact=str))),
        key=lambda event: event.at,
    )
    space.add_events(events)
    now = events[0].at
    while now < events[-1].at:
        now = min(now + timedelta(days=DAYS_BETWEEN_RUNS), events[-1].at)
        dream_once(space, now, Policy(), lambda _: None, by_hand=True)


def _key(text: str) -> str:
    words = _VERSION.sub(" ", _SUBJECT.sub("", text).lower()).split()
    return " ".join(word for word in words if word != "from")


def _at(row: Mapping[str, Any]) -> datetime:
    return datetime.fromisoformat(row["date"]).astimezone(UTC)


def _record(row: Mapping[str, Any]) -> CommitRecord:
    return CommitRecord(
        sha=row["sha"],
        parents=(),
        at=_at(row),
        author="renovate[bot]" if row["bot"] else "",  # names are not in the data
        subject=row["subject"],
        body=row["body"],
        files=tuple(row["files"]),
        file_count=row["n_files"],
    )
