"""Handing in: numbers, tokens, snapshots, and what erasing a person leaves."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Engine

from engine.domain.clock import Clock
from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER
from engine.domain.states import OutcomeKind
from engine.domain.work import Provenance, Submission, take_snapshot
from engine.errors import NotFound
from tests.stores.builders import (
    HOSTILE,
    LEASE,
    STORABLE,
    Stores,
    answer,
    at_once,
    begin_review,
    build_stores,
    enrol,
    file,
    hand_in,
    judge,
    question,
    receipt_of,
    record,
    snapshot,
    talk,
)


def _numbers(*submissions: Submission) -> list[tuple[int | None, int]]:
    return [(each.submission_seq, each.version_number) for each in submissions]


def test_each_key_counts_its_own_submissions_and_versions(stores: Stores, key: FeedbackKey) -> None:
    second = FeedbackKey(learner_id=key.learner_id, project_id=key.project_id, task_id="second")
    handed_in = [hand_in(stores, each) for each in (key, key, second, key)]
    assert _numbers(*handed_in) == [(1, 1), (2, 2), (1, 1), (3, 3)]


def test_hand_ins_at_one_time_get_every_number_once_and_one_line_of_versions(stores: Stores, key: FeedbackKey) -> None:
    handed_in = at_once(40, lambda number: hand_in(stores, key, f"print({number})"))
    assert sorted(_numbers(*handed_in)) == [(number, number) for number in range(1, 41)]
    parents = stores.ask("SELECT c.number, p.number FROM version c LEFT JOIN version p ON p.id = c.parent_id")
    assert sorted(map(tuple, parents)) == [(1, None), *((number, number - 1) for number in range(2, 41))]


def _breaking_off(after: int) -> Clock:
    moments: Iterator[datetime] = (datetime(2026, 3, 1, tzinfo=UTC) for _ in range(after))
    return lambda: next(moments)


def test_a_hand_in_that_breaks_off_leaves_nothing_and_no_gap(engine: Engine, stores: Stores, key: FeedbackKey) -> None:
    """Its second look at the clock comes after both numbers were taken."""
    with pytest.raises(StopIteration):
        hand_in(build_stores(engine, _breaking_off(1)), key)
    assert stores.ask("SELECT * FROM version") == stores.ask("SELECT * FROM text") == []
    assert _numbers(hand_in(stores, key)) == [(1, 1)]


def test_the_same_form_twice_is_one_submission(stores: Stores, key: FeedbackKey) -> None:
    first, is_new = stores.work.hand_in(LOCAL_VIEWER, key, snapshot(), token="form")
    again, is_new_again = stores.work.hand_in(LOCAL_VIEWER, key, snapshot("other"), token="form")
    assert (first, True, False) == (again, is_new, is_new_again)
    assert _numbers(hand_in(stores, key)) == [(2, 2)]


def test_the_same_form_at_one_time_is_one_submission(stores: Stores, key: FeedbackKey) -> None:
    given = at_once(4, lambda _: stores.work.hand_in(LOCAL_VIEWER, key, snapshot(), token="form"))
    assert len({submission.submission_id for submission, _ in given}) == 1
    assert sorted(is_new for _, is_new in given) == [False, False, False, True]


def test_a_form_of_another_learner_is_another_form(stores: Stores, key: FeedbackKey) -> None:
    stores.work.hand_in(LOCAL_VIEWER, key, snapshot(), token="form")
    other, is_new = stores.work.hand_in(LOCAL_VIEWER, enrol(stores, "Bob"), snapshot(), token="form")
    assert is_new
    assert other.key.learner_id != key.learner_id


def test_history_of_unknown_order_has_a_version_and_no_place(stores: Stores, key: FeedbackKey) -> None:
    handed_in = [hand_in(stores, key, order_known=known) for known in (False, True, False, True)]
    assert _numbers(*handed_in) == [(None, 1), (1, 2), (None, 3), (2, 4)]


def test_a_submission_is_read_as_it_was_handed_in(stores: Stores, key: FeedbackKey) -> None:
    submission = hand_in(stores, key)
    assert stores.work.submission(LOCAL_VIEWER, submission.submission_id) == submission
    assert submission.handed_in_at.utcoffset() == timedelta(0)


def test_files_come_back_as_they_were_in_order_of_their_paths(stores: Stores, key: FeedbackKey) -> None:
    taken = take_snapshot((file("b", "b/图.md"), file(None, "a.png"), file("", "empty.txt"), file("长" * 70_000, "l")))
    submission, _ = stores.work.hand_in(LOCAL_VIEWER, key, taken)
    assert stores.work.snapshot(LOCAL_VIEWER, submission.submission_id) == taken
    assert [each.path for each in taken.files] == ["a.png", "b/图.md", "empty.txt", "l"]


def test_a_file_keeps_all_that_a_database_can_hold(stores: Stores, key: FeedbackKey) -> None:
    submission = hand_in(stores, key, HOSTILE)
    assert stores.work.snapshot(LOCAL_VIEWER, submission.submission_id).files[0].body == STORABLE


def test_what_is_not_there_is_not_found(stores: Stores) -> None:
    for ask in (stores.work.submission, stores.work.snapshot):
        with pytest.raises(NotFound):
            ask(LOCAL_VIEWER, "nothing")


def _live(stores: Stores, key: FeedbackKey) -> Submission:
    """Words of every kind: seven texts, a draft, and words that are still coming in."""
    submission = hand_in(stores, key)
    judge(stores, submission, record("FAIL", docs="FAIL"))
    conversation = talk(stores, key)
    turn = question(stores, conversation)
    stores.sessions.keep_receipt(LOCAL_VIEWER, receipt_of(turn))
    answer(stores, turn)
    stores.sessions.add_note(LOCAL_VIEWER, conversation.conversation_id, "note")
    running = question(stores, conversation, "and now?")
    stores.leases.keep_progress(running.turn_id, key.learner_id, "so far")
    stores.sessions.save_draft(LOCAL_VIEWER, key.learner_id, "chat", "typing")
    return submission


_FACTS = (
    "SELECT id, sha256, owner_id FROM text ORDER BY id",
    "SELECT * FROM submission ORDER BY id",
    "SELECT * FROM version_file ORDER BY version_id",
    "SELECT * FROM outcome ORDER BY attempt_id",
    "SELECT * FROM message ORDER BY id",
    "SELECT * FROM receipt ORDER BY turn_id",
)


def test_erasing_a_person_empties_every_text_and_keeps_every_fact(stores: Stores, key: FeedbackKey) -> None:
    submission = _live(stores, key)
    before = [stores.ask(facts) for facts in _FACTS]
    assert stores.work.erase_person(LOCAL_VIEWER, key.learner_id) == 7
    assert [stores.ask(facts) for facts in _FACTS] == before
    assert stores.ask("SELECT DISTINCT body FROM text WHERE erased_at IS NOT NULL") == [("",)]
    assert stores.ask("SELECT id FROM text WHERE erased_at IS NULL") == []
    assert stores.ask("SELECT body FROM draft") == stores.ask("SELECT body FROM progress") == []
    assert stores.audits("erase_person") == [("local", key.learner_id, {"texts": 7})]
    assert stores.work.snapshot(LOCAL_VIEWER, submission.submission_id).files[0].body == ""


def test_erasing_a_person_touches_nobody_else(stores: Stores, key: FeedbackKey) -> None:
    other = enrol(stores, "Bob")
    _live(stores, other)
    before = [stores.ask(f"SELECT * FROM {table}") for table in ("text", "draft", "progress", "lease")]
    stores.work.erase_person(LOCAL_VIEWER, key.learner_id)
    assert [stores.ask(f"SELECT * FROM {table}") for table in ("text", "draft", "progress", "lease")] == before


def test_a_person_can_be_erased_again_and_the_new_words_go_too(stores: Stores, key: FeedbackKey) -> None:
    hand_in(stores, key)
    assert [stores.work.erase_person(LOCAL_VIEWER, key.learner_id) for _ in range(2)] == [1, 0]
    hand_in(stores, key)
    assert stores.work.erase_person(LOCAL_VIEWER, key.learner_id) == 1
    assert len(stores.audits("erase_person")) == 3


def test_an_erased_conversation_and_review_are_shown_empty(stores: Stores, key: FeedbackKey) -> None:
    submission = _live(stores, key)
    stores.work.erase_person(LOCAL_VIEWER, key.learner_id)
    conversation = stores.sessions.conversations(LOCAL_VIEWER, key)[0]
    entries, _ = stores.sessions.entries(LOCAL_VIEWER, conversation.conversation_id, last=9)
    words = [entry.text if hasattr(entry, "text") else (entry.question, entry.reply) for entry in entries]
    assert words == [("", ""), "", ("", None)]
    outcome = stores.reviews.one(LOCAL_VIEWER, submission.submission_id, 1).outcome
    assert outcome is not None
    assert (outcome.kind, outcome.record, outcome.snapshot_hash) == (
        OutcomeKind.COMPLETED,
        None,
        submission.snapshot_hash,
    )


def test_a_review_that_runs_while_a_person_is_erased_still_ends(stores: Stores, key: FeedbackKey) -> None:
    attempt = begin_review(stores, hand_in(stores, key))
    stores.work.erase_person(LOCAL_VIEWER, key.learner_id)
    assert stores.reviews.finish(LOCAL_VIEWER, attempt.attempt_id, OutcomeKind.UNAVAILABLE, fault="interrupted")
    assert LEASE.holder not in str(stores.ask("SELECT holder FROM lease"))


CAME_FROM = Provenance(address="https://git.example/ada/店.git", wanted="feature/搜索", commit_id="ab" * 20)


def test_the_repository_of_a_submission_is_told_and_is_no_part_of_its_hash(stores: Stores, key: FeedbackKey) -> None:
    plain = hand_in(stores, key)
    fetched, _ = stores.work.hand_in(LOCAL_VIEWER, key, snapshot(), provenance=CAME_FROM)
    assert stores.work.provenance(LOCAL_VIEWER, fetched.submission_id) == CAME_FROM
    assert stores.work.provenance(LOCAL_VIEWER, plain.submission_id) is None
    assert fetched.snapshot_hash == plain.snapshot_hash


def test_the_same_form_with_another_commit_keeps_the_first(stores: Stores, key: FeedbackKey) -> None:
    other = Provenance(address="https://git.example/b", wanted="", commit_id="0" * 40)
    for told in (CAME_FROM, other):
        submission, _ = stores.work.hand_in(LOCAL_VIEWER, key, snapshot(), token="form", provenance=told)
    assert stores.work.provenance(LOCAL_VIEWER, submission.submission_id) == CAME_FROM


def test_erasing_a_person_forgets_the_address_and_keeps_the_commit(stores: Stores, key: FeedbackKey) -> None:
    submission, _ = stores.work.hand_in(LOCAL_VIEWER, key, snapshot(), provenance=CAME_FROM)
    stores.work.erase_person(LOCAL_VIEWER, key.learner_id)
    assert stores.work.provenance(LOCAL_VIEWER, submission.submission_id) is None
    assert [tuple(row) for row in stores.ask("SELECT commit_id FROM provenance")] == [(CAME_FROM.commit_id,)]


def test_files_are_listed_without_their_texts_and_read_one_by_one(stores: Stores, key: FeedbackKey) -> None:
    listed = (file("one", path="a.py"), file(None, path="b.png"))
    submission, _ = stores.work.hand_in(LOCAL_VIEWER, key, take_snapshot(listed))
    files = stores.work.files(LOCAL_VIEWER, submission.submission_id)
    assert [(each.path, each.state, each.body) for each in files] == [
        ("a.py", listed[0].state, None),
        ("b.png", listed[1].state, None),
    ]
    assert stores.work.file(LOCAL_VIEWER, submission.submission_id, "a.py") == listed[0]
    with pytest.raises(NotFound):
        stores.work.file(LOCAL_VIEWER, submission.submission_id, "c.py")
