"""What models were asked besides tutor replies."""

import sqlalchemy as sa
from alembic import op

from db.tables.base import Utc

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade():
    op.create_table(
        "model_call",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("learner_id", sa.String(), nullable=False),
        sa.Column("use", sa.String(), nullable=False),
        sa.Column("subject_id", sa.String(), nullable=False),
        sa.Column("part", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("request_text_id", sa.String(), nullable=False),
        sa.Column("answer_text_id", sa.String(), nullable=True),
        sa.Column("tries", sa.Text(), nullable=False),
        sa.Column("input_tokens", sa.Integer(), nullable=True),
        sa.Column("output_tokens", sa.Integer(), nullable=True),
        sa.Column("ended_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["answer_text_id"], ["text.id"], name=op.f("fk_model_call_answer_text_id")),
        sa.ForeignKeyConstraint(["learner_id"], ["learner.id"], name=op.f("fk_model_call_learner_id")),
        sa.ForeignKeyConstraint(["request_text_id"], ["text.id"], name=op.f("fk_model_call_request_text_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_model_call")),
        sa.UniqueConstraint("subject_id", "number", name=op.f("uq_model_call_subject_id_number")),
    )
    with op.batch_alter_table("model_call") as batch_op:
        batch_op.create_index(batch_op.f("ix_model_call_learner_id"), ["learner_id"], unique=False)


def downgrade():
    raise RuntimeError("a schema only goes forward; restore a backup instead")
