"""How a connection is made and what a transaction is.

The default SQLite driver opens transactions by its own rules: two reads then see two states, and a kill leaves half a
migration. So the driver is told to keep out (`isolation_level=None`) and BEGIN is emitted here: plain for readers, who
get one snapshot, IMMEDIATE for writers, who queue under the busy timeout. What the database refuses comes out as an
error that says what helps.
"""

import os
import sqlite3
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
_READING_PRAGMAS = ("PRAGMA query_only=ON",)
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
    seconds = busy_timeout_ms / 1000
    is_writable = _is_writable(url)
    if is_writable:
        _make_private_file(url)
        engine = create_engine(url, connect_args={"isolation_level": None, "timeout": seconds})
    else:
        address = _read_only_address(str(url.database))
        engine = create_engine(url, creator=lambda: sqlite3.connect(address, uri=True, timeout=seconds))

    @event.listens_for(engine, "connect")
    def on_connect(driver: Any, _record: object) -> None:
        driver.isolation_level = None
        cursor = driver.cursor()
        cursor.execute(f"PRAGMA busy_timeout={busy_timeout_ms:d}")
        for pragma in _PRAGMAS if is_writable else _READING_PRAGMAS:
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
    with translated(engine), engine.connect() as connection, connection.begin():
        yield connection


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """One write transaction; commits at the end, rolls back on any error."""
    with translated(engine), engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            connection.execution_options(isolation_level="READ COMMITTED")
        with connection.execution_options(write=True).begin():
            yield connection


def name_of(engine: Engine) -> str:
    """The store as a person names it: the file, or the URL without its password."""
    return engine.url.database or ":memory:" if engine.dialect.name == "sqlite" else engine.url.render_as_string()


@contextmanager
def translated(engine: Engine) -> Iterator[None]:
    """What the database refuses inside the block comes out as an error that says what helps."""
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
        what = "may only be read here, and this command writes" if "readonly" in said else "cannot be opened"
        return StorageError(f"{name} {what} ({said})", "make the file and its folder writable, or run as their owner")
    if isinstance(error, OperationalError) and error.connection_invalidated:
        return StorageError(f"the connection to {name} was lost ({said})", "check that the database server is up")
    return None


def _url(url_or_path: str | Path) -> URL:
    if isinstance(url_or_path, str) and "://" in url_or_path:
        return make_url(url_or_path)
    return URL.create("sqlite", database=str(url_or_path))


def _is_writable(url: URL) -> bool:
    """False for a file that is there and may only be read, or lies in such a folder: WAL needs files beside it."""
    file = Path(url.database or "")
    if not file.is_file() or not os.access(file, os.R_OK):
        return True
    return os.access(file, os.W_OK) and os.access(file.parent, os.W_OK)


def _read_only_address(file: str) -> str:
    # Without a log beside it the file is whole. SQLite would want to make one, so it is told that nothing changes:
    # true on a read-only disk, and for as long as a command reads in a folder that only another user writes in.
    is_whole = not os.path.exists(f"{file}-wal") or os.path.getsize(f"{file}-wal") == 0  # noqa: PTH110, PTH202
    return f"{Path(file).absolute().as_uri()}?mode=ro{'&immutable=1' if is_whole else ''}"


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
