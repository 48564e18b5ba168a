"""Review records as they are stored."""

from collections.abc import Sequence

from engine.domain.course import TaskInForce
from engine.domain.review import CriterionResult, Decision, aggregate_verdict
from engine.domain.states import CriterionKind, CriterionStatus


def write_record(results: Sequence[CriterionResult], given: TaskInForce) -> dict[str, object]:
    """The record of a completed review: verdict by the aggregate, next step of the first open criterion."""
    kinds = {line.rubric_id: line.kind for line in given.task.criteria}
    verdict = aggregate_verdict({result.rubric_id: result.status for result in results}, kinds)
    return {
        "verdict": verdict,
        "next_step": _first_next_step(results, given),
        "criteria": [write_result(result) for result in results],
    }


def write_result(result: CriterionResult) -> dict[str, object]:
    """One criterion of a record; what was not decided or kept says nothing of it."""
    written: dict[str, object] = {
        "id": result.rubric_id,
        "status": result.status,
        "reason": result.reason,
        "evidence": result.evidence,
        "source": result.source,
        "next_step": result.next_step,
    }
    if result.decision is not None:
        written["decision"] = _write_decision(result.decision)
    if result.kept_from is not None:
        written["kept_from"] = result.kept_from
    return written


def _write_decision(decision: Decision) -> dict[str, object]:
    machine = decision.machine
    return {
        "by": decision.by,
        "at": decision.at.isoformat(),
        "machine": None
        if machine is None
        else {
            "status": machine.status,
            "reason": machine.reason,
            "evidence": machine.evidence,
            "source": machine.source,
        },
    }


def _first_next_step(results: Sequence[CriterionResult], given: TaskInForce) -> str | None:
    acceptance = {line.rubric_id for line in given.task.criteria if line.kind is CriterionKind.ACCEPTANCE}
    open_results = [r for r in results if r.rubric_id in acceptance and r.status is not CriterionStatus.PASS]
    urgency = list(CriterionStatus)
    ordered = sorted(open_results, key=lambda result: (urgency.index(result.status), result.rubric_id))
    return ordered[0].next_step if ordered else None
