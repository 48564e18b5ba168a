from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from engine.domain.course import Criterion
from engine.domain.people import LOCAL_VIEWER, Viewer, ViewerKind
from engine.domain.states import CriterionStatus, FeedbackState, Language, OutcomeKind, ReviewFault, Source
from engine.domain.work import take_snapshot
from engine.errors import AccessDenied
from engine.llm.offline import offline_gateway
from engine.wiring import build_space
from tests.review.desk import (
    BAD_REPORT,
    BROKEN,
    GOOD,
    LESSON,
    MEANING,
    NO_TODO,
    PLAIN,
    README,
    TESTS,
    Desk,
    course_with,
    opened_desk,
    work_of,
)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with opened_desk(tmp_path) as opened:
        yield opened


def feedback_state(desk: Desk) -> FeedbackState:
    return desk.space.tutor.current_feedback(LOCAL_VIEWER, desk.key).state


def without(*paths: str) -> dict[str, str]:
    return {path: body for path, body in GOOD.items() if path not in paths}


@pytest.mark.parametrize(
    ("files", "verdict", "unmet"),
    [
        pytest.param(GOOD, "PASS", {}, id="everything met"),
        pytest.param(without("README.md"), "FAIL", {"readme": "FAIL"}, id="a file is missing"),
        pytest.param({**GOOD, "shop.py": "# TODO\n"}, "FAIL", {"no-todo": "FAIL"}, id="something is left over"),
        pytest.param({**GOOD, "report.xml": BAD_REPORT}, "FAIL", {"tests": "FAIL"}, id="a test failed"),
        pytest.param(without("report.xml"), "NEED_REVIEW", {"tests": "NEED_REVIEW"}, id="no report is no failure"),
        pytest.param({**GOOD, "report.xml": "<testsuites><"}, None, None, id="a report that cannot be read"),
        pytest.param(without("lesson.md"), "PASS", {"lesson": "FAIL"}, id="a learning gap blocks nothing"),
    ],
)
def test_a_hand_in_gets_the_outcome_that_the_real_checks_give(
    desk: Desk, files: dict[str, str], verdict: str | None, unmet: dict[str, str] | None
) -> None:
    desk.hand_in(files)
    card = desk.card()
    assert card.row.outcome is not None and card.row.outcome.kind is OutcomeKind.COMPLETED
    if verdict is None:
        assert {line.status for line in card.lines if line.rubric_id == "tests"} == {CriterionStatus.NEED_REVIEW}
        return
    assert card.feedback.verdict == verdict
    assert {line.rubric_id: str(line.status) for line in card.lines if line.status != "PASS"} == unmet


def test_every_criterion_is_named_once_with_reason_and_source(desk: Desk) -> None:
    desk.hand_in({**GOOD, "shop.py": "# TODO\n"})
    lines = {line.rubric_id: line for line in desk.card().lines}
    assert set(lines) == {line.rubric_id for line in PLAIN} and len(desk.card().lines) == len(PLAIN)
    assert all(line.reason for line in lines.values())
    assert lines["tests"].source is Source.CI and lines["readme"].source is Source.CHECK
    assert lines["no-todo"].evidence is not None and lines["no-todo"].evidence.startswith("shop.py:1")


def test_the_next_step_is_that_of_the_most_urgent_open_criterion(tmp_path: Path) -> None:
    with opened_desk(tmp_path, (MEANING, NO_TODO, README, LESSON)) as desk:
        desk.hand_in({"shop.py": "# TODO\n"})
        feedback = desk.space.tutor.current_feedback(LOCAL_VIEWER, desk.key)
    assert [item.rubric_id for item in feedback.items] == ["no-todo", "readme", "meaning"]
    assert feedback.next_step == "mend no-todo"


def test_what_must_be_read_for_meaning_waits_while_no_model_is_configured(tmp_path: Path) -> None:
    with opened_desk(tmp_path, (MEANING, README)) as desk:
        desk.hand_in(GOOD)
        card = desk.card()
    (line,) = card.open_lines
    assert (card.feedback.verdict, line.status) == (CriterionStatus.NEED_REVIEW, CriterionStatus.NEED_REVIEW)
    assert line.reason.startswith("No model is configured")


def test_the_words_of_a_review_are_in_the_language_of_the_course(tmp_path: Path) -> None:
    with opened_desk(tmp_path, (README,), Language.ZH) as desk:
        desk.hand_in({"shop.py": "print(1)\n"})
        (line,) = desk.card().open_lines
    assert "README.md" in line.reason and any("一" <= character <= "鿿" for character in line.reason)


# Faults


@pytest.mark.parametrize(
    "criteria",
    [
        pytest.param((README, BROKEN, TESTS), id="in the middle"),
        pytest.param((README, TESTS, BROKEN), id="at the end"),
    ],
)
def test_a_tool_that_breaks_ends_the_review_as_unavailable_and_keeps_what_was_finished(
    tmp_path: Path, criteria: tuple[Criterion, ...]
) -> None:
    with opened_desk(tmp_path, criteria) as desk:
        desk.hand_in(without("README.md"))
        card = desk.card()
        assert feedback_state(desk) is FeedbackState.UNAVAILABLE
        assert "FAIL" not in str(desk.space.tutor.current_feedback(LOCAL_VIEWER, desk.key).items)
    assert (card.state, card.fault) == (FeedbackState.UNAVAILABLE, ReviewFault.TOOL_BROKEN)
    assert {line.rubric_id: str(line.status) for line in card.lines} == {"readme": "FAIL", "tests": "PASS"}
    assert not card.in_force and card.feedback.verdict is None


