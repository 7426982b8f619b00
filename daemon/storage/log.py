"""The log: what every run changed and why, what every attempt saw, and which run is the head.

A run's row holds all of its plan but the changes, which are rows of their own, found by run or by subject. Nothing here
is ever rewritten, but by a purge (see erasing.py): what it leaves of a change is a stub, which no reader sees but
`erased`.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select

from dreamd.daemon.storage.letting_go import require_kept
from dreamd.daemon.storage.rows import chunks, insert_values, one_of
from dreamd.daemon.storage.tables import TABLES
from dreamd.lifecycle.codec import (
    change_from_json,
    change_to_json,
    comparison_to_json,
    near_miss_from_json,
    near_miss_to_json,
    policy_change_from_json,
    policy_change_to_json,
    problem_to_json,
)
from dreamd.lifecycle.findings import Comparison
from dreamd.lifecycle.plan import Change, Counts, NearMiss, Plan, PolicyChange, Problem, Subject
from dreamd.lifecycle.words import Trigger

ERASED = "erased"  # the first of the kinds of a stub; the second is the number of the purge's run

_RUN, _CHANGE, _ATTEMPT, _HEAD, _DUE = (TABLES[name] for name in ("run", "change", "attempt", "head", "due"))

_OF_CHANGE = ("space", "number", "position", "subject_table", "subject", "before", "after", "because", "kinds")


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The last run of a space, and what the last dream saw of its clock."""

    run: str  # "" before the first run
    number: int  # 0 before the first run
    now: datetime | None  # `now` of that run
    policy_digest: str | None  # the policy the last dream was planned with
    waking_days: float  # how long the space was awake up to `looked_at`, as the last dream saw it
    looked_at: datetime | None  # `now` of the last dream, whether or not it changed anything
    policy: Mapping[str, Any] | None = None  # the numbers of that policy; None: not known


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    number: int
    id: str
    space: str
    schema: int  # of the plan
    base: str
    now: datetime
    trigger: Trigger
    reverts: int | None
    outcome: str
    policy_digest: str
    findings_digest: str
    fused: int
    proposals: tuple[str, ...]
    near_misses: tuple[NearMiss, ...]
    problems: tuple[Problem, ...]
    counts: Counts
    timings: Mapping[str, float]  # seconds by step
    started_at: datetime | None  # wall clock
    policy_change: PolicyChange | None
    comparisons: tuple[Comparison, ...]
    models: tuple[str, ...]  # what was asked besides the rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One try to dream, whether or not it changed anything."""

    at: datetime  # wall clock
    trigger: Trigger
    outcome: str  # such as "applied", "nothing", "stale", "failed"
    number: int | None = None  # of the run that it became
    counts: Counts = field(default_factory=Counts)
    near_misses: tuple[NearMiss, ...] = ()
    problems: tuple[Problem, ...] = ()
    seq: int = 0  # given by the store, from 1


def plan_of(record: RunRecord, changes: tuple[Change, ...]) -> Plan:
    """The plan that the run applied."""
    return Plan(
        schema=record.schema,
        run=record.id,
        number=record.number,
        space=record.space,
        base=record.base,
        now=record.now,
        trigger=record.trigger,
        reverts=record.reverts,
        policy_digest=record.policy_digest,
        findings_digest=record.findings_digest,
        changes=changes,
        fused=record.fused,
        proposals=record.proposals,
        near_misses=record.near_misses,
        problems=record.problems,
        counts=record.counts,
        policy_change=record.policy_change,
        comparisons=record.comparisons,
        models=record.models,
    )


