"""A person decides a criterion: in force at once, the machine's verdict beside it, kept by later reviews."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.domain.people import LOCAL_VIEWER, Viewer, ViewerKind
from engine.domain.review import CriterionResult
from engine.domain.states import AttemptOrigin, CriterionStatus, FeedbackState, ReviewFault, Source
from engine.errors import AccessDenied, DecisionRefused, NotFound
from engine.feedback.validity import ReviewRecord, read_record
from engine.review.decisions import Verdict
from tests.review.desk import BROKEN, GOOD, LESSON, MEANING, README, Desk, opened_desk
from tests.review.test_reuse import feedback
from tests.review.test_semantic import FOUND, asking_desk

PASS, FAIL, OPEN = CriterionStatus.PASS, CriterionStatus.FAIL, CriterionStatus.NEED_REVIEW
WHY = "I have tried it with the group."


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with opened_desk(tmp_path, (MEANING, README, LESSON)) as opened:
        yield opened


def verdict(rubric_id: str = "meaning", status: CriterionStatus = PASS, reason: str = WHY, seen: int = 1) -> Verdict:
    return Verdict(rubric_id=rubric_id, status=status, reason=reason, by="Ms Lin", seen_attempt_seq=seen)


def decide(desk: Desk, submission_id: str, given: Verdict) -> None:
    desk.space.decisions.decide(LOCAL_VIEWER, submission_id, given)


def results(desk: Desk, place: int = 0) -> dict[str, CriterionResult]:
    row = desk.rows()[place]
    assert row.outcome is not None
    read = read_record(row.outcome, row.rubric, row.submission)
    assert isinstance(read, ReviewRecord)
    return {result.rubric_id: result for result in read.criteria}


def submit(desk: Desk, **more: str) -> str:
    return desk.hand_in({**GOOD, **more}, token=str(more)).submission.submission_id


def test_a_decision_is_in_force_at_once_and_the_machines_verdict_stands_beside_it(desk: Desk) -> None:
    submission_id = submit(desk)
    assert feedback(desk).state is FeedbackState.CURRENT
    decide(desk, submission_id, verdict())
    assert feedback(desk).state is FeedbackState.PASSED
    decided, judged = results(desk)["meaning"], results(desk, 1)["meaning"]
    assert (decided.status, decided.reason, decided.source) == (PASS, WHY, Source.TEACHER)
    assert decided.decision is not None and decided.decision.by == "Ms Lin"
    machine = decided.decision.machine
    assert machine is not None
    assert (machine.status, machine.reason, machine.source) == (OPEN, judged.reason, judged.source)
    row = desk.rows()[0]
    assert row.attempt is not None and row.attempt.origin is AttemptOrigin.DECIDED
    assert {one: results(desk)[one] for one in ("readme", "lesson")} == {
        one: results(desk, 1)[one] for one in ("readme", "lesson")
    }


def test_a_teacher_can_fail_what_a_machine_passed_and_the_item_is_the_teachers(desk: Desk) -> None:
    submission_id = submit(desk)
    decide(desk, submission_id, verdict("readme", FAIL))
    first = feedback(desk).items[0]
    assert (first.rubric_id, first.status, first.reason, first.source) == ("readme", FAIL, WHY, Source.TEACHER)
    assert feedback(desk).next_step == "mend readme"
    told = results(desk, 1)["readme"].evidence
    assert told is not None
    assert results(desk)["readme"].evidence == told


def test_a_second_decision_keeps_the_first_and_the_machine_under_both(desk: Desk) -> None:
    submission_id = submit(desk)
    decide(desk, submission_id, verdict("meaning", FAIL))
    decide(desk, submission_id, verdict("readme", FAIL, seen=2))
    decide(desk, submission_id, verdict("meaning", PASS, seen=3))
    now = results(desk)
    assert (now["meaning"].status, now["readme"].status) == (PASS, FAIL)
    assert now["meaning"].decision is not None and now["meaning"].decision.machine is not None
    assert now["meaning"].decision.machine.status is OPEN
    assert [row.attempt.attempt_seq for row in desk.rows() if row.attempt] == [4, 3, 2, 1]


def test_a_later_review_of_the_same_work_keeps_the_decision_and_asks_no_model_about_it(tmp_path: Path) -> None:
    with asking_desk(tmp_path, [FOUND], MEANING, README) as (desk, transport):
        submission_id = submit(desk)
        decide(desk, submission_id, verdict("meaning", FAIL))
        again = desk.space.reviewer.start(LOCAL_VIEWER, submission_id, desk.space.worker)
        desk.space.worker.wait(again.attempt_id, timeout_s=20)
        assert len(transport.bodies) == 1
        newest = desk.rows()[0].attempt
        assert newest is not None and (newest.attempt_seq, newest.origin) == (3, AttemptOrigin.JUDGED)
        assert (results(desk)["meaning"].status, results(desk)["meaning"].source) == (FAIL, Source.TEACHER)


def test_other_work_is_judged_without_the_old_decision(desk: Desk) -> None:
    decide(desk, submit(desk), verdict())
    submit(desk, more="something else")
    assert results(desk)["meaning"].decision is None and results(desk)["meaning"].status is OPEN


def test_a_decision_on_a_criterion_that_reads_otherwise_by_now_is_not_kept(desk: Desk) -> None:
    submission_id = submit(desk)
    decide(desk, submission_id, verdict())
    course = desk.space.courses.courses(LOCAL_VIEWER)[0]
    (project,) = course.projects
    (task,) = project.tasks
    criteria = (replace(MEANING, text="It says why, and for whom"), README, LESSON)
    projects = (replace(project, project_id="one", tasks=(replace(task, criteria=criteria),)),)
    desk.space.courses.keep_course(LOCAL_VIEWER, replace(course, course_id="desk", projects=projects))
    with pytest.raises(DecisionRefused) as refused:
        decide(desk, submission_id, verdict(seen=2))
    assert refused.value.reason == "rules_changed"
    again = desk.space.reviewer.start(LOCAL_VIEWER, submission_id, desk.space.worker)
    desk.space.worker.wait(again.attempt_id, timeout_s=20)
    assert results(desk)["meaning"].decision is None


def test_what_a_broken_off_review_had_finished_stands_and_the_rest_is_open(tmp_path: Path) -> None:
    with opened_desk(tmp_path, (README, BROKEN, MEANING)) as desk:
        submission_id = submit(desk)
        assert feedback(desk).state is FeedbackState.UNAVAILABLE
        decide(desk, submission_id, verdict("meaning", PASS))
        now = results(desk)
    assert {one: now[one].status for one in now} == {"readme": PASS, "broken": OPEN, "meaning": PASS}
    assert now["broken"].reason == "The review could not judge this, so it is open."
    assert now["meaning"].decision is not None and now["meaning"].decision.machine is not None
    assert now["readme"].kept_from is not None


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        pytest.param(verdict(reason="fine"), "no_reason", id="too short a reason"),
        pytest.param(verdict(reason="fine" + " " * 30), "no_reason", id="a reason made long by blanks"),
        pytest.param(verdict(reason=" " * 30), "no_reason", id="blanks for a reason"),
        pytest.param(verdict(reason="\u200b" * 30), "no_reason", id="nothing that can be seen"),
        pytest.param(verdict("unheard-of"), "not_in_rubric", id="a criterion of no rubric"),
        pytest.param(verdict(seen=0), "newer_attempt", id="a review came in between"),
    ],
)
def test_a_decision_that_cannot_stand_is_refused_and_changes_nothing(desk: Desk, given: Verdict, reason: str) -> None:
    submission_id = submit(desk)
    before = desk.rows()
    with pytest.raises(DecisionRefused) as refused:
        decide(desk, submission_id, given)
    assert refused.value.reason == reason
    assert desk.rows() == before


def test_a_student_decides_nothing(desk: Desk) -> None:
    submission_id = submit(desk)
    ada = Viewer(kind=ViewerKind.STUDENT, person_id="ada", learner_ids=frozenset({desk.key.learner_id}))
    with pytest.raises(AccessDenied):
        desk.space.decisions.decide(ada, submission_id, verdict())
    with pytest.raises(NotFound):
        desk.space.decisions.decide(LOCAL_VIEWER, "nothing", verdict())


def test_a_review_that_ends_after_the_decision_does_not_take_its_place(desk: Desk) -> None:
    submission_id = submit(desk)
    late = desk.space.reviewer.begin(LOCAL_VIEWER, submission_id, desk.space.worker.lease)
    decide(desk, submission_id, verdict(seen=2))
    desk.space.reviewer.judge(LOCAL_VIEWER, late)
    assert feedback(desk).state is FeedbackState.PASSED
    assert desk.rows()[1].outcome is not None and desk.rows()[1].outcome.fault != ReviewFault.TOOL_BROKEN  # type: ignore[union-attr] # just checked
