"""Turns on the tutor page: going on, clicking twice, saving, and the conversation in the address."""

import sqlite3
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button

from engine.domain.people import LOCAL_VIEWER
from engine.domain.running import Lease
from engine.domain.session import Message, Turn, TurnEnd
from engine.domain.states import Language, OutcomeKind, ReviewFault, TurnState
from engine.wiring import Space
from pages import _wiring
from pages._widgets.state_line import _start_review
from tests.pages.conftest import OpenPage
from tests.pages.test_tutor_page import wait_for_reply, words_of

ELSEWHERE = Lease(holder="another process", seconds=600)


def demo() -> Space:
    return _wiring.workbench().demo


def conversation_on(at: AppTest) -> str:
    """The conversation on the screen."""
    turn_id = next(str(button.key) for button in at.button if str(button.key).startswith("saw_")).removeprefix("saw_")
    return demo().sessions.turn(LOCAL_VIEWER, turn_id).conversation_id


def turns_in(conversation_id: str) -> list[Turn]:
    entries, _older = demo().sessions.entries(LOCAL_VIEWER, conversation_id, last=99)
    return [entry for entry in entries if isinstance(entry, Turn)]


def labelled(at: AppTest, label: str) -> Button:
    """The last button with this label."""
    return [button for button in at.button if button.label == label][-1]


def interrupted(conversation_id: str, partial: str) -> Turn:
    """A turn that ended in mid-sentence."""
    turn = demo().sessions.begin_turn(LOCAL_VIEWER, conversation_id, "Where should I begin?", demo().worker.lease)
    demo().leases.keep_progress(turn.turn_id, "owner", partial)
    demo().tutor.interrupt(turn.turn_id)
    return turn


WORDS = {
    "en": ("Go on from here", "Answer again", "What had arrived is kept above", "broke off once", "before the break"),
    "zh": ("从这里继续", "重新回答", "已收到的内容保留在上面", "中断过一次", "中断前导师看到了什么"),
}


@pytest.mark.parametrize("lang", WORDS)
def test_a_reply_that_broke_off_can_be_gone_on_with_and_is_then_one(open_page: OpenPage, lang: str) -> None:
    go_on, again, kept, once, before = WORDS[lang]
    at = open_page("tutor.py", lang=lang)
    broken = interrupted(conversation_on(at), "Half a sentence and")
    at.run()
    assert "Half a sentence and" in words_of(at) and kept in words_of(at)
    assert labelled(at, again).key == f"retry_{broken.turn_id}"
    stale = labelled(at, go_on)
    stale.click().run()
    stale.click().run()
    newest = turns_in(broken.conversation_id)[-1]
    assert newest.continues_id == broken.turn_id and newest.number == broken.number + 1
    at.run()
    for _ in range(100):
        if demo().sessions.turn(LOCAL_VIEWER, newest.turn_id).state is not TurnState.OPEN:
            break
        demo().worker.wait(newest.turn_id, timeout_s=1)
    at.run()
    assert not at.exception
    shown = "\n".join(str(each.value) for each in at.chat_message[-1].markdown)
    assert shown.startswith("Half a sentence ") and len(shown) > 60
    assert once in words_of(at) and go_on not in words_of(at)
    next(button for button in at.button if before in button.label).click().run()
    assert at.query_params["turn"] == broken.turn_id


def test_a_failed_reply_without_a_word_has_nothing_to_go_on_from(open_page: OpenPage) -> None:
    at = open_page("tutor.py")
    turn = demo().sessions.begin_turn(LOCAL_VIEWER, conversation_on(at), "why?", demo().worker.lease)
    demo().sessions.end_turn(LOCAL_VIEWER, turn.turn_id, TurnEnd(state=TurnState.FAILED, fault="provider_down"))
    at.run()
    labels = [button.label for button in at.button]
    assert "Answer again" in labels and "Go on from here" not in labels


def test_a_reply_that_waits_for_the_database_is_shown_as_being_saved(open_page: OpenPage) -> None:
    at = open_page("tutor.py")
    turn = demo().sessions.begin_turn(LOCAL_VIEWER, conversation_on(at), "why?", ELSEWHERE)
    demo().tutor._unsaved[turn.turn_id] = TurnEnd(state=TurnState.DONE, reply="The whole of it.")
    at.run()
    assert not at.exception
    assert "The whole of it." in words_of(at) and "Saving …" in words_of(at)
    assert "Stop" not in [button.label for button in at.button]


# Twice quickly


def test_two_clicks_on_work_on_this_ask_once(open_page: OpenPage) -> None:
    at = open_page("tutor.py")
    before = len(turns_in(conversation_on(at)))
    button = labelled(at, "Work on this")
    button.click().run()
    button.click().run()
    wait_for_reply(at)
    assert not at.exception
    assert len(turns_in(conversation_on(at))) == before + 1


def test_two_clicks_on_answer_again_answer_once(open_page: OpenPage) -> None:
    at = open_page("tutor.py")
    broken = interrupted(conversation_on(at), "Half")
    at.run()
    button = labelled(at, "Answer again")
    button.click().run()
    button.click().run()
    wait_for_reply(at)
    newest = turns_in(broken.conversation_id)[-1]
    assert (newest.number, newest.continues_id, newest.state) == (broken.number + 1, None, TurnState.DONE)


