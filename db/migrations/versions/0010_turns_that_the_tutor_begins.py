"""Turns that the tutor begins by itself after a review."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade():
    op.create_table(
        "opening",
        sa.Column("attempt_id", sa.String(), nullable=False),
        sa.Column("turn_id", sa.String(), nullable=False),
        sa.Column("level", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["attempt_id"], ["attempt.id"], name=op.f("fk_opening_attempt_id")),
        sa.ForeignKeyConstraint(["turn_id"], ["turn.id"], name=op.f("fk_opening_turn_id")),
        sa.PrimaryKeyConstraint("attempt_id", name=op.f("pk_opening")),
        sa.UniqueConstraint("turn_id", name=op.f("uq_opening_turn_id")),
    )


def downgrade():
    raise RuntimeError("a schema only goes forward; restore a backup instead")
