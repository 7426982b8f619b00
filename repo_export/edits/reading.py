"""What a person's changes to one file mean, as values: said, changed, removed, pinned, named anew, or left as it is.

Pure: marks in, edits out. An entry whose id was taken away, while a bullet that says nearly the same came, was changed.
What has no meaning of its own is left verbatim (`Left`, kept in the file below a heading) or only told (`Untold`, for
what dreamd writes itself and will write again).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dreamd.repo_export.edits.folding import EditedFile, Mark
from dreamd.repo_export.edits.people import PeoplesCommit
from dreamd.repo_export.edits.sheets import (
    BESIDE,
    BULLET,
    CLAIM,
    FILE,
    FRONT,
    INDEXED,
    LINE,
    NOTES,
    OURS,
    TITLE,
    YES,
    Said,
    Sheet,
    kept_lines,
    normal,
)
from dreamd.repo_export.edits.standing import STREAM_KEY, Standing, pages_of, standing_in
from dreamd.repo_export.front_matter import KEYS
from dreamd.repo_export.index import MEMORY_PATH

MIN_ALIKE = 0.5  # share of the words of two bullets that are in both, for one to be the other, changed
STANDS = "it still stands on its page: take it away there"
ELSEWHERE = "it stands on another page now, so it is not taken back, and is on this one again"
CONFLICT = "the file holds conflict markers: what stands between them is not taken"
BRACKETS = "dreamd writes what stands in the brackets, but for pin"
_DERIVED = frozenset({*KEYS} - {"title", "description", "tags"})
_PINS = frozenset({"pin", "pinned", "metadata.pin", "metadata.pinned"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    said: Said
    commit: PeoplesCommit
    id: str = ""  # that stood on the line; of an entry of another file, or of none


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    id: str
    was: Said
    said: Said
    commit: PeoplesCommit


@dataclass(frozen=True, slots=True, kw_only=True)
class Removed:
    id: str
    was: Said
    commit: PeoplesCommit


@dataclass(frozen=True, slots=True, kw_only=True)
class Pinned:
    id: str  # of a claim; "": the stream of the page
    is_pinned: bool
    text: str
    commit: PeoplesCommit


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A key of the front matter that is a person's to set; None: taken away."""

    name: str
    value: Any
    was: Any
    commit: PeoplesCommit


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """Lines that are no entries: they stay as they are below a heading of their own."""

    lines: tuple[str, ...]
    commit: PeoplesCommit


@dataclass(frozen=True, slots=True, kw_only=True)
class Notes:
    """What stands below that heading now."""

    lines: tuple[str, ...]
    commit: PeoplesCommit


@dataclass(frozen=True, slots=True, kw_only=True)
class Untold:
    """What dreamd writes itself, and will write again: only the report tells that it was changed."""

    text: str  # what the person wrote, or took away
    why: str
    commit: PeoplesCommit


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """The file was removed, with these entries (id, what it said) that were current."""

    entries: tuple[tuple[str, Said], ...]
    commit: PeoplesCommit


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    old: str  # path
    commit: PeoplesCommit


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """An entry of another page came here from there; `id` is its own, whether or not that stands on the line."""

    id: str
    said: Said
    commit: PeoplesCommit


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied:
    """A new file says that it is the page of a stream, whose page lies elsewhere."""

    commit: PeoplesCommit


FileEdit = Added | Changed | Removed | Pinned | Named | Left | Notes | Untold | Gone | Moved | Carried | Copied


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadFile:
    path: str
    stream: str | None  # id of the stream that the file says it is of; None: it says none
    is_new: bool
    title: str | None
    edits: tuple[FileEdit, ...]
    shown: frozenset[str] = frozenset()  # ids of the entries that stand in the file now


def read_edits(files: Mapping[str, EditedFile], takes_back: Collection[str] = ()) -> tuple[ReadFile, ...]:
    """The edits of all files that people changed, by path; a file that was renamed is told once, where it is now.

    `takes_back` are the commits that take a commit of dreamd's back.
    """
    pages = tuple(pages_of(files))
    standing = standing_in(pages, takes_back)
    edits: list[list[FileEdit]] = []
    went: dict[str, Removed] = {}  # by id, what left its page and stands on another
    for page in pages:
        own = list(_edits_of(page.file))
        if page.old is not None:
            own.insert(0, Moved(old=page.old, commit=_commit_of(page.file)))
        elif _became(page.file, True) and (FRONT, STREAM_KEY) in page.file.sheet.marks:
            own.append(Copied(commit=_commit_of(page.file)))
        edits.append(list(_without_standing(page.path, own, standing, went)))
    by_text = {(each.commit.sha, each.was.text): id_ for id_, each in went.items()}
    found = []
    for page, own in zip(pages, edits, strict=True):
        file = page.file
        sheet = file.sheet if file.sheet.marks else file.before
        found.append(
            ReadFile(
                path=page.path,
                stream=_text_or_none(sheet.marks.get((FRONT, STREAM_KEY)))
                or _text_or_none(file.before.marks.get((FRONT, STREAM_KEY))),
                is_new=_became(file, True),
                title=_title_of(sheet),
                edits=tuple(_with_carried(page.path, own, went, by_text)),
                shown=frozenset(key[1] for key in file.sheet.marks if key[0] == CLAIM),
            )
        )
    return tuple(found)


