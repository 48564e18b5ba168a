"""Whether a stored review record keeps the contract.

A record was written by somebody else's code and read back from storage, so nothing about it is believed:
each rule looks at one thing, and copes with whatever the others would refuse.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from engine.domain.feedback import RubricLine
from engine.domain.review import CriterionResult, Decision, MachineVerdict, Outcome, aggregate_verdict
from engine.domain.states import CriterionStatus, Source
from engine.domain.text import is_blank
from engine.domain.work import Submission

RUBRIC_ID_LIMIT = 64
"""Code points of the longest rubric id."""
_STATUSES = frozenset(str(status) for status in CriterionStatus)
_SOURCES = frozenset(str(source) for source in Source)


class ProblemCode(StrEnum):
    """The ways in which a record can break the contract, one for each rule."""

    WRONG_TYPE = "wrong_type"
    UNKNOWN_STATUS = "unknown_status"
    RUBRIC_ID_EMPTY = "rubric_id_empty"
    RUBRIC_ID_TOO_LONG = "rubric_id_too_long"
    DUPLICATE = "duplicate"
    UNKNOWN_TO_RUBRIC = "unknown_to_rubric"
    MISSING_CRITERION = "missing_criterion"
    VERDICT_MISMATCH = "verdict_mismatch"
    SNAPSHOT_MISMATCH = "snapshot_mismatch"
    REASON_BLANK = "reason_blank"


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One breach of the contract."""

    code: ProblemCode
    where: str
    """Path inside the record, such as `criteria.0.reason`; holds field names and positions, no text of the record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewRecord:
    """A record that keeps the contract."""

    verdict: CriterionStatus
    next_step: str | None
    criteria: tuple[CriterionResult, ...]
    """Each criterion of the rubric exactly once, in the order of the record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A stored outcome beside everything that it must agree with."""

    outcome: Outcome
    rubric: tuple[RubricLine, ...]
    submission: Submission

    @property
    def review(self) -> Mapping[str, object]:
        """The record, or an empty one where it is no object."""
        return self.outcome.record if isinstance(self.outcome.record, dict) else {}

    @property
    def criteria(self) -> tuple[tuple[int, Mapping[str, object]], ...]:
        """Position and content of each entry that is an object."""
        listed = self.review.get("criteria")
        entries = listed if isinstance(listed, list) else []
        return tuple((index, entry) for index, entry in enumerate(entries) if isinstance(entry, dict))

    @property
    def rubric_ids(self) -> tuple[tuple[int, str], ...]:
        """Position and rubric id of each entry whose id is text."""
        named = ((index, entry.get("id")) for index, entry in self.criteria)
        return tuple((index, rubric_id) for index, rubric_id in named if isinstance(rubric_id, str))


Rule = Callable[[Judged], Iterator[Problem]]
"""Finds the breaches of one kind, in the order of the record."""


def read_record(
    outcome: Outcome, rubric: tuple[RubricLine, ...], submission: Submission
) -> ReviewRecord | tuple[Problem, ...]:
    """Read the record of a completed outcome, or say everything that is wrong with it, in the order of the rules."""
    judged = Judged(outcome=outcome, rubric=rubric, submission=submission)
    return find_problems(judged, RULES) or _believed(judged)


def find_problems(judged: Judged, rules: tuple[Rule, ...]) -> tuple[Problem, ...]:
    """What `rules` find, in their order; empty when they find nothing."""
    return tuple(problem for rule in rules for problem in rule(judged))


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_text_or_missing(value: object) -> bool:
    return value is None or isinstance(value, str)


def _is_list(value: object) -> bool:
    return isinstance(value, list)


def _is_source(value: object) -> bool:
    return isinstance(value, str) and value in _SOURCES


def _is_decision_or_missing(value: object) -> bool:
    return value is None or (isinstance(value, Mapping) and read_decision(value) is not None)


_Shape = Mapping[str, Callable[[object], bool]]
_RECORD_SHAPE: _Shape = {"verdict": _is_text, "next_step": _is_text_or_missing, "criteria": _is_list}
_CRITERION_SHAPE: _Shape = {
    "id": _is_text,
    "status": _is_text,
    "reason": _is_text_or_missing,  # a missing one is for the rule about reasons
    "evidence": _is_text_or_missing,
    "source": _is_source,
    "next_step": _is_text_or_missing,
    "decision": _is_decision_or_missing,
    "kept_from": _is_text_or_missing,
}


def wrong_type(judged: Judged) -> Iterator[Problem]:
    """Something is not of the type, or not one of the sources, that it must be."""
    yield from _misfits(judged.outcome.record, "", _RECORD_SHAPE)
    listed = judged.review.get("criteria")
    for index, entry in enumerate(listed if isinstance(listed, list) else []):
        yield from _misfits(entry, f"criteria.{index}", _CRITERION_SHAPE)


def _misfits(value: object, where: str, shape: _Shape) -> Iterator[Problem]:
    if not isinstance(value, dict):
        yield Problem(code=ProblemCode.WRONG_TYPE, where=where or "record")
        return
    for name, fits in shape.items():
        if not fits(value.get(name)):
            yield Problem(code=ProblemCode.WRONG_TYPE, where=f"{where}.{name}".lstrip("."))


def unknown_status(judged: Judged) -> Iterator[Problem]:
    """A verdict, of the review or of a criterion, is none of the three words."""
    words = [("verdict", judged.review.get("verdict"))]
    words += [(f"criteria.{index}.status", entry.get("status")) for index, entry in judged.criteria]
    for where, word in words:
        if isinstance(word, str) and word not in _STATUSES:
            yield Problem(code=ProblemCode.UNKNOWN_STATUS, where=where)


def rubric_id_empty(judged: Judged) -> Iterator[Problem]:
    """A rubric id has nothing that can be seen, even where the rubric has one like it."""
    for index, rubric_id in judged.rubric_ids:
        if is_blank(rubric_id):
            yield Problem(code=ProblemCode.RUBRIC_ID_EMPTY, where=f"criteria.{index}.id")


def rubric_id_too_long(judged: Judged) -> Iterator[Problem]:
    """A rubric id is over the limit, even where the rubric knows it; it would have to be cut."""
    for index, rubric_id in judged.rubric_ids:
        if len(rubric_id) > RUBRIC_ID_LIMIT:
            yield Problem(code=ProblemCode.RUBRIC_ID_TOO_LONG, where=f"criteria.{index}.id")


def duplicate(judged: Judged) -> Iterator[Problem]:
    """A rubric id stands a second time."""
    seen: set[str] = set()
    for index, rubric_id in judged.rubric_ids:
        if rubric_id in seen:
            yield Problem(code=ProblemCode.DUPLICATE, where=f"criteria.{index}.id")
        seen.add(rubric_id)


def unknown_to_rubric(judged: Judged) -> Iterator[Problem]:
    """A rubric id is none of the rubric's."""
    known = {line.rubric_id for line in judged.rubric}
    for index, rubric_id in judged.rubric_ids:
        if rubric_id not in known:
            yield Problem(code=ProblemCode.UNKNOWN_TO_RUBRIC, where=f"criteria.{index}.id")


