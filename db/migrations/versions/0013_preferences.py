"""Whose style is learned, the rules that were learned, and what speaks for them."""

import sqlalchemy as sa
from alembic import op

from db.tables.base import Utc

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade():
    op.create_table(
        "persona",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner_key", sa.String(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("learner_id", sa.String(), nullable=True),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("made_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["learner_id"], ["learner.id"], name=op.f("fk_persona_learner_id")),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_persona_project_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_persona")),
        sa.UniqueConstraint("owner_key", name=op.f("uq_persona_owner_key")),
    )
    op.create_table(
        "style_rule",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("persona_id", sa.String(), nullable=False),
        sa.Column("dimension", sa.String(), nullable=False),
        sa.Column("aspect", sa.String(), nullable=False),
        sa.Column("direction", sa.String(), nullable=False),
        sa.Column("scope_level", sa.String(), nullable=False),
        sa.Column("scope_of", sa.String(), nullable=False),
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("sentence_text_id", sa.String(), nullable=False),
        sa.Column("made_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["persona_id"], ["persona.id"], name=op.f("fk_style_rule_persona_id")),
        sa.ForeignKeyConstraint(["sentence_text_id"], ["text.id"], name=op.f("fk_style_rule_sentence_text_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_style_rule")),
    )
    op.create_index("ix_style_rule_persona_id", "style_rule", ["persona_id"])
    op.create_table(
        "rule_evidence",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("rule_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("artifact_id", sa.String(), nullable=False),
        sa.Column("version_id", sa.String(), nullable=False),
        sa.Column("edit_number", sa.Integer(), nullable=False),
        sa.Column("quote_text_id", sa.String(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["artifact_id"], ["artifact.id"], name=op.f("fk_rule_evidence_artifact_id")),
        sa.ForeignKeyConstraint(["quote_text_id"], ["text.id"], name=op.f("fk_rule_evidence_quote_text_id")),
        sa.ForeignKeyConstraint(["rule_id"], ["style_rule.id"], name=op.f("fk_rule_evidence_rule_id")),
        sa.ForeignKeyConstraint(["version_id"], ["artifact_version.id"], name=op.f("fk_rule_evidence_version_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rule_evidence")),
        sa.UniqueConstraint("rule_id", "version_id", name=op.f("uq_rule_evidence_rule_id_version_id")),
    )
    op.create_table(
        "rule_event",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("rule_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("sentence_text_id", sa.String(), nullable=True),
        sa.Column("person_id", sa.String(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["rule_id"], ["style_rule.id"], name=op.f("fk_rule_event_rule_id")),
        sa.ForeignKeyConstraint(["sentence_text_id"], ["text.id"], name=op.f("fk_rule_event_sentence_text_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rule_event")),
        sa.UniqueConstraint("rule_id", "number", name=op.f("uq_rule_event_rule_id_number")),
    )
    op.create_table(
        "rule_use",
        sa.Column("rule_id", sa.String(), nullable=False),
        sa.Column("version_id", sa.String(), nullable=False),
        sa.Column("artifact_id", sa.String(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["artifact_id"], ["artifact.id"], name=op.f("fk_rule_use_artifact_id")),
        sa.ForeignKeyConstraint(["rule_id"], ["style_rule.id"], name=op.f("fk_rule_use_rule_id")),
        sa.ForeignKeyConstraint(["version_id"], ["artifact_version.id"], name=op.f("fk_rule_use_version_id")),
        sa.PrimaryKeyConstraint("rule_id", "version_id", name=op.f("pk_rule_use")),
    )
    op.create_index("ix_rule_use_version_id", "rule_use", ["version_id"])
    op.create_table(
        "learning_attempt",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("persona_id", sa.String(), nullable=False),
        sa.Column("artifact_id", sa.String(), nullable=False),
        sa.Column("version_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("change", sa.String(), nullable=True),
        sa.Column("rule_ids", sa.Text(), nullable=False),
        sa.Column("fault", sa.String(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["artifact_id"], ["artifact.id"], name=op.f("fk_learning_attempt_artifact_id")),
        sa.ForeignKeyConstraint(["persona_id"], ["persona.id"], name=op.f("fk_learning_attempt_persona_id")),
        sa.ForeignKeyConstraint(["version_id"], ["artifact_version.id"], name=op.f("fk_learning_attempt_version_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_learning_attempt")),
        sa.UniqueConstraint("version_id", "number", name=op.f("uq_learning_attempt_version_id_number")),
    )
    op.create_index("ix_learning_attempt_artifact_id", "learning_attempt", ["artifact_id"])
    op.create_index("ix_learning_attempt_persona_id", "learning_attempt", ["persona_id"])


def downgrade():
    raise RuntimeError("a schema only goes forward; restore a backup instead")
