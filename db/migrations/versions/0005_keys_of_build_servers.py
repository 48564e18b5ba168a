"""Keys by which build servers hand in test reports."""

import sqlalchemy as sa
from alembic import op

from db.tables.base import Utc

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade():
    op.create_table(
        "ci_token",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("course_id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("ends_with", sa.String(), nullable=False),
        sa.Column("made_at", Utc(), nullable=False),
        sa.Column("revoked_at", Utc(), nullable=True),
        sa.ForeignKeyConstraint(["course_id"], ["course.id"], name=op.f("fk_ci_token_course_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ci_token")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_ci_token_token_hash")),
    )
    with op.batch_alter_table("ci_token", schema=None) as batch_op:
        batch_op.create_index("ix_ci_token_course_id", ["course_id"], unique=False)


def downgrade():
    raise RuntimeError("a schema only goes forward; restore a backup instead")
