"""The block run: with everything open no task of the sample courses loses an item."""

import json
from dataclasses import replace

import pytest

from engine.domain.course import Course, Project, Task
from engine.domain.data_message import unwrap
from engine.domain.states import Language
from engine.feedback.budgeter import BLOCK_LIMIT, CRITERION_CAP, EVIDENCE_CAP, NEXT_STEP_CAP, REASON_CAP
from engine.scenarios.proof_blocks import BlockRun, TaskBlock, Writing, acceptance, prove_blocks, run_blocks
from engine.scenarios.sample_courses import sample_course

RUNS = tuple(prove_blocks())
every_run = pytest.mark.parametrize("run", RUNS, ids=lambda run: f"{run.course.course_id}, {run.writing}")


def payload(each: TaskBlock) -> dict[str, object]:
    data = unwrap(each.block.text)
    assert data is not None
    return data[1]


def items(each: TaskBlock) -> list[dict[str, str]]:
    return [dict(item) for item in json.loads(json.dumps(payload(each)["items"]))]


def one_task(course: Course, task: Task) -> Course:
    return replace(course, projects=(Project(project_id="p", title="P", tasks=(task,)),))


def test_the_fifty_tasks_and_the_twelve_are_run_with_each_writing() -> None:
    runs = [(run.course.language, len(run.blocks), run.writing) for run in RUNS]
    counts = {Language.ZH: 50, Language.EN: 12}
    assert runs == [(language, counts[language], writing) for language in Language for writing in Writing]


@every_run
def test_no_task_omits_an_item_and_every_block_keeps_its_limit(run: BlockRun) -> None:
    assert run.as_expected
    for each in run.blocks:
        wanted = sorted(line.rubric_id for line in acceptance(each.task))
        assert [item["rubric_id"] for item in items(each)] == wanted, each.task.task_id
        assert payload(each)["omitted_count"] == each.block.omitted_count == 0
        assert payload(each)["total_items"] == len(wanted)
        assert each.size <= BLOCK_LIMIT


@every_run
def test_the_texts_of_every_item_reach_their_caps_and_the_criterion_is_whole(run: BlockRun) -> None:
    for each in run.blocks:
        texts = {line.rubric_id: line.text for line in acceptance(each.task)}
        assert len(str(payload(each)["next_step"])) == NEXT_STEP_CAP
        for item in items(each):
            assert (len(item["reason"]), len(item["evidence"])) == (REASON_CAP, EVIDENCE_CAP)
            assert item["criterion"] == texts[item["rubric_id"]]


@every_run
def test_cuts_are_told_where_texts_are_far_too_long_and_nowhere_else(run: BlockRun) -> None:
    for each in run.blocks:
        cut = [f"{place}.{name}" for place in range(each.block.total_items) for name in ("reason", "evidence")]
        told = ["next_step", *cut] if run.writing is Writing.OVER_THE_CAPS else []
        assert list(each.block.truncated_fields) == told


@every_run
def test_the_figures_are_those_of_the_largest_block_and_the_longest_criterion(run: BlockRun) -> None:
    assert run.largest.size == max(len(each.block.text) for each in run.blocks)
    assert run.spare == BLOCK_LIMIT - run.largest.size >= 0
    longest = max(len(line.text) for each in run.blocks for line in acceptance(each.task))
    assert len(run.longest_criterion.text) == longest <= CRITERION_CAP


def test_a_task_with_four_criteria_as_long_as_a_course_may_have_them_is_seen_to_omit_one() -> None:
    course = sample_course(Language.EN)
    task = next(task for project in course.projects for task in project.tasks if len(list(acceptance(task))) == 4)
    long_lines = tuple(
        replace(line, text=f"{number}".ljust(80, "x"), rubric_id=f"{number}".ljust(64, "x"))
        for number, line in enumerate(task.criteria)
    )
    run = run_blocks(one_task(course, replace(task, criteria=long_lines)), Writing.AT_THE_CAPS)
    assert (run.as_expected, run.omitted_count) == (False, 1)
