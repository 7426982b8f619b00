"""Which statements a run found to say the same, and what kept others apart. Runs from before tell none."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("run", sa.Column("comparisons", sa.Text(), nullable=False, server_default="[]"))
