"""The state of the newest submission in one line: its badge, why it holds, and what can be done about it."""

import streamlit as st

from engine.domain.feedback import Feedback
from engine.domain.keys import FeedbackKey
from engine.domain.people import Viewer
from engine.domain.states import FeedbackState
from engine.errors import TutorloopError
from engine.review.card import ReviewCard
from engine.wiring import Space
from pages._widgets.changes import JudgeRest
from pages._widgets.errors import show_error
from pages._widgets.hand_in import is_handing_in
from pages._widgets.states import feedback_looks, inline
from pages._widgets.trace import draw_trace
from pages._widgets.words import _

REVIEWABLE = frozenset(
    {FeedbackState.STALE_RULES, FeedbackState.UNAVAILABLE, FeedbackState.INVALID, FeedbackState.PENDING}
)
"""States in which a new review of the same submission can help."""
LOOK_EVERY = 1.0
"""Seconds between two looks at a review that is under way."""


def draw_badge(feedback: Feedback) -> None:
    """The state as badges in one line."""
    looks = feedback_looks(feedback.state, (item.status for item in feedback.items))
    st.markdown(" ".join(inline(look) for look in looks), width="content")


def draw_state_line(viewer: Viewer, space: Space, feedback: Feedback) -> None:
    """Badge, reason and, where it can help, a button for a new review."""
    draw_badge(feedback)
    with st.popover(_("Why"), icon=":material/route:", type="tertiary"):
        draw_trace(feedback.trace)
    submission = feedback.submission
    is_under_way = feedback.state is FeedbackState.PENDING and feedback.attempt is not None
    helps = feedback.state in REVIEWABLE or space.reviewer.can_judge_more(viewer, feedback)
    if helps and submission is not None and not is_under_way:
        after = feedback.attempt.attempt_seq if feedback.attempt else 0
        st.button(
            _("Review it now") if feedback.attempt is None else _("Review again"),
            key=f"review_again_{submission.submission_id}_{after}",  # another button once another review began
            icon=":material/refresh:",
            on_click=_start_review,
            args=(viewer, space, submission.submission_id, after),
        )


def _start_review(viewer: Viewer, space: Space, submission_id: str, after: int) -> None:
    try:
        space.reviewer.start_next(viewer, submission_id, space.worker, after=after)
    except TutorloopError as error:
        show_error(error)


def judge_rest_of(viewer: Viewer, space: Space, used: Feedback, card: ReviewCard) -> JudgeRest | None:
    """What the card's button does: a review that takes over what was finished. None where this is not the newest."""
    attempt = card.row.attempt
    if attempt is None or attempt != used.attempt or used.state is not FeedbackState.UNAVAILABLE:
        return None
    return lambda shown: _start_review(viewer, space, shown.row.submission.submission_id, attempt.attempt_seq)


def follow_review(viewer: Viewer, space: Space, key: FeedbackKey, shown: Feedback) -> None:
    """Look again until something other than `shown` is true, then draw the page anew; an open form comes first."""

    @st.fragment(run_every=LOOK_EVERY)
    def watch() -> None:
        try:
            now = space.tutor.current_feedback(viewer, key)
        except TutorloopError as error:
            show_error(error)
            return
        is_news = (now.state, now.submission, now.attempt) != (shown.state, shown.submission, shown.attempt)
        if is_news and not is_handing_in():
            if now.attempt is not None:  # the tutor may begin in the same job, and is to be on the page at once
                space.worker.wait(now.attempt.attempt_id, timeout_s=LOOK_EVERY)
            st.rerun()

    watch()
