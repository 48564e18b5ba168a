import pytest

from engine.domain.states import CriterionStatus
from engine.review.checks import environment
from tests.review.builders import FAIL, OPEN, PASS, evidence_of, find


def report(**properties: str) -> str:
    told = "".join(f'<property name="{name.replace("_", ".")}" value="{value}"/>' for name, value in properties.items())
    return f'<testsuite><properties>{told}</properties><testcase name="t"/></testsuite>'


@pytest.mark.parametrize(
    ("reports", "status"),
    [
        pytest.param([report(java_version="17.0.1")], PASS, id="fits"),
        pytest.param([report(java_version="11.0.1")], FAIL, id="another"),
        pytest.param([report(java_version="17.0.1"), report(java_version="11")], OPEN, id="two that differ"),
        pytest.param([report(os_name="Linux")], OPEN, id="not told"),
        pytest.param([], OPEN, id="no report"),
    ],
)
def test_the_note_decides(reports: list[str], status: CriterionStatus) -> None:
    evidence = evidence_of({}, {f"{n}.xml": text for n, text in enumerate(reports)})
    assert find("environment", evidence, note="java.version", value="17*|21*").status is status


def test_a_note_in_a_file_counts_and_is_shown() -> None:
    evidence = evidence_of({"docs/environment.txt": "# where\n- OS: Ubuntu 24.04\n"})
    finding = find("environment", evidence, note="os*", value="ubuntu*")
    assert (finding.status, finding.evidence) == (PASS, "docs/environment.txt: OS: Ubuntu 24.04")


def test_what_nobody_told_is_named() -> None:
    finding = find("environment", evidence_of({}), note="python*", value="3.12*")
    assert (finding.code, finding.values["note"]) == (environment.ENVIRONMENT_NOT_TOLD, "python*")
