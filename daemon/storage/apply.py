"""The only writer of decisions: one plan, one transaction, one move of the head.

The compare-and-swap on the head decides who wins; the loser writes nothing and plans again. Then each row is compared
with what the plan says it was, the rows are written table by table, the log and what is derived follow, and the
invariants are checked on the streams that were touched, before anybody else can see them.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Table, bindparam, delete, insert, select, update

from dreamd.daemon.storage import checkpoints
from dreamd.daemon.storage.errors import BrokenInvariant, StoreDrift
from dreamd.daemon.storage.facts import examine_again, read_chains
from dreamd.daemon.storage.log import Head, read_head, set_due, write_run
from dreamd.daemon.storage.rows import by_id, chunks, field_names, insert_rows, one_of, rows_where, table_for, write_all
from dreamd.daemon.storage.tables import TABLES
from dreamd.lifecycle.checkpoint import Checkpoint
from dreamd.lifecycle.codec import TABLES as VALUES
from dreamd.lifecycle.invariants import Neighbourhood
from dreamd.lifecycle.plan import Change, Plan
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.values import Alias, Claim, Hold, Link, Pin, Proposal, Question, Row, Stream
from dreamd.lifecycle.waking import Interval, waking_days, waking_intervals
from dreamd.lifecycle.words import Trigger

_HEAD, _EVENT, _LINK = TABLES["head"], TABLES["event"], TABLES["link"]
BEGINNING = datetime.fromisoformat("0001-01-01T00:00:00+00:00")  # before any event

Check = Callable[[Neighbourhood], list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    run: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stale:
    """Another writer was faster: plan again on this head. Nothing was written."""

    head: Head


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What is written together with a plan, but is no part of it."""

    due: Mapping[str, datetime | None] = field(default_factory=dict)
    checkpoints: Mapping[str, Checkpoint | None] = field(default_factory=dict)  # of streams that grew
    started_at: datetime | None = None  # wall clock
    timings: Mapping[str, float] = field(default_factory=dict)  # seconds by step
    waking: tuple[Interval, ...] | None = None  # when the space was awake, as the plan saw it; None: as it is now
    policy: Policy | None = None  # that the plan was made with, if it is at hand


def apply(connection: Connection, plan: Plan, beside: Beside, window_days: float, check: Check) -> Applied | Stale:
    """Write `plan` in the open write transaction.

    Raises StoreDrift or BrokenInvariant; then all is to be rolled back.
    """
    _refuse_other_spaces(plan)
    if not _move_head(connection, plan):
        return Stale(head=read_head(connection, plan.space))
    tables = _by_table(plan.changes)
    for table, changes in tables.items():
        _refuse_drift(connection, plan.space, table, changes)
    for table, changes in tables.items():
        _write(connection, plan.space, table, changes)
    examine_again(connection, plan.space, _events_named(plan.changes))
    write_run(connection, plan, beside.started_at, beside.timings)
    gone = {change.subject.id: None for change in tables.get("stream", ()) if change.after is None}
    set_due(connection, plan.space, {**beside.due, **gone})
    stale = _streams_touched(change for change in plan.changes if not _only_ages(change))
    checkpoints.write(connection, plan.space, stale, beside.checkpoints)
    if plan.trigger is Trigger.DREAM:
        waking = beside.waking
        if waking is None:
            waking = waking_intervals(read_chains(connection, plan.space, window_days), window_days)
        mark_looked(connection, plan.space, plan.now, waking, plan.policy_digest, beside.policy)
    broken = check(neighbourhood(connection, plan))
    if broken:
        raise BrokenInvariant(broken)
    return Applied(run=plan.run, number=plan.number)


def mark_looked(  # noqa: PLR0913, PLR0917 - all that the next dream compares with
    connection: Connection,
    space: str,
    now: datetime,
    waking: tuple[Interval, ...],
    policy_digest: str,
    policy: Policy | None,
) -> None:
    """A dream at `now` has looked at all that was due, seeing the space awake in `waking`.

    `policy` is kept if it is the one with the digest.
    """
    is_known = policy is not None and policy.digest() == policy_digest
    seen = {
        "looked_at": now,
        "waking_days": waking_days(waking, BEGINNING, now),
        "policy_digest": policy_digest,
        "policy": policy.numbers() if policy is not None and is_known else None,
    }
    connection.execute(update(_HEAD).where(_HEAD.c.space == space).values(**seen))


