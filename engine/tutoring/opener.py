"""The tutor begins by itself after a review that found something not met."""

from engine.courses.support_store import SupportStore
from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER
from engine.domain.running import Lease
from engine.domain.session import Turn
from engine.domain.states import SupportLevel
from engine.jobs.worker import Worker
from engine.sessions.opening_store import OpeningStore
from engine.tutoring.opening import counts_as_failed
from engine.tutoring.tutor import Tutor


class Opener:
    """Asked when a review has ended; acts for the system, as whoever ends orphans does."""

    def __init__(self, *, tutor: Tutor, openings: OpeningStore, supports: SupportStore) -> None:
        self._tutor = tutor
        self._openings = openings
        self._supports = supports

    def open(self, key: FeedbackKey, attempt_id: str, worker: Worker) -> Turn | None:
        """Begin a turn; its reply is written by the worker. None where none begins: see `begin`."""
        turn = self.begin(key, attempt_id, worker.lease)
        if turn is not None:
            worker.submit(turn.turn_id, lambda: self._tutor.answer(LOCAL_VIEWER, turn, worker))
        return turn

    def begin(self, key: FeedbackKey, attempt_id: str, lease: Lease) -> Turn | None:
        """An open turn, for `Tutor.answer`.

        None, and nothing stored, where the teacher has switched this off, where the review does not count or found
        nothing that is not met, or where `OpeningStore.begin` finds a reason against it.
        """
        level = self._supports.level(LOCAL_VIEWER, key.project_id)
        if level is SupportLevel.OFF:
            return None
        feedback = self._tutor.current_feedback(LOCAL_VIEWER, key)
        submission, attempt = feedback.submission, feedback.attempt
        if submission is None or attempt is None or not counts_as_failed(feedback, attempt_id):
            return None
        return self._openings.begin(LOCAL_VIEWER, submission, attempt, level, lease)
