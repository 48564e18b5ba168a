"""Repositories from which the files of a submission came."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade():
    op.create_table(
        "provenance",
        sa.Column("submission_id", sa.String(), nullable=False),
        sa.Column("commit_id", sa.String(), nullable=False),
        sa.Column("text_id", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["submission_id"], ["submission.id"], name=op.f("fk_provenance_submission_id")),
        sa.ForeignKeyConstraint(["text_id"], ["text.id"], name=op.f("fk_provenance_text_id")),
        sa.PrimaryKeyConstraint("submission_id", name=op.f("pk_provenance")),
    )


def downgrade():
    raise RuntimeError("a schema only goes forward; restore a backup instead")
