"""Taking in the transcripts of an agent: whole trees, only what is new, each project in its space.

An adapter says what a transcript tells; here it is checked, capped, redacted, stored and counted. The events of a file
and the mark up to which it was read are one transaction, so a kill at any point loses nothing and doubles nothing. A
file that cannot be read is named; the others are read.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

from dreamd.daemon.errors import BadData
from dreamd.daemon.home import space_name
from dreamd.daemon.intake import marks
from dreamd.daemon.intake.adapters.finding import closed_under
from dreamd.daemon.intake.adapters.port import Adapter, Draft, LeftOut, Mark, Memory, Seen, Unread
from dreamd.daemon.intake.adding import BATCH, Shown, Tally
from dreamd.daemon.intake.marks import Look, Progress
from dreamd.daemon.intake.record import BadField, Channel, build_event, check_characters, shown_reason
from dreamd.daemon.owners import whose
from dreamd.daemon.session import Session
from dreamd.daemon.terminal import progress as shown_progress
from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import Actor, EventKind

MAX_ROWS = 200  # of each table of counts; a hostile transcript may name any number of things
OWN_FILES = "files of our own memory"
UNFINISHED = Look(size=-1, mtime_ns=0, inode=0)  # no file looks so: after a kill the rest is read


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What the person who ingests says of the transcripts."""

    begun: datetime | None = None  # when a session began that holds no times; a line counts as a second
    granted: Actor  # the most trusted actor that may speak in them


@dataclass(slots=True, kw_only=True)
class TranscriptTally(Tally):
    """What became of the transcripts at one path."""

    files: int = 0  # found
    unchanged: int = 0  # of them, since the last time
    records: Counter[str] = field(default_factory=Counter)  # by type
    kinds: Counter[str] = field(default_factory=Counter)  # events, new and duplicate, by kind
    left_out: Counter[tuple[str, str]] = field(default_factory=Counter)  # by record and why

    def count(self, table: Counter[str] | Counter[tuple[str, str]], row: str | tuple[str, str]) -> None:
        known = row in table or len(table) < MAX_ROWS
        table[row if known else ("other" if isinstance(row, str) else ("other", "other"))] += 1  # type: ignore[index]


def ingest_transcripts(
    opened: Session, adapter: Adapter, path: Path, terms: Terms, reach: Callable[[str], None]
) -> TranscriptTally:
    """Store what is new in the transcripts at or under `path`. Raises BadData if there are none."""
    if not path.exists():
        raise BadData(f"cannot read {path}: there is no such file or folder", f"name where {adapter.reads} lie")
    files = list(adapter.find(path))
    closed = closed_under(path)
    if not files and closed:
        more = f" and {len(closed) - 1} more" if len(closed) > 1 else ""
        raise BadData(f"{closed[0]}{more} cannot be read: {whose(closed[0])}", "read it as its owner, or mend its mode")
    if not files:
        raise BadData(f"{path} holds none of {adapter.reads}", "name a folder that does, or one file")
    tally = TranscriptTally(name=str(path), files=len(files))
    for folder in closed:
        reason = f"cannot be read: {whose(folder)}; read it as its owner or mend its mode, then ingest it again"
        tally.reject(Shown(file=str(folder), line=None, field=None, reason=reason))
    reading = _Reading(opened, adapter, tally, terms, reach)
    with shown_progress(str(path)) as advance:
        for file in files:
            reading.take_in(file)
            advance(1)
    return tally


class _Reading:
    """One pass over many files; what holds for all of them is read once."""

    def __init__(
        self,
        opened: Session,
        adapter: Adapter,
        tally: TranscriptTally,
        terms: Terms,
        reach: Callable[[str], None],
    ) -> None:
        self.opened = opened
        self.terms = terms
        self.adapter = adapter
        self.tally = tally
        self.reach = reach
        self.is_asked = opened.asked.space is not None
        self.spaces: dict[Path | None, str] = {}

    @cached_property
    def known(self) -> dict[str, tuple[str, str]]:
        """Space and value of the cursors of this adapter's files, by the file; of those that were found this way."""
        known: dict[str, tuple[str, str]] = {}
        for space, source, value in self.opened.store.cursors(f"{self.adapter.name}:"):
            wanted = (
                space == self.opened.space_for_new if self.is_asked else '"is_asked": false' in value.split("\n")[0]
            )
            if wanted:
                known[source] = (space, value)
        return known

    def take_in(self, file: Path) -> None:
        """Store what is new in `file`; one that cannot be read is rejected with its reason."""
        try:
            source = f"{self.adapter.name}:{file.resolve()}"
            look = marks.look_of(file)
            space, value = self.known.get(source, (None, ""))
            before = marks.progress_in(value) if value else None
            if before is not None and before.look == look:
                self.tally.unchanged += 1
                self.tally.spaces.update([space] if space and before.is_placed else [])
                return
            is_placed = before is not None and before.is_placed
            if not is_placed:
                space, is_placed = self._space_of(file)
                before = None
            with file.open("rb") as stream:
                _File(self, file, source, space or "", is_placed=is_placed).read(stream, look, before, value)
        except OSError as error:
            reason = f"cannot be read: {error.strerror or error}; check its owner and mode, then ingest it again"
            self.tally.reject(Shown(file=str(file), line=None, field=None, reason=reason))

    def _space_of(self, file: Path) -> tuple[str, bool]:
        """The space of `file`, and whether it is settled: a transcript that just begins may not say its project yet."""
        if self.is_asked:
            return self.opened.space_for_new, True
        project = self.adapter.project(file)
        if project not in self.spaces:
            self.spaces[project] = space_name(project_name(project)) if project else ""
        named = self.spaces[project]
        return named or space_name(file.resolve().parent.name), bool(named)


