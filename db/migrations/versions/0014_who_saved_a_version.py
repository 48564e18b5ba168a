"""Versions say what kind of person saved them, so that what was not learned from is known from the rows alone."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade():
    op.add_column("artifact_version", sa.Column("saved_by", sa.String(), nullable=True))


def downgrade():
    raise RuntimeError("a schema only goes forward; restore a backup instead")
