"""One criterion: which rule decides it, and what becomes of its finding or its fault."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from engine.domain.course import Criterion
from engine.domain.review import CriterionResult
from engine.domain.states import CriterionStatus, Language, ReviewFault, Source
from engine.review.checks.finding import Finding, FindingCode
from engine.review.checks.registry import KNOWN_CHECKS, check_params
from engine.review.evidence import Evidence
from engine.review.wording import word_next_step, word_reason


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionFault:
    """A criterion that could not be judged. The attempt is without a judgement; the work is not to blame."""

    rubric_id: str
    fault: ReviewFault
    detail: str
    """For the operator; what the tool said."""


_OPEN = {Source.MODEL: FindingCode.NO_MODEL, Source.TEACHER: FindingCode.WAITS_FOR_TEACHER}
"""What nobody has judged yet. The rule that says so is a check's, hence the source `check`."""


def judge_criterion(criterion: Criterion, evidence: Evidence, language: Language) -> CriterionResult | CriterionFault:
    """The verdict on one criterion, in words. Equal evidence gives an equal verdict; nothing is ever raised."""
    if criterion.decided_by in _OPEN:
        code = _OPEN[criterion.decided_by]
        open_finding = Finding(status=CriterionStatus.NEED_REVIEW, code=code, values={})
        return _result(criterion, open_finding, Source.CHECK, language)
    try:
        finding = _finding(criterion, evidence)
        return _result(criterion, finding, criterion.decided_by, language)
    except Exception as error:
        # Whatever a check stumbles over, it is the tool that broke: no verdict may follow from it.
        detail = f"{type(error).__name__}: {error}"
        return CriterionFault(rubric_id=criterion.rubric_id, fault=ReviewFault.TOOL_BROKEN, detail=detail)


def judge_without_evidence(criterion: Criterion, language: Language) -> CriterionResult:
    """What becomes of a model's verdict whose quotes stand nowhere."""
    finding = Finding(status=CriterionStatus.NEED_REVIEW, code=FindingCode.EVIDENCE_NOT_FOUND, values={})
    return _result(criterion, finding, Source.MODEL, language)


def cover(results: Sequence[CriterionResult | CriterionFault], rubric: Sequence[Criterion]) -> tuple[str, ...]:
    """The rubric ids that keep `results` from naming each criterion exactly once: missing, repeated or unknown.

    Ordered as in the rubric, then unknown ones as they come; empty when all is well.
    """
    wanted = [criterion.rubric_id for criterion in rubric]
    counts = Counter(result.rubric_id for result in results)
    unknown = [rubric_id for rubric_id in counts if rubric_id not in set(wanted)]
    return tuple([rubric_id for rubric_id in wanted if counts[rubric_id] != 1] + unknown)


def _finding(criterion: Criterion, evidence: Evidence) -> Finding:
    spec = criterion.check
    if spec is None:
        raise ValueError("the criterion names no check")
    problems = check_params(spec.name, spec.params)
    if problems:
        raise ValueError("; ".join(f"{problem.field or spec.name} {problem.what}" for problem in problems))
    return KNOWN_CHECKS[spec.name].function(evidence, spec.params)


def _result(criterion: Criterion, finding: Finding, source: Source, language: Language) -> CriterionResult:
    next_step = word_next_step(finding, language)
    if next_step is not None and criterion.next_step.strip():
        next_step = criterion.next_step
    return CriterionResult(
        rubric_id=criterion.rubric_id,
        status=finding.status,
        reason=word_reason(finding, language),
        evidence=finding.evidence,
        source=source,
        next_step=next_step,
    )
