"""Course files: reads the YAML that an author writes, names what is wrong with it, and writes it back.

    id: web-basics                 # ids: 1 to 64 of A-Z a-z 0-9 . _ -, the first a letter or digit
    title: Web basics
    language: en                   # zh or en; all texts are in this language
    projects:                      # at least one
      - id: shop
        title: A small shop
        tasks:                     # at least one
          - id: login
            title: Sign-in
            goal: Only the owner of an account gets in.
            steps: [Write the form, Hash the password]       # may be left out
            material: |                                      # may be left out
              Longer text, in Markdown.
            criteria:              # at least one of kind acceptance
              - id: readme
                kind: acceptance   # or learning, which teaches and never decides; acceptance if left out
                text: There is a README            # one line, 1 to 80 characters
                decided_by: check  # ci | check | model | teacher
                check: {name: file_exists, path: "README*"}  # for ci and check, never for model and teacher
                next_step: Write down how to start it.       # may be left out

The parameters of a check stand beside its name; which checks there are is the reviewer's to know.
Ids are unique where they stand: projects in the course, tasks in their project, criteria in their task.
"""

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainValidator, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from engine.courses.marked_yaml import FieldPath, MarkedYaml, read_marked
from engine.domain.course import CheckProblem, CheckSpec, Course, Criterion, Project, Scalar, Task
from engine.domain.states import CriterionKind, Language, Source
from engine.domain.text import clean
from engine.errors import CourseFileError

KnownChecks = Callable[[str, Mapping[str, object]], list[CheckProblem]]
"""Says what is wrong with a check of that name and those parameters; nothing if all is well."""

MAX_ID_CHARS = 64
"""Longest id, in characters. An id is never cut, so it must fit wherever it is sent."""
MAX_CRITERION_CHARS = 80
"""Longest text of a criterion, in characters after cleaning: as much as a feedback block shows."""

_ID_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")
_ID_STARTS = _ID_CHARACTERS - set("._-")
_NEEDS_CHECK = frozenset({Source.CI, Source.CHECK})

Problem = tuple[FieldPath, str]
"""Where something is wrong, and what."""


def read_course(text: str, *, known_checks: KnownChecks) -> Course:
    """Read a course file. Texts come back cleaned; ids and check parameters exactly as written.

    Raises:
        CourseFileError: it does not describe a course; names the first line and field at fault.
    """
    marked = read_marked(text)
    course = _validated(marked)
    for path, what in _problems(course, known_checks):
        raise marked.error(path, what)
    return _course(course)


def write_course(course: Course) -> str:
    """Write `course` as a course file, from which `read_course` reads an equal course."""
    return yaml.dump(_course_fields(course), Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=sys.maxsize)


# ---- what a file may hold ----


def _proper_id(value: str) -> str:
    if len(value) > MAX_ID_CHARS:
        raise PydanticCustomError("id", f"is {len(value)} characters long; an id has at most {MAX_ID_CHARS}")
    if not value or value[0] not in _ID_STARTS or not _ID_CHARACTERS.issuperset(value):
        rule = "an id begins with a letter A-Z or digit and holds only A-Z a-z 0-9 . _ -"
        raise PydanticCustomError("id", "{value} is not an id; {rule}", {"value": f'"{value}"', "rule": rule})
    return value


def _visible(value: str) -> str:
    cleaned = clean(value)
    if not cleaned.strip():
        raise PydanticCustomError("empty", "is empty")
    return cleaned


def _one_line(value: str) -> str:
    if "\n" in value:
        raise PydanticCustomError("one_line", "must be one line")
    return value


def _short(value: str) -> str:
    if len(value) > MAX_CRITERION_CHARS:
        raise PydanticCustomError(
            "too_long", f"is {len(value)} characters long; a criterion has at most {MAX_CRITERION_CHARS}"
        )
    return value


def _parameter(value: object) -> Scalar:
    if isinstance(value, float) and not math.isfinite(value):
        raise PydanticCustomError("parameter", "is not a number that a check can use")
    if isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise PydanticCustomError("parameter", "must be text, a number, yes or no, or a list of texts")


_Id = Annotated[str, AfterValidator(_proper_id)]
_Text = Annotated[str, AfterValidator(_visible)]
_Line = Annotated[_Text, AfterValidator(_one_line)]
_CriterionText = Annotated[_Line, AfterValidator(_short)]
_Cleaned = Annotated[str, AfterValidator(clean)]


