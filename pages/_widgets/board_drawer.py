"""One cell of the class board: why it is pointed at, its review, what changed, what was said last, and where next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import streamlit as st

from engine.domain.feedback import Feedback
from engine.domain.keys import FeedbackKey
from engine.domain.people import Viewer
from engine.domain.session import Turn
from engine.errors import TutorloopError
from engine.insight.class_board import BoardCell, BoardRow
from engine.review.card import ReviewCard
from pages._widgets.address import close_in_address, name_in_address
from pages._widgets.asked import ASKED
from pages._widgets.board_words import reason_words
from pages._widgets.card import draw_card
from pages._widgets.due import draw_due
from pages._widgets.errors import show_error
from pages._widgets.evidence import is_open
from pages._widgets.markdown import literal, safe_markdown
from pages._widgets.moments import moment
from pages._widgets.state_line import draw_badge
from pages._widgets.states import quiet
from pages._widgets.subject import Place
from pages._widgets.words import _, ngettext

ADDRESS = "cell"
"""In the address: learner, project and task of the cell whose drawer is open."""
CLOSED = "board_drawer_closed"
"""Where the session counts closings: the picture and the table forget what was clicked, so that it can be again."""
TURNS = 3
"""Of the newest conversation, the last ones are shown."""
LONG = 600
"""Characters of a turn; the rest stands on the Tutor page."""


def address_of(row: BoardRow, cell: BoardCell) -> str:
    """How an address names a cell."""
    return f"{row.learner_id}/{cell.task.address}"


def point_at(address: str) -> None:
    """Open the drawer of this cell."""
    name_in_address(ADDRESS, address)


@dataclass(frozen=True, slots=True, kw_only=True)
class CellDrawer:
    """What the drawer needs to know."""

    viewer: Viewer
    place: Place
    rows: Sequence[BoardRow]
    """Those on the screen, in their order."""
    names: Mapping[str, str]

    def open(self) -> None:
        """Show the drawer of the cell in the address, if there is one; Escape closes it."""
        if ADDRESS not in st.query_params:
            return
        st.dialog(_("One student, one task"), width="medium", position="right", on_dismiss=_close)(self._draw)()

    def _draw(self) -> None:
        if ASKED in st.query_params or is_open():  # the page shows that drawer instead, and this one again afterwards
            st.rerun()
        found = self._found(st.query_params.get(ADDRESS, ""))
        if found is None:
            st.info(_("There is nothing to show: this student or this task is not on the board."))
            return
        try:
            self._draw_cell(*found)
        except TutorloopError as error:
            show_error(error)

    def _found(self, address: str) -> tuple[BoardRow, BoardCell] | None:
        cells = ((row, cell) for row in self.rows for cell in row.cells)
        return next((pair for pair in cells if address_of(*pair) == address), None)

    def _draw_cell(self, row: BoardRow, cell: BoardCell) -> None:
        space = self.place.space
        key = FeedbackKey(learner_id=row.learner_id, project_id=cell.task.project_id, task_id=cell.task.task_id)
        feedback = space.tutor.current_feedback(self.viewer, key)
        self._draw_steps(row, cell)
        st.header(literal(f"{self.names[row.learner_id]} · {cell.task.title}"), anchor=False)
        with st.container(horizontal=True, vertical_alignment="center"):
            draw_badge(feedback)
            if cell.facts.handed_in_at is not None:
                st.markdown(quiet(_hand_ins(cell.facts.hand_ins, cell.facts.handed_in_at)), width="content")
        task = space.courses.task(self.viewer, key.project_id, key.task_id).task
        draw_due(task, cell.facts.handed_in_at)
        _draw_reasons(cell)
        self._draw_links(key)
        cards = space.cards.timeline(self.viewer, key)
        card = _counting(cards, feedback)
        if card is not None:
            draw_card(card, key=f"cell_{card.row.submission.submission_id}")
        self._draw_turns(key)

    def _draw_steps(self, row: BoardRow, cell: BoardCell) -> None:
        """From one stuck student to the next, without closing the drawer."""
        stuck = [address_of(each, each.first) for each in self.rows if each.first is not None and each.first.stuck]
        here = address_of(row, cell)
        place = stuck.index(here) if here in stuck else -1
        is_there = bool(stuck[place + 1 :])
        st.button(
            _("Next stuck student"),
            key="next_stuck",
            icon=":material/arrow_downward:",
            shortcut="J",
            disabled=not is_there,
            on_click=point_at,
            args=(stuck[place + 1] if is_there else here,),
        )

    def _draw_links(self, key: FeedbackKey) -> None:
        subject = {
            "course": self.place.course.course_id,
            "task": f"{key.project_id}/{key.task_id}",
            "student": key.learner_id,
        }
        with st.container(horizontal=True):
            st.page_link("reviews.py", label=_("Reviews"), icon=":material/fact_check:", query_params=subject)
            st.page_link("tutor.py", label=_("Tutor"), icon=":material/forum:", query_params=subject)

    def _draw_turns(self, key: FeedbackKey) -> None:
        sessions = self.place.space.sessions
        conversations = sessions.conversations(self.viewer, key)
        entries, _older = (
            sessions.entries(self.viewer, conversations[0].conversation_id, last=4 * TURNS)
            if conversations
            else ((), 0)
        )
        turns = [entry for entry in entries if isinstance(entry, Turn)][-TURNS:]
        st.markdown(f"**{_title_of_turns()}**")
        if not turns:
            st.caption(_("No question to the tutor about this task yet."))
        for turn in turns:
            _draw_turn(turn)


def _title_of_turns() -> str:
    return _("Last questions to the tutor")


def _hand_ins(number: int, last: datetime) -> str:
    times = ngettext("{n} hand-in", "{n} hand-ins", number)
    return _("{times}, the last {when}", times=times, when=moment(last))


def _draw_reasons(cell: BoardCell) -> None:
    if not cell.stuck:
        return
    lines = [f"- {literal(reason_words(reason, cell))}" for reason in cell.stuck]
    st.markdown("\n".join([_("May be stuck:"), "", *lines]))
    st.caption(_("A pointer by fixed rules (see *Settings*), no judgement. Students never see it."))


def _counting(cards: Sequence[ReviewCard], feedback: Feedback) -> ReviewCard | None:
    """The card of the attempt that counts, else the newest one."""
    chosen = feedback.attempt.attempt_id if feedback.attempt else None
    of_attempt = (card for card in cards if card.row.attempt is not None and card.row.attempt.attempt_id == chosen)
    return next(of_attempt, cards[0] if cards else None)


def _draw_turn(turn: Turn) -> None:
    with st.chat_message("user"):
        st.markdown(safe_markdown(_cut(turn.question)))
    answer = turn.reply or turn.partial
    with st.chat_message("assistant"):
        st.markdown(safe_markdown(_cut(answer)) if answer else quiet(_("no reply")))


def _cut(text: str) -> str:
    return text if len(text) <= LONG else text[:LONG].rstrip() + " …"


def _close() -> None:
    close_in_address(ADDRESS)
    st.session_state[CLOSED] = st.session_state.get(CLOSED, 0) + 1
