"""Answers are given again while nothing is committed, and never once something is."""

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import event

from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER, NOBODY
from engine.domain.states import FeedbackState, FileKind, OutcomeKind
from engine.domain.work import take_snapshot
from engine.errors import AccessDenied
from engine.llm.offline import offline_gateway
from engine.read_cache import ReadCache
from engine.wiring import Space, build_space
from tests.stores.builders import COURSE, LEASE, file, snapshot

HAND_IN_ELSEWHERE = """
import sys
from uuid import uuid4
from db.connection import connect
from engine.domain.clock import utc_now
from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER
from engine.domain.work import Snapshot
from engine.work.work_store import WorkStore
work = WorkStore(connect(sys.argv[1]), clock=utc_now, new_id=lambda: str(uuid4()))
key = FeedbackKey(learner_id=sys.argv[2], project_id=sys.argv[3], task_id=sys.argv[4])
for line in sys.stdin:
    work.hand_in(LOCAL_VIEWER, key, Snapshot(snapshot_hash="0" * 64, files=()))
    print(line, end="", flush=True)
"""


@pytest.fixture
def space(tmp_path: Path) -> Iterator[Space]:
    made = build_space(f"sqlite:///{tmp_path / 'one.db'}", offline_gateway())
    made.courses.keep_course(LOCAL_VIEWER, COURSE)
    yield made
    made.close()


@pytest.fixture
def key(space: Space) -> FeedbackKey:
    (course,) = space.courses.courses(LOCAL_VIEWER)
    learner = space.courses.add_learner(LOCAL_VIEWER, "Ada", course_id=course.course_id)
    project = course.projects[0]
    return FeedbackKey(learner_id=learner.learner_id, project_id=project.project_id, task_id=project.tasks[0].task_id)


