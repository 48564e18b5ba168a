"""See what was judged, by whom and on what evidence, and which attempt the tutor is given now."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from engine.domain.course import Task
from engine.domain.feedback import Feedback
from engine.domain.people import Viewer
from engine.domain.review import Attempt
from engine.errors import NotFound, TutorloopError
from engine.review.card import ReviewCard
from engine.review.review_store import ReviewFilter
from pages import _wiring
from pages._guard import require_viewer
from pages._widgets.address import name_in_address
from pages._widgets.anonymous import name_in, names_in
from pages._widgets.asked import open_asked
from pages._widgets.card import draw_card
from pages._widgets.card_desk import CardDesk
from pages._widgets.due import draw_due
from pages._widgets.errors import show_error
from pages._widgets.evidence import draw_beside, is_open
from pages._widgets.evidence_link import SUBMISSION, sources_of
from pages._widgets.markdown import literal
from pages._widgets.origin import tally_words
from pages._widgets.review_filters import clear_filters, draw_filters
from pages._widgets.review_table import PAGE, ROWS, address_of, draw_steps, draw_table, page_number
from pages._widgets.state_line import draw_state_line, follow_review, judge_rest_of
from pages._widgets.strip import draw_strip
from pages._widgets.subject import Place, choose_place
from pages._widgets.teacher import teaches
from pages._widgets.timeline import draw_timeline
from pages._widgets.trace import draw_trace
from pages._widgets.words import _

MAX_DIGITS = 9
"""Of an attempt's number in an address."""
viewer = require_viewer()


