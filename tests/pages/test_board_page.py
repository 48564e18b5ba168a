"""The class board without a browser: its words, filters, table, drawer, files, and names that can be hidden."""

import pytest
from streamlit.testing.v1 import AppTest

from engine.domain.course import Course
from engine.domain.people import LOCAL_VIEWER
from engine.domain.states import Language
from engine.insight.class_board import CellLook, Group, Order
from engine.scenarios.sample_courses import sample_course
from engine.settings import DEFAULT_STUCK, StuckLimits
from pages import _wiring
from pages._widgets import address
from pages._widgets.board_words import FILLS, ORDERS
from tests.pages.conftest import OpenPage
from tests.pages.test_states import contrast
from tests.pages.test_tutor_page import words_of

NAMES = {
    "Maya Lindqvist",
    "Tom Baker",
    "Priya Nair",
    "Daniel Okafor",
    "Sofia Marchetti",
    "Jonas Weber",
    "Aisha Rahman",
    "Lukas Novak",
    "Emma Dubois",
    "Felix Hartmann",
    "Nora Lind",
    "Mateo Silva",
}


def course() -> Course:
    return next(one for one in _wiring.workbench().demo.courses.courses(LOCAL_VIEWER) if one.language is Language.EN)


def cell_of(name: str, task_id: str) -> str:
    learners = _wiring.workbench().demo.courses.learners(LOCAL_VIEWER, course().course_id)
    learner = next(one.learner_id for one in learners if one.name == name)
    project = next(one for one in course().projects if task_id in {task.task_id for task in one.tasks})
    return f"{learner}/{project.project_id}/{task_id}"


def students(at: AppTest) -> list[str]:
    """Those in the table, without its foot."""
    return list(at.dataframe[0].value["student"])[:-1]


def test_the_board_begins_with_a_sentence_and_its_counts_are_filters(open_page: OpenPage) -> None:
    at = open_page("board.py")
    assert not at.exception
    assert (
        "Of 12 students: 3 stuck, 1 waits for you, 2 whose review could not run, 5 on their way, 1 not begun."
        in words_of(at)
    )
    assert at.get("vega_lite_chart")
    assert [each.split(" ")[0] for each in at.pills[0].options] == ["everybody", "3", "1", "2", "5", "1"]


def test_a_filter_in_the_address_is_what_is_shown(open_page: OpenPage) -> None:
    at = open_page("board.py")
    at.query_params["view"], at.query_params["show"] = "table", Group.STUCK
    at.run()
    assert not at.exception
    assert students(at) == ["Maya Lindqvist", "Aisha Rahman", "Emma Dubois"]
    why = list(at.dataframe[0].value["why first"])
    assert why[1] == "Book listing: not met in 3 hand-ins in a row: A fifth photo is refused"
    assert why[2] == "README and set-up: nothing handed in for 5 days"
    at.query_params["show"] = "nonsense"
    at.run()
    assert set(students(at)) == NAMES


def test_the_table_tells_all_that_the_picture_shows_and_counts_at_its_foot(open_page: OpenPage) -> None:
    at = open_page("board.py")
    at.query_params["view"] = "table"
    at.run()
    table = at.dataframe[0].value
    by_name = {row["student"]: row for _, row in table.iterrows()}
    assert by_name["Aisha Rahman"]["3. Book listing"] == "✕ to fix 3"
    assert by_name["Nora Lind"]["1. README and set-up"] == ""
    assert by_name["passed"]["1. README and set-up"] == "5/12"


@pytest.mark.parametrize(("order", "first"), [(Order.CLASS_LIST, "Maya Lindqvist"), (Order.UNSEEN, "Nora Lind")])
def test_the_order_is_in_the_address_too(open_page: OpenPage, order: Order, first: str) -> None:
    at = open_page("board.py")
    at.query_params["view"], at.query_params["sort"] = "table", order
    at.run()
    assert students(at)[0] == first


def test_a_cell_opens_its_card_its_changes_and_the_last_turns(open_page: OpenPage) -> None:
    at = open_page("board.py")
    at.query_params["cell"] = cell_of("Maya Lindqvist", "login")
    at.run()
    assert not at.exception
    told = words_of(at)
    assert "not met in 2 hand\\-ins in a row" in told
    assert "Students never see it." in told
    assert "since submission 1: " in told
    assert "Review of submission 2" in told
    assert "switched to scrypt and took the print out" in told


