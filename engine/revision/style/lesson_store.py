"""Which versions are still to be learned from, and who is at one of them: no version is learned from twice."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, func, literal, select
from sqlmodel import col

from db.rows import drop_running, take_lease
from db.tables import ArtifactRow, ArtifactVersionRow, LearningAttemptRow, LeaseRow, TextRow
from engine.access import Action
from engine.base_store import Store, lease_until
from engine.domain.learning import MOST_TRIES, LearningState, Unlearned, lesson_of, version_of_lesson
from engine.domain.people import Owned, Viewer, ViewerKind
from engine.domain.running import Lease, Subject
from engine.revision.style.lessons import BY_HAND, SPOKEN
from engine.revision.style.rule_store import add_attempt, persona_of, persona_row
from engine.work.version_store import require_artifact

LEARNED_WITHIN = timedelta(days=30)
"""An older version is not looked at any more."""
MOST_WAITING = 20
"""Versions that are told at one time."""
FRESH = timedelta(minutes=1)
"""After so long whoever saved a version has begun to learn from it, unless the process ended."""
INTERRUPTED = "interrupted"
"""Fault: whoever was at it is gone."""


class LessonStore(Store):
    """Knows what is left by the versions themselves, so that nothing has to be written down for it beforehand."""

    def waiting(self, viewer: Viewer, owned: Owned) -> tuple[Unlearned, ...]:
        """Versions that may teach something and from which nothing was learned so far, the oldest first.

        At most `MOST_WAITING` that were made within `LEARNED_WITHIN`. What a teacher did in a student's text is not
        among them, nor what was tried as often as may be, nor what was erased.
        """
        require_artifact(viewer, Action.READ, owned)
        now = self._clock()
        with self._reading() as session:
            rows = session.execute(_waiting(owned, now - LEARNED_WITHIN)).all()
        return tuple(_read(row, now) for row in rows)

    def take(self, viewer: Viewer, persona_id: str, version_id: str, lease: Lease) -> bool:
        """Take a version to learn from; False where that was done, was tried too often, or is under way.

        Whoever takes it writes down how it ended, which lets go of it.

        Raises:
            NotFound: there is no such persona.
        """
        with self._writing() as session:
            persona_row(session, viewer, Action.WRITE, persona_id, lock=True)
            now, lesson = self._clock(), lesson_of(version_id)
            states = list(session.scalars(_states(version_id)))
            held = session.get(LeaseRow, lesson)
            is_held = held is not None and held.until >= now
            if is_held or LearningState.DONE in states or len(states) >= MOST_TRIES:
                return False
            drop_running(session, lesson)
            until = lease_until(now, lease)
            take_lease(session, subject_id=lesson, kind=Subject.LESSON, holder=lease.holder, until=until)
            return True

    def interrupt(self, viewer: Viewer, lesson: str) -> None:
        """Write down that a version was not learned from because whoever was at it is gone; counts as a try."""
        with self._writing() as session:
            version = session.get(ArtifactVersionRow, version_of_lesson(lesson))
            artifact = session.get(ArtifactRow, version.artifact_id) if version else None
            if version is None or artifact is None:
                drop_running(session, lesson)
                return
            owned = Owned(learner_id=artifact.learner_id, project_id=artifact.project_id)
            require_artifact(viewer, Action.WRITE, owned)
            persona, now = persona_of(session, owned, lock=True), self._clock()
            held = session.get(LeaseRow, lesson)
            if held is None or held.until >= now:  # it ended, or somebody took it up again, while this waited
                return
            drop_running(session, lesson)
            if persona is not None:
                add_attempt(
                    session,
                    attempt_id=self._new_id(),
                    persona_id=persona.id,
                    artifact_id=artifact.id,
                    version_id=version.id,
                    fault=INTERRUPTED,
                    at=now,
                )


def _states(version_id: str) -> Select[str]:
    return select(col(LearningAttemptRow.state)).where(col(LearningAttemptRow.version_id) == version_id)


def _waiting(owned: Owned, since: datetime) -> Select[*tuple[Any, ...]]:
    tries = (
        select(func.count())
        .where(col(LearningAttemptRow.version_id) == col(ArtifactVersionRow.id))
        .correlate(ArtifactVersionRow)
        .scalar_subquery()
    )
    done = select(col(LearningAttemptRow.id)).where(
        col(LearningAttemptRow.version_id) == col(ArtifactVersionRow.id),
        col(LearningAttemptRow.state) == LearningState.DONE,
    )
    return (
        select(ArtifactVersionRow, tries.label("tries"), col(LeaseRow.until))
        .join(ArtifactRow, col(ArtifactRow.id) == col(ArtifactVersionRow.artifact_id))
        .join(TextRow, col(TextRow.id) == col(ArtifactVersionRow.title_text_id))
        .outerjoin(LeaseRow, col(LeaseRow.subject_id) == literal(lesson_of("")) + col(ArtifactVersionRow.id))
        .where(
            *_of_owner(owned),
            col(ArtifactVersionRow.reason).in_(sorted(SPOKEN | BY_HAND)),
            col(ArtifactVersionRow.parent_id).is_not(None),
            col(ArtifactVersionRow.made_at) >= since,
            col(TextRow.erased_at).is_(None),
            ~done.exists(),
            tries < MOST_TRIES,
        )
        .order_by(col(ArtifactVersionRow.made_at), col(ArtifactVersionRow.id))
        .limit(MOST_WAITING)
    )


def _of_owner(owned: Owned) -> tuple[ColumnElement[bool], ...]:
    """The owner's texts, as far as the owner changed them; who saved a version is not known of those from before."""
    is_theirs = (
        col(ArtifactRow.project_id) == owned.project_id,
        col(ArtifactRow.learner_id).is_not_distinct_from(owned.learner_id),
    )
    if owned.learner_id is None:
        return is_theirs
    return *is_theirs, col(ArtifactVersionRow.saved_by).is_distinct_from(ViewerKind.TEACHER)


def _read(row: Row[*tuple[Any, ...]], now: datetime) -> Unlearned:
    version: ArtifactVersionRow = row[0]
    return Unlearned(
        artifact_id=version.artifact_id,
        version_id=version.id,
        number=version.number,
        made_at=version.made_at,
        tries=row.tries,
        is_under_way=row.until is not None and row.until >= now,
        is_fresh=not row.tries and version.made_at > now - FRESH,
    )
