"""Whose style is learned, the rules that were learned, what speaks for them, and what people did to them.

All of it is insert-only; whether a rule holds is computed from these rows and never stored.
"""

from datetime import datetime

from sqlalchemy import Column, Index, Text, UniqueConstraint
from sqlmodel import Field

from db.tables.base import Base, Utc


class PersonaRow(Base, table=True):
    """One style: a learner's in a project, or that of the teachers of a project."""

    __tablename__ = "persona"
    __table_args__ = (UniqueConstraint("owner_key"),)

    id: str = Field(primary_key=True)
    owner_key: str
    """Learner and project in one, so that a second one cannot come about."""
    project_id: str = Field(foreign_key="project.id")
    learner_id: str | None = Field(default=None, foreign_key="learner.id")
    """Null: it is the teachers'."""
    language: str
    made_at: datetime = Field(sa_column=Column(Utc, nullable=False))


class StyleRuleRow(Base, table=True):
    """One rule as it was made."""

    __tablename__ = "style_rule"
    __table_args__ = (Index("ix_style_rule_persona_id", "persona_id"),)

    id: str = Field(primary_key=True)
    persona_id: str = Field(foreign_key="persona.id")
    dimension: str
    aspect: str
    direction: str
    scope_level: str
    scope_of: str
    origin: str
    sentence_text_id: str = Field(foreign_key="text.id")
    made_at: datetime = Field(sa_column=Column(Utc, nullable=False))


class RuleEvidenceRow(Base, table=True):
    """What one version says for or against a rule."""

    __tablename__ = "rule_evidence"
    __table_args__ = (UniqueConstraint("rule_id", "version_id"),)

    id: str = Field(primary_key=True)
    rule_id: str = Field(foreign_key="style_rule.id")
    kind: str
    artifact_id: str = Field(foreign_key="artifact.id")
    version_id: str = Field(foreign_key="artifact_version.id")
    edit_number: int
    quote_text_id: str = Field(foreign_key="text.id")
    """JSON: what the person said, and the changed place before and after."""
    at: datetime = Field(sa_column=Column(Utc, nullable=False))


class RuleEventRow(Base, table=True):
    """What a person did to a rule, in order."""

    __tablename__ = "rule_event"
    __table_args__ = (UniqueConstraint("rule_id", "number"),)

    id: str = Field(primary_key=True)
    rule_id: str = Field(foreign_key="style_rule.id")
    number: int
    kind: str
    sentence_text_id: str | None = Field(default=None, foreign_key="text.id")
    person_id: str
    at: datetime = Field(sa_column=Column(Utc, nullable=False))


class RuleUseRow(Base, table=True):
    """A version was written by this rule."""

    __tablename__ = "rule_use"
    __table_args__ = (Index("ix_rule_use_version_id", "version_id"),)

    rule_id: str = Field(primary_key=True, foreign_key="style_rule.id")
    version_id: str = Field(primary_key=True, foreign_key="artifact_version.id")
    artifact_id: str = Field(foreign_key="artifact.id")
    at: datetime = Field(sa_column=Column(Utc, nullable=False))


class LearningAttemptRow(Base, table=True):
    """One try to learn from a version, and how it ended."""

    __tablename__ = "learning_attempt"
    __table_args__ = (
        UniqueConstraint("version_id", "number"),
        Index("ix_learning_attempt_persona_id", "persona_id"),
        Index("ix_learning_attempt_artifact_id", "artifact_id"),
    )

    id: str = Field(primary_key=True)
    persona_id: str = Field(foreign_key="persona.id")
    artifact_id: str = Field(foreign_key="artifact.id")
    version_id: str = Field(foreign_key="artifact_version.id")
    number: int
    state: str
    change: str | None = None
    rule_ids: str = Field(sa_column=Column(Text, nullable=False))
    """JSON list."""
    fault: str
    at: datetime = Field(sa_column=Column(Utc, nullable=False))
