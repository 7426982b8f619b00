"""Publishing: what the log holds and the memory repository does not yet, one commit a run.

The database comes first and Git catches up: the trailer of the newest commit of a dream says how far the repository
is, and each run after it is rendered from the rows as that run left them (the present rows, walked back by the
`before`s of later runs). So a kill between the two is repaired by the next call, with the same bytes.
"""

from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from dreamd.daemon.distiller.shown import may_be_shown
from dreamd.daemon.distiller.state import read_state, told_of, write_state
from dreamd.daemon.hiding import Redact, hidden, hidden_plan
from dreamd.daemon.memory import collecting_later
from dreamd.daemon.open_matters import standing_in
from dreamd.daemon.rendering import manifest_of, render_state
from dreamd.daemon.reverting import GIT_REVERT
from dreamd.daemon.storage.letting_go import changes_let_go
from dreamd.daemon.storage.log import RunRecord, plan_of
from dreamd.daemon.storage.store import SpaceStore
from dreamd.lifecycle.groups import groups_of
from dreamd.lifecycle.plan import Change, Plan, Problem
from dreamd.lifecycle.words import Trigger
from dreamd.repo_export.branch_moves import Look, look_at_branch, still_left
from dreamd.repo_export.folders import Strange, opened, read_file
from dreamd.repo_export.git import Commit, HeadMoved, MemoryRepository, RepositoryProblem
from dreamd.repo_export.index import INDEX_PLACES, IndexOutcome
from dreamd.repo_export.markdown import command_line
from dreamd.repo_export.message import commit_message
from dreamd.repo_export.packs import keep_few_packs
from dreamd.repo_export.report import render_report, report_json_path, report_path
from dreamd.repo_export.reports.as_json import render_report_json
from dreamd.repo_export.reports.telling import ReportContext, Telling, events_told, telling_of
from dreamd.repo_export.worktree import LaidOut, catch_up_layout

SUMMARIES = "summaries: render what a model's summaries change\n"  # the message of their commit
MAX_TRIES = 3  # how often a commit is rendered again when the branch moved meanwhile


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    commits: tuple[str, ...]  # sha of each commit made now, oldest first
    report: str | None  # path of the newest report made now, from the root of the repository
    waiting: tuple[tuple[str, str], ...]  # files of a person that were left alone: (path, reason)
    parked: str | None  # why nothing could be laid out
    index: IndexOutcome | None  # how MEMORY.md came out
    told: Telling | None = None  # of the newest run that was committed now, with all secrets hidden
    removed_locks: tuple[str, ...] = ()  # stale locks of dead git processes
    noticed: tuple[str, ...] = ()  # what was done to the history, in words for a person


def catch_up(  # noqa: PLR0913 - all that a commit is made of
    store: SpaceStore,
    repository: MemoryRepository,
    now: datetime,
    reach: Callable[[str], None],
    redact: Redact,
    *,
    plan: Plan | None = None,
    attend: Callable[[], object] = lambda: None,
) -> Exported:
    """Commit every run that the repository lacks, and lay the files out.

    A `plan` that was applied just now need not be read again from the log. `attend` takes in what people committed, and
    is called before anything is rendered for a head, so that no file is written over an edit. Raises RepositoryProblem
    if the repository holds a run that the store does not know.
    """
    with collecting_later(), repository.writing():
        parked = repository.in_progress()
        if parked is not None:
            return Exported(commits=(), report=None, waiting=(), parked=parked, index=None)
        removed = repository.remove_stale_locks(now)
        look = look_at_branch(repository)
        commits: list[str] = []
        report, index, told, files = None, None, None, dict[str, bytes | None]()
        lacking = _lacking(store, repository)
        gone = store.through(changes_let_go)
        waiting = deque(record for record in lacking if record.number >= gone)
        noticed = _of_let_go(lacking, gone)
        while waiting:
            record = waiting.popleft()
            noticed += [problem.message for problem in record.problems if problem.source == GIT_REVERT]
            reach("export-before-render")
            is_at_hand = plan is not None and plan.run == record.id
            is_gone = record.number <= gone
            changes = () if is_at_hand or is_gone else store.changes(record.number)
            applied = plan if plan is not None and is_at_hand else plan_of(record, changes)
            if is_gone:
                told_of_it = Problem(source="retention", message=noticed[0])
                applied = replace(applied, problems=(*applied.problems, told_of_it))
            commit, index, told, files = _commit(store, repository, applied, redact, attend, is_whole=is_gone)
            commits += [] if commit is None else [commit.sha]
            report = report_path(applied)
            reach("report-written")
            waiting = waiting or deque(store.runs(after=record.number))  # what people committed meanwhile
        summarised, more = _commit_summaries(store, repository, redact)
        commits += [] if summarised is None else [summarised.sha]
        laid_out = catch_up_layout(repository, files | more)
        noticed += _of_moved_branch(store, repository, look, lacking) if look.left else ()
        keep_few_packs(repository)
    return replace(_exported(commits, report, index, laid_out, removed), told=told, noticed=tuple(noticed))


