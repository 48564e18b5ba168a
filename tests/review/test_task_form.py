"""The editor's form: nothing typed is lost, and what is wrong is told where it stands."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain.course import CheckSpec, Task
from engine.domain.states import Language, Source
from engine.review.task_form import (
    CriterionForm,
    TaskForm,
    add_criterion,
    move_criterion,
    read_draft,
    read_form,
    remove_criterion,
    to_form,
    write_draft,
)
from engine.scenarios.sample_courses import sample_course

TASKS = [task for language in Language for project in sample_course(language).projects for task in project.tasks]
GOOD = CriterionForm(
    key=0, rubric_id="readme", text="There is a README", decided_by="check", check="file_exists", params={"path": "*"}
)
FORM = TaskForm(task_id="one", title="One", goal="Do it", criteria=(GOOD,))


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.task_id)
def test_every_task_of_the_samples_comes_out_of_its_form_as_it_went_in(task: Task) -> None:
    due = replace(task, due_at=datetime(2026, 3, 1, 12, tzinfo=UTC))
    assert read_form(to_form(due)) == (due, ())


FAULTS = [
    ("no-title", replace(FORM, title=" "), [(("title",), "empty")]),
    ("bad-id", replace(FORM, task_id="a b"), [(("id",), "id")]),
    ("no-criteria", replace(FORM, criteria=()), [(("criteria",), "too_short")]),
    (
        "learning-only",
        replace(FORM, criteria=(replace(GOOD, kind="learning"),)),
        [(("criteria",), "no_acceptance")],
    ),
    (
        "twice",
        replace(FORM, criteria=(GOOD, replace(GOOD, key=1))),
        [(("criteria", 1, "id"), "used_twice")],
    ),
    ("long", replace(FORM, criteria=(replace(GOOD, text="x" * 81),)), [(("criteria", 0, "text"), "too_long")]),
    ("no-check", replace(FORM, criteria=(replace(GOOD, check=""),)), [(("criteria", 0, "check"), "check_missing")]),
    ("no-path", replace(FORM, criteria=(replace(GOOD, params={}),)), [(("criteria", 0, "check", "path"), "check")]),
    (
        "no-number",
        replace(FORM, criteria=(replace(GOOD, check="min_length", params={"files": "*", "characters": "many"}),)),
        [(("criteria", 0, "check", "characters"), "check")],
    ),
    (
        "one-of",
        replace(FORM, criteria=(replace(GOOD, check="file_count", params={"files": "*"}),)),
        [(("criteria", 0, "check"), "check")],
    ),
    ("two-at-once", replace(FORM, title="", goal=""), [(("title",), "empty"), (("goal",), "empty")]),
]


@pytest.mark.parametrize(("form", "faults"), [row[1:] for row in FAULTS], ids=[row[0] for row in FAULTS])
def test_what_is_wrong_is_told_field_by_field(form: TaskForm, faults: list[tuple[tuple[str | int, ...], str]]) -> None:
    assert [(fault.path, fault.problem) for fault in read_form(form)[1]] == faults


def test_parameters_of_another_check_and_of_a_model_stay_in_the_form_and_out_of_the_task() -> None:
    form = replace(GOOD, params={"path": "*", "characters": "12"})
    task, _faults = read_form(replace(FORM, criteria=(form,)))
    assert task.criteria[0].check == CheckSpec(name="file_exists", params={"path": "*"})
    judged, faults = read_form(replace(FORM, criteria=(replace(form, decided_by=Source.MODEL.value),)))
    assert judged.criteria[0].check is None
    assert faults == ()


def test_criteria_are_added_moved_and_removed_by_keys_that_stay() -> None:
    three = add_criterion(add_criterion(FORM))
    assert [line.key for line in three.criteria] == [0, 1, 2]
    assert [line.key for line in move_criterion(three, 0, by=1).criteria] == [1, 0, 2]
    assert [line.key for line in move_criterion(three, 0, by=-1).criteria] == [0, 1, 2]
    assert [line.key for line in move_criterion(three, 9, by=1).criteria] == [0, 1, 2]
    left = remove_criterion(three, 1)
    assert [line.key for line in left.criteria] == [0, 2]
    assert add_criterion(left).criteria[-1].key == 3


TYPED = st.text(max_size=20)
FORMS = st.builds(
    TaskForm,
    task_id=TYPED,
    title=TYPED,
    goal=TYPED,
    steps=TYPED,
    material=TYPED,
    criteria=st.lists(
        st.builds(
            CriterionForm,
            key=st.integers(0, 9),
            rubric_id=TYPED,
            text=TYPED,
            decided_by=st.sampled_from([source.value for source in Source]),
            check=st.sampled_from(["", "file_exists", "notebook", "markdown_headings", "gone"]),
            params=st.dictionaries(st.sampled_from(["path", "outputs", "headings", "files"]), TYPED, max_size=3),
        ),
        max_size=2,
    ).map(tuple),
)


@settings(max_examples=100)
@given(FORMS)
def test_a_draft_gives_back_what_was_typed_whatever_it_is(form: TaskForm) -> None:
    assert read_draft(write_draft(form, "mark")) == (form, "mark")


@pytest.mark.parametrize("body", ["", "[]", "{}", '{"seen": null, "form": {"criteria": [{"key": 1, "x": 2}]}}'])
def test_what_is_no_draft_is_taken_for_none(body: str) -> None:
    assert read_draft(body) is None