def neighbourhood(connection: Connection, plan: Plan) -> Neighbourhood:
    """The streams that `plan` touched, as they are now, with everything that the changes can have broken.

    Of a stream that only got more evidence, or only aged, that is what was written; of any other it is all of it.
    """
    space, touched = plan.space, _streams_touched(plan.changes)
    # What was merged into a touched stream must not be left pointing at nothing.
    touched |= {stream.id for stream in rows_where(connection, Stream, space, "merged_into", touched)}
    whole = touched & _rebuilt(plan.changes)
    written = [change.after for change in plan.changes if change.after is not None]
    claims = {row.id: row for row in written if isinstance(row, Claim)}
    streams = {row.id: row for row in written if isinstance(row, Stream)}
    gone = {change.subject.id for change in plan.changes if change.after is None}
    streams |= by_id(rows_where(connection, Stream, space, "id", touched - streams.keys() - gone))
    around = rows_where(connection, Link, space, "stream", whole)
    around += [row for row in written if isinstance(row, Link) and row.stream not in whole]
    stated = {link.claim for link in around if link.claim is not None}
    known = _claims_around(connection, space, whole, claims, stated)
    around += rows_where(connection, Link, space, "claim", {claim.id for claim in known} - stated)
    merged_into = {stream.merged_into for stream in streams.values() if stream.merged_into is not None}
    return Neighbourhood(
        streams=tuple(streams.values()),
        claims=tuple(known),
        links=tuple(around),
        aliases=tuple(rows_where(connection, Alias, space, "stream", touched)),
        pins=tuple(rows_where(connection, Pin, space, "stream", touched)),
        proposals=tuple(rows_where(connection, Proposal, space, "stream", touched)),
        questions=tuple(rows_where(connection, Question, space, "stream", touched)),
        events=frozenset(_existing(connection, _EVENT, space, {link.event for link in around})),
        merge_targets=frozenset(_existing(connection, TABLES["stream"], space, merged_into)),
        with_evidence=frozenset(_with_evidence(connection, space, touched)),
    )


def _rebuilt(changes: Iterable[Change]) -> set[str]:
    """The streams of which something was taken away or took the place of something."""
    found: set[str] = set()
    for change in changes:
        for row in (change.before, change.after):
            if isinstance(row, Stream | Link | Claim) and not _only_adds(change):
                stream = row.id if isinstance(row, Stream) else row.stream
                found |= set() if stream is None else {stream}
    return found


def _only_adds(change: Change) -> bool:
    """Whether `change` can break nothing else: a new link, a claim that is stated (again), a stream measured anew."""
    before, after = change.before, change.after
    if after is None:
        return False
    if isinstance(after, Claim):
        old = replace(after, supersedes=None) if before is None else before
        return isinstance(old, Claim) and (old.status, old.supersedes) == (after.status, after.supersedes)
    return before is None if isinstance(after, Link) else True


def _claims_around(
    connection: Connection, space: str, whole: set[str], written: Mapping[str, Claim], named: set[str]
) -> list[Claim]:
    found = {**by_id(rows_where(connection, Claim, space, "stream", whole)), **written}
    found |= by_id(rows_where(connection, Claim, space, "id", named - found.keys()))
    old = {claim.supersedes for claim in found.values() if claim.supersedes is not None}
    # What those took the place of in their turn is as it was, and not looked up: the chain may be long.
    ends = rows_where(connection, Claim, space, "id", old - found.keys())
    return [*found.values(), *(replace(claim, supersedes=None) for claim in ends)]


def _with_evidence(connection: Connection, space: str, streams: set[str]) -> set[str]:
    found: set[str] = set()
    for chunk in chunks(streams):
        selection = select(_LINK.c.stream).where(_LINK.c.space == space, one_of(_LINK.c.stream, chunk)).distinct()
        found.update(connection.scalars(selection))
    return found


def _existing(connection: Connection, table: Table, space: str, ids: set[str]) -> set[str]:
    found: set[str] = set()
    for chunk in chunks(ids):
        found.update(connection.scalars(select(table.c.id).where(table.c.space == space, one_of(table.c.id, chunk))))
    return found


