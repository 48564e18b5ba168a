"""The tutor page without a browser."""

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER
from engine.domain.states import TurnState
from engine.domain.work import take_snapshot
from engine.errors import StoreError
from engine.tutoring.tutor import Tutor
from engine.work.decoding import read_file
from pages import _wiring
from pages._widgets.conversations import ConversationChoice
from pages._widgets.summary_line import SummaryLine
from tests.pages.conftest import OpenPage

TOO_LONG = "x" * 8001


def words_of(at: AppTest) -> str:
    """Everything that is written on the page."""
    shown = [*at.markdown, *at.caption, *at.info, *at.error]
    return "\n".join([*(str(each.value) for each in shown), *(each.label for each in at.button)])


def wait_for_reply(at: AppTest) -> AppTest:
    """Run until no reply is being written."""
    for _ in range(100):
        at.run()
        if not any(button.label == "Stop" for button in at.button):
            return at
        time.sleep(0.1)
    raise AssertionError("the reply did not end")


def test_the_first_start_shows_a_student_with_open_items_and_what_the_tutor_saw(open_page: OpenPage) -> None:
    at = open_page("tutor.py")
    assert not at.exception
    assert "1 to fix" in words_of(at)
    assert "Demo data" in words_of(at)
    assert len(at.chat_message) == 6
    assert sum(button.label.startswith("What the tutor saw · review of S") for button in at.button) == 3


def test_the_same_page_in_chinese(open_page: OpenPage) -> None:
    at = open_page("tutor.py", lang="zh")
    assert not at.exception
    assert "1 项待改" in words_of(at)
    assert sum(button.label.startswith("导师看到了什么 · 提交") for button in at.button) == 3


def test_a_question_is_shown_at_once_and_its_reply_when_it_has_come(open_page: OpenPage) -> None:
    at = open_page("tutor.py")
    at.chat_input[0].set_value("What should I change first?").run()
    assert not at.exception
    assert "What should I change first?" in words_of(at)
    wait_for_reply(at)
    assert len(at.chat_message) == 8
    assert "test_unknown_account_is_turned_away" in at.chat_message[7].markdown[0].value


def test_work_on_this_asks_about_that_criterion(open_page: OpenPage) -> None:
    at = open_page("tutor.py")
    next(button for button in at.button if button.label == "Work on this").click().run()
    wait_for_reply(at)
    assert "All sign-in tests pass" in at.chat_message[6].markdown[0].value
    assert "All sign-in tests pass" in at.chat_message[7].markdown[0].value


def test_what_the_tutor_saw_opens_by_its_address(open_page: OpenPage) -> None:
    space = _wiring.workbench().demo
    course = next(c for c in space.courses.courses(LOCAL_VIEWER) if c.language == "en")
    learner = space.courses.learners(LOCAL_VIEWER, course.course_id)[0]
    key = space.work.latest_key(LOCAL_VIEWER, learner.learner_id, [p.project_id for p in course.projects])
    assert key is not None
    conversation = space.sessions.conversations(LOCAL_VIEWER, key)[0]
    entries, _older = space.sessions.entries(LOCAL_VIEWER, conversation.conversation_id, last=1)
    turn = entries[0]
    assert turn.turn_id is not None

    at = open_page("tutor.py", turn=turn.turn_id)
    assert not at.exception
    assert "The tutor had the review of submission 2, attempt 2" in words_of(at)
    assert any('"state":"current"' in code.value for code in at.code)


def test_a_turn_that_does_not_exist_says_so(open_page: OpenPage) -> None:
    at = open_page("tutor.py", turn="no-such-turn")
    assert not at.exception
    assert "nothing to show" in words_of(at)


def test_an_interrupted_turn_keeps_its_question_and_can_be_answered_again(open_page: OpenPage) -> None:
    at = open_page("tutor.py")
    space = _wiring.workbench().demo
    at.chat_input[0].set_value("Is this lost?").run()
    wait_for_reply(at)
    turn_id = next(button.key for button in reversed(at.button) if str(button.key).startswith("saw_"))
    assert turn_id is not None
    again = space.sessions.turn(LOCAL_VIEWER, turn_id.removeprefix("saw_"))
    assert again.state is TurnState.DONE
    assert words_of(at).count("Is this lost?") == 1


