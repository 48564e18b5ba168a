"""${message}."""

import sqlalchemy as sa
from alembic import op

import db.tables.base

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = None
depends_on = None


def upgrade() -> None:
    ${upgrades if upgrades else "pass"}


def downgrade() -> None:
    raise RuntimeError("a schema only goes forward; restore a backup instead")