def render_again(
    store: SpaceStore, repository: MemoryRepository, now: datetime, message: str, redact: Redact
) -> Exported:
    """Render every file from the present rows and commit what differs; for `dreamd export` and after a repair.

    Catch up first: this knows only the present.
    """
    with collecting_later(), repository.writing():
        parked = repository.in_progress()
        if parked is not None:
            return Exported(commits=(), report=None, waiting=(), parked=parked, index=None)
        files, index = render_state(
            store, manifest_of(repository, repository.head()), later=(), changes=None, redact=redact
        )
        outcome = repository.commit_files(files, message=message, when=now)
        commits = (outcome.sha,) if isinstance(outcome, Commit) else ()
        return _exported(commits, None, index, catch_up_layout(repository, files), ())


def _lacking(store: SpaceStore, repository: MemoryRepository) -> list[RunRecord]:
    """The runs after the newest one that has a commit, ascending."""
    last = repository.last_run()
    if last is None:
        return store.runs()
    number = store.number_of_run(last)
    if number is None:
        raise RepositoryProblem(
            f"{repository.path} holds run {last}, which the store of space {store.space!r} does not know",
            "restore both from a backup: dreamd restore FILE; or move the repository away and run: dreamd export",
        )
    return store.runs(after=number)


def _of_let_go(lacking: Sequence[RunRecord], gone: int) -> list[str]:
    """What to say where the log no longer holds what runs that are `lacking` changed, up to the `gone` one."""
    lost = [record.number for record in lacking if record.number <= gone]
    if not lost:
        return []
    runs = f"run {lost[0]}" if len(lost) == 1 else f"runs {lost[0]} to {lost[-1]}"
    return [f"retention.changes_days let go what {runs} changed, so one commit holds what was known by then"]


def _of_moved_branch(
    store: SpaceStore, repository: MemoryRepository, look: Look, lacking: Sequence[RunRecord]
) -> tuple[str, ...]:
    """What a person has to know when the branch was moved: which runs were committed again, and what is kept."""
    last = repository.last_run(look.left[0])
    number = 0 if last is None else store.number_of_run(last) or 0
    again = [record.number for record in lacking if record.number <= number]
    told = ["the history of the memory was rewritten"]
    if again:
        runs, them = (
            (f"run {again[0]}", "it is") if len(again) == 1 else (f"runs {again[0]} to {again[-1]}", "they are")
        )
        how = command_line("revert", str(again[0]), space=store.space)
        told = [
            f"the branch was moved back behind {runs}; that takes nothing back, so {them} committed again;"
            f" to take back what {runs} changed: {how}"
        ]
    return (*told, *(f"what it was before is kept as {ref}" for ref in still_left(repository, look, repository.head())))


