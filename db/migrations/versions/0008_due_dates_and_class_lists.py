"""When a task is due, the order of its criteria, and what a class list says of a learner besides the name."""

import sqlalchemy as sa
from alembic import op

from db.tables.base import Utc

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade():
    with op.batch_alter_table("task") as batch:
        batch.add_column(sa.Column("due_at", Utc(), nullable=True))
        batch.add_column(sa.Column("criteria_order", sa.Text(), nullable=True))
    with op.batch_alter_table("learner") as batch:
        batch.add_column(sa.Column("number", sa.String(), nullable=True))
        batch.add_column(sa.Column("email", sa.String(), nullable=True))


def downgrade():
    raise RuntimeError("a schema only goes forward; restore a backup instead")
