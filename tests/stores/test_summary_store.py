from dataclasses import replace

import pytest

from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER
from engine.errors import NotFound
from tests.stores.builders import (
    HOSTILE,
    LEASE,
    STORABLE,
    Stores,
    answer,
    at_once,
    fail,
    question,
    summary_of,
    talk,
)


def test_a_summary_comes_back_as_it_was_kept_and_the_one_that_reaches_furthest_counts(
    stores: Stores, key: FeedbackKey
) -> None:
    conversation = talk(stores, key)
    assert stores.summaries.newest(LOCAL_VIEWER, conversation.conversation_id) is None
    first, second = summary_of(conversation, 3, HOSTILE), summary_of(conversation, 7)
    assert stores.summaries.keep(LOCAL_VIEWER, first) and stores.summaries.keep(LOCAL_VIEWER, second)
    assert stores.summaries.newest(LOCAL_VIEWER, conversation.conversation_id) == second
    before = stores.summaries.newest(LOCAL_VIEWER, conversation.conversation_id, before=7)
    assert before == replace(first, text=STORABLE)


@pytest.mark.parametrize("up_to_seq", [5, 3])
def test_the_mark_never_goes_back_and_nothing_is_stored_beside_it(
    stores: Stores, key: FeedbackKey, up_to_seq: int
) -> None:
    conversation = talk(stores, key)
    stores.summaries.keep(LOCAL_VIEWER, summary_of(conversation, 5, "first"))
    texts = stores.ask("SELECT count(*) FROM text")
    assert not stores.summaries.keep(LOCAL_VIEWER, summary_of(conversation, up_to_seq, "late"))
    found = stores.summaries.newest(LOCAL_VIEWER, conversation.conversation_id)
    assert found is not None and found.text == "first"
    assert stores.ask("SELECT count(*) FROM text") == texts


def test_of_summaries_that_come_at_once_one_is_kept(stores: Stores, key: FeedbackKey) -> None:
    conversation = talk(stores, key)
    kept = at_once(8, lambda number: stores.summaries.keep(LOCAL_VIEWER, summary_of(conversation, 5, f"{number}")))
    assert sorted(kept) == [False] * 7 + [True]


def test_another_conversations_summary_is_not_this_ones(stores: Stores, key: FeedbackKey) -> None:
    stores.summaries.keep(LOCAL_VIEWER, summary_of(talk(stores, key)))
    assert stores.summaries.newest(LOCAL_VIEWER, talk(stores, key).conversation_id) is None


def test_an_erased_summary_is_none_and_its_mark_stays_taken(stores: Stores, key: FeedbackKey) -> None:
    conversation = talk(stores, key)
    stores.summaries.keep(LOCAL_VIEWER, summary_of(conversation, 5))
    stores.work.erase_person(LOCAL_VIEWER, key.learner_id)
    assert stores.summaries.newest(LOCAL_VIEWER, conversation.conversation_id) is None
    assert not stores.summaries.keep(LOCAL_VIEWER, summary_of(conversation, 5))


def test_a_conversation_that_is_not_there_has_no_summary(stores: Stores) -> None:
    with pytest.raises(NotFound):
        stores.summaries.newest(LOCAL_VIEWER, "nowhere")


def test_what_was_said_is_read_oldest_first_with_the_newest_answer_of_each_question(
    stores: Stores, key: FeedbackKey
) -> None:
    conversation, other = talk(stores, key), talk(stores, key)
    answer(stores, question(stores, other, "elsewhere"))
    answer(stores, question(stores, conversation, "one"), "yes")
    failed = fail(stores, question(stores, conversation, "two"))
    stores.sessions.add_note(LOCAL_VIEWER, conversation.conversation_id, "a system row")
    fail(stores, question(stores, conversation, "three"))
    again, _ = stores.sessions.retry_turn(LOCAL_VIEWER, failed.turn_id, LEASE)
    answer(stores, again, "at last")
    question(stores, conversation, "four")

    def read(seq: int, limit: int = 9) -> list[tuple[str | None, str | None, bool]]:
        found = stores.summaries.exchanges_after(LOCAL_VIEWER, conversation.conversation_id, seq, limit=limit)
        return [(each.question, each.reply, each.is_open) for each in found]

    whole = [("one", "yes", False), ("two", "at last", False), ("three", None, False), ("four", None, True)]
    assert read(0) == whole
    first = stores.summaries.exchanges_after(LOCAL_VIEWER, conversation.conversation_id, 0, limit=1)
    assert read(first[0].seq, limit=2) == whole[1:3]
