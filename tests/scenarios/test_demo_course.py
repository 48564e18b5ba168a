from collections import Counter
from dataclasses import replace

import pytest

from engine.courses.course_file import read_course, write_course
from engine.courses.rubric import rubric_version
from engine.domain.course import Course, Task
from engine.domain.review import CriterionResult, aggregate_verdict
from engine.domain.states import CriterionKind, CriterionStatus, FeedbackState, Language, Source
from engine.domain.text import clean
from engine.domain.work import take_snapshot
from engine.review.checks.registry import check_params
from engine.review.criteria import judge_criterion
from engine.review.evidence import gather_evidence
from engine.scenarios.demo_histories import demo_course_text, demo_histories, demo_learners
from engine.scenarios.demo_steps import (
    Ask,
    Decide,
    DemoHistory,
    HandIn,
    Review,
    ReviewBroken,
    ReviewUnavailable,
    RulesChange,
    rules_before,
)
from engine.work.unpack import Upload, read_hand_in

both_languages = pytest.mark.parametrize("language", list(Language))


def course(language: Language) -> Course:
    return read_course(demo_course_text(language), known_checks=check_params)


def tasks(language: Language) -> dict[tuple[str, str], Task]:
    return {(project.project_id, task.task_id): task for project in course(language).projects for task in project.tasks}


def acceptance(task: Task) -> list[str]:
    return [line.rubric_id for line in task.criteria if line.kind is CriterionKind.ACCEPTANCE]


def named(histories: tuple[DemoHistory, ...]) -> list[str]:
    return [f"{history.learner_id}-{history.task_id}" for history in histories]


every_history = pytest.mark.parametrize(
    ("language", "history"),
    [(language, history) for language in Language for history in demo_histories(language)],
    ids=[f"{language}-{name}" for language in Language for name in named(demo_histories(language))],
)


def judge(task: Task, hand_in: HandIn, language: Language) -> dict[str, CriterionResult]:
    uploads = [Upload(name=path, content=text.encode()) for path, text in hand_in.files.items()]
    evidence = gather_evidence(take_snapshot(read_hand_in(uploads).files))
    results = [judge_criterion(line, evidence, language) for line in task.criteria]
    return {result.rubric_id: result for result in results if isinstance(result, CriterionResult)}


def verdict(task: Task, results: dict[str, CriterionResult]) -> CriterionStatus:
    assert len(results) == len(task.criteria)
    statuses = {rubric_id: result.status for rubric_id, result in results.items()}
    return aggregate_verdict(statuses, {line.rubric_id: line.kind for line in task.criteria})


def state_after(history: DemoHistory, task: Task, language: Language) -> FeedbackState:
    """The state by the table of the contract, from the steps alone."""
    state = FeedbackState.NONE
    hand_in = None
    for step in history.steps:
        match step:
            case HandIn():
                hand_in, state = step, FeedbackState.PENDING
            case Review():
                assert hand_in is not None
                met = verdict(task, judge(task, hand_in, language)) is CriterionStatus.PASS
                state = FeedbackState.PASSED if met else FeedbackState.CURRENT
            case ReviewUnavailable():
                state = FeedbackState.UNAVAILABLE
            case ReviewBroken():
                state = FeedbackState.INVALID
            case RulesChange():
                state = FeedbackState.STALE_RULES
            case Decide():
                assert hand_in is not None
                decided = {**judge(task, hand_in, language)}
                decided[step.rubric_id] = replace(decided[step.rubric_id], status=step.status)
                met = verdict(task, decided) is CriterionStatus.PASS
                state = FeedbackState.PASSED if met else FeedbackState.CURRENT
            case _:
                pass
    return state


# ---- the course ----


@both_languages
def test_the_course_file_reads_and_writes_back(language: Language) -> None:
    read = course(language)
    assert read.language is language
    assert read_course(write_course(read), known_checks=check_params) == read


def test_both_languages_have_the_same_ids_kinds_and_deciders() -> None:
    zh, en = (
        [
            (key, line.rubric_id, line.kind, line.decided_by, line.check and line.check.name, bool(line.next_step))
            for key, task in tasks(language).items()
            for line in task.criteria
        ]
        for language in Language
    )
    assert zh == en


@both_languages
def test_the_course_has_at_least_eight_tasks_in_two_projects(language: Language) -> None:
    assert len(course(language).projects) == 2
    assert len(tasks(language)) >= 8


@both_languages
def test_every_task_has_two_to_four_acceptance_criteria_and_some_task_has_four(language: Language) -> None:
    counts = [len(acceptance(task)) for task in tasks(language).values()]
    assert (min(counts), max(counts)) == (2, 4)


@both_languages
def test_criteria_reach_the_80_characters_of_a_block_and_never_exceed_them(language: Language) -> None:
    assert max(len(line.text) for task in tasks(language).values() for line in task.criteria) == 80


@both_languages
def test_every_task_says_what_for_how_and_with_what(language: Language) -> None:
    for task in tasks(language).values():
        assert task.goal
        assert task.steps
        assert task.material
        assert all(line.next_step and len(line.next_step) <= 160 for line in task.criteria)


@both_languages
def test_criteria_are_decided_in_several_ways_and_several_only_teach(language: Language) -> None:
    lines = [line for task in tasks(language).values() for line in task.criteria]
    assert {line.decided_by for line in lines} >= {Source.CI, Source.CHECK, Source.MODEL}
    assert sum(line.kind is CriterionKind.LEARNING for line in lines) >= 4


# ---- the histories ----


def test_the_histories_are_the_same_in_both_languages() -> None:
    zh, en = (
        [
            (history.learner_id, history.project_id, history.task_id, history.ends_in, list(map(type, history.steps)))
            for history in demo_histories(language)
        ]
        for language in Language
    )
    assert zh == en


