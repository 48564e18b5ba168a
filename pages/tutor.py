"""Talk about the work with a tutor that demonstrably has the current review."""

import streamlit as st

from engine.domain.people import Viewer
from engine.domain.session import Message, Turn
from engine.domain.states import FeedbackState, TurnState
from engine.errors import TutorloopError
from engine.review.card import CardLine, ReviewCard
from pages import _wiring
from pages._guard import require_viewer
from pages._widgets.card import draw_card
from pages._widgets.card_desk import CardDesk
from pages._widgets.chat import draw_actions, draw_note, draw_question, draw_reply, follow_reply, note_submission
from pages._widgets.chips import draw_chips
from pages._widgets.conversations import ConversationChoice
from pages._widgets.drawers import draw_no_course, open_drawer
from pages._widgets.due import draw_due
from pages._widgets.errors import show_error
from pages._widgets.evidence_link import sources_of
from pages._widgets.follow import follow
from pages._widgets.hand_in import HandInDrawer, draw_hand_in_button, is_handing_in
from pages._widgets.refused import forget_refused, give_back, is_refused, refuse
from pages._widgets.state_line import draw_badge, draw_state_line, follow_review, judge_rest_of
from pages._widgets.step_in import draw_step_in
from pages._widgets.strip import draw_strip
from pages._widgets.subject import Subject, choose_subject
from pages._widgets.summary_line import SummaryLine
from pages._widgets.words import _

LAST = 20
"""Entries of a conversation that are drawn at first."""
MORE = 50
"""Entries that one click on *older* adds."""
INPUT = "ask_tutor"

viewer = require_viewer()


class TutorPage:
    """One run of the page."""

    def __init__(self, viewer: Viewer, subject: Subject) -> None:
        self._viewer = viewer
        self._subject = subject
        self._space = subject.space
        self._feedback = self._space.tutor.current_feedback(viewer, subject.key)
        self._conversations = ConversationChoice(viewer, subject)
        self._cards = self._read_cards()
        submission = self._feedback.submission
        self._newest_id = submission.submission_id if submission else None
        self._newest_seq = submission.submission_seq if submission else None

    def draw(self) -> None:
        """State and hand-in above, the conversation, chips and input below."""
        self._draw_bar()
        if self._feedback.state is FeedbackState.PENDING:
            follow_review(self._viewer, self._space, self._subject.key, self._feedback)
        self._take_message()
        self._draw_conversation()

    def _read_cards(self) -> dict[str, ReviewCard]:
        """The newest card of each submission."""
        cards = self._space.cards.timeline(self._viewer, self._subject.key)
        return {card.row.submission.submission_id: card for card in reversed(cards)}

    def _draw_bar(self) -> None:
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            with st.container(horizontal=True, vertical_alignment="center", width="content"):
                draw_state_line(self._viewer, self._space, self._feedback)
                newest = self._feedback.submission
                draw_due(self._subject.task, newest.handed_in_at if newest else None)
            with st.container(horizontal=True, vertical_alignment="center", width="content"):
                self._conversations.draw()
                draw_step_in(self._viewer, self._subject, self._conversations.begin)

    def _open_drawer(self) -> None:
        HandInDrawer(
            viewer=self._viewer,
            workbench=_wiring.workbench(),
            subject=self._subject,
            begin_conversation=self._conversations.begin,
        ).open()

    def _take_message(self) -> None:
        with st.bottom:
            give_back(INPUT)
            with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
                with st.container(horizontal=True, vertical_alignment="center", width="content"):
                    draw_badge(self._feedback)
                    chip = draw_chips(self._feedback.state)
                draw_hand_in_button()
            asked = st.container(key="ask").chat_input(_("Ask the tutor …"), key=INPUT)
        if is_handing_in():
            self._open_drawer()
        typed = asked if isinstance(asked, str) else None
        question = chip if typed is None else typed
        if question is not None:
            self._ask(question, is_typed=typed is not None)
            if is_refused():
                st.rerun()

    def _ask(self, question: str, *, is_typed: bool = False) -> None:
        """Send a message in the conversation on the screen, beginning one if there is none; typing is never lost."""
        try:
            conversation = self._conversations.begin()
            self._space.tutor.send(self._viewer, conversation.conversation_id, question, self._space.worker)
        except TutorloopError as error:
            refuse(error, question if is_typed else None)

    def _draw_conversation(self) -> None:
        shown = self._conversations.shown
        entries: tuple[Turn | Message, ...] = ()
        if shown is not None:
            entries = self._read_entries(shown.conversation_id)
        if self._newest_id not in {note_submission(entry) for entry in entries if isinstance(entry, Message)}:
            self._draw_submission(self._newest_id)
        if not entries and self._newest_id is None:
            st.info(
                _("Nothing handed in yet. Hand in your work so that the tutor has a review to go by, or simply ask.")
            )
        line = SummaryLine(self._viewer, self._space.summaries, shown)
        for entry in entries:
            line.draw_before(entry)
            self._draw_entry(entry)
        asked = sum(isinstance(entry, Turn) for entry in entries)
        follow(f"{shown.conversation_id if shown else ''}:{asked}")

    def _read_entries(self, conversation_id: str) -> tuple[Turn | Message, ...]:
        name = f"last_{conversation_id}"
        last = st.session_state.get(name, LAST)
        entries, older = self._space.sessions.entries(self._viewer, conversation_id, last=last)
        if older and st.button(_("Show older ({n})", n=older), key="older", type="tertiary"):
            st.session_state[name] = last + MORE
            st.rerun()
        return entries

    def _draw_entry(self, entry: Turn | Message) -> None:
        if isinstance(entry, Message):
            draw_note(entry)
            self._draw_submission(note_submission(entry))
            return
        draw_question(entry)
        if entry.state is TurnState.OPEN:
            follow_reply(self._viewer, self._space, entry)
            return
        plans = self._space.sessions.plans(self._viewer, entry.conversation_id) if entry.plan else ()
        with draw_reply(entry, newest_submission=self._newest_seq, plans=plans):
            draw_actions(self._viewer, self._space, entry)

    def _draw_submission(self, submission_id: str | None) -> None:
        """The card of a submission: whole for the newest one, folded for those before it."""
        card = self._cards.get(submission_id or "")
        if card is None or submission_id is None:
            return
        if submission_id == self._newest_id:
            draw_card(
                card,
                key=submission_id,
                work_on=self._work_on,
                judge_rest=judge_rest_of(self._viewer, self._space, self._feedback, card),
                foot=sources_of(self._viewer, self._space.work, submission_id, self._space.artifacts),
                desk=CardDesk(viewer=self._viewer, space=self._space, card=card, as_teacher=False, as_student=True),
            )
            return
        label = _("Review of submission {n}", n=card.row.submission.submission_seq)
        with st.expander(label, type="compact", key=f"older_{submission_id}", on_change="rerun") as older:
            if older.open:
                draw_card(card, key=submission_id)

    def _work_on(self, line: CardLine) -> None:
        self._ask(_("I want to work on: {criterion}", criterion=line.criterion))


def draw() -> None:
    """The page, for the viewer it was opened for."""
    workbench = _wiring.workbench()
    subject = choose_subject(viewer, workbench)
    if subject is None:
        draw_no_course(viewer, workbench)
        return
    draw_strip(is_demo=subject.is_demo, is_offline=workbench.is_offline)
    TutorPage(viewer, subject).draw()
    open_drawer(viewer, subject.space)


try:
    draw()
except TutorloopError as error:
    show_error(error)
else:
    forget_refused()
