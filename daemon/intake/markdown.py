"""`ingest markdown`: memory folders that agents and people keep, as events with source, target, kind and date.

Read by the same parser as `verify` (repo_export/note.py). A file with front matter of its own is about what it is named
after; a bullet of MEMORY.md about the heading above it; a line of an index states nothing, for the file that it links
to is read itself. What dreamd wrote, known by its ids, marks and manifest, is no evidence. A line that came before is a
duplicate, whatever date its file has now. All goes through the same checks, redaction and limits as a line of JSONL.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

from dreamd.daemon.intake.adapters import turns
from dreamd.daemon.intake.adding import Shown, Tally, batches, channel_of, store_events
from dreamd.daemon.intake.markdown_dates import Dated, date_in, instant_of, last_commits
from dreamd.daemon.intake.markdown_files import Folder, folder_of, read_bounded
from dreamd.daemon.intake.markdown_naming import category_of, file_target, kind_of, target_of
from dreamd.daemon.intake.markdown_reading import Left, Statement, statements_in
from dreamd.daemon.intake.record import BadField, Channel, build_event, check_characters, shown_reason
from dreamd.daemon.session import Session
from dreamd.daemon.terminal import progress
from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import Actor, DecayClass
from dreamd.repo_export.markdown import value_of
from dreamd.repo_export.note import Note, parse_note
from dreamd.repo_export.verify.forms import memory_type, nested
from dreamd.repo_export.verify.front_matter_rules import line_of
from dreamd.repo_export.verify.links import leading_target

NAME = "markdown"
OWN = "our own memory"
INDEX_LINE = "a line of the index, which sums up the file that it links to"
DESCRIPTION = "the description, which sums up the file"
UNDATED = "undated"  # the tag of what no line, file or commit dates
SHOWN_PLACES = 10_000  # of what was left out; all are counted
SAID_PLACES = 100  # of them in words
TAKEN_FIELDS = ("session", "scope", "decay", "actor", "because")  # of an event, where a line's metadata name them


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Lines that gave no event, and why."""

    file: str
    line: int | None
    last_line: int | None
    why: str


@dataclass(slots=True, kw_only=True)
class MarkdownTally(Tally):
    """What became of one memory folder."""

    files: int = 0
    undated: int = 0  # events that got the present as their date
    kinds: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)  # lines and files, by why
    places: list[Place] = field(default_factory=list)  # the first SHOWN_PLACES

    def leave(self, place: Place) -> None:
        self.left_out[place.why] += 1
        if len(self.places) < SHOWN_PLACES:
            self.places.append(place)


def ingest_markdown(opened: Session, path: Path, actor: str, reach: Callable[[str], None]) -> MarkdownTally:
    """Store what the Markdown files at or under `path` state. Raises BadData if there are none."""
    folder = folder_of(path, opened.home.memory)
    tally = MarkdownTally(name=str(path), files=len(folder.files))
    for file, why in folder.passed_over:
        tally.leave(Place(file=str(file), line=None, last_line=None, why=why))
    for file, why in folder.closed:
        tally.reject(Shown(file=str(file), line=None, field=None, reason=why))
    reading = _Reading(opened, folder, tally, channel_of(opened, str(path), actor, folder.space(opened)))
    with progress(str(path)) as advance:
        for batch in batches(reading.events(advance), lambda found: len(found[1].text)):
            store_events(opened, tally, batch, is_first_kept=True)
            reach("ingest-after-batch")
    if reading.git_problem is not None:
        why = f"dates of commits: {reading.git_problem}"
        tally.leave(Place(file=str(folder.root), line=None, last_line=None, why=why))
    return tally


