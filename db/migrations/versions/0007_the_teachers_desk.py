"""Disputes, card notes, teachers in chats, and reservations."""

import sqlalchemy as sa
from alembic import op

from db.tables.base import Utc

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade():
    op.create_table(
        "dispute",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("submission_id", sa.String(), nullable=False),
        sa.Column("attempt_seq", sa.Integer(), nullable=False),
        sa.Column("rubric_id", sa.String(), nullable=False),
        sa.Column("text_id", sa.String(), nullable=False),
        sa.Column("made_at", Utc(), nullable=False),
        sa.Column("decided_at", Utc(), nullable=True),
        sa.ForeignKeyConstraint(["submission_id"], ["submission.id"], name=op.f("fk_dispute_submission_id")),
        sa.ForeignKeyConstraint(["text_id"], ["text.id"], name=op.f("fk_dispute_text_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dispute")),
    )
    op.create_index("ix_dispute_submission_id", "dispute", ["submission_id"], unique=False)
    op.create_table(
        "card_note",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("submission_id", sa.String(), nullable=False),
        sa.Column("author_id", sa.String(), nullable=False),
        sa.Column("author_name", sa.String(), nullable=False),
        sa.Column("text_id", sa.String(), nullable=False),
        sa.Column("made_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["submission_id"], ["submission.id"], name=op.f("fk_card_note_submission_id")),
        sa.ForeignKeyConstraint(["text_id"], ["text.id"], name=op.f("fk_card_note_text_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_card_note")),
    )
    op.create_index("ix_card_note_submission_id", "card_note", ["submission_id"], unique=False)
    op.create_table(
        "teacher_message",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("conversation_id", sa.String(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("author_id", sa.String(), nullable=False),
        sa.Column("author_name", sa.String(), nullable=False),
        sa.Column("note_id", sa.String(), nullable=True),
        sa.Column("text_id", sa.String(), nullable=False),
        sa.Column("written_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(
            ["conversation_id"], ["conversation.id"], name=op.f("fk_teacher_message_conversation_id")
        ),
        sa.ForeignKeyConstraint(["note_id"], ["card_note.id"], name=op.f("fk_teacher_message_note_id")),
        sa.ForeignKeyConstraint(["text_id"], ["text.id"], name=op.f("fk_teacher_message_text_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_teacher_message")),
        sa.UniqueConstraint("conversation_id", "seq", name=op.f("uq_teacher_message_conversation_id_seq")),
    )
    op.create_table(
        "reservation",
        sa.Column("submission_id", sa.String(), nullable=False),
        sa.Column("rubric_id", sa.String(), nullable=False),
        sa.Column("holder_id", sa.String(), nullable=False),
        sa.Column("holder_name", sa.String(), nullable=False),
        sa.Column("since", Utc(), nullable=False),
        sa.Column("until", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["submission_id"], ["submission.id"], name=op.f("fk_reservation_submission_id")),
        sa.PrimaryKeyConstraint("submission_id", "rubric_id", name=op.f("pk_reservation")),
    )


def downgrade():
    raise RuntimeError("a schema only goes forward; restore a backup instead")
