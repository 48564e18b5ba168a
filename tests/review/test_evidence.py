import pytest

from engine.domain.states import FileKind, FileState
from engine.domain.work import WorkFile, take_snapshot
from engine.review.ci_report import ReportProblem
from engine.review.evidence import gather_evidence
from tests.review.builders import a_file, case, evidence_of, suite

FILES = {
    "README.md": "",
    "docs/README.md": "",
    "main.py": "",
    "src/app/views.py": "",
    "src/app/[id].tsx": "",
    "src2/app.py": "",
    "tests/test_a.py": "",
}


@pytest.mark.parametrize(
    ("glob", "paths"),
    [
        pytest.param("README*", ["README.md"], id="at the top"),
        pytest.param("**/README*", ["README.md", "docs/README.md"], id="at any depth, the top included"),
        pytest.param(
            "*.py", ["main.py", "src/app/views.py", "src2/app.py", "tests/test_a.py"], id="star crosses folders"
        ),
        pytest.param("src/**/*.py", ["src/app/views.py"], id="below a folder and only there"),
        pytest.param("src/**/views.py", ["src/app/views.py"], id="one folder between"),
        pytest.param("src/**/app/**/views.py", ["src/app/views.py"], id="no folder between, twice"),
        pytest.param("**/*", sorted(FILES), id="everything"),
        pytest.param("**", sorted(FILES), id="everything, shortly"),
        pytest.param("readme*", [], id="case matters"),
        pytest.param("Makefile|readme.md | main.py", ["main.py"], id="alternatives"),
        pytest.param("src/app/[[]id].tsx", ["src/app/[id].tsx"], id="brackets are classes"),
        pytest.param("tests/test_?.py", ["tests/test_a.py"], id="one character"),
        pytest.param("ain.py", [], id="the whole path must fit"),
    ],
)
def test_a_glob_finds_the_files_it_means(glob: str, paths: list[str]) -> None:
    assert [file.path for file in evidence_of(FILES).matching(glob)] == paths


def test_a_hostile_glob_is_answered_at_once() -> None:
    assert evidence_of({"a" * 200: ""}).matching("**/" * 40 + "*a" * 40 + "b") == ()


def test_reports_are_read_and_never_match_as_work() -> None:
    evidence = evidence_of({"a.xml": "<a/>"}, reports={"r.xml": suite(case("t"))})
    assert [file.path for file in evidence.matching("*")] == ["a.xml"]
    assert [(report.path, len(report.cases)) for report in evidence.reports] == [("r.xml", 1)]


def test_a_report_that_cannot_be_read_is_a_report_with_a_problem() -> None:
    file = WorkFile(path="r.xml", sha256="0", size_bytes=9, kind=FileKind.REPORT, state=FileState.TOO_LARGE, body=None)
    (report,) = gather_evidence(take_snapshot((file,))).reports
    assert (report.path, report.cases, report.problem) == ("r.xml", (), ReportProblem.UNREADABLE)


def test_a_file_that_cannot_be_read_is_there_and_told() -> None:
    evidence = evidence_of({"a.py": "x", "b.py": None})
    assert [(file.path, file.state) for file in evidence.unread] == [("b.py", FileState.UNDECODABLE)]
    assert [file.path for file in evidence.matching("*.py")] == ["a.py", "b.py"]


def test_the_environment_is_told_by_reports_first_and_then_by_files() -> None:
    report = '<testsuite><properties><property name="java.version" value="17"/></properties></testsuite>'
    note = "# Where\n* Java: 21\nOS = Linux\nnothing here\nPASSWORD: x\n"
    evidence = evidence_of({"environment.txt": note, "other.txt": "OS: Mac"}, {"r.xml": report})
    assert [(told.path, told.name, told.value) for told in evidence.environment] == [
        ("r.xml", "java.version", "17"),
        ("environment.txt", "Java", "21"),
        ("environment.txt", "OS", "Linux"),
    ]


def test_a_note_file_of_any_length_is_read_in_good_time() -> None:
    assert evidence_of({"environment.txt": "OS" + " " * 5_000_000 + "\n" * 1_000_000}).environment == ()


def test_what_a_person_says_of_the_environment_is_read_and_is_no_file_of_the_work() -> None:
    note = a_file("environment-note.txt", "os: Debian 12\nrun it with make", FileKind.ENVIRONMENT)
    evidence = gather_evidence(take_snapshot((a_file("a.py", "x"), note)))
    assert [(said.path, said.name, said.value) for said in evidence.environment] == [(note.path, "os", "Debian 12")]
    assert [file.path for file in evidence.matching("**")] == ["a.py"]
