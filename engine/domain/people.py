"""Who looks, and whose things are looked at."""

from dataclasses import dataclass
from enum import StrEnum


class ViewerKind(StrEnum):
    """`local` is the one person of an own machine; `nobody` is a visitor who has not signed in."""

    LOCAL = "local"
    STUDENT = "student"
    TEACHER = "teacher"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewer:
    """The person on whose behalf a store is asked."""

    kind: ViewerKind
    person_id: str
    learner_ids: frozenset[str] = frozenset()
    """The student's own learner and the teams she belongs to."""
    project_ids: frozenset[str] = frozenset()
    """The projects a teacher teaches."""


LOCAL_VIEWER = Viewer(kind=ViewerKind.LOCAL, person_id="local")
NOBODY = Viewer(kind=ViewerKind.NOBODY, person_id="nobody")


@dataclass(frozen=True, slots=True, kw_only=True)
class Owned:
    """Whose data something is. `None` where it belongs to no learner (a course) or no project."""

    learner_id: str | None
    project_id: str | None
