import pytest

from engine.courses.course_file import read_course, write_course
from engine.courses.templates import general_project
from engine.domain.course import Task
from engine.domain.review import CriterionResult
from engine.domain.states import CriterionKind, CriterionStatus, Language, Source
from engine.domain.work import take_snapshot
from engine.review.checks.registry import check_params
from engine.review.criteria import judge_criterion
from engine.review.evidence import gather_evidence
from engine.work.unpack import Upload, read_hand_in

GO_PROJECT = {
    "README.md": "# Kiln log\n" + "A small server that keeps the firings of our kiln. Start it with go run. " * 6,
    "go.mod": "module kiln\n",
    "main.go": "package main\n",
    "report.xml": '<testsuite><testcase classname="kiln" name="TestFiring"/></testsuite>',
}
PASS, FAIL, NEED_REVIEW = CriterionStatus.PASS, CriterionStatus.FAIL, CriterionStatus.NEED_REVIEW


def the_task(language: Language) -> Task:
    (project,) = general_project(language).projects
    (task,) = project.tasks
    return task


def verdicts(files: dict[str, str], language: Language) -> dict[str, CriterionStatus]:
    uploads = [Upload(name=name, content=text.encode()) for name, text in files.items()]
    evidence = gather_evidence(take_snapshot(read_hand_in(uploads).files))
    results = [judge_criterion(line, evidence, language) for line in the_task(language).criteria]
    return {line.rubric_id: line.status for line in results if isinstance(line, CriterionResult)}


@pytest.mark.parametrize("language", list(Language))
def test_the_general_project_is_a_course_of_its_language(language: Language) -> None:
    criteria = the_task(language).criteria
    acceptance = [line for line in criteria if line.kind is CriterionKind.ACCEPTANCE]
    assert (general_project(language).language, len(acceptance)) == (language, 5)
    assert all(line.decided_by in (Source.CHECK, Source.CI) and line.next_step for line in acceptance)
    assert [line.decided_by for line in criteria if line not in acceptance] == [Source.MODEL]


@pytest.mark.parametrize("language", list(Language))
def test_the_general_project_calls_the_reviewers_checks_rightly(language: Language) -> None:
    course = general_project(language)
    assert read_course(write_course(course), known_checks=check_params) == course


def test_the_general_project_decides_alike_in_both_languages() -> None:
    zh, en = (
        [(line.rubric_id, line.kind, line.decided_by, line.check) for line in the_task(language).criteria]
        for language in Language
    )
    assert zh == en


@pytest.mark.parametrize("language", list(Language))
def test_a_sound_project_without_any_python_meets_every_acceptance_criterion(language: Language) -> None:
    open_lines = {name: status for name, status in verdicts(GO_PROJECT, language).items() if status is not PASS}
    assert open_lines == {"reflection": NEED_REVIEW}


@pytest.mark.parametrize(
    ("changes", "rubric_id", "status"),
    [
        ({"README.md": None}, "readme", FAIL),
        ({"README.md": "# Kiln log"}, "readme-length", FAIL),
        ({"main.go": "package main\n<<<<<<< HEAD\n=======\n>>>>>>> other\n"}, "merge-marks", FAIL),
        ({"report.xml": None}, "tests", NEED_REVIEW),
        ({"report.xml": '<testsuite><testcase name="a"><failure/></testcase></testsuite>'}, "tests", FAIL),
        ({"go.mod": None}, "setup-file", FAIL),
        ({"go.mod": None, "requirements-dev.txt": "x"}, "setup-file", PASS),
        ({"go.mod": None, "Shop.csproj": "x"}, "setup-file", PASS),
    ],
)
def test_each_criterion_of_the_general_project_notices_what_it_is_about(
    changes: dict[str, str | None], rubric_id: str, status: CriterionStatus
) -> None:
    changed = {name: text for name, text in {**GO_PROJECT, **changes}.items() if text is not None}
    assert verdicts(changed, Language.EN)[rubric_id] is status