def statements(space: Space) -> list[str]:
    heard: list[str] = []

    def hear(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        heard.append(statement)

    event.listen(space.database, "before_cursor_execute", hear)
    return heard


def newest(space: Space, key: FeedbackKey) -> int:
    """The submission that a page would show, by both ways in which it learns of it."""
    shown = space.tutor.current_feedback(LOCAL_VIEWER, key).submission
    (first, *_) = space.cards.timeline(LOCAL_VIEWER, key) or (None,)
    assert (first.row.submission if first else None) == shown
    return shown.submission_seq or 0 if shown else 0


def test_what_is_asked_again_is_not_read_again(space: Space, key: FeedbackKey) -> None:
    space.work.hand_in(LOCAL_VIEWER, key, snapshot("one"))
    assert newest(space, key) == 1
    heard = statements(space)
    assert newest(space, key) == 1
    assert heard == []


def test_what_another_process_hands_in_is_seen_at_once(space: Space, key: FeedbackKey) -> None:
    arguments = [space.database.url.render_as_string(hide_password=False), key.learner_id, key.project_id, key.task_id]
    with subprocess.Popen(
        [sys.executable, "-c", HAND_IN_ELSEWHERE, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdin
        assert other.stdout
        for number in range(1, 21):
            other.stdin.write(f"{number}\n")
            other.stdin.flush()
            assert other.stdout.readline() == f"{number}\n"
            assert newest(space, key) == number
        other.stdin.close()
    assert other.returncode == 0


def test_while_others_write_nobody_sees_less_than_was_committed_before_asking(space: Space, key: FeedbackKey) -> None:
    committed = [0]

    def write() -> None:
        for number in range(1, 41):
            space.work.hand_in(LOCAL_VIEWER, key, snapshot(str(number)))
            committed[0] = number

    def look() -> list[tuple[int, int]]:
        looked = []
        while committed[0] < 40:
            before = committed[0]
            shown = space.tutor.current_feedback(LOCAL_VIEWER, key).submission
            looked.append((before, (shown.submission_seq or 0) if shown else 0))
        return looked

    with ThreadPoolExecutor(4) as pool:
        looking = [pool.submit(look) for _ in range(3)]
        pool.submit(write).result()
        seen = [pair for each in looking for pair in each.result()]
    assert seen
    assert [pair for pair in seen if pair[1] < pair[0]] == []


def test_an_outcome_and_a_change_of_the_rules_reach_the_cards(space: Space, key: FeedbackKey) -> None:
    submission, _ = space.work.hand_in(LOCAL_VIEWER, key, snapshot("one"))
    rules = space.reviewer.versions_in_force(LOCAL_VIEWER, key.project_id, key.task_id)
    attempt = space.reviews.start_attempt(LOCAL_VIEWER, submission.submission_id, rules, model=None, lease=LEASE)
    assert space.cards.one(LOCAL_VIEWER, submission.submission_id, 1).state is FeedbackState.PENDING
    space.reviews.finish(LOCAL_VIEWER, attempt.attempt_id, OutcomeKind.UNAVAILABLE, fault="timed_out")
    assert space.cards.one(LOCAL_VIEWER, submission.submission_id, 1).state is FeedbackState.UNAVAILABLE


def test_a_note_on_the_environment_is_gone_once_its_writer_is_erased(space: Space, key: FeedbackKey) -> None:
    handed_in = take_snapshot((replace(file("os: Debian"), kind=FileKind.ENVIRONMENT),))
    submission, _ = space.work.hand_in(LOCAL_VIEWER, key, handed_in)
    assert space.work.environment_notes(LOCAL_VIEWER, submission.submission_id) == ("os: Debian",)
    heard = statements(space)
    assert space.work.environment_notes(LOCAL_VIEWER, submission.submission_id) == ("os: Debian",)
    assert heard == []
    space.work.erase_person(LOCAL_VIEWER, key.learner_id)
    assert space.work.environment_notes(LOCAL_VIEWER, submission.submission_id) == ("",)


def test_nobody_is_given_what_somebody_else_asked_for(space: Space, key: FeedbackKey) -> None:
    space.cards.timeline(LOCAL_VIEWER, key)
    space.courses.courses(LOCAL_VIEWER)
    with pytest.raises(AccessDenied):
        space.cards.timeline(NOBODY, key)
    with pytest.raises(AccessDenied):
        space.reviews.timeline(NOBODY, key)
    assert space.courses.courses(NOBODY) == ()


def test_an_answer_that_was_read_while_something_was_committed_is_read_once_more() -> None:
    marks, reads = [1], ["old"]
    cache = ReadCache(lambda: marks[0])

    def read() -> str:
        answer = reads[0]
        marks[0], reads[0] = 2, "new"  # committed after the answer was read, before it is kept
        return answer

    assert cache.get("question", read) == "old"
    assert cache.get("question", lambda: reads[0]) == "new"


def test_without_a_mark_everything_is_read() -> None:
    answers = iter("ab")
    cache = ReadCache(lambda: None)
    assert [cache.get("question", lambda: next(answers)) for _ in range(2)] == ["a", "b"]


def test_what_is_raised_is_not_kept() -> None:
    cache = ReadCache(lambda: 1)
    with pytest.raises(ZeroDivisionError):
        cache.get("question", lambda: 1 // 0)
    assert cache.get("question", lambda: 7) == 7


STEPS = st.lists(st.one_of(st.just("commit"), st.integers(0, 4)), max_size=40)


@settings(max_examples=150)
@given(steps=STEPS, at_most=st.integers(1, 6))
def test_law_every_answer_is_that_of_the_moment_however_few_are_kept(steps: list[str | int], at_most: int) -> None:
    moment = [0]
    cache = ReadCache(lambda: moment[0], at_most=at_most)
    for step in steps:
        if step == "commit":
            moment[0] += 1
        else:
            now = (step, moment[0])
            assert cache.get(step, partial(tuple, now)) == now


def test_the_answer_not_asked_for_the_longest_goes_first() -> None:
    cache = ReadCache(lambda: 1, at_most=2)
    for question in ("a", "b", "a", "c"):
        cache.get(question, lambda: "first")
    assert [cache.get(question, lambda: "again") for question in ("a", "c", "b")] == ["first", "first", "again"]
