"""Laying out a profile: its files brought to what was generated, and whatever is not dreamd's left alone.

A file is ours if the record says so and it holds what the record says. One that was changed or deleted since waits,
and is named; so does one that was there before us. The order is record, files, record: after a kill anywhere the next
call ends in the same place. Files are replaced whole, and no link is followed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256

from dreamd.repo_export.commit_stream import is_safe_path
from dreamd.repo_export.folders import Strange, opened_below, read_file, remove_draft, remove_file, replace_file
from dreamd.repo_export.profiles.record import Known, Record

NOT_OURS = "was there before, and dreamd did not write it; to have ours, move it away"
EDITED = "was changed since dreamd wrote it; to have it written again, delete it and run: dreamd export"
EDITED_AND_GONE = "was changed since dreamd wrote it, and what it told is no longer shown"
DELETED = "was deleted since dreamd wrote it; dreamd export writes it again"
STRANGE = "something stands there that is no regular file"
A_LINK = "is, or lies below, a symbolic link or a file; name the real folder"

SaveRecord = Callable[[Record], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidProfile:
    record: Record
    written: tuple[str, ...] = ()  # sorted
    removed: tuple[str, ...] = ()  # sorted
    problem: str | None = None  # why nothing was touched


@dataclass(slots=True)
class _Steps:
    """What is to be done, found by looking only."""

    write: dict[str, bytes]
    remove: list[str]
    waiting: dict[str, str]
    files: dict[str, Known]  # of the record once all is done


def lay_out_profile(
    files: Mapping[str, bytes], record: Record, save: SaveRecord, reach: Callable[[str], None], *, restore: bool
) -> LaidProfile:
    """Bring the folder of `record` to `files`. `restore`: what was deleted is written again.

    Raises ValueError for a path that may not be written, OSError if the folder cannot be.
    """
    unsafe = [path for path in files if not is_safe_path(path) or any(part[0] == "." for part in path.split("/"))]
    if unsafe:
        raise ValueError(f"profile {record.profile!r} generated {unsafe[0]!r}, which is no path for a profile")
    try:
        with opened_below(record.place.base, record.place.below, create=False) as folder:
            if folder is not None:
                return _lay_out(folder, files, record, save, reach, restore=restore)
        record = replace(record, files={})  # whoever takes the whole folder away begins anew
        if not files:
            laid = LaidProfile(record=_done(record, {}, {}))
            save(laid.record)
            return laid
        with opened_below(record.place.base, record.place.below, create=True) as folder:
            assert folder is not None
            return _lay_out(folder, files, record, save, reach, restore=restore)
    except (Strange, NotADirectoryError):
        return LaidProfile(record=record, problem=f"{record.place.path} {A_LINK}")


def _lay_out(  # noqa: PLR0913 - the folder, and all that `lay_out_profile` was given
    folder: int,
    files: Mapping[str, bytes],
    record: Record,
    save: SaveRecord,
    reach: Callable[[str], None],
    *,
    restore: bool,
) -> LaidProfile:
    for path, known in record.files.items():
        if known.is_pending:  # a kill may have left what is never to be seen again
            remove_draft(folder, path)
    steps = _steps(folder, files, record, restore=restore)
    done = _done(record, steps.files, steps.waiting)
    if not steps.write and not steps.remove:
        if done != record:
            save(done)
        return LaidProfile(record=done)
    begun = {
        path: Known(digests=(*_digests(record, path), _digest(it)), is_pending=True) for path, it in steps.write.items()
    }
    save(_done(record, {**record.files, **steps.files, **begun}, steps.waiting))
    reach("profile-recorded")
    for path, content in sorted(steps.write.items()):
        replace_file(folder, path, content)
        reach("profile-file-written")
    for path in sorted(steps.remove):
        remove_file(folder, path)
    reach("profile-written")
    save(done)
    return LaidProfile(record=done, written=tuple(sorted(steps.write)), removed=tuple(sorted(steps.remove)))


def _steps(folder: int, files: Mapping[str, bytes], record: Record, *, restore: bool) -> _Steps:
    steps = _Steps(write={}, remove=[], waiting={}, files={})
    for path, content in files.items():
        _step_for(folder, path, content, record, steps, restore=restore)
    for path in sorted(record.files.keys() - files.keys()):
        try:
            there = read_file(folder, path)
        except Strange:
            steps.waiting[path] = STRANGE
            steps.files[path] = record.files[path]
            continue
        if there is None:
            continue
        if _digest(there) in _digests(record, path):
            steps.remove.append(path)
        else:
            steps.waiting[path] = EDITED_AND_GONE
            steps.files[path] = record.files[path]
    return steps


def _step_for(  # noqa: PLR0913 - one file, and where it goes
    folder: int, path: str, content: bytes, record: Record, steps: _Steps, *, restore: bool
) -> None:
    known, fresh = record.files.get(path), Known(digests=(_digest(content),))
    try:
        there = read_file(folder, path)
    except Strange:
        steps.waiting[path] = STRANGE
        steps.files |= {} if known is None else {path: known}
        return
    if there == content:
        steps.files[path] = fresh
    elif there is None and known is not None and not known.is_pending and not restore:
        steps.waiting[path] = DELETED
        steps.files[path] = known
    elif there is None or (known is not None and _digest(there) in known.digests):
        steps.write[path] = content
        steps.files[path] = fresh
    elif known is None:
        steps.waiting[path] = NOT_OURS
    else:
        steps.waiting[path] = EDITED
        steps.files[path] = known


def _done(record: Record, files: Mapping[str, Known], waiting: Mapping[str, str]) -> Record:
    return Record(
        profile=record.profile,
        place=record.place,
        files=dict(sorted(files.items())),
        waiting=tuple(sorted(waiting.items())),
        left_out=record.left_out,
    )


def _digests(record: Record, path: str) -> tuple[str, ...]:
    known = record.files.get(path)
    return () if known is None else known.digests


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()
