"""Courses to begin with, as course files of our own in both languages."""

from collections.abc import Mapping
from importlib.resources import files

from engine.courses.course_file import read_course
from engine.domain.course import CheckProblem, Course
from engine.domain.states import Language


def general_project(language: Language) -> Course:
    """*General project*: one task whose few checks fit any repository."""
    text = (files("engine.courses.templates") / f"general_project.{language}.yaml").read_text("utf-8")
    return read_course(text, known_checks=_checked_by_test)


def _checked_by_test(_name: str, _params: Mapping[str, object]) -> list[CheckProblem]:
    """Our own files call checks rightly: a test holds them against the reviewer's list, which stands above."""
    return []
