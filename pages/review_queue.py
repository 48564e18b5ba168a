"""Work off what only a person can decide, by keyboard."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from engine.domain.people import Viewer
from engine.domain.states import CriterionStatus
from engine.errors import NotFound, TutorloopError
from engine.review.queue_store import QueueItem, Waiting
from pages import _wiring
from pages._guard import require_teacher
from pages._widgets import queue_round as queue
from pages._widgets.anonymous import name_in, names_in
from pages._widgets.errors import show_error
from pages._widgets.queue_form import QueueForm, draw_refusal, draw_undo
from pages._widgets.queue_item import WAITING, draw_item
from pages._widgets.queue_round import END, id_of
from pages._widgets.states import CRITERION, inline
from pages._widgets.strip import draw_strip
from pages._widgets.subject import Place, choose_place
from pages._widgets.words import _, ngettext

KIND = "queue_kind"
"""Where the session keeps to which kind the list is narrowed."""

viewer = require_teacher()


class QueuePage:
    """One run of the page."""

    def __init__(self, viewer: Viewer, place: Place) -> None:
        self._viewer = viewer
        self._space = place.space
        projects = tuple(project.project_id for project in place.course.projects)
        self._names = names_in(viewer, place.space, place.course.course_id)
        waiting = self._space.teaching.queue.waiting(viewer, self._space.teaching.logic, projects)
        self._all = tuple(self._named(item) for item in waiting)
        kind = st.session_state.get(KIND)
        self._items = tuple(item for item in self._all if kind is None or item.waiting == kind)

    def _named(self, item: QueueItem) -> QueueItem:
        """The item with its student called as on every page."""
        return replace(item, learner_name=name_in(self._names, item.key.learner_id, item.learner_name))

    def draw(self) -> None:
        """The list in one line, then one item, its form, and the way on."""
        place = queue.place_of(self._items)
        at = st.session_state.get(queue.AT)
        if not self._all and (at is None or at == END):
            self._draw_empty()
            return
        self._draw_progress(place)
        if at == END or (place is None and at is None):
            self._draw_end()
            return
        item = self._gone(str(at)) if place is None else self._items[place]
        if item is None:
            self._draw_end()
            return
        if place is None:
            self._draw_gone(item)
        draw_item(self._viewer, self._space, item)
        QueueForm(self._viewer, self._space, item, self._id_at(0 if place is None else place + 1)).draw()
        self._draw_steps(place)

    def _id_at(self, place: int) -> str:
        return id_of(self._items[place]) if 0 <= place < len(self._items) else END

    def _draw_progress(self, place: int | None) -> None:
        left, done = len(self._items), len(queue.done_so_far())
        told = ngettext("{n} left", "{n} left", left) + " · " + _("about {n} min", n=queue.minutes(left))
        if place is not None:
            told += " · " + _("{n} of {all}", n=place + 1, all=left)
        st.progress(done / (done + left) if done + left else 1.0, text=told)
        counts = Counter(item.waiting for item in self._all)
        kinds = [kind for kind in Waiting if counts[kind]]
        if len(kinds) > 1:
            st.pills(
                _("Only"),
                kinds,
                format_func=lambda kind: f"{_(WAITING[kind])} {counts[kind]}",
                key=KIND,
                label_visibility="collapsed",
                on_change=_from_the_first,
                args=(st.session_state.get(KIND),),
            )

    def _gone(self, at: str) -> QueueItem | None:
        """The item that was on the screen, although it waits no more: somebody else was quicker."""
        submission_id, _slash, rubric_id = at.partition("/")
        try:
            one = self._space.teaching.queue.one(self._viewer, self._space.teaching.logic, submission_id, rubric_id)
        except NotFound:
            return None
        return self._named(one)

    def _draw_gone(self, item: QueueItem) -> None:
        decision = item.result.decision if item.result else None
        if item.result is None or decision is None:
            st.info(_("This does not wait any more."), icon=":material/info:")
            return
        verdict = inline(CRITERION[item.result.status])
        told = _("{name} has just decided this. What you wrote is kept; save it to decide anew.", name=decision.by)
        st.info(f"{verdict} {told}", icon=":material/person:")

    def _draw_steps(self, place: int | None) -> None:
        here = -1 if place is None else place
        with st.container(horizontal=True, vertical_alignment="center"):
            for label, step, shortcut, icon in (
                (_("Back"), -1, "K", ":material/arrow_upward:"),
                (_("Skip"), 1, "J", ":material/arrow_downward:"),
            ):
                st.button(
                    label,
                    key=f"queue_{shortcut}",
                    icon=icon,
                    shortcut=shortcut,
                    type="tertiary",
                    disabled=here + step < 0,
                    on_click=queue.go_to,
                    args=(self._id_at(here + step),),
                )
            draw_undo(self._viewer, self._space)

    def _draw_end(self) -> None:
        """What was done in this round, and what is left of the list."""
        done = queue.done_so_far()
        st.subheader(_("Done.") if done else _("The end of the list."))
        st.markdown(_done_words(done) if done else _("Nothing was decided in this round."))
        left = len(self._items)
        with st.container(horizontal=True, vertical_alignment="center"):
            if left:
                label = ngettext("Look at the {n} that is left", "Look at the {n} that are left", left)
                st.button(label, key="queue_restart", type="primary", on_click=queue.go_to, args=(self._id_at(0),))
            st.page_link("reviews.py", label=_("Reviews"), icon=":material/fact_check:")
            draw_undo(self._viewer, self._space)
        draw_refusal()

    def _draw_empty(self) -> None:
        if queue.done_so_far():
            self._draw_end()
        else:
            st.info(_("Nothing needs you now. New items appear here."), icon=":material/check_circle:")


def _from_the_first(shown: Waiting | None) -> None:
    if KIND in st.session_state and st.session_state[KIND] != shown:  # see `pick` of subject.py
        st.session_state.pop(queue.AT, None)


def _done_words(done: Sequence[str]) -> str:
    """What was decided, each kind counted."""
    decided = [each for each in done if each != queue.AGAIN]
    values = {
        "passed": decided.count(CriterionStatus.PASS),
        "to_fix": decided.count(CriterionStatus.FAIL),
        "open": decided.count(CriterionStatus.NEED_REVIEW),
    }
    told = ngettext(
        "{n} decided: {passed} passed, {to_fix} to fix, {open} left open.",
        "{n} decided: {passed} passed, {to_fix} to fix, {open} left open.",
        len(decided),
        **values,
    )
    again = len(done) - len(decided)
    if not again:
        return told
    return f"{told} " + ngettext("{n} review was begun again.", "{n} reviews were begun again.", again)


def draw() -> None:
    """The page, for the viewer it was opened for."""
    workbench = _wiring.workbench()
    with st.columns([2, 3])[0]:
        place = choose_place(viewer, workbench)
    if place is None:
        st.info(_("Nothing needs you now. New items appear here."), icon=":material/check_circle:")
        return
    draw_strip(is_demo=place.is_demo, is_offline=workbench.is_offline, can_hand_in=False)
    QueuePage(viewer, place).draw()


try:
    draw()
except TutorloopError as error:
    show_error(error)
