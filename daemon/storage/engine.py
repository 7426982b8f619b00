"""How a connection is made and what a transaction is.

The default SQLite driver opens transactions by its own rules: two reads then see two states, and a kill leaves half a
migration. So the driver is told to keep out (`isolation_level=None`) and BEGIN is emitted here: plain for readers, who
get one snapshot, IMMEDIATE for writers, who queue under the busy timeout. What the database refuses comes out as an
error that says what helps.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, OperationalError

from dreamd.daemon.storage.errors import StorageError, StoreBusy

BUSY_TIMEOUT_MS = 5_000  # how long a writer waits for another writer
_PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA foreign_keys=ON",
    "PRAGMA secure_delete=ON",  # a deleted row leaves no bytes behind: purge promises it
    "PRAGMA synchronous=FULL",  # an acknowledged event survives a power cut
)
_BUSY_STATES = ("40001", "40P01", "55P03")  # PostgreSQL: serialization, deadlock, lock not available


def make_engine(url_or_path: str | Path, *, busy_timeout_ms: int = BUSY_TIMEOUT_MS) -> Engine:
    """An engine for a `postgresql://` or `sqlite://` URL, or for the path of an SQLite file.

    The file is made if it is missing.
    """
    url = _url(url_or_path)
    if url.get_backend_name() == "postgresql":
        # Readers keep one snapshot; writers ask for READ COMMITTED, where a lost compare-and-swap is zero rows.
        return create_engine(url.set(drivername="postgresql+psycopg"), isolation_level="REPEATABLE READ")
    if url.get_backend_name() != "sqlite":
        raise StorageError(f"{url.get_backend_name()} is not a database dreamd can use; allowed: sqlite, postgresql")
    _make_private_file(url)
    engine = create_engine(url, connect_args={"isolation_level": None, "timeout": busy_timeout_ms / 1000})

    @event.listens_for(engine, "connect")
    def on_connect(driver: Any, _record: object) -> None:
        driver.isolation_level = None
        cursor = driver.cursor()
        cursor.execute(f"PRAGMA busy_timeout={busy_timeout_ms:d}")
        for pragma in _PRAGMAS:
            cursor.execute(pragma)
        cursor.close()

    @event.listens_for(engine, "begin")
    def on_begin(connection: Connection) -> None:
        is_writer = connection.get_execution_options().get("write", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if is_writer else "BEGIN")

    return engine


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """One read transaction: everything read in it is of one state."""
    with _translated(engine), engine.connect() as connection, connection.begin():
        yield connection


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """One write transaction; commits at the end, rolls back on any error."""
    with _translated(engine), engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            connection.execution_options(isolation_level="READ COMMITTED")
        with connection.execution_options(write=True).begin():
            yield connection


def name_of(engine: Engine) -> str:
    """The store as a person names it: the file, or the URL without its password."""
    return engine.url.database or ":memory:" if engine.dialect.name == "sqlite" else engine.url.render_as_string()


@contextmanager
def _translated(engine: Engine) -> Iterator[None]:
    try:
        yield
    except DBAPIError as error:
        known = _explain(name_of(engine), error)
        if known is None:
            raise
        raise known from error


def _explain(name: str, error: DBAPIError) -> StorageError | None:
    """The error to show for a database error whose cause lies outside of dreamd, else None."""
    said = str(error.orig)
    if "locked" in said or "busy" in said or getattr(error.orig, "sqlstate", None) in _BUSY_STATES:
        return StoreBusy(f"another process is writing to {name} ({said})", "try again, or see: dreamd status")
    if "not a database" in said or "malformed" in said or "file is encrypted" in said:
        return StorageError(
            f"{name} is not a readable dreamd store ({said})",
            "move the file away and restore it from a backup, or ingest again into a new one",
        )
    if "full" in said or "disk I/O" in said:
        return StorageError(f"cannot write {name} ({said})", "free some space on its disk, then run the command again")
    if "unable to open" in said or "readonly" in said:
        return StorageError(f"cannot open {name} ({said})", "check that the file and its folder are writable")
    if isinstance(error, OperationalError) and error.connection_invalidated:
        return StorageError(f"the connection to {name} was lost ({said})", "check that the database server is up")
    return None


def _url(url_or_path: str | Path) -> URL:
    if isinstance(url_or_path, str) and "://" in url_or_path:
        return make_url(url_or_path)
    return URL.create("sqlite", database=str(url_or_path))


def _make_private_file(url: URL) -> None:
    """Memories are private: the file is its owner's alone. SQLite gives its journal the same mode."""
    if url.database in (None, "", ":memory:"):
        raise StorageError("a store needs a file", "give the path of an SQLite file or a postgresql:// URL")
    try:
        os.close(os.open(str(url.database), os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise StorageError(
            f"cannot open {url.database}: {error.strerror}", "check that the file and its folder are writable"
        ) from error
