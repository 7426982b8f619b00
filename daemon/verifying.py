"""What `verify` looks at: this home's repositories with the store at hand, or any folder, without a home.

Findings leave here as rows: the same for JSON, for words and for a baseline, which holds what was wrong before, so that
only what is new fails.
"""

import json
import os
import re
import shlex
import stat
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dreamd.daemon.errors import BadData
from dreamd.daemon.failpoints import reach
from dreamd.daemon.forgotten import seal_of
from dreamd.daemon.keeping import read_kept
from dreamd.daemon.sealing import CLAIM
from dreamd.reflection.text_keys import text_key
from dreamd.repo_export.commit_stream import is_safe_path
from dreamd.repo_export.folders import MAX_BYTES, Strange, opened, read_file
from dreamd.repo_export.git import MemoryRepository, RepositoryProblem, SafeGit
from dreamd.repo_export.index import MEMORY_PATH
from dreamd.repo_export.kept import as_shown
from dreamd.repo_export.manifest import MANIFEST_PATH
from dreamd.repo_export.slug import path_of
from dreamd.repo_export.verify import LEVELS, Finding, Known, order
from dreamd.repo_export.verify import verify as check

if TYPE_CHECKING:
    from dreamd.daemon.session import Session
    from dreamd.daemon.storage.store import SpaceStore

COUNTING_RULES = frozenset({"caps", "sourced", "head", "sentinel", "link-form", "index-line"})  # known with any numbers
_SKIPPED_FOLDERS = frozenset({".git", "node_modules"})
_DIGITS = re.compile(r"\d+")

Row = dict[str, Any]


def findings_of(opened_home: "Session", store: "SpaceStore", levels: Collection[str] = tuple(LEVELS)) -> list[Row]:
    """What `verify` finds in the newest commit of the space's repository, held against the store."""
    try:
        repository = opened_home.repository(store.space)
        head = repository.head()
        if head is None:
            return []
        files = repository.tree_files(head)
    except (RepositoryProblem, OSError) as problem:
        message = problem.message if isinstance(problem, RepositoryProblem) else str(problem)
        return _rows(store.space, [Finding(level="error", path=".", line=0, rule="repository", message=message)])
    found = list(check(files, _known(store, opened_home), levels))
    if "store" in levels:
        if MANIFEST_PATH not in files:
            message = "it is not there; to have it written again: dreamd export"
            found.append(
                Finding(level="error", path=MANIFEST_PATH, line=0, rule="manifest", message=message, check="store")
            )
        found += _differing_files(repository.path, files)
    return _rows(store.space, found)


def _known(store: "SpaceStore", opened_home: "Session") -> Known:
    claims = store.claims()
    kept = read_kept(store)
    sealed = {row.digest for row in store.tombstones() if row.kind == CLAIM}
    with_file = {path: row for row in store.streams() if (path := path_of(as_shown(row, kept))) is not None}
    return Known(
        claims={claim.id: claim.status for claim in claims},
        sources=frozenset(found.source for found in store.origins({claim.stated_in for claim in claims}).values()),
        streams={path: row.id for path, row in with_file.items()},
        texts={claim.id: claim.text for claim in claims},
        hide=opened_home.redact,
        is_tombstoned=lambda text: bool(sealed) and seal_of(store, CLAIM, text_key(text)) in sealed,
        states={
            path: {"phase": row.phase.value, "vitality": row.vitality.value, "status": row.status.value}
            for path, row in with_file.items()
        },
    )


def _differing_files(root: Path, files: Mapping[str, bytes]) -> Iterable[Finding]:
    """A warning for each file that is not there as it was committed: a person changed or deleted it."""
    with opened(root) as folder:
        for path, content in sorted(files.items()):
            if not is_safe_path(path):
                message = "is not a path for a memory repository; dreamd does not lay it out"
                yield _warning(path, "unsafe-path", message)
                continue
            try:
                lies_there = read_file(folder, path)
            except Strange:
                message = "something stands in its place that is no readable file; it is left alone"
                yield _warning(path, "edited-file", message)
                continue
            if lies_there is None:
                again = shlex.join(["git", "-C", str(root), "checkout", "--", path])
                yield _warning(path, "missing-file", f"is not there; to have it back: {again}")
            elif lies_there != content:
                message = "differs from what was committed; a person's edit, it is left alone"
                yield _warning(path, "edited-file", message)


def findings_in_folder(path: str, levels: Collection[str] = tuple(LEVELS)) -> list[Row]:
    """What `verify` finds in a folder that dreamd may not have written; in a bare repository, at HEAD."""
    root = Path(path)
    if not os.path.isdir(path):
        there = os.path.lexists(path)
        hint = (
            f"name its folder: dreamd verify {shlex.quote(str(root.parent))}" if there else "name the root of a memory"
        )
        raise BadData(f"{path} is not a folder" if there else f"there is no {path}", hint)
    if not (root / MEMORY_PATH).exists() and (below := sorted(root.glob(f"*/{MEMORY_PATH}"))):
        named = ", ".join(each.parent.name for each in below[:3])
        message = f"there is no MEMORY.md at the root; there is one in {named} (AMR-2)"
        lacks = Finding(level="error", path=MEMORY_PATH, line=0, rule="memory", message=message, check="format")
        return _rows(None, [lacks])
    found: list[Finding] = []
    if _is_bare(root):
        files = _committed(root)
    else:
        files = _files_under(root, found)
        found += _place_of(root)
    found = [*(each for each in found if "format" in levels), *check(files, levels=levels)]
    return _rows(None, found)


