"""Reports, notes, lines in chats and reservations: stored once, shown to whom they are for, and no verdict by them."""

from dataclasses import replace

import pytest

from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER, Viewer, ViewerKind
from engine.domain.session import Message, Turn
from engine.domain.states import OutcomeKind
from engine.errors import WordsRefused
from engine.review.review_store import ReviewFilter
from tests.stores.builders import (
    NOON,
    VERSIONS,
    Hands,
    Stores,
    answer,
    begin_review,
    build_stores,
    enrol,
    hand_in,
    judge,
    question,
    record,
    talk,
)


def teacher(stores: Stores, name: str) -> Viewer:
    course = stores.courses.courses(LOCAL_VIEWER)[0]
    ids = frozenset(project.project_id for project in course.projects)
    return Viewer(kind=ViewerKind.TEACHER, person_id=name, project_ids=ids)


def lines(stores: Stores, conversation_id: str) -> list[str]:
    """What stands in a chat, in its order."""
    entries, older = stores.sessions.entries(LOCAL_VIEWER, conversation_id, last=99)
    assert older == 0
    return [entry.question if isinstance(entry, Turn) else f"{entry.author}: {entry.text}" for entry in entries]


@pytest.mark.parametrize(
    ("words", "rubric_id", "seen", "reason"),
    [
        (" \u200b\n", "docs", 1, "blank"),
        ("x" * 2001, "docs", 1, "too_long"),
        ("but", "docs", 2, "newer_attempt"),
        ("but", "docs", 0, "newer_attempt"),
        ("but", "other", 1, "not_in_rubric"),
    ],
)
def test_a_report_that_cannot_be_kept_says_why_and_leaves_nothing(
    stores: Stores, key: FeedbackKey, words: str, rubric_id: str, seen: int, reason: str
) -> None:
    submission = hand_in(stores, key)
    judge(stores, submission)
    with pytest.raises(WordsRefused) as refused:
        stores.desk.report(LOCAL_VIEWER, submission.submission_id, rubric_id, words, seen_attempt_seq=seen)
    assert refused.value.reason == reason
    assert stores.desk.disputes(LOCAL_VIEWER, submission.submission_id) == ()


def test_the_same_report_twice_is_one(stores: Stores, key: FeedbackKey) -> None:
    submission = hand_in(stores, key)
    judge(stores, submission)
    first, second = (
        stores.desk.report(LOCAL_VIEWER, submission.submission_id, "docs", "look again", seen_attempt_seq=1)
        for _click in range(2)
    )
    assert first == second
    assert stores.desk.disputes(LOCAL_VIEWER, submission.submission_id) == (first,)


def test_a_note_stands_on_the_card_and_once_in_the_newest_chat_with_one_text_to_erase(
    stores: Stores, key: FeedbackKey
) -> None:
    submission = hand_in(stores, key)
    older, newest = talk(stores, key), talk(stores, key)
    for _click in range(2):
        stores.desk.note(LOCAL_VIEWER, submission.submission_id, "read chapter 2", name="Ms Lin")
    (note,) = stores.desk.notes(LOCAL_VIEWER, submission.submission_id)
    assert (note.author, note.text) == ("Ms Lin", "read chapter 2")
    assert lines(stores, older.conversation_id) == []
    assert lines(stores, newest.conversation_id) == ["Ms Lin: read chapter 2"]
    stores.work.erase_person(LOCAL_VIEWER, key.learner_id)
    assert [note.text for note in stores.desk.notes(LOCAL_VIEWER, submission.submission_id)] == [""]
    assert lines(stores, newest.conversation_id) == ["Ms Lin: "]


def test_a_note_without_any_chat_stands_on_the_card(stores: Stores, key: FeedbackKey) -> None:
    submission = hand_in(stores, key)
    stores.desk.note(LOCAL_VIEWER, submission.submission_id, "read chapter 2", name="Ms Lin")
    assert len(stores.desk.notes(LOCAL_VIEWER, submission.submission_id)) == 1


def test_a_teachers_line_has_its_place_among_the_turns_and_is_none(stores: Stores, key: FeedbackKey) -> None:
    conversation = talk(stores, key)
    answer(stores, question(stores, conversation, "first?"))
    said = stores.teachers.say(LOCAL_VIEWER, conversation.conversation_id, "look at line 3", name="Ms Lin")
    newest = question(stores, conversation, "second?")
    assert lines(stores, conversation.conversation_id) == ["first?", "Ms Lin: look at line 3", "second?"]
    assert stores.ask("SELECT count(*) FROM turn")[0][0] == 2
    assert [one.message_id for one in stores.teachers.said_before(LOCAL_VIEWER, newest)] == [said.message_id]
    turns, count = stores.sessions.turns_before(LOCAL_VIEWER, newest, limit=9)
    assert ([turn.question for turn in turns], count) == (["first?"], 1)


