"""What one run changed, as `dreamd diff` shows it: its files before and after, and what shows in no file.

The files are those of the run's commit. Where that is gone (reset away, or not made yet) they are rendered from the
log, as that run left them and as it found them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dreamd.daemon.failpoints import reach
from dreamd.daemon.hiding import Redact, hidden_change
from dreamd.daemon.rendering import render_state
from dreamd.daemon.storage.log import RunRecord
from dreamd.daemon.storage.store import SpaceStore
from dreamd.daemon.times import rfc3339
from dreamd.daemon.unseen import unseen_in
from dreamd.lifecycle.codec import change_to_json
from dreamd.lifecycle.plan import Change
from dreamd.lifecycle.told import counted
from dreamd.repo_export.git import MemoryRepository, RepositoryProblem
from dreamd.repo_export.line_diff import DiffLine, FileDiff
from dreamd.repo_export.manifest import FORMAT_VERSION, Manifest
from dreamd.repo_export.page import PAGE_FORMAT
from dreamd.repo_export.run_commit import changed_files, commit_of_run

if TYPE_CHECKING:
    from dreamd.daemon.session import Session

STATE_FOLDER = ".dreamd/"
REPORTS = "reports/"
SHORT_SHA = 12
NO_COMMIT = "its commit is not in the branch: reset away, or not exported yet"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunDiff:
    record: RunRecord
    commit: str | None
    from_log: str | None  # why the files are rendered from the log; None: they are the commit's
    reverted_by: tuple[int, ...]  # runs that took it back, or a part of it
    files: tuple[FileDiff, ...]  # by path
    unseen: tuple[str, ...]  # what shows in no file, a line each
    changes: tuple[Change, ...]

    def as_json(self) -> dict[str, Any]:
        record = self.record
        return {
            "space": record.space,
            "run": record.number,
            "id": record.id,
            "at": rfc3339(record.now),
            "trigger": record.trigger,
            "reverts": record.reverts,
            "reverted_by": list(self.reverted_by),
            "commit": self.commit,
            "from_log": self.from_log,
            "files": [_file_as_json(file) for file in self.files],
            "in_no_file": list(self.unseen),
            "changes": [change_to_json(change) for change in self.changes],
        }

    def head(self) -> list[str]:
        """What run it was, and what became of it."""
        record = self.record
        what = record.trigger + (f" of run {record.reverts}" if record.reverts is not None else "")
        where = f"; commit {self.commit[:SHORT_SHA]}" if self.commit else ""
        lines = [f"Run {record.number} of {record.space} ({record.id}): {what}, {rfc3339(record.now)}{where}"]
        lines += [f"Taken back, all of it or a part, by run {number}" for number in self.reverted_by]
        if self.from_log:
            lines.append(f"Rendered from the log, for {self.from_log}")
        return lines

    def stat(self) -> list[str]:
        """A line a file, and the sum."""
        sizes = [file.size() for file in self.files]
        width = max((len(file.path) for file in self.files), default=0)
        lines = [
            f"  {file.path.ljust(width)}  {f'+{came}':>6} {f'-{gone}':>6}"
            + (f"  {file.status}" if file.status != "changed" else "")
            for file, (came, gone) in zip(self.files, sizes, strict=True)
        ]
        came, gone = (sum(size[place] for size in sizes) for place in (0, 1))
        sum_of = f"{counted(len(self.files), 'file')}, {counted(came, 'line')} more, {gone} fewer"
        return [*lines, sum_of if self.files else "No file changed"]

    def in_no_file(self) -> list[str]:
        return ["In no file:", *(f"  {line}" for line in self.unseen)] if self.unseen else []


def diff_of_run(opened: "Session", store: SpaceStore, number: int) -> RunDiff:
    """All that `dreamd diff` shows of run `number`, which the store has. Secrets are hidden."""
    record = store.run(number)
    if record is None:
        raise ValueError(f"space {store.space!r} has no run {number}")
    changes = store.changes(number)
    commit, found, why = _from_commit(opened.home.repository(store.space), record.id)
    files = found if found is not None else _from_log(store, number, changes, opened.redact)
    shown = tuple(hidden_change(change, opened.redact) for change in changes)
    return RunDiff(
        record=record,
        commit=commit,
        from_log=why,
        reverted_by=tuple(each.number for each in store.runs(after=number) if each.reverts == number),
        files=files,
        unseen=tuple(unseen_in(store, shown, {file.path for file in files}, opened.redact)),
        changes=shown,
    )


def _is_shown(path: str) -> bool:
    return not path.startswith(STATE_FOLDER)


def _from_commit(folder: Path, run: str) -> tuple[str | None, tuple[FileDiff, ...] | None, str | None]:
    """The commit and its files, or None and why."""
    if not folder.exists():
        return None, None, "there is no memory repository yet"
    try:
        repository = MemoryRepository.open(folder, reach)
        commit = commit_of_run(repository, run)
        if commit is None:
            return None, None, NO_COMMIT
        return commit.sha, changed_files(repository, commit, _is_shown), None
    except (RepositoryProblem, OSError) as problem:
        return None, None, problem.message if isinstance(problem, RepositoryProblem) else str(problem)


def _from_log(store: SpaceStore, number: int, changes: Sequence[Change], redact: Redact) -> tuple[FileDiff, ...]:
    later = [change for _, part in store.changes_since(number) for change in part]
    # As though there were pages of our format, none of them known: only those of the changed streams are rendered.
    manifest = Manifest(format_version=FORMAT_VERSION, space=store.space, page_format=PAGE_FORMAT, files={})

    def files(after: Sequence[Change]) -> Mapping[str, bytes | None]:
        return render_state(store, manifest, later=after, changes=changes, redact=redact)[0]

    before, after = files([*changes, *later]), files(later)
    paths = sorted(filter(_is_shown, before.keys() | after.keys()))
    return tuple(
        FileDiff(path=path, before=before.get(path), after=after.get(path))
        for path in paths
        if before.get(path) != after.get(path)
    )


def _file_as_json(file: FileDiff) -> dict[str, Any]:
    came, gone = file.size()
    told = {"path": file.path, "status": file.status, "lines_more": came, "lines_fewer": gone}
    # The run's own report is told by `dreamd report`.
    return told if is_report(file) else {**told, "diff": [*header(file), *map(plain, file.lines())]}


def is_report(file: FileDiff) -> bool:
    return file.path.startswith(REPORTS)


def header(file: FileDiff) -> list[str]:
    """The two lines that begin the diff of a file."""
    old = "/dev/null" if file.before is None else f"a/{file.path}"
    new = "/dev/null" if file.after is None else f"b/{file.path}"
    return [f"--- {old}", f"+++ {new}"]


def plain(line: DiffLine) -> str:
    return line.text if line.mark == "@" else f"{line.mark}{line.text}"


def in_reading_order(files: Iterable[FileDiff]) -> list[FileDiff]:
    """Pages, then the indexes that are made from them, then the report."""

    def key(file: FileDiff) -> tuple[bool, bool, str]:
        return is_report(file), file.path.rpartition("/")[2].removesuffix(".md").isupper(), file.path

    return sorted(files, key=key)
