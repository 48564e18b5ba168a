"""The class board as a table: all that the picture shows, in words, and worked by keyboard."""

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from engine.insight.class_board import BoardRow, ClassBoard
from pages._widgets.board_picture import Window
from pages._widgets.board_words import fill_words, first_words
from pages._widgets.column_widths import wide_enough
from pages._widgets.moments import moment
from pages._widgets.words import _


def twin(board: ClassBoard, rows: Sequence[BoardRow], names: Mapping[str, str], window: Window) -> pd.DataFrame:
    """One line for each row, in the same order, and the foot; columns of tasks are named by `task_columns`."""
    columns = task_columns(board, window)
    lines = [
        {
            _("student"): names[row.learner_id],
            _("why first"): first_words(row),
            _("last seen"): moment(row.last_seen) if row.last_seen else "—",
            **dict(zip(columns, map(fill_words, row.cells[window.start : window.stop]), strict=True)),
        }
        for row in rows
    ]
    passed = {
        name: f"{board.passed(position)}/{len(board.rows)}" for position, name in enumerate(columns, start=window.start)
    }
    return pd.DataFrame([*lines, {_("student"): _("passed"), _("why first"): "", _("last seen"): "", **passed}])


def twin_columns(board: ClassBoard, table: pd.DataFrame, window: Window) -> Mapping[str, ColumnConfig]:
    """How the columns of `table` are drawn: students stay in sight, and tasks have room for their cells."""
    return {
        _("student"): st.column_config.TextColumn(pinned=True),
        **wide_enough({name: table[name] for name in task_columns(board, window)}),
    }


def task_columns(board: ClassBoard, window: Window) -> list[str]:
    """The names of the columns of tasks; a number before each keeps equal titles apart."""
    return [
        f"{number}. {task.title}"
        for number, task in enumerate(board.tasks[window.start : window.stop], start=window.start + 1)
    ]
