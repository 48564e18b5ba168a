"""How much the tutor gives away when it begins by itself: set by the teacher, for each course."""

import json

from sqlalchemy import select
from sqlmodel import Session, col

from db.rows import put_setting
from db.tables import ProjectRow, SettingRow
from engine.access import Action, require
from engine.base_store import Store, remembered
from engine.domain.people import Owned, Viewer
from engine.domain.states import SupportLevel
from engine.errors import NotFound

DEFAULT_SUPPORT = SupportLevel.MODERATE
"""Of a course for which nothing is set."""


class SupportStore(Store):
    """No part of a rubric: changing it makes no review stale."""

    @remembered
    def level(self, viewer: Viewer, project_id: str) -> SupportLevel:
        """What holds in the course of this project.

        Raises:
            NotFound: there is no such project.
        """
        require(viewer, Action.READ, Owned(learner_id=None, project_id=project_id))
        with self._reading() as session:
            project = session.get(ProjectRow, project_id)
            if project is None:
                raise NotFound("there is no such project")
            row = session.get(SettingRow, _name(project.course_id))
        kept = row.value if row else ""
        return next((level for level in SupportLevel if json.dumps(level) == kept), DEFAULT_SUPPORT)

    def keep(self, viewer: Viewer, course_id: str, level: SupportLevel) -> None:
        """Begin in this way after the next reviews of this course.

        Raises:
            NotFound: there is no such course, or it has no project.
        """
        with self._writing() as session:
            for project_id in _projects(session, course_id):
                require(viewer, Action.MANAGE, Owned(learner_id=None, project_id=project_id))
            put_setting(session, name=_name(course_id), value=json.dumps(level), at=self._clock())


def _projects(session: Session, course_id: str) -> list[str]:
    found = list(session.scalars(select(col(ProjectRow.id)).where(col(ProjectRow.course_id) == course_id)).all())
    if not found:
        raise NotFound("there is no such course")
    return found


def _name(course_id: str) -> str:
    return f"support.{course_id}"
