"""Conversations: every word kept once, in its place, and every turn ended once."""

import json
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256

import pytest

from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER
from engine.domain.session import Conversation, Message, Try, Turn, TurnEnd, Usage
from engine.domain.states import Role, TurnState
from engine.errors import NotFound
from tests.stores.builders import (
    FACTS,
    HOSTILE,
    LEASE,
    NOON,
    STORABLE,
    Stores,
    answer,
    at_once,
    enrol,
    fail,
    question,
    receipt_of,
    talk,
)

DONE = TurnEnd(state=TurnState.DONE, reply="because")


@pytest.fixture
def conversation(stores: Stores, key: FeedbackKey) -> Conversation:
    return talk(stores, key)


def _end(stores: Stores, turn: Turn, end: TurnEnd = DONE) -> bool:
    return stores.sessions.end_turn(LOCAL_VIEWER, turn.turn_id, end)


def _again(stores: Stores, turn: Turn) -> Turn:
    return stores.sessions.retry_turn(LOCAL_VIEWER, turn.turn_id, LEASE)[0]


def _shown(stores: Stores, conversation: Conversation, last: int = 50) -> tuple[list[str], int]:
    """Questions and notes of the entries, and how many more there are."""
    entries, more = stores.sessions.entries(LOCAL_VIEWER, conversation.conversation_id, last=last)
    return [entry.text if isinstance(entry, Message) else entry.question for entry in entries], more


def _before(stores: Stores, turn: Turn, limit: int = 50) -> tuple[list[tuple[str, int]], int]:
    turns, count = stores.sessions.turns_before(LOCAL_VIEWER, turn, limit=limit)
    return [(each.question, each.number) for each in turns], count


def test_conversations_are_numbered_inside_their_key_and_listed_newest_first(stores: Stores, key: FeedbackKey) -> None:
    second = replace(key, task_id="second")
    for each in (key, second, key, enrol(stores, "Bob")):
        talk(stores, each)
    listed = stores.sessions.conversations(LOCAL_VIEWER, key)
    assert [(each.number, each.key) for each in listed] == [(2, key), (1, key)]
    assert stores.sessions.conversation(LOCAL_VIEWER, listed[0].conversation_id) == listed[0]
    assert listed[0].opened_at.utcoffset() == timedelta(0)


def test_a_turn_begins_open_with_its_question_and_its_lease(stores: Stores, conversation: Conversation) -> None:
    turn = question(stores, conversation, "why?")
    assert (turn.state, turn.number, turn.question, turn.reply, turn.partial) == (TurnState.OPEN, 1, "why?", None, None)
    assert (turn.ended_at, turn.fault, turn.submission_seq, turn.attempt_seq) == (None, None, None, None)
    assert turn.started_at.utcoffset() == timedelta(0)
    assert stores.ask("SELECT subject_id, subject_kind, holder FROM lease") == [(turn.turn_id, "turn", "here")]
    assert stores.sessions.turn(LOCAL_VIEWER, turn.turn_id) == turn


WORDS = {
    "hostile": (HOSTILE, STORABLE),
    "200 kB": ("长" * 70_000, "长" * 70_000),
    "line ends and edges": (" a\r\nb\t", " a\r\nb\t"),
    "nothing": ("", ""),
}


@pytest.mark.parametrize(("given", "kept"), WORDS.values(), ids=WORDS)
def test_words_come_back_as_they_were_but_for_what_no_database_holds(
    stores: Stores, conversation: Conversation, given: str, kept: str
) -> None:
    stores.sessions.add_note(LOCAL_VIEWER, conversation.conversation_id, given)
    done = answer(stores, question(stores, conversation, given), given)
    assert (done.question, done.reply) == (kept, kept)
    assert _shown(stores, conversation) == ([kept, kept], 0)
    broken = question(stores, conversation, given)
    stores.leases.keep_progress(broken.turn_id, conversation.key.learner_id, given)
    assert stores.sessions.turn(LOCAL_VIEWER, broken.turn_id).partial == kept


