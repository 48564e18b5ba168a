"""Learners, their members, and teachers."""

from sqlmodel import Field

from db.tables.base import Base


class LearnerRow(Base, table=True):
    """A student or a team."""

    __tablename__ = "learner"

    id: str = Field(primary_key=True)
    kind: str
    name: str
    number: str | None = None
    """The student number of the class list; None where none is known."""
    email: str | None = None


class MemberRow(Base, table=True):
    """Which students make up a team."""

    __tablename__ = "member"

    team_id: str = Field(primary_key=True, foreign_key="learner.id")
    student_id: str = Field(primary_key=True, foreign_key="learner.id")


class TeacherRow(Base, table=True):
    """Somebody who teaches."""

    __tablename__ = "teacher"

    id: str = Field(primary_key=True)
    name: str


class TeachingRow(Base, table=True):
    """Which course a teacher teaches."""

    __tablename__ = "teaching"

    teacher_id: str = Field(primary_key=True, foreign_key="teacher.id")
    course_id: str = Field(primary_key=True, foreign_key="course.id")


class EnrolmentRow(Base, table=True):
    """Which learners take a course."""

    __tablename__ = "enrolment"

    course_id: str = Field(primary_key=True, foreign_key="course.id")
    learner_id: str = Field(primary_key=True, foreign_key="learner.id")
    position: int
    """Order of the class list."""
