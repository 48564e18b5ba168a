"""Whether the tutor may begin by itself after a review."""

from engine.domain.feedback import Feedback
from engine.domain.states import AttemptOrigin, CriterionStatus, FeedbackState


def counts_as_failed(feedback: Feedback, attempt_id: str) -> bool:
    """Whether this attempt is the one that counts now, was judged, and found an acceptance criterion not met.

    So after a pass, after one that only waits for a person, after a fault of ours, by older rules, for older work,
    after a judgement that was taken over or a person's decision: no.
    """
    attempt = feedback.attempt
    return (
        feedback.state is FeedbackState.CURRENT
        and feedback.verdict is CriterionStatus.FAIL
        and attempt is not None
        and attempt.attempt_id == attempt_id
        and attempt.origin is AttemptOrigin.JUDGED
    )
