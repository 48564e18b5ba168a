"""One look at a class: who is where, who may be stuck, and who needs the teacher."""

from collections.abc import Mapping, Sequence

import streamlit as st

from engine.domain.clock import utc_now
from engine.domain.people import Viewer
from engine.errors import TutorloopError
from engine.insight.class_board import BoardRow, Group, Order
from pages import _wiring
from pages._guard import require_teacher
from pages._widgets.address import name_in_address
from pages._widgets.anonymous import names_in
from pages._widgets.asked import ASKED, open_asked
from pages._widgets.board_drawer import CLOSED, CellDrawer, address_of, point_at
from pages._widgets.board_exports import BoardExports
from pages._widgets.board_picture import CELL, Window, picture, picture_rows
from pages._widgets.board_twin import twin, twin_columns
from pages._widgets.board_words import ORDERS, board_sentence, group_words, legend_words
from pages._widgets.errors import show_error
from pages._widgets.evidence import is_open, open_evidence
from pages._widgets.strip import draw_strip
from pages._widgets.subject import Place, choose_place, pick
from pages._widgets.width import NARROW, page_width
from pages._widgets.words import N_, _, language, ngettext

AT_ONCE = 60
"""Tasks on the screen."""
AT_ONCE_NARROW = 6
"""On a narrow one."""
VIEWS = {"picture": N_("Picture"), "table": N_("Table")}
ALL = "all"

viewer = require_teacher()


