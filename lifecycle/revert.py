"""Undo: a plan that takes back what a run did, as far as no later run built on it.

A revert is a new run; the log only grows. It takes back whole groups. A group that a later run touched is left alone
and named, or, with `cascade`, taken back with everything that came to touch it since: each row then gets the `before`
of its first change in that set. Row equality and field-wise merging were tried and left broken states; this never
did.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from dreamd.lifecycle import ids
from dreamd.lifecycle.draft import Draft
from dreamd.lifecycle.groups import groups_of, touched_by, touches
from dreamd.lifecycle.holds import holds_on, holds_on_ageing, holds_on_merges
from dreamd.lifecycle.plan import PLAN_SCHEMA, Change, Counts, Plan, Subject
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.values import Hold, Row
from dreamd.lifecycle.waking import Interval
from dreamd.lifecycle.words import Trigger


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedRun:
    """One run as the log holds it."""

    number: int
    id: str
    trigger: Trigger
    changes: tuple[Change, ...]
    # By row whose change here was purged, its images with it: the number of the purge's run.
    erased: Mapping[str, int] = field(default_factory=dict)
    reverts: int | None = None  # the number of the run that this one took back


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocked:
    """A group that stays, because `by_run` built on it, or purged some of it."""

    group: str
    by_run: int  # the first later run that touches it
    subjects: tuple[Subject, ...]  # the group's rows that later runs touch
    is_purged: bool = False  # nothing takes it back any more


@dataclass(frozen=True, slots=True, kw_only=True)
class Undoing:
    """What a revert would do."""

    plan: Plan  # without changes if nothing can be taken back
    groups: tuple[str, ...]  # the groups of the run that are taken back
    blocked: tuple[Blocked, ...]
    cascade: Mapping[int, int]  # later run number -> how many of its changes go along; empty without `cascade`


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where and when the revert happens."""

    space: str
    base: str  # head run
    number: int  # of the head run
    now: datetime
    held: frozenset[str]  # ids of the holds in force
    waking: Sequence[Interval]
    policy: Policy
    # By event: the stream of the name that it gives itself, where a merge that may be taken back had led it elsewhere.
    named: Mapping[str, str] = field(default_factory=dict)


def plan_revert(
    run: LoggedRun, later: Sequence[LoggedRun], place: Place, *, op: str | None = None, cascade: bool = False
) -> Undoing:
    """The plan that takes back `run`, or only its group `op`.

    `later` holds every run after it, ascending. Raises KeyError if `op` is no group of the run.
    """
    later = in_force(later)
    groups = groups_of(run.id, run.changes)
    wanted = groups if op is None else {op: groups[op]}
    built_on = {group: found for group in wanted if (found := _blocker(group, wanted[group], later)) is not None}
    is_whole = not any(each.erased for each in (run, *later))
    purged = {
        group: found
        for group in (() if is_whole else wanted)
        if (found := _purge_of(group, run, wanted[group], later)) is not None
    }
    blocked = purged if cascade else {**built_on, **purged}
    taken = {group: changes for group, changes in wanted.items() if group not in blocked}
    start = [(run, change) for changes in taken.values() for change in changes]
    undone = _with_dependents(start, later) if cascade else start
    return Undoing(
        plan=_plan(run, undone, place),
        groups=tuple(taken),
        blocked=tuple(blocked.values()),
        cascade=_size_by_run(undone, run.number),
    )


def in_force(later: Sequence[LoggedRun]) -> list[LoggedRun]:
    """`later` without groups that one of these runs took back exactly, and without what did so: nobody built on them.

    The newest goes first, for what was taken back itself takes nothing back.
    """
    left = {run.number: run for run in later}
    for number in sorted(left, reverse=True):
        by = left[number]
        undone = left.get(by.reverts) if by.reverts is not None else None
        if undone is None:
            continue
        gone = _taken_back(undone, by)
        for each in (undone, by):
            kept = tuple(change for change in each.changes if change.subject not in gone)
            left[each.number] = replace(each, changes=kept)
    return list(left.values())


def _taken_back(undone: LoggedRun, by: LoggedRun) -> set[Subject]:
    """The rows of those groups of both runs that hold nothing but changes of `undone` and the same ones back.

    A group that also holds something back is left: what it holds would be lost with it.
    """
    back = {change.subject: (change.after, change.before) for change in by.changes}
    gone = {change.subject for change in undone.changes if back.get(change.subject) == (change.before, change.after)}
    groups = [
        {change.subject for change in changes}
        for run in (undone, by)
        for changes in groups_of(run.id, run.changes).values()
    ]
    while partly := [group for group in groups if group & gone and not group <= gone]:
        gone.difference_update(*partly)
    return gone


