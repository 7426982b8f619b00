"""The migrations make exactly the tables of the code, whole or not at all."""

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect

from dreamd.daemon.storage.engine import make_engine, reading, writing
from dreamd.daemon.storage.schema import MIGRATIONS, ensure_schema, upgrade
from dreamd.daemon.storage.tables import Stored


def test_a_migrated_database_equals_the_tables_of_the_code(tmp_path):
    engine = make_engine(tmp_path / "d.db")
    ensure_schema(engine)
    with reading(engine) as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Stored.metadata) == []
    engine.dispose()


def test_a_failed_migration_leaves_nothing(tmp_path):
    broken = tmp_path / "migrations"
    (broken / "versions").mkdir(parents=True)
    (broken / "env.py").write_text((MIGRATIONS / "env.py").read_text())
    first = (MIGRATIONS / "versions" / "0001_first.py").read_text()
    (broken / "versions" / "0001_first.py").write_text(first + "    raise RuntimeError('killed')\n")
    engine = make_engine(tmp_path / "d.db")
    with pytest.raises(RuntimeError, match="killed"), writing(engine) as connection:
        upgrade(connection, broken)
    with reading(engine) as connection:
        assert inspect(connection).get_table_names() == []
    engine.dispose()
