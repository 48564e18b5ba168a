from time import process_time

import pytest

from engine.domain.states import CriterionStatus
from engine.review.checks import coverage
from tests.review.builders import FAIL, OPEN, PASS, evidence_of, find

DTD = "<!DOCTYPE coverage SYSTEM 'http://cobertura.sourceforge.net/xml/coverage-04.dtd'>"


def report(attributes: str, before: str = "", inside: str = "<packages/>") -> str:
    return f'<?xml version="1.0" ?>{before}<coverage {attributes}>{inside}</coverage>'


def percent(attributes: str, before: str = "", **more: str) -> object:
    evidence = evidence_of({"coverage.xml": report(attributes, before)})
    return find("coverage", evidence, percent=1, **more).values.get("percent")


@pytest.mark.parametrize(
    ("attributes", "shown"),
    [
        pytest.param('lines-valid="10" lines-covered="8" line-rate="0.8"', "80", id="coverage.py"),
        pytest.param('lines-valid="3" lines-covered="2" line-rate="0.67"', "66.6", id="counts before the rounded rate"),
        pytest.param('line-rate="0.7996"', "79.9", id="rate alone, cut and not rounded"),
        pytest.param('line-rate="1" branch-rate="0"', "100", id="all"),
        pytest.param('lines-valid="0" lines-covered="0" line-rate="1"', "100", id="no line at all"),
    ],
)
def test_the_figure_is_that_of_the_report(attributes: str, shown: str) -> None:
    assert percent(attributes) == shown


def test_branches_can_be_asked_for() -> None:
    assert percent('line-rate="0.9" branch-rate="0.5"', measure="branches") == "50"


@pytest.mark.parametrize(("needed", "status"), [(80, PASS), (81, FAIL)])
def test_the_percent_itself_is_enough(needed: int, status: CriterionStatus) -> None:
    evidence = evidence_of({"out/coverage.xml": report('lines-valid="5" lines-covered="4"')})
    finding = find("coverage", evidence, percent=needed)
    assert (finding.status, finding.evidence) == (status, "out/coverage.xml: lines 80%")


def test_without_a_report_it_is_open() -> None:
    finding = find("coverage", evidence_of({"a.py": "x"}), percent=80)
    assert (finding.status, finding.code) == (OPEN, coverage.NO_COVERAGE)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(None, id="not text"),
        pytest.param("no xml", id="no xml"),
        pytest.param("<report line-rate='1'/>", id="another root"),
        pytest.param(report('generated="1" clover="3"'), id="another tool's"),
        pytest.param(report('line-rate="much"'), id="no number"),
        pytest.param(report('line-rate="nan"'), id="not a number"),
        pytest.param(report('line-rate="1.5"'), id="more than all"),
        pytest.param(report('lines-valid="1" lines-covered="2"'), id="more covered than there is"),
        pytest.param(report('line-rate="-1"'), id="less than nothing"),
        pytest.param(report('line-rate="1"', "<!DOCTYPE c [<!ENTITY a 'x'>]>"), id="entity"),
        pytest.param(report('line-rate="1"', "<!DOCTYPE c [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>"), id="file"),
        pytest.param(report('line-rate="1"', "<!DOCTYPE c [<!ENTITY % a 'x'>]>"), id="parameter entity"),
    ],
)
def test_what_cannot_be_read_is_open_and_no_failure(body: str | None) -> None:
    finding = find("coverage", evidence_of({"coverage.xml": body}), percent=80)
    assert (finding.status, finding.code, finding.evidence) == (OPEN, coverage.COVERAGE_UNREADABLE, "coverage.xml")


def test_a_document_type_that_only_names_a_place_is_not_followed() -> None:
    assert percent('line-rate="0.5"', DTD) == "50"


def test_several_reports_pass_if_each_does_and_are_open_if_one_is_too_low() -> None:
    high, low = report('line-rate="0.9"'), report('line-rate="0.4"')
    both = evidence_of({"a/coverage.xml": high, "b/coverage.xml": low})
    assert find("coverage", both, percent=40).status is PASS
    finding = find("coverage", both, percent=50)
    assert (finding.status, finding.code, finding.values["path"]) == (OPEN, coverage.COVERAGE_UNCLEAR, "b/coverage.xml")


def test_only_the_top_of_a_large_report_is_read() -> None:
    begun = process_time()
    body = report('line-rate="0.5"', inside="<line number='1' hits='0'/>" * 400_000)
    assert find("coverage", evidence_of({"coverage.xml": body}), percent=50).status is PASS
    assert process_time() - begun < 5
