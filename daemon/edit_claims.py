"""What people said, changed, took away or pinned, as events that name the claims they end (design, section 8)."""

from dreamd.daemon.edit_reader import (
    ADDED,
    CHANGED,
    NOT_TAKEN,
    PINNED,
    REMOVED,
    REMOVED_FILE,
    RETURNED,
    UNPINNED,
    Reader,
    edit_in,
    is_current,
    is_page,
    shelf_of,
)
from dreamd.lifecycle import ids
from dreamd.lifecycle.values import Claim, Stream
from dreamd.lifecycle.words import ClaimKind, DecayClass, EventKind, Status
from dreamd.reflection.targets import canonical_form
from dreamd.reflection.text_keys import group_key, text_key
from dreamd.repo_export.edits.people import PeoplesCommit
from dreamd.repo_export.edits.reading import Added, Carried, Changed, Copied, Gone, Pinned, ReadFile, Removed
from dreamd.repo_export.edits.sheets import Said, normal
from dreamd.repo_export.index import MEMORY_PATH
from dreamd.repo_export.kept import as_shown
from dreamd.repo_export.slug import SHELVES, path_of

_SAYS = {
    "preferences": ClaimKind.PREFERENCE,
    MEMORY_PATH: ClaimKind.PREFERENCE,  # what every session needs
    "lessons": ClaimKind.LESSON,
}
_SLOW = (DecayClass.PERMANENT, DecayClass.STABLE)


def added(reader: Reader, file: ReadFile, stream: Stream | None, edit: Added) -> None:
    """A new statement, in a person's own words; a copy of what stands there says nothing new."""
    said = edit.said
    known = reader.claim(edit.id) if edit.id else None
    own = stream.id if stream is not None else None
    is_here = known is not None and (known.stream == own or not is_page(file.path))
    if known is not None and is_here and is_current(known) and normal(known.text) == said.text:
        return
    if not reader.is_statement(said.verbatim):
        reader.leave(file, stream, said.line.split("\n"), edit.commit)
        return
    target = stream.target if stream is not None else reader.target_of(file, said)
    stream_id = stream.id if stream is not None else ids.stream_id(reader.store.space, canonical_form(target))
    if stream is not None and stream.status is Status.FORGOTTEN:
        reader.aside(file, stream, edit.commit, stream.target, RETURNED, subject=stream.id)
    last = [claim.last_at for claim in reader.claims(stream_id).values()] if stream is not None else []
    event = reader.put(
        file,
        edit.commit,
        said.verbatim,
        edit_in(
            edit.commit,
            file,
            ADDED,
            says=_SAYS.get(shelf_of(file.path), ClaimKind.FACT),
            note=reader.unheeded(said.verbatim),
        ),
        kind=EventKind.INTERVENTION,
        target=target,
        decay=DecayClass.PERMANENT,
        because=said.beside,
        not_before=max(last, default=None),
    )
    _stays_in(reader, file, event, stream_id, stream)
    if said.is_pinned:
        _pin(reader, file, edit.commit, target, PINNED, said.verbatim, _coming_id(reader, stream_id, said.verbatim))


