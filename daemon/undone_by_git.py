"""A person's `git revert` of a dream's commit, taken for the command that it is (design, section 7).

What the message names is tried, and what a restored tree suggests; the proof is the tree: with what people committed
it has to hold, byte for byte, the files that `dreamd revert` would have rendered when the newest exported run was the
last. Then the runs are taken back by runs of their own, the person's commit stays, and the export has nothing to add
but their reports. Where it does not, the lines count as the person's edits, and the report says what is missing.
"""

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from dreamd.daemon.editing import read_looked
from dreamd.daemon.hiding import Redact
from dreamd.daemon.rendering import manifest_of, render_state
from dreamd.daemon.reverting import GIT_REVERT, Cascades, Wish, revert, undoings_of
from dreamd.daemon.storage.letting_go import changes_let_go
from dreamd.daemon.storage.store import SpaceStore
from dreamd.lifecycle.plan import Problem
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.revert import Undoing
from dreamd.lifecycle.told import counted
from dreamd.repo_export.edits.people import PeoplesCommit, peoples_commits
from dreamd.repo_export.edits.reverted import named_as_reverted, runs_of
from dreamd.repo_export.git import MemoryRepository
from dreamd.repo_export.markdown import command_line

RUNS_OF_COMMITS = "undone:commits"  # the cursor: by commit of a person, the runs that it became
MAX_REMEMBERED = 200  # commits in that cursor
MAX_RESTORED = 10  # runs that a tree without a word in its message is compared with
WAYS: tuple[Cascades, ...] = ("none", "where blocked", "all")


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    commits: frozenset[str] = frozenset()  # people's commits that became runs: no line of theirs is an edit
    notes: tuple[Problem, ...] = ()  # about those that name a run and did not


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """One person's commit and the runs that it says to take back, in the order in which that works."""

    commit: PeoplesCommit
    runs: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """What a proof is held against."""

    store: SpaceStore
    repository: MemoryRepository
    head: str
    until: int  # number of the newest run that is exported
    now: datetime
    policy: Policy
    redact: Redact


def take_reverts(  # noqa: PLR0913 - as a run
    store: SpaceStore,
    repository: MemoryRepository,
    now: datetime,
    policy: Policy,
    reach: Callable[[str], None],
    *,
    redact: Redact,
) -> Undone:
    """Take back the runs whose commits people reverted since the last look. Raises RepositoryProblem."""
    looked, head = read_looked(store).head, repository.head()
    if head is None or head == looked:
        return Undone()
    since = looked if looked is not None and repository.has_commit(looked) else None
    commits = [each for each in peoples_commits(repository, head, since) if _paths([each])]
    last = repository.last_run(head)
    until = None if last is None else store.number_of_run(last)
    if not commits or until is None:
        return Undone()
    gone = store.through(changes_let_go)
    place = _Place(store=store, repository=repository, head=head, until=until, now=now, policy=policy, redact=redact)
    asked = _asked(place, commits, since)
    if let_go := [each for each in asked if until < gone or min(each.runs) <= gone]:
        return Undone(notes=tuple(_let_go_note(place, each, gone) for each in let_go))
    for wishes in (asked,) if asked else _restored(place, commits, gone):
        found = _proven(place, wishes, commits)
        if found is not None:
            _carry_out(place, wishes, found, reach)
            return Undone(commits=frozenset(each.commit.sha for each in wishes))
    return Undone(notes=tuple(_note(place, each) for each in asked))


def _asked(place: _Place, commits: Sequence[PeoplesCommit], since: str | None) -> tuple[_Asked, ...]:
    """What the messages name. A commit that takes another one of `commits` back counts for nothing, as does that."""
    named = named_as_reverted(place.repository, place.head, since)
    own = {commit.sha: commit for commit in commits}
    for sha in reversed(named):
        if sha in own and any(other in own for other in named[sha]):
            own = {each: commit for each, commit in own.items() if each != sha and each not in named[sha]}
    runs = runs_of(place.repository, {other for sha in own for other in named.get(sha, ())})
    before = _runs_of_commits(place.store)
    found = []
    for sha, commit in own.items():
        numbers: list[int] = []
        for other in named.get(sha, ()):
            number = place.store.number_of_run(runs[other]) if other in runs else None
            numbers += [number] if number is not None else before.get(other, [])
        wanted = tuple(dict.fromkeys(number for number in numbers if number <= place.until))
        if wanted:
            found.append(_Asked(commit=commit, runs=wanted))
    return tuple(found)


def _restored(place: _Place, commits: Sequence[PeoplesCommit], gone: int) -> list[tuple[_Asked, ...]]:
    """The last run, the last two and so on, but none up to the `gone` one, as taken back by the last of `commits`."""
    last = commits[-1]
    numbers = range(place.until, max(gone, place.until - MAX_RESTORED), -1)
    others = [_Asked(commit=commit, runs=()) for commit in commits[:-1]]
    return [
        (*others, _Asked(commit=last, runs=tuple(numbers[: count + 1])))
        for count in range(len(numbers))
        if _is_as_before(place, numbers[count])
    ]


def _is_as_before(place: _Place, number: int) -> bool:
    """Whether the pages are as they were before run `number`: a cheap look, the proof comes later."""
    record = place.store.run(number)
    commit = None if record is None else place.repository.commit_of_run(record.id, place.head)
    if commit is None:
        return False
    before = f"{commit}^"
    if place.repository.git.run("rev-parse", "--verify", "--quiet", before).status != 0:
        return False
    options = ("-r", "-z", "--name-only", "--no-renames", before, place.head)
    names = place.repository.git.read("diff-tree", *options).decode("utf-8", errors="surrogateescape").split("\0")
    return not any(map(is_memory, filter(None, names)))


