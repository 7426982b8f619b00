"""The numbers of the policy a dream was planned with, and what a change of them did.

A store from before holds only a digest: the first dream after this compares with the defaults, or says that it does
not know.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("head", sa.Column("policy", sa.Text(), nullable=True))
    op.add_column("run", sa.Column("policy_change", sa.Text(), nullable=True))
