"""The queue without a browser."""

import sqlite3
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from engine.domain.people import LOCAL_VIEWER, Viewer, ViewerKind
from engine.domain.states import CriterionStatus
from engine.errors import AccessDenied
from engine.review.decisions import Verdict
from engine.review.queue_store import QueueItem, Waiting
from engine.wiring import Space
from pages import _guard, _wiring
from pages._guard import require_teacher
from tests.pages.conftest import OpenPage
from tests.pages.test_tutor_page import words_of

REASON = "I have read it, and it says so."


def waiting(space: Space) -> tuple[QueueItem, ...]:
    course = next(one for one in space.courses.courses(LOCAL_VIEWER) if one.language == "en")
    projects = tuple(project.project_id for project in course.projects)
    return space.teaching.queue.waiting(LOCAL_VIEWER, space.teaching.logic, projects)


def at_judgement(open_page: OpenPage) -> AppTest:
    """The queue at the one criterion that needs a judgement, the third of the demo's four."""
    at = open_page("review_queue.py")
    for _step in range(2):
        at.button(key="queue_J").click().run()
    assert "never tells whether the account exists" in words_of(at)
    return at


def decide(at: AppTest, number: int, reason: str = REASON) -> None:
    at.button(key=f"queue_choose_{number}").click().run()
    at.text_area[0].set_value(reason).run()
    at.button(key="queue_save").click().run()
    assert not at.exception


def test_what_waits_is_counted_and_the_longest_waiting_comes_first(open_page: OpenPage) -> None:
    at = open_page("review_queue.py")
    assert not at.exception
    space = _wiring.workbench().demo
    assert [item.waiting for item in waiting(space)] == [
        Waiting.FAULTY,
        Waiting.UNAVAILABLE,
        Waiting.JUDGEMENT,
        Waiting.DISPUTE,
    ]
    assert "Sofia Marchetti" in words_of(at)
    assert "Faulty record" in words_of(at)
    assert [button.label for button in at.button if button.key == "queue_again"] == ["Review again and next"]


def test_a_decision_is_saved_with_its_reason_and_the_next_item_is_shown(open_page: OpenPage) -> None:
    at = at_judgement(open_page)
    decide(at, 1)
    assert "must it be a hash" in words_of(at)
    space = _wiring.workbench().demo
    assert len(waiting(space)) == 3
    decide(at, 2, "A tag can be moved; the hash cannot.")
    assert "2 decided: 1 passed, 1 to fix, 0 left open." in words_of(at)
    assert [item.waiting for item in waiting(space)] == [Waiting.FAULTY, Waiting.UNAVAILABLE]


def test_what_is_missing_is_said_and_the_words_stay(open_page: OpenPage) -> None:
    at = at_judgement(open_page)
    at.text_area[0].set_value("no").run()
    at.button(key="queue_save").click().run()
    assert "Choose Pass, Fail or Needs a person" in words_of(at)
    at.button(key="queue_choose_2").click().run()
    at.button(key="queue_save").click().run()
    assert "needs a reason of at least 10 characters" in words_of(at)
    assert at.text_area[0].value == "no"
    assert len(waiting(_wiring.workbench().demo)) == 4


def test_what_is_typed_is_kept_although_one_goes_on_without_saving(open_page: OpenPage) -> None:
    at = at_judgement(open_page)
    at.text_area[0].set_value("half a reason").run()
    at.button(key="queue_J").click().run()
    at.button(key="queue_K").click().run()
    assert at.text_area[0].value == "half a reason"


def test_the_last_decision_can_be_undone_and_both_attempts_stay(open_page: OpenPage) -> None:
    at = at_judgement(open_page)
    decide(at, 1)
    at.button(key="queue_undo").click().run()
    assert not at.exception
    assert "never tells whether the account exists" in words_of(at)
    space = _wiring.workbench().demo
    (item,) = [item for item in waiting(space) if item.waiting is Waiting.JUDGEMENT]
    assert (item.newest_seq, item.result and item.result.source) == (4, "check")


def test_an_undo_that_is_refused_says_so_at_the_end_of_the_list_too(open_page: OpenPage) -> None:
    at = at_judgement(open_page)
    decide(at, 1)
    at.button(key="queue_J").click().run()
    space = _wiring.workbench().demo
    last = at.session_state["queue_last"]
    space.reviewer.start(LOCAL_VIEWER, last.submission_id, space.worker)
    at.button(key="queue_undo").click().run()
    assert not at.exception
    assert "1 decided" in words_of(at)
    assert at.error