def project_name(folder: Path) -> str:
    """The name of the project that `folder` is or was: that of its repository if it is here, else its own."""
    from dreamd.daemon.intake import git  # noqa: PLC0415 - imports GitPython

    if folder.is_dir():
        try:
            return git.project_name(folder)
        except git.IntakeProblem:
            pass
    return folder.name or "project"


class _File:
    """The reading of one file into one space."""

    def __init__(self, reading: _Reading, file: Path, source: str, space: str, *, is_placed: bool) -> None:
        opened = reading.opened
        self.reading = reading
        self.tally = reading.tally
        self.file = file
        self.source = source
        self.store = opened.store.space(space)
        self.memories = f"{opened.home.memory.resolve()}/"
        self.channel = Channel(
            name=str(file),
            space=space,
            recorded_at=opened.now,
            redactor=opened.redactor,
            limits=opened.loaded.settings.limits,
            actor_cap=reading.terms.granted,
            default_actor=max(Actor.AGENT, reading.terms.granted, key=list(Actor).index),
        )
        self.waiting: list[Event] = []
        self.is_placed = is_placed

    def read(self, stream: BinaryIO, look: Look, before: Progress | None, value: str) -> None:
        """Read on from `before`, or from the start if the file is not what it was."""
        memory = marks.memory_in(value) if before is not None else None
        if before is None or memory is None or look.size < before.offset or not _is_same(stream, before):
            memory, offset, line = {}, 0, 0
        else:
            offset, line = before.offset, before.line
        stream.seek(offset)
        for found in self.reading.adapter.read(stream, memory, line=line):
            match found:
                case Mark():
                    offset, line = found.offset, found.line
                    if len(self.waiting) >= BATCH:
                        stands = stream.tell()
                        self._store(self._progress(stream, UNFINISHED, offset, line), memory)
                        stream.seek(stands)
                case Seen():
                    self.tally.count(self.tally.records, found.record)
                case LeftOut():
                    self.tally.count(self.tally.left_out, (found.record, found.why))
                case Unread():
                    self._reject(found.line, found.field, found.reason)
                case Draft():
                    self._draft(found)
        self._store(self._progress(stream, look, offset, line), memory)

    def _draft(self, draft: Draft) -> None:
        files = draft.fields.get("files")
        if isinstance(files, list) and any(str(each).startswith(self.memories) for each in files):
            self.tally.count(self.tally.left_out, (str(draft.fields.get("kind")), OWN_FILES))
            return
        fields = dict(draft.fields)
        if (begun := self.reading.terms.begun) is not None:
            fields.setdefault("at", (begun + timedelta(seconds=draft.line)).isoformat())
        session = fields.get("session")
        fields.setdefault("source", f"{self.reading.adapter.name}:{session}" if session else self.reading.adapter.name)
        try:
            for name, each in fields.items():
                check_characters(name, each)
            self.waiting.append(build_event(fields, self.channel, is_plain=False))
        except BadField as bad:
            self._reject(draft.line, draft.dated_by if bad.field == "at" else bad.field or None, bad.reason)

    def _reject(self, line: int, name: str | None, reason: str) -> None:
        shown = shown_reason(reason, self.channel.redactor)
        self.tally.reject(Shown(file=str(self.file), line=line, field=name, reason=shown))

    def _progress(self, stream: BinaryIO, look: Look, offset: int, line: int) -> Progress:
        head = marks.head_of(stream, offset)
        return Progress(
            look=look,
            head=head,
            offset=offset,
            line=line,
            is_asked=self.reading.is_asked,
            is_placed=self.is_placed or bool(self.waiting),  # what tells something and names no project never will
        )

    def _store(self, progress: Progress, memory: Memory) -> None:
        events, self.waiting = self.waiting, []
        value = marks.written(progress, memory, self.channel.redactor)
        if not events:
            self.store.set_cursor(self.source, value)  # without events there is no space to make
            return
        self.is_placed = True
        self.tally.spaces.add(self.store.space)
        deliveries = self.store.add_events(events, (self.source, value))
        for event, delivery in zip(events, deliveries, strict=True):
            # The same record with other words is the same record: another session's file repeats it.
            is_new = delivery.outcome == "new"
            self.tally.new += is_new
            self.tally.purged += delivery.outcome == "purged"
            self.tally.duplicate += delivery.outcome not in ("new", "purged")
            self.tally.count(self.tally.kinds, event.kind.value)
        self.reading.reach("ingest-after-batch")


def _is_same(stream: BinaryIO, before: Progress) -> bool:
    return marks.head_of(stream, before.offset) == before.head


def rows_of(tallies: Iterable[TranscriptTally]) -> dict[str, object]:
    """The counts of several paths together, as JSON."""
    records: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    left_out: Counter[tuple[str, str]] = Counter()
    files = unchanged = 0
    for tally in tallies:
        records += tally.records
        kinds += tally.kinds
        left_out += tally.left_out
        files += tally.files
        unchanged += tally.unchanged
    return {
        "files": files,
        "unchanged": unchanged,
        "records": dict(sorted(records.items())),
        "events": {kind.value: kinds[kind.value] for kind in EventKind if kinds[kind.value]},
        "left_out": [
            {"record": record, "why": why, "count": count} for (record, why), count in sorted(left_out.items())
        ],
    }
