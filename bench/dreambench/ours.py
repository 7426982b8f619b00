"""dreamd behind the port: the functions that its commands call, one home, one open session.

The index is read from the files of the memory repository, as a reader would; everything else is what `streams`, `show`
and `claims` answer. An undo is rehearsed on a copy of the store.
"""

import re
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any

from bench.dreambench.port import Reached, Said, Seen
from dreamd.daemon.home import Home, create, open_home
from dreamd.daemon.intake.adding import ingest_lines
from dreamd.daemon.knowing import streams_view
from dreamd.daemon.publish import catch_up
from dreamd.daemon.reverting import Wish, revert
from dreamd.daemon.run import dream_once
from dreamd.daemon.session import Globals, Session
from dreamd.daemon.simulate.delivery import Night
from dreamd.daemon.storage.reading import IN_DIGEST
from dreamd.daemon.storage.store import SpaceStore, Store
from dreamd.lifecycle.codec import row_to_json
from dreamd.reflection.targets import canonical_form

SPACE = "dreambench"
KEY = "ab" * 32  # of every home, so that files are the same each time
SYSTEM_TIME = ("recorded_at", "retracted_at")
_LINK = re.compile(r"\[\[([^\]\n]+)\]\]")


class Dreamd:
    def __init__(self, folder: Path, *, exports: bool = True, fuses: bool = True) -> None:
        home = create(folder / "home")
        (folder / "home" / "key").write_text(KEY + "\n")
        self._open(home, folder, exports=exports, fuses=fuses)

    @classmethod
    def again(cls, folder: Path) -> "Dreamd":
        """The home that another one left in `folder`."""
        opened = cls.__new__(cls)
        opened._open(open_home(folder / "home"), folder, exports=True, fuses=True)
        return opened

    def _open(self, home: Home, folder: Path, *, exports: bool, fuses: bool) -> None:
        self.name = "dreamd"
        self.folder = folder
        self.session = Session(
            asked=Globals(home=str(home.path), space=SPACE), home=home, now=datetime.fromisoformat("2026-01-01T00:00Z")
        )
        # Without fuses nothing waits for a person, however much a seldom run meets at once.
        own = self.session.policy
        self.policy = own if fuses else replace(own, fuse_min_changes=10**9)
        self.exports = exports
        self.store: SpaceStore = self.session.store.space(SPACE)

    def ingest(self, night: Night) -> None:
        self.session.now = night.at
        for lines, actor in ((night.agents, ""), (night.user, "user")):
            if lines:
                tally = ingest_lines(self.session, BytesIO(b"\n".join(lines) + b"\n"), "deliveries", actor, _nothing)
                if tally.rejected:
                    raise ValueError(f"the history is refused: {tally.rejections[0].in_words()}")

    def dream(self, now: datetime) -> None:
        self.session.now = now
        plan = dream_once(self.store, now, self.policy, _nothing, by_hand=True)
        if self.exports and self.store.head().number:
            repository = self.session.repository(SPACE)
            catch_up(self.store, repository, now, _nothing, self.session.redact, plan=plan)

    def key_of(self, name: str) -> str:
        return canonical_form(name)

    def look(self) -> Mapping[str, Seen]:
        listed = self._listed()
        return {view["target"]: self._seen(view, listed) for view in streams_view(self.session, self.store, "", "")}

    def statements(self, name: str) -> Sequence[Said]:
        stream = self.store.stream_by_target(self.key_of(name))
        if stream is None:
            return ()
        return [
            Said(
                text=claim.text,
                status=claim.status,
                group=claim.group,
                kind=claim.kind,
                trust=claim.trust,
                ended_at=claim.valid_to,
            )
            for claim in self.store.claims([stream.id])
        ]

    def reached(self) -> Mapping[str, Reached]:
        return {
            stream.target: Reached(emergent_at=stream.emergent_at, canonical_at=stream.canonical_at)
            for stream in self.store.streams()
        }

    def rows(self) -> Mapping[str, Mapping[str, object]]:
        readers = {
            "stream": self.store.streams,
            "claim": self.store.claims,
            "link": self.store.links,
            "alias": self.store.aliases,
            "pin": self.store.pins,
            "tombstone": self.store.tombstones,
            "proposal": self.store.proposals,
            "question": self.store.questions,
        }
        found: dict[str, Mapping[str, object]] = {}
        for table in IN_DIGEST:
            for row in readers[table]():  # type: ignore[operator]  # all can be called without an argument
                fields = {name: value for name, value in row_to_json(row).items() if name not in SYSTEM_TIME}
                found[f"{table} {row.id}"] = fields
        return found

    def undo_restores(self, now: datetime) -> bool | None:
        copy = self.folder / "rehearsal.db"
        copy.unlink(missing_ok=True)
        with sqlite3.connect(self.session.home.database) as source, sqlite3.connect(copy) as target:
            source.backup(target)
        policy = self.policy
        opened = Store.open(copy, window_days=policy.waking_window_days)
        try:
            store = opened.space(SPACE)
            before = store.digest()
            plan = dream_once(store, now, policy, _nothing, by_hand=True)
            if plan.changes:
                revert(store, Wish(number=plan.number), now, policy, _nothing)
            return store.digest() == before
        finally:
            opened.close()

    def close(self) -> None:
        self.session.close()

    def _seen(self, view: dict[str, Any], listed: frozenset[str]) -> Seen:
        path = None if view["path"] is None else str(view["path"])
        is_there = path is not None and (self.session.home.repository(SPACE) / path).is_file()
        return Seen(
            phase=view["phase"],
            is_listed=path is not None and path.removesuffix(".md") in listed,
            is_doubtful=view["doubtful"],
            is_archived=view["status"] == "faded" and is_there,
        )

    def _listed(self) -> frozenset[str]:
        """What MEMORY.md links to, and the indexes that it links to."""
        root = self.session.home.repository(SPACE)
        links = _links(root / "MEMORY.md")
        return links.union(*(_links(root / f"{link}.md") for link in sorted(links) if link.endswith("/INDEX")))


def _links(file: Path) -> frozenset[str]:
    return frozenset(_LINK.findall(file.read_text(encoding="utf-8"))) if file.is_file() else frozenset()


def _nothing(name: str) -> None:
    """A failpoint that lets everything pass."""
