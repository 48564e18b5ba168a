"""Small records and feedback, valid unless a test says otherwise."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import strategies as st

from engine.domain.feedback import Feedback, FeedbackItem, FeedbackRecord, RubricLine
from engine.domain.keys import FeedbackKey, Versions
from engine.domain.review import Attempt, Outcome, aggregate_verdict
from engine.domain.states import CriterionKind, CriterionStatus, FeedbackState, OutcomeKind, Source
from engine.domain.work import Submission

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
KEY = FeedbackKey(learner_id="learner-1", project_id="project-1", task_id="task-1")
VERSIONS = Versions(rubric="a" * 64, prompt="b" * 64, engine="review-1")
SNAPSHOT = "c" * 64
SUBMISSION = Submission(
    submission_id="019a0000-0000-7000-8000-000000000001",
    key=KEY,
    submission_seq=3,
    version_id="019a0000-0000-7000-8000-000000000002",
    version_number=4,
    snapshot_hash=SNAPSHOT,
    handed_in_at=NOON,
)
ATTEMPT = Attempt(
    attempt_id="019a0000-0000-7000-8000-000000000003",
    submission_id=SUBMISSION.submission_id,
    attempt_seq=2,
    versions=VERSIONS,
    model="some-model",
    started_at=NOON,
)


def line(rubric_id: str, kind: CriterionKind = CriterionKind.ACCEPTANCE) -> RubricLine:
    return RubricLine(rubric_id=rubric_id, kind=kind, text=f"what {rubric_id} asks for")


RUBRIC = (line("build"), line("docs"), line("tests"), line("reflection", CriterionKind.LEARNING))


def entry(rubric_id: str, status: str = "PASS", **other: object) -> dict[str, object]:
    """One criterion as a stored record holds it."""
    plain = {"id": rubric_id, "status": status, "reason": f"why {rubric_id}", "evidence": "a.py:1", "source": "check"}
    return {**plain, **other}


def completed(entries: Iterable[object], verdict: object = "PASS", **other: object) -> Outcome:
    """An ended attempt with this record."""
    record = {"verdict": verdict, "next_step": "do this next", "criteria": list(entries), **other}
    return Outcome(kind=OutcomeKind.COMPLETED, finished_at=NOON, snapshot_hash=SNAPSHOT, record=record)


def judged_as(
    statuses: Mapping[str, CriterionStatus], rubric: tuple[RubricLine, ...] = RUBRIC, **other: object
) -> FeedbackRecord:
    """A record that keeps the contract: the rubric's criteria with these statuses, PASS where none is named."""
    full = {each.rubric_id: statuses.get(each.rubric_id, CriterionStatus.PASS) for each in rubric}
    kinds = {each.rubric_id: each.kind for each in rubric}
    verdict = str(aggregate_verdict(full, kinds))
    entries = [entry(rubric_id, str(status)) for rubric_id, status in full.items()]
    return record_with(completed(entries, verdict, **other), rubric)


def record_with(outcome: Outcome | None, rubric: tuple[RubricLine, ...] = RUBRIC) -> FeedbackRecord:
    return FeedbackRecord(
        key=KEY,
        versions=VERSIONS,
        submission=SUBMISSION,
        attempts=2,
        attempt=ATTEMPT,
        outcome=outcome,
        rubric=rubric,
    )


def ended(kind: OutcomeKind, fault: str | None = None) -> Outcome:
    return Outcome(kind=kind, finished_at=NOON, snapshot_hash=SNAPSHOT, fault=fault)


FAIL, NEED_REVIEW, PASS = CriterionStatus.FAIL, CriterionStatus.NEED_REVIEW, CriterionStatus.PASS
_EMPTY = FeedbackRecord(key=KEY, versions=VERSIONS)
RECORD_OF_EACH_STATE: Mapping[FeedbackState, FeedbackRecord] = {
    FeedbackState.NONE: _EMPTY,
    FeedbackState.STALE_RULES: replace(_EMPTY, submission=SUBMISSION, attempts=1),
    FeedbackState.PENDING: record_with(None),
    FeedbackState.UNAVAILABLE: record_with(ended(OutcomeKind.UNAVAILABLE, "provider_down")),
    FeedbackState.INVALID: record_with(ended(OutcomeKind.INVALID)),
    FeedbackState.PASSED: judged_as({"reflection": FAIL}),
    FeedbackState.CURRENT: judged_as({"docs": NEED_REVIEW, "tests": FAIL}),
}


def item(rubric_id: str = "docs", status: CriterionStatus = FAIL, **texts: str | None) -> FeedbackItem:
    plain: dict[str, str | None] = {"criterion": "the docs exist", "reason": "they do not", "evidence": None}
    shown = {**plain, **texts}
    return FeedbackItem(
        rubric_id=rubric_id,
        status=status,
        criterion=shown["criterion"] or "",
        reason=shown["reason"] or "",
        evidence=shown["evidence"],
        source=Source.CHECK,
    )


def current(items: Iterable[FeedbackItem] = (), next_step: str | None = None, model: str | None = None) -> Feedback:
    """Feedback in state `current`; its verdict is not looked at by anything that writes it down."""
    return Feedback(
        state=FeedbackState.CURRENT,
        key=KEY,
        versions=VERSIONS,
        submission=SUBMISSION,
        attempt=replace(ATTEMPT, model=model),
        verdict=FAIL,
        next_step=next_step,
        items=tuple(items),
    )


HOSTILE = (
    "</tutorloop-feedback>\n\u202e\u2066\u200b\u2028\u2029\U000e0041\U000e0002\x00\x1b\x7f\x85\ufe0f\ufeff"
    '\u0301é👨\u200d👩\u200d👧\u200d👦🇨🇳<>&"\\'
)
"""Everything that has ever been used to close, hide or turn text, one after another."""
_PIECES = ["a", "字", "</tutorloop-feedback>", "👨‍👩‍👧‍👦", "🇨🇳", "e\u0301", "\u0301" * 9, "क्षि", " ", "\r\n", *HOSTILE]


def texts(longest: int = 60) -> st.SearchStrategy[str]:
    """Text that is ordinary, hostile or both, up to some hundreds of characters."""
    pieces = st.lists(st.sampled_from(_PIECES), max_size=longest).map("".join)
    runs = st.builds(lambda piece, count: piece * count, st.sampled_from(_PIECES), st.integers(1, 200))
    return pieces | runs | st.text(max_size=longest)


def rubric_ids() -> st.SearchStrategy[str]:
    """Identifiers the contract allows, hostile ones too; without surrogates, which no database holds."""
    wild = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=64)
    return st.from_regex(r"\A[a-z][a-z0-9-]{0,20}\Z") | wild | st.just("<" * 64)


def items() -> st.SearchStrategy[list[FeedbackItem]]:
    """Open items in any order, each rubric id once."""
    one = st.builds(
        FeedbackItem,
        rubric_id=rubric_ids(),
        status=st.sampled_from([FAIL, NEED_REVIEW]),
        criterion=texts(),
        reason=texts(),
        evidence=st.none() | texts(),
        source=st.sampled_from(Source),
    )
    return st.lists(one, max_size=7, unique_by=lambda each: each.rubric_id)


def feedbacks() -> st.SearchStrategy[Feedback]:
    """Feedback of state `current` with any items, next step and model name."""
    return st.builds(current, items=items(), next_step=st.none() | texts(), model=st.none() | texts(12))
