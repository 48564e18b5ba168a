"""The timeline of one student's task: every submission and attempt by number, and the one that counts."""

from collections.abc import Callable, Sequence

import streamlit as st

from engine.domain.feedback import Feedback
from engine.review.card import ReviewCard
from pages._widgets.card import card_looks, card_words
from pages._widgets.changes import change_summary
from pages._widgets.moments import moment
from pages._widgets.origin import origin_mark
from pages._widgets.states import GIVEN, badge
from pages._widgets.words import _

Open = Callable[[ReviewCard], None]


def draw_timeline(cards: Sequence[ReviewCard], used: Feedback, shown: ReviewCard, open_card: Open) -> None:
    """Newest first; a click opens an attempt, the one that the tutor is given is marked."""
    submission_id = None
    for card in cards:
        if card.row.submission.submission_id != submission_id:
            submission_id = card.row.submission.submission_id
            _draw_submission(card)
        _draw_attempt(card, is_used=_is_used(card, used), is_shown=card.row == shown.row, open_card=open_card)


def _draw_submission(card: ReviewCard) -> None:
    submission = card.row.submission
    number = "—" if submission.submission_seq is None else submission.submission_seq
    handed_in = _("Submission {n} (V{version})", n=number, version=submission.version_number)
    st.markdown(f"**{handed_in}**  :gray[{moment(submission.handed_in_at)}]")


def _draw_attempt(card: ReviewCard, *, is_used: bool, is_shown: bool, open_card: Open) -> None:
    attempt = card.row.attempt
    if attempt is None:
        st.caption(_("No review yet."))
        return
    name = _("Attempt {n}: {state}", n=attempt.attempt_seq, state=card_words(card))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            name,
            key=f"open_{attempt.attempt_id}",
            icon=f":material/{card_looks(card)[0].icon}:",
            type="secondary" if is_shown else "tertiary",
            on_click=open_card,
            args=(card,),
        )
        if mark := origin_mark(card):
            st.markdown(mark, width="content")
        if is_used:
            badge(GIVEN)
    if summary := change_summary(card):
        st.caption(summary)


def _is_used(card: ReviewCard, used: Feedback) -> bool:
    return (
        card.row.attempt is not None
        and used.attempt is not None
        and card.row.attempt.attempt_id == used.attempt.attempt_id
    )
