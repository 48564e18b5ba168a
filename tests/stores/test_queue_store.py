"""The queue holds what the selector says needs a person, of the newest submissions alone, and nothing else."""

from dataclasses import replace
from random import Random

import pytest

from engine.domain.keys import FeedbackKey, ReviewLogic
from engine.domain.people import LOCAL_VIEWER
from engine.domain.states import CriterionStatus, FeedbackState, OutcomeKind
from engine.domain.work import Submission
from engine.errors import NotFound
from engine.feedback.selector import select_feedback
from engine.review.queue_store import QueueItem, Waiting
from tests.stores.builders import VERSIONS, Stores, begin_review, enrol, hand_in, judge, record, record_lines

LOGIC = ReviewLogic(prompt=VERSIONS.prompt, engine=VERSIONS.engine)
OLDER = replace(VERSIONS, engine="review-0")
OPEN = {"tests": "NEED_REVIEW", "reflection": "NEED_REVIEW"}


def waiting(stores: Stores, key: FeedbackKey) -> list[QueueItem]:
    return list(stores.queue.waiting(LOCAL_VIEWER, LOGIC, (key.project_id,)))


def needs_a_person(stores: Stores, submission: Submission, **statuses: str) -> None:
    judge(stores, submission, record("FAIL" if "FAIL" in statuses.values() else "NEED_REVIEW", **statuses))


def decide(stores: Stores, submission: Submission, rubric_id: str, status: str, *, minute: int = 0) -> None:
    """Store an attempt in which a person decided this criterion; the others passed."""
    decided = record("PASS" if status == "PASS" else status, **{rubric_id: status})
    decision = {"by": "Ms Lin", "at": f"2026-03-01T12:{minute:02}:00+00:00", "machine": None}
    decided["criteria"] = [
        {**line, "source": "teacher", "decision": decision, "reason": f"seen {minute}"}
        if line["id"] == rubric_id
        else line
        for line in record_lines(decided)
    ]
    seen = stores.ask("SELECT max(attempt_seq) FROM attempt WHERE submission_id = :id", id=submission.submission_id)
    stores.judgements.decide(
        LOCAL_VIEWER,
        submission.submission_id,
        VERSIONS,
        based_on=None,
        record=decided,
        seen_attempt_seq=int(str(seen[0][0] or 0)),
    )


def told(item: QueueItem) -> tuple[str | None, str, str]:
    return item.waiting, item.submission_id, item.rubric_id


def test_only_acceptance_criteria_that_no_machine_could_decide_wait(stores: Stores, key: FeedbackKey) -> None:
    submission = hand_in(stores, key)
    needs_a_person(stores, submission, **OPEN, docs="FAIL")
    (item,) = waiting(stores, key)
    assert told(item) == (Waiting.JUDGEMENT, submission.submission_id, "tests")
    assert (item.learner_name, item.newest_seq, item.submission_seq) == ("Ada", 1, 1)
    assert item.criterion is not None
    assert item.criterion.text == "what tests asks for"


@pytest.mark.parametrize("status", ["PASS", "FAIL", "NEED_REVIEW"])
def test_what_a_person_decided_waits_no_more_even_if_it_was_left_open(
    stores: Stores, key: FeedbackKey, status: str
) -> None:
    submission = hand_in(stores, key)
    needs_a_person(stores, submission, tests="NEED_REVIEW")
    decide(stores, submission, "tests", status)
    assert waiting(stores, key) == []
    item = stores.queue.one(LOCAL_VIEWER, LOGIC, submission.submission_id, "tests")
    assert item.result is not None
    assert (item.waiting, item.result.status, item.newest_seq) == (None, status, 2)


def test_an_older_submission_and_an_older_attempt_never_wait(stores: Stores, key: FeedbackKey) -> None:
    needs_a_person(stores, hand_in(stores, key), tests="NEED_REVIEW")
    newest = hand_in(stores, key, "print(2)\n")
    assert waiting(stores, key) == []
    needs_a_person(stores, newest, tests="NEED_REVIEW")
    judge(stores, newest)
    assert waiting(stores, key) == []


def test_a_submission_reviewed_by_other_rules_only_does_not_wait(stores: Stores, key: FeedbackKey) -> None:
    judge(stores, hand_in(stores, key), record("NEED_REVIEW", tests="NEED_REVIEW"), OLDER)
    assert waiting(stores, key) == []


def test_a_report_waits_until_a_person_decides_and_again_when_that_is_reported(
    stores: Stores, key: FeedbackKey
) -> None:
    submission = hand_in(stores, key)
    judge(stores, submission)
    stores.desk.report(LOCAL_VIEWER, submission.submission_id, "docs", "it is there", seen_attempt_seq=1)
    (item,) = waiting(stores, key)
    assert (item.waiting, item.rubric_id, item.dispute and item.dispute.text) == ("dispute", "docs", "it is there")
    decide(stores, submission, "docs", "FAIL", minute=1)
    assert waiting(stores, key) == []
    stores.desk.report(LOCAL_VIEWER, submission.submission_id, "docs", "it still is", seen_attempt_seq=2)
    assert [item.dispute and item.dispute.text for item in waiting(stores, key)] == ["it still is"]