def _without_standing(
    path: str, edits: Sequence[FileEdit], standing: Standing, went: dict[str, Removed]
) -> Iterator[FileEdit]:
    """`edits` of one file without what is not removed, since it stands elsewhere; that is put into `went`."""

    def is_elsewhere(removed: Removed) -> bool:
        return standing.is_elsewhere(removed.id, removed.was, path, removed.commit)

    for edit in edits:
        if isinstance(edit, Removed) and not edit.was.is_closed and is_elsewhere(edit):
            if path == MEMORY_PATH:
                yield Untold(text=edit.was.verbatim, why=STANDS, commit=edit.commit)
            else:
                went[edit.id] = edit
                yield Untold(text=edit.was.verbatim, why=ELSEWHERE, commit=edit.commit)
        elif isinstance(edit, Gone) and path != MEMORY_PATH:
            all_of_it = [Removed(id=id_, was=said, commit=edit.commit) for id_, said in edit.entries]
            left = [each for each in all_of_it if is_elsewhere(each)]
            went.update({each.id: each for each in left})
            if left:
                why = "what it stated stands elsewhere, so it comes back"
                yield Untold(text=f"{path} was removed", why=why, commit=edit.commit)
                yield from (each for each in all_of_it if each not in left)
            else:
                yield edit
        else:
            yield edit


def _with_carried(
    path: str, edits: Sequence[FileEdit], went: Mapping[str, Removed], by_text: Mapping[tuple[str, str], str]
) -> Iterator[FileEdit]:
    """`edits` of one file with what came from another page told as that."""
    for edit in edits:
        if isinstance(edit, Added) and not edit.said.is_closed:
            id_ = edit.id if edit.id in went else by_text.get((edit.commit.sha, edit.said.text), "")
            if id_ and not (edit.id and path == MEMORY_PATH):
                was = went[id_].was
                if was.text != edit.said.text:
                    yield Changed(id=id_, was=was, said=edit.said, commit=edit.commit)
                yield Carried(id=id_, said=edit.said, commit=edit.commit)
                continue
        yield edit


def _commit_of(file: EditedFile) -> PeoplesCommit:
    """The last that changed it."""
    return file.commit if file.commit is not None else next(reversed(file.marks.values())).commit


def _became(file: EditedFile, state: object) -> bool:
    mark = file.marks.get((FILE,))
    return mark is not None and mark.after is state


def _title_of(sheet: Sheet) -> str | None:
    return _text_or_none(sheet.marks.get((FRONT, "title"))) or _text_or_none(sheet.marks.get((TITLE,)))


def _text_or_none(value: object) -> str | None:
    return value.strip() if isinstance(value, str) and value.strip() else None


def _edits_of(file: EditedFile) -> Iterator[FileEdit]:
    if _became(file, None):
        current = [(key[1], said) for key, said in file.before.marks.items() if key[0] == CLAIM and not said.is_closed]
        yield Gone(entries=tuple(current), commit=file.marks[FILE,].commit)
        return
    if file.conflict is not None:
        yield Untold(text=f"conflict markers in {file.path}", why=CONFLICT, commit=file.conflict)
    yield from _of_entries(file)
    yield from _of_head(file)
    yield from _of_lines(file)


def _of_entries(file: EditedFile) -> Iterator[FileEdit]:
    removed = {key[1]: mark for key, mark in file.marks.items() if key[0] == CLAIM and mark.after is None}
    came = {key[1]: mark for key, mark in file.marks.items() if key[0] == BULLET and mark.after is not None}
    became = _paired(removed, came)
    for key, mark in file.marks.items():
        if key[0] == CLAIM and mark.after is None:
            other = became.get(key[1])
            if other is None:
                yield Removed(id=key[1], was=mark.before, commit=mark.commit)
            else:
                yield from _changed(key[1], mark.before, came[other])
                if came[other].after.beside:  # of an entry whose id is none of ours any more
                    yield Untold(text=normal(came[other].after.line), why=BRACKETS, commit=mark.commit)
        elif key[0] == CLAIM and mark.before is None:
            yield Added(said=mark.after, commit=mark.commit, id=key[1])
        elif key[0] == CLAIM:
            yield from _changed(key[1], mark.before, mark)
        elif key[0] == BULLET and mark.after is not None and key[1] not in became.values():
            if mark.before is None:
                yield Added(said=mark.after, commit=mark.commit)
            elif mark.after.is_pinned != mark.before.is_pinned:
                yield Untold(text=normal(mark.after.line), why="only an entry with an id is pinned", commit=mark.commit)
        elif key[0] == BULLET and mark.after is None:
            yield Untold(text=normal(mark.before.line), why="dreamd keeps no entry of it", commit=mark.commit)
        elif key[0] == BESIDE and (CLAIM, key[1]) in file.sheet.marks and (CLAIM, key[1]) in file.before.marks:
            yield from _beside(key[1], key[2], mark)


