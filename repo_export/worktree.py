"""Laying out what was committed: from the branch to the files beside it, without ever overwriting a person's bytes.

A path is a person's if what lies there (or what is staged) is neither what the commit last laid out had, nor any
commit since, nor what is about to be written; then that file waits and is named, and all others are written. Only
paths of dreamd's own commits are looked at. The order is files, index, record: after a kill anywhere the next call
ends in the same place.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType

from dreamd.repo_export.commit_stream import DREAMD_EMAIL, is_safe_path
from dreamd.repo_export.folders import (
    EXECUTABLE,
    FILE_MODE,
    Strange,
    blob_id,
    is_executable,
    opened,
    place_draft,
    read_file,
    remove_draft,
    remove_file,
    sync_all,
    syncs_all,
    write_draft,
)
from dreamd.repo_export.git import PLAIN_LOG, MemoryRepository
from dreamd.repo_export.index_entries import CONFLICT, Entry, Staged, align_entries, staged_entries
from dreamd.repo_export.layout_record import Record, read_record, write_record

REGULAR = ("100644", "100755")
PATHS_PER_CALL = 500  # of arguments to one git command
MANY = 500  # files: from so many on they are synced together
DRAFTS = 2_000  # files that lie beside their places until they are synced

EDITED = "changed by a person"
DELETED = "deleted by a person"
STAGED = "staged by a person"
IN_THE_WAY = "something stands in its place that is no readable file"
NOT_A_FILE = "the commit holds no regular file here"
CLOSED = "its folder belongs to another user, and others may not write there; as its owner: chmod g+ws"
UNSAFE = "not a path for a memory repository"


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidOut:
    head: str | None  # the commit that the work tree now shows; None: there is none
    written: tuple[str, ...] = ()  # sorted
    removed: tuple[str, ...] = ()  # sorted
    waiting: tuple[tuple[str, str], ...] = ()  # (path, reason), sorted
    index_waits: str | None = None  # why the index could not be aligned; the next call does it
    parked: str | None = None  # why nothing was touched: a merge, a rebase, another branch


@dataclass(slots=True)
class _Path:
    """One path that dreamd committed and has not yet laid out. A blob of None is "no such file"."""

    target: str | None = None  # what HEAD has
    mode: str = "000000"
    known: set[str | None] = field(default_factory=set)  # what may lie there without being a person's
    begun: str | None = None  # what was laid out there last


Contents = Mapping[str, bytes | None]  # by path; None: no file


def catch_up_layout(repository: MemoryRepository, at_hand: Contents = MappingProxyType({})) -> LaidOut:
    """Brings the work tree and the index to the head of the branch, path by path; a person's path waits.

    What a person committed is left to their own git. Nothing to do is cheap: the cost follows the commits since. What
    is `at_hand`, by path, need not be read from Git again.
    """
    with repository.writing():
        head = repository.head()
        if head is None:
            return LaidOut(head=None)
        parked = repository.in_progress()
        if parked is not None:
            return LaidOut(head=head, parked=parked)
        record = read_record(repository)
        if record.shown == (head,) and not record.waiting:
            return LaidOut(head=head)
        paths = _paths_to_lay_out(repository, record, head)
        staged = staged_entries(repository, paths)
        touched, waiting = _lay_out(repository, paths, staged, at_hand)
        repository.reach("export-after-files")
        index_waits = align_entries(repository, head, _entries_to_align(paths, staged, waiting), staged)
        repository.reach("export-after-index")
        if index_waits is None:
            left = {path: paths[path].known for path, reason in waiting.items() if reason != UNSAFE}
            write_record(repository, head, left, {path: paths[path].begun for path in left})
        return LaidOut(
            head=head,
            written=tuple(sorted(path for path in touched if paths[path].target is not None)),
            removed=tuple(sorted(path for path in touched if paths[path].target is None)),
            waiting=tuple(sorted(waiting.items())),
            index_waits=index_waits,
        )


def _paths_to_lay_out(repository: MemoryRepository, record: Record, head: str) -> dict[str, _Path]:
    paths: dict[str, _Path] = {}
    ours: set[str] = set(record.waiting)
    for shown in record.shown or (None,):
        seen: set[str] = set()
        for email, path, old, new in _changes(repository, shown, head):
            is_newest = path not in seen
            seen.add(path)
            about = paths.setdefault(path, _Path())
            if is_newest:
                about.mode, about.target = new
            if (shown,) == record.shown[:1]:
                about.begun = old[1]  # of the oldest in the end
            # Without a record any old version might be one that a person brought back: only the newest step counts.
            if is_newest or shown is not None:
                about.known |= {old[1], new[1]}
            if email == DREAMD_EMAIL:
                ours.add(path)
    for shown in record.shown:
        # What a reset or a rewritten history left behind counts as laid out too.
        for path, old, _ in _raw(
            repository.git.read("diff-tree", "-r", "-z", "--raw", "--no-abbrev", shown, head).split(b"\0")
        ):
            if path in paths:
                paths[path].known.add(old[1])
    if not record.shown:
        for about in paths.values():
            about.known.add(None)
    _add_waiting(repository, record, head, paths)
    return {path: about for path, about in paths.items() if path in ours}


def _add_waiting(repository: MemoryRepository, record: Record, head: str, paths: dict[str, _Path]) -> None:
    unchanged = tuple(path for path in record.waiting if path not in paths)
    for path, (mode, blob) in _in_head(repository, head, unchanged).items():
        paths[path] = _Path(target=blob, mode=mode)
    for path, bases in record.waiting.items():
        about = paths.setdefault(path, _Path())
        about.known |= {*bases, about.target}
        about.begun = record.begun.get(path, about.begun)


_Side = tuple[str, str | None]  # mode, blob


def _changes(repository: MemoryRepository, last: str | None, head: str) -> Iterator[tuple[str, str, _Side, _Side]]:
    """(committer, path, before, after) of the commits since `last`, newest first; of all if not known."""
    revisions = (head,) if last is None else (head, f"^{last}")
    options = ("--first-parent", "--diff-merges=first-parent", "--raw", "--no-abbrev", "--format=commit %ce")
    output = repository.git.read("log", "-z", *PLAIN_LOG, *options, *revisions, "--")
    email = ""
    tokens = iter(output.split(b"\0"))
    for token in tokens:
        if token.startswith(b"commit "):
            email = token.removeprefix(b"commit ").decode("utf-8", errors="replace")
        elif token.lstrip(b"\n").startswith(b":"):
            # The path is taken with it, so that one that looks like a header is not read as such.
            for path, old, new in _raw([token, next(tokens)]):
                yield email, path, old, new


def _raw(tokens: list[bytes]) -> Iterator[tuple[str, _Side, _Side]]:
    """(path, before, after) of pairs of tokens `:mode mode blob blob status`, `path`."""
    for about, raw_path in zip(tokens[::2], tokens[1::2], strict=False):
        old_mode, new_mode, old, new, _ = about.decode("ascii").lstrip("\n:").split(" ")
        path = raw_path.decode("utf-8", errors="surrogateescape")
        yield path, (old_mode, _blob(old)), (new_mode, _blob(new))


def _blob(name: str) -> str | None:
    return name if name.strip("0") else None


def _in_head(repository: MemoryRepository, head: str, paths: tuple[str, ...]) -> dict[str, _Side]:
    found: dict[str, _Side] = {}
    for start in range(0, len(paths), PATHS_PER_CALL):
        some = paths[start : start + PATHS_PER_CALL]
        for entry in filter(
            None, repository.git.read("ls-tree", "-r", "-z", "--full-tree", head, "--", *some).split(b"\0")
        ):
            about, _, raw_path = entry.partition(b"\t")
            mode, _, blob = about.decode("ascii").split(" ")
            found[raw_path.decode("utf-8", errors="surrogateescape")] = (mode, blob)
    return found


def _lay_out(
    repository: MemoryRepository,
    paths: Mapping[str, _Path],
    staged: Staged | None,
    at_hand: Contents,
) -> tuple[tuple[str, ...], dict[str, str]]:
    """Writes and removes what may be: (the paths that were touched, the reason of each path that waits)."""
    waiting: dict[str, str] = {}
    touched: list[str] = []
    to_write: dict[str, _Path] = {}
    with opened(repository.path) as root:
        # Removals first: a folder may have to make room for a file.
        for path, about in sorted(paths.items(), key=lambda item: (item[1].target is not None, item[0])):
            reason, lies = _why_it_waits(root, path, about, staged)
            if reason is not None:
                waiting[path] = reason
                if reason != UNSAFE:
                    remove_draft(root, path)  # that a kill left
            elif about.target is not None and about.target != lies:
                to_write[path] = about
            elif about.target is None and lies is not None:
                try:
                    remove_file(root, path)
                    touched.append(path)
                except PermissionError:
                    waiting[path] = CLOSED
        written, left = _written(repository, root, to_write, staged, at_hand)
    return (*touched, *written), waiting | left


def _written(
    repository: MemoryRepository, root: int, paths: Mapping[str, _Path], staged: Staged | None, at_hand: Contents
) -> tuple[list[str], dict[str, str]]:
    """Writes what the commit has at each path: (the paths that were written, the reason of each that waits)."""
    waiting: dict[str, str] = {}
    written: list[str] = []
    to_write = [(path, about.target) for path, about in paths.items() if about.target is not None]
    known = {blob: at_hand[path] for path, blob in to_write if _is(at_hand.get(path), blob)}
    contents = repository.blobs(tuple(blob for _, blob in to_write if blob not in known))
    size = DRAFTS if len(to_write) >= MANY and syncs_all() else 1
    for start in range(0, len(to_write), size):
        drafts = to_write[start : start + size]
        for path, blob in drafts:
            content = known[blob] if blob in known else next(contents)
            assert content is not None
            mode = _mode_to_write(root, path, paths[path], staged)
            reason = _why_not(partial(write_draft, root, path, content, mode, is_synced=size == 1))
            if reason is not None:
                waiting[path] = reason
        if size > 1:
            sync_all()
        for path in (path for path, _ in drafts if path not in waiting):
            # Looked at again: a person may have saved the file while the others were written.
            reason, _ = _why_it_waits(root, path, paths[path], staged)
            if reason is None:
                reason = _why_not(partial(place_draft, root, path))
            if reason is None:
                written.append(path)
            else:
                waiting[path] = reason
                remove_draft(root, path)
    return written, waiting


def _is(content: bytes | None, blob: str) -> bool:
    return content is not None and blob_id(content, _algorithm_of(blob)) == blob


def _mode_to_write(root: int, path: str, about: _Path, staged: Staged | None) -> int:
    """What the commit says, and executable also where a person made the file so and did not commit it."""
    entry = None if staged is None else staged[path]
    is_theirs = entry is not None and entry.mode == REGULAR[0] and is_executable(root, path)
    return FILE_MODE | EXECUTABLE if about.mode == REGULAR[1] or is_theirs else FILE_MODE


def _why_not(call: Callable[[], None]) -> str | None:
    """Why it could not be written."""
    try:
        call()
    except Strange:
        return IN_THE_WAY
    except PermissionError:
        return CLOSED
    return None


def _why_it_waits(root: int, path: str, about: _Path, staged: Staged | None) -> tuple[str | None, str | None]:
    """(reason or None, the blob id of what lies there)."""
    if not is_safe_path(path):
        return UNSAFE, None
    if about.target is not None and about.mode not in REGULAR:
        return NOT_A_FILE, None
    try:
        lies = _identify(root, path, about)
    except Strange:
        return IN_THE_WAY, None
    entry = None if staged is None else staged[path]
    if lies is None and entry is not None and entry.is_skipped and entry.blob != CONFLICT:
        lies = about.target  # left out by a sparse checkout, and it shall stay so
    if lies != about.target and lies not in about.known:
        return (DELETED if lies is None else EDITED), lies
    if staged is not None and _blob_of(entry) != about.target and _blob_of(entry) not in about.known:
        return STAGED, lies
    return None, lies


def _identify(root: int, path: str, about: _Path) -> str | None:
    """Git's name for the bytes at `path`, as git itself would take them; None if nothing is there.

    Line ends of Windows are what git laid out by `core.autocrlf`, and no edit.
    """
    content = read_file(root, path)
    if content is None:
        return None
    lies, plain = blob_id(content, _algorithm(about)), content.replace(b"\r\n", b"\n")
    if plain != content and lies not in about.known and lies != about.target:
        converted = blob_id(plain, _algorithm(about))
        return converted if converted == about.target or converted in about.known else lies
    return lies


def _algorithm(about: _Path) -> str:
    return _algorithm_of(next((blob for blob in (about.target, *about.known) if blob is not None), ""))


def _algorithm_of(blob: str) -> str:
    return "sha256" if len(blob) == hashlib.sha256().digest_size * 2 else "sha1"


def _entries_to_align(
    paths: Mapping[str, _Path], staged: Staged | None, waiting: Mapping[str, str]
) -> dict[str, tuple[str, str | None]]:
    """Mode and blob of the entries that have to be set, by path.

    A file that waits is aligned too as long as nothing is staged there: else the person's next commit of anything else
    would take our change back unseen. What is staged keeps its entry.
    """
    return {
        path: (about.mode, about.target)
        for path, about in paths.items()
        if waiting.get(path) not in (STAGED, UNSAFE, NOT_A_FILE)
        and (staged is None or (_blob_of(staged[path]) != about.target and _blob_of(staged[path]) in about.known))
    }


def _blob_of(entry: Entry | None) -> str | None:
    return None if entry is None else entry.blob
