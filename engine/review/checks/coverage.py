"""`coverage`: the tests reach enough of the code, by the figure of a Cobertura report (`coverage.xml`).

Only the figure at the top of the report is read. XML that declares entities is refused; a document type
that only names Cobertura's own is not followed, since several tools write it.
"""

import io
from dataclasses import dataclass
from enum import StrEnum
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import iterparse

from engine.domain.states import CriterionStatus, Language
from engine.review.checks.finding import Check, Finding, Label, Param, Params, ParamType, Words, number_of, text_of
from engine.review.evidence import Evidence

REPORT = "**/coverage.xml|**/cobertura*.xml|**/*.cobertura.xml"
COVERED = "covered"
NOT_COVERED = "not_covered"
NO_COVERAGE = "no_coverage"
COVERAGE_UNREADABLE = "coverage_unreadable"
COVERAGE_UNCLEAR = "coverage_unclear"


class Measure(StrEnum):
    """What a figure counts."""

    LINES = "lines"
    BRANCHES = "branches"


_ATTRIBUTES = {
    Measure.LINES: ("lines-covered", "lines-valid", "line-rate"),
    Measure.BRANCHES: ("branches-covered", "branches-valid", "branch-rate"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Figure:
    """What one report says; a percent of None is a report that says nothing."""

    path: str
    percent: float | None


def coverage(evidence: Evidence, params: Params) -> Finding:
    """PASS if every report reaches the percent; FAIL if the only one does not; else NEED_REVIEW.

    Several reports may cover parts or repeat one another; when one of them is too low nobody can say what
    they are together.
    """
    needed = number_of(params, "percent")
    measure = Measure(text_of(params, "measure", default=Measure.LINES))
    figures = [_figure(file.path, file.body, measure) for file in evidence.matching(text_of(params, "report", REPORT))]
    if not figures:
        return Finding(status=CriterionStatus.NEED_REVIEW, code=NO_COVERAGE, values={"needed": needed})
    unread = next((figure for figure in figures if figure.percent is None), None)
    if unread is not None:
        values: dict[str, str | int] = {"path": unread.path}
        return Finding(
            status=CriterionStatus.NEED_REVIEW, code=COVERAGE_UNREADABLE, values=values, evidence=unread.path
        )
    lowest = min(figures, key=lambda figure: figure.percent or 0.0)
    return _judged(lowest, needed, measure, len(figures))


def _judged(lowest: _Figure, needed: int, measure: Measure, reports: int) -> Finding:
    percent = lowest.percent or 0.0
    status, code = CriterionStatus.PASS, COVERED
    if percent < needed:
        alone = reports == 1
        status = CriterionStatus.FAIL if alone else CriterionStatus.NEED_REVIEW
        code = NOT_COVERED if alone else COVERAGE_UNCLEAR
    # Cut, not rounded: 79.96 must not be shown as the 80 that it is not.
    shown = f"{int(percent * 10) / 10:g}"
    values: dict[str, str | int] = {"path": lowest.path, "percent": shown, "needed": needed, "count": reports}
    return Finding(status=status, code=code, values=values, evidence=f"{lowest.path}: {measure} {shown}%")


def _figure(path: str, body: str | None, measure: Measure) -> _Figure:
    root = None if body is None else _root(body)
    return _Figure(path=path, percent=None if root is None else _percent(root, measure))


def _root(body: str) -> Element | None:
    """The outermost element with its attributes; None if this is no Cobertura report."""
    try:
        for _, element in iterparse(io.StringIO(body), events=("start",), forbid_dtd=False):
            return element if element.tag == "coverage" else None
    except (ParseError, DefusedXmlException):
        return None
    return None


def _percent(root: Element, measure: Measure) -> float | None:
    """By the counts, which are exact, else by the rate, which tools round."""
    covered, valid, rate = (_number(root.get(name)) for name in _ATTRIBUTES[measure])
    if covered is not None and valid:
        return 100 * covered / valid if covered <= valid else None
    return 100 * rate if rate is not None and rate <= 1 else None


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if 0 <= number < 1e12 else None


CHECK = Check(
    name="coverage",
    label=Label(en="Test coverage", zh="测试覆盖率"),
    function=coverage,
    params=(
        Param(
            name="percent",
            type=ParamType.WHOLE_NUMBER,
            label=Label(en="Percent that must be reached", zh="至少达到百分之几"),
            most=100,
        ),
        Param(
            name="measure",
            type=ParamType.CHOICE,
            label=Label(en="What is counted", zh="按什么计算"),
            default=Measure.LINES.value,
            choices=tuple(Measure),
        ),
        Param(
            name="report",
            type=ParamType.GLOB,
            label=Label(en="Cobertura report", zh="Cobertura 报告文件"),
            default=REPORT,
        ),
    ),
    codes=(COVERED, NOT_COVERED, NO_COVERAGE, COVERAGE_UNREADABLE, COVERAGE_UNCLEAR),
    words={
        COVERED: {
            Language.EN: Words(reason="{path} reports {percent}%; {needed}% are asked for."),
            Language.ZH: Words(reason="{path} 显示覆盖率为 {percent}%，要求 {needed}%。"),
        },
        NOT_COVERED: {
            Language.EN: Words(
                reason="{path} reports {percent}%; {needed}% are asked for.",
                next_step="Test the parts that {path} shows as not reached, and hand in the new report.",
            ),
            Language.ZH: Words(
                reason="{path} 显示覆盖率为 {percent}%，要求 {needed}%。",
                next_step="为 {path} 里没有覆盖到的部分补上测试，交上新的报告。",
            ),
        },
        NO_COVERAGE: {
            Language.EN: Words(
                reason="No coverage report was handed in, so it is open whether {needed}% are reached.",
                next_step="Make a Cobertura report (pytest --cov --cov-report=xml) and hand it in with the work.",
            ),
            Language.ZH: Words(
                reason="提交里没有覆盖率报告，还不知道是否达到 {needed}%。",
                next_step="生成 Cobertura 格式的报告（pytest --cov --cov-report=xml），和作品一起交上来。",
            ),
        },
        COVERAGE_UNREADABLE: {
            Language.EN: Words(
                reason="{path} could not be read as a Cobertura report with this figure.",
                next_step="Produce {path} again in Cobertura's XML and hand it in with the work.",
            ),
            Language.ZH: Words(
                reason="{path} 不能按 Cobertura 报告读出这个数字。",
                next_step="重新生成 Cobertura 格式的 {path}，和作品一起再交一次。",
            ),
        },
        COVERAGE_UNCLEAR: {
            Language.EN: Words(
                reason="Of {count} coverage reports {path} is the lowest with {percent}%; together they are not known.",
                next_step="Hand in one report for the whole project, or ask your teacher to look at them.",
            ),
            Language.ZH: Words(
                reason="交了 {count} 份覆盖率报告，最低的 {path} 是 {percent}%，合起来是多少还不清楚。",
                next_step="只交一份覆盖整个项目的报告，或请老师看一下。",
            ),
        },
    },
)
