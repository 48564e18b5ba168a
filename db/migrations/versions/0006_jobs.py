"""Durable jobs and the workers that carry them out."""

import sqlalchemy as sa
from alembic import op

from db.tables.base import Utc

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade():
    op.create_table(
        "worker_beat",
        sa.Column("executor_id", sa.String(), nullable=False),
        sa.Column("until", Utc(), nullable=False),
        sa.PrimaryKeyConstraint("executor_id", name=op.f("pk_worker_beat")),
    )
    op.create_table(
        "job",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("asked_by", sa.String(), nullable=False),
        sa.Column("asked_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_job_project_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job")),
    )
    op.create_index(op.f("ix_job_project_id"), "job", ["project_id"])
    op.create_table(
        "job_state",
        sa.Column("job_id", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("run", sa.Integer(), nullable=False),
        sa.Column("queued_run", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name=op.f("fk_job_state_job_id")),
        sa.PrimaryKeyConstraint("job_id", name=op.f("pk_job_state")),
    )
    op.create_index(op.f("ix_job_state_state"), "job_state", ["state"])
    op.create_table(
        "job_item",
        sa.Column("job_id", sa.String(), nullable=False),
        sa.Column("submission_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name=op.f("fk_job_item_job_id")),
        sa.ForeignKeyConstraint(["submission_id"], ["submission.id"], name=op.f("fk_job_item_submission_id")),
        sa.PrimaryKeyConstraint("job_id", "submission_id", name=op.f("pk_job_item")),
        sa.UniqueConstraint("job_id", "position", name=op.f("uq_job_item_job_id_position")),
    )
    op.create_table(
        "job_step",
        sa.Column("job_id", sa.String(), nullable=False),
        sa.Column("run", sa.Integer(), nullable=False),
        sa.Column("submission_id", sa.String(), nullable=False),
        sa.Column("attempt_id", sa.String(), nullable=True),
        sa.Column("fault", sa.String(), nullable=True),
        sa.Column("at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["attempt_id"], ["attempt.id"], name=op.f("fk_job_step_attempt_id")),
        sa.ForeignKeyConstraint(
            ["job_id", "submission_id"],
            ["job_item.job_id", "job_item.submission_id"],
            name=op.f("fk_job_step_job_id_submission_id"),
        ),
        sa.PrimaryKeyConstraint("job_id", "run", "submission_id", name=op.f("pk_job_step")),
        sa.UniqueConstraint("attempt_id", name=op.f("uq_job_step_attempt_id")),
    )
