"""The contract on both databases, through the real stores: the groups of seed 000, 8.5, and broken records.

The last group, long text and special characters at the budget, stands in `test_contract_budget.py`.
"""

from dataclasses import replace

import pytest

from engine.domain.people import LOCAL_VIEWER, Viewer, ViewerKind
from engine.domain.states import CriterionKind, OutcomeKind
from engine.errors import AccessDenied
from tests.feedback.story import RUBRIC, V1, Story, criterion, entry

# 1. Learners


def test_what_one_learner_was_told_never_reaches_another(story: Story) -> None:
    story.submit("ada's", learner="Ada")
    story.submit("bo's", learner="Bo")
    story.review("of ada", "ada's", docs="FAIL")
    assert story.see(learner="Ada").says == ("current", ["docs"], "ada's", "of ada")
    assert story.see(learner="Bo").says == ("pending", [], "bo's", None)
    assert "of ada" not in story.see(learner="Bo").text


def test_a_learner_without_a_hand_in_has_no_feedback_whatever_others_have(story: Story) -> None:
    story.submit("ada's", learner="Ada")
    story.review("of ada", "ada's", docs="FAIL")
    assert story.see(learner="Bo").says == ("none", [], None, None)


def test_each_learner_has_an_order_of_her_own(story: Story) -> None:
    for name in ("first", "second", "third"):
        story.submit(f"bo's {name}", learner="Bo")
    story.submit("ada's", learner="Ada")
    story.review("of bo", "bo's third", tests="FAIL")
    assert story.hand_ins["ada's"].submission_seq == 1
    assert story.see(learner="Bo").says == ("current", ["tests"], "bo's third", "of bo")
    assert story.see(learner="Ada").says == ("pending", [], "ada's", None)


def test_a_student_cannot_read_the_feedback_of_another(story: Story) -> None:
    story.submit("ada's", learner="Ada")
    bo = Viewer(kind=ViewerKind.STUDENT, person_id="bo", learner_ids=frozenset({story.key("Bo").learner_id}))
    with pytest.raises(AccessDenied):
        story.stores.feedback.read_newest(bo, story.key("Ada"), story.versions)


# 2. Projects


def test_the_same_task_in_another_project_is_another_task(story: Story) -> None:
    story.submit("in one", project="one")
    story.submit("in two", project="two")
    story.review("of one", "in one", docs="FAIL")
    story.review("of two", "in two", tests="NEED_REVIEW")
    assert story.see(project="one").says == ("current", ["docs"], "in one", "of one")
    assert story.see(project="two").says == ("current", ["tests"], "in two", "of two")


def test_a_newer_hand_in_for_another_project_hides_nothing(story: Story) -> None:
    story.submit("in one", project="one")
    story.review("of one", "in one", docs="FAIL")
    for name in ("a", "b", "c"):
        story.submit(name, project="two")
    assert story.see(project="one").says == ("current", ["docs"], "in one", "of one")
    assert story.see(project="two").says == ("pending", [], "c", None)


def test_a_project_nobody_handed_in_for_has_no_feedback(story: Story) -> None:
    story.submit("in one", project="one")
    story.review("of one", "in one", docs="FAIL")
    assert story.see(project="two").says == ("none", [], None, None)


# 3. Tasks


def test_each_task_of_a_project_has_its_own_feedback(story: Story) -> None:
    story.submit("for first", task="first")
    story.submit("for second", task="second")
    story.review("of first", "for first", docs="FAIL")
    story.review("of second", "for second")
    assert story.see(task="first").says == ("current", ["docs"], "for first", "of first")
    assert story.see(task="second").says == ("passed", [], "for second", "of second")


def test_a_newer_hand_in_for_another_task_hides_nothing(story: Story) -> None:
    story.submit("for first", task="first")
    story.review("of first", "for first", docs="FAIL")
    for name in ("a", "b", "c"):
        story.submit(name, task="second")
    assert story.see(task="first").says == ("current", ["docs"], "for first", "of first")
    assert story.see(task="second").says == ("pending", [], "c", None)


# 4. Hand-ins of the same second: the clock stands still in all of these