def _proven(place: _Place, wishes: Sequence[_Asked], commits: Sequence[PeoplesCommit]) -> tuple[Undoing, ...] | None:
    """What takes the runs back and gives the very files that lie in the head; None if nothing does."""
    numbers = [number for each in wishes for number in each.runs]
    touched = _changed(place, _paths([each.commit for each in wishes]), commits)
    seen: set[tuple[int, ...]] = set()
    for way in WAYS:
        undoings = undoings_of(place.store, numbers, place.until, place.now, place.policy, way)
        shape = tuple(len(undoing.plan.changes) for undoing in undoings)
        if all(shape) and shape not in seen and not _differing(place, undoings, touched):
            return undoings
        seen.add(shape)
    return None


def _differing(place: _Place, undoings: Sequence[Undoing], touched: Collection[str]) -> list[str]:
    """The paths at which the head is not what `undoings` would make of the memory; `touched` have to be among them."""
    changes = [change for undoing in undoings for change in undoing.plan.changes]
    lacking = [change for _, part in place.store.changes_since(place.until) for change in part]
    undone = [replace(change, before=change.after, after=change.before) for change in reversed(changes)]
    files, _ = render_state(
        place.store,
        manifest_of(place.repository, place.head),
        later=[*undone, *lacking],
        changes=changes,
        redact=place.redact,
    )
    wanted = {path: content for path, content in files.items() if is_memory(path)}
    there = place.repository.files_at(place.head, wanted)
    wrong = {path for path, content in wanted.items() if there.get(path) != content}
    return sorted(wrong | (set(touched) - wanted.keys()))


def _carry_out(
    place: _Place, wishes: Sequence[_Asked], undoings: Sequence[Undoing], reach: Callable[[str], None]
) -> None:
    """One run for each that is taken back; one that a killed call took back already is not taken back again."""
    done = {record.reverts: record.number for record in place.store.runs(after=place.until)}
    became = _runs_of_commits(place.store)
    cascades = iter(bool(undoing.cascade) for undoing in undoings)
    for each in wishes:
        made = []
        for number in each.runs:
            wish = Wish(number=number, cascade=next(cascades))
            if number in done:
                made.append(done[number])
                continue
            by = f"commit {each.commit.sha[:12]} by {each.commit.name}"
            options = ("--cascade",) if wish.cascade else ()
            said = f"{by} is {command_line('revert', str(number), *options, space=place.store.space)}"
            problem = Problem(source=GIT_REVERT, message=place.redact(said))
            _, plan = revert(place.store, wish, place.now, place.policy, reach, problems=(problem,))
            made += [plan.number] if plan.changes else []
        became[each.commit.sha] = made
    kept = dict(list(became.items())[-MAX_REMEMBERED:])
    place.store.set_cursor(RUNS_OF_COMMITS, json.dumps(kept))


def _note(place: _Place, asked: _Asked) -> Problem:
    """What the whole revert would add to what the person's commit took back."""
    undoings = undoings_of(place.store, asked.runs, place.until, place.now, place.policy, "where blocked")
    rows = sum(len(undoing.plan.changes) for undoing in undoings)
    paths = _differing(place, undoings, ())
    commands = ", ".join(
        command_line("revert", str(number), *(("--cascade",) if undoing.cascade else ()), space=place.store.space)
        for number, undoing in zip(asked.runs, undoings, strict=True)
    )
    more = f"would also change {', '.join(paths)}" if paths else "would change no other file"
    message = (
        f"commit {asked.commit.sha[:12]} by {asked.commit.name} takes a dream back in part or with other words, so each"
        f" of its lines counts as an edit; the whole of it ({commands}: {counted(rows, 'row')}) {more}"
    )
    return Problem(source=GIT_REVERT, message=place.redact(message))


def _let_go_note(place: _Place, asked: _Asked, gone: int) -> Problem:
    """That the log cannot tell any more what the person's commit would take back."""
    message = (
        f"commit {asked.commit.sha[:12]} by {asked.commit.name} takes a dream back whose changes the log let go"
        f" (retention.changes_days, up to run {gone}), so each of its lines counts as an edit"
    )
    return Problem(source=GIT_REVERT, message=place.redact(message))


def _changed(place: _Place, paths: Collection[str], commits: Sequence[PeoplesCommit]) -> set[str]:
    """Those of `paths` that the commits together left other than they found them."""
    first: dict[str, str | None] = {}
    last: dict[str, str | None] = {}
    for commit in commits:
        for file in commit.files:
            first.setdefault(file.path, file.before[0] if file.before else None)
            last[file.path] = file.after
    return {path for path in paths if first.get(path) != last.get(path)}


def _paths(commits: Collection[PeoplesCommit]) -> set[str]:
    return {file.path for commit in commits for file in commit.files if is_memory(file.path)}


def is_memory(path: str) -> bool:
    """Whether a file is memory, and not what tells of it."""
    return not path.startswith(("reports/", ".dreamd/"))


def _runs_of_commits(store: SpaceStore) -> dict[str, list[int]]:
    text = store.cursor(RUNS_OF_COMMITS)
    return (
        {} if text is None else {str(sha): [int(number) for number in runs] for sha, runs in json.loads(text).items()}
    )