def write_run(connection: Connection, plan: Plan, started_at: datetime | None, timings: Mapping[str, float]) -> None:
    """Log the run of `plan` with all its changes."""
    connection.execute(
        insert(_RUN),
        {
            "space": plan.space,
            "number": plan.number,
            "id": plan.run,
            "plan_schema": plan.schema,
            "base": plan.base,
            "now": plan.now,
            "trigger": plan.trigger,
            "reverts": plan.reverts,
            "outcome": "applied",
            "policy_digest": plan.policy_digest,
            "findings_digest": plan.findings_digest,
            "fused": plan.fused,
            "proposals": plan.proposals,
            **_observed(plan),
            "timings": dict(timings),
            "started_at": started_at,
            "policy_change": policy_change_to_json(plan.policy_change),
            "comparisons": [comparison_to_json(found) for found in plan.comparisons],
            "models": plan.models,
        },
    )
    insert_values(connection, _CHANGE, _OF_CHANGE, [_change_row(plan, *placed) for placed in enumerate(plan.changes)])


def read_head(connection: Connection, space: str) -> Head:
    selection = (
        select(_HEAD, _RUN.c.now)
        .outerjoin(_RUN, (_RUN.c.space == _HEAD.c.space) & (_RUN.c.number == _HEAD.c.number))
        .where(_HEAD.c.space == space)
    )
    row = connection.execute(selection).mappings().first()
    if row is None:
        return Head(run="", number=0, now=None, policy_digest=None, waking_days=0.0, looked_at=None)
    names = ("run", "number", "now", "policy_digest", "policy", "waking_days", "looked_at")
    return Head(**{name: row[name] for name in names})


def runs(connection: Connection, space: str, after: int = 0) -> list[RunRecord]:
    """All runs after the one with that number, oldest first."""
    selection = select(_RUN).where(_RUN.c.space == space, _RUN.c.number > after).order_by(_RUN.c.number)
    return [_record(row) for row in connection.execute(selection).mappings()]


def number_of_run(connection: Connection, space: str, id: str) -> int | None:
    return connection.scalar(select(_RUN.c.number).where(_RUN.c.space == space, _RUN.c.id == id))


def run(connection: Connection, space: str, number: int) -> RunRecord | None:
    found = connection.execute(select(_RUN).where(_RUN.c.space == space, _RUN.c.number == number)).mappings().first()
    return None if found is None else _record(found)


def changes(connection: Connection, space: str, number: int) -> tuple[Change, ...]:
    """The changes of one run, in the order of its plan; () if there is no such run. Raises LetGo if they are gone."""
    require_kept(connection, space, number)
    selection = select(_CHANGE).where(_CHANGE.c.space == space, _CHANGE.c.number == number)
    found = connection.execute(selection.order_by(_CHANGE.c.position)).mappings()
    return tuple(_change(row) for row in found if not _is_stub(row))


def changes_since(connection: Connection, space: str, number: int) -> list[tuple[int, tuple[Change, ...]]]:
    """The changes of each run after `number`, oldest run first. Raises LetGo if not all are there."""
    require_kept(connection, space, number + 1)
    selection = select(_CHANGE).where(_CHANGE.c.space == space, _CHANGE.c.number > number)
    found: dict[int, list[Change]] = {}
    for row in connection.execute(selection.order_by(_CHANGE.c.number, _CHANGE.c.position)).mappings():
        if not _is_stub(row):
            found.setdefault(row["number"], []).append(_change(row))
    return [(later, tuple(changed)) for later, changed in found.items()]


def changed_subjects_since(connection: Connection, space: str, number: int) -> dict[Subject, tuple[int, ...]]:
    """Which runs after `number` changed which rows."""
    columns = (_CHANGE.c.subject_table, _CHANGE.c.subject, _CHANGE.c.number)
    selection = select(*columns).where(_CHANGE.c.space == space, _CHANGE.c.number > number).order_by(*columns)
    found: dict[Subject, list[int]] = {}
    for table, subject, later in connection.execute(selection):
        found.setdefault(Subject(table, subject), []).append(later)
    return {subject: tuple(numbers) for subject, numbers in found.items()}


