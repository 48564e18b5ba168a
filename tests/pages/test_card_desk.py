"""Decisions, reports, notes and teachers' lines, on the pages where people meet them."""

from streamlit.testing.v1 import AppTest

from engine.domain.people import LOCAL_VIEWER
from engine.domain.states import CriterionStatus
from engine.review.decisions import Verdict
from engine.review.review_store import ReviewFilter, ReviewRow
from engine.wiring import Space
from pages import _wiring
from tests.pages.conftest import OpenPage
from tests.pages.test_tutor_page import words_of

REASON = "I have read it, and it says so."


def newest(space: Space, task_id: str, learner: str) -> ReviewRow:
    course = next(one for one in space.courses.courses(LOCAL_VIEWER) if one.language == "en")
    projects = tuple(project.project_id for project in course.projects)
    rows, _total = space.reviews.page(LOCAL_VIEWER, ReviewFilter(project_ids=projects, task_id=task_id), limit=20)
    return next(row for row in rows if row.learner_name == learner)


def open_review(open_page: OpenPage, row: ReviewRow) -> AppTest:
    at = open_page("reviews.py")
    assert row.attempt is not None
    at.query_params["review"] = f"{row.submission.submission_id}/{row.attempt.attempt_seq}"
    return at.run()


def labelled(at: AppTest, label: str) -> list[str]:
    return [str(button.key) for button in at.button if button.label == label]


def press(at: AppTest, label: str, place: int = 0) -> AppTest:
    at.button(key=labelled(at, label)[place]).click().run()
    assert not at.exception
    return at


def test_a_decision_on_the_card_is_in_force_and_the_machines_verdict_is_struck_beside_it(open_page: OpenPage) -> None:
    at = open_page("reviews.py")
    row = newest(_wiring.workbench().demo, "login", "Maya Lindqvist")
    at = open_review(open_page, row)
    press(at, "Decide")
    at.segmented_control[0].set_value(CriterionStatus.PASS).run()
    at.text_area[0].set_value(REASON).run()
    at.text_input[0].set_value("Mr Bo").run()
    press(at, "Save the decision")
    words = words_of(at)
    assert "Mr Bo, " in words
    assert "~~Fail~~" in words
    assert "decided by Mr Bo" in words
    assert "36 of 36 rows: 30 judged, 2 decided, 4 without a judgement" in words
    press(at, "Take the decision back")
    assert "a decision was taken back by Mr Bo" in words_of(at)


def test_a_decision_on_what_is_no_longer_the_newest_keeps_the_words(open_page: OpenPage) -> None:
    at = open_page("reviews.py")
    space = _wiring.workbench().demo
    row = newest(space, "login", "Maya Lindqvist")
    at = open_review(open_page, row)
    press(at, "Decide")
    at.segmented_control[0].set_value(CriterionStatus.PASS).run()
    at.text_area[0].set_value(REASON).run()
    theirs = Verdict(
        rubric_id="helpful-message", status=CriterionStatus.PASS, reason=REASON, by="Mr Bo", seen_attempt_seq=2
    )
    space.decisions.decide(LOCAL_VIEWER, row.submission.submission_id, theirs)
    press(at, "Save the decision")
    assert len(space.reviews.timeline(LOCAL_VIEWER, row.submission.key)) == 4
    at = open_review(open_page, newest(space, "login", "Maya Lindqvist"))
    press(at, "Decide")
    assert at.text_area[0].value == REASON


def test_a_later_review_says_that_the_decision_was_kept(open_page: OpenPage) -> None:
    open_page("reviews.py")
    space = _wiring.workbench().demo
    row = newest(space, "storage", "Jonas Weber")
    begun = space.reviewer.begin(LOCAL_VIEWER, row.submission.submission_id, space.worker.lease)
    space.reviewer.judge(LOCAL_VIEWER, begun)
    at = open_review(open_page, newest(space, "storage", "Jonas Weber"))
    assert "Ms Castillo's decision of" in words_of(at)
    assert "Bring this schema to the retrospective" in words_of(at)


def test_a_student_reports_a_verdict_and_both_read_it(open_page: OpenPage) -> None:
    at = open_page("tutor.py")
    press(at, "I see this differently")
    at.text_area[0].set_value("the test has a typo").run()
    press(at, "Report this verdict")
    assert "the test has a typo" in words_of(at)
    row = newest(_wiring.workbench().demo, "login", "Maya Lindqvist")
    assert "the test has a typo" in words_of(open_review(open_page, row))


def test_a_note_stands_on_the_card_and_in_the_chat(open_page: OpenPage) -> None:
    at = open_page("reviews.py")
    row = newest(_wiring.workbench().demo, "login", "Maya Lindqvist")
    at = open_review(open_page, row)
    press(at, "Leave a note")
    at.text_area[0].set_value("Bring the test run.").run()
    press(at, "Leave the note")
    assert "Bring the test run" in words_of(at)
    assert words_of(open_page("tutor.py")).count("Bring the test run") == 2


def test_a_teacher_steps_into_the_chat_under_the_own_name_and_nothing_answers(open_page: OpenPage) -> None:
    at = open_page("tutor.py")
    before = len(at.chat_message)
    space = _wiring.workbench().demo
    row = newest(space, "login", "Maya Lindqvist")
    conversation = space.sessions.conversations(LOCAL_VIEWER, row.submission.key)[0]
    words = '{"note": "handed_in", "submission_id": "x"} **look** at line 3'
    space.teaching.chats.say(LOCAL_VIEWER, conversation.conversation_id, words, name="Ms [Lin](x)")
    at.run()
    assert not at.exception
    assert len(at.chat_message) == before + 1
    assert at.chat_message[before].avatar == ":material/co_present:" or at.chat_message[before].name == "teacher"
    assert "at line 3" in words_of(at)