def _changed(id_: str, was: Said, mark: Mark) -> Iterator[FileEdit]:
    said: Said = mark.after
    if said.text != was.text or said.is_closed != was.is_closed:
        yield Changed(id=id_, was=was, said=said, commit=mark.commit)
    if said.is_pinned != was.is_pinned:
        yield Pinned(id=id_, is_pinned=said.is_pinned, text=said.verbatim, commit=mark.commit)


def _beside(id_: str, name: str, mark: Mark) -> Iterator[FileEdit]:
    if mark.after is None and name in OURS:
        return  # taken away with others by an editor or a person: it comes back, and nothing was written
    if name == "id":
        return
    said = f"{name}: {'(taken away)' if mark.after is None else mark.after}"
    yield Untold(text=f"{said} of {id_}", why=BRACKETS, commit=mark.commit)


def _of_head(file: EditedFile) -> Iterator[FileEdit]:
    has_none = not any(key[0] == FRONT for key in file.sheet.marks)
    lost = [mark for key, mark in file.marks.items() if key[0] == FRONT] if has_none else []
    if lost:
        yield Untold(text="no front matter that can be read", why="it comes back as it was", commit=lost[-1].commit)
    for key, mark in file.marks.items():
        if has_none and key[0] == FRONT:
            continue
        if key == (TITLE,) and mark.after is not None and mark.before is not None:
            if (FRONT, "title") not in file.marks:
                yield Named(name="title", value=mark.after, was=mark.before, commit=mark.commit)
        elif key[0] == FRONT and key[1] in _PINS:
            is_pinned, was = str(mark.after).lower() in YES, str(mark.before).lower() in YES
            if is_pinned != was:
                yield Pinned(id="", is_pinned=is_pinned, text=f"{key[1]}: {mark.after}", commit=mark.commit)
        elif key[0] == FRONT and (key[1] in _DERIVED or key[1].startswith("metadata.")):
            if not _became(file, True):
                text = f"{key[1]}: {'(taken away)' if mark.after is None else mark.after}"
                yield Untold(text=text, why="dreamd writes this key of the front matter", commit=mark.commit)
        elif key == (FRONT, "description") and _is_told(file, mark.after):
            continue  # it follows from an entry that was changed with it
        elif key[0] == FRONT:
            yield Named(name=key[1], value=mark.after, was=mark.before, commit=mark.commit)


def _is_told(file: EditedFile, description: object) -> bool:
    start = normal(str(description)).removesuffix("…")
    return any(key[0] in (CLAIM, BULLET) and said.text.startswith(start) for key, said in file.sheet.marks.items())


def _of_lines(file: EditedFile) -> Iterator[FileEdit]:
    notes = file.marks.get((NOTES,))
    if notes is not None and (notes.after or notes.before):
        yield Notes(lines=tuple(notes.after or ()), commit=notes.commit)
    indexed = {key: mark for key, mark in file.marks.items() if key[0] == INDEXED and mark.before is not None}
    for mark in indexed.values():
        why = "the lines of the index follow from the pages"
        yield Untold(text=mark.after or mark.before, why=why, commit=mark.commit)
    of_index = {f"[[{key[1]}]]" for key in indexed}
    fresh = {
        key: mark
        for key, mark in file.marks.items()
        if key[0] == LINE and mark.after is not None and not any(link in key[1] for link in of_index)
    }
    lines = kept_lines(file.sheet, list(fresh))
    if lines:
        yield Left(lines=lines, commit=next(reversed(fresh.values())).commit)


def _paired(removed: Mapping[str, Mark], came: Mapping[str, Mark]) -> dict[str, str]:
    """By the id of an entry that went, the text of the bullet that came in its place, the most alike first."""
    words = {text: _words(text) for text in came}
    ranked = sorted(
        (
            (-_alike(_words(mark.before.text), words[text]), id_, text)
            for id_, mark in removed.items()
            if not mark.before.is_closed
            for text in came
        ),
    )
    found: dict[str, str] = {}
    taken: set[str] = set()
    for score, id_, text in ranked:
        if -score >= MIN_ALIKE and id_ not in found and text not in taken:
            found[id_] = text
            taken.add(text)
    return found


def _words(text: str) -> frozenset[str]:
    return frozenset(text.casefold().split())


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, len(one | other))
