"""What other grade books are given: words where a review decided, and nothing where none did."""

from engine.insight.facts import NOTHING
from engine.insight.grade_book import canvas_table, moodle_table
from tests.insight.builders import BROKEN, DOWN, FAILED, PASSED, PENDING, STALE, WAITING, board, task

EVERY = (PASSED, FAILED, WAITING, STALE, DOWN, BROKEN, PENDING, NOTHING)
SHOWN = board({"Ada": EVERY})
NAMES = {"id of Ada": "Student 1"}
FILL_IN = (None, None, None, None)


def test_canvas_gets_its_columns_and_words_for_what_was_decided_only() -> None:
    table = canvas_table(SHOWN, NAMES)
    assert table.header[:5] == ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
    assert table.header[5:] == tuple(f"Task {number}" for number in range(1, 9))
    assert table.rows == (("Student 1", *FILL_IN, "complete", "incomplete", *[None] * 6),)


def test_moodle_gets_a_word_of_the_scale_and_its_feedback_or_neither() -> None:
    table = moodle_table(SHOWN, NAMES, lambda cell: f"told of {cell.task.title}")
    assert table.header[:5] == ("Name", "ID number", "Email address", "Task 1", "Task 1 (feedback)")
    assert table.rows == (
        ("Student 1", None, None, "Complete", "told of Task 1", "Incomplete", "told of Task 2", *[None] * 12),
    )


def test_titles_are_told_apart_and_none_looks_like_an_id_of_canvas() -> None:
    tasks = (
        task(1, "Login", "Shop"),
        task(2, "Login", "Admin"),
        task(3, "Part (12)", "Shop"),
        task(4, "Login", "Shop"),
        task(5, "Shop: Login"),
    )
    shown = board({"Ada": (PASSED,) * 5}, tasks)
    assert canvas_table(shown, NAMES).header[5:] == (
        "Shop: Login",
        "Admin: Login",
        "Part [12]",
        "Shop: Login [2]",
        "Shop: Login [3]",
    )


def test_no_task_takes_the_heading_of_another_column() -> None:
    tasks = (task(1, "Section"), task(2, "Login"), task(3, "Login (feedback)"), task(4, "Email address"))
    shown = board({"Ada": (PASSED,) * 4}, tasks)
    for table in (canvas_table(shown, NAMES), moodle_table(shown, NAMES, lambda _cell: "")):
        assert len(set(table.header)) == len(table.header)
    assert canvas_table(shown, NAMES).header[5] == "One: Section"
    assert moodle_table(shown, NAMES, lambda _cell: "").header[3:5] == ("Section", "Section (feedback)")
