"""Cached answers of embedders and distillers, and which of them a run asked.

Findings are derived, so there is nothing to fill: what is missing is asked for again. Runs from before asked none.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "finding",
        sa.Column("space", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("key", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("input", sa.Text(), nullable=False),
        sa.Column("parts", sa.Text(), nullable=False),
        sa.Column("dimension", sa.Integer(), nullable=True),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("space", "key", name=op.f("pk_finding")),
    )
    op.create_index(op.f("ix_finding_space_input"), "finding", ["space", "input"], unique=False)
    op.add_column("run", sa.Column("models", sa.Text(), nullable=False, server_default="[]"))
