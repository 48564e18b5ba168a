"""One statement that answers what a selection looks at, and never anything older."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, event

from engine.domain.feedback import FeedbackRecord, RubricLine
from engine.domain.keys import FeedbackKey, Versions
from engine.domain.people import LOCAL_VIEWER
from engine.domain.states import FeedbackState, OutcomeKind
from engine.feedback.selector import select_feedback
from tests.stores.builders import (
    CRITERIA,
    VERSIONS,
    Hands,
    Stores,
    begin_review,
    build_stores,
    enrol,
    hand_in,
    judge,
    record,
)

OTHER_VERSIONS = {
    "rubric": replace(VERSIONS, rubric="other"),
    "prompt": replace(VERSIONS, prompt="other"),
    "engine": replace(VERSIONS, engine="other"),
}


def _read(stores: Stores, key: FeedbackKey, versions: Versions = VERSIONS) -> FeedbackRecord:
    return stores.feedback.read_newest(LOCAL_VIEWER, key, versions)


def _place(record: FeedbackRecord) -> tuple[int | None, int, int | None]:
    return (
        record.submission.submission_seq if record.submission else None,
        record.attempts,
        record.attempt.attempt_seq if record.attempt else None,
    )


@contextmanager
def _statements(engine: Engine) -> Iterator[list[str]]:
    """What is sent to the database meanwhile, but for the beginnings and ends of transactions."""
    sent: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if not statement.startswith("BEGIN"):
            sent.append(statement)

    event.listen(engine, "before_cursor_execute", note)
    yield sent
    event.remove(engine, "before_cursor_execute", note)


def test_the_newest_is_read_in_one_statement(stores: Stores, key: FeedbackKey) -> None:
    judge(stores, hand_in(stores, key), record("FAIL", docs="FAIL"))
    with _statements(stores.engine) as sent:
        read = _read(stores, key)
    assert len(sent) == 1
    assert read.outcome is not None
    assert len(read.rubric) == len(CRITERIA)


def test_without_a_submission_there_is_nothing(stores: Stores, key: FeedbackKey) -> None:
    assert _read(stores, key) == FeedbackRecord(key=key, versions=VERSIONS)


def test_everything_about_the_newest_review_is_there(stores: Stores, key: FeedbackKey) -> None:
    submission = hand_in(stores, key)
    judged = record("FAIL", docs="FAIL")
    attempt = judge(stores, submission, judged)
    read = _read(stores, key)
    assert (read.submission, read.attempts, read.attempt) == (submission, 1, attempt)
    assert read.outcome is not None
    assert (read.outcome.kind, read.outcome.record, read.outcome.fault) == (OutcomeKind.COMPLETED, judged, None)
    assert read.outcome.snapshot_hash == submission.snapshot_hash
    assert select_feedback(read).state is FeedbackState.CURRENT


def test_the_rubric_stands_in_its_authors_order(stores: Stores, key: FeedbackKey) -> None:
    hand_in(stores, key)
    expected = tuple(RubricLine(rubric_id=line.rubric_id, kind=line.kind, text=line.text) for line in CRITERIA)
    assert _read(stores, key).rubric == expected
    assert _read(stores, key, OTHER_VERSIONS["rubric"]).rubric == ()


def test_the_rubric_is_that_of_the_versions_in_force(stores: Stores, key: FeedbackKey) -> None:
    stores.courses.keep_rubric(LOCAL_VIEWER, key.project_id, key.task_id, "other", CRITERIA[2:])
    hand_in(stores, key)
    assert [line.rubric_id for line in _read(stores, key, OTHER_VERSIONS["rubric"]).rubric] == ["reflection", "docs"]


def test_a_submission_without_a_review_is_pending(stores: Stores, key: FeedbackKey) -> None:
    judge(stores, hand_in(stores, key))
    hand_in(stores, key)
    assert _place(_read(stores, key)) == (2, 0, None)
    assert select_feedback(_read(stores, key)).state is FeedbackState.PENDING


def test_numbers_decide_even_if_all_happened_in_one_moment_or_backwards(engine: Engine, key: FeedbackKey) -> None:
    hands = Hands()
    stores = build_stores(engine, hands)
    for step in (0, 0, -60, -60):
        hands.forward(step)
        submission = hand_in(stores, key)
        judge(stores, submission, record("FAIL", docs="FAIL"))
        hands.forward(step)
        judge(stores, submission)
    assert _place(_read(stores, key)) == (4, 2, 2)
    assert select_feedback(_read(stores, key)).state is FeedbackState.PASSED


def test_an_older_submission_that_is_judged_last_does_not_come_back(stores: Stores, key: FeedbackKey) -> None:
    older, newer = hand_in(stores, key), hand_in(stores, key)
    judge(stores, newer)
    judge(stores, older, record("FAIL", docs="FAIL"))
    assert _place(_read(stores, key)) == (2, 1, 1)


def test_an_older_attempt_that_ends_last_does_not_come_back(stores: Stores, key: FeedbackKey) -> None:
    submission = hand_in(stores, key)
    slow = begin_review(stores, submission)
    judge(stores, submission)
    stores.reviews.finish(LOCAL_VIEWER, slow.attempt_id, OutcomeKind.COMPLETED, record=record("FAIL", docs="FAIL"))
    assert _place(_read(stores, key)) == (1, 2, 2)
    assert select_feedback(_read(stores, key)).state is FeedbackState.PASSED


def test_a_newer_attempt_without_an_end_hides_the_older_judgement(stores: Stores, key: FeedbackKey) -> None:
    submission = hand_in(stores, key)
    judge(stores, submission)
    begin_review(stores, submission)
    read = _read(stores, key)
    assert (_place(read), read.outcome) == ((1, 2, 2), None)


@pytest.mark.parametrize("versions", OTHER_VERSIONS.values(), ids=OTHER_VERSIONS)
def test_an_attempt_by_another_version_counts_and_does_not_judge(
    stores: Stores, key: FeedbackKey, versions: Versions
) -> None:
    submission = hand_in(stores, key)
    judge(stores, submission, versions=versions)
    read = _read(stores, key)
    assert (_place(read), read.outcome) == ((1, 1, None), None)
    assert select_feedback(read).state is FeedbackState.STALE_RULES
    judge(stores, submission)
    judge(stores, submission, versions=versions)
    assert _place(_read(stores, key)) == (1, 3, 2)


def test_work_of_unknown_order_never_becomes_current(stores: Stores, key: FeedbackKey) -> None:
    judge(stores, hand_in(stores, key, order_known=False))
    assert _read(stores, key) == FeedbackRecord(key=key, versions=VERSIONS)
    known = hand_in(stores, key)
    judge(stores, hand_in(stores, key, order_known=False))
    assert (_read(stores, key).submission, _place(_read(stores, key))) == (known, (1, 0, None))


def test_nothing_crosses_learner_project_or_task(stores: Stores, key: FeedbackKey) -> None:
    judge(stores, hand_in(stores, enrol(stores, "Bob")))
    judge(stores, hand_in(stores, replace(key, task_id="second")))
    elsewhere = stores.courses.courses(LOCAL_VIEWER)[0].projects[1].project_id
    judge(stores, hand_in(stores, replace(key, project_id=elsewhere)))
    assert _read(stores, key) == FeedbackRecord(key=key, versions=VERSIONS)


def test_a_review_without_a_judgement_says_why(stores: Stores, key: FeedbackKey) -> None:
    attempt = begin_review(stores, hand_in(stores, key))
    stores.reviews.finish(LOCAL_VIEWER, attempt.attempt_id, OutcomeKind.UNAVAILABLE, fault="provider_down")
    outcome = _read(stores, key).outcome
    assert outcome is not None
    assert (outcome.kind, outcome.record, outcome.fault) == (OutcomeKind.UNAVAILABLE, None, "provider_down")


def test_an_erased_record_needs_a_system_check_and_blames_nobody(stores: Stores, key: FeedbackKey) -> None:
    judge(stores, hand_in(stores, key), record("FAIL", docs="FAIL"))
    stores.work.erase_person(LOCAL_VIEWER, key.learner_id)
    read = _read(stores, key)
    assert read.outcome is not None
    assert read.outcome.record is None
    assert select_feedback(read).state is FeedbackState.INVALID
    assert select_feedback(read).items == ()


STEPS = st.lists(st.sampled_from(["hand in", "hand in unknown", "begin", "begin other", "judge"]), max_size=9)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_the_newest_is_what_a_plain_walk_over_the_history_finds(stores: Stores, steps: list[str]) -> None:
    key = enrol(stores)
    newest: tuple[int | None, int, int | None] = (None, 0, None)
    for step in steps:
        if step.startswith("hand in"):
            submission = hand_in(stores, key, order_known=step == "hand in")
            newest = newest if submission.submission_seq is None else (submission.submission_seq, 0, None)
            current = submission if submission.submission_seq else None
        elif newest[0] is not None and current is not None:
            versions = OTHER_VERSIONS["engine"] if step == "begin other" else VERSIONS
            attempt = (judge if step == "judge" else begin_review)(stores, current, versions=versions)
            fitting = newest[2] if step == "begin other" else attempt.attempt_seq
            newest = (newest[0], newest[1] + 1, fitting)
    assert _place(_read(stores, key)) == newest
