"""What a card says of the submission judged before, and of what an earlier attempt had judged."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.domain.people import LOCAL_VIEWER
from engine.domain.states import CriterionStatus, FeedbackState, OutcomeKind
from engine.llm.gateway import CallLimits
from engine.llm.scripted import Fault, ScriptedTransport
from engine.review.card import ReviewCard
from engine.review.changes import Change
from tests.llm.calls import gateway
from tests.review.desk import (
    BAD_REPORT,
    GOOD,
    LESSON,
    MEANING,
    NO_TODO,
    README,
    TESTS,
    Desk,
    course_with,
    opened_desk,
)
from tests.review.test_semantic import FOUND

SECOND = replace(MEANING, rubric_id="second", text="It says how")
BAD = {"shop.py": "# TODO\n", "report.xml": BAD_REPORT}


def cards(desk: Desk) -> tuple[ReviewCard, ...]:
    """Newest first, as pages ask for them."""
    return desk.space.cards.timeline(LOCAL_VIEWER, desk.key)


def test_each_line_says_what_became_of_it_and_learning_criteria_never_count(tmp_path: Path) -> None:
    with opened_desk(tmp_path, (TESTS, README, NO_TODO, LESSON)) as desk:
        desk.hand_in({**BAD, "README.md": "hello"}, token="1")
        desk.hand_in({"shop.py": "print(1)\n", "report.xml": BAD_REPORT, "lesson.md": "never"}, token="2")
        newer, older = cards(desk)
    changes = {line.rubric_id: newer.change(line) for line in newer.lines}
    assert changes == {
        "tests": Change.STILL_OPEN,
        "no-todo": Change.FIXED,
        "readme": Change.REGRESSED,
        "lesson": None,
    }
    assert [newer.count(change) for change in Change] == [1, 1, 1, 0]
    assert newer.changes is not None and newer.changes.since == 1
    assert older.changes is None and {older.change(line) for line in older.lines} == {None}


def test_a_new_criterion_is_told_of_only_where_it_is_open(tmp_path: Path) -> None:
    with opened_desk(tmp_path, (README,)) as desk:
        desk.hand_in({"shop.py": "1"}, token="1")
        desk.space.courses.keep_course(LOCAL_VIEWER, course_with((README, TESTS, NO_TODO)))
        desk.hand_in(BAD | {"shop.py": "2"}, token="2")
        card = cards(desk)[0]
    assert {line.rubric_id: card.change(line) for line in card.lines} == {
        "readme": Change.STILL_OPEN,
        "tests": Change.NEW,
        "no-todo": None,
    }


def test_a_review_that_could_not_run_is_compared_with_nothing_and_is_nothing_to_compare_with(tmp_path: Path) -> None:
    with opened_desk(tmp_path, (README,)) as desk:
        desk.hand_in({"shop.py": "1"}, token="1")
        broken = desk.space.work.submission(LOCAL_VIEWER, desk.hand_in(GOOD, token="2").submission.submission_id)
        begun = desk.space.reviewer.begin(LOCAL_VIEWER, broken.submission_id, desk.space.worker.lease)
        desk.space.reviews.finish(LOCAL_VIEWER, begun.attempt.attempt_id, OutcomeKind.UNAVAILABLE)
        newest, before, _first = cards(desk)
    assert newest.changes is None and newest.state is FeedbackState.UNAVAILABLE
    assert before.changes is not None and before.changes.since == 1


@pytest.mark.parametrize("level", ["first", "again"])
def test_what_a_broken_review_left_is_counted_and_what_it_finished_is_kept(tmp_path: Path, level: str) -> None:
    transport = ScriptedTransport([FOUND, Fault(status=500), FOUND])
    door = gateway(transport, limits=CallLimits(waits_s=()))
    with opened_desk(tmp_path, (README, MEANING, SECOND), gateway=door) as desk:
        submission_id = desk.hand_in(GOOD).submission.submission_id
        if level == "again":
            again = desk.space.reviewer.start_next(LOCAL_VIEWER, submission_id, desk.space.worker, after=1)
            assert again is not None
            desk.space.worker.wait(again.attempt_id, timeout_s=20)
        card = cards(desk)[0]
    told = {line.rubric_id: line.kept_from for line in card.lines}
    if level == "first":
        assert (card.state, card.unjudged, told) == (FeedbackState.UNAVAILABLE, 1, {"meaning": None, "readme": None})
    else:
        assert (card.unjudged, told) == (0, {"meaning": 1, "readme": None, "second": None})
        assert {line.status for line in card.lines} == {CriterionStatus.PASS}
    assert len(transport.requests) == {"first": 2, "again": 3}[level]