class BoardPage:
    """One run of the page."""

    def __init__(self, viewer: Viewer, place: Place) -> None:
        self._viewer = viewer
        self._place = place
        limits = _wiring.workbench().stuck_limits
        self._board = place.space.boards.board(viewer, place.course.course_id, limits, utc_now())
        self._names = names_in(viewer, place.space, place.course.course_id)

    def draw(self) -> None:
        """The sentence and its filters, then the board, then what a click opens."""
        if not self._board.rows:
            st.info(_("No students yet. Enrol them on the page *Courses*; each then has a row here."))
            return
        st.markdown(f"**{board_sentence(self._board)}**")
        group, order, view = self._draw_bar()
        rows = self._board.sorted_rows(order, group)
        if rows:
            self._draw_board(rows, view, order, group)
        else:
            st.info(_("Nobody belongs here now ({n} students in all).", n=len(self._board.rows)))
            st.button(_("Show everybody"), key="show_all", on_click=_show, args=(ALL,))
        if ASKED in st.query_params:
            open_asked(self._viewer, self._place.space.calls)
        elif is_open():
            open_evidence(self._viewer, self._place.space)
        else:
            CellDrawer(viewer=self._viewer, place=self._place, rows=self._board.rows, names=self._names).open()

    def _draw_bar(self) -> tuple[Group | None, Order, str]:
        with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute"):
            group = self._draw_groups()
            with st.container(horizontal=True, vertical_alignment="bottom", width="content"):
                order = pick("sort", _("Order"), list(Order), str, lambda one: _(ORDERS[one]), page="board")
                view = pick("view", _("Shown as"), list(VIEWS), str, lambda one: _(VIEWS[one]), page="board")
                BoardExports(viewer=self._viewer, place=self._place, board=self._board, names=self._names).draw()
        return group, order, view

    def _draw_groups(self) -> Group | None:
        """The counts are the filters; what the address says is what is shown."""
        wished = st.query_params.get("show", ALL)
        chosen = wished if wished in set(Group) else ALL
        counts = {str(group): group_words(group, self._board.count(group)) for group in Group}
        words = {ALL: _("everybody"), **counts}
        key = "board_groups"
        st.session_state[key] = chosen
        st.pills(
            _("Show"),
            list(words),
            key=key,
            format_func=lambda one: words.get(one, ""),
            required=True,
            on_change=_show_chosen,
            width="content",
        )
        return None if chosen == ALL else Group(chosen)

    def _draw_board(self, rows: Sequence[BoardRow], view: str, order: Order, group: Group | None) -> None:
        width = page_width()
        window = self._window(AT_ONCE_NARROW if width < NARROW else AT_ONCE)
        key = f"board_{view}_{st.session_state.get(CLOSED, 0)}"
        if view == "table":
            table = twin(self._board, rows, self._names, window)
            st.dataframe(
                table,
                hide_index=True,
                key=key,
                on_select=lambda: self._open_from_table(key, rows, window),
                selection_mode="single-cell",
                column_config=twin_columns(self._board, table, window),
                height=min(38 + 35 * (len(rows) + 1), 1200),
                alt=board_sentence(self._board),
            )
        else:
            names = tuple(self._names[row.learner_id] for row in self._board.rows)
            is_dark = st.context.theme.type == "dark"
            st.vega_lite_chart(
                picture_rows(self._board, order, group, names, window, language(), st.context.timezone or ""),
                dict(picture(self._board, window, width, is_dark=is_dark)),
                key=key,
                on_select=lambda: self._open_from_picture(key, rows, window),
                selection_mode=CELL,
                width="content",
                alt=board_sentence(self._board),
            )
        self._draw_foot(window)

    def _window(self, at_once: int) -> Window:
        tasks = len(self._board.tasks)
        written = st.query_params.get("from", "1")
        first = int(written) if written.isascii() and written.isdecimal() and len(written) < 5 else 1
        start = (min(max(first, 1), max(tasks, 1)) - 1) // at_once * at_once
        return Window(start=start, stop=min(start + at_once, tasks))

    def _draw_foot(self, window: Window) -> None:
        size, tasks = window.stop - window.start, len(self._board.tasks)
        st.caption(legend_words())
        with st.container(horizontal=True):
            for label, start, name in (
                (_("‹ earlier tasks"), window.start - AT_ONCE_NARROW, "earlier"),
                (_("later tasks ›"), window.stop, "later"),
            ):
                if size < tasks:
                    is_there = 0 <= start < tasks
                    st.button(label, key=name, disabled=not is_there, on_click=_turn_to, args=(start + 1,))
        if reviewing := self._board.reviewing:
            st.caption(
                ngettext(
                    "{n} review is not finished; its cell with ~ will change.",
                    "{n} reviews are not finished; cells with ~ will change.",
                    reviewing,
                )
            )

    def _open_from_table(self, key: str, rows: Sequence[BoardRow], window: Window) -> None:
        chosen = st.session_state[key]["selection"]["cells"]
        columns = list(twin(self._board, rows[:0], self._names, window).columns)
        if not chosen or chosen[0][0] >= len(rows) or chosen[0][1] not in columns:
            return
        row, place = rows[chosen[0][0]], columns.index(chosen[0][1]) - 3 + window.start
        cell = row.cells[place] if place >= window.start else row.first
        if cell is not None:
            point_at(address_of(row, cell))

    def _open_from_picture(self, key: str, rows: Sequence[BoardRow], window: Window) -> None:
        chosen: Sequence[Mapping[str, object]] = st.session_state[key]["selection"].get(CELL) or ()
        for one in chosen:
            row = next((row for row in rows if row.learner_id == one.get("learner")), None)
            number = one.get("n")
            if row is not None and isinstance(number, int) and 0 < number <= window.stop - window.start:
                point_at(address_of(row, row.cells[window.start + number - 1]))


def _show_chosen() -> None:
    if "board_groups" in st.session_state:  # else its field is gone by now
        _show(str(st.session_state["board_groups"]))


def _show(group: str) -> None:
    name_in_address("show", group if group != ALL else None)


def _turn_to(first: int) -> None:
    name_in_address("from", str(first))


def draw() -> None:
    """The page, for the viewer it was opened for."""
    workbench = _wiring.workbench()
    with st.columns([2, 3])[0]:
        place = choose_place(viewer, workbench)
    if place is None:
        st.info(_("There is no course yet. Make one on the page *Courses*, or open the demo in Settings."))
        return
    draw_strip(is_demo=place.is_demo, is_offline=workbench.is_offline, can_hand_in=False)
    BoardPage(viewer, place).draw()


try:
    draw()
except TutorloopError as error:
    show_error(error)