def test_an_item_that_another_teacher_has_just_decided_says_so_and_keeps_the_words(open_page: OpenPage) -> None:
    at = at_judgement(open_page)
    at.text_area[0].set_value(REASON).run()
    space = _wiring.workbench().demo
    (item,) = [item for item in waiting(space) if item.waiting is Waiting.JUDGEMENT]
    theirs = Verdict(
        rubric_id=item.rubric_id,
        status=CriterionStatus.FAIL,
        reason="It tells which accounts exist.",
        by="Mr Bo",
        seen_attempt_seq=item.newest_seq,
    )
    at.button(key="queue_choose_1").click().run()
    space.decisions.decide(LOCAL_VIEWER, item.submission_id, theirs)
    at.button(key="queue_save").click().run()
    assert "Another review or decision came in" in words_of(at)
    assert "Mr Bo has just decided this" in words_of(at)
    assert at.text_area[0].value == REASON
    at.button(key="queue_save").click().run()
    (standing,) = [space.teaching.queue.one(LOCAL_VIEWER, space.teaching.logic, item.submission_id, item.rubric_id)]
    assert standing.result is not None
    assert (standing.result.status, standing.newest_seq) == (CriterionStatus.PASS, item.newest_seq + 2)


def test_another_teacher_who_looks_at_it_is_told_and_can_be_relieved(open_page: OpenPage) -> None:
    space = _wiring.workbench().demo
    first = waiting(space)[0]
    other = Viewer(kind=ViewerKind.TEACHER, person_id="bo", project_ids=frozenset({first.key.project_id}))
    space.teaching.notes.reserve(other, first.submission_id, first.rubric_id, name="Mr Bo")
    at = open_page("review_queue.py")
    assert "Mr Bo is looking at this" in words_of(at)
    at.button(key="queue_take").click().run()
    assert "Mr Bo is looking at this" not in words_of(at)


def test_reviews_that_could_not_run_are_begun_again_and_the_end_is_no_dead_button(open_page: OpenPage) -> None:
    at = open_page("review_queue.py")
    for _item in range(2):
        at.button(key="queue_again").click().run()
    while any(button.key == "queue_J" for button in at.button):
        at.button(key="queue_J").click().run()
    assert not at.exception
    assert "2 reviews were begun again." in words_of(at)
    at.button(key="queue_restart").click().run()
    assert not at.exception


def test_who_only_looked_through_the_list_is_not_told_that_something_was_done(open_page: OpenPage) -> None:
    at = open_page("review_queue.py")
    for _item in range(4):
        at.button(key="queue_J").click().run()
    assert [one.value for one in at.subheader] == ["The end of the list."]
    assert "Nothing was decided in this round." in words_of(at)
    at.button(key="queue_restart").click().run()
    assert "Sofia Marchetti" in words_of(at)


def test_with_nothing_left_the_page_says_what_would_appear(open_page: OpenPage) -> None:
    at = open_page("review_queue.py", lang="zh")
    assert not at.exception
    assert "记录有误" in words_of(at)
    space = _wiring.workbench().demo
    course = next(one for one in space.courses.courses(LOCAL_VIEWER) if one.language == "zh")
    for item in space.teaching.queue.waiting(
        LOCAL_VIEWER, space.teaching.logic, tuple(project.project_id for project in course.projects)
    ):
        space.reviewer.begin(LOCAL_VIEWER, item.submission_id, space.worker.lease)
    at = open_page("review_queue.py", lang="zh")
    assert "现在没有需要你判断的" in words_of(at)


def test_a_database_that_cannot_answer_is_told_in_words(open_page: OpenPage, data_folder: Path) -> None:
    at = open_page("review_queue.py")
    with sqlite3.connect(data_folder / "demo.db") as connection:
        connection.execute("ALTER TABLE dispute RENAME TO dispute_gone")
    at.run()
    assert not at.exception
    assert "The database cannot do this now" in words_of(at)


def test_a_student_has_no_such_page() -> None:
    student = Viewer(kind=ViewerKind.STUDENT, person_id="ada")
    with _guard.admitted(student), pytest.raises(AccessDenied):
        require_teacher()
