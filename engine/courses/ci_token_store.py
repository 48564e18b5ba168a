"""Keys by which a build server hands in test reports for the learners of one course."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlmodel import Session, col

from db.rows import storable
from db.tables import CiTokenRow, ProjectRow
from engine.access import Action, require
from engine.base_store import Store
from engine.domain.people import Owned, Viewer, ViewerKind
from engine.errors import NotFound, TokenRefused

PREFIX = "tl_"
"""Every key begins so, and is found by it where it leaked."""
_BYTES = 32
_SHOWN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class CiToken:
    """A key, without the key itself."""

    token_id: str
    course_id: str
    name: str
    """What a person calls it, such as the repository it is for."""
    ends_with: str
    made_at: datetime
    revoked_at: datetime | None


class CiTokenStore(Store):
    """Only hashes are kept: a key is shown once, when it is made."""

    def issue(self, viewer: Viewer, course_id: str, name: str) -> tuple[CiToken, str]:
        """Make a key for a course; the second part is the key, which nobody can read again.

        Raises:
            NotFound: there is no such course.
        """
        key = PREFIX + secrets.token_urlsafe(_BYTES)
        with self._writing() as session:
            _may_manage(session, viewer, course_id)
            row = CiTokenRow(
                id=self._new_id(),
                course_id=course_id,
                name=storable(name),
                token_hash=_hash(key),
                ends_with=key[-_SHOWN:],
                made_at=self._clock(),
            )
            session.add(row)
            session.flush()
            return _read(row), key

    def revoke(self, viewer: Viewer, token_id: str) -> None:
        """Refuse a key from now on; one that is revoked already stays so.

        Raises:
            NotFound: there is no such key.
        """
        with self._writing() as session:
            row = session.get(CiTokenRow, token_id)
            if row is None:
                raise NotFound("there is no such key")
            _may_manage(session, viewer, row.course_id)
            if row.revoked_at is None:
                row.revoked_at = self._clock()

    def tokens(self, viewer: Viewer, course_id: str) -> tuple[CiToken, ...]:
        """The keys of a course, those in use first, newest first."""
        with self._reading() as session:
            _may_manage(session, viewer, course_id)
            rows = session.scalars(
                select(CiTokenRow)
                .where(col(CiTokenRow.course_id) == course_id)
                .order_by(col(CiTokenRow.revoked_at).is_not(None), col(CiTokenRow.made_at).desc(), col(CiTokenRow.id))
            ).all()
            return tuple(_read(row) for row in rows)


class CiDoor(Store):
    """Asked by build servers, who are nobody before it has answered."""

    def sender(self, key: str) -> tuple[CiToken, Viewer]:
        """Whose key it is, and the viewer that a build server with it is: one who teaches this course's projects.

        Raises:
            TokenRefused: the key is unknown or revoked.
        """
        with self._reading() as session:
            row = session.scalars(select(CiTokenRow).where(col(CiTokenRow.token_hash) == _hash(key))).first()
            if row is None or row.revoked_at is not None:
                raise TokenRefused("this key is unknown or was revoked")
            projects = _projects(session, row.course_id)
            token = _read(row)
        return token, Viewer(kind=ViewerKind.TEACHER, person_id=f"ci:{token.token_id}", project_ids=projects)


def _hash(key: str) -> str:
    # A key is 256 random bits: a plain hash of it cannot be turned back, and needs no salt.
    return hashlib.sha256(key.encode()).hexdigest()


def _projects(session: Session, course_id: str) -> frozenset[str]:
    return frozenset(session.scalars(select(col(ProjectRow.id)).where(col(ProjectRow.course_id) == course_id)))


def _may_manage(session: Session, viewer: Viewer, course_id: str) -> None:
    projects = _projects(session, course_id)
    if not projects:
        raise NotFound("there is no such course")
    for project_id in projects:
        require(viewer, Action.MANAGE, Owned(learner_id=None, project_id=project_id))


def _read(row: CiTokenRow) -> CiToken:
    return CiToken(
        token_id=row.id,
        course_id=row.course_id,
        name=row.name,
        ends_with=row.ends_with,
        made_at=row.made_at,
        revoked_at=row.revoked_at,
    )
