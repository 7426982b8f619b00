"""From what people changed in the files to events, and to what is kept of a page beside its statements.

An event is known again by who edited what when, not by the commit alone: a commit that was rebased or amended, or is
read twice, counts once. Secrets are hidden before anything is stored.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from dreamd.daemon.aliasing import survivor_of
from dreamd.daemon.hiding import Redact
from dreamd.daemon.intake.identity import content_digest
from dreamd.daemon.storage.store import SpaceStore
from dreamd.lifecycle import ids
from dreamd.lifecycle.edits import EDIT_SOURCE, Edit, as_extra
from dreamd.lifecycle.values import Claim, Event, Stream
from dreamd.lifecycle.words import Actor, ClaimKind, ClaimStatus, DecayClass, EventKind, Status
from dreamd.reflection.aliases import resolved
from dreamd.reflection.shape import inadmissible
from dreamd.reflection.targets import canonical_form
from dreamd.reflection.text_keys import group_key, text_key
from dreamd.repo_export.edits.people import PeoplesCommit
from dreamd.repo_export.edits.reading import (
    Added,
    Changed,
    FileEdit,
    Gone,
    Left,
    Moved,
    Named,
    Notes,
    Pinned,
    ReadFile,
    Removed,
    Untold,
)
from dreamd.repo_export.edits.sheets import Said, normal
from dreamd.repo_export.index import MEMORY_PATH
from dreamd.repo_export.kept import NOTHING_KEPT, Kept, as_shown, with_named, with_notes
from dreamd.repo_export.slug import ARCHIVE, SHELVES, path_of

GENERAL = "general"  # the target of what is written into MEMORY.md without a link
SHORT_COMMIT = 12  # hex digits of a commit in a source
ALIAS, REMOVED_FILE, RETURNED, PINNED, UNPINNED = "renamed", "file removed", "file returned", "pinned", "unpinned"
_PREFERENCE_FOLDERS = ("preferences", MEMORY_PATH)


@dataclass(slots=True, kw_only=True)
class Taken:
    events: dict[str, Event] = field(default_factory=dict)  # by id
    kept: dict[str, Kept] = field(default_factory=dict)  # by stream, or by path of a file that is no page


@dataclass(slots=True)
class _Reader:
    store: SpaceStore
    redact: Redact
    now: datetime
    max_characters: int
    kept: dict[str, Kept]  # as it was
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

    def stream_of(self, file: ReadFile) -> Stream | None:
        stream = self.store.stream(file.stream) if file.stream is not None else None
        stream = stream or self.by_path().get(file.path)
        if stream is None and file.path.split("/")[0] in SHELVES:
            target = resolved(canonical_form(_stem(file.path)), self.store.alias_targets()).target
            stream = self.store.stream_by_target(target) if target else None
        return None if stream is None else survivor_of(self.store, stream)

    def target_of(self, file: ReadFile, said: Said | None = None) -> str:
        """The target that a new statement in `file` is about, as it is spelled."""
        if file.path.split("/")[0] not in (*SHELVES, ARCHIVE):
            linked = self.by_path().get(f"{said.link}.md") if said is not None and said.link else None
            if linked is not None:
                return survivor_of(self.store, linked).target
            return _stem(said.link) if said is not None and said.link else GENERAL
        stem = _stem(file.path)
        if file.title and canonical_form(file.title) == canonical_form(stem):
            return file.title
        return stem if canonical_form(stem) else file.title or GENERAL

    # what is taken

    def keep(self, key: str, change: Callable[[Kept], Kept]) -> None:
        before = self.taken.kept.get(key, self.kept.get(key, NOTHING_KEPT))
        self.taken.kept[key] = change(before)

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
    ) -> None:
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
        known = ids.digest_of(
            commit.email, commit.at.isoformat(), file.path, edit.what, edit.subject, *edit.claims, *edit.over, text
        )
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
            decay=decay,
            extra=as_extra(edit),
        )


def taken_from(  # noqa: PLR0913 - what edits are read against
    files: Sequence[ReadFile],
    store: SpaceStore,
    kept: Mapping[str, Kept],
    *,
    now: datetime,
    redact: Redact,
    max_characters: int,
) -> Taken:
    """The events of what people changed in `files`, and what is kept of their pages from now on."""
    reader = _Reader(store=store, redact=redact, now=now, max_characters=max_characters, kept=dict(kept))
    # What was changed somewhere is not removed, though a line about it is gone elsewhere; a pin follows its claim.
    for kinds in ((Moved, Changed), (Removed, Gone), (Added,), (Pinned, Named, Notes), (Left, Untold)):
        for file in files:
            stream = reader.stream_of(file)
            for edit in file.edits:
                if isinstance(edit, kinds):
                    _take(reader, file, stream, edit)
    return reader.taken


def _take(reader: _Reader, file: ReadFile, stream: Stream | None, edit: FileEdit) -> None:
    match edit:
        case Added():
            _added(reader, file, stream, edit)
        case Changed():
            _changed(reader, file, edit)
        case Removed():
            _removed(reader, file, edit)
        case Pinned():
            _pinned(reader, file, stream, edit)
        case Named():
            _named(reader, file, stream, edit)
        case Left():
            _left(reader, file, stream, edit)
        case Notes():
            key = _kept_key(reader, file, stream)
            lines = tuple(reader.redact(line) for line in edit.lines)
            reader.keep(key, lambda kept: replace(kept, notes=lines))
            note = f"the notes of {file.path} are kept as they are"
            _aside(reader, file, stream, edit.commit, "\n".join(edit.lines) or "no notes", what="noted", note=note)
        case Untold():
            _aside(reader, file, stream, edit.commit, edit.text, what="not taken", note=edit.why)
        case Gone():
            _gone(reader, file, stream, edit)
        case Moved():
            _moved(reader, file, stream, edit)


def _edit(commit: PeoplesCommit, file: ReadFile, what: str, **more: object) -> Edit:
    given = {"was": "", "claims": (), "over": (), "says": None, **more}
    by = f"{commit.name} <{commit.email}>"
    return Edit(by=by, commit=commit.sha, path=file.path, what=what, **given)  # type: ignore[arg-type]


def _aside(  # noqa: PLR0913, PLR0917 - as `put`
    reader: _Reader,
    file: ReadFile,
    stream: Stream | None,
    commit: PeoplesCommit,
    text: str,
    *,
    what: str,
    note: str = "",
    subject: str = "",
) -> None:
    """An event that states nothing: who did what, so that the report tells it."""
    edit = _edit(commit, file, what, note=note, subject=subject)
    reader.put(file, commit, text, edit, target=None if stream is None else stream.target)


def _added(reader: _Reader, file: ReadFile, stream: Stream | None, edit: Added) -> None:
    said = edit.said
    known = reader.claim(edit.id) if edit.id else None
    is_here = known is not None and (stream is None or known.stream == stream.id)
    if known is not None and is_here and known.status is ClaimStatus.CURRENT and normal(known.text) == said.text:
        return  # a copy of what stands here
    kind = EventKind.INTERVENTION
    if inadmissible(said.verbatim, kind) is not None or len(said.verbatim) > reader.max_characters:
        _left(reader, file, stream, Left(lines=(said.line,), commit=edit.commit))
        return
    target = stream.target if stream is not None else reader.target_of(file, said)
    shelf = file.path.split("/")[0]
    says = ClaimKind.PREFERENCE if shelf in _PREFERENCE_FOLDERS else ClaimKind.FACT
    says = ClaimKind.LESSON if shelf == "lessons" else says
    stream_id = stream.id if stream is not None else ids.stream_id(reader.store.space, canonical_form(target))
    if stream is not None and stream.status is Status.FORGOTTEN:
        _aside(reader, file, stream, edit.commit, stream.target, what=RETURNED, subject=stream.id)
    if shelf in SHELVES:
        _stays_in(reader, file, stream_id, stream)
    told = _edit(edit.commit, file, "added", says=says)
    last = [claim.last_at for claim in reader.claims(stream_id).values()] if stream is not None else []
    reader.put(
        file,
        edit.commit,
        said.verbatim,
        told,
        kind=kind,
        target=target,
        decay=DecayClass.PERMANENT,
        not_before=max(last, default=None),
    )
    if said.is_pinned:
        id_ = _coming_id(reader, stream_id, said.verbatim)
        _pin(reader, file, edit.commit, target, PINNED, said.verbatim, id_)


def _stays_in(reader: _Reader, file: ReadFile, stream_id: str, stream: Stream | None) -> None:
    """The page stays in the folder where it was edited; a file of another name is taken into it."""
    shelf = file.path.split("/")[0]
    own = None if stream is None else path_of(as_shown(stream, {**reader.kept, **reader.taken.kept}))
    gone = (file.path,) if file.path != own else ()
    reader.keep(
        stream_id,
        lambda kept: replace(kept, shelf=kept.shelf or shelf, gone=tuple(dict.fromkeys((*kept.gone, *gone)))),
    )


def _changed(reader: _Reader, file: ReadFile, edit: Changed) -> None:
    claim = reader.claim(edit.id)
    if claim is None:
        stream = reader.stream_of(file)
        _added(reader, file, stream, Added(said=edit.said, commit=edit.commit))
        return
    stream = reader.store.stream(claim.stream)
    assert stream is not None  # a claim has its stream  # noqa: S101
    said = edit.said
    if said.is_closed:
        if edit.was.is_closed:
            if said.text != edit.was.text:
                _left(reader, file, stream, Left(lines=(said.line,), commit=edit.commit))
        else:
            _end(reader, file, stream, claim, edit.was, edit.commit, over=True)
        return
    if normal(claim.text) == said.text and claim.status is ClaimStatus.CURRENT:
        return  # it says what it says already
    if inadmissible(said.verbatim, EventKind.CORRECTION) is not None or len(said.verbatim) > reader.max_characters:
        _left(reader, file, stream, Left(lines=(said.line,), commit=edit.commit))
        _end(reader, file, stream, claim, edit.was, edit.commit, over=False)
        return
    is_wording = group_key(said.verbatim) == group_key(claim.text)
    group = [one for one in reader.claims(stream.id).values() if one.group == claim.group and _is_current(one)]
    claims = () if is_wording else tuple(sorted({claim.id, *(one.id for one in group)}))
    over, note = _meanwhile(reader, claim, said)
    if is_wording:
        over = (claim.id, *over)
    if file.path.split("/")[0] in SHELVES:
        _stays_in(reader, file, stream.id, stream)
    says = ClaimKind.FACT if claim.kind is ClaimKind.HYPOTHESIS else claim.kind
    told = _edit(edit.commit, file, "changed", was=claim.text, claims=claims, over=over, says=says, note=note)
    slow = claim.decay if claim.decay in (DecayClass.PERMANENT, DecayClass.STABLE) else None
    ends = [reader.claims(stream.id)[id_] for id_ in (*claims, *over)]
    reader.put(
        file,
        edit.commit,
        said.verbatim,
        told,
        kind=EventKind.CORRECTION,
        target=stream.target,
        decay=slow,
        not_before=max(one.last_at for one in ends) if ends else None,
    )
    new_id = _coming_id(reader, stream.id, said.verbatim)
    reader.changed[claim.id] = new_id
    if said.is_pinned and edit.was.is_pinned:
        _pin(reader, file, edit.commit, stream.target, UNPINNED, claim.text, claim.id)
        _pin(reader, file, edit.commit, stream.target, PINNED, said.verbatim, new_id)


def _meanwhile(reader: _Reader, claim: Claim, said: Said) -> tuple[tuple[str, ...], str]:
    """What took the place of `claim` since the person saw it, to be overruled; and the word about that."""
    if _is_current(claim):
        return (), ""
    known = reader.claims(claim.stream)
    successors: dict[str, Claim] = {}
    ended = [claim.id]
    while ended:
        old = ended.pop()
        for one in known.values():
            if one.supersedes == old and one.id not in successors:
                successors[one.id] = one
                ended.append(one.id)
    standing = tuple(
        sorted(id_ for id_, one in successors.items() if _is_current(one) and normal(one.text) != said.text)
    )
    note = f"{claim.id} was {claim.status.value} meanwhile; the edit holds"
    if standing:
        note += f", and {', '.join(standing)} gives way"
    return standing, note


def _removed(reader: _Reader, file: ReadFile, edit: Removed) -> None:
    claim = reader.claim(edit.id)
    if claim is None or edit.id in reader.changed:
        return
    stream = reader.store.stream(claim.stream)
    assert stream is not None  # a claim has its stream  # noqa: S101
    if edit.was.is_closed:
        why = "what is superseded or retracted is history: dreamd purge takes it away"
        _aside(reader, file, stream, edit.commit, edit.was.verbatim, what="not taken", note=why)
        return
    _end(reader, file, stream, claim, edit.was, edit.commit, over=False)


def _end(  # noqa: PLR0913, PLR0917 - who ends what
    reader: _Reader,
    file: ReadFile,
    stream: Stream,
    claim: Claim,
    was: Said,
    commit: PeoplesCommit,
    *,
    over: bool,
) -> None:
    if claim.id in reader.ended:
        return
    reader.ended.add(claim.id)
    if not _is_current(claim):
        note = f"{claim.id} was {claim.status.value} before; what took its place stays"
        _aside(reader, file, stream, commit, was.verbatim, what="not taken", note=note)
        return
    group = [one for one in reader.claims(stream.id).values() if one.group == claim.group and _is_current(one)]
    hidden = sorted(one.id for one in group if was.variant_of is None and not _is_shown_apart(file, one.id))
    ends = tuple(dict.fromkeys((claim.id, *hidden)))
    told = _edit(commit, file, "removed", was=claim.text, **{"over" if over else "claims": ends})
    last = max(reader.claims(stream.id)[id_].last_at for id_ in ends)
    reader.put(file, commit, claim.text, told, kind=EventKind.RETRACTION, target=stream.target, not_before=last)


def _is_shown_apart(file: ReadFile, claim: str) -> bool:
    """Whether the person left the line of `claim` in the file."""
    return claim in file.shown


def _pinned(reader: _Reader, file: ReadFile, stream: Stream | None, edit: Pinned) -> None:
    what = PINNED if edit.is_pinned else UNPINNED
    if not edit.id:
        if stream is not None:
            _pin(reader, file, edit.commit, stream.target, what, stream.target, stream.id)
        return
    claim = reader.claim(edit.id)
    owner = None if claim is None else reader.store.stream(claim.stream)
    if owner is None or claim is None:
        _aside(reader, file, stream, edit.commit, edit.text, what="not taken", note="there is no such entry to pin")
        return
    _pin(reader, file, edit.commit, owner.target, what, edit.text, reader.changed.get(edit.id, edit.id))


def _pin(  # noqa: PLR0913, PLR0917 - who pins what
    reader: _Reader, file: ReadFile, commit: PeoplesCommit, target: str, what: str, text: str, subject: str
) -> None:
    reader.put(file, commit, text, _edit(commit, file, what, subject=subject), target=target)


def _named(reader: _Reader, file: ReadFile, stream: Stream | None, edit: Named) -> None:
    if file.path.split("/")[0] not in SHELVES:
        note = "only pages on a shelf have a front matter of their own"
        _aside(reader, file, stream, edit.commit, f"{edit.name}: {edit.value}", what="not taken", note=note)
        return
    if file.is_new and edit.name == "title" and stream is None:
        edit = replace(edit, value=str(edit.value))
    hidden = replace(edit, value=_hidden(edit.value, reader.redact))
    reader.keep(_kept_key(reader, file, stream), lambda kept: with_named(kept, hidden.name, hidden.value, hidden.was))
    text = f"{edit.name}: {'(taken away)' if edit.value is None else edit.value}"
    _aside(reader, file, stream, edit.commit, text, what="named")


def _hidden(value: object, redact: Redact) -> object:
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, list):
        return [_hidden(one, redact) for one in value]
    if isinstance(value, Mapping):
        return {name: _hidden(one, redact) for name, one in value.items()}
    return value


def _left(reader: _Reader, file: ReadFile, stream: Stream | None, edit: Left) -> None:
    lines = tuple(reader.redact(line) for line in edit.lines)
    reader.keep(_kept_key(reader, file, stream), lambda kept: with_notes(kept, lines))
    note = f"no entry: kept as it is in {file.path}, below ## Notes"
    _aside(reader, file, stream, edit.commit, "\n".join(edit.lines), what="left", note=note)


def _kept_key(reader: _Reader, file: ReadFile, stream: Stream | None) -> str:
    if file.path.split("/")[0] not in (*SHELVES, ARCHIVE) or file.path.rpartition("/")[2] == "INDEX.md":
        return file.path
    if stream is not None:
        return stream.id
    return ids.stream_id(reader.store.space, canonical_form(reader.target_of(file)))


def _gone(reader: _Reader, file: ReadFile, stream: Stream | None, edit: Gone) -> None:
    if stream is None or stream.status is not Status.ACTIVE or file.path.split("/")[0] not in SHELVES:
        why = "dreamd writes this file, and will write it again"
        _aside(reader, file, stream, edit.commit, f"{file.path} was removed", what="not taken", note=why)
        return
    current = tuple(sorted(id_ for id_, claim in reader.claims(stream.id).items() if _is_current(claim)))
    told = _edit(edit.commit, file, REMOVED_FILE, claims=current, subject=stream.id)
    last = max((reader.claims(stream.id)[id_].last_at for id_ in current), default=None)
    kind = EventKind.RETRACTION
    reader.put(file, edit.commit, stream.title, told, kind=kind, target=stream.target, not_before=last)


def _moved(reader: _Reader, file: ReadFile, stream: Stream | None, edit: Moved) -> None:
    if stream is None:
        return
    old, new = (path.split("/")[0] for path in (edit.old, file.path))
    if new in SHELVES:
        reader.keep(stream.id, lambda kept: replace(kept, shelf=new))
    name, form = _stem(file.path), canonical_form(_stem(file.path))
    subject, note = "", f"{edit.old} is of {stream.target}, which keeps its name"
    if name != _stem(edit.old) and form and form != stream.target:
        aliases = reader.store.alias_targets()
        if reader.store.stream_by_target(form) is None and form not in aliases:
            subject, note = stream.id, f"{name} is another name of {stream.target} now"
            reader.keep(stream.id, lambda kept: replace(kept, title=name))
        else:
            note = f"{name} is the name of something else already; {stream.target} keeps its own"
    elif old != new:
        note = f"{stream.target} is in {new}/ from now on"
    reader.keep(stream.id, lambda kept: replace(kept, gone=tuple(dict.fromkeys((*kept.gone, edit.old, file.path)))))
    text = f"{edit.old} -> {file.path}"
    _aside(reader, file, stream, edit.commit, text, what=ALIAS, note=note, subject=subject)


def _coming_id(reader: _Reader, stream: str, text: str) -> str:
    """The id that the claim has, or will have, that a person states with `text`."""
    known = reader.claims(stream)
    key, occurrence = text_key(reader.redact(text)), 0
    while (id_ := ids.claim_id(stream, key, occurrence)) in known and not _is_current(known[id_]):
        occurrence += 1
    return id_


def _is_current(claim: Claim) -> bool:
    return claim.status is ClaimStatus.CURRENT


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")