def test_a_reply_is_stored_with_how_it_came(stores: Stores, conversation: Conversation) -> None:
    turn = question(stores, conversation)
    tries = (Try(number=1, waited_s=0, result="provider_down"), Try(number=2, waited_s=4.5, result="ok"))
    assert _end(stores, turn, replace(DONE, tries=tries, usage=Usage(input_tokens=0)))
    done = stores.sessions.turn(LOCAL_VIEWER, turn.turn_id)
    assert (done.state, done.reply, done.partial, done.tries) == (TurnState.DONE, "because", None, tries)
    assert done.ended_at is not None
    assert done.ended_at > done.started_at
    assert stores.ask("SELECT input_tokens, output_tokens FROM turn_end") == [(0, None)]


@pytest.mark.parametrize("state", [state for state in TurnState if state not in (TurnState.OPEN, TurnState.DONE)])
def test_what_had_arrived_is_kept_and_is_never_the_tutors_words(
    stores: Stores, conversation: Conversation, state: TurnState
) -> None:
    turn = question(stores, conversation)
    _end(stores, turn, TurnEnd(state=state, partial="beca", fault="provider_down"))
    ended = stores.sessions.turn(LOCAL_VIEWER, turn.turn_id)
    assert (ended.state, ended.reply, ended.partial, ended.fault) == (state, None, "beca", "provider_down")
    assert stores.ask("SELECT role FROM message") == [("user",)]


def test_words_in_the_making_are_shown_until_the_end(stores: Stores, conversation: Conversation) -> None:
    turn = question(stores, conversation)
    stores.leases.keep_progress(turn.turn_id, conversation.key.learner_id, "be")
    assert stores.sessions.turn(LOCAL_VIEWER, turn.turn_id).partial == "be"
    assert answer(stores, turn).partial is None
    assert stores.ask("SELECT * FROM progress") == stores.ask("SELECT * FROM lease") == []


def test_a_second_end_changes_nothing_and_is_audited(stores: Stores, conversation: Conversation) -> None:
    turn = question(stores, conversation)
    assert _end(stores, turn)
    before = [stores.ask(f"SELECT * FROM {table} ORDER BY 1") for table in ("turn_end", "message", "text", "counter")]
    assert not _end(stores, turn, TurnEnd(state=TurnState.INTERRUPTED, partial="late", fault="interrupted"))
    assert [
        stores.ask(f"SELECT * FROM {table} ORDER BY 1") for table in ("turn_end", "message", "text", "counter")
    ] == before
    assert stores.audits("late_turn_end_ignored") == [("local", turn.turn_id, {"state": "interrupted"})]


def test_of_ends_at_one_time_the_first_counts_and_the_others_are_audited(
    stores: Stores, conversation: Conversation
) -> None:
    turn = question(stores, conversation)
    assert sorted(at_once(4, lambda _: _end(stores, turn))) == [False, False, False, True]
    assert len(stores.audits("late_turn_end_ignored")) == 3
    assert stores.ask("SELECT role, seq FROM message ORDER BY seq") == [("user", 1), ("assistant", 2)]


def test_messages_written_at_one_time_each_have_a_place(stores: Stores, conversation: Conversation) -> None:
    at_once(12, lambda number: answer(stores, question(stores, conversation, f"{number}?")))
    places = [seq for (seq,) in stores.ask("SELECT seq FROM message ORDER BY seq")]
    assert places == list(range(1, 25))
    assert sorted(_shown(stores, conversation)[0]) == sorted(f"{number}?" for number in range(12))


def test_a_retry_answers_the_question_again_and_does_not_double_it(stores: Stores, conversation: Conversation) -> None:
    failed = fail(stores, question(stores, conversation, "why?"))
    again = _again(stores, failed)
    assert (again.question, again.seq, again.number, again.state) == ("why?", failed.seq, 2, TurnState.OPEN)
    assert stores.ask("SELECT role FROM message") == [("user",)]
    assert stores.ask("SELECT subject_id FROM lease") == [(again.turn_id,)]
    assert answer(stores, again).reply == "because"


def test_only_the_newest_of_a_chain_of_retries_is_shown(stores: Stores, conversation: Conversation) -> None:
    turn = question(stores, conversation, "why?")
    for _ in range(3):
        turn = _again(stores, fail(stores, turn))
    entries, more = stores.sessions.entries(LOCAL_VIEWER, conversation.conversation_id, last=50)
    assert ([entry for entry in entries if isinstance(entry, Turn)], more) == ([turn], 0)
    assert turn.number == 4