class _Fields(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _CheckFields(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True, frozen=True)
    __pydantic_extra__: dict[str, Annotated[Scalar, PlainValidator(_parameter)]]
    name: _Line

    def params(self) -> dict[str, Scalar]:
        return dict(self.__pydantic_extra__)


class _CriterionFields(_Fields):
    id: _Id
    kind: Annotated[CriterionKind, Field(strict=False)] = CriterionKind.ACCEPTANCE
    text: _CriterionText
    decided_by: Annotated[Source, Field(strict=False)]
    check: _CheckFields | None = None
    next_step: _Cleaned = ""


class _TaskFields(_Fields):
    id: _Id
    title: _Line
    goal: _Text
    steps: list[_Text] = []
    material: _Cleaned = ""
    criteria: Annotated[list[_CriterionFields], Field(min_length=1)]


class _ProjectFields(_Fields):
    id: _Id
    title: _Line
    tasks: Annotated[list[_TaskFields], Field(min_length=1)]


class _CourseFields(_Fields):
    id: _Id
    title: _Line
    language: Annotated[Language, Field(strict=False)]
    projects: Annotated[list[_ProjectFields], Field(min_length=1)]


_SENTENCES = {
    "missing": "is missing",
    "extra_forbidden": "is not a field that stands here",
    "string_type": "must be text; put it in quotes",
    "list_type": "must be a list",
    "model_type": "must hold named fields",
    "enum": "must be {expected}",
    "too_short": "must have at least one entry",
}
"""Pydantic's errors in the words of a course's author; our own errors bring their sentence."""


def _validated(marked: MarkedYaml) -> _CourseFields:
    try:
        return _CourseFields.model_validate(marked.values)
    except ValidationError as error:
        found = error.errors(include_url=False)
    raise min((_as_error(detail, marked) for detail in found), key=lambda fault: fault.line)


def _as_error(detail: ErrorDetails, marked: MarkedYaml) -> CourseFileError:
    sentence = _SENTENCES.get(detail["type"])
    what = detail["msg"] if sentence is None else sentence.format(expected=detail.get("ctx", {}).get("expected", ""))
    return marked.error(detail["loc"], what)


# ---- what must hold between fields ----


def _problems(course: _CourseFields, known_checks: KnownChecks) -> Iterator[Problem]:
    yield from _repeated(("projects",), [project.id for project in course.projects])
    for p, project in enumerate(course.projects):
        path: FieldPath = ("projects", p, "tasks")
        yield from _repeated(path, [task.id for task in project.tasks])
        for t, task in enumerate(project.tasks):
            yield from _task_problems((*path, t), task, known_checks)


def _task_problems(path: FieldPath, task: _TaskFields, known_checks: KnownChecks) -> Iterator[Problem]:
    path = (*path, "criteria")
    yield from _repeated(path, [criterion.id for criterion in task.criteria])
    if all(criterion.kind is not CriterionKind.ACCEPTANCE for criterion in task.criteria):
        yield path, "has no criterion of kind acceptance, so nothing would decide this task"
    for c, criterion in enumerate(task.criteria):
        yield from _check_problems((*path, c), criterion, known_checks)


def _repeated(path: FieldPath, ids: Iterable[str]) -> Iterator[Problem]:
    seen: set[str] = set()
    for position, name in enumerate(ids):
        if name in seen:
            yield (*path, position, "id"), f'"{name}" is used twice'
        seen.add(name)


def _check_problems(path: FieldPath, criterion: _CriterionFields, known_checks: KnownChecks) -> Iterator[Problem]:
    decided_by, check = criterion.decided_by, criterion.check
    path = (*path, "check")
    if check is None:
        if decided_by in _NEEDS_CHECK:
            yield path, f"is missing; what is decided by {decided_by} needs a check"
    elif decided_by not in _NEEDS_CHECK:
        yield path, f"must be left out; what is decided by {decided_by} has no check"
    else:
        for problem in known_checks(check.name, check.params()):
            yield (path if problem.field is None else (*path, problem.field)), problem.what


# ---- between the file and the course ----


def _course(fields: _CourseFields) -> Course:
    return Course(
        course_id=fields.id,
        title=fields.title,
        language=fields.language,
        projects=tuple(
            Project(project_id=project.id, title=project.title, tasks=tuple(map(_task, project.tasks)))
            for project in fields.projects
        ),
    )


def _task(fields: _TaskFields) -> Task:
    return Task(
        task_id=fields.id,
        title=fields.title,
        goal=fields.goal,
        steps=tuple(fields.steps),
        material=fields.material,
        criteria=tuple(map(_criterion, fields.criteria)),
    )


def _criterion(fields: _CriterionFields) -> Criterion:
    check = fields.check
    return Criterion(
        rubric_id=fields.id,
        kind=fields.kind,
        text=fields.text,
        decided_by=fields.decided_by,
        check=None if check is None else CheckSpec(name=check.name, params=check.params()),
        next_step=fields.next_step,
    )


class _Dumper(yaml.SafeDumper):
    """Writes values out instead of as aliases, and text of several lines as a block."""

    def ignore_aliases(self, _data: object) -> bool:
        return True


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _represent_text)


def _course_fields(course: Course) -> dict[str, object]:
    return {
        "id": course.course_id,
        "title": course.title,
        "language": course.language.value,
        "projects": [
            {"id": project.project_id, "title": project.title, "tasks": [_task_fields(task) for task in project.tasks]}
            for project in course.projects
        ],
    }


def _task_fields(task: Task) -> dict[str, object]:
    fields: dict[str, object] = {"id": task.task_id, "title": task.title, "goal": task.goal}
    if task.steps:
        fields["steps"] = list(task.steps)
    if task.material:
        fields["material"] = task.material
    return {**fields, "criteria": [_criterion_fields(criterion) for criterion in task.criteria]}


def _criterion_fields(criterion: Criterion) -> dict[str, object]:
    fields: dict[str, object] = {
        "id": criterion.rubric_id,
        "kind": criterion.kind.value,
        "text": criterion.text,
        "decided_by": criterion.decided_by.value,
    }
    if criterion.check is not None:
        params = {
            name: list(value) if isinstance(value, tuple) else value for name, value in criterion.check.params.items()
        }
        fields["check"] = {"name": criterion.check.name, **params}
    if criterion.next_step:
        fields["next_step"] = criterion.next_step
    return fields