def test_of_two_hand_ins_of_the_same_second_the_later_accepted_one_counts(story: Story) -> None:
    story.submit("a")
    story.submit("b")
    assert story.hand_ins["a"].handed_in_at == story.hand_ins["b"].handed_in_at
    story.review("of b", "b", docs="FAIL")
    story.review("of a", "a", tests="FAIL")
    assert story.see().says == ("current", ["docs"], "b", "of b")


def test_many_hand_ins_of_the_same_second_keep_their_order(story: Story) -> None:
    names = [f"hand-in {number}" for number in range(12)]
    for name in names:
        story.submit(name)
        assert story.see().says == ("pending", [], name, None)
    assert [story.hand_ins[name].submission_seq for name in names] == list(range(1, 13))


def test_of_two_reviews_begun_in_the_same_second_the_later_begun_one_counts(story: Story) -> None:
    story.submit("a")
    story.start("earlier", "a")
    story.start("later", "a")
    assert story.attempts["earlier"].started_at == story.attempts["later"].started_at
    story.finish("later", docs="FAIL")
    story.finish("earlier")
    assert story.see().says == ("current", ["docs"], "a", "later")


# 5. Times that run backwards


def test_a_later_hand_in_with_an_earlier_time_is_still_the_newer_one(story: Story) -> None:
    story.submit("a")
    story.review("of a", "a", docs="FAIL")
    story.at(hours=-48)
    story.submit("b")
    assert story.see().says == ("pending", [], "b", None)


def test_a_later_review_with_an_earlier_time_is_still_the_newer_one(story: Story) -> None:
    story.submit("a")
    story.review("earlier", "a", docs="FAIL")
    story.at(hours=-48)
    story.review("later", "a", tests="NEED_REVIEW")
    assert story.see().says == ("current", ["tests"], "a", "later")


def test_no_time_at_all_decides(story: Story) -> None:
    story.at(hours=9)
    story.submit("a")
    story.start("earlier", "a")
    story.at(hours=-9)
    story.submit("b")
    story.start("later", "b")
    story.at(hours=-20)
    story.finish("later", docs="FAIL")
    story.at(hours=20)
    story.finish("earlier", tests="FAIL")
    assert story.see().says == ("current", ["docs"], "b", "later")


# 6. An old request that returns late


def test_a_review_of_an_older_hand_in_that_ends_last_changes_nothing(story: Story) -> None:
    story.submit("a")
    story.start("slow", "a")
    story.submit("b")
    story.review("quick", "b")
    story.at(hours=5)
    story.finish("slow", docs="FAIL")
    assert story.see().says == ("passed", [], "b", "quick")


def test_an_older_review_of_the_same_hand_in_that_ends_last_changes_nothing(story: Story) -> None:
    story.submit("a")
    story.start("slow", "a")
    story.start("quick", "a")
    story.at(hours=1)
    story.finish("quick", docs="FAIL")
    story.at(hours=5)
    story.finish("slow")
    assert story.see().says == ("current", ["docs"], "a", "quick")


def test_a_second_answer_of_one_review_is_no_outcome(story: Story) -> None:
    story.submit("a")
    story.start("review", "a")
    assert story.break_off("review", fault="timed_out")
    assert not story.finish("review", docs="FAIL")
    assert story.see().says == ("unavailable", [], "a", "review")
    late = [subject for _, subject, _ in story.stores.audits("late_outcome_ignored")]
    assert story.attempts["review"].attempt_id in late


# 7. A new hand-in without a review


def test_a_new_hand_in_retires_the_opinion_on_the_one_before(story: Story) -> None:
    story.submit("a")
    story.review("of a", "a", docs="FAIL")
    story.submit("b")
    assert story.see().says == ("pending", [], "b", None)
    assert "of a" not in story.see().text


def test_while_a_review_runs_no_earlier_one_speaks(story: Story) -> None:
    story.submit("a")
    story.review("earlier", "a", docs="FAIL")
    story.start("running", "a")
    assert story.see().says == ("pending", [], "a", "running")
    assert "earlier" not in story.see().text


