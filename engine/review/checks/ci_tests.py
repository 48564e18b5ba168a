"""`ci_tests`: the tests of the handed-in reports ran and passed."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

from engine.domain.states import CriterionStatus, TestState
from engine.review.checks.finding import Check, Finding, FindingCode, Label, Param, Params, ParamType, place, text_of
from engine.review.ci_report import CiReport, ReportProblem, TestCase, merge_cases
from engine.review.evidence import Evidence

NAMED_TESTS = 3
"""A sentence names so many; a finding has one more, so that the sentence can say that there are others."""
_PROBLEMS = {
    ReportProblem.BROKEN: FindingCode.REPORT_BROKEN,
    ReportProblem.REFUSED: FindingCode.REPORT_REFUSED,
    ReportProblem.UNREADABLE: FindingCode.REPORT_UNREADABLE,
}


def ci_tests(evidence: Evidence, params: Params) -> Finding:
    """FAIL if a matching test failed; NEED_REVIEW if a report is bad, or a test is missing or did not run; else PASS.

    The order matters: a failure that could be read stays one in a report that breaks off later.
    """
    glob = text_of(params, "tests", default="*")
    cases = [case for case in merge_cases(_all_cases(evidence)) if _fits(case, glob)]
    failed = [case for case in cases if case.state is TestState.FAILED]
    not_run = [case for case in cases if case.state is TestState.NOT_RUN]
    bad = next((report for report in evidence.reports if report.problem is not None), None)
    if failed:
        return _tests(CriterionStatus.FAIL, FindingCode.TESTS_FAILED, failed, len(cases))
    if bad is not None:
        return _bad_report(bad)
    if not evidence.reports:
        return Finding(status=CriterionStatus.NEED_REVIEW, code=FindingCode.NO_REPORT, values={})
    if not cases:
        return _no_match(evidence, glob)
    if not_run:
        return _tests(CriterionStatus.NEED_REVIEW, FindingCode.TESTS_NOT_RUN, not_run, len(cases))
    return Finding(
        status=CriterionStatus.PASS,
        code=FindingCode.TESTS_PASSED,
        values={"count": len(cases)},
        evidence=evidence.reports[0].path,
    )


def _all_cases(evidence: Evidence) -> list[TestCase]:
    return [case for report in evidence.reports for case in report.cases]


def _fits(case: TestCase, glob: str) -> bool:
    """By name or by class and name, literally or as a glob; a parametrised test also by what is before its `[`.

    The brackets of `test_add[1-2]` are a class of characters to a glob, hence the literal name.
    """
    names = {case.name, case.short_name, case.name.partition("[")[0], case.short_name.partition("[")[0]} - {""}
    if glob in names:
        return True
    globs = [part.strip() for part in glob.split("|")]
    return any(plain in names or any(fnmatchcase(name, plain) for name in names) for plain in globs)


def _tests(status: CriterionStatus, code: FindingCode, told: Sequence[TestCase], total: int) -> Finding:
    names = "\n".join(case.short_name or case.name for case in told[: NAMED_TESTS + 1])
    first = told[0]
    return Finding(
        status=status,
        code=code,
        values={"count": len(told), "total": total, "tests": names},
        evidence=place(first.where or first.name, None, first.message or ""),
    )


def _bad_report(report: CiReport) -> Finding:
    values: dict[str, str | int] = {"path": report.path, "count": len(report.cases)}
    code = FindingCode.REPORT_UNREADABLE
    if report.problem is not None:
        code = _PROBLEMS[report.problem]
    if report.line is not None:
        values["line"] = report.line
    return Finding(
        status=CriterionStatus.NEED_REVIEW, code=code, values=values, evidence=place(report.path, report.line)
    )


def _no_match(evidence: Evidence, glob: str) -> Finding:
    path = evidence.reports[0].path
    values: dict[str, str | int] = {"path": path, "glob": glob}
    return Finding(status=CriterionStatus.NEED_REVIEW, code=FindingCode.NO_MATCHING_TEST, values=values, evidence=path)


CHECK = Check(
    name="ci_tests",
    label=Label(en="Reported tests passed", zh="测试报告里的测试通过"),
    function=ci_tests,
    params=(
        Param(
            name="tests",
            type=ParamType.GLOB,
            label=Label(
                en="Tests that count, by name or by class.name; * stands for anything",
                zh="哪些测试算数，按名称或“类名.名称”；* 代表任意内容",
            ),
            default="*",
        ),
    ),
    codes=(
        FindingCode.TESTS_PASSED,
        FindingCode.TESTS_FAILED,
        FindingCode.TESTS_NOT_RUN,
        FindingCode.NO_MATCHING_TEST,
        FindingCode.NO_REPORT,
        FindingCode.REPORT_BROKEN,
        FindingCode.REPORT_REFUSED,
        FindingCode.REPORT_UNREADABLE,
    ),
)
