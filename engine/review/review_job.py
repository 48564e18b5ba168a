"""What a review job does to one submission: one attempt in each run, brought to its end whoever began it."""

from collections.abc import Callable

from engine.domain.job import JobItem
from engine.domain.people import LOCAL_VIEWER
from engine.domain.running import Lease
from engine.jobs.run_store import Claim, ClaimState, RunStore
from engine.jobs.runner import Hold
from engine.review.reviewer import BegunReview, Reviewer

WAIT_SECONDS = 1.0
"""Between two looks at what somebody else is at."""


class ReviewJob:
    """Used by several threads at one time. Whether the person may, was asked when the job was."""

    def __init__(self, *, reviewer: Reviewer, runs: RunStore, lease: Lease, sleep: Callable[[float], None]) -> None:
        self._reviewer = reviewer
        self._runs = runs
        self._lease = lease
        self._sleep = sleep

    def __call__(self, item: JobItem, hold: Hold) -> None:
        """Review it, or go on with what was begun; nothing when it has had its turn."""
        claim = self._claimed(item)
        if claim.state is ClaimState.ENDED:
            return
        begun = self._begin(item) if claim.attempt_id is None else self._go_on(item, claim.attempt_id)
        if begun is not None:
            with hold(begun.attempt.attempt_id):
                self._reviewer.judge(LOCAL_VIEWER, begun)

    def _claimed(self, item: JobItem) -> Claim:
        while (claim := self._runs.claim(item, self._lease)).state is ClaimState.HELD:
            self._sleep(WAIT_SECONDS)
        return claim

    def _begin(self, item: JobItem) -> BegunReview:
        return self._reviewer.begin(LOCAL_VIEWER, item.submission_id, self._lease, item)

    def _go_on(self, item: JobItem, attempt_id: str) -> BegunReview | None:
        """The attempt as it would begin now; ended as interrupted where the rules or the model are others by now."""
        begun = self._reviewer.begin_again(LOCAL_VIEWER, item.submission_id, attempt_id)
        if begun is None:
            self._reviewer.interrupt(attempt_id)
        return begun
