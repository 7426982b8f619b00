"""What the edits of people are read against, and the events that are made of them.

An event is known again by who edited what when, not by the commit: one that was rebased or amended, or is read twice,
counts once. Secrets are hidden before anything is stored. No edit is older than what the person saw, nor than what it
ends.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from dreamd.daemon.aliasing import survivor_of
from dreamd.daemon.forgotten import OF_CLAIMS, is_sealed
from dreamd.daemon.hiding import Redact
from dreamd.daemon.intake.identity import content_digest
from dreamd.daemon.storage.store import SpaceStore
from dreamd.lifecycle import ids
from dreamd.lifecycle.claims import is_forgotten
from dreamd.lifecycle.edits import EDIT_SOURCE, Edit, as_extra
from dreamd.lifecycle.values import Claim, Event, Stream
from dreamd.lifecycle.words import Actor, ClaimStatus, DecayClass, EventKind
from dreamd.reflection.aliases import resolved
from dreamd.reflection.shape import inadmissible
from dreamd.reflection.targets import canonical_form
from dreamd.reflection.text_keys import text_key
from dreamd.repo_export.child_index import is_index
from dreamd.repo_export.edits.people import PeoplesCommit
from dreamd.repo_export.edits.reading import ReadFile
from dreamd.repo_export.edits.sheets import Said
from dreamd.repo_export.kept import NOTES_HEADING, Kept, as_shown
from dreamd.repo_export.markdown import command_line
from dreamd.repo_export.slug import ARCHIVE, SHELVES, path_of

GENERAL = "general"  # the target of what is written into MEMORY.md without a link
SHORT_COMMIT = 12  # hex digits of a commit in a source

# What was done, as an event carries it and a report tells it.
ADDED, CHANGED, REMOVED = "added", "changed", "removed"
PINNED, UNPINNED = "pinned", "unpinned"
REMOVED_FILE, RETURNED, RENAMED = "removed with its file", "brought back", "renamed"
NAMED, NOTED, LEFT, NOT_TAKEN = "named", "noted", "left", "not taken"


@dataclass(slots=True, kw_only=True)
class Taken:
    events: dict[str, Event] = field(default_factory=dict)  # by id
    # By stream, or by path of a file that is no page: the steps with the events that they came with.
    steps: dict[str, list[tuple[str, dict[str, Any]]]] = field(default_factory=dict)


@dataclass(slots=True)
class Reader:
    store: SpaceStore
    redact: Redact
    now: datetime
    max_characters: int
    kept: Mapping[str, Kept]  # as it was
    taken: Taken = field(default_factory=Taken)
    changed: dict[str, str] = field(default_factory=dict)  # claim id -> id of the claim that took its place
    ended: set[str] = field(default_factory=set)
    _streams: dict[str, Stream] | None = None
    _claims: dict[str, dict[str, Claim]] = field(default_factory=dict)

    # what is known

    def by_path(self) -> Mapping[str, Stream]:
        if self._streams is None:
            shown = ((as_shown(row, self.kept), row) for row in self.store.streams())
            self._streams = {path: row for looks, row in shown if (path := path_of(looks)) is not None}
        return self._streams

    def claims(self, stream: str) -> dict[str, Claim]:
        if stream not in self._claims:
            self._claims[stream] = {claim.id: claim for claim in self.store.claims([stream])}
        return self._claims[stream]

    def claim(self, id_: str) -> Claim | None:
        for known in self._claims.values():
            if id_ in known:
                return known[id_]
        row = next((row for row in self.store.prefixed(id_) if isinstance(row, Claim) and row.id == id_), None)
        return None if row is None else self.claims(row.stream)[id_]

    def owner(self, claim: Claim) -> Stream:
        stream = self.store.stream(claim.stream)
        assert stream is not None  # a claim has its stream  # noqa: S101
        return stream

    def stream_of(self, file: ReadFile) -> Stream | None:
        stream = self.store.stream(file.stream) if file.stream is not None else None
        stream = stream or self.by_path().get(file.path)
        if stream is None and is_page(file.path):
            target = resolved(canonical_form(stem_of(file.path)), self.store.alias_targets()).target
            stream = self.store.stream_by_target(target) if target else None
        return None if stream is None else survivor_of(self.store, stream)

    def target_of(self, file: ReadFile, said: Said | None = None) -> str:
        """The target that a new statement in `file` is about, as it is spelled."""
        if shelf_of(file.path) not in (*SHELVES, ARCHIVE) or is_index(file.path):
            linked = self.by_path().get(f"{said.link}.md") if said is not None and said.link else None
            if linked is not None:
                return survivor_of(self.store, linked).target
            return stem_of(said.link) if said is not None and said.link else GENERAL
        stem = stem_of(file.path)
        if file.title and canonical_form(file.title) == canonical_form(stem):
            return file.title
        return stem if canonical_form(stem) else file.title or GENERAL

    def unheeded(self, text: str) -> str:
        """Why `text` is not taken for true although a person states it: they forgot it. Else nothing."""
        forgotten = {row.digest for row in self.store.tombstones() if row.kind in OF_CLAIMS}
        key = text_key(self.redact(text))
        if not forgotten or self.store.guard is None or not is_sealed(self.store, key, forgotten):
            return ""
        same = (each for each in self.store.claims() if is_forgotten(each) and text_key(each.text) == key)
        claim = next(same, None)
        how = "" if claim is None else f": {command_line('unforget', claim.id, space=claim.space)}"
        return f"not shown, since you forgot it{how}"

    # what is taken

    def keep(self, event: str, page: str, step: dict[str, Any]) -> None:
        """`step` of what is kept of `page`, as long as `event` counts."""
        self.taken.steps.setdefault(page, []).append((event, step))

    def put(  # noqa: PLR0913 - what an event of an edit is made of
        self,
        file: ReadFile,
        commit: PeoplesCommit,
        text: str,
        edit: Edit,
        *,
        kind: EventKind = EventKind.MESSAGE,
        target: str | None = None,
        decay: DecayClass | None = None,
        not_before: datetime | None = None,
        entry: str = "",
        because: str | None = None,
    ) -> str:
        """The id of the event of an edit of `entry`, which is what is known of it whatever the store holds by now."""
        words = self.redact(text)
        note = edit.note
        if words != text:
            secret = f"a secret was hidden here, but commit {commit.sha[:SHORT_COMMIT]} holds it: make it void"
            note = f"{note}; {secret}" if note else secret
        whole = len(words)
        if whole > self.max_characters:
            words = words[: self.max_characters]
            note = f"{note}; cut from {whole} to {self.max_characters} characters".removeprefix("; ")
        edit = replace(edit, was=self.redact(edit.was)[: self.max_characters], path=self.redact(edit.path), note=note)
        source = f"{EDIT_SOURCE}{commit.sha[:SHORT_COMMIT]}"
        lower = [instant for instant in (commit.seen, not_before) if instant is not None]
        at = min(max([commit.at, *lower]), self.now)
        target = None if target is None else self.redact(target)
        digest = content_digest(
            at=at, kind=kind, target=target, text=words, actor=Actor.USER, source=source, session=None, outcome=None
        )
        known = ids.digest_of(commit.email, commit.at.isoformat(), file.path, edit.what, entry or edit.subject, words)
        id_ = ids.event_id(self.store.space, "edit", known, digest)
        self.taken.events[id_] = Event(
            id=id_,
            space=self.store.space,
            at=at,
            recorded_at=self.now,
            kind=kind,
            text=words,
            actor=Actor.USER,
            source=source,
            digest=digest,
            given_id=known,
            target=target,
            because=None if not because else self.redact(because)[: self.max_characters],
            decay=decay,
            extra=as_extra(edit),
        )
        return id_

    def aside(  # noqa: PLR0913 - as `put`
        self,
        file: ReadFile,
        stream: Stream | None,
        commit: PeoplesCommit,
        text: str,
        what: str,
        *,
        note: str = "",
        subject: str = "",
    ) -> str:
        """The id of an event that states nothing: who did what, so that the report tells it."""
        edit = edit_in(commit, file, what, note=note, subject=subject)
        return self.put(file, commit, text, edit, target=None if stream is None else stream.target)

    def page(self, file: ReadFile, stream: Stream | None) -> str:
        """What is kept of `file` is kept under this: the stream of its page, else its path."""
        if shelf_of(file.path) not in (*SHELVES, ARCHIVE) or is_index(file.path):
            return file.path
        return (
            stream.id if stream is not None else ids.stream_id(self.store.space, canonical_form(self.target_of(file)))
        )

    def leave(self, file: ReadFile, stream: Stream | None, lines: Sequence[str], commit: PeoplesCommit) -> None:
        """What is no entry stays as it is below its heading."""
        note = f"no entry: kept as it is, below the heading {NOTES_HEADING}"
        event = self.aside(file, stream, commit, "\n".join(lines), LEFT, note=note)
        self.keep(event, self.page(file, stream), {"left": [self.redact(line) for line in lines]})

    def is_statement(self, text: str) -> bool:
        return len(text) <= self.max_characters and inadmissible(text, EventKind.INTERVENTION) is None


def edit_in(commit: PeoplesCommit, file: ReadFile, what: str, **more: Any) -> Edit:
    given: dict[str, Any] = {"was": "", "claims": (), "over": (), "says": None, **more}
    return Edit(by=f"{commit.name} <{commit.email}>", commit=commit.sha, path=file.path, what=what, **given)


def is_current(claim: Claim) -> bool:
    return claim.status is ClaimStatus.CURRENT


def stem_of(path: str) -> str:
    """The name of a file or of what a link leads to."""
    return path.rpartition("/")[2].removesuffix(".md")


def is_page(path: str) -> bool:
    """Whether a live stream may have its file there; the pages of an index have names of streams and are none."""
    return shelf_of(path) in SHELVES and not is_index(path)


def shelf_of(path: str) -> str:
    return path.split("/", maxsplit=1)[0]
