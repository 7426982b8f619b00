"""Claims are found by their kind and by what they were first stated as: decisions, preferences and corrections.

Each night asks for them; without an index it reads all claims of the space.
"""

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(op.f("ix_claim_space_kind"), "claim", ["space", "kind"], unique=False)
    op.create_index(op.f("ix_claim_space_origin"), "claim", ["space", "origin"], unique=False)