class ReviewsPage:
    """One run of the page."""

    def __init__(self, viewer: Viewer, place: Place, filters: Sequence[DeltaGenerator]) -> None:
        self._viewer = viewer
        self._filters = filters
        self._place = place
        self._space = place.space
        self._names = names_in(viewer, place.space, place.course.course_id)

    def draw(self) -> None:
        """Filters and table, then the chosen review beside its timeline."""
        chosen = draw_filters(self._place.course, self._names, self._filters)
        before = self._page(chosen)[0]
        used = self._used(self._chosen(before)) if before else None
        cards, total = self._page(chosen)  # read after it: a review that ended between them is followed to no end
        everything = ReviewFilter(project_ids=chosen.project_ids)
        _cards, of = self._space.cards.page(self._viewer, everything, limit=1)
        if not of:
            st.info(_("No reviews yet. Each review of handed-in work stays here; none is overwritten."))
            return
        st.caption(tally_words(self._space.teaching.origins.tally(self._viewer, chosen), of))
        if not cards:
            st.info(_("No review fits these filters ({n:,} in all).", n=of))
            st.button(_("Clear filters"), key="clear_filters", on_click=clear_filters)
            return
        draw_table(cards, total, self._names, _open)
        card = self._chosen(cards)
        draw_steps(cards, card, _open)
        self._draw_chosen(card, used)

    def _page(self, chosen: ReviewFilter) -> tuple[Sequence[ReviewCard], int]:
        """The cards of the page that was turned to, or of the first where a filter left fewer pages."""
        wanted = page_number()
        cards, total = self._space.cards.page(self._viewer, chosen, limit=ROWS, offset=(wanted - 1) * ROWS)
        if cards or wanted == 1:
            return cards, total
        st.session_state[PAGE] = 1
        return self._space.cards.page(self._viewer, chosen, limit=ROWS)

    def _used(self, card: ReviewCard) -> Feedback:
        """What the tutor is given now of the work that this card is about."""
        return self._space.tutor.current_feedback(self._viewer, card.row.submission.key)

    def _draw_chosen(self, card: ReviewCard, used: Feedback | None) -> None:
        key, submission_id = card.row.submission.key, card.row.submission.submission_id
        used = used if used is not None and used.key == key else self._used(card)
        follow_review(self._viewer, self._space, key, used)
        timeline = self._space.cards.timeline(self._viewer, key)
        card = next((each for each in timeline if each.row == card.row), card)  # which says what changed, too
        student = name_in(self._names, key.learner_id, card.row.learner_name)
        names = {"student": literal(student), "task": literal(card.row.task_title)}
        st.subheader(_("{student} · {task}", **names))
        draw_due(self._task_of(card), card.row.submission.handed_in_at)
        with st.container(key="card_and_files"):
            left, right = st.columns([1, 1] if is_open() else [3, 2])
        with left:
            draw_card(
                card,
                key=address_of(card),
                unfolded=True,
                judge_rest=judge_rest_of(self._viewer, self._space, used, card),
                foot=sources_of(self._viewer, self._space.work, submission_id, self._space.artifacts),
                desk=self._desk(card, timeline),
            )
            name = _("What this attempt says, step by step")
            with st.expander(name, icon=":material/route:", key="steps", on_change="rerun") as steps:
                if steps.open:
                    draw_trace(card.feedback.trace)
        with right:
            if is_open():
                draw_beside(self._viewer, self._space.work, submission_id)
            else:
                self._draw_timeline(timeline, card, used)

    def _draw_timeline(self, timeline: Sequence[ReviewCard], card: ReviewCard, used: Feedback) -> None:
        st.subheader(_("Timeline"))
        with st.container(horizontal=True, vertical_alignment="center"):
            draw_state_line(self._viewer, self._space, used)
        draw_timeline(timeline, used, card, _open)

    def _task_of(self, card: ReviewCard) -> Task | None:
        key = card.row.submission.key
        projects = [one for one in self._place.course.projects if one.project_id == key.project_id]
        return next((task for one in projects for task in one.tasks if task.task_id == key.task_id), None)

    def _desk(self, card: ReviewCard, timeline: Sequence[ReviewCard]) -> CardDesk:
        """Decisions are made on the newest attempt of a submission, and on what it finished or judged."""
        newest = next(one for one in timeline if one.row.submission.submission_id == card.row.submission.submission_id)
        is_newest = newest.row.attempt is not None and newest.row.attempt == card.row.attempt
        return CardDesk(
            viewer=self._viewer,
            space=self._space,
            card=card,
            as_teacher=is_newest and not card.by_older_rules and teaches(self._viewer, card.row.submission.key),
            as_student=False,
            on_saved=_show_decision,
        )

    def _chosen(self, cards: Sequence[ReviewCard]) -> ReviewCard:
        """The review that the address names, else one of the submission it names, else the first of the table."""
        submission_id, _slash, attempt = st.query_params.get("review", "").partition("/")
        if not submission_id:
            wanted = st.query_params.get(SUBMISSION)
            return next((card for card in cards if card.row.submission.submission_id == wanted), cards[0])
        try:
            return self._space.cards.one(self._viewer, submission_id, _attempt_seq(attempt))
        except NotFound:  # an address from before the review began names no attempt
            return next((card for card in cards if card.row.submission.submission_id == submission_id), cards[0])


def _attempt_seq(written: str) -> int | None:
    """The number in an address; None where there is none, or one that no database holds."""
    return int(written) if written.isdecimal() and len(written) <= MAX_DIGITS else None


def _show_decision(attempt: Attempt) -> None:
    name_in_address("review", f"{attempt.submission_id}/{attempt.attempt_seq}")


def _open(card: ReviewCard) -> None:
    name_in_address("review", address_of(card))


def draw() -> None:
    """The page, for the viewer it was opened for."""
    workbench = _wiring.workbench()
    course, *filters = st.columns([4, 4, 3, 3])
    with course:
        place = choose_place(viewer, workbench)
    if place is None:
        st.info(_("No reviews yet. Each review of handed-in work stays here; none is overwritten."))
        return
    draw_strip(is_demo=place.is_demo, is_offline=workbench.is_offline, can_hand_in=False)
    ReviewsPage(viewer, place, filters).draw()
    open_asked(viewer, place.space.calls)


try:
    draw()
except TutorloopError as error:
    show_error(error)