def _commit(  # noqa: PLR0913 - all that a commit is made of
    store: SpaceStore,
    repository: MemoryRepository,
    applied: Plan,
    redact: Redact,
    attend: Callable[[], object],
    *,
    is_whole: bool,
) -> tuple[Commit | None, IndexOutcome, Telling, dict[str, bytes | None]]:
    """One commit for the run. When a person commits meanwhile it is made again on top of theirs.

    `is_whole`: what it changed is no longer in the log, as what a purge changed never is; so all is rendered.
    """
    plan = hidden_plan(applied, redact)
    changes = None if is_whole or plan.trigger is Trigger.PURGE else plan.changes
    for _ in range(MAX_TRIES):
        head = repository.head()
        attend()
        later = [change for _, part in store.changes_since(plan.number) for change in part]
        files, index = render_state(
            store,
            manifest_of(repository, head),
            later=later,
            changes=changes,
            redact=redact,
            contents=partial(_lying_there, repository) if not may_be_shown(store) else lambda paths: {},
            index_files=partial(_indexes_of, repository, head),
        )
        telling = tell(store, plan, redact, index=index, later=later)
        files[report_path(plan)] = render_report(telling)
        files[report_json_path(plan)] = render_report_json(telling)
        message = commit_message(plan, telling.happenings, is_known=not is_whole)
        outcome = repository.commit_files(files, message=message, when=plan.now, onto=head)
        if not isinstance(outcome, HeadMoved):
            commit = outcome if isinstance(outcome, Commit) else None
            return commit, index, telling, files
    raise RepositoryProblem(f"{repository.path} is being committed to all the time", "run later: dreamd export")


def _lying_there(repository: MemoryRepository, paths: Collection[str]) -> Mapping[str, bytes]:
    """Files of the work tree; whoever takes them has to see by their digest whether they are those of the commit."""
    found: dict[str, bytes] = {}
    with opened(repository.path) as root:
        for path in paths:
            with suppress(Strange):
                content = read_file(root, path)
                found |= {} if content is None else {path: content}
    return found


def _indexes_of(repository: MemoryRepository, head: str | None) -> Mapping[str, bytes]:
    return {} if head is None else repository.tree_files(head, under=INDEX_PLACES)


def _commit_summaries(
    store: SpaceStore, repository: MemoryRepository, redact: Redact
) -> tuple[Commit | None, dict[str, bytes | None]]:
    """One commit for the pages whose summaries came, or went, without a run that is about them; and its files."""
    state, now = read_state(store), store.head().now
    if state is None or state.unshown == () or now is None:
        return None, {}
    head = repository.head()
    changes, also = (None, ()) if state.unshown is None else ((), state.unshown)
    files, _ = render_state(
        store,
        manifest_of(repository, head),
        later=(),
        changes=changes,
        redact=redact,
        index_files=partial(_indexes_of, repository, head),
        also=also,
    )
    outcome = repository.commit_files(files, message=SUMMARIES, when=now, onto=head)
    if isinstance(outcome, HeadMoved):
        return None, {}  # the next call does it
    write_state(store, replace(state, unshown=()))
    return (outcome, files) if isinstance(outcome, Commit) else (None, {})


def tell(
    store: SpaceStore,
    plan: Plan,
    redact: Redact,
    *,
    index: IndexOutcome | None = None,
    later: Sequence[Change] = (),
) -> Telling:
    """What the report of `plan` is made of: the plan, and beyond it words of the evidence, titles, groups.

    What stands open is told as it was before the `later` changes.
    """
    bare = telling_of(plan, ReportContext())
    told = told_of(store, plan.run)
    named = {stream for stream, _ in (*told.refused, *told.unanswered)} if told is not None else set[str]()
    others = [found for id_ in sorted({*bare.by_stream, *named} - bare.titles.keys()) if (found := store.stream(id_))]
    context = ReportContext(
        events={event.id: hidden(event, redact) for event in store.events(events_told(bare))},
        titles={stream.id: hidden(stream, redact).title for stream in others},
        groups={
            group: tuple(change.subject for change in changes)
            for group, changes in groups_of(plan.run, plan.changes).items()
        },
        standing=standing_in(store, redact, later),
        index=index,
        distillation=told,
    )
    return bare.with_context(context)


def _exported(
    commits: Sequence[str],
    report: str | None,
    index: IndexOutcome | None,
    laid_out: LaidOut,
    removed: tuple[str, ...],
) -> Exported:
    return Exported(
        commits=tuple(commits),
        report=report,
        waiting=laid_out.waiting,
        parked=laid_out.parked or laid_out.index_waits,
        index=index,
        removed_locks=removed,
    )
