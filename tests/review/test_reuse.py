"""What was judged is not judged again, and says where it comes from."""

from dataclasses import replace
from pathlib import Path

from engine.domain.feedback import Feedback
from engine.domain.people import LOCAL_VIEWER
from engine.domain.states import AttemptOrigin, FeedbackState, OutcomeKind
from engine.llm.scripted import Fault, Reply, ScriptedTransport
from engine.wiring import build_space
from tests.llm.calls import gateway
from tests.review.desk import GOOD, LESSON, MEANING, README, Desk, opened_desk
from tests.review.test_semantic import FOUND, HELLO, QUICK, answer, asking_desk

OTHER = {**GOOD, "more.txt": "more"}
MORE = replace(MEANING, rubric_id="more", text="It says more")


def feedback(desk: Desk) -> Feedback:
    return desk.space.tutor.current_feedback(LOCAL_VIEWER, desk.key)


def origins(desk: Desk) -> list[AttemptOrigin]:
    """Newest first."""
    return [row.attempt.origin for row in desk.rows() if row.attempt]


def test_the_same_work_again_is_a_submission_of_its_own_without_a_call(tmp_path: Path) -> None:
    with asking_desk(tmp_path, [FOUND], MEANING, README) as (desk, transport):
        desk.hand_in(GOOD, token="1")
        desk.hand_in(GOOD, token="2")
        second, first = desk.rows()
        assert len(transport.bodies) == 1
        assert feedback(desk).state is FeedbackState.PASSED
    assert second.submission.submission_seq == 2 and first.submission.submission_seq == 1
    assert second.attempt is not None and first.attempt is not None
    assert (second.attempt.origin, second.attempt.from_attempt_id) == (AttemptOrigin.REUSED, first.attempt.attempt_id)
    assert second.attempt.model == "some-model"
    assert second.outcome is not None and first.outcome is not None
    assert second.outcome.record == first.outcome.record


def test_other_work_is_judged_and_the_first_work_again_is_reused(tmp_path: Path) -> None:
    with asking_desk(tmp_path, [FOUND, answer("FAIL", HELLO)], MEANING, README) as (desk, transport):
        for number, files in enumerate((GOOD, OTHER, GOOD)):
            desk.hand_in(files, token=str(number))
        assert len(transport.bodies) == 2
        assert feedback(desk).state is FeedbackState.PASSED
        assert origins(desk) == [AttemptOrigin.REUSED, AttemptOrigin.JUDGED, AttemptOrigin.JUDGED]


def test_a_person_who_asks_for_a_new_review_gets_one(tmp_path: Path) -> None:
    with asking_desk(tmp_path, [FOUND, FOUND], MEANING) as (desk, transport):
        handed_in = desk.hand_in(GOOD)
        again = desk.space.reviewer.start(LOCAL_VIEWER, handed_in.submission.submission_id, desk.space.worker)
        desk.space.worker.wait(again.attempt_id, timeout_s=20)
        assert len(transport.bodies) == 2
        assert origins(desk) == [AttemptOrigin.JUDGED, AttemptOrigin.JUDGED]


def test_a_review_by_other_rules_is_not_reused(tmp_path: Path) -> None:
    with asking_desk(tmp_path, [FOUND, FOUND], MEANING) as (desk, transport):
        desk.hand_in(GOOD, token="1")
        course = desk.space.courses.courses(LOCAL_VIEWER)[0]
        (project,) = course.projects
        (task,) = project.tasks
        changed = replace(task, criteria=(replace(MEANING, text="It says why, and for whom"),))
        rules = replace(course, course_id="desk", projects=(replace(project, project_id="one", tasks=(changed,)),))
        desk.space.courses.keep_course(LOCAL_VIEWER, rules)
        desk.hand_in(GOOD, token="2")
        assert len(transport.bodies) == 2
        assert origins(desk)[0] is AttemptOrigin.JUDGED


def test_a_judgement_made_without_a_model_is_not_reused_once_there_is_one(tmp_path: Path) -> None:
    with opened_desk(tmp_path, (MEANING, README)) as desk:
        desk.hand_in(GOOD, token="1")
        transport = ScriptedTransport([FOUND])
        later = build_space(f"sqlite:///{tmp_path / 'desk.db'}", gateway(transport, limits=QUICK), clock=desk.clock)
        try:
            replace(desk, space=later).hand_in(GOOD, token="2")
            assert feedback(desk).state is FeedbackState.PASSED and len(transport.bodies) == 1
        finally:
            later.close()


def test_a_judgement_of_another_learner_is_never_reused(tmp_path: Path) -> None:
    with asking_desk(tmp_path, [FOUND, FOUND], MEANING) as (desk, transport):
        desk.hand_in(GOOD)
        course = desk.space.courses.courses(LOCAL_VIEWER)[0]
        bob = desk.space.courses.add_learner(LOCAL_VIEWER, "Bob", course_id=course.course_id)
        replace(desk, key=replace(desk.key, learner_id=bob.learner_id)).hand_in(GOOD)
        assert len(transport.bodies) == 2


def test_the_model_is_not_asked_again_what_it_had_answered_before_the_service_failed(tmp_path: Path) -> None:
    replies: list[Reply] = [FOUND, Fault(status=503), FOUND]
    with asking_desk(tmp_path, replies, MEANING, MORE, README) as (desk, transport):
        handed_in = desk.hand_in(GOOD)
        assert feedback(desk).state is FeedbackState.UNAVAILABLE
        again = desk.space.reviewer.start(LOCAL_VIEWER, handed_in.submission.submission_id, desk.space.worker)
        desk.space.worker.wait(again.attempt_id, timeout_s=20)
        assert feedback(desk).state is FeedbackState.PASSED
        later, first = desk.rows()
    assert len(transport.bodies) == 3 and "It says more" in transport.bodies[2].decode()
    assert later.outcome is not None and isinstance(later.outcome.record, dict) and first.attempt is not None
    kept = {entry["id"]: entry.get("kept_from") for entry in later.outcome.record["criteria"]}
    assert kept == {"meaning": first.attempt.attempt_id, "readme": None, "more": None}


def test_a_broken_record_is_never_reused(tmp_path: Path) -> None:
    with opened_desk(tmp_path, (README, LESSON)) as desk:
        lease = desk.space.worker.lease
        handed_in = desk.hand_in(GOOD, token="1")
        for record in ({"verdict": "PASS", "criteria": []}, None):
            begun = desk.space.reviewer.begin(LOCAL_VIEWER, handed_in.submission.submission_id, lease)
            desk.space.reviews.finish(
                LOCAL_VIEWER,
                begun.attempt.attempt_id,
                OutcomeKind.COMPLETED,
                record=record,
                snapshot_hash=handed_in.submission.snapshot_hash,
            )
        assert feedback(desk).state is FeedbackState.INVALID
        desk.hand_in(GOOD, token="2")
        assert feedback(desk).state is FeedbackState.PASSED
        assert desk.rows()[0].attempt is not None
        assert desk.rows()[0].attempt.from_attempt_id == desk.rows()[-1].attempt.attempt_id  # type: ignore[union-attr] # checked above
