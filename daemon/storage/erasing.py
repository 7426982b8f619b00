"""Erasing for good: what a purge takes out of the tables, in the transaction that also applies its plan.

The plan has made the decisions whole without the purged events; here the events themselves go, with every image and
sentence in the log that tells of them. A change in the log that told of them stays as a stub without images, so that
a revert knows that something was there (`ERASED` in its kinds, with the run of the purge). When the space was awake is
kept: the instants of erased events live on in a cursor (design, section 5).
"""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, Table, delete, select, update

from dreamd.daemon.storage.apply import Beside, Stale, apply
from dreamd.daemon.storage.columns import canonical_json
from dreamd.daemon.storage.engine import name_of, reading, translated, writing
from dreamd.daemon.storage.errors import StoreBusy
from dreamd.daemon.storage.facts import INSTANTS_CURSOR, read_cursor, write_cursor
from dreamd.daemon.storage.findings import erase_findings
from dreamd.daemon.storage.log import ERASED
from dreamd.daemon.storage.log import erased as erased_by
from dreamd.daemon.storage.rows import chunks, one_of
from dreamd.daemon.storage.tables import TABLES
from dreamd.lifecycle.invariants import broken
from dreamd.lifecycle.plan import Plan

PURGED_CURSOR = "purged:number"  # of the last purge that this database went through
_COMMIT = re.compile(r"\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b")
Answer = TypeVar("Answer")
OWN_CURSORS = (PURGED_CURSOR, INSTANTS_CURSOR)
_LOGGED = {
    "run": ("near_misses", "problems", "counts", "comparisons", "policy_change", "proposals"),
    "attempt": ("near_misses", "problems", "counts"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """What goes."""

    purge: int  # number of the purge
    events: frozenset[str]  # ids
    streams: frozenset[str]  # ids of those that go with all that belongs to them
    digests: frozenset[str]  # of texts that an embedder or a distiller was shown
    hit: Callable[[str], bool]  # whether a text tells of what goes
    erased: Callable[[object], object]  # a JSON value without it
    alias_of: Callable[[str], str]  # what stands in the log for the id of a row that goes
    left_of: Callable[[str, str], str | None]  # of a cursor, by its name and value; None: it goes


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """How many rows were erased or changed."""

    events: int
    images: int  # changes in the log that are stubs now
    findings: int
    others: int  # further rows, of decisions, cursors, checkpoints and the log


Step = Callable[[Engine, str, float], Answer]  # of a store: its engine, the space, the waking window in days


def purged(plan: Plan, beside: Beside, what: Erasure) -> Step[Erased | Stale]:
    """The step that applies the plan of a purge and erases what it names, in one transaction."""
    return lambda engine, _, window_days: _purge(engine, window_days, plan, beside, what)


def compact(engine: Engine, _space: str, _window_days: float) -> None:
    """The step that leaves no byte of deleted rows in the file, its free pages or its log beside it."""
    if engine.dialect.name != "sqlite":
        return
    with translated(engine), engine.connect() as connection:
        driver = connection.connection.driver_connection
        assert driver is not None  # noqa: S101 - it was opened just now
        driver.execute("VACUUM").fetchall()
        ((is_busy, *_),) = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    if is_busy:
        raise StoreBusy(f"another process reads {name_of(engine)}", "end it, then run: dreamd purge --resume")


def telling(hit: Callable[[str], bool]) -> Step[int]:
    """The step that counts the rows, of any table, with a text that is `hit`."""

    def count(engine: Engine, space: str, _window_days: float) -> int:
        with reading(engine) as connection:
            return _rows_telling(connection, space, hit)

    return count


def stubs_of(number: int) -> Step[dict[str, int]]:
    """The step that gives the number of the purge's run by row, of those whose changes by run `number` it erased."""

    def read(engine: Engine, space: str, _window_days: float) -> dict[str, int]:
        with reading(engine) as connection:
            return erased_by(connection, space, number)

    return read


def with_commits(became: Mapping[str, str]) -> Step[None]:
    """The step that puts the new id in the place of each old one wherever a cursor keeps ids of commits."""

    def put(engine: Engine, space: str, _window_days: float) -> None:
        table = TABLES["cursor"]
        with writing(engine) as connection:
            rows = connection.execute(select(table.c.source, table.c.value).where(table.c.space == space)).all()
            for source, value in rows:
                left = _COMMIT.sub(lambda found: became.get(found[0], found[0]), value)
                if left != value and not source.startswith("git:"):  # that is how far a project was read
                    write_cursor(connection, space, source, left)

    return put


def _purge(engine: Engine, window_days: float, plan: Plan, beside: Beside, what: Erasure) -> Erased | Stale:
    with writing(engine) as connection:
        if not plan.changes:  # nothing was ever made of the events
            return _erase(connection, plan.space, what, None)
        outcome = apply(connection, plan, beside, window_days, broken)
        return outcome if isinstance(outcome, Stale) else _erase(connection, plan.space, what, outcome.number)


def _erase(connection: Connection, space: str, what: Erasure, run: int | None) -> Erased:
    """Erase in the open write transaction. `run` is the number of the purge's own run; its changes become stubs."""
    _keep_instants(connection, space, what.events)
    others = _erase_belongings(connection, space, what)
    findings = erase_findings(connection, space, what.digests) + _erase_answers(connection, space, what)
    events = sum(
        _delete(connection, space, table, column, what.events)
        for table, column in (("pending", "event"), ("event", "id"))
    )
    images = _erase_images(connection, space, what, run)
    others += _erase_log(connection, space, what) + _erase_cursors(connection, space, what)
    write_cursor(connection, space, PURGED_CURSOR, str(what.purge))
    return Erased(events=events, images=images, findings=findings, others=others)


def _keep_instants(connection: Connection, space: str, events: Collection[str]) -> None:
    table = TABLES["event"]
    known = set(json.loads(read_cursor(connection, space, INSTANTS_CURSOR) or "[]"))
    for chunk in chunks(set(events)):
        found = connection.scalars(select(table.c.at).where(table.c.space == space, one_of(table.c.id, chunk)))
        known |= {at.isoformat() for at in found}
    if known:
        write_cursor(connection, space, INSTANTS_CURSOR, json.dumps(sorted(known)))


def _erase_belongings(connection: Connection, space: str, what: Erasure) -> int:
    """Rows that belong to what goes, and those whose texts tell of it."""
    gone = sum(_delete(connection, space, table, "event", what.events) for table in ("link", "hold"))
    for table in ("alias", "pin", "hold", "proposal", "question", "checkpoint", "due", "link", "claim"):
        gone += _delete(connection, space, table, "stream", what.streams)
    gone += _delete(connection, space, "stream", "id", what.streams)
    for table in ("alias", "pin", "hold", "proposal", "question", "checkpoint"):
        key = "stream" if table == "checkpoint" else "id"
        gone += _delete(connection, space, table, key, _telling(connection, space, TABLES[table], key, what.hit))
    return gone


def _telling(connection: Connection, space: str, table: Table, key: str, hit: Callable[[str], bool]) -> frozenset[str]:
    """The keys of the rows with a text that tells of what goes."""
    rows = connection.execute(select(table).where(table.c.space == space)).mappings()
    return frozenset(row[key] for row in rows if any(hit(text) for text in _texts(row)))


def _texts(row: Mapping[Any, Any]) -> Iterator[str]:
    for value in row.values():
        if isinstance(value, str):
            yield value
        elif isinstance(value, tuple | list | dict):
            yield canonical_json(value)
        elif isinstance(value, bytes) and row["dimension"] is None:  # of a finding that is no vector
            yield value.decode("utf-8", "replace")


def _erase_answers(connection: Connection, space: str, what: Erasure) -> int:
    """The answers of a distiller that repeat something of what goes."""
    told = _telling(connection, space, TABLES["finding"], "key", what.hit)
    return _delete(connection, space, "finding", "key", told)


def _erase_images(connection: Connection, space: str, what: Erasure, run: int | None) -> int:
    """Make stubs of the changes that tell of what goes, and of all that the purge itself made."""
    table = TABLES["change"]
    columns = ("number", "position", "subject", "before", "after", "because", "kinds")
    rows = connection.execute(select(*(table.c[name] for name in columns)).where(table.c.space == space)).all()
    stub = {"before": None, "after": None, "because": f"erased by purge {what.purge}", "kinds": (ERASED, str(run or 0))}
    count = 0
    for number, position, subject, before, after, because, kinds in rows:
        is_about, is_stub = what.hit(subject), ERASED in kinds[:1]
        texts = [because, *(canonical_json(image) for image in (before, after) if image is not None)]
        if not is_about and (is_stub or (number != run and not any(map(what.hit, texts)))):
            continue
        left = {} if is_stub else dict(stub)
        left |= {"subject": what.alias_of(subject)} if is_about else {}
        of_row = (table.c.space == space, table.c.number == number, table.c.position == position)
        connection.execute(update(table).where(*of_row).values(left))
        count += not is_stub
    return count


def _erase_log(connection: Connection, space: str, what: Erasure) -> int:
    """What runs and attempts observed, without what tells of it."""
    count = 0
    for name, columns in _LOGGED.items():
        table = TABLES[name]
        key = "number" if name == "run" else "seq"
        selection = select(table.c[key], *(table.c[column] for column in columns)).where(table.c.space == space)
        for row in connection.execute(selection).mappings().all():
            changed = {
                column: erased for column in columns if (erased := what.erased(row[column])) != _listed(row[column])
            }
            if changed:
                values = {column: tuple(v) if column == "proposals" else v for column, v in changed.items()}  # type: ignore[arg-type]
                connection.execute(update(table).where(table.c.space == space, table.c[key] == row[key]).values(values))
                count += 1
    return count


def _listed(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _erase_cursors(connection: Connection, space: str, what: Erasure) -> int:
    """How far sources were read, where their names tell of it: they are read again, and nothing of it comes back."""
    table = TABLES["cursor"]
    rows = connection.execute(select(table.c.source, table.c.value).where(table.c.space == space)).all()
    count = 0
    for source, value in rows:
        if source in OWN_CURSORS or not (what.hit(source) or what.hit(value)):
            continue
        left = None if what.hit(source) else what.left_of(source, value)
        connection.execute(delete(table).where(table.c.space == space, table.c.source == source))
        if left is not None and not what.hit(left):
            write_cursor(connection, space, source, left)
        count += 1
    return count


def _delete(connection: Connection, space: str, name: str, column: str, values: Collection[str]) -> int:
    table = TABLES[name]
    return sum(
        connection.execute(delete(table).where(table.c.space == space, one_of(table.c[column], chunk))).rowcount
        for chunk in chunks(set(values))
    )


def _rows_telling(connection: Connection, space: str, hit: Callable[[str], bool]) -> int:
    count = 0
    for table in TABLES.values():
        if "space" not in table.c:
            continue
        for row in connection.execute(select(table).where(table.c.space == space)).mappings():
            is_own = table.name == "cursor" and row["source"] in OWN_CURSORS
            count += not is_own and any(hit(text) for text in _texts(row))
    return count
