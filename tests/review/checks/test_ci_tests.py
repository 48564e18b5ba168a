import pytest

from engine.domain.states import CriterionStatus
from engine.review.checks.finding import FindingCode
from tests.review.builders import FAIL, OPEN, PASS, case, evidence_of, find, suite


def test_all_passed_passes() -> None:
    evidence = evidence_of({}, reports={"r.xml": suite(case("a"), case("b"))})
    finding = find("ci_tests", evidence)
    assert (finding.status, finding.values, finding.evidence) == (PASS, {"count": 2}, "r.xml")


def test_failed_tests_are_counted_and_the_first_are_named() -> None:
    failing = '<failure message="boom">a.py:7: AssertionError</failure>'
    evidence = evidence_of({}, reports={"r.xml": suite(case("ok"), *(case(f"t{n}", failing) for n in range(5)))})
    finding = find("ci_tests", evidence)
    assert (finding.status, finding.code) == (FAIL, FindingCode.TESTS_FAILED)
    assert finding.values == {"count": 5, "total": 6, "tests": "t0\nt1\nt2\nt3"}
    assert finding.evidence == "a.py:7: boom"


@pytest.mark.parametrize(
    "inside", ["<skipped/>", '<error message="collection failure"/>'], ids=["skipped", "collection"]
)
def test_what_did_not_run_leaves_it_open(inside: str) -> None:
    finding = find("ci_tests", evidence_of({}, reports={"r.xml": suite(case("a"), case("b", inside))}))
    assert (finding.status, finding.code, finding.values["tests"]) == (OPEN, FindingCode.TESTS_NOT_RUN, "b")


def test_a_failure_beside_what_did_not_run_fails() -> None:
    evidence = evidence_of({}, reports={"r.xml": suite(case("a", "<failure/>"), case("b", "<skipped/>"))})
    assert find("ci_tests", evidence).status is FAIL


@pytest.mark.parametrize(
    ("reports", "code"),
    [
        pytest.param({}, FindingCode.NO_REPORT, id="none"),
        pytest.param({"r.xml": "<testsuites/>"}, FindingCode.NO_MATCHING_TEST, id="without tests"),
        pytest.param({"r.xml": suite(case("a"))[:-5]}, FindingCode.REPORT_BROKEN, id="broken"),
        pytest.param({"r.xml": "<!DOCTYPE x>" + suite(case("a"))}, FindingCode.REPORT_REFUSED, id="refused"),
        pytest.param({"r.xml": None}, FindingCode.REPORT_UNREADABLE, id="unreadable"),
        pytest.param({"a.xml": suite(case("a")), "b.xml": "<"}, FindingCode.REPORT_BROKEN, id="one of two broken"),
    ],
)
def test_a_missing_or_bad_report_leaves_it_open(reports: dict[str, str | None], code: FindingCode) -> None:
    finding = find("ci_tests", evidence_of({}, reports=reports))
    assert (finding.status, finding.code) == (OPEN, code)


def test_a_failure_before_the_break_of_a_report_fails() -> None:
    evidence = evidence_of({}, reports={"r.xml": suite(case("a", "<failure/>"))[:-5]})
    assert find("ci_tests", evidence).status is FAIL


@pytest.mark.parametrize(
    ("glob", "status"),
    [
        pytest.param("*", FAIL, id="all"),
        pytest.param("test_login*", PASS, id="by name"),
        pytest.param("tests.test_a.*", FAIL, id="by class"),
        pytest.param("test_out|test_x", FAIL, id="alternatives"),
        pytest.param("login", OPEN, id="the whole name must fit"),
    ],
)
def test_only_the_tests_that_are_meant_count(glob: str, status: CriterionStatus) -> None:
    evidence = evidence_of({}, reports={"r.xml": suite(case("test_login_ok"), case("test_out", "<failure/>"))})
    assert find("ci_tests", evidence, tests=glob).status is status


def test_one_test_in_two_reports_is_counted_once_and_failed_wins() -> None:
    evidence = evidence_of({}, reports={"a.xml": suite(case("t")), "b.xml": suite(case("t", "<failure/>"))})
    assert find("ci_tests", evidence).values["total"] == 1
    assert find("ci_tests", evidence).status is FAIL


@pytest.mark.parametrize(
    ("glob", "count"),
    [
        pytest.param("test_add[1-2]", 1, id="a parametrised name, to the letter"),
        pytest.param("tests.test_a.test_add[1-2]", 1, id="with its class"),
        pytest.param("test_add", 2, id="all parameters of a test"),
        pytest.param("test_a|b", 1, id="a name with a bar in it"),
        pytest.param("test_[ab]*", 3, id="a class of characters"),
    ],
)
def test_names_of_parametrised_tests_are_found(glob: str, count: int) -> None:
    report = suite(case("test_add[1-2]"), case("test_add[x]"), case("test_a|b"))
    assert find("ci_tests", evidence_of({}, reports={"r.xml": report}), tests=glob).values["count"] == count


def test_reports_of_several_runs_are_merged_whatever_their_order() -> None:
    linux = suite(case("a"), case("b", "<skipped/>"))
    windows = suite(case("b"), case("c"))
    for reports in ({"1.xml": linux, "2.xml": windows}, {"1.xml": windows, "2.xml": linux}):
        finding = find("ci_tests", evidence_of({}, reports=reports))
        assert (finding.status, finding.values["count"]) == (PASS, 3)


def test_the_evidence_of_a_failure_shows_no_secret() -> None:
    failing = '<failure message="401 for https://bob:hunter2@db/">a.py:7: E</failure>'
    finding = find("ci_tests", evidence_of({}, reports={"r.xml": suite(case("a", failing))}))
    assert finding.evidence == "a.py:7: 401 for https://bob:[redacted]@db/"
