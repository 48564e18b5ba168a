"""Texts with versions, and which version was handed in."""

import sqlalchemy as sa
from alembic import op

from db.tables.base import Utc

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade():
    op.create_table(
        "artifact",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("course_id", sa.String(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("learner_id", sa.String(), nullable=True),
        sa.Column("task_id", sa.String(), nullable=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("file_name", sa.Text(), nullable=False),
        sa.Column("persona_id", sa.String(), nullable=True),
        sa.Column("begun_from_id", sa.String(), nullable=True),
        sa.Column("made_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["course_id"], ["course.id"], name=op.f("fk_artifact_course_id")),
        sa.ForeignKeyConstraint(["learner_id"], ["learner.id"], name=op.f("fk_artifact_learner_id")),
        sa.ForeignKeyConstraint(["begun_from_id"], ["submission.id"], name=op.f("fk_artifact_begun_from_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_artifact")),
    )
    op.create_index("ix_artifact_of_learner", "artifact", ["learner_id", "project_id"])
    op.create_table(
        "artifact_version",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("artifact_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("parent_id", sa.String(), nullable=True),
        sa.Column("parent_hash", sa.String(), nullable=True),
        sa.Column("source_id", sa.String(), nullable=True),
        sa.Column("version_hash", sa.String(), nullable=False),
        sa.Column("title_text_id", sa.String(), nullable=False),
        sa.Column("body_text_id", sa.String(), nullable=False),
        sa.Column("note_text_id", sa.String(), nullable=True),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("characters", sa.Integer(), nullable=False),
        sa.Column("word_count", sa.Integer(), nullable=False),
        sa.Column("made_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["artifact_id"], ["artifact.id"], name=op.f("fk_artifact_version_artifact_id")),
        sa.ForeignKeyConstraint(["parent_id"], ["artifact_version.id"], name=op.f("fk_artifact_version_parent_id")),
        sa.ForeignKeyConstraint(["source_id"], ["artifact_version.id"], name=op.f("fk_artifact_version_source_id")),
        sa.ForeignKeyConstraint(["title_text_id"], ["text.id"], name=op.f("fk_artifact_version_title_text_id")),
        sa.ForeignKeyConstraint(["body_text_id"], ["text.id"], name=op.f("fk_artifact_version_body_text_id")),
        sa.ForeignKeyConstraint(["note_text_id"], ["text.id"], name=op.f("fk_artifact_version_note_text_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_artifact_version")),
        sa.UniqueConstraint("artifact_id", "number", name=op.f("uq_artifact_version_artifact_id_number")),
    )
    op.create_table(
        "artifact_submission",
        sa.Column("submission_id", sa.String(), nullable=False),
        sa.Column("version_id", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submission.id"], name=op.f("fk_artifact_submission_submission_id")
        ),
        sa.ForeignKeyConstraint(
            ["version_id"], ["artifact_version.id"], name=op.f("fk_artifact_submission_version_id")
        ),
        sa.PrimaryKeyConstraint("submission_id", name=op.f("pk_artifact_submission")),
    )
    op.create_index("ix_artifact_submission_version_id", "artifact_submission", ["version_id"])


def downgrade():
    raise RuntimeError("a schema only goes forward; restore a backup instead")