def _refuse_other_spaces(plan: Plan) -> None:
    if not plan.changes or not plan.run:
        raise ValueError("a plan that changes nothing is not a run; record an attempt")
    for change in plan.changes:
        for row in (change.before, change.after):
            if row is not None and (row.space != plan.space or row.id != change.subject.id):
                raise ValueError(f"{change.subject.table} {row.id} of space {row.space!r} in a plan of {plan.space!r}")


def _move_head(connection: Connection, plan: Plan) -> bool:
    """Compare and swap; False if the head is not the plan's base."""
    if plan.base:
        moved = connection.execute(
            update(_HEAD)
            .where(_HEAD.c.space == plan.space, _HEAD.c.run == plan.base)
            .values(run=plan.run, number=plan.number)
        )
        return moved.rowcount == 1
    # The writer holds the row of the space (facts.ensure_space), so nobody inserts between the look and the insert.
    if connection.scalar(select(_HEAD.c.run).where(_HEAD.c.space == plan.space)) is not None:
        return False
    first = {"space": plan.space, "run": plan.run, "number": plan.number, "looked_at": None}
    connection.execute(insert(_HEAD), {**first, "waking_days": 0.0, "policy_digest": None})
    return True


def _by_table(changes: Iterable[Change]) -> dict[str, list[Change]]:
    grouped: dict[str, list[Change]] = {}
    for change in changes:
        grouped.setdefault(change.subject.table, []).append(change)
    return grouped


def _refuse_drift(connection: Connection, space: str, table: str, changes: list[Change]) -> None:
    stored: dict[str, Row] = by_id(
        rows_where(connection, VALUES[table], space, "id", {change.subject.id for change in changes})
    )
    for change in changes:
        found = stored.get(change.subject.id)
        if found != change.before:
            raise StoreDrift(
                f"{table} {change.subject.id} is not what the plan says it was: {_difference(change.before, found)}",
                "run the dream again; if it happens twice, somebody edits the database by hand",
            )


def _difference(planned: Row | None, stored: Row | None) -> str:
    """Which fields differ. Never their values: they hold memory."""
    if planned is None or stored is None:
        return "it exists already" if planned is None else "it is gone"
    names = [name for name in field_names(type(stored)) if getattr(planned, name) != getattr(stored, name)]
    return "it differs in " + ", ".join(names)


def _write(connection: Connection, space: str, table: str, changes: list[Change]) -> None:
    target = table_for(VALUES[table])
    for chunk in chunks({change.subject.id for change in changes if change.after is None}):
        connection.execute(delete(target).where(target.c.space == space, one_of(target.c.id, chunk)))
    insert_rows(connection, [change.after for change in changes if change.before is None and change.after is not None])
    changed = [change.after for change in changes if change.before is not None and change.after is not None]
    names = [name for name in field_names(VALUES[table]) if name not in ("space", "id")]
    statement = (
        update(target)
        .where(target.c.space == space, target.c.id == bindparam("of_id"))
        .values({name: bindparam(f"new_{name}", type_=target.c[name].type) for name in names})
    )
    write_all(connection, statement, [_new_values(row, names) for row in changed])


def _new_values(row: Row, names: list[str]) -> dict[str, Any]:
    return {"of_id": row.id, **{f"new_{name}": getattr(row, name) for name in names}}


def _only_ages(change: Change) -> bool:
    """Whether a stream is changed by nothing but time: what its evidence says is as it was."""
    before, after = change.before, change.after
    if not isinstance(before, Stream) or not isinstance(after, Stream):
        return False
    return before.evidence_digest == after.evidence_digest


def _events_named(changes: Iterable[Change]) -> set[str]:
    rows = (row for change in changes for row in (change.before, change.after))
    return {row.event for row in rows if isinstance(row, Link | Hold) and row.event is not None}


def _streams_touched(changes: Iterable[Change]) -> set[str]:
    touched: set[str] = set()
    for change in changes:
        for row in (change.before, change.after):
            if isinstance(row, Stream):
                touched.add(row.id)
            elif isinstance(row, Claim | Link | Alias | Pin | Hold | Proposal | Question) and row.stream is not None:
                touched.add(row.stream)
    return touched
