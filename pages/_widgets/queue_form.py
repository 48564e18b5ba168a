"""Deciding an item of the queue, by keyboard alone: 1, 2, 3 choose, Ctrl+Enter saves and goes on."""

import streamlit as st

from engine.domain.people import Viewer
from engine.errors import DecisionRefused, TutorloopError
from engine.review.decisions import Undoing, Verdict
from engine.review.queue_store import QueueItem
from engine.wiring import Space
from pages._widgets import queue_round as queue
from pages._widgets.draft_area import Draft, draw_draft, fill_draft
from pages._widgets.errors import show_error
from pages._widgets.markdown import literal
from pages._widgets.moments import moment
from pages._widgets.queue_round import LastDecision, id_of
from pages._widgets.states import CRITERION, word
from pages._widgets.teacher import CHOICES, draft_of, draw_shown_name, shown_name
from pages._widgets.words import N_, _

LEAVE_OPEN = N_("Leave open")
OPENED = "queue_opened"
"""Where the session keeps which item it has reserved."""


class QueueForm:
    """The form of one item. The keys that choose are never those that save or move on."""

    def __init__(self, viewer: Viewer, space: Space, item: QueueItem, next_id: str) -> None:
        """`next_id` names what is shown once this item is done."""
        self._viewer = viewer
        self._space = space
        self._item = item
        self._next_id = next_id
        self._project_id = item.key.project_id
        self._area = f"queue_reason_{id_of(item)}"

    @property
    def _draft(self) -> Draft:
        subject = f"decision:{self._item.submission_id}/{self._item.rubric_id}"
        return draft_of(self._viewer, self._space, self._project_id, subject)

    @property
    def _name(self) -> str:
        return shown_name(self._viewer, self._space, self._project_id)

    def draw(self) -> None:
        """What can be done about the item."""
        self._draw_reservation()
        if self._item.criterion is None:
            self._draw_reviewing()
        else:
            self._draw_deciding()
        draw_refusal()

    def _draw_reservation(self) -> None:
        """Reserve the item once it is opened, and tell who else has."""
        item, desk = self._item, self._space.teaching.notes
        if st.session_state.get(OPENED) != id_of(item):
            held = desk.reserve(self._viewer, item.submission_id, item.rubric_id, name=self._name)
            st.session_state[OPENED] = id_of(item)
        else:
            found = desk.reservation(self._viewer, item.submission_id, item.rubric_id)
            if found is None:
                st.session_state.pop(OPENED)
                return
            held = found
        if held.holder_id == self._viewer.person_id:
            return
        with st.container(horizontal=True, vertical_alignment="center"):
            told = _("{name} is looking at this ({when}).", name=literal(held.name), when=moment(held.since))
            st.markdown(f":material/visibility: {told}", width="content")
            st.button(_("Take it"), key="queue_take", on_click=self._take)

    def _take(self) -> None:
        item = self._item
        self._space.teaching.notes.reserve(self._viewer, item.submission_id, item.rubric_id, name=self._name, take=True)

    def _draw_deciding(self) -> None:
        chosen = queue.choice_for(self._item)
        with st.container(horizontal=True):
            for number, status in enumerate(CHOICES, start=1):
                look = CRITERION[status]
                st.button(
                    _(LEAVE_OPEN) if number == len(CHOICES) else word(look),
                    key=f"queue_choose_{number}",
                    icon=f":material/{look.icon}:",
                    shortcut=str(number),
                    type="primary" if chosen is status else "secondary",
                    on_click=queue.choose,
                    args=(self._item, status),
                )
        draw_draft(_("Why (the student reads it; kept as a draft while you type)"), self._area, self._draft)
        self._draw_reasons()
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.button(
                _("Save and next"),
                key="queue_save",
                icon=":material/check:",
                shortcut="Ctrl+Enter",
                on_click=self._save,
            )
            draw_shown_name(self._viewer, self._space, self._project_id, key="queue")

    def _draw_reasons(self) -> None:
        """Reasons that were given for this criterion before, one click each."""
        key, item = self._item.key, self._item
        used = self._space.teaching.queue.reasons(self._viewer, key.project_id, key.task_id, item.rubric_id)
        if not used:
            return
        name = f"queue_used_{id_of(item)}"
        st.pills(_("Used before"), used, key=name, on_change=self._use, args=(name, st.session_state.get(name)))

    def _use(self, name: str, shown: str | None) -> None:
        reason = st.session_state.get(name)
        if reason and reason != shown:  # else what was typed after it would be lost; see `pick` of subject.py
            fill_draft(self._area, self._draft, reason)

    def _save(self) -> None:
        item, status = self._item, queue.choice_for(self._item)
        try:
            if status is None:
                raise DecisionRefused("nothing was chosen", reason="no_choice")
            verdict = Verdict(
                rubric_id=item.rubric_id,
                status=status,
                reason=st.session_state.get(self._area, ""),
                by=self._name,
                seen_attempt_seq=item.newest_seq,
            )
            attempt = self._space.decisions.decide(self._viewer, item.submission_id, verdict)
        except TutorloopError as error:
            queue.refuse(error)
            return
        self._draft.keep("")
        last = LastDecision(
            submission_id=item.submission_id,
            rubric_id=item.rubric_id,
            attempt_seq=attempt.attempt_seq,
            about=f"{item.learner_name}, {item.task_title}",
        )
        queue.count_done(status, last)
        queue.go_to(self._next_id)

    def _draw_reviewing(self) -> None:
        st.button(
            _("Review again and next"),
            key="queue_again",
            icon=":material/refresh:",
            shortcut="Ctrl+Enter",
            on_click=self._review,
        )

    def _review(self) -> None:
        item, space = self._item, self._space
        try:
            space.reviewer.start_next(self._viewer, item.submission_id, space.worker, after=item.attempt_seq)
        except TutorloopError as error:
            queue.refuse(error)
            return
        queue.count_done(queue.AGAIN, None)
        queue.go_to(self._next_id)


def draw_refusal() -> None:
    """Why what was last tried could not be saved, if it was refused."""
    error = queue.refusal()
    if error is not None:
        show_error(error)


def draw_undo(viewer: Viewer, space: Space) -> None:
    """One key that takes the last decision of this round back, by a new attempt."""
    last = queue.last_decision()
    if last is not None:
        st.button(
            _("Undo the last decision: {about}", about=literal(last.about)),
            key="queue_undo",
            icon=":material/undo:",
            shortcut="U",
            type="tertiary",
            on_click=_undo,
            args=(viewer, space, last),
        )


def _undo(viewer: Viewer, space: Space, last: LastDecision) -> None:
    try:
        project_id = space.work.submission(viewer, last.submission_id).key.project_id
        undoing = Undoing(
            rubric_id=last.rubric_id, by=shown_name(viewer, space, project_id), seen_attempt_seq=last.attempt_seq
        )
        space.decisions.take_back(viewer, last.submission_id, undoing)
    except TutorloopError as error:
        queue.refuse(error)
        return
    queue.undone(last)
