"""What a purge has to do, written down before it begins, so that one that was killed can be finished.

`<home>/purging.json` is the only place that still tells of what is purged while the purge is under way. It is readable
by its owner only, and the last thing that the purge removes.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dreamd.daemon.errors import Storage
from dreamd.daemon.needles import Needles
from dreamd.daemon.tombs import Tomb

JOURNAL_NAME = "purging.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Journal:
    number: int  # of the purge
    space: str
    kind: str  # what SUBJECT was: one of purge_subject.KINDS
    now: str  # instant of the purge, RFC 3339
    events: frozenset[str]
    names: frozenset[str]  # canonical forms of a purged target
    streams: frozenset[str]
    needles: Needles
    slugs: frozenset[str]
    tombs: tuple[Tomb, ...]
    counts: Mapping[str, int]  # for the certificate
    sources: tuple[str, ...]  # where the events had come from, as far as that does not tell of them

    def as_json(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "space": self.space,
            "kind": self.kind,
            "now": self.now,
            "events": sorted(self.events),
            "names": sorted(self.names),
            "streams": sorted(self.streams),
            "needles": self.needles.as_json(),
            "slugs": sorted(self.slugs),
            "tombs": [[tomb.kind, tomb.seal] for tomb in self.tombs],
            "counts": dict(self.counts),
            "sources": list(self.sources),
        }


def write_journal(home: Path, journal: Journal) -> None:
    """Durable before this returns."""
    beside = home / f".{JOURNAL_NAME}.new"
    beside.unlink(missing_ok=True)
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(journal.as_json(), file, ensure_ascii=True)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(home / JOURNAL_NAME)


def read_journal(home: Path) -> Journal | None:
    """The purge that is not finished; None if there is none. Raises Storage if it cannot be read."""
    (home / f".{JOURNAL_NAME}.new").unlink(missing_ok=True)
    file = home / JOURNAL_NAME
    try:
        value = json.loads(file.read_bytes())
        number, space = value["number"], value["space"]
        return Journal(
            number=number,
            space=space,
            kind=value["kind"],
            now=value["now"],
            events=frozenset(value["events"]),
            names=frozenset(value["names"]),
            streams=frozenset(value["streams"]),
            needles=Needles.from_json(value["needles"]),
            slugs=frozenset(value["slugs"]),
            tombs=tuple(Tomb(space=space, kind=kind, seal=seal, purge=number) for kind, seal in value["tombs"]),
            counts=value["counts"],
            sources=tuple(value["sources"]),
        )
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Storage(f"{file} cannot be read: {error}", "purge the same subject again once it is moved away") from None


def end_journal(home: Path) -> None:
    """Overwritten, then removed: nothing of it is left in the file, whatever the disk keeps."""
    file = home / JOURNAL_NAME
    try:
        size = file.stat().st_size
        with file.open("r+b") as handle:
            handle.write(b"\0" * size)
            handle.flush()
            os.fsync(handle.fileno())
    except FileNotFoundError:
        return
    file.unlink()