def test_a_second_click_says_nothing_twice_but_the_same_words_later_do(stores: Stores, key: FeedbackKey) -> None:
    conversation = talk(stores, key)
    for _click in range(2):
        stores.teachers.say(LOCAL_VIEWER, conversation.conversation_id, "look", name="Ms Lin")
    question(stores, conversation)
    stores.teachers.say(LOCAL_VIEWER, conversation.conversation_id, "look", name="Ms Lin")
    assert lines(stores, conversation.conversation_id) == ["Ms Lin: look", "why?", "Ms Lin: look"]


def test_the_last_entries_are_counted_with_the_lines_of_teachers(stores: Stores, key: FeedbackKey) -> None:
    conversation = talk(stores, key)
    for words in ("one", "two", "three"):
        stores.teachers.say(LOCAL_VIEWER, conversation.conversation_id, words, name="Ms Lin")
    entries, older = stores.sessions.entries(LOCAL_VIEWER, conversation.conversation_id, last=2)
    assert [entry.text for entry in entries if isinstance(entry, Message)] == ["two", "three"]
    assert older == 1


def test_a_reservation_is_told_for_ten_minutes_and_can_be_taken(stores: Stores) -> None:
    hands = Hands()
    stores = build_stores(stores.engine, hands)
    submission = hand_in(stores, enrol(stores))
    first, second = teacher(stores, "lin"), teacher(stores, "bo")
    place = submission.submission_id, "docs"
    assert stores.desk.reservation(first, *place) is None
    assert stores.desk.reserve(first, *place, name="Ms Lin").since == NOON
    hands.forward(9 * 60)
    assert stores.desk.reserve(second, *place, name="Mr Bo").name == "Ms Lin"
    assert stores.desk.reserve(second, *place, name="Mr Bo", take=True).name == "Mr Bo"
    assert stores.desk.reserve(first, *place, name="Ms Lin").name == "Mr Bo"
    hands.forward(10 * 60)
    assert stores.desk.reservation(first, *place) is None
    assert stores.desk.reserve(first, *place, name="Ms Lin").name == "Ms Lin"


def test_drafts_belong_to_one_teacher_and_go_when_they_are_emptied(stores: Stores, key: FeedbackKey) -> None:
    lin, bo = teacher(stores, "lin"), teacher(stores, "bo")
    stores.desk.save_draft(lin, key.project_id, "decision:x", "because")
    assert stores.desk.draft(lin, key.project_id, "decision:x") == "because"
    assert stores.desk.draft(bo, key.project_id, "decision:x") == ""
    stores.desk.save_draft(lin, key.project_id, "decision:x", "")
    assert stores.ask("SELECT count(*) FROM draft")[0][0] == 0


def test_rows_and_independent_judgements_are_counted_apart(stores: Stores, key: FeedbackKey) -> None:
    first = hand_in(stores, key)
    judged = judge(stores, first)
    stores.reviews.finish(LOCAL_VIEWER, begin_review(stores, first).attempt_id, OutcomeKind.UNAVAILABLE)
    stores.judgements.decide(
        LOCAL_VIEWER, first.submission_id, VERSIONS, based_on=judged, record=record(), seen_attempt_seq=2
    )
    second = hand_in(stores, key)
    reused = stores.judgements.reuse(LOCAL_VIEWER, second.submission_id, VERSIONS, source=judged, record=record())
    hand_in(stores, key, "print(3)\n")
    tally = stores.origins.tally(LOCAL_VIEWER, ReviewFilter())
    assert (tally.rows, tally.judged, tally.reused, tally.decided, tally.without) == (5, 1, 1, 1, 2)
    assert tally.rows == stores.reviews.page(LOCAL_VIEWER, ReviewFilter(), limit=1)[1]
    assert reused is not None
    assert reused.from_attempt_id is not None
    assert dict(stores.origins.submission_seqs(LOCAL_VIEWER, frozenset({reused.from_attempt_id}))) == {
        judged.attempt_id: 1
    }
    narrowed = replace(ReviewFilter(), outcome=OutcomeKind.UNAVAILABLE)
    assert stores.origins.tally(LOCAL_VIEWER, narrowed).without == 1