def missing_criterion(judged: Judged) -> Iterator[Problem]:
    """A criterion of the rubric, acceptance or learning, is not judged; of an empty rubric none is."""
    named = {rubric_id for _, rubric_id in judged.rubric_ids}
    if not judged.rubric or any(line.rubric_id not in named for line in judged.rubric):
        yield Problem(code=ProblemCode.MISSING_CRITERION, where="criteria")


def verdict_mismatch(judged: Judged) -> Iterator[Problem]:
    """The verdict of the review is not the aggregate of its criteria.

    Says nothing while a word is unknown or of a wrong type, since there is no aggregate then.
    """
    verdict = judged.review.get("verdict")
    words = [entry.get("status") for _, entry in judged.criteria]
    if not all(isinstance(word, str) and word in _STATUSES for word in (verdict, *words)):
        return
    statuses = {str(entry.get("id")): CriterionStatus(str(entry.get("status"))) for _, entry in judged.criteria}
    kinds = {line.rubric_id: line.kind for line in judged.rubric}
    if verdict != aggregate_verdict(statuses, kinds):
        yield Problem(code=ProblemCode.VERDICT_MISMATCH, where="verdict")


def snapshot_mismatch(judged: Judged) -> Iterator[Problem]:
    """What was judged is not what was handed in."""
    if judged.outcome.snapshot_hash != judged.submission.snapshot_hash:
        yield Problem(code=ProblemCode.SNAPSHOT_MISMATCH, where="snapshot")


def reason_blank(judged: Judged) -> Iterator[Problem]:
    """A criterion, passed ones too, has no reason, or one in which nothing can be seen."""
    for index, entry in judged.criteria:
        reason = entry.get("reason")
        if reason is None or (isinstance(reason, str) and is_blank(reason)):
            yield Problem(code=ProblemCode.REASON_BLANK, where=f"criteria.{index}.reason")


RULES: tuple[Rule, ...] = (
    wrong_type,
    unknown_status,
    rubric_id_empty,
    rubric_id_too_long,
    duplicate,
    unknown_to_rubric,
    missing_criterion,
    verdict_mismatch,
    snapshot_mismatch,
    reason_blank,
)
"""All of them; each refuses some record that no other one does."""


def _believed(judged: Judged) -> ReviewRecord:
    return ReviewRecord(
        verdict=CriterionStatus(str(judged.review["verdict"])),
        next_step=_text(judged.review.get("next_step")),
        criteria=tuple(read_result(entry) for _, entry in judged.criteria),
    )


def read_result(entry: Mapping[str, object]) -> CriterionResult:
    """One criterion of a record.

    Raises:
        KeyError: a field that must be there is missing.
        ValueError: a word is none of its set.
    """
    decision = entry.get("decision")
    return CriterionResult(
        rubric_id=str(entry["id"]),
        status=CriterionStatus(str(entry["status"])),
        reason=str(entry["reason"]),
        evidence=_text(entry.get("evidence")),
        source=Source(str(entry["source"])),
        next_step=_text(entry.get("next_step")),
        decision=read_decision(decision) if isinstance(decision, Mapping) else None,
        kept_from=_text(entry.get("kept_from")),
    )


def read_decision(written: Mapping[str, object]) -> Decision | None:
    """That a person decided; None where it cannot be read."""
    machine = written.get("machine")
    try:
        return Decision(
            by=str(written["by"]),
            at=datetime.fromisoformat(str(written["at"])),
            machine=_machine(machine) if isinstance(machine, Mapping) else None,
        )
    except (KeyError, ValueError):
        return None


def _machine(written: Mapping[str, object]) -> MachineVerdict:
    return MachineVerdict(
        status=CriterionStatus(str(written["status"])),
        reason=str(written["reason"]),
        evidence=_text(written.get("evidence")),
        source=Source(str(written["source"])),
    )


def _text(value: object) -> str | None:
    """Text as it stands; None where nothing can be seen."""
    return value if isinstance(value, str) and not is_blank(value) else None