def test_a_review_whose_process_is_gone_ends_as_interrupted(desk: Desk) -> None:
    _begin_and_die(desk)
    card = desk.card()
    assert (card.state, card.fault) == (FeedbackState.UNAVAILABLE, ReviewFault.INTERRUPTED)
    assert feedback_state(desk) is FeedbackState.UNAVAILABLE


def test_a_review_whose_process_is_gone_keeps_what_it_had_finished(desk: Desk) -> None:
    _begin_and_die(desk)
    assert [line.rubric_id for line in desk.card().lines] == ["tests"]


def _begin_and_die(desk: Desk) -> None:
    """A review that had one criterion finished when its process was killed; another process finds it."""
    submission, _ = desk.space.work.hand_in(LOCAL_VIEWER, desk.key, take_snapshot(work_of(GOOD)))
    begun = desk.space.reviewer.begin(LOCAL_VIEWER, submission.submission_id, desk.space.worker.lease)
    finished = '[{"id": "tests", "status": "PASS", "reason": "all ran", "evidence": null, "source": "ci"}]'
    desk.space.leases.keep_progress(begun.attempt.attempt_id, desk.key.learner_id, finished)
    assert desk.space.worker.recover() == 0
    desk.clock.now += timedelta(seconds=60)
    assert desk.space.worker.recover() == 1


def test_a_late_answer_to_an_interrupted_review_is_no_outcome(desk: Desk) -> None:
    handed_in = desk.hand_in(GOOD)
    reviewer = desk.space.reviewer
    begun = reviewer.begin(LOCAL_VIEWER, handed_in.submission.submission_id, desk.space.worker.lease)
    reviewer.interrupt(begun.attempt.attempt_id)
    reviewer.judge(LOCAL_VIEWER, begun)
    assert desk.card().fault == ReviewFault.INTERRUPTED
    assert feedback_state(desk) is FeedbackState.UNAVAILABLE


def test_a_review_again_after_a_fault_is_the_one_that_counts(desk: Desk) -> None:
    handed_in = desk.hand_in(GOOD)
    reviewer, worker = desk.space.reviewer, desk.space.worker
    broken = reviewer.begin(LOCAL_VIEWER, handed_in.submission.submission_id, worker.lease)
    reviewer.interrupt(broken.attempt.attempt_id)
    again = reviewer.start(LOCAL_VIEWER, handed_in.submission.submission_id, worker)
    worker.wait(again.attempt_id, timeout_s=20)
    assert (again.attempt_seq, feedback_state(desk)) == (3, FeedbackState.PASSED)


# Rules and rights


def test_a_review_is_made_by_the_rules_in_force_when_it_began(desk: Desk) -> None:
    handed_in = desk.hand_in(GOOD)
    reviewer, lease = desk.space.reviewer, desk.space.worker.lease
    begun = reviewer.begin(LOCAL_VIEWER, handed_in.submission.submission_id, lease)
    desk.space.courses.keep_course(LOCAL_VIEWER, course_with((README,)))
    reviewer.judge(LOCAL_VIEWER, begun)
    assert feedback_state(desk) is FeedbackState.STALE_RULES
    card = desk.card()
    assert card.by_older_rules and card.state is FeedbackState.PASSED and len(card.lines) == len(PLAIN)
    reviewer.judge(LOCAL_VIEWER, reviewer.begin(LOCAL_VIEWER, handed_in.submission.submission_id, lease))
    assert feedback_state(desk) is FeedbackState.PASSED and len(desk.card().lines) == 1


def test_nobody_else_can_have_work_reviewed(desk: Desk) -> None:
    handed_in = desk.hand_in(GOOD)
    other = Viewer(kind=ViewerKind.STUDENT, person_id="bo", learner_ids=frozenset({"bo"}))
    with pytest.raises(AccessDenied):
        desk.space.reviewer.begin(other, handed_in.submission.submission_id, desk.space.worker.lease)
    assert len(desk.rows()) == 1


def test_another_process_reads_the_same_review(tmp_path: Path) -> None:
    with opened_desk(tmp_path) as desk:
        desk.hand_in(without("README.md"))
        second = build_space(f"sqlite:///{tmp_path / 'desk.db'}", offline_gateway(delay_s=0), clock=desk.clock)
        try:
            seen = second.tutor.current_feedback(LOCAL_VIEWER, desk.key)
        finally:
            second.close()
        assert seen == desk.space.tutor.current_feedback(LOCAL_VIEWER, desk.key)
    assert [item.rubric_id for item in seen.items] == ["readme"]


# Two clicks


def test_two_clicks_on_review_again_begin_one_review(desk: Desk) -> None:
    handed_in = desk.hand_in(GOOD)
    assert handed_in.attempt is not None
    submission_id, worker = handed_in.submission.submission_id, desk.space.worker
    again = [desk.space.reviewer.start_next(LOCAL_VIEWER, submission_id, worker, after=1) for _ in range(2)]
    assert again[0] is not None and again[1] is None
    worker.wait(again[0].attempt_id, timeout_s=20)
    assert desk.space.reviewer.start_next(LOCAL_VIEWER, submission_id, worker, after=1) is None
    assert sorted(row.attempt.attempt_seq for row in desk.rows() if row.attempt) == [1, 2]


def test_an_attempt_by_older_rules_does_not_stand_in_the_way_of_the_first_by_the_new_ones(desk: Desk) -> None:
    submission_id = desk.hand_in(GOOD).submission.submission_id
    desk.space.courses.keep_course(LOCAL_VIEWER, course_with((README,)))
    clicks = [desk.space.reviewer.start_next(LOCAL_VIEWER, submission_id, desk.space.worker, after=0) for _ in range(2)]
    assert [attempt.attempt_seq if attempt else None for attempt in clicks] == [2, None]
