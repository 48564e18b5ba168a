"""The board for other grade books: in the form that Canvas imports, and in the form that Moodle imports.

A review has no points, so none are invented. Both grade books know a grade that is a word:

- Canvas calls an assignment *Complete/Incomplete* and takes the words `complete` and `incomplete`. Its import knows a
  student by ID, SIS user ID or SIS login ID, and an assignment by its title; these columns stand first, in this order.
- Moodle takes the words of a scale such as *Incomplete, Complete* where *verbose scales* is chosen. Its import asks
  which column names the user (ID number or email address) and which column belongs to which item, and wants the
  feedback beside each grade, for a grade imported without it loses it.

Passed is complete, something to fix is incomplete. Everything else (not handed in, under review, could not be
reviewed, waiting for a person) is an empty cell, which both leave as it is: it is not known, and no fault of the
student's. Ids of the other system are not known here; their columns are there to be filled in.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import count

from engine.insight.class_board import BoardCell, CellLook, ClassBoard
from engine.insight.facts import BoardTask
from engine.insight.spreadsheet import Table

_CANVAS = {CellLook.PASSED: "complete", CellLook.TO_FIX: "incomplete"}
_MOODLE = {CellLook.PASSED: "Complete", CellLook.TO_FIX: "Incomplete"}
_LOOKS_LIKE_AN_ID = re.compile(r"\((\d+)\)\s*$")
"""Canvas reads a number in brackets at the end of a title as the id of an assignment."""


_CANVAS_HEADER = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
_MOODLE_HEADER = ("Name", "ID number", "Email address")


def canvas_table(board: ClassBoard, names: Mapping[str, str]) -> Table:
    """One column for each task; `names` by learner id."""
    columns = _columns(board.tasks, _CANVAS_HEADER, lambda title: (title,))
    rows = tuple(
        (names[row.learner_id], None, None, None, None, *(_CANVAS.get(cell.look) for cell in row.cells))
        for row in board.rows
    )
    return Table(header=(*_CANVAS_HEADER, *columns), rows=rows)


def moodle_table(board: ClassBoard, names: Mapping[str, str], feedback_of: Callable[[BoardCell], str]) -> Table:
    """Two columns for each task, a word of the scale and its feedback, empty together; `names` by learner id."""
    columns = _columns(board.tasks, _MOODLE_HEADER, lambda title: (title, f"{title} (feedback)"))

    def grades(cells: Sequence[BoardCell]) -> list[str | None]:
        graded = [(_MOODLE.get(cell.look), feedback_of(cell)) for cell in cells]
        return [value for grade, words in graded for value in (grade, words if grade else None)]

    rows = tuple((names[row.learner_id], None, None, *grades(row.cells)) for row in board.rows)
    return Table(header=(*_MOODLE_HEADER, *columns), rows=rows)


def _columns(
    tasks: Sequence[BoardTask], header: Sequence[str], columns_of: Callable[[str], tuple[str, ...]]
) -> list[str]:
    """The columns of each task, none headed as another: of equal titles with the project before it, else numbered."""
    plain = [_LOOKS_LIKE_AN_ID.sub(r"[\1]", task.title) for task in tasks]
    columns = list(header)
    for task, title in zip(tasks, plain, strict=True):
        is_alone = plain.count(title) == 1 and title not in header
        wished = title if is_alone else f"{task.project_title}: {title}"
        numbered = (columns_of(wished if n == 1 else f"{wished} [{n}]") for n in count(1))
        columns += next(each for each in numbered if not set(each) & set(columns))
    return columns[len(header) :]
