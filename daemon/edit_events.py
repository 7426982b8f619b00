"""From what people changed in the files to events, and to what is kept of a page beside its statements."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from dreamd.daemon import edit_claims
from dreamd.daemon.edit_reader import NAMED, NOT_TAKEN, NOTED, RENAMED, Reader, Taken, shelf_of, stem_of
from dreamd.daemon.hiding import Redact
from dreamd.daemon.storage.store import SpaceStore
from dreamd.lifecycle.values import Stream
from dreamd.reflection.targets import canonical_form
from dreamd.repo_export.edits.reading import (
    Added,
    Carried,
    Changed,
    Copied,
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
from dreamd.repo_export.kept import Kept, named
from dreamd.repo_export.slug import SHELVES

# What was changed somewhere is not removed, though a line about it is gone elsewhere; a pin follows its claim.
_IN_ORDER = ((Moved, Changed), (Removed, Gone), (Added,), (Pinned, Named, Notes), (Left, Untold, Carried, Copied))


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
    reader = Reader(store=store, redact=redact, now=now, max_characters=max_characters, kept=kept)
    read = [_of_its_stream(reader, file) for file in files]
    for kinds in _IN_ORDER:
        for file, stream in read:
            for edit in file.edits:
                if isinstance(edit, kinds):
                    _take(reader, file, stream, edit)
    return reader.taken


def _of_its_stream(reader: Reader, file: ReadFile) -> tuple[ReadFile, Stream | None]:
    """A file of no stream that only holds statements of another page goes there with all that it says beside them."""
    stream = reader.stream_of(file)
    carried = next((edit for edit in file.edits if isinstance(edit, Carried)), None)
    if stream is not None or carried is None or any(isinstance(edit, Added) for edit in file.edits):
        return file, stream
    claim = reader.claim(carried.id)
    if claim is None or shelf_of(file.path) not in SHELVES:
        return file, None
    return replace(file, edits=tuple(edit for edit in file.edits if not isinstance(edit, Named))), reader.owner(claim)


def _take(reader: Reader, file: ReadFile, stream: Stream | None, edit: FileEdit) -> None:
    match edit:
        case Added():
            edit_claims.added(reader, file, stream, edit)
        case Changed():
            edit_claims.changed(reader, file, edit)
        case Removed():
            edit_claims.removed(reader, file, edit)
        case Gone():
            edit_claims.gone(reader, file, stream, edit)
        case Carried():
            edit_claims.carried(reader, file, stream, edit)
        case Copied():
            edit_claims.copied(reader, file, stream, edit)
        case Pinned():
            edit_claims.pinned(reader, file, stream, edit)
        case Named():
            _named(reader, file, stream, edit)
        case Moved():
            _moved(reader, file, stream, edit)
        case Left():
            reader.leave(file, stream, edit.lines, edit.commit)
        case Notes():
            event = reader.aside(file, stream, edit.commit, "\n".join(edit.lines) or "no notes", NOTED)
            reader.keep(event, reader.page(file, stream), {"notes": [reader.redact(line) for line in edit.lines]})
        case Untold():
            reader.aside(file, stream, edit.commit, edit.text, NOT_TAKEN, note=edit.why)


def _named(reader: Reader, file: ReadFile, stream: Stream | None, edit: Named) -> None:
    text = f"{edit.name}: {'(taken away)' if edit.value is None else edit.value}"
    if shelf_of(file.path) not in SHELVES:
        note = "only a page in one of the folders has a front matter of its own"
        reader.aside(file, stream, edit.commit, text, NOT_TAKEN, note=note)
        return
    event = reader.aside(file, stream, edit.commit, text, NAMED)
    step = named(edit.name, _hidden(edit.value, reader.redact), _hidden(edit.was, reader.redact))
    reader.keep(event, reader.page(file, stream), step)


def _hidden(value: object, redact: Redact) -> object:
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, list):
        return [_hidden(one, redact) for one in value]
    if isinstance(value, Mapping):
        return {name: _hidden(one, redact) for name, one in value.items()}
    return value


def _moved(reader: Reader, file: ReadFile, stream: Stream | None, edit: Moved) -> None:
    """The stream keeps its id and its target; the name is another spelling of it, and the folder is the person's."""
    if stream is None:
        return
    old, new = shelf_of(edit.old), shelf_of(file.path)
    name = stem_of(file.path)
    form = canonical_form(name)
    subject, note = "", f"the page of {stream.target} keeps its place"
    step: dict[str, object] = {"gone": [edit.old, file.path]}
    if new in SHELVES and old != new:
        step["shelf"] = new
        note = f"{stream.target} is in {new}/ from now on"
    if name != stem_of(edit.old) and form and form != stream.target:
        is_free = reader.store.stream_by_target(form) is None and form not in reader.store.alias_targets()
        if is_free:
            subject, note = stream.id, f"{name} is another name of {stream.target} now, and its title"
            step["title"] = name
        else:
            note = f"{name} is the name of something else already; {stream.target} keeps its own"
    event = reader.aside(file, stream, edit.commit, f"{edit.old} -> {file.path}", RENAMED, note=note, subject=subject)
    reader.keep(event, stream.id, step)
