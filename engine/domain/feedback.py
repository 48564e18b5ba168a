"""What the selector is given, what it answers, and the block that is sent."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from engine.domain.keys import FeedbackKey, Versions
from engine.domain.review import Attempt, Outcome
from engine.domain.states import CriterionKind, CriterionStatus, FeedbackState, Source
from engine.domain.work import Submission


@dataclass(frozen=True, slots=True, kw_only=True)
class RubricLine:
    """One criterion of the rubric in force, as far as a selection needs it."""

    rubric_id: str
    kind: CriterionKind
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackRecord:
    """Everything a selection looks at, read in one statement."""

    key: FeedbackKey
    versions: Versions
    """Those in force now."""
    submission: Submission | None = None
    """The newest of known order."""
    attempts: int = 0
    """How many attempts that submission has, of any version."""
    attempt: Attempt | None = None
    """Its newest attempt by the versions in force."""
    outcome: Outcome | None = None
    rubric: tuple[RubricLine, ...] = ()


class TraceCode(StrEnum):
    """The questions a selection asks, in order, and the answers that end it."""

    NO_SUBMISSION = "no_submission"
    NEWEST_SUBMISSION = "newest_submission"
    NO_ATTEMPT = "no_attempt"
    NO_COMPATIBLE_ATTEMPT = "no_compatible_attempt"
    NEWEST_ATTEMPT = "newest_attempt"
    NO_OUTCOME = "no_outcome"
    NO_JUDGEMENT = "no_judgement"
    BREAKS_CONTRACT = "breaks_contract"
    KEEPS_CONTRACT = "keeps_contract"
    ALL_MET = "all_met"
    OPEN_ITEMS = "open_items"


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceStep:
    """One thing that was looked at and what it showed."""

    code: TraceCode
    values: Mapping[str, str | int]


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackItem:
    """One unresolved acceptance criterion."""

    rubric_id: str
    status: CriterionStatus
    criterion: str
    reason: str
    evidence: str | None
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """What is true of the newest submission now: one of seven states, and its open items."""

    state: FeedbackState
    key: FeedbackKey
    versions: Versions
    submission: Submission | None = None
    attempt: Attempt | None = None
    verdict: CriterionStatus | None = None
    next_step: str | None = None
    items: tuple[FeedbackItem, ...] = ()
    """FAIL before NEED_REVIEW, then by rubric id; in `current` only."""
    learning_notes: tuple[str, ...] = ()
    """Reasons of learning criteria judged as not met; in `passed` and `current` only, never items."""
    trace: tuple[TraceStep, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """The feedback as it stands in a request."""

    text: str
    """Markers and JSON, at most `limit` code points."""
    limit: int
    state: FeedbackState
    total_items: int
    omitted_count: int
    truncated_fields: tuple[str, ...]
    """Short paths such as `0.reason`, in the order of the items."""
