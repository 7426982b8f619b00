"""The first version of the tables.

A frozen copy: `tables.py` moves on, this file does not.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "alias",
        sa.Column("space", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("id", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("spelling", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("stream", sa.Text(), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("space", "id", name=op.f("pk_alias")),
    )
    op.create_index(op.f("ix_alias_space_rule"), "alias", ["space", "rule"], unique=False)
    op.create_index(op.f("ix_alias_space_stream"), "alias", ["space", "stream"], unique=False)
    op.create_table(
        "attempt",
        sa.Column("space", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("trigger", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("counts", sa.Text(), nullable=False),
        sa.Column("near_misses", sa.Text(), nullable=False),
        sa.Column("problems", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("space", "seq", name=op.f("pk_attempt")),
    )
    op.create_table(
        "chain",
        sa.Column("space", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("first", sa.DateTime(timezone=True), autoincrement=False, nullable=False),
        sa.Column("last", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("space", "first", name=op.f("pk_chain")),
    )
    op.create_table(
        "cursor",
        sa.Column("space", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("source", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("space", "source", name=op.f("pk_cursor")),
    )
    op.create_table(
        "due",
        sa.Column("space", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("stream", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("space", "stream", name=op.f("pk_due")),
    )
    op.create_index(op.f("ix_due_space_at"), "due", ["space", "at"], unique=False)
    op.create_table(
        "event",
        sa.Column("space", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("id", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("recorded_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("given_id", sa.Text(), nullable=True),
        sa.Column("target", sa.Text(), nullable=True),
        sa.Column("because", sa.Text(), nullable=True),
        sa.Column("outcome", sa.Float(precision=53), nullable=True),
        sa.Column("session", sa.Text(), nullable=True),
        sa.Column("scope", sa.Text(), nullable=True),
        sa.Column("files", sa.Text(), nullable=False),
        sa.Column("decay", sa.Text(), nullable=True),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.Column("extra", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("space", "id", name=op.f("pk_event")),
    )
    op.create_index(op.f("ix_event_space_at_id"), "event", ["space", "at", "id"], unique=False)
    op.create_table(
        "head",
        sa.Column("space", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("run", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("looked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("waking_days", sa.Float(precision=53), nullable=False),
        sa.Column("policy_digest", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("space", name=op.f("pk_head")),
    )
    op.create_table(
        "hold",
        sa.Column("space", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("id", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("stream", sa.Text(), nullable=True),
        sa.Column("event", sa.Text(), nullable=True),
        sa.Column("evidence_digest", sa.Text(), nullable=False),
        sa.Column("run", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("space", "id", name=op.f("pk_hold")),
    )
    op.create_index(op.f("ix_hold_space_event"), "hold", ["space", "event"], unique=False)
    op.create_index(op.f("ix_hold_space_stream"), "hold", ["space", "stream"], unique=False)
    op.create_table(
        "pin",
        sa.Column("space", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("id", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("stream", sa.Text(), nullable=False),
        sa.Column("pinned_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("space", "id", name=op.f("pk_pin")),
    )
    op.create_index(op.f("ix_pin_space_stream"), "pin", ["space", "stream"], unique=False)
    op.create_table(
        "proposal",
        sa.Column("space", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("id", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("stream", sa.Text(), nullable=False),
        sa.Column("subjects", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("space", "id", name=op.f("pk_proposal")),
    )
    op.create_index(op.f("ix_proposal_space_stream"), "proposal", ["space", "stream"], unique=False)
    op.create_table(
        "question",
        sa.Column("space", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("id", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("stream", sa.Text(), nullable=False),
        sa.Column("claims", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("asked_from", sa.DateTime(timezone=True), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("choice", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("space", "id", name=op.f("pk_question")),
    )
    op.create_index(op.f("ix_question_space_stream"), "question", ["space", "stream"], unique=False)
    op.create_table(
        "run",
        sa.Column("space", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("plan_schema", sa.Integer(), nullable=False),
        sa.Column("base", sa.Text(), nullable=False),
        sa.Column("now", sa.DateTime(timezone=True), nullable=False),
        sa.Column("trigger", sa.Text(), nullable=False),
        sa.Column("reverts", sa.Integer(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("policy_digest", sa.Text(), nullable=False),
        sa.Column("findings_digest", sa.Text(), nullable=False),
        sa.Column("fused", sa.Integer(), nullable=False),
        sa.Column("proposals", sa.Text(), nullable=False),
        sa.Column("near_misses", sa.Text(), nullable=False),
        sa.Column("problems", sa.Text(), nullable=False),
        sa.Column("counts", sa.Text(), nullable=False),
        sa.Column("timings", sa.Text(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("space", "number", name=op.f("pk_run")),
        sa.UniqueConstraint("space", "id", name=op.f("uq_run_space_id")),
    )
    op.create_index(op.f("ix_run_space_now"), "run", ["space", "now"], unique=False)
    op.create_table(
        "space",
        sa.Column("name", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("window_days", sa.Float(precision=53), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_space")),
    )
    op.create_table(
        "stream",
        sa.Column("space", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("id", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("headline", sa.Text(), nullable=True),
        sa.Column("birth", sa.Text(), nullable=False),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("emergent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("canonical_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("vitality", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("crossed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("merged_into", sa.Text(), nullable=True),
        sa.Column("base_confidence", sa.Float(precision=53), nullable=False),
        sa.Column("decay_class", sa.Text(), nullable=False),
        sa.Column("is_protected", sa.Boolean(), nullable=False),
        sa.Column("is_doubtful", sa.Boolean(), nullable=False),
        sa.Column("first_seen", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_seen", sa.DateTime(timezone=True), nullable=False),
        sa.Column("frequency", sa.Integer(), nullable=False),
        sa.Column("opposed", sa.Integer(), nullable=False),
        sa.Column("active_days", sa.Integer(), nullable=False),
        sa.Column("lifetime_days", sa.Float(precision=53), nullable=False),
        sa.Column("coverage", sa.Float(precision=53), nullable=False),
        sa.Column("stability", sa.Float(precision=53), nullable=False),
        sa.Column("reinforcement_density", sa.Float(precision=53), nullable=False),
        sa.Column("removal_cost", sa.Float(precision=53), nullable=False),
        sa.Column("utility", sa.Float(precision=53), nullable=False),
        sa.Column("stretch", sa.Float(precision=53), nullable=False),
        sa.Column("scope", sa.Text(), nullable=True),
        sa.Column("shelf", sa.Text(), nullable=False),
        sa.Column("evidence_digest", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("space", "id", name=op.f("pk_stream")),
    )
    op.create_index(op.f("ix_stream_space_merged_into"), "stream", ["space", "merged_into"], unique=False)
    op.create_index(op.f("ix_stream_space_status_last_seen"), "stream", ["space", "status", "last_seen"], unique=False)
    op.create_index(op.f("ix_stream_space_target"), "stream", ["space", "target"], unique=False)
    op.create_table(
        "tombstone",
        sa.Column("space", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("id", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("stream", sa.Text(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("space", "id", name=op.f("pk_tombstone")),
    )
    op.create_table(
        "change",
        sa.Column("space", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("position", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("subject_table", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("before", sa.Text(), nullable=True),
        sa.Column("after", sa.Text(), nullable=True),
        sa.Column("because", sa.Text(), nullable=False),
        sa.Column("kinds", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["space", "number"],
            ["run.space", "run.number"],
            name=op.f("fk_change_space_number"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("space", "number", "position", name=op.f("pk_change")),
    )
    op.create_index(op.f("ix_change_space_subject"), "change", ["space", "subject"], unique=False)
    op.create_table(
        "claim",
        sa.Column("space", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("id", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("stream", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("origin", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("group", sa.Text(), nullable=False),
        sa.Column("stated_in", sa.Text(), nullable=False),
        sa.Column("slot", sa.Text(), nullable=True),
        sa.Column("value", sa.Text(), nullable=True),
        sa.Column("decay", sa.Text(), nullable=False),
        sa.Column("valid_from", sa.DateTime(timezone=True), nullable=False),
        sa.Column("valid_to", sa.DateTime(timezone=True), nullable=True),
        sa.Column("recorded_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("retracted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("support", sa.Integer(), nullable=False),
        sa.Column("days", sa.Integer(), nullable=False),
        sa.Column("trust", sa.Text(), nullable=False),
        sa.Column("supersedes", sa.Text(), nullable=True),
        sa.Column("closed_by", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["space", "stream"],
            ["stream.space", "stream.id"],
            name=op.f("fk_claim_space_stream"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("space", "id", name=op.f("pk_claim")),
    )
    op.create_index(op.f("ix_claim_space_stream"), "claim", ["space", "stream"], unique=False)
    op.create_table(
        "pending",
        sa.Column("space", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("event", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["space", "event"],
            ["event.space", "event.id"],
            name=op.f("fk_pending_space_event"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("space", "event", name=op.f("pk_pending")),
    )
    op.create_index(op.f("ix_pending_space_at_event"), "pending", ["space", "at", "event"], unique=False)
    op.create_table(
        "link",
        sa.Column("space", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("id", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("event", sa.Text(), nullable=False),
        sa.Column("stream", sa.Text(), nullable=True),
        sa.Column("claim", sa.Text(), nullable=True),
        sa.Column("bearing", sa.Text(), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("score", sa.Float(precision=53), nullable=False),
        sa.ForeignKeyConstraint(
            ["space", "claim"],
            ["claim.space", "claim.id"],
            name=op.f("fk_link_space_claim"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["space", "event"],
            ["event.space", "event.id"],
            name=op.f("fk_link_space_event"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["space", "stream"],
            ["stream.space", "stream.id"],
            name=op.f("fk_link_space_stream"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("space", "id", name=op.f("pk_link")),
    )
    op.create_index(op.f("ix_link_space_claim"), "link", ["space", "claim"], unique=False)
    op.create_index(op.f("ix_link_space_event"), "link", ["space", "event"], unique=False)
    op.create_index(op.f("ix_link_space_stream"), "link", ["space", "stream"], unique=False)
