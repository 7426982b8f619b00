"""Publishing: what the log holds and the memory repository does not yet, one commit a run.

The database comes first and Git catches up: the trailer of the newest commit of a dream says how far the repository
is, and each run after it is rendered from the rows as that run left them (the present rows, walked back by the
`before`s of later runs). So a kill between the two is repaired by the next call, with the same bytes.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from dreamd.daemon.distiller.shown import may_be_shown
from dreamd.daemon.distiller.state import read_state, told_of, write_state
from dreamd.daemon.hiding import Redact, hidden, hidden_plan
from dreamd.daemon.memory import collecting_later
from dreamd.daemon.rendering import manifest_of, render_state
from dreamd.daemon.storage.log import RunRecord, plan_of
from dreamd.daemon.storage.store import SpaceStore
from dreamd.lifecycle.groups import groups_of
from dreamd.lifecycle.plan import Plan
from dreamd.lifecycle.values import Claim, Link, Stream
from dreamd.repo_export.folders import Strange, opened, read_file
from dreamd.repo_export.git import Commit, HeadMoved, MemoryRepository, RepositoryProblem
from dreamd.repo_export.happenings import stream_of
from dreamd.repo_export.index import INDEX_PLACES, IndexOutcome
from dreamd.repo_export.message import commit_message
from dreamd.repo_export.packs import keep_few_packs
from dreamd.repo_export.report import ReportContext, render_report, render_report_json, report_json_path, report_path
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
    told: "Told | None" = None  # the newest run that was committed now
    removed_locks: tuple[str, ...] = ()  # stale locks of dead git processes


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A plan and what its report tells beyond it, with all secrets hidden."""

    plan: Plan
    context: ReportContext


def catch_up(  # noqa: PLR0913 - all that a commit is made of
    store: SpaceStore,
    repository: MemoryRepository,
    now: datetime,
    reach: Callable[[str], None],
    redact: Redact,
    *,
    plan: Plan | None = None,
) -> Exported:
    """Commit every run that the repository lacks, and lay the files out.

    A `plan` that was applied just now need not be read again from the log. Raises RepositoryProblem if the repository
    holds a run that the store does not know.
    """
    with collecting_later(), repository.writing():
        parked = repository.in_progress()
        if parked is not None:
            return Exported(commits=(), report=None, waiting=(), parked=parked, index=None)
        removed = repository.remove_stale_locks(now)
        commits: list[str] = []
        report, index, told, files = None, None, None, dict[str, bytes | None]()
        for record in _lacking(store, repository):
            reach("export-before-render")
            is_at_hand = plan is not None and plan.run == record.id
            applied = plan if plan is not None and is_at_hand else plan_of(record, store.changes(record.number))
            commit, index, told, files = _commit(store, repository, applied, redact)
            commits += [] if commit is None else [commit.sha]
            report = report_path(applied)
            reach("report-written")
        summarised, more = _commit_summaries(store, repository, redact)
        commits += [] if summarised is None else [summarised.sha]
        laid_out = catch_up_layout(repository, files | more)
        keep_few_packs(repository)
    return replace(_exported(commits, report, index, laid_out, removed), told=told)


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
            "restore the store that belongs to it, or move the repository away and run: dreamd export",
        )
    return store.runs(after=number)


def _commit(
    store: SpaceStore, repository: MemoryRepository, applied: Plan, redact: Redact
) -> tuple[Commit | None, IndexOutcome, Told, dict[str, bytes | None]]:
    """One commit for the run. When a person commits meanwhile it is made again on top of theirs."""
    plan = hidden_plan(applied, redact)
    later = [change for _, part in store.changes_since(plan.number) for change in part]
    for _ in range(MAX_TRIES):
        head = repository.head()
        files, index = render_state(
            store,
            manifest_of(repository, head),
            later=later,
            changes=plan.changes,
            redact=redact,
            contents=partial(_lying_there, repository) if not may_be_shown(store) else lambda paths: {},
            index_files=partial(_indexes_of, repository, head),
        )
        context = report_context(store, plan, redact, index)
        files[report_path(plan)] = render_report(plan, context)
        files[report_json_path(plan)] = render_report_json(plan, context)
        outcome = repository.commit_files(files, message=commit_message(plan), when=plan.now, onto=head)
        if not isinstance(outcome, HeadMoved):
            commit = outcome if isinstance(outcome, Commit) else None
            return commit, index, Told(plan=plan, context=context), files
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


def report_context(store: SpaceStore, plan: Plan, redact: Redact, index: IndexOutcome | None = None) -> ReportContext:
    """What a report tells beyond the plan: the words of the evidence, titles of streams, groups."""
    events: set[str] = set()
    streams: set[str] = set()
    for change in plan.changes:
        for row in (change.before, change.after):
            if isinstance(row, Link):
                events.add(row.event)
            elif isinstance(row, Claim):
                events |= {row.stated_in, *((row.closed_by,) if row.closed_by else ())}
        if (stream := stream_of(change)) is not None:
            streams.add(stream)
    changed = {change.subject.id for change in plan.changes if isinstance(change.after, Stream)}
    told = told_of(store, plan.run)
    streams |= {stream for stream, _ in (*told.refused, *told.unanswered)} if told is not None else set()
    others = (store.stream(id_) for id_ in sorted(streams - changed))
    groups = groups_of(plan.run, plan.changes)
    return ReportContext(
        events={event.id: hidden(event, redact) for event in store.events(events)},
        streams={stream.id: hidden(stream, redact) for stream in others if stream is not None},
        groups={group: tuple(change.subject for change in changes) for group, changes in groups.items()},
        index=index,
        distillation=told,
    )


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
