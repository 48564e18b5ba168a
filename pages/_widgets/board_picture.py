"""The class board as a picture: one square for each learner and task, and why each row stands where it stands."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import pyarrow as pa

from engine.domain.states import Language
from engine.insight.class_board import CellLook, ClassBoard, Group, Order
from pages._widgets.board_words import FILLS, first_words
from pages._widgets.moments import moment
from pages._widgets.width import NARROW
from pages._widgets.words import _, language

Json = Mapping[str, object]
NAMES, SEEN, WHY, LEAST_WHY = 150, 90, 330, 190
"""Pixels of the columns beside the squares; the last one gives way to them."""
GAPS = 30
"""Pixels between the columns."""
LEAST, MOST, ROW = 15, 44, 22
"""Pixels of a square across, at least and at most, and down."""
ROOM_FOR_NUMBER = 24
"""Pixels from which on every square tells its number of hand-ins, not those to fix alone."""
ROOM_FOR_TITLE = 36
"""Pixels from which on the heads of the columns are the titles of the tasks."""
CELL = "cell"
"""Name of the selection."""
_CODES: Final = {
    CellLook.PASSED: "p",
    CellLook.TO_FIX: "f",
    CellLook.WITH_PERSON: "q",
    CellLook.OUR_FAULT: "e",
    CellLook.REVIEWING: "r",
    CellLook.NOTHING: "n",
}
_FOOT = "t"
_INK = {False: "#10131a", True: "#e8ebf0"}
_BORDER = {False: "#858d99", True: "#7b8592"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Which tasks are on the screen."""

    start: int
    """Position of the first."""
    stop: int
    """Position after the last."""


