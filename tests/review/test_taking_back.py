"""A decision that is taken back: a new attempt, the verdict before it in force again, and both in the history."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.domain.people import LOCAL_VIEWER
from engine.domain.review import CriterionResult
from engine.domain.states import AttemptOrigin, CriterionStatus, FeedbackState, Source
from engine.errors import DecisionRefused
from engine.review.decisions import Undoing, Verdict
from tests.review.desk import GOOD, LESSON, MEANING, README, Desk, opened_desk
from tests.review.test_decisions import results

WHY = "I have tried it with the group."


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with opened_desk(tmp_path, (MEANING, README, LESSON)) as opened:
        yield opened


def decide(desk: Desk, submission_id: str, status: CriterionStatus, seen: int) -> None:
    verdict = Verdict(rubric_id="meaning", status=status, reason=WHY, by="Ms Lin", seen_attempt_seq=seen)
    desk.space.decisions.decide(LOCAL_VIEWER, submission_id, verdict)


def take_back(desk: Desk, submission_id: str, seen: int, rubric_id: str = "meaning") -> None:
    undoing = Undoing(rubric_id=rubric_id, by="Ms Lin", seen_attempt_seq=seen)
    desk.space.decisions.take_back(LOCAL_VIEWER, submission_id, undoing)


def meaning(desk: Desk) -> CriterionResult:
    return results(desk)["meaning"]


def test_the_machines_verdict_is_in_force_again_and_both_attempts_are_kept(desk: Desk) -> None:
    submission_id = desk.hand_in(GOOD).submission.submission_id
    before = meaning(desk)
    decide(desk, submission_id, CriterionStatus.PASS, seen=1)
    assert desk.card().state is FeedbackState.PASSED
    take_back(desk, submission_id, seen=2)
    assert meaning(desk) == before
    assert [row.attempt and row.attempt.origin for row in desk.rows()] == [
        AttemptOrigin.DECIDED,
        AttemptOrigin.DECIDED,
        AttemptOrigin.JUDGED,
    ]
    taken_back = desk.card().taken_back
    assert taken_back is not None
    assert (taken_back.rubric_id, taken_back.by) == ("meaning", "Ms Lin")
    assert desk.card(1).taken_back is None


def test_of_two_decisions_the_newer_is_taken_back(desk: Desk) -> None:
    submission_id = desk.hand_in(GOOD).submission.submission_id
    decide(desk, submission_id, CriterionStatus.FAIL, seen=1)
    decide(desk, submission_id, CriterionStatus.PASS, seen=2)
    take_back(desk, submission_id, seen=3)
    assert (meaning(desk).status, meaning(desk).source) == (CriterionStatus.FAIL, Source.TEACHER)


def test_a_decision_that_a_later_review_kept_is_taken_back_to_what_stood_before_it(desk: Desk) -> None:
    submission_id = desk.hand_in(GOOD).submission.submission_id
    before = meaning(desk)
    decide(desk, submission_id, CriterionStatus.PASS, seen=1)
    begun = desk.space.reviewer.begin(LOCAL_VIEWER, submission_id, desk.space.worker.lease)
    desk.space.reviewer.judge(LOCAL_VIEWER, begun)
    assert meaning(desk).source is Source.TEACHER
    take_back(desk, submission_id, seen=3)
    assert meaning(desk) == before


@pytest.mark.parametrize(
    ("rubric_id", "seen", "reason"),
    [("readme", 2, "not_decided"), ("gone", 2, "not_decided"), ("meaning", 1, "newer_attempt")],
)
def test_what_cannot_be_taken_back_says_why(desk: Desk, rubric_id: str, seen: int, reason: str) -> None:
    submission_id = desk.hand_in(GOOD).submission.submission_id
    decide(desk, submission_id, CriterionStatus.PASS, seen=1)
    with pytest.raises(DecisionRefused) as refused:
        take_back(desk, submission_id, seen=seen, rubric_id=rubric_id)
    assert refused.value.reason == reason
    assert len(desk.rows()) == 2


def test_a_card_names_the_submission_whose_judgement_it_took_over(desk: Desk) -> None:
    desk.hand_in(GOOD)
    desk.hand_in(GOOD, token="again")
    newest, oldest = desk.space.cards.timeline(LOCAL_VIEWER, desk.key)
    assert (newest.reused_from, oldest.reused_from) == (1, None)