def test_two_clicks_on_review_again_begin_one_review(open_page: OpenPage) -> None:
    at = open_page("tutor.py")
    key = demo().sessions.conversation(LOCAL_VIEWER, conversation_on(at)).key
    submission = demo().tutor.current_feedback(LOCAL_VIEWER, key).submission
    assert submission is not None
    begun = demo().reviewer.begin(LOCAL_VIEWER, submission.submission_id, ELSEWHERE)
    at.run()
    assert "Review again" not in [button.label for button in at.button]
    fault = ReviewFault.INTERRUPTED
    demo().reviews.finish(LOCAL_VIEWER, begun.attempt.attempt_id, OutcomeKind.UNAVAILABLE, fault=fault)
    at.run()
    labelled(at, "Review again").click().run()
    assert not at.exception
    # What the second click calls where it comes before the page is drawn anew.
    _start_review(LOCAL_VIEWER, demo(), submission.submission_id, begun.attempt.attempt_seq)
    rows = demo().reviews.timeline(LOCAL_VIEWER, key)
    newest = [row.attempt.attempt_seq for row in rows if row.attempt and row.submission == submission]
    assert max(newest) == begun.attempt.attempt_seq + 1


# Two tabs


def test_two_tabs_that_send_at_once_are_both_kept_and_answered(open_page: OpenPage) -> None:
    one = open_page("tutor.py")
    other = open_page("tutor.py")
    one.chat_input[0].set_value("from one tab?").run()
    other.chat_input[0].set_value("from the other?").run()
    wait_for_reply(one)
    asked = [turn.question for turn in turns_in(conversation_on(one)) if turn.state is TurnState.DONE]
    assert asked[-2:] == ["from one tab?", "from the other?"]
    assert "from one tab?" in words_of(other.run()) and "from the other?" in words_of(one)


def test_a_message_that_cannot_be_stored_is_told_and_put_back_into_the_input(
    open_page: OpenPage, data_folder: Path
) -> None:
    at = open_page("tutor.py")
    with sqlite3.connect(data_folder / "demo.db") as connection:
        connection.execute("ALTER TABLE counter RENAME TO counter_gone")
    at.chat_input[0].set_value("Is this lost?").run()
    assert not at.exception
    assert "The database cannot do this now" in words_of(at)
    assert at.chat_input[0].proto.value == "Is this lost?"


# The address


def test_the_conversation_one_talks_in_stands_in_the_address_and_opens_by_it(open_page: OpenPage) -> None:
    at = open_page("tutor.py")
    before = conversation_on(at)
    labelled(at, "New conversation").click().run()
    assert at.query_params["conversation"] == "new"
    at.chat_input[0].set_value("Where should I begin?").run()
    after = str(at.query_params["conversation"])
    (turn,) = turns_in(after)
    demo().worker.wait(turn.turn_id, timeout_s=20)
    assert conversation_on(at.run()) == after != before
    address = {name: str(value) for name, value in at.query_params.items()}
    link = open_page("tutor.py", **{**address, "conversation": before})
    assert conversation_on(link) == before
    assert conversation_on(open_page("tutor.py", **address)) == after


def test_an_address_of_a_conversation_that_is_not_here_shows_the_newest(open_page: OpenPage) -> None:
    at = open_page("tutor.py", conversation="no-such-conversation")
    assert not at.exception
    assert len(at.chat_message) == 6


def test_another_student_is_shown_in_a_conversation_of_their_own(open_page: OpenPage) -> None:
    at = open_page("tutor.py")
    labelled(at, "New conversation").click().run()
    student = at.selectbox(key="choose_student")
    course_id = str(at.selectbox(key="choose_course").value)
    others = [one.learner_id for one in demo().courses.learners(LOCAL_VIEWER, course_id)]
    student.set_value(next(one for one in others if one != student.value)).run()
    assert not at.exception
    assert "conversation" not in at.query_params


def test_work_handed_in_from_a_new_conversation_is_told_there(open_page: OpenPage) -> None:
    open_page("tutor.py")
    own = _wiring.workbench().own
    key = own.desk.my_course(LOCAL_VIEWER, Language.EN, "Ada")
    earlier = own.sessions.open_conversation(LOCAL_VIEWER, key).conversation_id
    course = own.courses.course_by_slug(LOCAL_VIEWER, "my-course")
    assert course is not None
    at = open_page("tutor.py", course=course.course_id)
    labelled(at, "New conversation").click().run()
    labelled(at, "Hand in work").click().run()
    at.text_area(key="hand_in_text").set_value("print(1)").run()
    at.button(key="hand_in_now").click().run()
    assert not at.exception
    conversations = own.sessions.conversations(LOCAL_VIEWER, key)
    told = {
        one.conversation_id: [
            entry
            for entry in own.sessions.entries(LOCAL_VIEWER, one.conversation_id, last=9)[0]
            if isinstance(entry, Message)
        ]
        for one in conversations
    }
    assert {name: len(notes) for name, notes in told.items()} == {earlier: 0, conversations[0].conversation_id: 1}
    assert len(conversations) == 2 and at.query_params["conversation"] == conversations[0].conversation_id
