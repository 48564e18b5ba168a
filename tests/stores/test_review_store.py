"""Attempts and outcomes: numbered, ended once, listed by number."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Engine

from engine.domain.feedback import RubricLine
from engine.domain.keys import FeedbackKey, Versions
from engine.domain.people import LOCAL_VIEWER
from engine.domain.states import CriterionStatus, OutcomeKind
from engine.errors import NotFound
from engine.review.review_store import ReviewFilter, ReviewRow
from tests.stores.builders import (
    CRITERIA,
    HOSTILE,
    STORABLE,
    VERSIONS,
    Hands,
    Stores,
    at_once,
    begin_review,
    build_stores,
    enrol,
    hand_in,
    judge,
    record,
    snapshot,
)

RUBRIC = tuple(RubricLine(rubric_id=line.rubric_id, kind=line.kind, text=line.text) for line in CRITERIA)


def _place(row: ReviewRow) -> tuple[int | None, int | None]:
    return row.submission.submission_seq, row.attempt.attempt_seq if row.attempt else None


def _finish(stores: Stores, attempt_id: str, judged: object = None, kind: OutcomeKind = OutcomeKind.COMPLETED) -> bool:
    judged_hash = snapshot().snapshot_hash
    return stores.reviews.finish(LOCAL_VIEWER, attempt_id, kind, record=judged, snapshot_hash=judged_hash)


def test_each_submission_counts_its_own_attempts(stores: Stores, key: FeedbackKey) -> None:
    first, second = hand_in(stores, key), hand_in(stores, key)
    assert [begin_review(stores, each).attempt_seq for each in (first, first, second, first)] == [1, 2, 1, 3]


def test_attempts_that_begin_at_one_time_get_every_number_once(stores: Stores, key: FeedbackKey) -> None:
    submission = hand_in(stores, key)
    begun = at_once(20, lambda _: begin_review(stores, submission).attempt_seq)
    assert sorted(begun) == list(range(1, 21))


def test_an_attempt_is_read_as_it_was_begun(stores: Stores, key: FeedbackKey) -> None:
    submission = hand_in(stores, key)
    attempt = begin_review(stores, submission)
    row = stores.reviews.one(LOCAL_VIEWER, submission.submission_id, 1)
    assert (row.submission, row.attempt, row.outcome) == (submission, attempt, None)
    assert (attempt.versions, attempt.model, row.rubric) == (VERSIONS, "some-model", RUBRIC)
    assert (row.learner_name, row.task_title, row.project_title) == ("Ada", "First task", "Project one")
    assert attempt.started_at.utcoffset() == timedelta(0)


RECORDS = {
    "a whole record": (record("FAIL", docs="FAIL"), "FAIL"),
    "a list": ([1, "two", None], None),
    "words": ("PASS", None),
    "a number": (0, None),
    "an empty object": ({}, None),
    "a verdict alone": ({"verdict": "PASS"}, None),
    "a verdict that its criteria do not give": (record("PASS", docs="FAIL"), None),
    "a verdict that is a list": ({**record(), "verdict": ["PASS"]}, None),
    "nothing": (None, None),
    "false": (False, None),
    "200 kB": ({**record("NEED_REVIEW", docs="NEED_REVIEW"), "more": "长" * 70_000}, "NEED_REVIEW"),
}


@pytest.mark.parametrize(("judged", "verdict"), RECORDS.values(), ids=RECORDS)
def test_a_record_is_kept_as_it_is_broken_or_not(
    stores: Stores, key: FeedbackKey, judged: object, verdict: str | None
) -> None:
    submission = hand_in(stores, key)
    assert _finish(stores, begin_review(stores, submission).attempt_id, judged)
    outcome = stores.reviews.one(LOCAL_VIEWER, submission.submission_id, 1).outcome
    assert outcome is not None
    assert (outcome.record, outcome.kind, outcome.snapshot_hash) == (
        judged,
        OutcomeKind.COMPLETED,
        submission.snapshot_hash,
    )
    assert outcome.finished_at.utcoffset() == timedelta(0)
    assert stores.ask("SELECT verdict FROM outcome") == [(verdict,)]


def test_a_verdict_on_other_work_is_not_listed(stores: Stores, key: FeedbackKey) -> None:
    attempt_id = begin_review(stores, hand_in(stores, key, "other work")).attempt_id
    _finish(stores, attempt_id, record())
    assert stores.ask("SELECT verdict FROM outcome") == [(None,)]


def test_hostile_words_in_a_record_stay_data(stores: Stores, key: FeedbackKey) -> None:
    submission = hand_in(stores, key)
    _finish(stores, begin_review(stores, submission).attempt_id, {"reason": HOSTILE})
    outcome = stores.reviews.one(LOCAL_VIEWER, submission.submission_id, 1).outcome
    assert outcome is not None
    assert outcome.record == {"reason": STORABLE.replace("\ufffd", "\x00", 1)}


def test_a_second_end_changes_nothing_and_is_audited(stores: Stores, key: FeedbackKey) -> None:
    submission = hand_in(stores, key)
    attempt_id = begin_review(stores, submission).attempt_id
    assert _finish(stores, attempt_id, record())
    before = stores.ask("SELECT * FROM outcome"), stores.ask("SELECT * FROM text")
    assert not _finish(stores, attempt_id, record("FAIL", docs="FAIL"), OutcomeKind.INVALID)
    assert (stores.ask("SELECT * FROM outcome"), stores.ask("SELECT * FROM text")) == before
    assert stores.audits("late_outcome_ignored") == [("local", attempt_id, {"kind": "invalid"})]


def test_of_ends_at_one_time_the_first_counts_and_the_others_are_audited(stores: Stores, key: FeedbackKey) -> None:
    attempt_id = begin_review(stores, hand_in(stores, key)).attempt_id
    ended = at_once(4, lambda _: _finish(stores, attempt_id, record()))
    assert sorted(ended) == [False, False, False, True]
    assert len(stores.audits("late_outcome_ignored")) == 3


def test_what_has_ended_is_held_by_nobody(stores: Stores, key: FeedbackKey) -> None:
    attempt_id = begin_review(stores, hand_in(stores, key)).attempt_id
    stores.leases.keep_progress(attempt_id, key.learner_id, "[]")
    assert stores.ask("SELECT holder, subject_kind FROM lease") == [("here", "attempt")]
    _finish(stores, attempt_id)
    assert stores.ask("SELECT * FROM lease") == stores.ask("SELECT * FROM progress") == []


def test_what_is_not_there_is_not_found(stores: Stores, key: FeedbackKey) -> None:
    submission = hand_in(stores, key)
    for wanted in ((submission.submission_id, 1), ("nothing", None)):
        with pytest.raises(NotFound):
            stores.reviews.one(LOCAL_VIEWER, *wanted)
    with pytest.raises(NotFound):
        _finish(stores, "nothing")
    begin_review(stores, submission)
    with pytest.raises(NotFound):
        stores.reviews.one(LOCAL_VIEWER, submission.submission_id, None)


def test_the_timeline_goes_by_number_whatever_the_clock_says(engine: Engine, key: FeedbackKey) -> None:
    hands = Hands()
    stores = build_stores(engine, hands)
    begun = []
    for attempts in (2, 0, 1):
        submission = hand_in(stores, key)
        for _ in range(attempts):
            hands.forward(-60)
            begun.append(judge(stores, submission))
    assert [_place(row) for row in stores.reviews.timeline(LOCAL_VIEWER, key)] == [(3, 1), (2, None), (1, 2), (1, 1)]


def test_work_of_unknown_order_stands_after_all_that_is_known(stores: Stores, key: FeedbackKey) -> None:
    for known in (False, True, False, True):
        hand_in(stores, key, order_known=known)
    timeline = stores.reviews.timeline(LOCAL_VIEWER, key)
    assert [(_place(row)[0], row.submission.version_number) for row in timeline] == [
        (2, 4),
        (1, 2),
        (None, 3),
        (None, 1),
    ]


def test_the_timeline_is_of_one_key(stores: Stores, key: FeedbackKey) -> None:
    others = [
        enrol(stores, "Bob"),
        FeedbackKey(learner_id=key.learner_id, project_id=key.project_id, task_id="second"),
    ]
    mine = hand_in(stores, key)
    for other in others:
        judge(stores, hand_in(stores, other))
    assert [row.submission for row in stores.reviews.timeline(LOCAL_VIEWER, key)] == [mine]


def _several(stores: Stores, key: FeedbackKey) -> FeedbackKey:
    """Ada: passed, open, not begun; Bob, on the second task: failed, unavailable, broken, ended as invalid."""
    bob = enrol(stores, "Bob")
    bob = FeedbackKey(learner_id=bob.learner_id, project_id=bob.project_id, task_id="second")
    judge(stores, hand_in(stores, key))
    begin_review(stores, hand_in(stores, key))
    hand_in(stores, key)
    submission = hand_in(stores, bob)
    judge(stores, submission, record("FAIL", docs="FAIL"))
    _finish(stores, begin_review(stores, submission).attempt_id, kind=OutcomeKind.UNAVAILABLE)
    judge(stores, submission, record("PASS", docs="FAIL"))
    _finish(stores, begin_review(stores, submission).attempt_id, record(), kind=OutcomeKind.INVALID)
    return bob


def _page(stores: Stores, chosen: ReviewFilter) -> list[tuple[str, int | None, int | None]]:
    rows, total = stores.reviews.page(LOCAL_VIEWER, chosen, limit=50)
    assert total == len(rows)
    return [(row.learner_name, *_place(row)) for row in rows]


def test_a_page_lists_what_began_last_first(stores: Stores, key: FeedbackKey) -> None:
    _several(stores, key)
    assert _page(stores, ReviewFilter()) == [
        ("Bob", 1, 4),
        ("Bob", 1, 3),
        ("Bob", 1, 2),
        ("Bob", 1, 1),
        ("Ada", 3, None),
        ("Ada", 2, 1),
        ("Ada", 1, 1),
    ]


def test_a_page_is_narrowed_by_each_filter(stores: Stores, key: FeedbackKey) -> None:
    bob = _several(stores, key)
    bobs = [("Bob", 1, number) for number in (4, 3, 2, 1)]
    assert len(_page(stores, ReviewFilter(project_ids=(key.project_id, "elsewhere")))) == 7
    assert _page(stores, ReviewFilter(project_ids=("elsewhere",))) == _page(stores, ReviewFilter(project_ids=())) == []
    assert _page(stores, ReviewFilter(task_id="second")) == bobs
    assert _page(stores, ReviewFilter(learner_id=bob.learner_id)) == bobs
    assert _page(stores, ReviewFilter(faulty_only=True)) == bobs[:2]
    assert _page(stores, ReviewFilter(verdict=CriterionStatus.FAIL)) == [("Bob", 1, 1)]
    assert _page(stores, ReviewFilter(verdict=CriterionStatus.PASS)) == [("Ada", 1, 1)]
    assert _page(stores, ReviewFilter(outcome=OutcomeKind.UNAVAILABLE)) == [("Bob", 1, 2)]
    assert _page(stores, ReviewFilter(open_only=True)) == [("Ada", 3, None), ("Ada", 2, 1)]
    assert _page(stores, ReviewFilter(open_only=True, learner_id=bob.learner_id)) == []


def test_pages_of_one_moment_neither_overlap_nor_leave_out(engine: Engine, key: FeedbackKey) -> None:
    stores = build_stores(engine, Hands())
    for name in ("Bob", "Cem", "Dan", "Eva", "Fay"):
        learner = enrol(stores, name)
        for _ in range(3):
            judge(stores, hand_in(stores, learner))
    pages = [stores.reviews.page(LOCAL_VIEWER, ReviewFilter(), limit=4, offset=offset) for offset in (0, 4, 8, 12)]
    assert [(len(rows), total) for rows, total in pages] == [(4, 15), (4, 15), (4, 15), (3, 15)]
    assert len({row.submission.submission_id for rows, _ in pages for row in rows}) == 15


def test_a_row_keeps_the_rubric_it_was_judged_by(stores: Stores, key: FeedbackKey) -> None:
    imported = Versions(rubric="imported", prompt="p", engine="e")
    stores.courses.keep_rubric(LOCAL_VIEWER, key.project_id, key.task_id, "imported", CRITERIA[:1])
    submission = hand_in(stores, key)
    for versions in (imported, VERSIONS, Versions(rubric="never kept", prompt="p", engine="e")):
        judge(stores, submission, versions=versions)
    assert [row.rubric for row in stores.reviews.timeline(LOCAL_VIEWER, key)] == [(), RUBRIC, RUBRIC[:1]]


def test_an_erased_record_is_none_and_its_verdict_can_still_be_listed(stores: Stores, key: FeedbackKey) -> None:
    judge(stores, hand_in(stores, key))
    stores.work.erase_person(LOCAL_VIEWER, key.learner_id)
    (row,), _ = stores.reviews.page(LOCAL_VIEWER, ReviewFilter(verdict=CriterionStatus.PASS), limit=9)
    assert row.outcome is not None
    assert row.outcome.record is None


def test_a_record_that_cannot_be_decoded_is_none(stores: Stores, key: FeedbackKey) -> None:
    submission = hand_in(stores, key)
    attempt = begin_review(stores, submission)
    with stores.engine.begin() as connection:
        connection.exec_driver_sql(
            "INSERT INTO text (id, owner_id, sha256, body) VALUES ('broken', 'x', 'x', '{\"verdict\": ')"
        )
        connection.exec_driver_sql(
            "INSERT INTO outcome (attempt_id, kind, record_text_id, finished_at) "
            f"VALUES ('{attempt.attempt_id}', 'completed', 'broken', '{datetime(2026, 3, 1, tzinfo=UTC)}')"
        )
    outcome = stores.reviews.one(LOCAL_VIEWER, submission.submission_id, 1).outcome
    assert outcome is not None
    assert outcome.record is None
    assert json.dumps(outcome.kind) == '"completed"'
