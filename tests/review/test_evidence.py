import pytest

from engine.domain.states import FileKind, FileState
from engine.domain.work import WorkFile, take_snapshot
from engine.review.ci_report import ReportProblem
from engine.review.evidence import gather_evidence
from tests.review.builders import case, evidence_of, suite

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
