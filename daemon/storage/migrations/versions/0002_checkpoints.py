"""Checkpoints of streams, so that a run costs what its new evidence costs, and events by session.

Derived, so there is nothing to fill: a stream without a checkpoint is grown whole once and has one then.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "checkpoint",
        sa.Column("space", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("stream", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("space", "stream", name=op.f("pk_checkpoint")),
    )
    op.create_index(op.f("ix_event_space_session"), "event", ["space", "session"], unique=False)
