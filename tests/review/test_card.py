from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.domain.people import LOCAL_VIEWER
from engine.domain.states import FeedbackState, OutcomeKind
from engine.domain.work import take_snapshot
from engine.review.card import read_finished
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
    work_of,
)

S = FeedbackState


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with opened_desk(tmp_path, (LESSON, MEANING, TESTS, README, NO_TODO)) as opened:
        yield opened


def started(desk: Desk) -> str:
    """An attempt that is still open."""
    submission = desk.rows()[0].submission if desk.rows() else desk.hand_in(GOOD).submission
    lease = desk.space.worker.lease
    return desk.space.reviewer.begin(LOCAL_VIEWER, submission.submission_id, lease).attempt.attempt_id


def ended(desk: Desk, kind: OutcomeKind, record: object = None, fault: str | None = None) -> None:
    desk.space.reviews.finish(LOCAL_VIEWER, started(desk), kind, record=record, fault=fault)


def _handed_in_only(desk: Desk) -> None:
    desk.space.work.hand_in(LOCAL_VIEWER, desk.key, take_snapshot(work_of(GOOD)))


def passes(desk: Desk) -> None:
    desk.space.courses.keep_course(LOCAL_VIEWER, course_with((LESSON, TESTS, README)))
    desk.hand_in(GOOD)


def by_older_rules(desk: Desk) -> None:
    passes(desk)
    desk.space.courses.keep_course(LOCAL_VIEWER, course_with((README,)))


FINISHED = {"id": "readme", "status": "FAIL", "reason": "none", "evidence": None, "source": "check", "next_step": "x"}


@pytest.mark.parametrize(
    ("happens", "state", "lines", "in_force", "fault"),
    [
        pytest.param(_handed_in_only, S.PENDING, 0, False, None, id="no review yet"),
        pytest.param(lambda desk: started(desk), S.PENDING, 0, False, None, id="a review runs"),
        pytest.param(
            lambda desk: ended(desk, OutcomeKind.UNAVAILABLE, fault="provider_down"),
            S.UNAVAILABLE,
            0,
            False,
            "provider_down",
            id="unavailable",
        ),
        pytest.param(
            lambda desk: ended(desk, OutcomeKind.UNAVAILABLE, {"criteria": [FINISHED, 7, {}]}, "timed_out"),
            S.UNAVAILABLE,
            1,
            False,
            "timed_out",
            id="unavailable, one criterion finished",
        ),
        pytest.param(
            lambda desk: ended(desk, OutcomeKind.INVALID, fault="unparseable"),
            S.INVALID,
            0,
            False,
            "unparseable",
            id="ended as invalid",
        ),
        pytest.param(
            lambda desk: ended(desk, OutcomeKind.COMPLETED, {"verdict": "FAIL", "criteria": [FINISHED]}),
            S.INVALID,
            0,
            False,
            None,
            id="a broken record",
        ),
        pytest.param(passes, S.PASSED, 3, True, None, id="passed"),
        pytest.param(lambda desk: desk.hand_in(GOOD), S.CURRENT, 5, True, None, id="open"),
        pytest.param(by_older_rules, S.PASSED, 3, True, None, id="passed by older rules"),
    ],
)
def test_the_card_of_each_state_shows_what_may_be_shown(
    desk: Desk, happens: Callable[[Desk], object], state: FeedbackState, lines: int, in_force: bool, fault: str | None
) -> None:
    happens(desk)
    card = desk.card()
    assert (card.state, len(card.lines), card.in_force, card.fault) == (state, lines, in_force, fault)
    assert card.by_older_rules is (happens is by_older_rules)


def test_lines_stand_by_urgency_and_learning_criteria_come_last(desk: Desk) -> None:
    files = {**GOOD, "report.xml": BAD_REPORT, "shop.py": "# TODO\n"}
    del files["lesson.md"]
    desk.hand_in(files)
    card = desk.card()
    assert [(line.rubric_id, str(line.status)) for line in card.lines] == [
        ("no-todo", "FAIL"),
        ("tests", "FAIL"),
        ("meaning", "NEED_REVIEW"),
        ("readme", "PASS"),
        ("lesson", "FAIL"),
    ]
    assert [line.rubric_id for line in card.open_lines] == ["no-todo", "tests", "meaning"]


def test_a_card_has_the_whole_texts_that_a_block_has_to_cut(tmp_path: Path) -> None:
    long = replace(README, text="字" * 400, next_step="步" * 400)
    with opened_desk(tmp_path, (long,)) as desk:
        desk.hand_in({"shop.py": "1"})
        (line,) = desk.card().lines
    assert (line.criterion, line.next_step) == ("字" * 400, "步" * 400)


def test_a_passed_criterion_has_no_next_step(desk: Desk) -> None:
    desk.hand_in(GOOD)
    steps = {line.rubric_id: line.next_step for line in desk.card().lines}
    assert steps["readme"] is None and steps["meaning"]


def test_an_older_attempt_keeps_a_card_of_its_own(desk: Desk) -> None:
    desk.hand_in({"shop.py": "1"}, token="one")
    desk.hand_in(GOOD, token="two")
    newer, older = desk.card(0), desk.card(1)
    assert (newer.row.submission.submission_seq, older.row.submission.submission_seq) == (2, 1)
    assert {line.rubric_id for line in older.open_lines} == {"meaning", "readme", "tests"}
    assert {line.rubric_id for line in newer.open_lines} == {"meaning"}


@pytest.mark.parametrize("entry", [None, 3, "x", [], {}, {**FINISHED, "status": "MAYBE"}, {**FINISHED, "source": "me"}])
def test_a_finished_criterion_that_cannot_be_read_is_left_out(entry: object) -> None:
    assert read_finished(entry) is None


def test_a_finished_criterion_is_read_as_it_stands() -> None:
    read = read_finished(FINISHED)
    assert read is not None and (read.rubric_id, read.status, read.next_step) == ("readme", "FAIL", "x")