class _Reading:
    """One pass over the files of a folder."""

    def __init__(self, opened: Session, folder: Folder, tally: MarkdownTally, channel: Channel) -> None:
        self.folder = folder
        self.tally = tally
        self.channel = channel
        self.now = opened.now
        self.git_problem: str | None = None

    def events(self, advance: Callable[[int], None]) -> Iterator[tuple[int, Event]]:
        for path, file in self.folder.files:
            yield from self._file(path, file)
            advance(1)

    def _file(self, path: str, file: Path) -> Iterator[tuple[int, Event]]:
        try:
            note = parse_note(read_bounded(file, self.channel.limits.document_bytes))
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            self.reject(file, line, None, f"the file is not UTF-8: {error.reason} at byte {error.start + 1}")
            return
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            self.reject(file, None, None, f"cannot be read: {reason}; mend it, then ingest it again")
            return
        if note.problem is not None:
            self.reject(file, 1, "front matter", f"{note.problem}; nothing of the file was taken, so mend it first")
            return
        if self.folder.is_own(path, note):
            last = note.lines[-1].number if note.lines else 1
            self.tally.leave(Place(file=str(file), line=1, last_line=last, why=OWN))
            return
        yield from _File(self, path, file, note).events()

    @cached_property
    def commits(self) -> Mapping[str, datetime]:
        found, self.git_problem = last_commits(self.folder.root, self.now, self.channel.limits)
        return found

    def reject(self, file: Path, line: int | None, name: str | None, reason: str) -> None:
        shown = shown_reason(reason, self.channel.redactor)
        self.tally.reject(Shown(file=str(file), line=line, field=name, reason=shown))


class _File:
    """One file that holds what others know."""

    def __init__(self, reading: _Reading, path: str, file: Path, note: Note) -> None:
        self.reading = reading
        self.path = path
        self.file = file
        self.note = note
        self.front_matter = note.front_matter
        self.target = file_target(path, note.front_matter)

    def events(self) -> Iterator[tuple[int, Event]]:
        found = statements_in(self.note, self._why_left_out)
        has_stated = False
        for each in found:
            if isinstance(each, Left):
                self._leave(each.line, each.last_line, each.why)
                continue
            has_stated = True
            yield from self._event(each)
        description = self.front_matter.get("description")
        if isinstance(description, str) and description.strip():
            line = line_of(self.note, "description")
            if has_stated:
                self._leave(line, line, DESCRIPTION)
            else:
                yield from self._event(Statement(line=line, text=" ".join(description.split())))

    def _event(self, statement: Statement) -> Iterator[tuple[int, Event]]:
        reading, entry = self.reading, statement.entry
        metadata = dict(reversed(entry.metadata)) if entry is not None else {}
        category = category_of(statement)
        added = metadata.get("added")
        dated = self._dated(added)
        if dated is None:
            self._reject(statement.line, "added", f"{added!r} is no date; write it like 2026-01-05")
            return
        text = category[1] if category is not None else statement.text
        named = {name: metadata[name] for name in TAKEN_FIELDS if metadata.get(name)}
        fields: dict[str, object] = {
            "id": sha256(f"{text}\0{added or ''}".encode("utf-8", "replace")).hexdigest()[:16],
            "at": dated.at.isoformat(),
            "text": text,
            "kind": kind_of(statement, self.front_matter).value,
            "target": target_of(statement, self.target, reading.folder.root.name),
            "source": f"{NAME}:{self.path}",
            "session": self._session(),
            "tags": [*self._tags(), *([category[0]] if category else []), *([UNDATED] if dated.by == "now" else [])],
            **({"because": statement.because} if statement.because else {}),
            **{name: value for name, value in named.items() if _is_allowed(name, value)},
            **({"section": statement.section} if statement.section else {}),
            "line": statement.line,
            "dated_by": dated.by,
        }
        if entry is not None and entry.metadata:
            fields["metadata"] = [list(pair) for pair in entry.metadata]
        try:
            for name, value in fields.items():
                check_characters(name, value)
            event = build_event(fields, reading.channel, is_plain=False)
        except BadField as bad:
            self._reject(statement.line, "added" if bad.field == "at" and added else bad.field or None, bad.reason)
            return
        reading.tally.undated += dated.by == "now"
        reading.tally.kinds[event.kind.value] += 1
        yield statement.line, event

    def _dated(self, added: str | None) -> Dated | None:
        """When a line was written; None if what it says of it itself is no date."""
        if added:
            at = instant_of(added)
            return Dated(at=at, by="added") if at is not None else None
        return self.date

    @cached_property
    def date(self) -> Dated:
        """Of what is in the file and says no date itself."""
        at, unread = date_in(self.front_matter)
        for key in unread:
            line = line_of(self.note, key)
            self._leave(line, line, f"front matter: {key} is no date")
        if at is not None:
            return Dated(at=at, by="front matter")
        at = self.reading.commits.get(self.path)
        return Dated(at=at, by="commit") if at is not None else Dated(at=self.reading.now, by="now")

    def _session(self) -> str | None:
        """The session that a memory says it is from."""
        for key in ("originSessionId", "session"):
            value = nested(self.front_matter).get(key, self.front_matter.get(key))
            if isinstance(value, str) and value.strip():
                return value.strip()
        return None

    def _tags(self) -> list[str]:
        """The tags of the file and its type, each once."""
        tags = self.front_matter.get("tags")
        given = tags.replace(",", " ").split() if isinstance(tags, str) else tags if isinstance(tags, list) else []
        kind = memory_type(self.front_matter)
        texts = [*(str(tag).strip() for tag in given if isinstance(tag, str)), kind if isinstance(kind, str) else ""]
        return list(dict.fromkeys(text for text in texts if text))

    def _why_left_out(self, statement: Statement) -> str | None:
        entry = statement.entry
        if turns.is_own_memory(statement.raw or statement.text):
            return OWN
        if entry is None or value_of(entry, "source") or value_of(entry, "added"):
            return None
        link = leading_target(statement.raw)
        return INDEX_LINE if link is not None and self.reading.folder.holds(link, self.path) else None

    def _leave(self, line: int, last_line: int, why: str) -> None:
        self.reading.tally.leave(Place(file=str(self.file), line=line, last_line=last_line, why=why))

    def _reject(self, line: int, name: str | None, reason: str) -> None:
        self.reading.reject(self.file, line, name, reason)


