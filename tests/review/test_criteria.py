import pytest

from engine.domain.course import Criterion
from engine.domain.review import CriterionResult
from engine.domain.states import CriterionStatus, Language, ReviewFault, Source
from engine.review.criteria import CriterionFault, cover, judge_criterion
from tests.review.builders import a_criterion, case, evidence_of, suite

WORK = evidence_of({"README.md": "hello"}, reports={"r.xml": suite(case("t"))})


def judged(criterion: Criterion, language: Language = Language.EN) -> CriterionResult:
    result = judge_criterion(criterion, WORK, language)
    assert isinstance(result, CriterionResult)
    return result


def test_a_check_decides_with_reason_and_evidence() -> None:
    result = judged(a_criterion(check="file_exists", path="README*"))
    assert result == CriterionResult(
        rubric_id="c1",
        status=CriterionStatus.PASS,
        reason="README.md is there.",
        evidence="README.md",
        source=Source.CHECK,
        next_step=None,
    )


def test_a_report_decides_as_ci() -> None:
    result = judged(a_criterion(Source.CI, check="ci_tests"))
    assert (result.status, result.source) == (CriterionStatus.PASS, Source.CI)


def test_the_reason_is_in_the_language_of_the_course() -> None:
    assert judged(a_criterion(check="file_exists", path="README*"), Language.ZH).reason == "有 README.md。"


@pytest.mark.parametrize(
    ("decided_by", "words"),
    [(Source.MODEL, "No model is configured"), (Source.TEACHER, "A teacher decides this")],
)
def test_what_no_rule_decides_waits_and_is_never_a_failure(decided_by: Source, words: str) -> None:
    result = judged(a_criterion(decided_by))
    assert (result.status, result.source) == (CriterionStatus.NEED_REVIEW, Source.CHECK)
    assert result.reason.startswith(words) and result.next_step and result.evidence is None


def test_the_next_step_of_the_course_goes_before_the_worded_one() -> None:
    assert judged(a_criterion(check="file_exists", path="x", next_step="Write x.")).next_step == "Write x."
    assert judged(a_criterion(check="file_exists", path="x")).next_step == "Add a file named x and hand in again."
    assert judged(a_criterion(Source.MODEL, next_step="Ask.")).next_step == "Ask."


def test_a_pass_has_no_next_step_even_if_the_course_has_one() -> None:
    assert judged(a_criterion(check="file_exists", path="README*", next_step="Write x.")).next_step is None


@pytest.mark.parametrize(
    ("criterion", "words"),
    [
        pytest.param(a_criterion(), "names no check", id="no check"),
        pytest.param(a_criterion(check="magic"), "'magic', and there is no such check", id="unknown check"),
        pytest.param(a_criterion(check="file_exists"), "path is missing; file_exists needs it", id="missing parameter"),
        pytest.param(
            a_criterion(check="pattern_present", pattern="(", files="*"), "regular expression", id="bad pattern"
        ),
        pytest.param(a_criterion(check="ci_tests", tests=3), "tests must be", id="wrong type"),
    ],
)
def test_a_broken_rule_is_a_fault_and_never_a_verdict(criterion: Criterion, words: str) -> None:
    fault = judge_criterion(criterion, WORK, Language.EN)
    assert isinstance(fault, CriterionFault)
    assert (fault.rubric_id, fault.fault) == ("c1", ReviewFault.TOOL_BROKEN)
    assert words in fault.detail


def test_a_catastrophic_pattern_is_a_fault_and_never_a_verdict() -> None:
    criterion = a_criterion(check="pattern_present", pattern="(?:a|a)+[bd]", files="*")
    fault = judge_criterion(criterion, evidence_of({"a.txt": "a" * 200 + "c"}), Language.EN)
    assert isinstance(fault, CriterionFault)
    assert fault.fault is ReviewFault.TOOL_BROKEN and "a.txt" in fault.detail


def named(rubric_id: str) -> Criterion:
    base = a_criterion()
    return Criterion(rubric_id=rubric_id, kind=base.kind, text=base.text, decided_by=base.decided_by)


def fault_of(rubric_id: str) -> CriterionFault:
    return CriterionFault(rubric_id=rubric_id, fault=ReviewFault.TOOL_BROKEN, detail="")


@pytest.mark.parametrize(
    ("results", "broken"),
    [
        pytest.param(["a", "b"], (), id="each once"),
        pytest.param(["b", "a"], (), id="in another order"),
        pytest.param(["a"], ("b",), id="missing"),
        pytest.param(["a", "b", "b"], ("b",), id="repeated"),
        pytest.param(["a", "x", "b"], ("x",), id="unknown"),
        pytest.param([], ("a", "b"), id="nothing"),
    ],
)
def test_coverage_names_what_is_not_there_exactly_once(results: list[str], broken: tuple[str, ...]) -> None:
    assert cover([fault_of(rubric_id) for rubric_id in results], [named("a"), named("b")]) == broken
