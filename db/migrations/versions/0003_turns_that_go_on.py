"""A turn may go on with the reply of an earlier one."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade():
    with op.batch_alter_table("turn") as batch:
        batch.add_column(sa.Column("continues_id", sa.String(), nullable=True))
        batch.create_foreign_key(op.f("fk_turn_continues_id"), "turn", ["continues_id"], ["id"])


def downgrade():
    raise RuntimeError("a schema only goes forward; restore a backup instead")
