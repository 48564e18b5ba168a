"""Courses, projects and tasks can change; the criteria of one rubric version never do."""

from datetime import datetime

from sqlalchemy import Column, Text
from sqlmodel import Field

from db.tables.base import Base, Utc


class CourseRow(Base, table=True):
    """A course. `slug` is the author's id of it."""

    __tablename__ = "course"

    id: str = Field(primary_key=True)
    slug: str = Field(unique=True)
    title: str
    language: str
    position: int


class ProjectRow(Base, table=True):
    """A part of a course."""

    __tablename__ = "project"

    id: str = Field(primary_key=True)
    course_id: str = Field(foreign_key="course.id", index=True)
    slug: str
    title: str
    position: int


class TaskRow(Base, table=True):
    """A task, with the rubric version in force."""

    __tablename__ = "task"

    project_id: str = Field(primary_key=True, foreign_key="project.id")
    task_id: str = Field(primary_key=True)
    title: str
    goal: str = Field(sa_column=Column(Text, nullable=False))
    steps: str = Field(sa_column=Column(Text, nullable=False))
    material: str = Field(sa_column=Column(Text, nullable=False))
    next_steps: str = Field(sa_column=Column(Text, nullable=False))
    """JSON, by rubric id. They advise and do not decide, so they change without a new rubric version."""
    position: int
    rubric_version: str
    due_at: datetime | None = Field(default=None, sa_column=Column(Utc))
    """Shown, and never part of a verdict."""
    criteria_order: str | None = Field(default=None, sa_column=Column(Text))
    """JSON, rubric ids in the author's order. Order decides nothing, so it changes without a new rubric version;
    None: the order in which that version came in."""


class CriterionRow(Base, table=True):
    """One line of one version of a task's rubric. Insert-only."""

    __tablename__ = "criterion"

    project_id: str = Field(primary_key=True)
    task_id: str = Field(primary_key=True)
    rubric_version: str = Field(primary_key=True)
    position: int = Field(primary_key=True)
    rubric_id: str
    kind: str
    text: str = Field(sa_column=Column(Text, nullable=False))
    decided_by: str
    check_name: str | None = None
    check_params: str | None = Field(default=None, sa_column=Column(Text))
