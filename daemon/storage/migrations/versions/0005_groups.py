"""Claims are found by their group: a page is made further from the groups that were told."""

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(op.f("ix_claim_space_group"), "claim", ["space", "group"], unique=False)