def picture(board: ClassBoard, window: Window, width: int, *, is_dark: bool) -> Json:
    """How `picture_rows` are drawn on a page so many pixels wide."""
    titles = tuple(
        f"{number}. {task.title}"
        for number, task in enumerate(board.tasks[window.start : window.stop], start=window.start + 1)
    )
    room = width - NAMES - GAPS
    has_room_for_seen = width >= NARROW and room - SEEN - LEAST_WHY >= len(titles) * LEAST
    seen = SEEN if has_room_for_seen else 0
    room -= seen
    why = min(WHY, max(LEAST_WHY, room - len(titles) * ROOM_FOR_NUMBER))
    step = max(LEAST, min(MOST, (room - why) // max(1, len(titles))))
    return _drawing(titles, window.start, step, why, bool(seen), is_dark, language())


@lru_cache(maxsize=16)
def picture_rows(
    board: ClassBoard,
    order: Order,
    group: Group | None,
    names: tuple[str, ...],
    window: Window,
    reader: Language,  # noqa: ARG001 - words are in the reader's language
    zone: str,  # noqa: ARG001 - times are those of the reader's clock
) -> pa.Table:
    """A line for each row, its squares in one text, and the foot. Kept as long as the board is the same.

    Three thousand lines, one for each square, would be slow to send, and a frame of pandas would be turned into this
    table in every run. `names` are those of the class list in its
    order, no two the same.
    """
    lines = [
        {
            "learner": row.learner_id,
            "name": names[row.number - 1],
            "cells": " ".join(
                f"{_CODES[cell.look]}{cell.facts.hand_ins or ''}" for cell in row.cells[window.start : window.stop]
            ),
            "seen": moment(row.last_seen) if row.last_seen else "—",
            "why": first_words(row),
            "row": number,
        }
        for number, row in enumerate(board.sorted_rows(order, group))
    ]
    passed = " ".join(f"{_FOOT}{board.passed(position)}" for position in range(window.start, window.stop))
    foot = _("passed, of {n}", n=len(board.rows))
    last = {"learner": "", "name": foot, "cells": passed, "seen": "", "why": "", "row": len(lines)}
    return pa.Table.from_pylist([*lines, last])


@lru_cache(maxsize=64)
def _drawing(
    titles: tuple[str, ...],
    start: int,
    step: int,
    why: int,
    has_seen: bool,
    is_dark: bool,
    reader: Language,  # noqa: ARG001 - words are in the reader's language
) -> Json:
    columns: list[Json] = [_squares(titles, start, step, is_dark)]
    if has_seen:
        columns.append(_texts("seen", _("last seen"), SEEN, is_dark))
    columns.append(_texts("why", _("why first"), why, is_dark))
    return {
        "hconcat": columns,
        "spacing": 10,
        "padding": {"left": 0, "top": 10, "right": 0, "bottom": 0},
        "autosize": {"type": "pad"},
        "resolve": {"scale": {"y": "shared"}},
        "config": {
            "view": {"stroke": None},
            "axis": {"grid": False, "domain": False, "ticks": False, "labelColor": _INK[is_dark]},
        },
    }


def _squares(titles: tuple[str, ...], start: int, step: int, is_dark: bool) -> Json:
    looks = [{"code": _CODES[look], "glyph": fill.glyph, "state": _(fill.word)} for look, fill in FILLS.items()] + [
        {"code": _FOOT, "glyph": "", "state": _("passed")}
    ]
    tasks = [{"n": n, "task": title} for n, title in enumerate(titles, start=1)]
    numbered = "true" if step >= ROOM_FOR_NUMBER else "datum.code == 'f' || datum.code == 't'"
    return {
        "width": {"step": step},
        "height": {"step": ROW},
        "transform": [
            {"calculate": "split(datum.cells, ' ')", "as": "tokens"},
            {"flatten": ["tokens"], "as": ["token"]},
            {"window": [{"op": "row_number", "as": "n"}], "groupby": ["name"]},
            {"calculate": "datum.token[0]", "as": "code"},
            {"calculate": "slice(datum.token, 1)", "as": "hand_ins"},
            {"lookup": "n", "from": {"data": {"values": tasks}, "key": "n", "fields": ["task"]}},
            {"lookup": "code", "from": {"data": {"values": looks}, "key": "code", "fields": ["glyph", "state"]}},
            {"calculate": f"datum.glyph + ({numbered} ? datum.hand_ins : '')", "as": "label"},
            {"calculate": "datum.name + ': ' + datum.task + ', ' + datum.state + ' ' + datum.hand_ins", "as": "told"},
        ],
        "encoding": {
            "x": {"field": "n", "type": "ordinal", "axis": _heads(titles, start, step)},
            "y": _rows_axis(NAMES),
        },
        "layer": [_square(is_dark), _label(step, is_dark)],
    }


def _heads(titles: tuple[str, ...], start: int, step: int) -> Json:
    """Titles where there is room for them, else numbers; the tooltip of a square has the title in any case."""
    plain = {"orient": "top", "title": None, "labelOverlap": False}
    if step < ROOM_FOR_TITLE:
        return {**plain, "labelAngle": 0, "labelExpr": f"datum.value + {start}"}
    named = f"{json.dumps(titles)}[datum.value - 1]"
    return {**plain, "labelAngle": -35, "labelAlign": "left", "labelLimit": 110, "labelExpr": named}


def _rows_axis(room: int) -> Json:
    """Sorted by a field: a picture that gets other lines keeps the names it has seen in their old order."""
    return {
        "field": "name",
        "type": "nominal",
        "sort": {"field": "row", "op": "min"},
        "axis": {"title": None, "labelFlush": False, "labelLimit": room - 10, "minExtent": room - 5, "labelPadding": 8},
    }


def _square(is_dark: bool) -> Json:
    fills = {_CODES[look]: fill.dark if is_dark else fill.light for look, fill in FILLS.items()}
    return {
        "mark": {"type": "rect", "cursor": "pointer", "cornerRadius": 2},
        "params": [{"name": CELL, "select": {"type": "point", "fields": ["learner", "n"]}}],
        "encoding": {
            "fill": _scale({**fills, _FOOT: "transparent"}),
            "stroke": {
                "condition": {"test": "datum.code == 'n'", "value": _BORDER[is_dark]},
                "value": "transparent",
            },
            "description": {"field": "told", "type": "nominal"},
            "tooltip": [
                {"field": "name", "title": _("student")},
                {"field": "task", "title": _("task")},
                {"field": "state", "title": _("state")},
                {"field": "hand_ins", "title": _("number")},
            ],
        },
    }


def _label(step: int, is_dark: bool) -> Json:
    inks = {_CODES[look]: fill.dark_ink if is_dark else fill.light_ink for look, fill in FILLS.items()}
    return {
        "mark": {"type": "text", "fontSize": 12 if step >= ROOM_FOR_NUMBER else 10, "aria": False},
        "encoding": {
            "text": {"field": "label", "type": "nominal"},
            "color": _scale({**inks, _FOOT: _INK[is_dark]}),
        },
    }


def _scale(colours: Mapping[str, str]) -> Json:
    return {
        "field": "code",
        "type": "nominal",
        "legend": None,
        "scale": {"domain": list(colours), "range": list(colours.values())},
    }


def _texts(field: str, title: str, width: int, is_dark: bool) -> Json:
    return {
        "width": width,
        "height": {"step": ROW},
        "title": {"text": title, "anchor": "start", "fontSize": 12, "fontWeight": "normal", "color": _INK[is_dark]},
        "mark": {"type": "text", "align": "left", "x": 0, "limit": width, "fontSize": 12, "color": _INK[is_dark]},
        "encoding": {"y": {**_rows_axis(0), "axis": None}, "text": {"field": field, "type": "nominal"}},
    }