def test_a_second_click_on_retry_begins_nothing(stores: Stores, conversation: Conversation) -> None:
    failed = fail(stores, question(stores, conversation))
    again = _again(stores, failed)
    assert [_again(stores, failed), _again(stores, again)] == [again, again]
    assert stores.ask("SELECT count(*) FROM turn") == [(2,)]
    fail(stores, again)
    assert _again(stores, failed).turn_id == again.turn_id
    assert _again(stores, again).number == 3


def test_a_turn_that_is_open_is_not_begun_again(stores: Stores, conversation: Conversation) -> None:
    turn = question(stores, conversation)
    assert _again(stores, turn) == turn


def test_retries_at_one_time_begin_one_turn(stores: Stores, conversation: Conversation) -> None:
    failed = fail(stores, question(stores, conversation))
    assert len({turn.turn_id for turn in at_once(4, lambda _: _again(stores, failed))}) == 1


def test_a_retry_in_the_middle_stands_at_its_questions_place(stores: Stores, conversation: Conversation) -> None:
    first = fail(stores, question(stores, conversation, "1?"))
    stores.sessions.add_note(LOCAL_VIEWER, conversation.conversation_id, "handed in V1")
    answer(stores, question(stores, conversation, "2?"))
    again = answer(stores, _again(stores, first))
    third = question(stores, conversation, "3?")
    assert _shown(stores, conversation) == (["1?", "handed in V1", "2?", "3?"], 0)
    assert _before(stores, third) == ([("2?", 2), ("1?", 3)], 2)
    assert _before(stores, again) == ([], 0)


def test_each_question_before_a_turn_is_there_once_newest_first(stores: Stores, conversation: Conversation) -> None:
    for number in range(1, 4):
        answer(stores, _again(stores, fail(stores, question(stores, conversation, f"{number}?"))))
    newest = question(stores, conversation, "4?")
    assert _before(stores, newest) == ([("3?", 6), ("2?", 4), ("1?", 2)], 3)
    assert _before(stores, newest, limit=2) == ([("3?", 6), ("2?", 4)], 3)


def test_the_turns_before_are_of_one_conversation(stores: Stores, conversation: Conversation) -> None:
    answer(stores, question(stores, talk(stores, conversation.key), "elsewhere?"))
    answer(stores, question(stores, conversation, "1?"))
    assert _before(stores, question(stores, conversation, "2?")) == ([("1?", 1)], 1)
    assert _shown(stores, conversation) == (["1?", "2?"], 0)


def test_notes_are_shown_in_their_place_and_are_never_turns(stores: Stores, conversation: Conversation) -> None:
    stores.sessions.add_note(LOCAL_VIEWER, conversation.conversation_id, "welcome")
    answer(stores, question(stores, conversation, "1?"))
    stores.sessions.add_note(LOCAL_VIEWER, conversation.conversation_id, "handed in V1")
    newest = question(stores, conversation, "2?")
    assert _shown(stores, conversation) == (["welcome", "1?", "handed in V1", "2?"], 0)
    assert _before(stores, newest) == ([("1?", 1)], 1)
    entries, _ = stores.sessions.entries(LOCAL_VIEWER, conversation.conversation_id, last=50)
    notes = [entry for entry in entries if isinstance(entry, Message)]
    assert [(note.role, note.turn_id) for note in notes] == [(Role.SYSTEM, None)] * 2
    assert all(note.written_at.utcoffset() == timedelta(0) for note in notes)


@pytest.mark.parametrize(
    ("last", "shown"),
    [
        (1, (["2?"], 3)),
        (2, (["handed in V1", "2?"], 2)),
        (3, (["1?", "handed in V1", "2?"], 1)),
        (4, (["welcome", "1?", "handed in V1", "2?"], 0)),
    ],
)
def test_the_last_entries_are_shown_and_the_older_ones_counted(
    stores: Stores, conversation: Conversation, last: int, shown: tuple[list[str], int]
) -> None:
    stores.sessions.add_note(LOCAL_VIEWER, conversation.conversation_id, "welcome")
    _again(stores, fail(stores, question(stores, conversation, "1?")))
    stores.sessions.add_note(LOCAL_VIEWER, conversation.conversation_id, "handed in V1")
    question(stores, conversation, "2?")
    assert _shown(stores, conversation, last) == shown