def changes_of(connection: Connection, space: str, subject: str) -> list[tuple[int, Change]]:
    """The history of one row: the number of each run that changed it, with the change, oldest first."""
    selection = select(_CHANGE).where(_CHANGE.c.space == space, _CHANGE.c.subject == subject)
    found = connection.execute(selection.order_by(_CHANGE.c.number, _CHANGE.c.position)).mappings()
    return [(row["number"], _change(row)) for row in found if not _is_stub(row)]


def erased(connection: Connection, space: str, number: int) -> dict[str, int]:
    """By row, of those whose changes by that run were purged: the number of the purge's run."""
    selection = select(_CHANGE.c.subject, _CHANGE.c.kinds).where(_CHANGE.c.space == space, _CHANGE.c.number == number)
    return {subject: int(kinds[1]) for subject, kinds in connection.execute(selection) if ERASED in kinds[:1]}


def record_attempt(connection: Connection, space: str, attempt: Attempt) -> Attempt:
    """Log the attempt; returns it with the number that it got."""
    last = connection.scalar(select(func.max(_ATTEMPT.c.seq)).where(_ATTEMPT.c.space == space)) or 0
    numbered = replace(attempt, seq=last + 1)
    names = ("at", "trigger", "outcome", "number", "seq")
    own = {name: getattr(numbered, name) for name in names}
    connection.execute(insert(_ATTEMPT), {"space": space, **own, **_observed(numbered)})
    return numbered


def attempts(connection: Connection, space: str, limit: int | None) -> list[Attempt]:
    """The last attempts, newest first."""
    selection = select(_ATTEMPT).where(_ATTEMPT.c.space == space).order_by(_ATTEMPT.c.seq.desc()).limit(limit)
    names = ("at", "trigger", "outcome", "number", "seq")
    found = connection.execute(selection).mappings()
    return [Attempt(**{name: row[name] for name in names}, **_seen(row)) for row in found]


def set_due(connection: Connection, space: str, due: Mapping[str, datetime | None]) -> None:
    """Say when each stream could change by age alone; None: never."""
    for chunk in chunks(due.keys()):
        connection.execute(delete(_DUE).where(_DUE.c.space == space, one_of(_DUE.c.stream, chunk)))
    dated = [(space, stream, at) for stream, at in sorted(due.items()) if at is not None]
    insert_values(connection, _DUE, ("space", "stream", "at"), dated)


def _observed(seen: Plan | Attempt) -> dict[str, Any]:
    return {
        "near_misses": [near_miss_to_json(miss) for miss in seen.near_misses],
        "problems": [problem_to_json(problem) for problem in seen.problems],
        "counts": asdict(seen.counts),
    }


def _seen(row: Mapping[Any, Any]) -> dict[str, Any]:
    return {
        "near_misses": tuple(near_miss_from_json(miss) for miss in row["near_misses"]),
        "problems": tuple(Problem(**problem) for problem in row["problems"]),
        "counts": Counts(**row["counts"]),
    }


def _record(row: Mapping[Any, Any]) -> RunRecord:
    plain = {name: value for name, value in row.items() if name != "plan_schema"}
    changed = policy_change_from_json(row["policy_change"])
    compared = tuple(Comparison(**found) for found in row["comparisons"])
    read = {"schema": row["plan_schema"], "policy_change": changed, "comparisons": compared, **_seen(row)}
    return RunRecord(**{**plain, **read})


def _change_row(plan: Plan, position: int, change: Change) -> tuple[Any, ...]:
    """The values of `_OF_CHANGE`."""
    data, subject = change_to_json(change), change.subject
    images = (data["before"], data["after"])
    return (plan.space, plan.number, position, subject.table, subject.id, *images, change.because, change.kinds)


def _is_stub(row: Mapping[Any, Any]) -> bool:
    return ERASED in row["kinds"][:1]


def _change(row: Mapping[Any, Any]) -> Change:
    names = ("before", "after", "because", "kinds")
    return change_from_json(
        {"table": row["subject_table"], "id": row["subject"], **{name: row[name] for name in names}}
    )
