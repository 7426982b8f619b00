"""The tombstones of what was purged, kept beside the database so that no backup of it brings anything back.

`<home>/tombstones` only grows: one JSON object a line, with space, kind, seal (sealing.py) and the number of the purge.
It holds no text. The same seals are rows of the database; the file is what an older one, put back, is held against.
"""

import json
import os
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from dreamd.daemon.sealing import PURGED_EVENT, PURGED_SUBJECT, PURGED_TEXT, Seal
from dreamd.lifecycle.values import Event
from dreamd.reflection.sentences import parts_of
from dreamd.reflection.targets import canonical_form
from dreamd.reflection.text_keys import text_key

FILE_MODE = 0o600
TELLING_WORDS = 3  # a shorter text ("ok", "try again") is nobody's: it may be said again


@dataclass(frozen=True, slots=True, kw_only=True)
class Tomb:
    space: str
    kind: str  # one of sealing.PURGED
    seal: str
    purge: int  # number of the purge


class Tombs:
    """The tombstones file at `path`, and what it refuses."""

    def __init__(self, path: Path, seal: Seal) -> None:
        self.path = path
        self.seal = seal

    @cached_property
    def tombs(self) -> tuple[Tomb, ...]:
        """All that can be read; a line that a power cut left unfinished is passed over, it is written again."""
        try:
            text = self.path.read_text(encoding="ascii", errors="replace")
        except FileNotFoundError:
            return ()
        return tuple(tomb for line in text.splitlines() if (tomb := _read(line)) is not None)

    def digests(self, space: str) -> frozenset[str]:
        """The seals of what was purged from `space`."""
        return frozenset(tomb.seal for tomb in self.tombs if tomb.space == space)

    def newest(self, space: str) -> int:
        """The number of the last purge in `space`; 0 if there was none."""
        return max((tomb.purge for tomb in self.tombs if tomb.space == space), default=0)

    def add(self, tombs: Iterable[Tomb]) -> None:
        """Write those that are not there, all of them durable before this returns."""
        there = {(tomb.space, tomb.kind, tomb.seal) for tomb in self.tombs}
        new = [tomb for tomb in tombs if (tomb.space, tomb.kind, tomb.seal) not in there]
        lines = [{"space": t.space, "kind": t.kind, "seal": t.seal, "purge": t.purge} for t in new]
        text = "".join(json.dumps(line) + "\n" for line in lines)
        descriptor = os.open(
            self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, FILE_MODE
        )
        with os.fdopen(descriptor, "wb") as file:
            if text and os.fstat(descriptor).st_size:  # what a power cut left must not swallow the first line
                file.write(b"\n")
            file.write(text.encode("ascii"))
            file.flush()
            os.fsync(file.fileno())
        self.__dict__.pop("tombs", None)

    def is_purged(self, event: Event, digests: Collection[str]) -> bool:
        """Whether `event`, what it says or what it is about was purged, as the seals `digests` say."""
        return any(self.seal(event.space, kind, text) in digests for kind, text in sealed_of(event))


def sealed_of(event: Event) -> Iterable[tuple[str, str]]:
    """(kind, text) of all seals by which `event` is known again."""
    yield PURGED_EVENT, event.id
    if event.target is not None:
        yield PURGED_SUBJECT, canonical_form(event.target)
    for text in dict.fromkeys((event.text, *parts_of(event.text, event.kind))):
        if len(text.split()) >= TELLING_WORDS:
            yield PURGED_TEXT, text_key(text)


def _read(line: str) -> Tomb | None:
    try:
        value = json.loads(line)
        return Tomb(space=value["space"], kind=value["kind"], seal=value["seal"], purge=value["purge"])
    except (ValueError, KeyError, TypeError):
        return None
