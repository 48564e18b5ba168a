"""Handing in: work becomes a submission, the conversation is told, and a review begins."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from engine.courses.course_store import CourseStore
from engine.courses.templates import general_project
from engine.domain.keys import FeedbackKey
from engine.domain.people import Viewer
from engine.domain.review import Attempt
from engine.domain.states import Language
from engine.domain.work import Provenance, Submission, WorkFile, take_snapshot
from engine.jobs.worker import Worker
from engine.review.logs import keep_told
from engine.review.reviewer import Reviewer
from engine.sessions.session_store import SessionStore
from engine.work.work_store import WorkStore


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedIn:
    """What became of a hand-in."""

    submission: Submission
    attempt: Attempt | None
    """None when the same form had handed it in before, so that nothing new began."""


class HandInDesk:
    """Takes work that was read by `engine.work.unpack`."""

    def __init__(self, *, courses: CourseStore, work: WorkStore, sessions: SessionStore, reviewer: Reviewer) -> None:
        self._courses = courses
        self._work = work
        self._sessions = sessions
        self._reviewer = reviewer

    def hand_in(
        self,
        viewer: Viewer,
        key: FeedbackKey,
        files: tuple[WorkFile, ...],
        *,
        token: str,
        worker: Worker,
        conversation_id: str | None = None,
        provenance: Provenance | None = None,
        after: int | None = None,
    ) -> HandedIn:
        """Store the work as a new submission and begin its review.

        `token` is of the form on the screen: the same form twice is one submission, one note and one review.
        Where the first time broke off in between, the second does what is missing. Of logs head and tail are
        stored, without secrets; everything else as it is.

        Raises:
            Overtaken: as `WorkStore.hand_in`, of `after`.
        """
        snapshot = take_snapshot(tuple(keep_told(file) for file in files))
        submission, _is_new = self._work.hand_in(viewer, key, snapshot, token=token, provenance=provenance, after=after)
        if conversation_id is not None:
            self._sessions.add_note(viewer, conversation_id, write_note(submission))
        attempt = self._reviewer.review(viewer, submission.submission_id, worker)
        return HandedIn(submission=submission, attempt=attempt)

    def my_name(self, viewer: Viewer) -> str | None:
        """Under which name work was handed in to *My course* before; None before the first time."""
        course = self._courses.course_by_slug(viewer, general_project(Language.EN).course_id)
        learners = self._courses.learners(viewer, course.course_id) if course else ()
        return learners[0].name if learners else None

    def my_course(self, viewer: Viewer, language: Language, learner_name: str) -> FeedbackKey:
        """The key of *My course*, made from the general template if there is none yet, with one learner."""
        template = general_project(language)
        course = self._courses.course_by_slug(viewer, template.course_id)
        if course is None:
            course = self._courses.keep_course(viewer, template)
        learners = self._courses.learners(viewer, course.course_id)
        learner = next((known for known in learners if known.name == learner_name), None)
        if learner is None:
            learner = self._courses.add_learner(viewer, learner_name, course_id=course.course_id)
        project = course.projects[0]
        return FeedbackKey(
            learner_id=learner.learner_id, project_id=project.project_id, task_id=project.tasks[0].task_id
        )


def write_note(submission: Submission) -> str:
    """The system row for a hand-in; pages word it in the reader's language."""
    return json.dumps(
        {
            "note": "handed_in",
            "submission_id": submission.submission_id,
            "submission_seq": submission.submission_seq,
            "version_number": submission.version_number,
        }
    )


def read_note(text: str) -> Mapping[str, object]:
    """What a system row says; empty when it is none of ours."""
    try:
        note = json.loads(text)
    except ValueError:
        return {}
    return note if isinstance(note, dict) else {}
