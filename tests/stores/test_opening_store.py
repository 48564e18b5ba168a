"""Turns that the tutor begins, and how much it gives away, on both databases."""

from dataclasses import replace

import pytest

from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER
from engine.domain.states import SupportLevel, TurnState
from engine.errors import NotFound
from tests.stores.builders import (
    LEASE,
    Stores,
    answer,
    at_once,
    enrol,
    hand_in,
    judge,
    question,
    receipt_of,
    talk,
)

LOW = SupportLevel.LOW


def test_of_several_that_begin_at_once_one_does(stores: Stores, key: FeedbackKey) -> None:
    submission = hand_in(stores, key)
    attempt = judge(stores, submission)
    begun = at_once(8, lambda _: stores.openings.begin(LOCAL_VIEWER, submission, attempt, LOW, LEASE))
    assert len([turn for turn in begun if turn is not None]) == 1
    assert len(stores.sessions.conversations(LOCAL_VIEWER, key)) == 1
    assert stores.ask("SELECT count(*) FROM turn")[0][0] == stores.ask("SELECT count(*) FROM opening")[0][0] == 1


def test_it_is_a_turn_without_a_question_and_no_note_of_the_conversation(stores: Stores, key: FeedbackKey) -> None:
    submission = hand_in(stores, key)
    turn = stores.openings.begin(LOCAL_VIEWER, submission, judge(stores, submission), LOW, LEASE)
    assert turn is not None
    entries, older = stores.sessions.entries(LOCAL_VIEWER, turn.conversation_id, last=9)
    assert (entries, older) == ((turn,), 0)
    assert (turn.question, turn.state, turn.number) == ("", TurnState.OPEN, 1)
    roles = stores.ask("SELECT role FROM message WHERE turn_id = :id", id=turn.turn_id)
    assert [role for (role,) in roles] == ["system"]


def test_later_turns_count_it_once_it_has_said_something(stores: Stores, key: FeedbackKey) -> None:
    submission = hand_in(stores, key)
    turn = stores.openings.begin(LOCAL_VIEWER, submission, judge(stores, submission), LOW, LEASE)
    assert turn is not None
    conversation = stores.sessions.conversation(LOCAL_VIEWER, turn.conversation_id)
    asked = question(stores, conversation)
    assert stores.sessions.turns_before(LOCAL_VIEWER, asked, limit=9) == ((), 0)
    spoken = answer(stores, turn, "what now?")
    assert stores.sessions.turns_before(LOCAL_VIEWER, asked, limit=9) == ((spoken,), 1)


def test_a_question_that_is_open_or_was_answered_by_this_review_comes_first(stores: Stores, key: FeedbackKey) -> None:
    submission = hand_in(stores, key)
    attempt = judge(stores, submission)
    asked = question(stores, talk(stores, key))

    def begins() -> bool:
        return stores.openings.begin(LOCAL_VIEWER, submission, attempt, LOW, LEASE) is not None

    assert not begins()
    sent = receipt_of(asked)
    had = replace(sent.facts.feedback, submission_seq=submission.submission_seq, attempt_seq=attempt.attempt_seq)
    stores.sessions.keep_receipt(LOCAL_VIEWER, replace(sent, facts=replace(sent.facts, feedback=had)))
    answer(stores, asked)
    assert not begins()


def test_another_learners_question_holds_up_nothing(stores: Stores, key: FeedbackKey) -> None:
    submission = hand_in(stores, key)
    question(stores, talk(stores, enrol(stores, "Bob")))
    assert stores.openings.begin(LOCAL_VIEWER, submission, judge(stores, submission), LOW, LEASE) is not None


def test_newer_work_holds_it_up(stores: Stores, key: FeedbackKey) -> None:
    submission = hand_in(stores, key)
    attempt = judge(stores, submission)
    hand_in(stores, key, "newer")
    assert stores.openings.begin(LOCAL_VIEWER, submission, attempt, LOW, LEASE) is None


def test_a_level_is_of_one_course_and_moderate_until_it_is_set(stores: Stores, key: FeedbackKey) -> None:
    (course,) = stores.courses.courses(LOCAL_VIEWER)
    assert stores.supports.level(LOCAL_VIEWER, key.project_id) is SupportLevel.MODERATE
    stores.supports.keep(LOCAL_VIEWER, course.course_id, SupportLevel.OFF)
    assert stores.supports.level(LOCAL_VIEWER, key.project_id) is SupportLevel.OFF


def test_what_is_not_there_has_no_level(stores: Stores) -> None:
    with pytest.raises(NotFound):
        stores.supports.level(LOCAL_VIEWER, "nowhere")
    with pytest.raises(NotFound):
        stores.supports.keep(LOCAL_VIEWER, "nowhere", SupportLevel.LOW)
