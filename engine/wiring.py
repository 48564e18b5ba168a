"""The one place where the product is put together. Pages, the server and the command line use it."""

import contextlib
import uuid
from collections.abc import Iterator
from dataclasses import dataclass

import uuid_utils
from sqlalchemy import Engine

from db.connection import open_database
from engine.courses.course_store import CourseStore
from engine.domain.clock import Clock, NewId, utc_now
from engine.domain.running import Subject
from engine.feedback.feedback_store import FeedbackStore
from engine.jobs.lease_store import LeaseStore, Orphan
from engine.jobs.worker import Worker
from engine.llm.gateway import Gateway
from engine.llm.offline import offline_gateway
from engine.review.hand_in import HandInDesk
from engine.review.review_store import ReviewStore
from engine.review.reviewer import Reviewer
from engine.review.version import review_logic
from engine.sessions.session_store import SessionStore
from engine.settings import Settings
from engine.tutoring.tutor import Tutor
from engine.work.work_store import WorkStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """One database and everything that works on it."""

    database: Engine
    courses: CourseStore
    work: WorkStore
    sessions: SessionStore
    reviews: ReviewStore
    feedback: FeedbackStore
    leases: LeaseStore
    tutor: Tutor
    reviewer: Reviewer
    desk: HandInDesk
    worker: Worker

    def close(self) -> None:
        """Finish what runs, then let go of the database."""
        self.worker.close()
        self.database.dispose()


def new_id() -> str:
    """A fresh UUIDv7 as text."""
    return str(uuid_utils.uuid7())


def build_gateway(settings: Settings) -> Gateway:
    """The configured model, or the offline tutor."""
    return offline_gateway() if settings.model is None else Gateway(server=settings.model)


def build_space(
    url: str, gateway: Gateway, *, clock: Clock = utc_now, ids: NewId = new_id, holder: str | None = None
) -> Space:
    """Open the database at `url` and put a space together on it. The worker is not started yet."""
    database = open_database(url)
    courses = CourseStore(database, clock=clock, new_id=ids)
    work = WorkStore(database, clock=clock, new_id=ids)
    sessions = SessionStore(database, clock=clock, new_id=ids)
    reviews = ReviewStore(database, clock=clock, new_id=ids)
    feedback = FeedbackStore(database, clock=clock, new_id=ids)
    leases = LeaseStore(database, clock=clock, new_id=ids)
    logic = review_logic()
    tutor = Tutor(
        courses=courses,
        feedback=feedback,
        sessions=sessions,
        leases=leases,
        gateway=gateway,
        logic=logic,
        clock=clock,
    )
    reviewer = Reviewer(courses=courses, work=work, reviews=reviews, leases=leases, logic=logic)
    return Space(
        database=database,
        courses=courses,
        work=work,
        sessions=sessions,
        reviews=reviews,
        feedback=feedback,
        leases=leases,
        tutor=tutor,
        reviewer=reviewer,
        desk=HandInDesk(courses=courses, work=work, sessions=sessions, reviewer=reviewer),
        worker=Worker(leases, holder=holder or str(uuid.uuid4()), end_orphan=_EndOrphan(tutor, reviewer)),
    )


class _EndOrphan:
    """Ends an orphan by the use case that its kind belongs to."""

    def __init__(self, tutor: Tutor, reviewer: Reviewer) -> None:
        self._by_kind = {Subject.TURN: tutor.interrupt, Subject.ATTEMPT: reviewer.interrupt}

    def __call__(self, orphan: Orphan) -> None:
        self._by_kind[orphan.kind](orphan.subject_id)


@contextlib.contextmanager
def opened(url: str, gateway: Gateway, *, clock: Clock = utc_now) -> Iterator[Space]:
    """A space for a while, its worker started."""
    space = build_space(url, gateway, clock=clock)
    space.worker.start()
    try:
        yield space
    finally:
        space.close()
