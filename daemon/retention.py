"""Letting go of what runs leave behind, as the settings say; by default nothing ever goes.

It happens after a run that changed something and was exported, never on a quiet night. Reports leave the tree of the
repository in a commit of their own, and stay in its history; the log can tell of them for as long as it has them.
Events never go: they are what everything else is made from, and only a purge erases one.
"""

from datetime import datetime, timedelta

from dreamd.daemon.distiller.state import read_state
from dreamd.daemon.settings import Retention
from dreamd.daemon.storage.letting_go import letting_go
from dreamd.daemon.storage.log import plan_of
from dreamd.daemon.storage.store import SpaceStore
from dreamd.lifecycle.policy import Policy
from dreamd.repo_export.git import Commit, MemoryRepository
from dreamd.repo_export.report import report_json_path, report_path
from dreamd.repo_export.worktree import catch_up_layout

REPORTS_GO = (
    "reports: let those of before {day} go\n\nThey are in the history, and `dreamd report` tells of their runs.\n"
)


def let_go(store: SpaceStore, repository: MemoryRepository, retention: Retention, policy: Policy) -> None:
    """Let what is older than the settings say go, as of the last run."""
    now = store.head().now
    if now is None:
        return
    if retention.reports_days:
        _let_reports_go(store, repository, now - timedelta(days=retention.reports_days), now)
    attempts = changes = None
    if retention.attempts_days:
        attempts = now - timedelta(days=retention.attempts_days)
    if retention.changes_days:
        # A fuse counts what the last days changed, and who has not been shown a run has yet to read it.
        changes = now - timedelta(days=max(retention.changes_days, policy.fuse_window_days))
    if attempts is not None or changes is not None:
        store.through(letting_go(attempts, changes, _seen_by_all(store, repository)))


def _let_reports_go(store: SpaceStore, repository: MemoryRepository, before: datetime, now: datetime) -> None:
    with repository.writing():
        head = repository.head()
        if head is None or repository.in_progress() is not None:
            return
        there = repository.tree_paths(head, under=("reports/", ".dreamd/"))
        old = [plan_of(record, ()) for record in store.runs() if record.now < before]
        paths = [path for plan in old for path in (report_path(plan), report_json_path(plan))]
        files: dict[str, bytes | None] = dict.fromkeys(path for path in paths if path in there)
        if files:
            made = repository.commit_files(files, message=REPORTS_GO.format(day=before.date()), when=now, onto=head)
            if isinstance(made, Commit):
                catch_up_layout(repository, files)


def _seen_by_all(store: SpaceStore, repository: MemoryRepository) -> int:
    """The last run that is both in the repository and known to the distiller, if one has begun."""
    exported = store.number_of_run(repository.last_run() or "") or 0
    state = read_state(store)
    return exported if state is None or not state.model else min(exported, state.number)