def test_the_place_of_a_criterion_opens_from_the_drawer_and_the_drawer_comes_back(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = open_page("board.py")
    at.query_params["cell"] = cell_of("Maya Lindqvist", "login")
    at.run()
    next(one for one in at.button if one.label == "Open the place").click().run()
    assert not at.exception
    assert [one.value for one in at.selectbox if one.label == "6 files"] == ["shop/auth.py"]
    assert "Review of submission 2" not in words_of(at)
    monkeypatch.setattr(address, "CATCHES_UP_S", -1.0)  # an address without the files is a new one now
    for name in ("file", "submission"):
        del at.query_params[name]
    at.run()
    assert "Review of submission 2" in words_of(at)


def test_from_one_stuck_student_to_the_next_and_no_further(open_page: OpenPage) -> None:
    at = open_page("board.py")
    at.query_params["cell"] = cell_of("Maya Lindqvist", "login")
    at.run()
    at.button(key="next_stuck").click().run()
    assert at.query_params["cell"] == cell_of("Aisha Rahman", "listing")
    at.button(key="next_stuck").click().run()
    assert at.button(key="next_stuck").disabled
    assert "nothing handed in for 5 days" in words_of(at)


def test_a_cell_that_is_not_there_is_told_in_words(open_page: OpenPage) -> None:
    at = open_page("board.py")
    at.query_params["cell"] = "nobody/nowhere/nothing"
    at.run()
    assert not at.exception
    assert "this student or this task is not on the board" in words_of(at)


def test_hidden_names_are_numbers_on_every_page_and_stay_hidden(open_page: OpenPage) -> None:
    at = open_page("board.py")
    at.query_params["view"] = "table"
    at.run()
    at.button(key="switch_names").click().run()
    assert set(students(at)) == {f"Student {number}" for number in range(1, 13)}
    assert at.query_params["anonymous"] == "1"
    at.switch_page("reviews.py").run()
    assert set(at.dataframe[0].value["student"]) <= {f"Student {number}" for number in range(1, 13)}
    at.switch_page("review_queue.py").run()
    assert "Student " in words_of(at)
    assert not [name for name in NAMES if name in words_of(at)]
    at.switch_page("tutor.py").run()
    options = at.selectbox(key="choose_student").options
    assert options[:2] == ["Student 1", "Student 2"]
    assert not [name for name in NAMES if name in words_of(at)]
    at.button(key="switch_names").click().run()
    assert at.selectbox(key="choose_student").options[0] == "Maya Lindqvist"


def test_an_address_alone_hides_the_names(open_page: OpenPage) -> None:
    at = open_page("tutor.py", anonymous="1")
    assert at.selectbox(key="choose_student").options[0] == "Student 1"


def test_numbers_of_the_stuck_rule_are_kept_and_gone_by(open_page: OpenPage) -> None:
    at = open_page("settings.py")
    at.number_input(key="stuck_days_0").set_value(9)
    at.number_input(key="stuck_fails_0").set_value(3)
    at.button(key="stuck_save").click().run()
    assert not at.exception
    assert _wiring.workbench().stuck_limits == StuckLimits(fails_in_a_row=3, idle_days=9)
    at.switch_page("board.py").run()
    assert "Of 12 students: 1 stuck," in words_of(at)
    at.switch_page("settings.py").run()
    at.button(key="stuck_reset").click().run()
    assert _wiring.workbench().stuck_limits == DEFAULT_STUCK


def test_a_class_without_students_is_told_what_to_do(open_page: OpenPage) -> None:
    own = _wiring.workbench().own.courses
    kept = own.keep_course(LOCAL_VIEWER, sample_course(Language.EN))
    at = open_page("board.py")
    assert "No students yet." in words_of(at)
    own.add_learner(LOCAL_VIEWER, "Ada", course_id=kept.course_id)
    at.run()
    assert "The one student has not handed in yet." in words_of(at)


def test_the_sentence_is_in_the_language_that_is_read_now_and_tells_the_class_of_now(open_page: OpenPage) -> None:
    own = _wiring.workbench().own.courses
    kept = own.keep_course(LOCAL_VIEWER, sample_course(Language.EN))
    own.add_learner(LOCAL_VIEWER, "Ada", course_id=kept.course_id)
    at = open_page("board.py", lang="en")
    assert "The one student has not handed in yet." in words_of(at)
    at.query_params["lang"] = "zh"
    at.run()
    assert "1 名学生都还没有提交。" in words_of(at)
    own.add_learner(LOCAL_VIEWER, "Bo", course_id=kept.course_id)
    at.run()
    assert "2 名学生都还没有提交。" in words_of(at)


def test_nobody_in_a_group_offers_everybody(open_page: OpenPage) -> None:
    at = open_page("board.py")
    _wiring.workbench().keep_stuck_limits(LOCAL_VIEWER, StuckLimits(fails_in_a_row=99, idle_days=99, turns=99))
    at.query_params["show"] = Group.STUCK
    at.run()
    assert "Nobody is stuck. Work of 1 student waits for you." in words_of(at)
    assert "Nobody belongs here now (12 students in all)." in words_of(at)
    at.button(key="show_all").click().run()
    assert at.get("vega_lite_chart")


def test_every_fill_and_order_has_words_and_no_fill_is_told_by_colour_alone() -> None:
    assert set(FILLS) == set(CellLook)
    assert set(ORDERS) == set(Order)
    fills = FILLS.values()
    assert len({fill.glyph for fill in fills}) == len({fill.word for fill in fills}) == len(FILLS)


@pytest.mark.parametrize("look", CellLook)
def test_what_stands_in_a_cell_is_readable_in_both_themes(look: CellLook) -> None:
    fill = FILLS[look]
    assert contrast(fill.light, fill.light_ink) >= 4.5
    assert contrast(fill.dark, fill.dark_ink) >= 4.5
