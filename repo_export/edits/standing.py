"""What people removed is judged over all that they left, not file by file.

A page is known by the stream it is of, whatever file it lies in. An entry that stands on another page now, with its id
or word for word, went there and is not removed; nor is one that went from the head of MEMORY.md only because dreamd's
own commit was taken back, or while its page was edited around it.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from dreamd.repo_export.edits.folding import EditedFile, Mark, differences
from dreamd.repo_export.edits.people import PeoplesCommit
from dreamd.repo_export.edits.sheets import BULLET, CLAIM, FILE, FRONT, NO_FILE, Said, Sheet
from dreamd.repo_export.index import MEMORY_PATH

STREAM_KEY = "metadata.stream"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page, or another file, with what became of it; `old` is the path that it was at, if that was another."""

    path: str
    file: EditedFile
    old: str | None = None


def pages_of(files: Mapping[str, EditedFile]) -> Iterator[Page]:
    """The edited files by path, each told where its stream is now; where one was replaced, both are told."""
    was = {stream: path for path, file in sorted(files.items()) if (stream := _stream(file.before)) is not None}
    is_now: dict[str, str] = {}
    for path, file in sorted(files.items()):
        stream = _stream(file.sheet)
        if stream is not None and (stream not in is_now or was.get(stream) == path):
            is_now[stream] = path
    old_of = {is_now[stream]: path for stream, path in was.items() if is_now.get(stream, path) != path}
    moved = set(old_of.values())
    for path, file in sorted(files.items()):
        if path in old_of:
            if path not in moved and file.before is not NO_FILE:
                yield Page(path=path, file=_between(file, file.before, NO_FILE))
            old = files[old_of[path]]
            yield Page(path=path, file=_between(file, old.before, file.sheet), old=old.path)
        elif path not in moved:
            yield Page(path=path, file=file)
        elif file.sheet is not NO_FILE and (FILE,) in file.sheet.marks:
            yield Page(path=path, file=_between(file, NO_FILE, file.sheet))


def _stream(sheet: Sheet) -> str | None:
    value = sheet.marks.get((FRONT, STREAM_KEY))
    return value.strip() or None if isinstance(value, str) else None


def _between(file: EditedFile, before: Sheet, after: Sheet) -> EditedFile:
    """From one sheet to another, by the person who last changed the file at this path."""
    commit = file.commit or next(reversed(file.marks.values())).commit
    marks = {
        key: Mark(before=was, after=is_now, commit=commit)
        for key, (was, is_now) in differences(before, after, before).items()
    }
    return EditedFile(path=file.path, marks=marks, sheet=after, before=before, commit=commit, conflict=file.conflict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where the entries stand that people's commits left."""

    ids: Mapping[str, Collection[str]]  # by id of an entry, the paths of the pages where it stands
    came: Collection[tuple[str, str]]  # (commit, text) of the bullets without an id
    takes_back: Collection[str]  # commits that take a commit of dreamd's back

    def is_elsewhere(self, id_: str, was: Said, path: str, commit: PeoplesCommit) -> bool:
        """Whether an entry that is not at `path` any more was not removed with that."""
        if path == MEMORY_PATH:
            around = {file.path for file in commit.files}
            return commit.sha in self.takes_back or any(page in around for page in self.ids.get(id_, ()))
        return any(page != path for page in self.ids.get(id_, ())) or (commit.sha, was.text) in self.came


def standing_in(pages: Sequence[Page], takes_back: Collection[str]) -> Standing:
    ids: dict[str, set[str]] = {}
    came = set()
    for page in pages:
        for key, mark in page.file.marks.items():
            if key[0] == BULLET and mark.after is not None and mark.before is None and not mark.after.is_closed:
                came.add((mark.commit.sha, mark.after.text))
        if page.path != MEMORY_PATH:
            for key, said in page.file.sheet.marks.items():
                if key[0] == CLAIM and not said.is_closed:
                    ids.setdefault(key[1], set()).add(page.path)
    return Standing(ids=ids, came=came, takes_back=takes_back)