def test_a_hand_in_of_unknown_order_never_becomes_current(story: Story) -> None:
    story.submit("imported", order_known=False)
    story.review("of imported", "imported", docs="FAIL")
    assert story.see().says == ("none", [], None, None)
    story.submit("a")
    story.submit("imported later", order_known=False)
    assert story.see().says == ("pending", [], "a", None)


# 8a. The version of the rules changed


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"rubric": "rubric-2"}, id="rubric"),
        pytest.param({"prompt": "prompt-2"}, id="prompt"),
        pytest.param({"engine": "engine-2"}, id="engine"),
    ],
)
def test_a_review_by_other_rules_is_stale_until_there_is_a_new_one(story: Story, changed: dict[str, str]) -> None:
    story.submit("a")
    story.review("before", "a", docs="FAIL")
    story.rules(replace(V1, **changed))
    assert story.see().says == ("stale_rules", [], "a", None)
    story.review("after", "a", tests="FAIL")
    assert story.see().says == ("current", ["tests"], "a", "after")


def test_a_later_review_by_other_rules_does_not_hide_the_compatible_one(story: Story) -> None:
    story.submit("a")
    story.review("compatible", "a", docs="FAIL")
    story.review("by other rules", "a", replace(V1, engine="engine-0"))
    assert story.see().says == ("current", ["docs"], "a", "compatible")


def test_a_new_hand_in_is_pending_and_never_stale_by_the_reviews_of_an_older_one(story: Story) -> None:
    story.submit("a")
    story.review("before", "a")
    story.rules(replace(V1, rubric="rubric-2"))
    story.submit("b")
    assert story.see().says == ("pending", [], "b", None)


def test_another_model_makes_no_review_stale(story: Story) -> None:
    story.submit("a")
    story.start("by one model", "a", model="small")
    story.finish("by one model", docs="FAIL")
    assert story.see().says == ("current", ["docs"], "a", "by one model")
    assert story.see().block["model"] == "small"


# 8b. A fault of the system


@pytest.mark.parametrize("fault", ["provider_down", "timed_out", "tool_broken", "interrupted"])
def test_a_fault_of_the_review_is_never_a_failure_of_the_work(story: Story, fault: str) -> None:
    story.submit("a")
    story.start("review", "a")
    story.break_off("review", fault=fault)
    assert story.see().says == ("unavailable", [], "a", "review")
    assert story.see().block["review_status"] is None and "FAIL" not in story.see().text


def test_a_fault_on_the_newest_hand_in_brings_back_no_older_opinion(story: Story) -> None:
    story.submit("a")
    story.review("of a", "a", docs="FAIL")
    story.submit("b")
    story.start("of b", "b")
    story.break_off("of b")
    assert story.see().says == ("unavailable", [], "b", "of b")


def test_a_fault_of_the_newest_attempt_brings_back_no_older_attempt(story: Story) -> None:
    story.submit("a")
    story.review("earlier", "a", docs="FAIL")
    story.start("later", "a")
    story.break_off("later")
    assert story.see().says == ("unavailable", [], "a", "later")
    assert "earlier" not in story.see().text


def test_an_attempt_that_ended_as_invalid_says_nothing_of_the_work(story: Story) -> None:
    story.submit("a")
    story.start("review", "a")
    story.break_off("review", OutcomeKind.INVALID, fault="unparseable")
    assert story.see().says == ("invalid", [], "a", "review")


# 9a. PASS clears what was open


def test_a_pass_of_a_new_hand_in_clears_what_was_open(story: Story) -> None:
    story.submit("a")
    story.review("of a", "a", docs="FAIL", tests="NEED_REVIEW")
    assert story.see().open == ["docs", "tests"]
    story.submit("b")
    story.review("of b", "b")
    assert story.see().says == ("passed", [], "b", "of b")
    assert story.see().block["next_step"] is None and "of a" not in story.see().text


def test_a_pass_by_a_newer_attempt_clears_what_an_older_one_found(story: Story) -> None:
    story.submit("a")
    story.review("earlier", "a", docs="FAIL")
    story.review("later", "a")
    assert story.see().says == ("passed", [], "a", "later")
    story.review("latest", "a", build="FAIL")
    assert story.see().says == ("current", ["build"], "a", "latest")