@both_languages
def test_all_seven_states_occur(language: Language) -> None:
    assert {history.ends_in for history in demo_histories(language)} == set(FeedbackState)


@both_languages
def test_every_history_belongs_to_a_known_student_and_task_and_to_no_other_history(language: Language) -> None:
    histories = demo_histories(language)
    assert all((history.project_id, history.task_id) in tasks(language) for history in histories)
    assert {history.learner_id for history in histories} == {learner.learner_id for learner in demo_learners(language)}
    keys = Counter((history.learner_id, history.project_id, history.task_id) for history in histories)
    assert set(keys.values()) == {1}


@both_languages
def test_students_have_names_of_their_own(language: Language) -> None:
    names = [learner.name for learner in demo_learners(language)]
    assert len(set(names)) == 6
    assert not set(names) & {
        learner.name for other in Language if other != language for learner in demo_learners(other)
    }


@every_history
def test_the_real_checks_bring_a_history_to_the_state_it_names(language: Language, history: DemoHistory) -> None:
    task = tasks(language)[history.project_id, history.task_id]
    assert state_after(history, task, language) is history.ends_in


@every_history
def test_time_goes_forward_and_reviews_follow_a_hand_in(language: Language, history: DemoHistory) -> None:
    days = [step.days_ago for step in history.steps if isinstance(step, HandIn)]
    assert days == sorted(days, reverse=True)
    assert len(set(days)) == len(days)
    assert all(day > 0 for day in days)
    needs_work = [step for step in history.steps if isinstance(step, Review | ReviewUnavailable | ReviewBroken)]
    assert not needs_work or isinstance(history.steps[0], HandIn)


@every_history
def test_what_students_write_is_visible_text_that_cleaning_leaves_alone(
    language: Language, history: DemoHistory
) -> None:
    texts = [step.text for step in history.steps if isinstance(step, Ask)]
    assert all(text == clean(text) and len(text) >= 10 for text in texts)
    assert all(any("\u4e00" <= character <= "\u9fff" for character in text) == (language == "zh") for text in texts)


@every_history
def test_a_broken_record_leaves_out_a_criterion_that_the_task_has(language: Language, history: DemoHistory) -> None:
    task = tasks(language)[history.project_id, history.task_id]
    left_out = {step.left_out for step in history.steps if isinstance(step, ReviewBroken)}
    assert left_out <= {line.rubric_id for line in task.criteria}


@both_languages
def test_the_first_student_is_left_with_a_failed_test_and_one_question_of_meaning(language: Language) -> None:
    first, login = demo_learners(language)[0], demo_histories(language)[0]
    task = tasks(language)[login.project_id, login.task_id]
    hand_ins = [step for step in login.steps if isinstance(step, HandIn)]
    results = judge(task, hand_ins[-1], language)
    still_open = [
        (name, results[name].status, results[name].source)
        for name in acceptance(task)
        if results[name].status is not CriterionStatus.PASS
    ]
    assert (login.learner_id, login.ends_in) == (first.learner_id, FeedbackState.CURRENT)
    assert still_open == [
        ("login-tests", CriterionStatus.FAIL, Source.CI),
        ("helpful-message", CriterionStatus.NEED_REVIEW, Source.CHECK),
    ]
    assert str(results["login-tests"].evidence).startswith("shop/auth.py:20")
    assert sum(isinstance(step, Ask) for step in login.steps) == 3


@both_languages
def test_the_first_students_second_hand_in_mends_something(language: Language) -> None:
    login = demo_histories(language)[0]
    task = tasks(language)[login.project_id, login.task_id]
    first, second = (judge(task, step, language) for step in login.steps if isinstance(step, HandIn))
    failed = [
        [name for name, result in results.items() if result.status is CriterionStatus.FAIL]
        for results in (first, second)
    ]
    assert failed == [["login-tests", "password-hash", "no-printed-password"], ["login-tests"]]


@both_languages
def test_work_that_passes_in_the_end_did_not_always_pass(language: Language) -> None:
    verdicts = {
        history.task_id: [
            verdict(task, judge(task, step, language)).value for step in history.steps if isinstance(step, HandIn)
        ]
        for history in demo_histories(language)
        for task in [tasks(language)[history.project_id, history.task_id]]
        if history.ends_in is FeedbackState.PASSED
    }
    assert verdicts == {
        "setup": ["FAIL", "PASS"],
        "listing": ["FAIL", "PASS"],
        "storage": ["FAIL", "NEED_REVIEW"],  # which a teacher decides
        "ci-tests": ["PASS"],
    }


@both_languages
def test_a_change_of_rules_gives_the_rubric_another_version(language: Language) -> None:
    changes = [
        (tasks(language)[history.project_id, history.task_id], step)
        for history in demo_histories(language)
        for step in history.steps
        if isinstance(step, RulesChange)
    ]
    ((task, change),) = changes
    before = rules_before(task, change)
    assert rubric_version(before) != rubric_version(task)
    assert acceptance(before) == acceptance(task)
    edited = [line.rubric_id for line, old in zip(task.criteria, before.criteria, strict=True) if line != old]
    assert edited == list(change.earlier_texts)


@both_languages
def test_rules_change_only_where_no_other_history_was_reviewed(language: Language) -> None:
    histories = demo_histories(language)
    changed = {history.task_id for history in histories if any(isinstance(step, RulesChange) for step in history.steps)}
    reviewed = Counter(
        history.task_id for history in histories if any(isinstance(step, Review) for step in history.steps)
    )
    assert [reviewed[task_id] for task_id in changed] == [1]
