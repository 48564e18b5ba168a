"""Editing by conversation, and requests to models about texts of the teachers."""

import sqlalchemy as sa
from alembic import op

from db.tables.base import Utc

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade():
    op.create_table(
        "edit_conversation",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("artifact_id", sa.String(), nullable=False),
        sa.Column("persona_id", sa.String(), nullable=True),
        sa.Column("opened_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["artifact_id"], ["artifact.id"], name=op.f("fk_edit_conversation_artifact_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_edit_conversation")),
        sa.UniqueConstraint("artifact_id", name=op.f("uq_edit_conversation_artifact_id")),
    )
    op.create_table(
        "suggestion",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("conversation_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("text_id", sa.String(), nullable=False),
        sa.Column("asked_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(
            ["conversation_id"], ["edit_conversation.id"], name=op.f("fk_suggestion_conversation_id")
        ),
        sa.ForeignKeyConstraint(["text_id"], ["text.id"], name=op.f("fk_suggestion_text_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_suggestion")),
        sa.UniqueConstraint("conversation_id", "number", name=op.f("uq_suggestion_conversation_id_number")),
    )
    op.create_table(
        "suggestion_state",
        sa.Column("suggestion_id", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("fault", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=True),
        sa.Column("changed_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["suggestion_id"], ["suggestion.id"], name=op.f("fk_suggestion_state_suggestion_id")),
        sa.PrimaryKeyConstraint("suggestion_id", name=op.f("pk_suggestion_state")),
    )
    op.create_index("ix_suggestion_state_run_id", "suggestion_state", ["run_id"])
    op.create_table(
        "revision_record",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("conversation_id", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("from_version_id", sa.String(), nullable=False),
        sa.Column("to_version_id", sa.String(), nullable=False),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("made_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(
            ["conversation_id"], ["edit_conversation.id"], name=op.f("fk_revision_record_conversation_id")
        ),
        sa.ForeignKeyConstraint(
            ["from_version_id"], ["artifact_version.id"], name=op.f("fk_revision_record_from_version_id")
        ),
        sa.ForeignKeyConstraint(
            ["to_version_id"], ["artifact_version.id"], name=op.f("fk_revision_record_to_version_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_revision_record")),
        sa.UniqueConstraint("run_id", name=op.f("uq_revision_record_run_id")),
        sa.UniqueConstraint("to_version_id", name=op.f("uq_revision_record_to_version_id")),
    )
    op.create_index("ix_revision_record_conversation_id", "revision_record", ["conversation_id"])
    op.create_table(
        "edit_message",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("conversation_id", sa.String(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("text_id", sa.String(), nullable=False),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("suggestion_id", sa.String(), nullable=True),
        sa.Column("revision_id", sa.String(), nullable=True),
        sa.Column("written_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(
            ["conversation_id"], ["edit_conversation.id"], name=op.f("fk_edit_message_conversation_id")
        ),
        sa.ForeignKeyConstraint(["text_id"], ["text.id"], name=op.f("fk_edit_message_text_id")),
        sa.ForeignKeyConstraint(["suggestion_id"], ["suggestion.id"], name=op.f("fk_edit_message_suggestion_id")),
        sa.ForeignKeyConstraint(["revision_id"], ["revision_record.id"], name=op.f("fk_edit_message_revision_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_edit_message")),
        sa.UniqueConstraint("conversation_id", "seq", name=op.f("uq_edit_message_conversation_id_seq")),
    )
    with op.batch_alter_table("model_call") as batch_op:
        batch_op.alter_column("learner_id", existing_type=sa.String(), nullable=True)


def downgrade():
    raise RuntimeError("a schema only goes forward; restore a backup instead")
