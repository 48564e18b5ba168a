"""The board reads a class in a few statements and says of every cell what the selector says."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import event

from engine.domain.course import Learner
from engine.domain.keys import FeedbackKey, Versions
from engine.domain.people import LOCAL_VIEWER, Viewer, ViewerKind
from engine.domain.states import CriterionKind, CriterionStatus, FeedbackState, OutcomeKind
from engine.domain.work import Submission
from engine.errors import AccessDenied, NotFound
from engine.feedback.selector import select_feedback
from engine.insight.boards import Boards
from engine.insight.facts import NOTHING, BoardFacts, CellFacts
from engine.read_cache import ReadCache
from engine.settings import DEFAULT_STUCK
from tests.stores.builders import (
    COURSE,
    CRITERIA,
    FACTS,
    LEASE,
    LOGIC,
    NOON,
    TASK,
    VERSIONS,
    Stores,
    begin_review,
    criterion,
    enrol,
    fail,
    hand_in,
    judge,
    question,
    receipt_of,
    record,
    talk,
)

OTHERS = (
    replace(VERSIONS, rubric="other"),
    replace(VERSIONS, prompt="other"),
    replace(VERSIONS, engine="other"),
)
FAILED = record("FAIL", docs="FAIL")


def read(stores: Stores) -> BoardFacts:
    course = stores.courses.courses(LOCAL_VIEWER)[0]
    return stores.boards.read(LOCAL_VIEWER, course.course_id, LOGIC)


def cell(stores: Stores, key: FeedbackKey) -> CellFacts:
    return read(stores).cells.get((key.learner_id, f"{key.project_id}/{key.task_id}"), NOTHING)


def runs(stores: Stores, key: FeedbackKey) -> dict[str, int]:
    return {run.rubric_id: run.hand_ins for run in cell(stores, key).fails}


STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ["hand in", "hand in", "hand in unknown", "begin", "judge", "judge", "break", "invalid", "down"]
        ),
        st.sampled_from(["first", "second"]),
        st.sampled_from([VERSIONS, VERSIONS, VERSIONS, *OTHERS]),
        st.sampled_from(["PASS", "FAIL", "NEED_REVIEW"]),
    ),
    max_size=10,
)
"""What happens, in which task, by which rules, and how it ends."""


def play(stores: Stores, key: FeedbackKey, steps: list[tuple[str, str, Versions, str]]) -> None:
    newest: dict[str, Submission] = {}
    for what, task, versions, status in steps:
        place = replace(key, task_id=task)
        if what.startswith("hand in"):
            newest[task] = hand_in(stores, place, body=f"{len(newest)}", order_known=what == "hand in")
        elif task in newest:
            attempt = begin_review(stores, newest[task], versions)
            judged = {
                "judge": (OutcomeKind.COMPLETED, record(status, docs=status), newest[task].snapshot_hash),
                "break": (OutcomeKind.COMPLETED, record(status, docs="FAIL"), "other" if status == "FAIL" else None),
                "invalid": (OutcomeKind.INVALID, None, None),
                "down": (OutcomeKind.UNAVAILABLE, None, None),
            }
            if what in judged:
                kind, written, snapshot = judged[what]
                stores.reviews.finish(
                    LOCAL_VIEWER, attempt.attempt_id, kind, record=written, snapshot_hash=snapshot, fault="why"
                )


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS, is_erased=st.booleans())
def test_every_cell_is_in_the_state_that_the_selector_says(
    stores: Stores, steps: list[tuple[str, str, Versions, str]], is_erased: bool
) -> None:
    key = enrol(stores)
    play(stores, key, steps)
    if is_erased:
        stores.work.erase_person(LOCAL_VIEWER, key.learner_id)
    for task in ("first", "second"):
        place = replace(key, task_id=task)
        chosen = select_feedback(stores.feedback.read_newest(LOCAL_VIEWER, place, VERSIONS))
        seen = cell(stores, place)
        assert (seen.state, seen.verdict) == (chosen.state, chosen.verdict)
        assert seen.attempt_id == (chosen.attempt.attempt_id if chosen.attempt else None)
        failed = {item.rubric_id for item in chosen.items if item.status is CriterionStatus.FAIL}
        assert {run.rubric_id for run in seen.fails} == failed


def test_a_class_is_read_in_as_many_statements_whatever_its_size(stores: Stores, key: FeedbackKey) -> None:
    sent: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        sent.append(statement)

    counts = []
    for _ in range(2):
        for _ in range(3):
            judge(stores, hand_in(stores, enrol(stores, "More")), FAILED)
        course_id = stores.courses.courses(LOCAL_VIEWER)[0].course_id
        event.listen(stores.engine, "before_cursor_execute", note)
        stores.boards.read(LOCAL_VIEWER, course_id, LOGIC)
        event.remove(stores.engine, "before_cursor_execute", note)
        counts.append(len([each for each in sent if each.startswith(("SELECT", "WITH"))]))
        sent.clear()
    assert counts == [6, 6]


def test_learners_stand_in_the_order_of_the_class_list_and_tasks_in_the_courses(
    stores: Stores, key: FeedbackKey
) -> None:
    bob = enrol(stores, "Bob")
    facts = read(stores)
    assert facts.learners == (
        Learner(learner_id=key.learner_id, name="Ada"),
        Learner(learner_id=bob.learner_id, name="Bob"),
    )
    assert [(task.project_title, task.title) for task in facts.tasks] == [
        ("Project one", "First task"),
        ("Project one", "Second"),
        ("Project two", "First task"),
    ]


def test_a_task_that_was_moved_has_its_column_where_the_course_has_it(stores: Stores, key: FeedbackKey) -> None:
    stores.edits.move_task(LOCAL_VIEWER, key.project_id, "second", by=-1)
    assert [task.task_id for task in read(stores).tasks] == ["second", "first", "first"]


def test_a_record_that_breaks_the_contract_has_no_criteria_that_count(stores: Stores, key: FeedbackKey) -> None:
    attempt = begin_review(stores, hand_in(stores, key))
    stores.reviews.finish(
        LOCAL_VIEWER, attempt.attempt_id, OutcomeKind.COMPLETED, record=record(), snapshot_hash="another"
    )
    course_id = stores.courses.courses(LOCAL_VIEWER)[0].course_id
    assert stores.boards.results(LOCAL_VIEWER, course_id, LOGIC) == ()


def test_hand_ins_of_known_order_are_counted_and_the_newest_tells_when(stores: Stores, key: FeedbackKey) -> None:
    hand_in(stores, key, order_known=False)
    hand_in(stores, key, "1")
    newest = hand_in(stores, key, "2")
    seen = cell(stores, key)
    assert (seen.hand_ins, seen.handed_in_at) == (2, newest.handed_in_at)
    assert read(stores).last_seen == {key.learner_id: newest.handed_in_at}


def test_a_run_of_one_criterion_ends_where_it_was_met(stores: Stores, key: FeedbackKey) -> None:
    judge(stores, hand_in(stores, key, "1"), record("FAIL", docs="FAIL", build="FAIL"))
    judge(stores, hand_in(stores, key, "2"), record("FAIL", build="FAIL"))
    judge(stores, hand_in(stores, key, "3"), record("FAIL", docs="FAIL", build="FAIL"))
    assert runs(stores, key) == {"build": 3, "docs": 1}
    assert cell(stores, key).fails[0].criterion == "what build asks for"


def test_the_longest_run_stands_first_whatever_it_is_called(stores: Stores, key: FeedbackKey) -> None:
    judge(stores, hand_in(stores, key, "1"), record("FAIL", docs="FAIL"))
    judge(stores, hand_in(stores, key, "2"), record("FAIL", docs="FAIL", build="FAIL"))
    assert [(run.rubric_id, run.hand_ins) for run in cell(stores, key).fails] == [("docs", 2), ("build", 1)]


def test_a_learner_was_seen_last_at_the_last_of_all_moments(stores: Stores, key: FeedbackKey) -> None:
    hand_in(stores, key)
    asked = question(stores, talk(stores, key))
    assert read(stores).last_seen == {key.learner_id: asked.started_at}
    later = hand_in(stores, replace(key, task_id="second"))
    assert read(stores).last_seen == {key.learner_id: later.handed_in_at}


def test_a_hand_in_that_nobody_judged_neither_counts_nor_breaks_a_run(stores: Stores, key: FeedbackKey) -> None:
    judge(stores, hand_in(stores, key, "1"), FAILED)
    hand_in(stores, key, "2")
    attempt = begin_review(stores, hand_in(stores, key, "3"))
    stores.reviews.finish(LOCAL_VIEWER, attempt.attempt_id, OutcomeKind.UNAVAILABLE, fault="provider_down")
    judge(stores, hand_in(stores, key, "4"), FAILED)
    assert runs(stores, key) == {"docs": 2}


def test_an_older_hand_in_counts_as_it_was_judged_last_and_by_whatever_rules(stores: Stores, key: FeedbackKey) -> None:
    older = hand_in(stores, key, "1")
    judge(stores, older, FAILED)
    judge(stores, older, record(), versions=OTHERS[1])
    judge(stores, hand_in(stores, key, "2"), FAILED)
    assert runs(stores, key) == {"docs": 1}
    judge(stores, older, FAILED, versions=OTHERS[2])
    assert runs(stores, key) == {"docs": 2}


def test_of_the_newest_hand_in_what_counts_now_counts_whatever_other_rules_said_later(
    stores: Stores, key: FeedbackKey
) -> None:
    newest = hand_in(stores, key)
    judge(stores, newest, FAILED)
    judge(stores, newest, record("FAIL", build="FAIL"), versions=OTHERS[1])
    assert runs(stores, key) == {"docs": 1}


def test_other_words_make_it_another_criterion(stores: Stores, key: FeedbackKey) -> None:
    reworded = tuple(replace(line, text="other words") if line.rubric_id == "docs" else line for line in CRITERIA)
    stores.courses.keep_rubric(LOCAL_VIEWER, key.project_id, key.task_id, "other", reworded)
    judge(stores, hand_in(stores, key, "1"), record("FAIL", docs="FAIL", build="FAIL"), versions=OTHERS[0])
    judge(stores, hand_in(stores, key, "2"), record("FAIL", docs="FAIL", build="FAIL"))
    assert runs(stores, key) == {"build": 2, "docs": 1}


def test_a_learning_criterion_is_no_run(stores: Stores, key: FeedbackKey) -> None:
    judge(stores, hand_in(stores, key, "1"), record("FAIL", docs="FAIL", reflection="FAIL"))
    assert runs(stores, key) == {"docs": 1}


def test_questions_count_by_the_hand_in_their_request_spoke_of_and_a_retry_is_no_other(
    stores: Stores, key: FeedbackKey
) -> None:
    hand_in(stores, key, "1")
    hand_in(stores, key, "2")
    conversation = talk(stores, key)
    for seq in (1, 2, 2):
        turn = question(stores, conversation)
        spoken = replace(FACTS, feedback=replace(FACTS.feedback, submission_seq=seq))
        stores.sessions.keep_receipt(LOCAL_VIEWER, receipt_of(turn, facts=spoken))
        fail(stores, turn)
    again, _ = stores.sessions.retry_turn(LOCAL_VIEWER, turn.turn_id, LEASE)
    stores.sessions.keep_receipt(LOCAL_VIEWER, receipt_of(again, facts=spoken))
    question(stores, conversation)
    assert cell(stores, key).turns == 2


def test_questions_before_anything_is_handed_in_count_too(stores: Stores, key: FeedbackKey) -> None:
    turn = question(stores, talk(stores, key))
    spoken = replace(FACTS, feedback=replace(FACTS.feedback, submission_seq=None))
    stores.sessions.keep_receipt(LOCAL_VIEWER, receipt_of(turn, facts=spoken))
    seen = cell(stores, key)
    assert (seen.state, seen.turns, seen.hand_ins) == (FeedbackState.NONE, 1, 0)
    assert key.learner_id in read(stores).last_seen


def test_the_criteria_that_count_now_are_listed_in_the_authors_order(stores: Stores, key: FeedbackKey) -> None:
    judge(stores, hand_in(stores, key, "1"))
    judge(stores, hand_in(stores, key, "2"), FAILED)
    course_id = stores.courses.courses(LOCAL_VIEWER)[0].course_id
    lines = stores.boards.results(LOCAL_VIEWER, course_id, LOGIC)
    assert [(line.result.rubric_id, str(line.result.status), line.kind) for line in lines] == [
        ("tests", "PASS", CriterionKind.ACCEPTANCE),
        ("build", "PASS", CriterionKind.ACCEPTANCE),
        ("reflection", "PASS", CriterionKind.LEARNING),
        ("docs", "FAIL", CriterionKind.ACCEPTANCE),
    ]
    assert {(line.submission_seq, line.attempt_seq, line.learner_id) for line in lines} == {(2, 1, key.learner_id)}


def test_a_course_that_is_not_there_is_not_found(stores: Stores, key: FeedbackKey) -> None:
    with pytest.raises(NotFound):
        stores.boards.read(LOCAL_VIEWER, "nowhere", LOGIC)


def test_a_changed_rubric_makes_the_cell_stale(stores: Stores, key: FeedbackKey) -> None:
    judge(stores, hand_in(stores, key))
    task = replace(TASK, criteria=(*CRITERIA, criterion("more")))
    project = replace(COURSE.projects[0], tasks=(task, *COURSE.projects[0].tasks[1:]))
    stores.courses.keep_course(LOCAL_VIEWER, replace(COURSE, projects=(project, COURSE.projects[1])))
    assert cell(stores, key).state is FeedbackState.STALE_RULES


def test_what_was_erased_is_no_judgement_any_more(stores: Stores, key: FeedbackKey) -> None:
    judge(stores, hand_in(stores, key), FAILED)
    stores.work.erase_person(LOCAL_VIEWER, key.learner_id)
    seen = cell(stores, key)
    assert (seen.state, seen.verdict, seen.fails) == (FeedbackState.INVALID, None, ())


def test_a_board_that_is_kept_is_given_to_nobody_else_and_for_no_other_course(stores: Stores, key: FeedbackKey) -> None:
    boards = Boards(store=stores.boards, logic=LOGIC, reads=ReadCache(lambda: 1))
    course = stores.courses.courses(LOCAL_VIEWER)[0]
    other = stores.courses.keep_course(LOCAL_VIEWER, replace(COURSE, course_id="other"))
    kept = boards.board(LOCAL_VIEWER, course.course_id, DEFAULT_STUCK, NOON)
    assert boards.board(LOCAL_VIEWER, course.course_id, DEFAULT_STUCK, NOON + timedelta(seconds=59)) is kept
    assert boards.board(LOCAL_VIEWER, course.course_id, DEFAULT_STUCK, NOON + timedelta(seconds=60)) is not kept
    assert [row.name for row in kept.rows] == ["Ada"]
    assert boards.board(LOCAL_VIEWER, other.course_id, DEFAULT_STUCK, NOON).rows == ()
    ada = Viewer(kind=ViewerKind.STUDENT, person_id="ada", learner_ids=frozenset({key.learner_id}))
    elsewhere = Viewer(
        kind=ViewerKind.TEACHER,
        person_id="t",
        project_ids=frozenset(project.project_id for project in other.projects),
    )
    for viewer in (ada, elsewhere):
        with pytest.raises(AccessDenied):
            boards.board(viewer, course.course_id, DEFAULT_STUCK, NOON)