def test_a_learning_gap_blocks_no_pass_and_is_no_item(story: Story) -> None:
    story.submit("a")
    story.review("review", "a", reflection="FAIL")
    assert story.see().says == ("passed", [], "a", "review")
    assert story.see().feedback.learning_notes == ("review on reflection",)
    assert "reflection" not in story.see().text


def test_fail_and_need_review_stay_apart_and_fail_goes_first(story: Story) -> None:
    story.submit("a")
    story.review("review", "a", build="NEED_REVIEW", docs="NEED_REVIEW", tests="FAIL", reflection="FAIL")
    seen = story.see()
    assert [(item["rubric_id"], item["status"]) for item in seen.items] == [
        ("tests", "FAIL"),
        ("build", "NEED_REVIEW"),
        ("docs", "NEED_REVIEW"),
    ]
    assert seen.block["review_status"] == "FAIL"


# And: a record that breaks the contract is never a judgement

LONG = "x" * 65
PASSED = [entry(line.rubric_id) for line in RUBRIC]


@pytest.mark.parametrize(
    ("record", "more"),
    [
        pytest.param({"verdict": "PASS", "criteria": [{**PASSED[0], "evidence": 5}, *PASSED[1:]]}, "", id="wrong_type"),
        pytest.param(
            {"verdict": "PASS", "criteria": [*PASSED[:2], {**PASSED[2], "status": "MAYBE"}, PASSED[3]]},
            "",
            id="unknown_status",
        ),
        pytest.param({"verdict": "PASS", "criteria": [*PASSED, entry(" ")]}, " ", id="rubric_id_empty"),
        pytest.param({"verdict": "PASS", "criteria": [*PASSED, entry(LONG)]}, LONG, id="rubric_id_too_long"),
        pytest.param({"verdict": "PASS", "criteria": [*PASSED, entry("docs")]}, "", id="duplicate"),
        pytest.param({"verdict": "PASS", "criteria": [*PASSED, entry("extra")]}, "", id="unknown_to_rubric"),
        pytest.param({"verdict": "PASS", "criteria": PASSED[:3]}, "", id="missing_criterion"),
        pytest.param({"verdict": "FAIL", "criteria": PASSED}, "", id="verdict_mismatch"),
        pytest.param({"verdict": "PASS", "criteria": PASSED}, "", id="snapshot_mismatch"),
        pytest.param(
            {"verdict": "PASS", "criteria": [{**PASSED[0], "reason": " \u200b"}, *PASSED[1:]]}, "", id="reason_blank"
        ),
    ],
)
def test_each_breach_of_the_contract_makes_the_record_invalid(
    story: Story, request: pytest.FixtureRequest, record: dict[str, object], more: str
) -> None:
    breach = request.node.callspec.id.split("-")[-1]
    story.rules(replace(V1, rubric="broken"), (*RUBRIC, *([criterion(more)] if more else [])))
    story.submit("a")
    story.start("review", "a")
    story.finish("review", record, snapshot="of something else" if breach == "snapshot_mismatch" else None)
    seen = story.see()
    assert seen.says == ("invalid", [], "a", "review")
    assert seen.feedback.trace[-1].values["problems"] == breach
    assert seen.block["review_status"] is None


def test_what_keeps_the_contract_but_for_nothing_is_a_pass(story: Story) -> None:
    """The counterpart of the table above: its records are broken in that one thing only."""
    story.submit("a")
    story.start("review", "a")
    story.finish("review", {"verdict": "PASS", "criteria": PASSED})
    assert story.see().says == ("passed", [], "a", "review")


def test_a_judgement_is_read_by_the_rubric_it_was_made_by(story: Story) -> None:
    story.rules(replace(V1, rubric="smaller"), (criterion("docs"), criterion("tests", CriterionKind.LEARNING)))
    story.submit("a")
    story.review("review", "a", docs="FAIL", tests="FAIL")
    assert story.see().says == ("current", ["docs"], "a", "review")
    rubric = story.stores.courses.rubric(LOCAL_VIEWER, story.key().project_id, "first", "smaller")
    assert [line.rubric_id for line in rubric] == ["docs", "tests"]
