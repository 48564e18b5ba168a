from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.courses.rubric import rubric_version
from engine.domain.course import CheckSpec, Criterion, Task
from engine.domain.states import CriterionKind, Source

FIRST = Criterion(
    rubric_id="a",
    kind=CriterionKind.ACCEPTANCE,
    text="There is a README",
    decided_by=Source.CHECK,
    check=CheckSpec(name="min_length", params={"files": "README*", "characters": 1}),
    next_step="Write one",
)
SECOND = Criterion(rubric_id="b", kind=CriterionKind.LEARNING, text="Says why", decided_by=Source.MODEL)
TASK = Task(task_id="t", title="T", goal="G", criteria=(FIRST, SECOND))
VERSION = rubric_version(TASK)


def test_a_version_is_a_sha256_in_hex() -> None:
    assert len(VERSION) == 64
    assert int(VERSION, 16) >= 0


def test_a_version_is_the_same_in_every_run() -> None:
    assert rubric_version(Task(task_id="t", title="T", goal="G")) == (
        "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945"
    )


DECIDING = {
    "rubric id": replace(FIRST, rubric_id="c"),
    "kind": replace(FIRST, kind=CriterionKind.LEARNING),
    "text": replace(FIRST, text="There is a README."),
    "decided by": replace(FIRST, decided_by=Source.CI),
    "no check": replace(FIRST, check=None),
    "check name": replace(FIRST, check=CheckSpec(name="max_length", params={"files": "README*", "characters": 1})),
    "parameter value": replace(FIRST, check=CheckSpec(name="min_length", params={"files": "README*", "characters": 2})),
    "parameter type": replace(
        FIRST, check=CheckSpec(name="min_length", params={"files": "README*", "characters": True})
    ),
    "parameter name": replace(FIRST, check=CheckSpec(name="min_length", params={"file": "README*", "characters": 1})),
    "parameter gone": replace(FIRST, check=CheckSpec(name="min_length", params={"files": "README*"})),
}


@pytest.mark.parametrize("line", DECIDING.values(), ids=DECIDING)
def test_what_decides_changes_the_version(line: Criterion) -> None:
    assert rubric_version(replace(TASK, criteria=(line, SECOND))) != VERSION


def test_a_line_more_or_less_changes_the_version() -> None:
    more = replace(SECOND, rubric_id="c")
    assert rubric_version(replace(TASK, criteria=(FIRST, SECOND, more))) != VERSION
    assert rubric_version(replace(TASK, criteria=(FIRST,))) != VERSION


UNDECIDING = {
    "next step": replace(TASK, criteria=(replace(FIRST, next_step="Do it"), SECOND)),
    "order of lines": replace(TASK, criteria=(SECOND, FIRST)),
    "order of parameters": replace(
        TASK,
        criteria=(
            replace(FIRST, check=CheckSpec(name="min_length", params={"characters": 1, "files": "README*"})),
            SECOND,
        ),
    ),
    "task id": replace(TASK, task_id="u"),
    "title": replace(TASK, title="U"),
    "goal": replace(TASK, goal="H"),
    "steps": replace(TASK, steps=("one",)),
    "material": replace(TASK, material="more"),
}


@pytest.mark.parametrize("task", UNDECIDING.values(), ids=UNDECIDING)
def test_what_does_not_decide_leaves_the_version_as_it_is(task: Task) -> None:
    assert rubric_version(task) == VERSION


@given(st.text(max_size=20), st.text(max_size=20))
def test_two_texts_share_a_version_only_if_they_are_equal(one: str, other: str) -> None:
    first, second = (
        rubric_version(replace(TASK, criteria=(replace(FIRST, text=text), SECOND))) for text in (one, other)
    )
    assert (first == second) == (one == other)
