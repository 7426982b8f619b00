"""The day that a claim looks forward to, and the latest of them for its stream.

Nothing to fill: both are made anew when the stream grows.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("claim", sa.Column("due", sa.DateTime(timezone=True), nullable=True))
    op.add_column("stream", sa.Column("awaits", sa.DateTime(timezone=True), nullable=True))
