"""A task as it is typed into the editor: nothing but text, so that nothing that is half written is lost.

`to_form` and `read_form` go between a task and its form; a form that holds what no course file could is told
apart field by field, in codes that pages word.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime

from engine.courses.course_file import TaskFault, task_faults
from engine.domain.course import CheckSpec, Criterion, Scalar, Task
from engine.domain.states import CriterionKind, Source
from engine.domain.text import clean
from engine.review.checks.finding import Param, ParamType
from engine.review.checks.registry import KNOWN_CHECKS, check_params

YES, NO = "yes", "no"
DECIDED_BY_CHECK = frozenset({Source.CI, Source.CHECK})
"""Who decides by a check with parameters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionForm:
    """One criterion as it is typed."""

    key: int
    """Stays the same while the criterion is moved, so that its fields keep what is in them."""
    rubric_id: str = ""
    text: str = ""
    kind: str = CriterionKind.ACCEPTANCE.value
    decided_by: str = Source.TEACHER.value
    check: str = ""
    params: Mapping[str, str] = field(default_factory=dict)
    """Of every check that was chosen meanwhile, by the parameter's name; empty text is a parameter left out."""
    next_step: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskForm:
    """A task as it is typed."""

    task_id: str = ""
    title: str = ""
    goal: str = ""
    steps: str = ""
    """One a line."""
    material: str = ""
    due: str = ""
    """An aware moment in ISO form, or empty."""
    criteria: tuple[CriterionForm, ...] = ()


def to_form(task: Task) -> TaskForm:
    """The form that shows a task; `read_form` gives the same task back."""
    return TaskForm(
        task_id=task.task_id,
        title=task.title,
        goal=task.goal,
        steps="\n".join(step.replace("\n", " ") for step in task.steps),
        material=task.material,
        due=task.due_at.isoformat() if task.due_at else "",
        criteria=tuple(_criterion_form(key, criterion) for key, criterion in enumerate(task.criteria)),
    )


def _criterion_form(key: int, criterion: Criterion) -> CriterionForm:
    check = criterion.check
    return CriterionForm(
        key=key,
        rubric_id=criterion.rubric_id,
        text=criterion.text,
        kind=criterion.kind.value,
        decided_by=criterion.decided_by.value,
        check=check.name if check else "",
        params={name: _typed(value) for name, value in check.params.items()} if check else {},
        next_step=criterion.next_step,
    )


def _typed(value: Scalar) -> str:
    if isinstance(value, bool):
        return YES if value else NO
    return "\n".join(value) if isinstance(value, tuple) else str(value)


def read_form(form: TaskForm) -> tuple[Task, tuple[TaskFault, ...]]:
    """The task that a form describes, texts cleaned, and everything that is wrong with it."""
    task = Task(
        task_id=form.task_id.strip(),
        title=clean(form.title),
        goal=clean(form.goal),
        steps=tuple(step for step in (clean(line) for line in form.steps.splitlines()) if step),
        material=clean(form.material),
        due_at=datetime.fromisoformat(form.due) if form.due else None,
        criteria=tuple(_criterion(line) for line in form.criteria),
    )
    return task, task_faults(task, known_checks=check_params)


def _criterion(form: CriterionForm) -> Criterion:
    decided_by = Source(form.decided_by)
    return Criterion(
        rubric_id=form.rubric_id.strip(),
        kind=CriterionKind(form.kind),
        text=clean(form.text),
        decided_by=decided_by,
        check=check_of(form) if decided_by in DECIDED_BY_CHECK else None,
        next_step=clean(form.next_step),
    )


def check_of(form: CriterionForm) -> CheckSpec | None:
    """The check that is chosen, with the parameters of it that are filled in; None where none is chosen."""
    known = KNOWN_CHECKS.get(form.check)
    if known is None:
        return CheckSpec(name=form.check) if form.check else None
    typed = {param: form.params.get(param.name, "") for param in known.params}
    return CheckSpec(
        name=known.name, params={param.name: _value(param, text) for param, text in typed.items() if text.strip()}
    )


def _value(param: Param, text: str) -> Scalar:
    """What was typed as a value of the parameter's type; left as text where it is none, which is told as a fault."""
    match param.type:
        case ParamType.WHOLE_NUMBER:
            digits = text.strip().replace(",", "")
            return int(digits) if digits.isdecimal() and len(digits) < 12 else text
        case ParamType.YES_NO:
            return {YES: True, NO: False}.get(text, text)
        case ParamType.TEXTS:
            return tuple(line for line in (clean(each) for each in text.splitlines()) if line)
        case _:
            return text


def add_criterion(form: TaskForm) -> TaskForm:
    """The form with an empty criterion at the end."""
    key = 1 + max((line.key for line in form.criteria), default=-1)
    return replace(form, criteria=(*form.criteria, CriterionForm(key=key)))


def remove_criterion(form: TaskForm, key: int) -> TaskForm:
    """The form without that criterion."""
    return replace(form, criteria=tuple(line for line in form.criteria if line.key != key))


def move_criterion(form: TaskForm, key: int, *, by: int) -> TaskForm:
    """The form with that criterion so many places further on, back if negative; it stops at the ends."""
    lines = list(form.criteria)
    place = next((at for at, line in enumerate(lines) if line.key == key), None)
    if place is None:
        return form
    lines.insert(max(0, place + by), lines.pop(place))
    return replace(form, criteria=tuple(lines))


def write_draft(form: TaskForm, seen: str | None) -> str:
    """The form as a draft keeps it, with the mark of the task that the editing began with."""
    return json.dumps({"seen": seen, "form": asdict(form)}, ensure_ascii=False)


def read_draft(body: str) -> tuple[TaskForm, str | None] | None:
    """What `write_draft` wrote; None where it is something else, such as a draft of an older release."""
    try:
        kept = json.loads(body)
        seen, fields = kept["seen"], kept["form"]
        lines: Sequence[Mapping[str, object]] = fields.pop("criteria")
        form = TaskForm(**fields, criteria=tuple(CriterionForm(**line) for line in lines))  # type: ignore[arg-type]  # checked below
        read_form(form)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    return form, seen