def _is_bare(root: Path) -> bool:
    return all((root / name).exists() for name in ("HEAD", "objects", "refs")) and not (root / "MEMORY.md").exists()


def _committed(git_dir: Path) -> dict[str, bytes]:
    """The files at HEAD of a bare repository."""
    repository = MemoryRepository(git_dir, reach)
    repository.git = SafeGit(git_dir)
    try:
        return repository.tree_files("HEAD")
    except RepositoryProblem as problem:
        raise BadData(problem.message, problem.hint) from None


def _files_under(root: Path, found: list[Finding]) -> dict[str, bytes]:
    """The files by path from the root; of what is neither Markdown nor ours the name is all that counts."""
    is_ours = (root / MANIFEST_PATH).is_file()
    files: dict[str, bytes] = {}
    for file in _walk(str(root), found):
        path = _shown(os.path.relpath(file, root))
        files[path] = b""
        if is_ours or path.lower().endswith(".md"):
            why = ""
            try:
                status = os.lstat(file)
                if stat.S_ISLNK(status.st_mode):
                    why = "it is a symbolic link, which is not followed"
                elif not stat.S_ISREG(status.st_mode):
                    why = "it is no regular file"
                elif status.st_size > MAX_BYTES:
                    why = f"it has {status.st_size} bytes; {MAX_BYTES} are read"
                else:
                    files[path] = Path(file).read_bytes()
            except OSError as refused:
                why = f"it cannot be read: {refused.strerror}"
            if why:
                found.append(Finding(level="error", path=path, line=0, rule="readable", message=why, check="format"))
    return files


def _walk(root: str, found: list[Finding]) -> Iterator[str]:
    def closed(error: OSError) -> None:
        path = _shown(os.path.relpath(error.filename or root, root))
        message = f"it cannot be read: {error.strerror}"
        found.append(Finding(level="error", path=path, line=0, rule="readable", message=message, check="format"))

    for folder, folders, names in os.walk(root, onerror=closed):
        # What is a memory of its own has rules of its own (AMR-17).
        folders[:] = sorted(name for name in folders if not _is_apart(folder, name))
        for name in sorted(names):
            if name != ".git":
                yield os.path.join(folder, name)


def _is_apart(folder: str, name: str) -> bool:
    return name in _SKIPPED_FOLDERS or os.path.lexists(os.path.join(folder, name, ".git"))


def _shown(path: str) -> str:
    """A path as text, whatever bytes its name has."""
    plain = path.replace(os.sep, "/")
    return plain.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _place_of(root: Path) -> Iterator[Finding]:
    """The root of a memory is that of a Git repository (AMR-1), which holds nothing but it (AMR-4)."""
    if os.path.lexists(root / ".git"):
        return
    above = next((each for each in root.resolve().parents if os.path.lexists(each / ".git")), None)
    message = (
        "it is no Git repository, so no change of it can be taken back (AMR-1)"
        if above is None
        else "it lies inside another repository; the open format has one of its own for a memory (AMR-1, AMR-4)"
    )
    yield Finding(level="warning", path=".", line=0, rule="repository", message=message, check="format")


def _warning(path: str, rule: str, message: str) -> Finding:
    return Finding(level="warning", path=path, line=0, rule=rule, message=message, check="store")


def _rows(space: str | None, findings: Iterable[Finding]) -> list[Row]:
    return [{"space": space, **asdict(finding)} for finding in sorted(findings, key=order)]


def without_known(found: Sequence[Row], baseline: str) -> tuple[list[Row], int]:
    """`found` without what the baseline file holds, and how much that was. Lines may have moved.

    What is there more often than the baseline has it is new.
    """
    hint = "write one: dreamd verify --write-baseline FILE"
    try:
        known = json.loads(Path(baseline).read_bytes())
        if not isinstance(known, list):
            raise TypeError("it holds no list of findings")
        old = Counter(_identity(each) for each in known)
    except OSError as problem:
        raise BadData(f"cannot read {baseline}: {problem.strerror}", hint) from None
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as problem:
        raise BadData(f"{baseline} is no baseline: {problem}", hint) from None
    new = []
    for each in found:
        identity = _identity(each)
        if old[identity]:
            old[identity] -= 1
        else:
            new.append(each)
    return new, len(found) - len(new)


def write_baseline(found: Sequence[Row], file: str) -> None:
    """Write `found` for `--baseline`; whole or not at all."""
    draft = Path(f"{file}.new")
    try:
        draft.write_text("[\n" + ",\n".join(json.dumps(each) for each in found) + "\n]\n", encoding="utf-8")
        draft.replace(file)
    except OSError as problem:
        raise BadData(
            f"cannot write {file}: {problem.strerror}", "name a file in a folder that can be written"
        ) from None


def _identity(finding: Row) -> tuple[str, str, str, str]:
    rule, message = str(finding["rule"]), str(finding["message"])
    said = _DIGITS.sub("#", message) if rule in COUNTING_RULES else message
    return (str(finding["space"]), str(finding["path"]), rule, said)
