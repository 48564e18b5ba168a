"""The reviews page without a browser."""

import sqlite3
from pathlib import Path

import pytest

from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER, Viewer
from engine.domain.work import take_snapshot
from engine.review.cards import Cards
from engine.review.review_store import ReviewFilter
from engine.work.decoding import read_file
from pages import _wiring
from pages._widgets.markdown import literal
from tests.pages.conftest import OpenPage
from tests.pages.test_tutor_page import words_of


def test_every_review_of_the_demo_is_listed_with_its_state_in_words(open_page: OpenPage) -> None:
    at = open_page("reviews.py")
    assert not at.exception
    table = at.dataframe[0].value
    assert list(table.columns) == ["when", "student", "task", "submission", "attempt", "state", "by"]
    assert len(table) == 20
    assert "35 of 35 rows" in words_of(at)
    assert "on the *Tutor* page" in words_of(at)
    at.session_state["reviews_page"] = 2
    second = at.run().dataframe[0].value
    assert set(second["origin"]) > {"—"}  # a column that has nothing to say is left out, as on the first page
    states = {*table["state"], *second["state"]}
    assert {"Passed", "Could not be reviewed", "Faulty record", "Reviewing"} <= states


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
    at.selectbox(key="choose_student").select(_student("Jonas Weber")).run()
    at.selectbox(key="choose_state").select("unavailable").run()
    assert "No review fits these filters (35 in all)." in words_of(at)
    at.button(key="clear_filters").click().run()
    assert len(at.dataframe[0].value) == 20


def test_a_page_that_a_filter_took_away_leads_back_to_the_first(open_page: OpenPage) -> None:
    at = open_page("reviews.py")
    at.session_state["reviews_page"] = 3
    at.run()
    assert not at.exception
    assert len(at.dataframe[0].value) == 20


@pytest.mark.parametrize("attempt", ["9" * 20, "9" * 5000, "²", "x"])
def test_an_address_with_no_possible_attempt_still_shows_the_page(open_page: OpenPage, attempt: str) -> None:
    rows, _total = _wiring.workbench().demo.reviews.page(LOCAL_VIEWER, ReviewFilter(), limit=1)
    at = open_page("reviews.py")
    at.query_params["review"] = f"{rows[0].submission.submission_id}/{attempt}"
    at.run()
    assert not at.exception
    assert len(at.dataframe[0].value) == 20


def test_a_name_is_shown_as_it_is_written_and_draws_nothing(open_page: OpenPage) -> None:
    space = _wiring.workbench().demo
    course = next(each for each in space.courses.courses(LOCAL_VIEWER) if each.language == "en")
    name = "![cat](/media/cat.png) :red[Eve]"
    learner = space.courses.add_learner(LOCAL_VIEWER, name, course_id=course.course_id)
    project = course.projects[0]
    key = FeedbackKey(learner_id=learner.learner_id, project_id=project.project_id, task_id=project.tasks[0].task_id)
    work = take_snapshot((read_file("a.py", b"a = 1"),))
    submission, _is_new = space.work.hand_in(LOCAL_VIEWER, key, work)
    at = open_page("reviews.py")
    at.query_params["review"] = f"{submission.submission_id}/"
    at.run()
    assert at.subheader[0].value.startswith(literal(name))


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


def test_next_and_previous_go_from_row_to_row_and_stop_at_the_ends(open_page: OpenPage) -> None:
    at = open_page("reviews.py")
    assert at.button(key="step_K").disabled
    at.button(key="step_J").click().run()
    assert "2 of 20 on this page" in words_of(at)
    at.button(key="step_K").click().run()
    assert "1 of 20 on this page" in words_of(at)


def test_a_student_chosen_on_one_page_is_chosen_on_the_other(open_page: OpenPage) -> None:
    at = open_page("tutor.py")
    at.selectbox(key="choose_student").select(_student("Jonas Weber")).run()
    at.switch_page("reviews.py").run()
    assert set(at.dataframe[0].value["student"]) == {"Jonas Weber"}


def test_an_address_from_before_the_review_began_shows_that_submission(open_page: OpenPage) -> None:
    at = open_page("reviews.py")
    cards, _total = _wiring.workbench().demo.cards.page(LOCAL_VIEWER, ReviewFilter(), limit=20)
    wanted = cards[5].row.submission
    assert wanted.submission_id != cards[0].row.submission.submission_id
    at.query_params["review"] = f"{wanted.submission_id}/"
    at.run()
    assert f"Review of submission {wanted.submission_seq}" in words_of(at)
    assert literal(cards[5].row.task_title) in next(one.value for one in at.subheader)


def test_a_review_that_ends_while_the_page_is_read_has_ended_in_the_table_too(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = open_page("reviews.py")
    space = _wiring.workbench().demo
    course = next(each for each in space.courses.courses(LOCAL_VIEWER) if each.language == "en")
    shown = ReviewFilter(project_ids=tuple(project.project_id for project in course.projects))
    (card, *_others), _total = space.cards.page(LOCAL_VIEWER, shown, limit=20)
    submission_id = card.row.submission.submission_id
    begun = [space.reviewer.begin(LOCAL_VIEWER, submission_id, space.worker.lease)]
    at.query_params["review"] = f"{submission_id}/{begun[0].attempt.attempt_seq}"
    assert at.run().dataframe[0].value["state"][0] == "Reviewing"
    read = Cards.page

    def read_slowly(cards: Cards, viewer: Viewer, chosen: ReviewFilter, *, limit: int, offset: int = 0) -> object:
        found = read(cards, viewer, chosen, limit=limit, offset=offset)
        if begun:
            space.reviewer.judge(LOCAL_VIEWER, begun.pop())
        return found

    monkeypatch.setattr(Cards, "page", read_slowly)
    assert at.run().dataframe[0].value["state"][0] != "Reviewing"
    assert not begun
