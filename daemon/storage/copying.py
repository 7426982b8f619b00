"""A database copied as it was at one instant, beside whoever writes to it, and a copy looked through.

SQLite's own backup, inside the read transaction in which the digests are taken: copy and digests are of one state.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, func, select

from dreamd.daemon.storage.engine import BUSY_TIMEOUT_MS, make_engine, reading
from dreamd.daemon.storage.errors import StorageError, StoreBusy, StoreTooNew
from dreamd.daemon.storage.log import read_head
from dreamd.daemon.storage.reading import digest
from dreamd.daemon.storage.schema import VERSIONS, stored_version
from dreamd.daemon.storage.tables import TABLES


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceCopy:
    """What a space held at that instant."""

    digest: str  # of its decisions
    events: int
    runs: int  # the number of its last run


def copy_database(database: Path, target: Path) -> dict[str, SpaceCopy]:
    """Copy the store at `database` to the new file `target`; its spaces as they are there. Raises StorageError."""
    engine = make_engine(database)
    try:
        with reading(engine) as connection:
            found = _spaces(connection)
            driver = connection.connection.driver_connection
            assert driver is not None  # noqa: S101 - it was opened just now
            _copied(driver, target)
    finally:
        engine.dispose()
    return found


def check_copy(target: Path) -> dict[str, SpaceCopy] | None:
    """The spaces of a copy, whose every page was checked; None if its tables are of an earlier version.

    Raises StorageError if it is damaged or no store, StoreTooNew if a newer dreamd wrote it. It is one file afterwards.
    """
    try:
        with _opened(target) as driver:
            answers = driver.execute("PRAGMA integrity_check(1)").fetchall()
    except sqlite3.DatabaseError as error:
        answers = [(str(error),)]
    if answers != [("ok",)]:
        raise StorageError(f"the database is damaged: {answers[0][0]}", "use another backup")
    engine = make_engine(target)
    try:
        with reading(engine) as connection:
            version = stored_version(connection)
            if version is None:
                raise StorageError("the database holds no tables", "use another backup")
            found = _spaces(connection) if version == VERSIONS[-1] else None
    except StoreTooNew as newer:
        raise StoreTooNew(newer.message.replace(str(target), "the database in it"), newer.hint) from None
    finally:
        engine.dispose()
    one_file(target)
    return found


def one_file(database: Path) -> None:
    """Fold the write-ahead log of a database that nobody else has open into it."""
    with _opened(database) as driver:
        driver.execute("PRAGMA journal_mode=DELETE").fetchall()


def version_of(target: Path) -> str:
    """The version of the tables of a copy that was checked."""
    with _opened(target) as driver:
        return str(driver.execute("SELECT version_num FROM alembic_version").fetchone()[0])


@contextmanager
def held(database: Path, target: Path) -> Iterator[bool]:
    """Keep every writer out of `database`, with a copy of it at `target`; False if it is no readable database.

    Raises StoreBusy if another writer does not end.
    """
    try:
        driver = sqlite3.connect(database, isolation_level=None, timeout=BUSY_TIMEOUT_MS / 1000)
    except sqlite3.Error:
        yield False
        return
    try:
        try:
            driver.execute("BEGIN IMMEDIATE")
            with _opened(database) as reader:  # SQLite copies nothing through a connection that may write
                _copied(reader, target)
            is_readable = True
        except sqlite3.DatabaseError as error:
            if "locked" in str(error) or "busy" in str(error):
                raise StoreBusy(f"another process is writing to {database}", "stop it, then restore again") from None
            is_readable = False
        yield is_readable
    finally:
        driver.close()


def _spaces(connection: Connection) -> dict[str, SpaceCopy]:
    event = TABLES["event"]
    found = {}
    for name in sorted(connection.scalars(select(TABLES["space"].c.name))):
        events = connection.scalar(select(func.count()).select_from(event).where(event.c.space == name))
        found[name] = SpaceCopy(
            digest=digest(connection, name), events=events or 0, runs=read_head(connection, name).number
        )
    return found


def _copied(driver: sqlite3.Connection, target: Path) -> None:
    with _opened(target) as copy:
        driver.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE").fetchall()
    target.chmod(0o600)


@contextmanager
def _opened(file: Path) -> Iterator[sqlite3.Connection]:
    driver = sqlite3.connect(file, isolation_level=None)
    try:
        yield driver
    finally:
        driver.close()