def changed(reader: Reader, file: ReadFile, edit: Changed) -> None:
    """What was there is not true, and so not in other words either; or it is only said better."""
    claim = reader.claim(edit.id)
    if claim is None:
        added(reader, file, reader.stream_of(file), Added(said=edit.said, commit=edit.commit))
        return
    stream, said = reader.owner(claim), edit.said
    if said.is_closed:
        if not edit.was.is_closed and is_current(claim):
            _end(reader, file, stream, claim, edit.was, edit.commit, is_over=True)
        elif said.text != edit.was.text:
            reader.leave(file, stream, said.line.split("\n"), edit.commit)
        return
    if normal(claim.text) == said.text and is_current(claim):
        return
    coming = _coming_id(reader, stream.id, said.verbatim)
    if reader.changed.get(claim.id) == coming:
        return  # the same edit in another file
    if not reader.is_statement(said.verbatim):
        reader.leave(file, stream, said.line.split("\n"), edit.commit)
        _end(reader, file, stream, claim, edit.was, edit.commit, is_over=False)
        return
    is_wording = group_key(said.verbatim) == group_key(claim.text)
    group = [one.id for one in reader.claims(stream.id).values() if one.group == claim.group and is_current(one)]
    claims = () if is_wording else tuple(sorted({claim.id, *group}))
    standing, note = _meanwhile(reader, claim, said)
    note = "; ".join(filter(None, (note, reader.unheeded(said.verbatim))))
    over = (claim.id, *standing) if is_wording else standing
    says = ClaimKind.FACT if claim.kind is ClaimKind.HYPOTHESIS else claim.kind
    event = reader.put(
        file,
        edit.commit,
        said.verbatim,
        edit_in(edit.commit, file, CHANGED, was=claim.text, claims=claims, over=over, says=says, note=note),
        kind=EventKind.CORRECTION,
        target=stream.target,
        decay=claim.decay if claim.decay in _SLOW else None,
        not_before=max(reader.claims(stream.id)[id_].last_at for id_ in (claim.id, *claims, *over)),
        entry=edit.id,
    )
    there = reader.stream_of(file)
    if not is_page(file.path) or (there is not None and there.id == stream.id):
        _stays_in(reader, file, event, stream.id, stream)
    reader.changed[claim.id] = coming
    if said.is_pinned and edit.was.is_pinned:
        _pin(reader, file, edit.commit, stream.target, UNPINNED, claim.text, claim.id)
        _pin(reader, file, edit.commit, stream.target, PINNED, said.verbatim, coming)


def removed(reader: Reader, file: ReadFile, edit: Removed) -> None:
    """It is not so. What was changed elsewhere is not removed."""
    claim = reader.claim(edit.id)
    if claim is None or edit.id in reader.changed:
        return
    stream = reader.owner(claim)
    if edit.was.is_closed:
        note = "what is superseded or retracted is history, and stays: dreamd purge takes it away"
        reader.aside(file, stream, edit.commit, edit.was.verbatim, NOT_TAKEN, note=note)
        return
    _end(reader, file, stream, claim, edit.was, edit.commit, is_over=False)


def carried(reader: Reader, file: ReadFile, stream: Stream | None, edit: Carried) -> None:
    """A statement stays with its target, whatever page its line was put on: it is written there again."""
    claim = reader.claim(edit.id)
    if claim is None:
        added(reader, file, stream, Added(said=edit.said, commit=edit.commit))
        return
    owner = reader.owner(claim)
    note = f"it is a statement of another page, and goes back there: {owner.target}"
    event = reader.aside(file, stream or owner, edit.commit, edit.said.verbatim, NOT_TAKEN, note=note)
    if is_page(file.path):
        reader.keep(event, owner.id, {"gone": [file.path]})


def copied(reader: Reader, file: ReadFile, stream: Stream | None, edit: Copied) -> None:
    """A page has one file: what a copy says beside it is taken in, and the copy goes."""
    own = None if stream is None else path_of(as_shown(stream, reader.kept))
    if stream is None or stream.status is not Status.ACTIVE or own == file.path or not is_page(file.path):
        return
    note = f"it is a copy of the page of {stream.target}, which stays the only one"
    event = reader.aside(file, stream, edit.commit, f"{file.path} was added", NOT_TAKEN, note=note)
    reader.keep(event, stream.id, {"gone": [file.path]})


def gone(reader: Reader, file: ReadFile, stream: Stream | None, edit: Gone) -> None:
    """With its file all that is stated of a stream is taken back, and the stream laid to rest."""
    if stream is None or stream.status is not Status.ACTIVE or not is_page(file.path):
        note = "dreamd writes this file, and will write it again"
        reader.aside(file, stream, edit.commit, f"{file.path} was removed", NOT_TAKEN, note=note)
        return
    current = sorted(id_ for id_, claim in reader.claims(stream.id).items() if is_current(claim))
    reader.put(
        file,
        edit.commit,
        stream.title,
        edit_in(edit.commit, file, REMOVED_FILE, claims=tuple(current), subject=stream.id),
        kind=EventKind.RETRACTION,
        target=stream.target,
        not_before=max((reader.claims(stream.id)[id_].last_at for id_ in current), default=None),
    )


