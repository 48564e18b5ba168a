"""Evidence in one line, for the tests of the review."""

from collections.abc import Mapping

from engine.domain.course import CheckSpec, Criterion, Scalar
from engine.domain.states import CriterionKind, CriterionStatus, FileKind, FileState, Language, Source
from engine.domain.work import WorkFile, take_snapshot
from engine.review.checks.finding import Finding
from engine.review.checks.registry import KNOWN_CHECKS, check_params
from engine.review.evidence import Evidence, gather_evidence
from engine.review.wording import word_reason

PASS, FAIL, OPEN = CriterionStatus.PASS, CriterionStatus.FAIL, CriterionStatus.NEED_REVIEW


def a_file(path: str, body: str | None, kind: FileKind = FileKind.WORK) -> WorkFile:
    state = FileState.UNDECODABLE if body is None else FileState.TEXT
    return WorkFile(path=path, sha256=path, size_bytes=len(body or ""), kind=kind, state=state, body=body)


def evidence_of(files: Mapping[str, str | None], reports: Mapping[str, str | None] | None = None) -> Evidence:
    """A body of None is a file that cannot be read."""
    work = [a_file(path, body) for path, body in files.items()]
    read = [a_file(path, body, FileKind.REPORT) for path, body in (reports or {}).items()]
    return gather_evidence(take_snapshot((*work, *read)))


def find(name: str, evidence: Evidence, **params: Scalar) -> Finding:
    """The answer of a check, called as a course may call it."""
    check = KNOWN_CHECKS[name]
    assert check_params(name, params) == []
    finding = check.function(evidence, params)
    assert finding.code in check.codes
    assert all(word_reason(finding, language) for language in Language)
    return finding


def a_criterion(
    decided_by: Source = Source.CHECK, check: str | None = None, next_step: str = "", **params: Scalar
) -> Criterion:
    return Criterion(
        rubric_id="c1",
        kind=CriterionKind.ACCEPTANCE,
        text="It works",
        decided_by=decided_by,
        check=None if check is None else CheckSpec(name=check, params=params),
        next_step=next_step,
    )


def suite(*cases: str) -> str:
    return f'<testsuites><testsuite name="s">{"".join(cases)}</testsuite></testsuites>'


def case(name: str, inside: str = "", class_name: str = "tests.test_a") -> str:
    return f'<testcase classname="{class_name}" name="{name}">{inside}</testcase>'