def _is_allowed(name: str, value: str) -> bool:
    """Whether metadata that are called like a field of an event hold what that field may hold."""
    words = {"decay": DecayClass, "actor": Actor}.get(name)
    return words is None or value in set(words)


def counts_of(tallies: Sequence[MarkdownTally]) -> dict[str, Any]:
    """The counts of several folders together, as JSON."""
    kinds: Counter[str] = sum((tally.kinds for tally in tallies), Counter())
    reasons: Counter[str] = sum((tally.left_out for tally in tallies), Counter())
    places = chain.from_iterable(tally.places for tally in tallies)
    return {
        "files": sum(tally.files for tally in tallies),
        "undated": sum(tally.undated for tally in tallies),
        "events": dict(sorted(kinds.items())),
        "left_out": [{"why": why, "count": count} for why, count in sorted(reasons.items())],
        "places": [
            {"file": place.file, "line": place.line, "last_line": place.last_line, "why": place.why} for place in places
        ],
    }


def in_words(tallies: Iterable[MarkdownTally]) -> Iterator[str]:
    """What was read, and each place that gave no event."""
    for tally in tallies:
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(tally.kinds.items()))
        yield f"files: {tally.files}" + (f"; statements by kind: {kinds}" if kinds else "")
        if tally.undated:
            why = "no line, file or commit says when, so the present counts"
            yield f"undated: {tally.undated}, tagged `{UNDATED}`; {why}"
        if tally.left_out:
            yield "left out:"
        for place in tally.places[:SAID_PLACES]:
            lines = "" if place.line is None else f":{place.line}"
            if place.last_line is not None and place.last_line != place.line:
                lines += f"-{place.last_line}"
            yield f"  {place.file}{lines}: {place.why}"
        if (more := tally.left_out.total() - SAID_PLACES) > 0:
            yield f"  and {more} more; --json names them"
