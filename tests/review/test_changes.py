"""Each criterion beside the submission judged before."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.domain.people import LOCAL_VIEWER
from engine.domain.review import CriterionResult
from engine.domain.states import CriterionStatus, Source
from engine.domain.work import take_snapshot
from engine.review.changes import Change, Changes, compare, find_changes
from tests.review.desk import GOOD, LESSON, NO_TODO, README, Desk, opened_desk, work_of
from tests.review.test_decisions import decide, verdict

PASS, FAIL, OPEN = CriterionStatus.PASS, CriterionStatus.FAIL, CriterionStatus.NEED_REVIEW
NO_README = {path: body for path, body in GOOD.items() if path != "README.md"}
TODO = {"shop.py": "# TODO\n"}


def judged(status: CriterionStatus | None) -> CriterionResult | None:
    if status is None:
        return None
    return CriterionResult(rubric_id="one", status=status, reason="so", evidence=None, source=Source.CHECK)


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        (None, PASS, Change.NEW),
        (None, FAIL, Change.NEW),
        (PASS, PASS, None),
        (PASS, FAIL, Change.REGRESSED),
        (PASS, OPEN, Change.REGRESSED),
        (FAIL, PASS, Change.FIXED),
        (OPEN, PASS, Change.FIXED),
        (FAIL, FAIL, Change.STILL_OPEN),
        (FAIL, OPEN, Change.STILL_OPEN),
        (OPEN, FAIL, Change.STILL_OPEN),
    ],
)
def test_a_criterion_is_fixed_still_open_worse_or_new(
    before: CriterionStatus | None, after: CriterionStatus, change: Change | None
) -> None:
    now = judged(after)
    assert now is not None
    assert compare(judged(before), now) is change


def changes(desk: Desk, place: int = 0) -> Changes | None:
    rows = desk.rows()
    return find_changes(rows[place], rows)


def test_a_review_is_compared_with_the_newest_review_of_the_submission_before(tmp_path: Path) -> None:
    with opened_desk(tmp_path, (README, NO_TODO, LESSON)) as desk:
        first = desk.hand_in({**NO_README, **TODO}, token="1").submission.submission_id
        assert changes(desk) is None
        desk.hand_in({**GOOD, **TODO}, token="2")
        assert changes(desk) == Changes(since=1, by_criterion={"readme": Change.FIXED, "no-todo": Change.STILL_OPEN})
        decide(desk, first, verdict("readme", PASS))
        assert changes(desk) == Changes(since=1, by_criterion={"no-todo": Change.STILL_OPEN})
        desk.hand_in(NO_README, token="3")
        now = changes(desk)
        assert now == Changes(since=2, by_criterion={"readme": Change.REGRESSED, "no-todo": Change.FIXED})
        assert now is not None and now.count(Change.FIXED) == 1


def test_a_submission_that_was_never_judged_is_passed_over(tmp_path: Path) -> None:
    with opened_desk(tmp_path, (README, NO_TODO)) as desk:
        desk.hand_in({**NO_README, **TODO}, token="1")
        other = desk.space.work.hand_in(LOCAL_VIEWER, desk.key, take_snapshot(work_of(NO_README)))[0]
        assert other.submission_seq == 2
        desk.hand_in(GOOD, token="3")
        assert changes(desk) == Changes(since=1, by_criterion={"readme": Change.FIXED, "no-todo": Change.FIXED})
        assert changes(desk, 1) is None


def test_a_criterion_that_reads_otherwise_by_now_is_a_new_one(tmp_path: Path) -> None:
    with opened_desk(tmp_path, (README, NO_TODO)) as desk:
        desk.hand_in({**NO_README, **TODO}, token="1")
        course = desk.space.courses.courses(LOCAL_VIEWER)[0]
        (project,) = course.projects
        (task,) = project.tasks
        criteria = (replace(README, text="A front page is there"), NO_TODO)
        changed = replace(project, project_id="one", tasks=(replace(task, criteria=criteria),))
        desk.space.courses.keep_course(LOCAL_VIEWER, replace(course, course_id="desk", projects=(changed,)))
        desk.hand_in(GOOD, token="2")
        assert changes(desk) == Changes(since=1, by_criterion={"readme": Change.NEW, "no-todo": Change.FIXED})