def test_a_question_that_is_too_long_is_refused_in_words(open_page: OpenPage) -> None:
    at = open_page("tutor.py")
    at.chat_input[0].set_value(TOO_LONG).run()
    assert not at.exception
    assert "longer than 8000 characters" in words_of(at)
    assert len(at.chat_message) == 6
    at.run()
    assert "longer than 8000 characters" not in words_of(at)


def given_back(at: AppTest) -> str | None:
    """What this run put into the input; None where it left alone what stands there."""
    proto = at.chat_input[0].proto
    return proto.value if proto.set_value else None


@pytest.fixture
def cut(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Cuts runs short above the input or below it, as long as it says so."""
    where: set[str] = set()

    def cutting(name: str, draw: Callable[..., None]) -> Callable[..., None]:
        def drawn(*args: object) -> None:
            if name in where:
                st.stop()
            draw(*args)

        return drawn

    monkeypatch.setattr(ConversationChoice, "draw", cutting("above", ConversationChoice.draw))
    monkeypatch.setattr(SummaryLine, "draw_before", cutting("below", SummaryLine.draw_before))
    return where


@pytest.mark.parametrize("where", ["above", "below"])
def test_words_that_were_refused_are_given_back_until_a_run_has_drawn_the_page(
    open_page: OpenPage, cut: set[str], where: str
) -> None:
    at = open_page("tutor.py")
    cut.add("below")
    at.chat_input[0].set_value(TOO_LONG).run()
    assert given_back(at) == TOO_LONG
    cut.clear()
    cut.add(where)
    at.run()
    cut.clear()
    assert given_back(at.run()) == TOO_LONG
    assert "longer than 8000 characters" in words_of(at)
    assert given_back(at.run()) is None  # they may have been changed by now


def test_words_that_were_changed_and_sent_do_not_come_back(open_page: OpenPage, cut: set[str]) -> None:
    at = open_page("tutor.py")
    cut.add("below")
    at.chat_input[0].set_value(TOO_LONG).run()
    cut.clear()
    at.chat_input[0].set_value("Shorter.").run()
    assert given_back(at) is None
    assert "longer than 8000 characters" not in words_of(at)
    assert "Shorter." in words_of(at)
    assert given_back(wait_for_reply(at)) is None


def test_a_suggestion_that_is_refused_leaves_what_is_being_typed(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_args: object, **_named: object) -> None:
        raise StoreError("it is busy")

    at = open_page("tutor.py")
    monkeypatch.setattr(Tutor, "send", refuse)
    at.pills[0].set_value("Why is it not met?").run()
    assert "cannot" in words_of(at)
    assert given_back(at) is None


def test_work_that_another_tab_hands_in_does_not_move_this_one_to_another_task(open_page: OpenPage) -> None:
    at = open_page("tutor.py")
    here, learner_id = (str(at.selectbox(key=f"choose_{name}").value) for name in ("task", "student"))
    space = _wiring.workbench().demo
    course = next(each for each in space.courses.courses(LOCAL_VIEWER) if each.language == "en")
    keys = [
        FeedbackKey(learner_id=learner_id, project_id=project.project_id, task_id=task.task_id)
        for project in course.projects
        for task in project.tasks
    ]
    other = next(key for key in keys if f"{key.project_id}/{key.task_id}" != here)
    space.work.hand_in(LOCAL_VIEWER, other, take_snapshot((read_file("a.py", b"a = 1"),)))
    at.chat_input[0].set_value("Which task is this about?").run()
    assert at.selectbox(key="choose_task").value == here
    assert "Which task is this about?" in words_of(at)


def test_a_database_that_cannot_answer_is_told_in_words(open_page: OpenPage, data_folder: Path) -> None:
    at = open_page("tutor.py")
    with sqlite3.connect(data_folder / "demo.db") as connection:
        connection.execute("ALTER TABLE turn RENAME TO turn_gone")
    at.run()
    assert not at.exception
    assert "The database cannot do this now" in words_of(at)


@pytest.mark.parametrize("is_connected", [True, False])
def test_a_model_connected_later_offers_to_review_what_was_left_open(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, is_connected: bool
) -> None:
    if is_connected:
        monkeypatch.setenv("TUTORLOOP_MODEL_URL", "http://model.invalid/v1")
        monkeypatch.setenv("TUTORLOOP_MODEL_NAME", "some-model")
    at = open_page("tutor.py")
    assert not at.exception
    assert "1 to fix" in words_of(at)
    assert ("Review again" in [button.label for button in at.button]) is is_connected
