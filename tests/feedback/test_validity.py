from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.domain.feedback import RubricLine
from engine.domain.review import CriterionResult, Outcome
from engine.domain.states import CriterionKind, CriterionStatus, Source
from engine.feedback import validity
from engine.feedback.validity import RULES, Judged, ProblemCode, ReviewRecord, Rule, find_problems, read_record
from tests.feedback.builders import (
    FAIL,
    PASS,
    RUBRIC,
    SUBMISSION,
    completed,
    entry,
    line,
    texts,
)

untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""A busy machine is no failure."""
ALL_PASS = tuple(entry(each.rubric_id) for each in RUBRIC)


def with_entry(position: int, **changed: object) -> list[object]:
    """Four passed criteria, one of them changed."""
    return [{**each, **changed} if index == position else each for index, each in enumerate(ALL_PASS)]


def judged(outcome: Outcome, rubric: tuple[RubricLine, ...] = RUBRIC) -> Judged:
    return Judged(outcome=outcome, rubric=rubric, submission=SUBMISSION)


LONG = "x" * 65
ONLY_BROKEN_BY: dict[ProblemCode, Judged] = {
    ProblemCode.WRONG_TYPE: judged(completed(with_entry(0, evidence=5))),
    ProblemCode.UNKNOWN_STATUS: judged(completed(with_entry(3, status="MAYBE"))),
    ProblemCode.RUBRIC_ID_EMPTY: judged(completed([*ALL_PASS, entry("")]), (*RUBRIC, line(""))),
    ProblemCode.RUBRIC_ID_TOO_LONG: judged(completed([*ALL_PASS, entry(LONG)]), (*RUBRIC, line(LONG))),
    ProblemCode.DUPLICATE: judged(completed([*ALL_PASS, entry("docs")])),
    ProblemCode.UNKNOWN_TO_RUBRIC: judged(completed([*ALL_PASS, entry("extra")])),
    ProblemCode.MISSING_CRITERION: judged(completed(ALL_PASS[:3])),
    ProblemCode.VERDICT_MISMATCH: judged(completed(ALL_PASS, verdict="FAIL")),
    ProblemCode.SNAPSHOT_MISMATCH: judged(replace(completed(ALL_PASS), snapshot_hash="d" * 64)),
    ProblemCode.REASON_BLANK: judged(completed(with_entry(0, reason=" \u200b"))),
}


def test_each_problem_has_its_rule_and_each_rule_its_problem() -> None:
    assert [rule.__name__ for rule in RULES] == [str(code) for code in ProblemCode]
    assert set(ONLY_BROKEN_BY) == set(ProblemCode)


@pytest.mark.parametrize("code", list(ProblemCode))
def test_each_rule_refuses_a_record_that_no_other_rule_refuses(code: ProblemCode) -> None:
    broken = ONLY_BROKEN_BY[code]
    others = tuple(rule for rule in RULES if rule.__name__ != code)
    found = read_record(broken.outcome, broken.rubric, broken.submission)
    assert isinstance(found, tuple)
    assert {problem.code for problem in found} == {code}
    assert find_problems(broken, others) == ()


BROKEN_TYPES: list[tuple[str, object]] = [
    ("record", None),
    ("record", []),
    ("record", "PASS"),
    ("record", {}),
    ("verdict", {"verdict": None, "criteria": list(ALL_PASS)}),
    ("verdict", {"verdict": ["PASS"], "criteria": list(ALL_PASS)}),
    ("next_step", {"verdict": "PASS", "next_step": 1, "criteria": list(ALL_PASS)}),
    ("criteria", {"verdict": "PASS", "criteria": {"0": ALL_PASS[0]}}),
    ("criteria", {"verdict": "PASS", "criteria": None}),
    ("criteria.4", {"verdict": "PASS", "criteria": [*ALL_PASS, "docs"]}),
    ("criteria.4", {"verdict": "PASS", "criteria": [*ALL_PASS, None]}),
    ("criteria.0.id", {"verdict": "PASS", "criteria": with_entry(0, id=True)}),
    ("criteria.0.id", {"verdict": "PASS", "criteria": with_entry(0, id=1)}),
    ("criteria.0.id", {"verdict": "PASS", "criteria": with_entry(0, id=None)}),
    ("criteria.1.status", {"verdict": "PASS", "criteria": with_entry(1, status=["PASS"])}),
    ("criteria.1.status", {"verdict": "PASS", "criteria": with_entry(1, status=True)}),
    ("criteria.2.reason", {"verdict": "PASS", "criteria": with_entry(2, reason=["because"])}),
    ("criteria.2.reason", {"verdict": "PASS", "criteria": with_entry(2, reason=0)}),
    ("criteria.0.evidence", {"verdict": "PASS", "criteria": with_entry(0, evidence=["a.py:1"])}),
    ("criteria.3.source", {"verdict": "PASS", "criteria": with_entry(3, source="learner")}),
    ("criteria.3.source", {"verdict": "PASS", "criteria": with_entry(3, source=None)}),
    ("criteria.3.source", {"verdict": "PASS", "criteria": with_entry(3, source=["check"])}),
    ("criteria.3.next_step", {"verdict": "PASS", "criteria": with_entry(3, next_step=False)}),
]


@pytest.mark.parametrize(("where", "record"), BROKEN_TYPES)
def test_a_wrong_type_is_found_where_it_stands(where: str, record: object) -> None:
    found = read_record(replace(completed(()), record=record), RUBRIC, SUBMISSION)
    assert isinstance(found, tuple)
    places = {problem.where for problem in found if problem.code is ProblemCode.WRONG_TYPE}
    assert where in places or (record == {} and places == {"verdict", "criteria"})


@pytest.mark.parametrize(
    ("where", "outcome"),
    [
        pytest.param("verdict", completed(ALL_PASS, verdict="MAYBE"), id="verdict of the review"),
        pytest.param("verdict", completed(ALL_PASS, verdict="pass"), id="small letters are another word"),
        pytest.param("criteria.0.status", completed(with_entry(0, status="")), id="empty word"),
        pytest.param("criteria.3.status", completed(with_entry(3, status="N/A")), id="learning criterion"),
    ],
)
def test_a_word_that_is_no_status_is_refused(where: str, outcome: Outcome) -> None:
    found = read_record(outcome, RUBRIC, SUBMISSION)
    assert isinstance(found, tuple)
    assert [(problem.code, problem.where) for problem in found] == [(ProblemCode.UNKNOWN_STATUS, where)]


@pytest.mark.parametrize("reason", ["", " ", "\n\t", "\u200b\u2060", "\u3000", None])
@pytest.mark.parametrize("position", range(4))
def test_a_reason_that_cannot_be_seen_is_refused_for_every_criterion(reason: str | None, position: int) -> None:
    found = read_record(completed(with_entry(position, reason=reason)), RUBRIC, SUBMISSION)
    assert isinstance(found, tuple)
    assert [(problem.code, problem.where) for problem in found] == [
        (ProblemCode.REASON_BLANK, f"criteria.{position}.reason")
    ]


def test_a_missing_reason_is_a_blank_one() -> None:
    bare = {name: value for name, value in ALL_PASS[0].items() if name != "reason"}
    found = read_record(completed([bare, *ALL_PASS[1:]]), RUBRIC, SUBMISSION)
    assert isinstance(found, tuple)
    assert [problem.code for problem in found] == [ProblemCode.REASON_BLANK]


@pytest.mark.parametrize("rubric_id", ["x" * 64, "字" * 64, "👍" * 64])
def test_sixty_four_code_points_are_not_too_long(rubric_id: str) -> None:
    rubric = (*RUBRIC, line(rubric_id))
    assert isinstance(read_record(completed([*ALL_PASS, entry(rubric_id)]), rubric, SUBMISSION), ReviewRecord)


def test_an_outcome_without_a_snapshot_judged_something_else() -> None:
    found = read_record(replace(completed(ALL_PASS), snapshot_hash=None), RUBRIC, SUBMISSION)
    assert isinstance(found, tuple)
    assert [problem.code for problem in found] == [ProblemCode.SNAPSHOT_MISMATCH]


@pytest.mark.parametrize(
    ("statuses", "verdict"),
    [
        pytest.param(("FAIL", "NEED_REVIEW", "PASS", "PASS"), "FAIL", id="one fail decides"),
        pytest.param(("PASS", "NEED_REVIEW", "PASS", "FAIL"), "NEED_REVIEW", id="a learning fail does not"),
        pytest.param(("PASS", "PASS", "PASS", "NEED_REVIEW"), "PASS", id="learning alone leaves a pass"),
    ],
)
def test_only_the_aggregate_is_a_valid_verdict(statuses: tuple[str, ...], verdict: str) -> None:
    entries = [entry(each.rubric_id, status) for each, status in zip(RUBRIC, statuses, strict=True)]
    for word in CriterionStatus:
        found = read_record(completed(entries, verdict=str(word)), RUBRIC, SUBMISSION)
        assert isinstance(found, ReviewRecord) == (word == verdict)
        if isinstance(found, tuple):
            assert [problem.code for problem in found] == [ProblemCode.VERDICT_MISMATCH]


def test_a_record_of_a_rubric_without_lines_judges_nothing() -> None:
    read = read_record(completed([], verdict="PASS"), (), SUBMISSION)
    assert isinstance(read, tuple)
    assert [problem.code for problem in read] == [ProblemCode.MISSING_CRITERION]


def test_a_record_that_keeps_the_contract_is_read_as_it_stands() -> None:
    rubric = (line("a"), line("b", CriterionKind.LEARNING))
    entries = [
        entry("b", "PASS", evidence="  ", unknown_field=1),
        entry("a", "FAIL", reason="not there", source="ci", next_step="add it"),
    ]
    assert read_record(completed(entries, "FAIL", next_step="\u200b"), rubric, SUBMISSION) == ReviewRecord(
        verdict=FAIL,
        next_step=None,
        criteria=(
            CriterionResult(rubric_id="b", status=PASS, reason="why b", evidence=None, source=Source.CHECK),
            CriterionResult(
                rubric_id="a",
                status=FAIL,
                reason="not there",
                evidence="a.py:1",
                source=Source.CI,
                next_step="add it",
            ),
        ),
    )


def test_all_problems_are_told_in_the_order_of_the_rules() -> None:
    found = read_record(completed([entry("extra", reason="")], verdict="MAYBE"), RUBRIC, SUBMISSION)
    assert isinstance(found, tuple)
    assert [problem.code for problem in found] == [
        ProblemCode.UNKNOWN_STATUS,
        ProblemCode.UNKNOWN_TO_RUBRIC,
        ProblemCode.MISSING_CRITERION,
        ProblemCode.REASON_BLANK,
    ]


json_values: st.SearchStrategy[object] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | texts(5)
    | st.sampled_from(["PASS", "docs"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts(3), inner, max_size=3),
    max_leaves=8,
)


@untimed
@given(json_values)
def test_no_record_whatever_it_is_makes_reading_fail(record: object) -> None:
    found = read_record(replace(completed(()), record=record), RUBRIC, SUBMISSION)
    assert isinstance(found, tuple)
    assert found


@untimed
@given(
    position=st.integers(0, 3),
    name=st.sampled_from(["id", "status", "reason", "evidence", "source", "next_step"]),
    value=json_values,
    rules=st.sets(st.sampled_from(RULES)),
)
def test_no_field_whatever_it_holds_makes_any_choice_of_rules_fail(
    position: int, name: str, value: object, rules: set[Rule]
) -> None:
    broken = judged(completed(with_entry(position, **{name: value})))
    found = find_problems(broken, tuple(rules))
    assert {problem.code for problem in found} <= set(ProblemCode)
    assert isinstance(read_record(broken.outcome, RUBRIC, SUBMISSION), ReviewRecord | tuple)


def test_the_longest_id_is_the_one_the_contract_names() -> None:
    assert validity.RUBRIC_ID_LIMIT == 64