def pinned(reader: Reader, file: ReadFile, stream: Stream | None, edit: Pinned) -> None:
    what = PINNED if edit.is_pinned else UNPINNED
    if not edit.id:
        if stream is not None:
            _pin(reader, file, edit.commit, stream.target, what, stream.target, stream.id)
        return
    claim = reader.claim(edit.id)
    if claim is None:
        reader.aside(file, stream, edit.commit, edit.text, NOT_TAKEN, note="there is no such entry to pin")
        return
    subject = reader.changed.get(edit.id, edit.id)
    _pin(reader, file, edit.commit, reader.owner(claim).target, what, edit.text, subject)


def _pin(  # noqa: PLR0913, PLR0917 - who pins what
    reader: Reader, file: ReadFile, commit: PeoplesCommit, target: str, what: str, text: str, subject: str
) -> None:
    reader.put(file, commit, text, edit_in(commit, file, what, subject=subject), target=target)


def _stays_in(reader: Reader, file: ReadFile, event: str, stream_id: str, stream: Stream | None) -> None:
    """The page stays in the folder where it was edited, or was; a file of another name is taken into it."""
    own = None if stream is None else path_of(as_shown(stream, reader.kept))
    is_own_page = is_page(file.path)
    shelf = shelf_of(file.path if is_own_page else own or "")
    away = [file.path] if is_own_page and file.path != own else []
    if shelf in SHELVES:
        reader.keep(event, stream_id, {"stays": shelf, **({"gone": away} if away else {})})


def _meanwhile(reader: Reader, claim: Claim, said: Said) -> tuple[tuple[str, ...], str]:
    """What took the place of `claim` since the person saw it, to be overruled; and the word about that."""
    if is_current(claim):
        return (), ""
    known = reader.claims(claim.stream)
    successors: dict[str, Claim] = {}
    ended = [claim.id]
    while ended:
        old = ended.pop()
        found = [one for one in known.values() if one.supersedes == old and one.id not in successors]
        successors.update({one.id: one for one in found})
        ended += [one.id for one in found]
    standing = sorted(id_ for id_, one in successors.items() if is_current(one) and normal(one.text) != said.text)
    note = f"{claim.id} was {claim.status.value} before this edit came; the edit holds"
    return tuple(standing), f"{note}, and {', '.join(standing)} gives way" if standing else note


def _end(  # noqa: PLR0913, PLR0917 - who ends what
    reader: Reader, file: ReadFile, stream: Stream, claim: Claim, was: Said, commit: PeoplesCommit, *, is_over: bool
) -> None:
    """`claim` ends, with what says the same on no line of the file. `is_over`: it was true once."""
    if claim.id in reader.ended:
        return
    reader.ended.add(claim.id)
    if not is_current(claim):
        note = f"{claim.id} was {claim.status.value} before; what took its place stays"
        reader.aside(file, stream, commit, was.verbatim, NOT_TAKEN, note=note)
        return
    group = [one for one in reader.claims(stream.id).values() if one.group == claim.group and is_current(one)]
    hidden = sorted(one.id for one in group if was.variant_of is None and one.id not in file.shown)
    ends = tuple(dict.fromkeys((claim.id, *hidden)))
    given = {"over": ends} if is_over else {"claims": ends}
    event = reader.put(
        file,
        commit,
        claim.text,
        edit_in(commit, file, REMOVED, **given),
        kind=EventKind.RETRACTION,
        target=stream.target,
        not_before=max(reader.claims(stream.id)[id_].last_at for id_ in ends),
        entry=claim.id,
    )
    if stream.status is Status.ACTIVE:
        _stays_in(reader, file, event, stream.id, stream)


def _coming_id(reader: Reader, stream: str, text: str) -> str:
    """The id that the claim has, or will have, that a person states with `text`."""
    known = reader.claims(stream)
    key, occurrence = text_key(reader.redact(text)), 0
    while (id_ := ids.claim_id(stream, key, occurrence)) in known and not is_current(known[id_]):
        occurrence += 1
    return id_
