"""Where newest hand-ins stand, and that a due date changes nothing of what is told or judged."""

import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import engine
from engine.courses.edit_store import task_mark
from engine.courses.rubric import rubric_version
from engine.domain.keys import ReviewLogic
from engine.domain.people import LOCAL_VIEWER
from engine.domain.states import OutcomeKind
from engine.feedback.selector import select_feedback
from engine.review.standing_store import HandInStanding, Standing
from tests.stores.builders import LEASE, NOON, TASK, VERSIONS, Stores, begin_review, criterion, enrol, hand_in, judge

LOGIC = ReviewLogic(prompt=VERSIONS.prompt, engine=VERSIONS.engine)
READS_DUE = {
    "course.py": "says what it is",
    "course_file.py": "reads and writes it",
    "course_store.py": "keeps it",
    "edit_store.py": "tells whether a task was changed",
    "task_form.py": "shows it in the editor",
    "demo.py": "gives the demo some",
}
"""The only files of the engine that know of due dates: none selects, judges or counts."""


def _standings(stores: Stores, project_id: str) -> list[HandInStanding]:
    return list(stores.standings.standings(LOCAL_VIEWER, (project_id,), LOGIC))


def test_each_newest_hand_in_stands_where_its_newest_review_by_the_rules_in_force_ended(stores: Stores) -> None:
    expected: dict[str, Standing] = {}
    keys = {standing: enrol(stores, standing.value) for standing in Standing}
    for standing, key in keys.items():
        judge(stores, hand_in(stores, key))  # an older one, which must not count
        submission = hand_in(stores, key, standing.value)
        expected[submission.submission_id] = standing
        match standing:
            case Standing.OUTDATED:
                judge(stores, submission, versions=replace(VERSIONS, rubric="older"))
            case Standing.RUNNING:
                begin_review(stores, submission)
            case Standing.UNAVAILABLE | Standing.INVALID:
                judge(stores, submission)
                attempt_id = begin_review(stores, submission).attempt_id
                stores.reviews.finish(LOCAL_VIEWER, attempt_id, OutcomeKind(standing.value), fault="provider_down")
            case Standing.JUDGED:
                judge(stores, submission)
            case Standing.JUDGED_WITHOUT_MODEL:
                _judge_without_model(stores, submission.submission_id)
    found = _standings(stores, keys[Standing.JUDGED].project_id)
    assert {each.submission_id: each.standing for each in found} == expected


def _judge_without_model(stores: Stores, submission_id: str) -> None:
    attempt = stores.reviews.start_attempt(LOCAL_VIEWER, submission_id, VERSIONS, model=None, lease=LEASE)
    stores.reviews.finish(LOCAL_VIEWER, attempt.attempt_id, OutcomeKind.COMPLETED, record={})


def test_a_changed_rubric_outdates_reviews_and_a_changed_due_date_does_not(stores: Stores) -> None:
    key = enrol(stores)
    submission = hand_in(stores, key)
    judge(stores, submission)
    before = select_feedback(stores.feedback.read_newest(LOCAL_VIEWER, key, VERSIONS))
    passed = replace(TASK, due_at=NOON - timedelta(days=9))
    assert rubric_version(passed) == rubric_version(TASK)
    stores.edits.save_task(LOCAL_VIEWER, key.project_id, passed, seen=task_mark(TASK))
    assert select_feedback(stores.feedback.read_newest(LOCAL_VIEWER, key, VERSIONS)) == before
    assert [each.standing for each in _standings(stores, key.project_id)] == [Standing.JUDGED]
    stricter = replace(passed, criteria=(*TASK.criteria, criterion("more")))
    stores.edits.save_task(LOCAL_VIEWER, key.project_id, stricter, seen=task_mark(passed))
    assert [each.standing for each in _standings(stores, key.project_id)] == [Standing.OUTDATED]


def test_nothing_that_selects_or_judges_knows_of_due_dates() -> None:
    root = Path(engine.__file__).parent
    knowing = {path.name for path in root.rglob("*.py") if re.search(r"\bdue_at\b", path.read_text("utf-8"))}
    assert knowing <= set(READS_DUE)
