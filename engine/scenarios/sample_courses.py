"""Two courses for teachers to begin with: 50 tasks in Chinese, twelve of another course in English."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from engine.courses.course_file import read_course
from engine.domain.course import Course
from engine.domain.states import Language
from engine.review.checks.registry import check_params

_NAMES: Final[Mapping[Language, str]] = MappingProxyType({Language.ZH: "study_room", Language.EN: "weather_garden"})


def sample_course_text(language: Language) -> str:
    """The course file as it stands, to be changed and imported; its comments are kept."""
    return (files("engine.scenarios") / "courses" / f"{_NAMES[language]}.{language}.yaml").read_text("utf-8")


@cache
def sample_course(language: Language) -> Course:
    """The course of that language, read once; neither is a translation of the other."""
    return read_course(sample_course_text(language), known_checks=check_params)
