"""A class of 60 in the sample course of 50 tasks, as full as a term leaves it: every state, one to three hand-ins."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from engine.domain.course import Learner, Task
from engine.domain.keys import Versions
from engine.domain.people import LOCAL_VIEWER
from engine.domain.review import aggregate_verdict
from engine.domain.states import CriterionStatus, Language, OutcomeKind
from engine.llm.offline import offline_gateway
from engine.review.version import review_logic
from engine.scenarios.sample_courses import sample_course
from engine.wiring import build_space, new_id
from tests.benchmarks.filling import AT, Row, filling, insert, text_row

LEARNERS = 60
NO_NAMES: Mapping[int, str] = MappingProxyType({})
_HASH = "5" * 64
_ENDS = (
    ("pass", "open", "pass"),
    ("pass", "pass", "need"),
    ("pass", "fail", "pass", "down"),
    ("pass", "down"),
    ("fail", "pass", "need", "fail", "open"),
    (),
)
"""How the newest hand-ins of one learner after another end, task by task; the last ones have not begun."""
_STATUS = {"pass": CriterionStatus.PASS, "fail": CriterionStatus.FAIL, "need": CriterionStatus.NEED_REVIEW}
Rows = Iterator[tuple[str, Row]]


def make_class(path: Path, names: Mapping[int, str] = NO_NAMES) -> str:
    """Make the database at `path`; gives the course's id. `names` are those of single learners, by number."""
    space = build_space(f"sqlite:///{path}", offline_gateway(delay_s=0))
    course = space.courses.keep_course(LOCAL_VIEWER, sample_course(Language.ZH))
    versions = {
        (project.project_id, task.task_id): review_logic().with_rubric(
            space.courses.task(LOCAL_VIEWER, project.project_id, task.task_id).rubric_version
        )
        for project in course.projects
        for task in project.tasks
    }
    space.close()
    people = [
        Learner(learner_id=new_id(), name=names.get(number, f"Student {number:02}"))
        for number in range(1, LEARNERS + 1)
    ]
    tasks = [(project.project_id, task) for project in course.projects for task in project.tasks]
    with filling(path) as connection:
        insert(connection, "learner", ({"id": one.learner_id, "kind": "student", "name": one.name} for one in people))
        enrolled = enumerate(people, start=1)
        insert(
            connection,
            "enrolment",
            (
                {"course_id": course.course_id, "learner_id": one.learner_id, "position": number}
                for number, one in enrolled
            ),
        )
        tables: dict[str, list[Row]] = {}
        for row, one in enumerate(people):
            for column, (project_id, task) in enumerate(tasks):
                for table, made in _cell(one, project_id, task, versions[project_id, task.task_id], row, column):
                    tables.setdefault(table, []).append(made)
        for table in ("version", "submission", "attempt", "text", "outcome"):
            insert(connection, table, tables.get(table, ()))
    return course.course_id


def _cell(learner: Learner, project_id: str, task: Task, versions: Versions, row: int, column: int) -> Rows:
    place = row * 7 + column * 5
    ends = _ENDS[row % len(_ENDS)]
    if not ends or place % 9 == 0 or column > 20 + row % 30:  # the last tasks nobody has reached
        return
    hand_ins = 1 + place % 3
    for seq in range(1, hand_ins + 1):
        end = ends[column % len(ends)] if seq == hand_ins else "fail"
        yield from _hand_in(learner.learner_id, project_id, task, versions, seq, end)


def _hand_in(learner_id: str, project_id: str, task: Task, versions: Versions, seq: int, end: str) -> Rows:
    me = new_id()
    key: Row = {"learner_id": learner_id, "project_id": project_id, "task_id": task.task_id, "snapshot_hash": _HASH}
    made: Row = {"id": f"v-{me}", "number": seq, "author_kind": "learner", "reason": "handed_in", "made_at": AT}
    yield "version", {**key, **made}
    yield "submission", {**key, "id": me, "submission_seq": seq, "version_id": f"v-{me}", "handed_in_at": AT}
    yield (
        "attempt",
        {
            "id": f"a-{me}",
            "submission_id": me,
            "attempt_seq": 1,
            "rubric_version": versions.rubric,
            "prompt_version": versions.prompt,
            "engine_version": versions.engine,
            "model": None,
            "started_at": AT,
        },
    )
    if end in _STATUS:
        record = _record(task, _STATUS[end])
        yield "text", text_row(f"t-{me}", learner_id, json.dumps(record, ensure_ascii=False))
        yield "outcome", _outcome(me, OutcomeKind.COMPLETED, str(record["verdict"]))
    elif end == "down":
        yield "outcome", _outcome(me, OutcomeKind.UNAVAILABLE, None)


def _outcome(me: str, kind: OutcomeKind, verdict: str | None) -> Row:
    return {
        "attempt_id": f"a-{me}",
        "kind": kind,
        "verdict": verdict,
        "snapshot_hash": _HASH,
        "record_text_id": f"t-{me}" if verdict else None,
        "fault": None if verdict else "provider_down",
        "finished_at": AT,
    }


def _record(task: Task, status: CriterionStatus) -> dict[str, object]:
    """The first acceptance criterion has this status, all others pass."""
    statuses = {line.rubric_id: CriterionStatus.PASS for line in task.criteria}
    kinds = {line.rubric_id: line.kind for line in task.criteria}
    statuses[next(rubric_id for rubric_id, kind in kinds.items() if kind == "acceptance")] = status
    criteria = [
        {"id": rubric_id, "status": each, "reason": "looked at it", "evidence": None, "source": "check"}
        for rubric_id, each in statuses.items()
    ]
    return {"verdict": aggregate_verdict(statuses, kinds), "next_step": None, "criteria": criteria}