def test_a_later_machine_review_answers_no_report(stores: Stores, key: FeedbackKey) -> None:
    submission = hand_in(stores, key)
    judge(stores, submission)
    stores.desk.report(LOCAL_VIEWER, submission.submission_id, "docs", "it is there", seen_attempt_seq=1)
    judge(stores, submission)
    assert [item.waiting for item in waiting(stores, key)] == [Waiting.DISPUTE]


def test_the_longest_waiting_comes_first(stores: Stores, key: FeedbackKey) -> None:
    others = [enrol(stores, name) for name in ("Bob", "Eve", "Zoe")]
    submissions = [hand_in(stores, other) for other in others]
    for submission in reversed(submissions):
        needs_a_person(stores, submission, tests="NEED_REVIEW")
    ids = [item.submission_id for item in waiting(stores, key)]
    assert ids == [submission.submission_id for submission in reversed(submissions)]


def test_what_waits_since_its_review_or_its_report_stands_by_that_and_not_by_its_hand_in(
    stores: Stores, key: FeedbackKey
) -> None:
    first, second = hand_in(stores, key), hand_in(stores, enrol(stores, "Bob"))
    needs_a_person(stores, second, tests="NEED_REVIEW")
    needs_a_person(stores, first, tests="NEED_REVIEW", docs="FAIL")
    assert [item.submission_id for item in waiting(stores, key)] == [second.submission_id, first.submission_id]
    stores.desk.report(LOCAL_VIEWER, second.submission_id, "tests", "it is there", seen_attempt_seq=1)
    made = stores.desk.report(LOCAL_VIEWER, second.submission_id, "tests", "look again", seen_attempt_seq=1)
    last = waiting(stores, key)[-1]
    assert (last.submission_id, last.since) == (second.submission_id, made.made_at)
    assert last.dispute == made


def test_the_reasons_used_most_are_offered_once_each(stores: Stores, key: FeedbackKey) -> None:
    for minute in (1, 2, 2, 3, 3, 3, 4):
        submission = hand_in(stores, key, f"print({stores.ask('SELECT count(*) FROM submission')[0][0]})\n")
        judge(stores, submission)
        decide(stores, submission, "docs", "PASS", minute=minute)
    assert stores.queue.reasons(LOCAL_VIEWER, key.project_id, key.task_id, "docs") == ("seen 3", "seen 2", "seen 1")
    assert stores.queue.reasons(LOCAL_VIEWER, key.project_id, key.task_id, "tests") == ()


def test_nothing_in_force_is_told_as_not_found(stores: Stores, key: FeedbackKey) -> None:
    submission = hand_in(stores, key)
    with pytest.raises(NotFound):
        stores.queue.one(LOCAL_VIEWER, LOGIC, submission.submission_id, "tests")


def _expected(stores: Stores, key: FeedbackKey) -> set[tuple[str | None, str, str]]:
    """What the contract says of one key, read by the contract's own store and selector."""
    feedback = select_feedback(stores.feedback.read_newest(LOCAL_VIEWER, key, VERSIONS))
    if feedback.submission is None:
        return set()
    submission_id = feedback.submission.submission_id
    match feedback.state:
        case FeedbackState.UNAVAILABLE:
            return {(Waiting.UNAVAILABLE, submission_id, "")}
        case FeedbackState.INVALID:
            return {(Waiting.FAULTY, submission_id, "")}
        case _:
            return {
                (Waiting.JUDGEMENT, submission_id, item.rubric_id)
                for item in feedback.items
                if item.status is CriterionStatus.NEED_REVIEW and item.source != "teacher"
            }


def _happens(stores: Stores, key: FeedbackKey, random: Random) -> None:
    """One thing that can happen to a submission: judged, faulty, unavailable, by older rules, decided, begun."""
    submission = hand_in(stores, key, f"print({random.random()})\n", order_known=random.random() < 0.9)
    for _attempt in range(random.randrange(1, 4)):
        statuses = {name: random.choice(["PASS", "FAIL", "NEED_REVIEW"]) for name in ("tests", "build", "reflection")}
        counted = {statuses["tests"], statuses["build"]}
        verdict = next(word for word in ("FAIL", "NEED_REVIEW", "PASS") if word in counted)
        match random.randrange(9):
            case 0:
                begin_review(stores, submission)
            case 1:
                attempt = begin_review(stores, submission)
                stores.reviews.finish(LOCAL_VIEWER, attempt.attempt_id, OutcomeKind.UNAVAILABLE, fault="timed_out")
            case 2:
                judge(stores, submission, {"verdict": "PASS"})
            case 3:
                judge(stores, submission, record(verdict, **statuses), OLDER)
            case 4:
                decide(stores, submission, "tests", random.choice(["PASS", "FAIL", "NEED_REVIEW"]))
            case _:
                judge(stores, submission, record(verdict, **statuses))


@pytest.mark.parametrize("seed", range(2))
def test_the_queue_agrees_with_the_selector_whatever_happened(stores: Stores, seed: int) -> None:
    random = Random(seed)  # noqa: S311 - events of a test
    keys = [enrol(stores, f"student {number}") for number in range(16)]
    for key in keys:
        for _submission in range(random.randrange(3)):
            _happens(stores, key, random)
    found = {told(item) for item in waiting(stores, keys[0])}
    assert found == set().union(*(_expected(stores, key) for key in keys))
    assert len({kind for kind, *_where in found}) >= 2
