"""Courses, projects, tasks and the criteria their work is judged by."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.domain.states import CriterionKind, Language, Source

Scalar = str | int | float | bool | tuple[str, ...]
"""A parameter of a check as it stands in a course file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckSpec:
    """Which check decides a criterion, and by what parameters."""

    name: str
    params: Mapping[str, Scalar] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckProblem:
    """What is wrong with a check as a course calls it."""

    field: str | None
    """The name of the parameter, `name` for the check's own; None where it is about several."""
    what: str
    """The rest of a sentence that begins with the field, in English."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """One line of a rubric."""

    rubric_id: str
    """1 to 64 characters, unique inside the task, never cut."""
    kind: CriterionKind
    text: str
    """What must be true, in the course's language."""
    decided_by: Source
    """`ci` and `check` need a check; `model` means that it must be read for meaning."""
    check: CheckSpec | None = None
    next_step: str = ""
    """What to do while this is open; empty where the check words it itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What a learner works on and hands in for."""

    task_id: str
    title: str
    goal: str
    steps: tuple[str, ...] = ()
    material: str = ""
    criteria: tuple[Criterion, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A part of a course. `project_id` is the author's id in a file, the row id once stored."""

    project_id: str
    title: str
    tasks: tuple[Task, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """A whole course. `course_id` is the author's id in a file, the row id once stored."""

    course_id: str
    title: str
    language: Language
    projects: tuple[Project, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskInForce:
    """A task as it stands now, with the course around it."""

    course_title: str
    project_title: str
    language: Language
    """Of the course: in it the reasons of reviews are written."""
    task: Task
    rubric_version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Learner:
    """A student or a team, as pages list them."""

    learner_id: str
    name: str
