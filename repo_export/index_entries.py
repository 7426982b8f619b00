"""Entries of the index: what a person has staged, and aligning ours with what was laid out.

The index is copied, changed by plumbing that reads no file of the work tree, and put back under git's own lock. The
marks that a person's git keeps there stay: skip-worktree of a sparse checkout, assume-unchanged.
"""

import shutil
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from dreamd.repo_export.folders import FILE_MODE, GROUP_WRITES, is_shared, opened
from dreamd.repo_export.git import MemoryRepository
from dreamd.repo_export.locks import index_locked

PRIVATE_INDEX_NAME = "dreamd-index"
CONFLICT = ""  # in place of a blob: several entries of one path, each a side of a merge
NO_FILE = "0"  # the mode of an entry that goes


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What the index has for one path."""

    mode: str
    blob: str
    is_skipped: bool = False  # by a sparse checkout: the file is not there, and that is no deletion
    is_assumed: bool = False  # a person told git to take the file for unchanged


Staged = Mapping[str, Entry | None]  # by path; None: no entry


def staged_entries(repository: MemoryRepository, paths: Collection[str]) -> Staged | None:
    """What the index has for each of `paths`. None: there is no index yet."""
    if not (repository.git_dir / "index").exists():
        return None
    found: dict[str, Entry | None] = dict.fromkeys(paths)
    for line in filter(None, repository.git.read("ls-files", "--stage", "-v", "-z").split(b"\0")):
        about, _, raw_path = line.partition(b"\t")
        path = raw_path.decode("utf-8", errors="surrogateescape")
        if path in found:
            tag, mode, blob, stage = about.decode("ascii").split(" ")
            found[path] = Entry(
                mode=mode,
                blob=blob if stage == "0" else CONFLICT,
                is_skipped=tag in "Ss",
                is_assumed=tag.islower(),
            )
    return found


def align_entries(
    repository: MemoryRepository, head: str, entries: Mapping[str, tuple[str, str | None]], staged: Staged | None
) -> str | None:
    """Set `entries` of `head`, mode and blob by path (None: it goes); why not, if another git holds the index."""
    if not entries:
        return None
    private = repository.git_dir / PRIVATE_INDEX_NAME
    with index_locked(repository.git_dir) as is_ours:
        if not is_ours:
            return "another git process holds .git/index.lock; if none runs, remove it and run: dreamd export"
        private.unlink(missing_ok=True)
        if (repository.git_dir / "index").exists():
            shutil.copyfile(repository.git_dir / "index", private)
        # Removals first: a folder may have to make room for a file.
        ordered = sorted(entries.items(), key=lambda item: (item[1][1] is not None, item[0]))
        lines = [_line(mode, blob or "0" * len(head), path) for path, (mode, blob) in ordered]
        # Neither command reads a file of the work tree, so no filter runs.
        repository.git.read("update-index", "-z", "--index-info", stdin=b"".join(lines), index=private)
        before = {path: entry for path, entry in (staged or {}).items() if entry is not None and path in entries}
        left = {path: entry for path, entry in before.items() if entries[path][1] is not None}
        _mark(repository, private, "--skip-worktree", [path for path, entry in left.items() if entry.is_skipped])
        _mark(repository, private, "--assume-unchanged", [path for path, entry in left.items() if entry.is_assumed])
        with opened(repository.git_dir) as git_dir:
            private.chmod(FILE_MODE | (GROUP_WRITES if is_shared(git_dir) else 0))
        private.replace(repository.git_dir / "index")
    return None


def _mark(repository: MemoryRepository, index: Path, option: str, paths: Collection[str]) -> None:
    if paths:
        names = b"".join(_raw(path) + b"\0" for path in sorted(paths))
        repository.git.read("update-index", option, "-z", "--stdin", stdin=names, index=index)


def _line(mode: str, blob: str, path: str) -> bytes:
    return f"{mode if blob.strip('0') else NO_FILE} {blob}\t".encode("ascii") + _raw(path) + b"\0"


def _raw(path: str) -> bytes:
    return path.encode("utf-8", errors="surrogateescape")