def _blocker(group: str, changes: Sequence[Change], later: Sequence[LoggedRun]) -> Blocked | None:
    rows = touched_by(changes)
    hits = [(other.number, touches(change) & rows) for other in later for change in other.changes]
    hits = [(number, common) for number, common in hits if common]
    if not hits:
        return None
    common = frozenset[str]().union(*(rows for _, rows in hits))
    subjects = {change.subject for change in changes if change.subject.id in common}
    return Blocked(group=group, by_run=hits[0][0], subjects=tuple(sorted(subjects)))


def _purge_of(group: str, run: LoggedRun, changes: Sequence[Change], later: Sequence[LoggedRun]) -> Blocked | None:
    """The purge that took away what the group, or what came to build on it, would need to be taken back."""
    undone = _with_dependents([(run, change) for change in changes], later)
    rows = touched_by(change for _, change in undone)
    hits = {row: number for each in (run, *later) for row, number in each.erased.items() if row in rows}
    if not hits:
        return None
    subjects = {change.subject for _, change in undone if touches(change) & hits.keys()}
    return Blocked(group=group, by_run=min(hits.values()), subjects=tuple(sorted(subjects)), is_purged=True)


def _with_dependents(
    start: Sequence[tuple[LoggedRun, Change]], later: Sequence[LoggedRun]
) -> list[tuple[LoggedRun, Change]]:
    """`start`, and walking forward every later group that touches the growing set."""
    undone = list(start)
    rows = set(touched_by(change for _, change in start))
    for other in later:
        for changes in groups_of(other.id, other.changes).values():
            touched = touched_by(changes)
            if touched & rows:
                rows |= touched
                undone += [(other, change) for change in changes]
    return undone


def _plan(run: LoggedRun, undone: Sequence[tuple[LoggedRun, Change]], place: Place) -> Plan:
    first: dict[Subject, Row | None] = {}
    last: dict[Subject, Row | None] = {}
    for _, change in undone:
        first.setdefault(change.subject, change.before)
        last[change.subject] = change.after
    draft = Draft(row for row in last.values() if row is not None)
    for subject, row in sorted(first.items()):
        current = last[subject]
        if row is not None:
            draft.put(row, f"as before run {run.number}")
        elif current is not None:
            draft.drop(current, f"not there before run {run.number}")
    for hold in _holds(run, undone, first, place).values():
        subject = Subject("hold", hold.id)
        if first.get(subject) is None and (subject in first or hold.id not in place.held):
            draft.put(hold, f"keeps the dream from repeating run {run.number}")
    changes = draft.changes()
    subjects = ids.digest_of("revert", str(run.number), *(f"{change.subject.id}" for change in changes))
    return Plan(
        schema=PLAN_SCHEMA,
        run=ids.run_id(place.space, place.base, place.now.isoformat(), subjects) if changes else "",
        number=place.number + 1,
        space=place.space,
        base=place.base,
        now=place.now,
        trigger=Trigger.REVERT,
        reverts=run.number,
        policy_digest=place.policy.digest(),
        findings_digest="",
        changes=changes,
        fused=0,
        proposals=(),
        near_misses=(),
        problems=(),
        counts=Counts(),
    )


def _holds(
    run: LoggedRun, undone: Sequence[tuple[LoggedRun, Change]], restored: Mapping[Subject, Row | None], place: Place
) -> dict[str, Hold]:
    """Holds on what dreams had done, on merges whoever ordered them, and on ageing.

    The last on what it would do to the restored rows at this very instant.
    """
    dreamt = [change for by, change in undone if by.trigger in (Trigger.DREAM, Trigger.RETARGET)]
    edited = [change for by, change in undone if by.trigger is Trigger.EDIT]
    rows = [row for row in restored.values() if row is not None]
    held = {hold.id: hold for hold in rows if isinstance(hold, Hold)}
    return {
        **holds_on_ageing(rows, place.now, place.waking, place.policy, run.id),
        **holds_on(dreamt, run.id, place.named),
        **holds_on(edited, run.id, place.named, is_edit=True),
        **holds_on_merges((change for _, change in undone), run.id),
        **held,
    }


def _size_by_run(undone: Collection[tuple[LoggedRun, Change]], number: int) -> dict[int, int]:
    sizes: dict[int, int] = {}
    for other, _ in undone:
        if other.number != number:
            sizes[other.number] = sizes.get(other.number, 0) + 1
    return sizes
