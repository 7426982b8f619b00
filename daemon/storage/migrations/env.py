"""Where Alembic finds the connection and the tables.

It is always run from `dreamd.daemon.storage.schema`, inside the transaction of the connection that it is given.
"""

from alembic import context

from dreamd.daemon.storage.tables import Stored

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Stored.metadata,
    compare_type=True,
    transactional_ddl=True,
    transaction_per_migration=False,
)
with context.begin_transaction():
    context.run_migrations()
