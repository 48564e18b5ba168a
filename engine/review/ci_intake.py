"""A build server hands in: its test report joins the learner's newest work, and a review begins."""

from contextlib import suppress
from dataclasses import dataclass

from engine.courses.ci_token_store import CiDoor, CiToken
from engine.courses.course_store import CourseStore
from engine.domain.course import Course, Project
from engine.domain.keys import FeedbackKey
from engine.domain.people import Viewer
from engine.domain.review import Attempt
from engine.domain.states import FileKind
from engine.domain.work import Submission, WorkFile
from engine.errors import CiReportRefused, NotFound, StoreError
from engine.jobs.worker import Worker
from engine.review.ci_report import read_report
from engine.review.hand_in import HandInDesk
from engine.review.review_store import ReviewStore
from engine.work.unpack import Upload, read_hand_in
from engine.work.work_store import Overtaken, WorkStore

FOLDER = "ci/"
"""Where reports of build servers stand among the files of a submission."""
NAME_CHARACTERS = 64
DELIVERY_CHARACTERS = 128
TRIES = 10
"""So often a delivery begins anew because other work came in while it was put together."""
_BY_BUILD_SERVER = "ci:"
"""With it the tokens of submissions begin that came through this door."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """One report as it was sent."""

    delivery_id: str
    """The sender's own id of it: the same one twice, for the same report of the same task, is one submission."""
    learner: str
    """Name in the class list, or id."""
    task: str
    """The author's id of the task."""
    project: str | None
    """Title or id of the project; None where only one has a task of this id."""
    name: str
    """Which of several pipelines it is from; a later report of this name takes the place of an earlier one."""
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What became of a delivery."""

    submission: Submission
    attempt: Attempt
    is_new: bool
    """False where the same delivery had come before."""


class CiIntake:
    """Takes reports of build servers. What a learner handed in stays; reports that learners added give way."""

    def __init__(
        self,
        *,
        door: CiDoor,
        courses: CourseStore,
        work: WorkStore,
        reviews: ReviewStore,
        desk: HandInDesk,
    ) -> None:
        self._door = door
        self._courses = courses
        self._work = work
        self._reviews = reviews
        self._desk = desk

    def check_key(self, key: str) -> None:
        """Go on only with a key in force, before anything else is looked at.

        Raises:
            TokenRefused: the key is unknown or revoked.
        """
        self._door.sender(key)

    def take(self, key: str, delivery: Delivery, worker: Worker) -> Taken:
        """Make a submission of the newest work with this report, and begin its review.

        What comes in while it is put together, work or another report, is never displaced: it begins anew.

        Raises:
            TokenRefused: the key is unknown or revoked.
            CiReportRefused: no such learner or task, or no report that can be read.
            HandInError: the report, or everything together, is too large.
            StoreError: other work came in again and again.
        """
        token, sender = self._door.sender(key)
        _check_delivery(delivery)
        report = _read(delivery)
        target = self._target(sender, token, delivery)
        name = f"{_BY_BUILD_SERVER}{token.token_id}:{target.project_id}/{target.task_id}/{delivery.name}"
        for _ in range(TRIES):
            with suppress(Overtaken):
                return self._hand_in(sender, target, report, f"{name}:{delivery.delivery_id}", worker)
        raise StoreError("other work came in again and again while this report was taken")

    def _hand_in(self, sender: Viewer, target: FeedbackKey, report: WorkFile, token: str, worker: Worker) -> Taken:
        newest = next((row.submission for row in self._reviews.timeline(sender, target)), None)
        handed_in = self._desk.hand_in(
            sender,
            target,
            (*self._others(sender, newest, report.path), report),
            token=token,
            worker=worker,
            provenance=self._work.provenance(sender, newest.submission_id) if newest else None,
            after=(newest.submission_seq or 0) if newest else 0,
        )
        return Taken(
            submission=handed_in.submission,
            attempt=handed_in.attempt or self._newest_attempt(sender, handed_in.submission),
            is_new=handed_in.attempt is not None,
        )

    def _target(self, sender: Viewer, token: CiToken, delivery: Delivery) -> FeedbackKey:
        course = next((one for one in self._courses.courses(sender) if one.course_id == token.course_id), None)
        if course is None:
            raise CiReportRefused("the course of this key is gone", reason="unknown_task")
        return FeedbackKey(
            learner_id=self._learner(sender, course, delivery.learner),
            project_id=_project(course, delivery).project_id,
            task_id=delivery.task,
        )

    def _learner(self, sender: Viewer, course: Course, wanted: str) -> str:
        listed = self._courses.learners(sender, course.course_id)
        ids = {one.learner_id for one in listed if wanted in (one.learner_id, one.name)}
        if len(ids) != 1:
            reason = "learner_not_unique" if ids else "unknown_learner"
            raise CiReportRefused(f"{len(ids)} learners of this course are called {wanted!r}", reason=reason)
        return ids.pop()

    def _others(self, sender: Viewer, newest: Submission | None, path: str) -> tuple[WorkFile, ...]:
        """The work of the newest submission, and the reports of other pipelines that came through this door.

        A report that a learner put into the same folder is none of them.
        """
        if newest is None:
            return ()
        files = self._work.snapshot(sender, newest.submission_id).files
        came_by = self._work.token(sender, newest.submission_id) or ""
        has_ours = came_by.startswith(_BY_BUILD_SERVER)
        return tuple(
            file
            for file in files
            if file.path != path and (file.kind is not FileKind.REPORT or (has_ours and file.path.startswith(FOLDER)))
        )

    def _newest_attempt(self, sender: Viewer, submission: Submission) -> Attempt:
        for row in self._reviews.timeline(sender, submission.key):
            if row.submission.submission_id == submission.submission_id and row.attempt is not None:
                return row.attempt
        raise NotFound("the review of this delivery has not begun")


def _check_delivery(delivery: Delivery) -> None:
    for value, limit, reason in (
        (delivery.delivery_id, DELIVERY_CHARACTERS, "bad_delivery_id"),
        (delivery.name, NAME_CHARACTERS, "bad_name"),
    ):
        if not 1 <= len(value) <= limit or not value.isascii() or not value.isprintable() or set("/\\") & set(value):
            raise CiReportRefused(f"{value[:limit]!r} is no usable name", reason=reason)


def _read(delivery: Delivery) -> WorkFile:
    """The report as a file of the work; one that cannot be read to its end is refused, since nobody would see it."""
    path = f"{FOLDER}{delivery.name}.xml"
    (file,) = read_hand_in([Upload(name=path, content=delivery.body)]).files if delivery.body.strip() else (None,)
    if file is None or file.body is None or file.kind is not FileKind.REPORT:
        raise CiReportRefused("the body is no JUnit XML report", reason="not_a_report")
    problem = read_report(path, file.body).problem
    if problem is not None:
        raise CiReportRefused(f"the report cannot be read: {problem}", reason=f"report_{problem}")
    return file


def _project(course: Course, delivery: Delivery) -> Project:
    fitting = [
        project
        for project in course.projects
        if delivery.project in (None, project.project_id, project.title)
        and any(task.task_id == delivery.task for task in project.tasks)
    ]
    if len(fitting) != 1:
        reason = "task_not_unique" if fitting else "unknown_task"
        raise CiReportRefused(f"{len(fitting)} tasks of this course have the id {delivery.task!r}", reason=reason)
    return fitting[0]
