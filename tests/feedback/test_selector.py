import itertools
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.domain.feedback import FeedbackItem, FeedbackRecord, TraceCode
from engine.domain.review import Attempt
from engine.domain.states import CriterionKind, CriterionStatus, FeedbackState, OutcomeKind, Source
from engine.domain.work import Submission
from engine.feedback.selector import select_feedback
from tests.feedback.builders import (
    ATTEMPT,
    FAIL,
    KEY,
    NEED_REVIEW,
    NOON,
    PASS,
    RECORD_OF_EACH_STATE,
    RUBRIC,
    SUBMISSION,
    VERSIONS,
    completed,
    ended,
    entry,
    judged_as,
    line,
    record_with,
)

untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""A busy machine is no failure."""
BROKEN = completed([entry("docs")])
SOUND = completed([entry(each.rubric_id) for each in RUBRIC])
SEEN = [TraceCode.NEWEST_SUBMISSION, TraceCode.NEWEST_ATTEMPT]


@pytest.mark.parametrize("state", list(FeedbackState))
def test_every_state_is_reached_and_keeps_the_keys_it_was_asked_for(state: FeedbackState) -> None:
    feedback = select_feedback(RECORD_OF_EACH_STATE[state])
    assert feedback.state is state
    assert (feedback.key, feedback.versions) == (KEY, VERSIONS)


def unjudged(**changed: Any) -> FeedbackRecord:
    plain = FeedbackRecord(key=KEY, versions=VERSIONS, submission=SUBMISSION, rubric=RUBRIC)
    return replace(plain, **changed)


@pytest.mark.parametrize(
    ("record", "state"),
    [
        pytest.param(unjudged(submission=None), "none", id="nothing was handed in"),
        pytest.param(
            replace(judged_as({"docs": FAIL}), submission=replace(SUBMISSION, submission_seq=None)),
            "none",
            id="imported history of unknown order never becomes current",
        ),
        pytest.param(unjudged(attempts=2), "stale_rules", id="attempts, none of them by the rules in force"),
        pytest.param(unjudged(attempts=0), "pending", id="no attempt yet"),
        pytest.param(record_with(None), "pending", id="the newest compatible attempt is still open"),
        pytest.param(record_with(ended(OutcomeKind.UNAVAILABLE)), "unavailable", id="no judgement"),
        pytest.param(
            record_with(replace(BROKEN, kind=OutcomeKind.UNAVAILABLE)), "unavailable", id="no judgement, broken record"
        ),
        pytest.param(record_with(ended(OutcomeKind.INVALID)), "invalid", id="refused when it was written"),
        pytest.param(
            record_with(replace(SOUND, kind=OutcomeKind.INVALID)),
            "invalid",
            id="ended as invalid, whatever its record looks like now",
        ),
        pytest.param(record_with(BROKEN), "invalid", id="breaks the contract"),
        pytest.param(judged_as({}), "passed", id="all met"),
        pytest.param(judged_as({"reflection": FAIL}), "passed", id="a learning gap does not block"),
        pytest.param(judged_as({"docs": NEED_REVIEW}), "current", id="needs review"),
        pytest.param(judged_as({"docs": FAIL}), "current", id="fails"),
        pytest.param(
            replace(judged_as({"docs": FAIL}), attempt=replace(ATTEMPT, model="another")),
            "current",
            id="another model is not stale",
        ),
    ],
)
def test_the_first_state_that_fits_is_the_answer(record: FeedbackRecord, state: FeedbackState) -> None:
    assert select_feedback(record).state == state


@pytest.mark.parametrize(
    ("state", "submission", "attempt"),
    [
        (FeedbackState.NONE, None, None),
        (FeedbackState.STALE_RULES, SUBMISSION, None),
        (FeedbackState.PENDING, SUBMISSION, ATTEMPT),
        (FeedbackState.UNAVAILABLE, SUBMISSION, ATTEMPT),
        (FeedbackState.INVALID, SUBMISSION, ATTEMPT),
        (FeedbackState.PASSED, SUBMISSION, ATTEMPT),
        (FeedbackState.CURRENT, SUBMISSION, ATTEMPT),
    ],
)
def test_the_answer_names_the_submission_and_attempt_it_speaks_of(
    state: FeedbackState, submission: Submission | None, attempt: Attempt | None
) -> None:
    feedback = select_feedback(RECORD_OF_EACH_STATE[state])
    assert (feedback.submission, feedback.attempt) == (submission, attempt)


def test_a_hand_in_without_a_review_names_no_attempt() -> None:
    assert select_feedback(unjudged()).attempt is None


@pytest.mark.parametrize("state", list(FeedbackState))
def test_only_current_has_items_and_a_next_step(state: FeedbackState) -> None:
    feedback = select_feedback(RECORD_OF_EACH_STATE[state])
    assert bool(feedback.items) == (state is FeedbackState.CURRENT)
    assert (feedback.next_step is not None) == (state is FeedbackState.CURRENT)


@pytest.mark.parametrize("state", list(FeedbackState))
def test_only_a_judgement_has_a_verdict(state: FeedbackState) -> None:
    verdicts = {FeedbackState.PASSED: PASS, FeedbackState.CURRENT: FAIL}
    assert select_feedback(RECORD_OF_EACH_STATE[state]).verdict == verdicts.get(state)


def test_an_item_has_the_rubrics_words_and_the_records_reasons() -> None:
    assert select_feedback(judged_as({"docs": FAIL})).items == (
        FeedbackItem(
            rubric_id="docs",
            status=FAIL,
            criterion="what docs asks for",
            reason="why docs",
            evidence="a.py:1",
            source=Source.CHECK,
        ),
    )


def test_a_failed_item_stands_before_one_that_needs_review_then_the_rubric_id_decides() -> None:
    rubric = tuple(line(name) for name in ["d", "B", "a", "c", "e"])
    statuses = {"d": FAIL, "B": NEED_REVIEW, "a": NEED_REVIEW, "c": FAIL}
    items = select_feedback(judged_as(statuses, rubric)).items
    assert [(item.rubric_id, item.status) for item in items] == [
        ("c", FAIL),
        ("d", FAIL),
        ("B", NEED_REVIEW),
        ("a", NEED_REVIEW),
    ]


def test_no_open_item_is_left_out_before_the_budget() -> None:
    rubric = tuple(line(f"c{number}") for number in range(9))
    assert len(select_feedback(judged_as({each.rubric_id: FAIL for each in rubric}, rubric)).items) == 9


@pytest.mark.parametrize(("docs", "state"), [(PASS, "passed"), (FAIL, "current")])
def test_learning_gaps_travel_as_notes_and_never_as_items(docs: CriterionStatus, state: FeedbackState) -> None:
    rubric = (*RUBRIC, line("habit", CriterionKind.LEARNING), line("style", CriterionKind.LEARNING))
    gaps = {"docs": docs, "reflection": NEED_REVIEW, "style": FAIL}
    feedback = select_feedback(judged_as(gaps, rubric))
    assert feedback.state == state
    assert feedback.learning_notes == ("why style",)
    assert {item.rubric_id for item in feedback.items} <= {"docs"}


@pytest.mark.parametrize("state", [state for state in FeedbackState if state not in ("passed", "current")])
def test_other_states_teach_nothing_from_a_review(state: FeedbackState) -> None:
    record = RECORD_OF_EACH_STATE[state]
    assert select_feedback(record).learning_notes == ()


def test_a_next_step_in_which_nothing_can_be_seen_is_none() -> None:
    assert select_feedback(judged_as({"docs": FAIL}, next_step=" \u200b")).next_step is None
    assert select_feedback(judged_as({"docs": FAIL}, next_step=None)).next_step is None


@pytest.mark.parametrize(
    ("record", "codes", "last"),
    [
        (unjudged(submission=None), [TraceCode.NO_SUBMISSION], {}),
        (unjudged(), [TraceCode.NEWEST_SUBMISSION, TraceCode.NO_ATTEMPT], {}),
        (unjudged(attempts=2), [TraceCode.NEWEST_SUBMISSION, TraceCode.NO_COMPATIBLE_ATTEMPT], {"attempts": 2}),
        (record_with(None), [*SEEN, TraceCode.NO_OUTCOME], {"attempt_seq": 2}),
        (
            record_with(ended(OutcomeKind.UNAVAILABLE, "timed_out")),
            [*SEEN, TraceCode.NO_JUDGEMENT],
            {"fault": "timed_out"},
        ),
        (record_with(ended(OutcomeKind.UNAVAILABLE)), [*SEEN, TraceCode.NO_JUDGEMENT], {"fault": "unknown"}),
        (
            record_with(ended(OutcomeKind.INVALID)),
            [*SEEN, TraceCode.BREAKS_CONTRACT],
            {"problems": "ended_invalid"},
        ),
        (
            record_with(completed([entry("docs", reason=""), entry("tests", reason="")])),
            [*SEEN, TraceCode.BREAKS_CONTRACT],
            {"problems": "missing_criterion, reason_blank", "where": "criteria"},
        ),
        (judged_as({}), [*SEEN, TraceCode.KEEPS_CONTRACT, TraceCode.ALL_MET], {}),
        (
            judged_as({"docs": FAIL, "tests": FAIL}),
            [*SEEN, TraceCode.KEEPS_CONTRACT, TraceCode.OPEN_ITEMS],
            {"open_items": 2},
        ),
    ],
)
def test_the_trace_says_what_was_looked_at_and_why_the_state_follows(
    record: FeedbackRecord, codes: list[TraceCode], last: dict[str, str | int]
) -> None:
    trace = select_feedback(record).trace
    assert [step.code for step in trace] == codes
    assert trace[-1].values == last


def test_the_trace_names_the_submission_and_the_attempt_by_their_order() -> None:
    seen = select_feedback(judged_as({})).trace
    assert seen[0].values == {"submission_seq": 3, "version_number": 4, "attempts": 2}
    assert seen[1].values == {"attempt_seq": 2}
    assert seen[2].values == {"criteria": 4}


def stored(record: FeedbackRecord) -> tuple[list[dict[str, str]], str]:
    """The criteria and the verdict of a record, as they are stored."""
    assert record.outcome is not None
    assert isinstance(record.outcome.record, dict)
    return record.outcome.record["criteria"], record.outcome.record["verdict"]


statuses = st.sampled_from(CriterionStatus)
rubrics = st.lists(
    st.builds(line, st.sampled_from("abcdefgh"), st.sampled_from(CriterionKind)),
    min_size=1,
    max_size=8,
    unique_by=lambda each: each.rubric_id,
).map(tuple)


@st.composite
def sound_records(draw: st.DrawFn) -> FeedbackRecord:
    """Records that keep the contract."""
    rubric = draw(rubrics)
    return judged_as({each.rubric_id: draw(statuses) for each in rubric}, rubric)


@st.composite
def any_records(draw: st.DrawFn) -> FeedbackRecord:
    """Records of every shape, with parts missing or broken."""
    record = draw(sound_records())
    outcome = draw(
        st.sampled_from([None, record.outcome, BROKEN, *(ended(kind) for kind in OutcomeKind)]),
    )
    return replace(
        record,
        submission=draw(st.sampled_from([None, SUBMISSION, replace(SUBMISSION, submission_seq=None)])),
        attempts=draw(st.integers(0, 3)),
        attempt=draw(st.sampled_from([None, ATTEMPT])),
        outcome=outcome,
    )


@untimed
@given(any_records())
def test_every_record_has_exactly_one_state_and_one_end_of_its_trace(record: FeedbackRecord) -> None:
    feedback = select_feedback(record)
    ends = {
        TraceCode.NO_SUBMISSION: "none",
        TraceCode.NO_COMPATIBLE_ATTEMPT: "stale_rules",
        TraceCode.NO_ATTEMPT: "pending",
        TraceCode.NO_OUTCOME: "pending",
        TraceCode.NO_JUDGEMENT: "unavailable",
        TraceCode.BREAKS_CONTRACT: "invalid",
        TraceCode.ALL_MET: "passed",
        TraceCode.OPEN_ITEMS: "current",
    }
    assert [ends[step.code] for step in feedback.trace if step.code in ends] == [feedback.state]
    assert feedback.trace[-1].code in ends
    assert bool(feedback.items) == (feedback.state is FeedbackState.CURRENT)


@untimed
@given(any_records())
def test_the_same_record_always_gets_the_same_answer(record: FeedbackRecord) -> None:
    assert select_feedback(record) == select_feedback(record)


@untimed
@given(sound_records())
def test_items_are_the_open_acceptance_criteria_each_once_and_in_order(record: FeedbackRecord) -> None:
    entries = {each["id"]: each["status"] for each in stored(record)[0]}
    acceptance = [each.rubric_id for each in record.rubric if each.kind is CriterionKind.ACCEPTANCE]
    failed = sorted(each for each in acceptance if entries[each] == "FAIL")
    unsure = sorted(each for each in acceptance if entries[each] == "NEED_REVIEW")
    assert [item.rubric_id for item in select_feedback(record).items] == failed + unsure


@untimed
@given(record=sound_records(), status=statuses)
def test_a_learning_result_more_changes_neither_state_nor_items(
    record: FeedbackRecord, status: CriterionStatus
) -> None:
    rubric = (*record.rubric, line("zz-learning", CriterionKind.LEARNING))
    criteria, verdict = stored(record)
    entries = [*criteria, entry("zz-learning", str(status))]
    taught = replace(record, rubric=rubric, outcome=completed(entries, verdict=verdict))
    before, after = select_feedback(record), select_feedback(taught)
    assert (before.state, before.items, before.verdict) == (after.state, after.items, after.verdict)
    assert ("why zz-learning" in after.learning_notes) == (status is FAIL)


@untimed
@given(record=sound_records(), data=st.data())
def test_the_order_inside_record_and_rubric_decides_nothing(record: FeedbackRecord, data: st.DataObject) -> None:
    criteria, verdict = stored(record)
    entries = data.draw(st.permutations(criteria))
    shuffled = replace(
        record,
        rubric=tuple(data.draw(st.permutations(record.rubric))),
        outcome=completed(entries, verdict=verdict),
    )
    assert select_feedback(shuffled) == select_feedback(record)


@untimed
@given(record=any_records(), hours=st.integers(-99, 99))
def test_no_time_stamp_and_no_model_name_decides_anything(record: FeedbackRecord, hours: int) -> None:
    moment = NOON + timedelta(hours=hours)
    moved = replace(
        record,
        submission=record.submission and replace(record.submission, handed_in_at=moment),
        attempt=record.attempt and replace(record.attempt, started_at=moment, model=None),
        outcome=record.outcome and replace(record.outcome, finished_at=moment),
    )
    before, after = select_feedback(record), select_feedback(moved)
    assert (before.state, before.items, before.trace) == (after.state, after.items, after.trace)


@untimed
@given(any_records())
def test_whatever_is_not_a_sound_judgement_leaves_nothing_of_it(record: FeedbackRecord) -> None:
    feedback = select_feedback(record)
    if feedback.state in (FeedbackState.PASSED, FeedbackState.CURRENT):
        assert record.outcome is not None and record.outcome.kind is OutcomeKind.COMPLETED
    else:
        assert (feedback.verdict, feedback.next_step, feedback.items, feedback.learning_notes) == (None, None, (), ())


def test_every_pair_of_statuses_of_two_criteria_has_the_right_state() -> None:
    rubric = (line("a"), line("b"))
    for first, second in itertools.product(CriterionStatus, repeat=2):
        state = select_feedback(judged_as({"a": first, "b": second}, rubric)).state
        assert state is (FeedbackState.PASSED if first is second is PASS else FeedbackState.CURRENT)
