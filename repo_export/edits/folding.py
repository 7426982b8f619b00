"""What people's commits changed in the end, mark by mark: edits of one mark are folded into one.

What one commit did and a later one undid is no edit; what two did one after the other is one, by the later person. A
merge counts for what it makes of marks that its sides changed, and for what none of its sides had.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dreamd.repo_export.edits.people import ChangedFile, PeoplesCommit
from dreamd.repo_export.edits.sheets import BESIDE, BULLET, CLAIM, NO_FILE, NOTES, Key, Sheet, Value, read_sheet


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    before: Value
    after: Value
    commit: PeoplesCommit  # the last that changed it


@dataclass(slots=True, kw_only=True)
class EditedFile:
    path: str
    marks: dict[Key, Mark] = field(default_factory=dict)
    sheet: Sheet = NO_FILE  # as the last of the commits left it
    before: Sheet = NO_FILE  # as the first of them found it
    commit: PeoplesCommit | None = None  # the last of them
    conflict: PeoplesCommit | None = None  # that left conflict markers in it


Contents = Callable[[Sequence[str]], Mapping[str, bytes]]  # blob ids -> their bytes
FileAt = Callable[[str, Sequence[str]], Mapping[str, bytes]]  # (commit, paths) -> the bytes of those that are there


def folded(
    commits: Sequence[PeoplesCommit], is_read: Callable[[str], bool], contents: Contents, files_at: FileAt
) -> dict[str, EditedFile]:
    """The edited files by path, those that `is_read` accepts; `commits` come parents first."""
    blobs = {blob for commit in commits for file in commit.files if is_read(file.path) for blob in _blobs(file)}
    at_hand = contents(sorted(blobs))
    sheets = {blob: read_sheet(content) for blob, content in at_hand.items()}
    found: dict[str, EditedFile] = {}
    for commit in commits:
        for file in commit.files:
            if is_read(file.path):
                before = tuple(NO_FILE if blob is None else sheets[blob] for blob in file.before)
                after = NO_FILE if file.after is None else sheets[file.after]
                _take(found, file.path, before or (NO_FILE,), after, commit)
        if commit.is_merge and found:
            _settle(found, commit, files_at(commit.sha, sorted(found)))
    return {path: file for path, file in found.items() if file.marks or file.conflict}


def differences(before: Sheet, after: Sheet, first: Sheet) -> dict[Key, tuple[Value, Value]]:
    """By key, what a mark was and what it is (None: not there); `first` is the file before anybody edited it."""
    left, right = _resolved(before, first), _resolved(after, first)
    keys = dict.fromkeys((*left, *right))
    return {key: (left.get(key), right.get(key)) for key in keys if left.get(key) != right.get(key)}


def _blobs(file: ChangedFile) -> list[str]:
    return [blob for blob in (*file.before, file.after) if blob is not None]


def _take(
    found: dict[str, EditedFile], path: str, before: Sequence[Sheet], after: Sheet, commit: PeoplesCommit
) -> None:
    """Only what differs from every parent."""
    if path in found:
        before = [found[path].sheet if sheet.has_conflict else sheet for sheet in before]
    edited = found.setdefault(path, EditedFile(path=path, before=before[0]))
    edited.conflict = commit if after.has_conflict else None
    after = _standing(after, before)
    edited.sheet, edited.commit = after, commit
    first, *others = (differences(sheet, after, edited.before) for sheet in before)
    for key, (was, is_now) in first.items():
        if all(key in other for other in others):
            _fold(edited, key, was, is_now, commit)


def _standing(sheet: Sheet, before: Sequence[Sheet]) -> Sheet:
    """Where `sheet` holds conflict markers, nothing that was there counts as removed: it may stand between them."""
    if not sheet.has_conflict:
        return sheet
    marks: dict[Key, Value] = {}
    for old in reversed(before):
        marks |= old.marks
    notes = marks.get((NOTES,), sheet.marks.get((NOTES,)))
    return replace(sheet, marks={**marks, **sheet.marks, (NOTES,): notes}, has_conflict=False)


def _fold(edited: EditedFile, key: Key, was: Value, is_now: Value, commit: PeoplesCommit) -> None:
    known = edited.marks.get(key)
    before = was if known is None else known.before
    if before == is_now:
        edited.marks.pop(key, None)
    else:
        edited.marks[key] = Mark(before=before, after=is_now, commit=commit)


def _settle(found: Mapping[str, EditedFile], merge: PeoplesCommit, files: Mapping[str, bytes]) -> None:
    """What was edited on one side stands as the merge left it."""
    for path, edited in found.items():
        sheet = _standing(read_sheet(files.get(path)), [edited.sheet])
        edited.sheet = sheet
        marks = _resolved(sheet, edited.before)
        for key, mark in list(edited.marks.items()):
            value = marks.get(key)
            if key[0] != BESIDE and value != mark.after:
                _fold(edited, key, mark.before, value, merge)


def _resolved(sheet: Sheet, before: Sheet) -> Mapping[Key, Value]:
    """The marks of `sheet`; of several lines with one id the one that says what stood there before has it."""
    marks = dict(sheet.marks)
    for said, id_ in sheet.again:
        key = (CLAIM, id_)
        first, old = marks[key], before.marks.get(key)
        is_old = old is not None and said.text == old.text != first.text
        has_it, other = (said, first) if is_old else (first, said)
        marks[key] = has_it
        if other.text != has_it.text:
            marks[BULLET, other.text] = replace(other, is_pinned=False)
    return marks
