"""The class board as files: for a spreadsheet, and for the grade books of Canvas and Moodle."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st

from engine.domain.clock import utc_now
from engine.domain.people import Viewer
from engine.domain.states import CriterionKind
from engine.insight.class_board import BoardCell, ClassBoard
from engine.insight.grade_book import canvas_table, moodle_table
from engine.insight.spreadsheet import Table, write_csv, write_xlsx
from pages._widgets.board_words import FILLS, fill_words, first_words
from pages._widgets.states import CRITERION, LEARNING_HINT, SOURCE, word
from pages._widgets.subject import Place
from pages._widgets.words import _, in_this_language

CSV = "text/csv"
EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardExports:
    """What the files are made from; each is made when somebody asks for it."""

    viewer: Viewer
    place: Place
    board: ClassBoard
    names: Mapping[str, str]

    def draw(self) -> None:
        """The menu; what is in it is drawn once it is open."""
        with st.popover(
            _("Export"), icon=":material/download:", type="tertiary", key="board_export", on_change="rerun"
        ) as menu:
            if menu.open:
                self._draw_files()

    def _draw_files(self) -> None:
        st.caption(_("Cells that a program could take for a formula begin with an apostrophe."))
        _file(_("Board, Excel"), "board.xlsx", EXCEL, lambda: write_xlsx(self._states(), sheet=_("Class board")))
        _file(_("Board, CSV"), "board.csv", CSV, lambda: write_csv(self._states()))
        _file(_("Criteria, Excel"), "criteria.xlsx", EXCEL, lambda: write_xlsx(self._criteria(), sheet=_("Criteria")))
        _file(_("Criteria, CSV"), "criteria.csv", CSV, lambda: write_csv(self._criteria()))
        st.caption(
            _(
                "For grade books: a review has no points. Passed is told as complete, something to fix as incomplete, "
                "all else is left empty. Fill in the column with the ids of that system before you import."
            )
        )
        _file(_("Grade book, Canvas"), "canvas.csv", CSV, lambda: write_csv(canvas_table(self.board, self.names)))
        _file(
            _("Grade book, Moodle"),
            "moodle.csv",
            CSV,
            lambda: write_csv(moodle_table(self.board, self.names, _feedback)),
        )

    def _states(self) -> Table:
        titles = tuple(f"{number}. {task.title}" for number, task in enumerate(self.board.tasks, start=1))
        rows = tuple(
            (
                self.names[row.learner_id],
                row.passed,
                row.last_seen.isoformat(timespec="minutes") if row.last_seen else None,
                first_words(row) or None,
                *(fill_words(cell) or None for cell in row.cells),
            )
            for row in self.board.rows
        )
        return Table(header=(_("student"), _("passed"), _("last seen"), _("why first"), *titles), rows=rows)

    def _criteria(self) -> Table:
        place = (_("student"), _("task"), _("submission"), _("attempt"))
        verdict = (_("criterion"), _("kind"), _("state"), _("by"), _("why"), _("where"))
        lines = self.place.space.boards.results(self.viewer, self.place.course.course_id)
        rows = tuple(
            (
                self.names.get(line.learner_id),
                line.task.title,
                line.submission_seq,
                line.attempt_seq,
                line.criterion,
                word(LEARNING_HINT) if line.kind is CriterionKind.LEARNING else _("acceptance"),
                word(CRITERION[line.result.status]),
                word(SOURCE[line.result.source]),
                line.result.reason,
                line.result.evidence,
            )
            for line in lines
        )
        return Table(header=(*place, *verdict), rows=rows)


def _feedback(cell: BoardCell) -> str:
    return _(FILLS[cell.look].word)


def _file(label: str, name: str, kind: str, make: Callable[[], bytes]) -> None:
    day = utc_now().date().isoformat()
    st.download_button(
        label,
        in_this_language(make),
        file_name=f"{day}-{name}",
        mime=kind,
        key=f"export_{name}",
        icon=":material/download:",
        type="tertiary",
        on_click="ignore",
    )