def test_a_receipt_gives_back_the_exact_bytes_that_were_sent(stores: Stores, conversation: Conversation) -> None:
    turn = question(stores, conversation)
    words = HOSTILE.replace("\ud800", "\U0010ffff") + "\r\n\u2028\ufeff" + "长" * 70_000
    request = json.dumps({"messages": [{"role": "user", "content": words}], "n": 1.0}, ensure_ascii=False).encode()
    stores.sessions.keep_receipt(LOCAL_VIEWER, receipt_of(turn, request))
    kept = replace(receipt_of(turn, request), sha256=sha256(request).hexdigest())
    assert stores.sessions.receipt(LOCAL_VIEWER, turn.turn_id) == kept


def test_a_turn_shows_which_feedback_it_was_sent_with(stores: Stores, conversation: Conversation) -> None:
    turn = question(stores, conversation)
    stores.sessions.keep_receipt(LOCAL_VIEWER, receipt_of(turn))
    sent = stores.sessions.turn(LOCAL_VIEWER, turn.turn_id)
    assert (sent.submission_seq, sent.attempt_seq) == (FACTS.feedback.submission_seq, FACTS.feedback.attempt_seq)


def test_a_receipt_of_a_turn_without_feedback_says_so(stores: Stores, conversation: Conversation) -> None:
    turn = question(stores, conversation)
    nothing = replace(FACTS.feedback, submission_id=None, submission_seq=None, version_number=None, attempt_seq=None)
    receipt = receipt_of(turn, facts=replace(FACTS, feedback=nothing))
    stores.sessions.keep_receipt(LOCAL_VIEWER, receipt)
    assert replace(stores.sessions.receipt(LOCAL_VIEWER, turn.turn_id), sha256=None) == receipt
    assert stores.sessions.receipt(LOCAL_VIEWER, turn.turn_id).sent_at == NOON


def test_a_draft_is_written_over_and_removed_when_nothing_is_typed(stores: Stores, key: FeedbackKey) -> None:
    def kept() -> list[str]:
        return [stores.sessions.draft(LOCAL_VIEWER, key.learner_id, subject) for subject in ("chat", "work")]

    assert kept() == ["", ""]
    for body in ("one", HOSTILE):
        stores.sessions.save_draft(LOCAL_VIEWER, key.learner_id, "chat", body)
    stores.sessions.save_draft(LOCAL_VIEWER, key.learner_id, "work", "mine")
    assert kept() == [STORABLE, "mine"]
    for _ in range(2):
        stores.sessions.save_draft(LOCAL_VIEWER, key.learner_id, "chat", "")
    assert kept() == ["", "mine"]
    assert stores.ask("SELECT subject FROM draft") == [("work",)]


def test_what_is_not_there_is_not_found(stores: Stores, conversation: Conversation) -> None:
    sessions, nothing = stores.sessions, "nothing"
    turn = question(stores, conversation)
    for ask in (
        lambda: sessions.conversation(LOCAL_VIEWER, nothing),
        lambda: sessions.entries(LOCAL_VIEWER, nothing, last=9),
        lambda: sessions.begin_turn(LOCAL_VIEWER, nothing, "why?", LEASE),
        lambda: sessions.retry_turn(LOCAL_VIEWER, nothing, LEASE),
        lambda: sessions.turn(LOCAL_VIEWER, nothing),
        lambda: sessions.end_turn(LOCAL_VIEWER, nothing, DONE),
        lambda: sessions.receipt(LOCAL_VIEWER, turn.turn_id),
    ):
        with pytest.raises(NotFound):
            ask()


def test_an_id_that_no_database_holds_is_not_found(stores: Stores) -> None:
    for ask in (stores.sessions.turn, stores.sessions.receipt, stores.work.submission):
        with pytest.raises(NotFound):
            ask(LOCAL_VIEWER, "a\0b")
