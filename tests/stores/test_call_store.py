"""What models were asked besides replies: kept to the byte, in order, erasable, and never worth a judgement."""

from hashlib import sha256

import pytest

from engine.domain.keys import FeedbackKey
from engine.domain.model_call import CallUse, SentCall
from engine.domain.people import LOCAL_VIEWER
from engine.domain.session import Usage
from engine.errors import NotFound
from tests.stores.builders import (
    HOSTILE,
    NOON,
    STORABLE,
    Stores,
    at_once,
    begin_review,
    call_about,
    call_for_summary,
    hand_in,
    sent_call,
    talk,
)

BODY = '{"messages":[{"role":"user","content":"为什么 👩‍🔬 \\u0000"}]}'.encode()


def test_a_call_comes_back_as_it_was_sent_with_its_hash_and_every_try(stores: Stores, key: FeedbackKey) -> None:
    attempt = begin_review(stores, hand_in(stores, key))
    assert stores.calls.keep(LOCAL_VIEWER, call_about(attempt), "some-model", sent_call(BODY, HOSTILE))
    (call,) = stores.calls.calls(LOCAL_VIEWER, CallUse.JUDGEMENT, attempt.attempt_id)
    assert (call.subject, call.number, call.model) == (call_about(attempt), 1, "some-model")
    assert call.sent == sent_call(BODY, STORABLE)
    assert call.sha256 == sha256(BODY).hexdigest()
    assert [(one.started_at, one.seconds, one.waited_s) for one in call.sent.tries] == [(NOON, 0.2, 0), (NOON, 1.5, 2)]


def test_what_came_without_an_answer_and_without_a_count_stays_unknown(stores: Stores, key: FeedbackKey) -> None:
    conversation = talk(stores, key)
    sent = SentCall(request=BODY, answer=None, tries=(), usage=Usage())
    stores.calls.keep(LOCAL_VIEWER, call_for_summary(conversation), "some-model", sent)
    (call,) = stores.calls.calls(LOCAL_VIEWER, CallUse.SUMMARY, conversation.conversation_id)
    assert call.sent == sent
    assert stores.ask("SELECT answer_text_id, input_tokens, output_tokens FROM model_call") == [(None, None, None)]


def test_calls_are_numbered_within_their_subject_also_when_they_end_at_once(stores: Stores, key: FeedbackKey) -> None:
    conversation, other = talk(stores, key), talk(stores, key)
    at_once(8, lambda _: stores.calls.keep(LOCAL_VIEWER, call_for_summary(conversation), "m", sent_call()))
    stores.calls.keep(LOCAL_VIEWER, call_for_summary(other), "m", sent_call())
    found = stores.calls.calls(LOCAL_VIEWER, CallUse.SUMMARY, conversation.conversation_id)
    assert [call.number for call in found] == list(range(1, 9))
    assert [call.number for call in stores.calls.calls(LOCAL_VIEWER, CallUse.SUMMARY, other.conversation_id)] == [1]


def test_an_erased_persons_calls_keep_hash_and_tries_and_lose_the_words(stores: Stores, key: FeedbackKey) -> None:
    conversation = talk(stores, key)
    stores.calls.keep(LOCAL_VIEWER, call_for_summary(conversation), "m", sent_call(BODY, "her words"))
    stores.work.erase_person(LOCAL_VIEWER, key.learner_id)
    (call,) = stores.calls.calls(LOCAL_VIEWER, CallUse.SUMMARY, conversation.conversation_id)
    assert (call.sent.request, call.sent.answer, call.sha256) == (b"", "", sha256(BODY).hexdigest())
    assert len(call.sent.tries) == 2


def test_a_database_that_cannot_keep_a_call_says_so_and_raises_nothing(stores: Stores, key: FeedbackKey) -> None:
    conversation = talk(stores, key)
    with stores.engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE model_call RENAME TO model_call_gone")
    texts = stores.ask("SELECT count(*) FROM text")
    try:
        assert not stores.calls.keep(LOCAL_VIEWER, call_for_summary(conversation), "m", sent_call())
        assert stores.ask("SELECT count(*) FROM text") == texts
    finally:
        with stores.engine.begin() as connection:
            connection.exec_driver_sql("ALTER TABLE model_call_gone RENAME TO model_call")


@pytest.mark.parametrize("use", CallUse)
def test_what_nobody_was_asked_about_is_not_found(stores: Stores, use: CallUse) -> None:
    with pytest.raises(NotFound):
        stores.calls.calls(LOCAL_VIEWER, use, "nothing")
