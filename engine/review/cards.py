"""Cards of stored reviews, read by the rules in force and kept while nothing changes."""

from collections.abc import Mapping

from engine.courses.course_store import CourseStore
from engine.domain.keys import FeedbackKey, ReviewLogic
from engine.domain.people import Viewer
from engine.domain.states import AttemptOrigin
from engine.read_cache import ReadCache
from engine.review.card import ReviewCard, read_card
from engine.review.origin_store import OriginStore
from engine.review.review_store import ReviewFilter, ReviewRow, ReviewStore


class Cards:
    """Asks the store of reviews, which asks whether the viewer may, and makes of each row its card."""

    def __init__(
        self,
        *,
        courses: CourseStore,
        reviews: ReviewStore,
        origins: OriginStore,
        logic: ReviewLogic,
        reads: ReadCache,
    ) -> None:
        self._courses = courses
        self._reviews = reviews
        self._origins = origins
        self._logic = logic
        self._reads = reads

    def timeline(self, viewer: Viewer, key: FeedbackKey) -> tuple[ReviewCard, ...]:
        """As `ReviewStore.timeline`; these cards say what changed from submission to submission."""

        def read() -> tuple[ReviewCard, ...]:
            rows = self._reviews.timeline(viewer, key)
            return self._cards(viewer, rows, rows)

        return self._reads.get(("timeline of cards", viewer, key), read)

    def page(
        self, viewer: Viewer, chosen: ReviewFilter, *, limit: int, offset: int = 0
    ) -> tuple[tuple[ReviewCard, ...], int]:
        """As `ReviewStore.page`."""

        def read() -> tuple[tuple[ReviewCard, ...], int]:
            rows, total = self._reviews.page(viewer, chosen, limit=limit, offset=offset)
            return self._cards(viewer, rows), total

        return self._reads.get(("page of cards", viewer, chosen, limit, offset), read)

    def one(self, viewer: Viewer, submission_id: str, attempt_seq: int | None) -> ReviewCard:
        """As `ReviewStore.one`.

        Raises:
            NotFound: there is no such review, or it is not the viewer's to read.
        """

        def read() -> ReviewCard:
            return self._cards(viewer, (self._reviews.one(viewer, submission_id, attempt_seq),))[0]

        return self._reads.get(("one card", viewer, submission_id, attempt_seq), read)

    def _cards(
        self, viewer: Viewer, rows: tuple[ReviewRow, ...], timeline: tuple[ReviewRow, ...] = ()
    ) -> tuple[ReviewCard, ...]:
        reused = frozenset(source for row in rows if (source := _reused(row)) is not None)
        seqs = self._origins.submission_seqs(viewer, reused)
        return tuple(self._card(viewer, row, seqs, timeline) for row in rows)

    def _card(
        self, viewer: Viewer, row: ReviewRow, seqs: Mapping[str, int], timeline: tuple[ReviewRow, ...]
    ) -> ReviewCard:
        key = row.submission.key
        rubric = self._courses.task(viewer, key.project_id, key.task_id).rubric_version
        return read_card(row, self._logic.with_rubric(rubric), timeline, seqs.get(_reused(row) or ""))


def _reused(row: ReviewRow) -> str | None:
    """Id of the attempt whose judgement this one took over."""
    attempt = row.attempt
    return attempt.from_attempt_id if attempt is not None and attempt.origin is AttemptOrigin.REUSED else None
