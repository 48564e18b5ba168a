"""The reviews page without a browser."""

import sqlite3
from pathlib import Path

import pytest

from engine.domain.people import LOCAL_VIEWER
from pages import _wiring
from tests.pages.conftest import OpenPage
from tests.pages.test_tutor_page import words_of


def test_every_review_of_the_demo_is_listed_with_its_state_in_words(open_page: OpenPage) -> None:
    at = open_page("reviews.py")
    assert not at.exception
    table = at.dataframe[0].value
    assert list(table.columns) == ["when", "student", "task", "submission", "attempt", "state", "by"]
    assert len(table) == 17
    assert {"Passed", "Could not be reviewed", "Faulty record", "Reviewing"} <= set(table["state"])


@pytest.mark.parametrize(
    ("state", "shown"),
    [
        ("pass", {"Passed"}),
        ("unavailable", {"Could not be reviewed"}),
        ("invalid", {"Faulty record"}),
        ("open", {"Reviewing"}),
    ],
)
def test_a_filter_shows_only_what_fits_it(open_page: OpenPage, state: str, shown: set[str]) -> None:
    at = open_page("reviews.py")
    at.selectbox(key="choose_state").select(state).run()
    assert not at.exception
    assert set(at.dataframe[0].value["state"]) == shown


def test_the_attempt_that_the_tutor_has_is_marked_in_the_timeline(open_page: OpenPage) -> None:
    at = open_page("reviews.py")
    at.selectbox(key="choose_state").select("need_review").run()
    assert not at.exception
    assert "the tutor has this one" in words_of(at)


def test_no_review_that_fits_offers_to_clear_the_filters(open_page: OpenPage) -> None:
    at = open_page("reviews.py")
    at.selectbox(key="choose_of").select(_student("Jonas Weber")).run()
    at.selectbox(key="choose_state").select("unavailable").run()
    assert "No review fits these filters (17 in all)." in words_of(at)
    at.button(key="clear_filters").click().run()
    assert len(at.dataframe[0].value) == 17


def test_a_database_that_cannot_answer_is_told_in_words(open_page: OpenPage, data_folder: Path) -> None:
    at = open_page("reviews.py")
    with sqlite3.connect(data_folder / "demo.db") as connection:
        connection.execute("ALTER TABLE outcome RENAME TO outcome_gone")
    at.run()
    assert not at.exception
    assert "The database cannot do this now" in words_of(at)


def _student(name: str) -> str:
    space = _wiring.workbench().demo
    courses = space.courses.courses(LOCAL_VIEWER)
    learners = [one for course in courses for one in space.courses.learners(LOCAL_VIEWER, course.course_id)]
    return next(one.learner_id for one in learners if one.name == name)
