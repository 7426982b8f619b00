"""What the work tree shows, as dreamd last knew it: a small file beside the index.

It names the commit that was laid out last, any other that the branch was found at since (a person's git may have laid
that one out), and the bases of each path that waits. Anyone may have changed the file, so nothing in it is believed
before it is looked at.
"""

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from dreamd.repo_export.commit_stream import is_safe_path
from dreamd.repo_export.folders import opened, replace_file
from dreamd.repo_export.git import MemoryRepository, RepositoryProblem
from dreamd.repo_export.vetting import first_bytes

RECORD_NAME = "dreamd-laid-out"  # beside the index
MAX_RECORD_BYTES = 16 * 1024 * 1024
MAX_SHOWN = 20  # commits; while another git keeps its lock on the index, each export may find the branch elsewhere

_NAME = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")  # of an object


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    shown: tuple[str, ...] = ()  # commits whose files may lie there, the newest last; empty: not known
    waiting: Mapping[str, tuple[str | None, ...]] = field(default_factory=dict)  # blobs by path; None: no file


def read_record(repository: MemoryRepository) -> Record:
    """What is recorded, without the commits that Git no longer has."""
    try:
        record = json.loads(first_bytes(repository.git_dir / RECORD_NAME, MAX_RECORD_BYTES))
        shown, waiting = [str(record["commit"]), *_list(record.get("also"))], dict(record["waiting"])
    except (AttributeError, RepositoryProblem, ValueError, KeyError, TypeError, RecursionError):
        return Record()
    if not all(_is_recorded(path, bases) for path, bases in waiting.items()):
        return Record()
    names = [name for name in shown[-MAX_SHOWN:] if isinstance(name, str) and _NAME.fullmatch(name)]
    there = tuple(name for name in names if _is_there(repository, name))
    return Record(shown=there, waiting={path: tuple(bases) for path, bases in waiting.items()})


def write_record(repository: MemoryRepository, head: str, waiting: Mapping[str, Collection[str | None]]) -> None:
    """Record that `head` is laid out, but for the paths that are `waiting`, with what they may come back to."""
    _write(repository, (head,), waiting)


def note_where_the_branch_is(repository: MemoryRepository, head: str | None) -> None:
    """Record that the work tree may show `head`, where the branch was found.

    After a reset it does, and the run that the reset dropped is about to be committed on top.
    """
    record = read_record(repository)
    if head is not None and record.shown and head not in record.shown:
        _write(repository, (*record.shown, head)[-MAX_SHOWN:], record.waiting)


def note_to_lay_out(repository: MemoryRepository, before: Mapping[str, str | None]) -> None:
    """Record that what the branch is about to bring at these paths is to be laid out, whoever committed it.

    `before`: what lies there until then. Call it with the layout caught up, and before the branch moves: after a kill
    between the two there is nothing to lay out at these paths, and the next call takes the note back.
    """
    record = read_record(repository)
    noted = {path: set(bases) for path, bases in record.waiting.items()}
    for path, blob in before.items():
        if is_safe_path(path):
            noted.setdefault(path, set()).add(blob)
    _write(repository, record.shown or ("",), noted)


def left_alone(repository: MemoryRepository) -> tuple[str, ...]:
    """The paths that waited when files were last laid out, sorted."""
    return tuple(sorted(read_record(repository).waiting))


def _write(repository: MemoryRepository, shown: tuple[str, ...], waiting: Mapping[str, Collection[str | None]]) -> None:
    bases = {path: sorted(blobs, key=str) for path, blobs in waiting.items()}
    record = {"commit": shown[0], "waiting": bases} | ({"also": shown[1:]} if shown[1:] else {})
    with opened(repository.git_dir) as git_dir:
        replace_file(git_dir, RECORD_NAME, json.dumps(record, indent=1, sort_keys=True).encode("ascii"))


def _is_there(repository: MemoryRepository, name: str) -> bool:
    return repository.git.run("cat-file", "-e", f"{name}^{{commit}}").status == 0


def _is_recorded(path: str, bases: object) -> bool:
    """Whether `_write` could have written this pair."""
    try:
        path.encode("utf-8", errors="surrogateescape")
    except UnicodeEncodeError:
        return False
    is_name = (base is None or (isinstance(base, str) and _NAME.fullmatch(base)) for base in _list(bases))
    return is_safe_path(path) and isinstance(bases, list) and all(is_name)


def _list(found: object) -> list[object]:
    return found if isinstance(found, list) else []
