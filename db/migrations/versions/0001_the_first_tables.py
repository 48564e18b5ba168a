"""The first tables."""

import sqlalchemy as sa
from alembic import op

from db.tables.base import Utc

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade():
    op.create_table(
        "audit",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_table(
        "counter",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_counter")),
    )
    op.create_table(
        "course",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_course")),
        sa.UniqueConstraint("slug", name=op.f("uq_course_slug")),
    )
    op.create_table(
        "criterion",
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("task_id", sa.String(), nullable=False),
        sa.Column("rubric_version", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("rubric_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("decided_by", sa.String(), nullable=False),
        sa.Column("check_name", sa.String(), nullable=True),
        sa.Column("check_params", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("project_id", "task_id", "rubric_version", "position", name=op.f("pk_criterion")),
    )
    op.create_table(
        "draft",
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("saved_at", Utc(), nullable=False),
        sa.PrimaryKeyConstraint("owner_id", "subject", name=op.f("pk_draft")),
    )
    op.create_table(
        "learner",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_learner")),
    )
    op.create_table(
        "lease",
        sa.Column("subject_id", sa.String(), nullable=False),
        sa.Column("subject_kind", sa.String(), nullable=False),
        sa.Column("holder", sa.String(), nullable=False),
        sa.Column("until", Utc(), nullable=False),
        sa.PrimaryKeyConstraint("subject_id", name=op.f("pk_lease")),
    )
    with op.batch_alter_table("lease", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_lease_until"), ["until"], unique=False)

    op.create_table(
        "progress",
        sa.Column("subject_id", sa.String(), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.PrimaryKeyConstraint("subject_id", name=op.f("pk_progress")),
    )
    with op.batch_alter_table("progress", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_progress_owner_id"), ["owner_id"], unique=False)

    op.create_table(
        "setting",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("changed_at", Utc(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_setting")),
    )
    op.create_table(
        "teacher",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_teacher")),
    )
    op.create_table(
        "text",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("erased_at", Utc(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_text")),
    )
    with op.batch_alter_table("text", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_text_owner_id"), ["owner_id"], unique=False)

    op.create_table(
        "conversation",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("learner_id", sa.String(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("task_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("opened_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["learner_id"], ["learner.id"], name=op.f("fk_conversation_learner_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_conversation")),
    )
    with op.batch_alter_table("conversation", schema=None) as batch_op:
        batch_op.create_index("ix_conversation_key", ["learner_id", "project_id", "task_id"], unique=False)

    op.create_table(
        "enrolment",
        sa.Column("course_id", sa.String(), nullable=False),
        sa.Column("learner_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["course_id"], ["course.id"], name=op.f("fk_enrolment_course_id")),
        sa.ForeignKeyConstraint(["learner_id"], ["learner.id"], name=op.f("fk_enrolment_learner_id")),
        sa.PrimaryKeyConstraint("course_id", "learner_id", name=op.f("pk_enrolment")),
    )
    op.create_table(
        "member",
        sa.Column("team_id", sa.String(), nullable=False),
        sa.Column("student_id", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["student_id"], ["learner.id"], name=op.f("fk_member_student_id")),
        sa.ForeignKeyConstraint(["team_id"], ["learner.id"], name=op.f("fk_member_team_id")),
        sa.PrimaryKeyConstraint("team_id", "student_id", name=op.f("pk_member")),
    )
    op.create_table(
        "project",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("course_id", sa.String(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["course_id"], ["course.id"], name=op.f("fk_project_course_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_project")),
    )
    with op.batch_alter_table("project", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_project_course_id"), ["course_id"], unique=False)

    op.create_table(
        "teaching",
        sa.Column("teacher_id", sa.String(), nullable=False),
        sa.Column("course_id", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["course_id"], ["course.id"], name=op.f("fk_teaching_course_id")),
        sa.ForeignKeyConstraint(["teacher_id"], ["teacher.id"], name=op.f("fk_teaching_teacher_id")),
        sa.PrimaryKeyConstraint("teacher_id", "course_id", name=op.f("pk_teaching")),
    )
    op.create_table(
        "version",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("learner_id", sa.String(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("task_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("parent_id", sa.String(), nullable=True),
        sa.Column("author_kind", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("snapshot_hash", sa.String(), nullable=False),
        sa.Column("made_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["learner_id"], ["learner.id"], name=op.f("fk_version_learner_id")),
        sa.ForeignKeyConstraint(["parent_id"], ["version.id"], name=op.f("fk_version_parent_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_version")),
        sa.UniqueConstraint(
            "learner_id",
            "project_id",
            "task_id",
            "number",
            name=op.f("uq_version_learner_id_project_id_task_id_number"),
        ),
    )
    op.create_table(
        "submission",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("learner_id", sa.String(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("task_id", sa.String(), nullable=False),
        sa.Column("submission_seq", sa.Integer(), nullable=True),
        sa.Column("version_id", sa.String(), nullable=False),
        sa.Column("snapshot_hash", sa.String(), nullable=False),
        sa.Column("token", sa.String(), nullable=True),
        sa.Column("handed_in_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["learner_id"], ["learner.id"], name=op.f("fk_submission_learner_id")),
        sa.ForeignKeyConstraint(["version_id"], ["version.id"], name=op.f("fk_submission_version_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submission")),
        sa.UniqueConstraint(
            "learner_id",
            "project_id",
            "task_id",
            "submission_seq",
            name=op.f("uq_submission_learner_id_project_id_task_id_submission_seq"),
        ),
    )
    with op.batch_alter_table("submission", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_submission_handed_in_at"), ["handed_in_at"], unique=False)
        batch_op.create_index("ix_submission_token", ["learner_id", "token"], unique=True)

    op.create_table(
        "summary",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("conversation_id", sa.String(), nullable=False),
        sa.Column("up_to_seq", sa.Integer(), nullable=False),
        sa.Column("up_to_number", sa.Integer(), nullable=False),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.Column("text_id", sa.String(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("made_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["conversation_id"], ["conversation.id"], name=op.f("fk_summary_conversation_id")),
        sa.ForeignKeyConstraint(["text_id"], ["text.id"], name=op.f("fk_summary_text_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_summary")),
        sa.UniqueConstraint("conversation_id", "up_to_seq", name=op.f("uq_summary_conversation_id_up_to_seq")),
    )
    op.create_table(
        "task",
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("task_id", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("goal", sa.Text(), nullable=False),
        sa.Column("steps", sa.Text(), nullable=False),
        sa.Column("material", sa.Text(), nullable=False),
        sa.Column("next_steps", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("rubric_version", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_task_project_id")),
        sa.PrimaryKeyConstraint("project_id", "task_id", name=op.f("pk_task")),
    )
    op.create_table(
        "turn",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("conversation_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("root_id", sa.String(), nullable=False),
        sa.Column("started_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["conversation_id"], ["conversation.id"], name=op.f("fk_turn_conversation_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_turn")),
        sa.UniqueConstraint("conversation_id", "number", name=op.f("uq_turn_conversation_id_number")),
    )
    with op.batch_alter_table("turn", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_turn_root_id"), ["root_id"], unique=False)

    op.create_table(
        "version_file",
        sa.Column("version_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("size_bytes", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("text_id", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["text_id"], ["text.id"], name=op.f("fk_version_file_text_id")),
        sa.ForeignKeyConstraint(["version_id"], ["version.id"], name=op.f("fk_version_file_version_id")),
        sa.PrimaryKeyConstraint("version_id", "position", name=op.f("pk_version_file")),
    )
    op.create_table(
        "attempt",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("submission_id", sa.String(), nullable=False),
        sa.Column("attempt_seq", sa.Integer(), nullable=False),
        sa.Column("rubric_version", sa.String(), nullable=False),
        sa.Column("prompt_version", sa.String(), nullable=False),
        sa.Column("engine_version", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=True),
        sa.Column("started_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["submission_id"], ["submission.id"], name=op.f("fk_attempt_submission_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attempt")),
        sa.UniqueConstraint("submission_id", "attempt_seq", name=op.f("uq_attempt_submission_id_attempt_seq")),
    )
    with op.batch_alter_table("attempt", schema=None) as batch_op:
        batch_op.create_index(
            "ix_attempt_compatible",
            ["submission_id", "rubric_version", "prompt_version", "engine_version", "attempt_seq"],
            unique=False,
        )
        batch_op.create_index(batch_op.f("ix_attempt_started_at"), ["started_at"], unique=False)

    op.create_table(
        "message",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("conversation_id", sa.String(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("turn_id", sa.String(), nullable=True),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("text_id", sa.String(), nullable=False),
        sa.Column("written_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["conversation_id"], ["conversation.id"], name=op.f("fk_message_conversation_id")),
        sa.ForeignKeyConstraint(["text_id"], ["text.id"], name=op.f("fk_message_text_id")),
        sa.ForeignKeyConstraint(["turn_id"], ["turn.id"], name=op.f("fk_message_turn_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_message")),
        sa.UniqueConstraint("conversation_id", "seq", name=op.f("uq_message_conversation_id_seq")),
    )
    with op.batch_alter_table("message", schema=None) as batch_op:
        batch_op.create_index("ix_message_turn_id", ["turn_id"], unique=False)

    op.create_table(
        "plan",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("turn_id", sa.String(), nullable=False),
        sa.Column("conversation_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("text_id", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["conversation_id"], ["conversation.id"], name=op.f("fk_plan_conversation_id")),
        sa.ForeignKeyConstraint(["text_id"], ["text.id"], name=op.f("fk_plan_text_id")),
        sa.ForeignKeyConstraint(["turn_id"], ["turn.id"], name=op.f("fk_plan_turn_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_plan")),
        sa.UniqueConstraint("conversation_id", "number", name=op.f("uq_plan_conversation_id_number")),
        sa.UniqueConstraint("turn_id", name=op.f("uq_plan_turn_id")),
    )
    op.create_table(
        "receipt",
        sa.Column("turn_id", sa.String(), nullable=False),
        sa.Column("request_text_id", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("submission_seq", sa.Integer(), nullable=True),
        sa.Column("attempt_seq", sa.Integer(), nullable=True),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("sent_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["request_text_id"], ["text.id"], name=op.f("fk_receipt_request_text_id")),
        sa.ForeignKeyConstraint(["turn_id"], ["turn.id"], name=op.f("fk_receipt_turn_id")),
        sa.PrimaryKeyConstraint("turn_id", name=op.f("pk_receipt")),
    )
    op.create_table(
        "turn_end",
        sa.Column("turn_id", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("fault", sa.String(), nullable=True),
        sa.Column("partial_text_id", sa.String(), nullable=True),
        sa.Column("tries", sa.Text(), nullable=False),
        sa.Column("input_tokens", sa.Integer(), nullable=True),
        sa.Column("output_tokens", sa.Integer(), nullable=True),
        sa.Column("ended_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["partial_text_id"], ["text.id"], name=op.f("fk_turn_end_partial_text_id")),
        sa.ForeignKeyConstraint(["turn_id"], ["turn.id"], name=op.f("fk_turn_end_turn_id")),
        sa.PrimaryKeyConstraint("turn_id", name=op.f("pk_turn_end")),
    )
    op.create_table(
        "outcome",
        sa.Column("attempt_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("verdict", sa.String(), nullable=True),
        sa.Column("snapshot_hash", sa.String(), nullable=True),
        sa.Column("record_text_id", sa.String(), nullable=True),
        sa.Column("fault", sa.String(), nullable=True),
        sa.Column("finished_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["attempt_id"], ["attempt.id"], name=op.f("fk_outcome_attempt_id")),
        sa.ForeignKeyConstraint(["record_text_id"], ["text.id"], name=op.f("fk_outcome_record_text_id")),
        sa.PrimaryKeyConstraint("attempt_id", name=op.f("pk_outcome")),
    )


def downgrade():
    raise RuntimeError("a schema only goes forward; restore a backup instead")
