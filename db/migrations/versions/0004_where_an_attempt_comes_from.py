"""Attempts say whether they judged, took a judgement over, or hold a person's decision."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade():
    op.add_column("attempt", sa.Column("origin", sa.String(), nullable=False, server_default="judged"))
    op.add_column("attempt", sa.Column("from_attempt_id", sa.String(), nullable=True))


def downgrade():
    raise RuntimeError("a schema only goes forward; restore a backup instead")
