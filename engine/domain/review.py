"""Review attempts, how they ended, and how single verdicts become one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from engine.domain.keys import Versions
from engine.domain.states import AttemptOrigin, CriterionKind, CriterionStatus, OutcomeKind, Source


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineVerdict:
    """What stood before a person decided. It is never dropped."""

    status: CriterionStatus
    reason: str
    evidence: str | None
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """That a person decided a criterion, over whatever a machine had said."""

    by: str
    """The person's name, as it is shown."""
    at: datetime
    machine: MachineVerdict | None
    """None where nothing had been judged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionResult:
    """The verdict on one criterion."""

    rubric_id: str
    status: CriterionStatus
    reason: str
    """Why, in one or two sentences; never blank, for a pass either."""
    evidence: str | None
    """Where it can be seen, `path:line` first where there is one; None where there is nothing to point at."""
    source: Source
    next_step: str | None = None
    """What to do about it; None for a pass."""
    decision: Decision | None = None
    """Set where a person decided; the source is `teacher` then."""
    kept_from: str | None = None
    """Attempt that judged this, where an unfinished review left it to the next one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One review try of a submission. Immutable; its end is an outcome of its own."""

    attempt_id: str
    submission_id: str
    attempt_seq: int
    """Order of starting, inside the submission."""
    versions: Versions
    model: str | None
    """Provenance only: another model name does not make a review stale."""
    started_at: datetime
    origin: AttemptOrigin = AttemptOrigin.JUDGED
    from_attempt_id: str | None = None
    """The attempt whose judgement was taken over, or on which a decision was built."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How an attempt ended, as stored; `record` is unproved until the selector has looked at it."""

    kind: OutcomeKind
    finished_at: datetime
    snapshot_hash: str | None = None
    record: object = None
    """The decoded review record: an object with verdict, next_step and criteria, or anything else if it is broken."""
    fault: str | None = None
    """Why there is no judgement, for an unavailable one."""


def aggregate_verdict(statuses: Mapping[str, CriterionStatus], kinds: Mapping[str, CriterionKind]) -> CriterionStatus:
    """The verdict of a whole review: FAIL if any acceptance criterion is FAIL, else NEED_REVIEW if any is, else PASS.

    Args:
        statuses: verdict by rubric id.
        kinds: kind by rubric id; learning criteria and ids that are not named never count.
    """
    counted = [status for rubric_id, status in statuses.items() if kinds.get(rubric_id) is CriterionKind.ACCEPTANCE]
    return most_urgent(counted)


def most_urgent(statuses: Iterable[CriterionStatus]) -> CriterionStatus:
    """The first of FAIL, NEED_REVIEW, PASS that occurs; PASS when there is nothing."""
    seen = set(statuses)
    return next((status for status in CriterionStatus if status in seen), CriterionStatus.PASS)
