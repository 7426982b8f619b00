"""Bringing the tables of a store to the version of this code, or refusing to touch it.

Every version is an Alembic revision; all that are missing are applied inside one transaction, so a kill leaves the old
version whole. Alembic is imported only when there is something to do, since its import is slow.
"""

from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

from dreamd.daemon.storage.engine import name_of, reading, writing
from dreamd.daemon.storage.errors import StorageError, StoreTooNew

# Oldest first; each is a file in migrations/versions.
VERSIONS = ("0001", "0002", "0003", "0004", "0005", "0006", "0007", "0008")
_VERSION_TABLE = "alembic_version"
MIGRATIONS = Path(__file__).parent / "migrations"


def ensure_schema(engine: Engine) -> None:
    """The store has the tables of this code afterwards. Raises StorageError if it is newer, or not a dreamd store."""
    with reading(engine) as connection:
        if stored_version(connection) == VERSIONS[-1]:
            return
    with writing(engine) as connection:
        # Look again under the write lock: another process may have migrated in between.
        if stored_version(connection) != VERSIONS[-1]:
            upgrade(connection)


def stored_version(connection: Connection) -> str | None:
    """The version of the tables, None if there are none yet."""
    tables = inspect(connection).get_table_names()
    if not tables:
        return None
    name = name_of(connection.engine)
    stored = connection.scalar(text(f"SELECT version_num FROM {_VERSION_TABLE}")) if _VERSION_TABLE in tables else None
    if stored is None:
        raise StorageError(
            f"{name} holds other tables, but no dreamd store", "give another file, or move this one away"
        )
    if stored not in VERSIONS:
        raise StoreTooNew(
            f"{name} has version {stored} of the tables, this dreamd knows up to {VERSIONS[-1]}",
            "use the dreamd that wrote it, or a newer one",
        )
    return str(stored)


def upgrade(connection: Connection, migrations: Path = MIGRATIONS) -> None:
    """Apply every missing revision of the folder `migrations` in the open transaction of `connection`."""
    from alembic import command  # noqa: PLC0415 - slow to import, see above
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
