"""What an adapter is: one file that turns the transcripts of one agent into events.

An adapter reads and names; it decides nothing and stores nothing, and of hiding secrets it does only what the driver
cannot: before a part is taken of a text whose rest may give a secret away, it calls `Hide`. The driver checks every
event as it checks a line of JSONL, hides secrets, caps actors, stores, counts, and remembers how far each
file was read.
"""

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

Memory = MutableMapping[str, object]  # what an adapter knows of a file so far; JSON values only, kept small
Hide = Callable[[str], str]  # gives a text with its secrets hidden; what an adapter cuts or picks from goes through it


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A record of the transcript, before what comes of it: counted by its type."""

    line: int  # of the transcript, from 1
    record: str  # its type as the transcript calls it, of a small set; what is not known is "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """One event to be, with its fields named as in JSONL; `id` makes a second delivery a duplicate.

    Without a `source` the driver gives it `<name>:<session>`. An adapter whose ids hold for all sessions names itself
    alone as the source, so that a session that repeats another's records tells nothing new.
    """

    line: int  # of the transcript, from 1
    fields: Mapping[str, object]
    dated_by: str = "at"  # the field of the transcript that `at` came from, as a rejection calls it


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A record, or a part of one, that gives no event: counted by `record` and `why`, never fatal."""

    line: int
    record: str  # its type as the transcript calls it
    why: str  # a short standing phrase, since it is a row of a table: "chatter", "unknown record type"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """A record that is broken: rejected with its reason, as a bad line of JSONL is."""

    line: int
    field: str | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """All before byte `offset` is dealt with, given what the memory now holds; reading may go on from here."""

    offset: int
    line: int  # lines before it


Found = Seen | Draft | LeftOut | Unread | Mark


class Adapter(Protocol):
    """One agent's transcripts. The same bytes give the same events, in however many pieces they are read."""

    name: str  # the SOURCE of `dreamd ingest`, and what the source of its events begins with
    reads: str  # one line for the help: what it reads and where such files lie

    def find(self, path: Path) -> Iterator[Path]:
        """The transcripts at or under `path`, sorted; a file that is named is read whatever it is called."""
        ...

    def project(self, file: Path) -> Path | None:
        """The folder that the session worked in, as the transcript says; it need not exist here. None: not said."""
        ...

    def read(self, file: BinaryIO, memory: Memory, *, line: int) -> Iterator[Found]:
        """What follows in `file`, which stands where the last mark was, `line` lines in; `memory` is kept with it.

        A last line without its end is being written: it is left for the next time.
        """
        ...
