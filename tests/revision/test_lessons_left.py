"""No version is left behind by a process that ended too early, and none is learned from twice."""

import threading
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from engine.domain.artifact import ArtifactVersion, NewVersion, VersionAuthor, VersionReason
from engine.domain.clock import utc_now
from engine.domain.learning import Learning, LearningState
from engine.domain.people import LOCAL_VIEWER, Owned, Viewer, ViewerKind
from engine.llm.scripted import Reply, ScriptedTransport
from engine.revision.style.learner import MOST_RETRIED
from engine.revision.style.lesson_store import LEARNED_WITHIN
from engine.wiring import build_space
from tests.conftest import Ticking
from tests.llm.calls import gateway
from tests.revision.studio import Studio, opened_studio
from tests.revision.test_learner import LIVELY, PLAIN, QUICK
from tests.revision.two_learners import die_learning, learn_with
from tests.stress.processes import fresh_processes

NOTHING = '{"change": "fact", "rules": []}'


def _left(studio: Studio) -> list[str]:
    return [one.version_id for one in studio.space.preferences.lessons.waiting(LOCAL_VIEWER, studio.owned)]


def _tries(studio: Studio) -> tuple[Learning, ...]:
    assert studio.persona is not None
    return studio.space.preferences.personas.learnings(LOCAL_VIEWER, studio.persona.persona_id)


def _unlearned(studio: Studio, *, body: str = LIVELY) -> ArtifactVersion:
    """A version that was saved by a process which ended before it handed it over."""
    return studio.change(studio.begin(PLAIN)[1], body, learn=False)


def _teacher(studio: Studio) -> Viewer:
    return Viewer(kind=ViewerKind.TEACHER, person_id="t", project_ids=frozenset({studio.owned.project_id or ""}))


def test_a_version_whose_process_ended_before_learning_is_learned_from_after_the_next_change(studio: Studio) -> None:
    left = _unlearned(studio)
    assert _left(studio) == [left.version_id]
    next_one = studio.edit("It starts at 9.\n", "It starts at 10.\n")
    assert _left(studio) == []
    assert {one.version_id: one.number for one in _tries(studio)} == {left.version_id: 1, next_one.version_id: 1}
    assert "emoji more" in studio.states()


def test_after_one_change_only_a_few_that_were_left_are_tried_the_oldest_first(studio: Studio) -> None:
    left = [_unlearned(studio).version_id for _ in range(MOST_RETRIED + 2)]
    studio.edit(PLAIN, LIVELY)
    assert _left(studio) == left[MOST_RETRIED:]
    studio.edit(PLAIN, LIVELY)
    assert _left(studio) == []


def test_what_teaches_nothing_is_not_left(studio: Studio, clock: Ticking) -> None:
    old = _unlearned(studio)
    clock.now += LEARNED_WITHIN
    first = studio.begin("A text.\n")[1]
    second = studio.change(first, "Another.\n", learn=False)
    studio.space.artifacts.restore(LOCAL_VIEWER, first.artifact_id, first.version_id, VersionAuthor.STUDENT)
    assert _left(studio) == [second.version_id]
    assert old.version_id not in _left(studio)
    studio.space.work.erase_person(LOCAL_VIEWER, studio.owned.learner_id or "")
    assert _left(studio) == []


def test_what_a_teacher_asked_for_in_a_students_text_is_never_learned_as_the_students(studio: Studio) -> None:
    base = studio.begin("One.\n")[1]
    new = NewVersion(
        title="T",
        body="Two.\n",
        author=VersionAuthor.MODEL,
        reason=VersionReason.ASKED,
        note="from now on, no headings",
    )
    studio.space.artifacts.save(_teacher(studio), base.artifact_id, base.version_id, new)
    assert _left(studio) == []
    studio.edit("It starts at 9.\n", "It starts at 10.\n")
    assert studio.rules == ()


def test_what_a_teacher_changed_in_a_text_of_the_teachers_is_left_like_any_other(studio: Studio) -> None:
    teachers = Owned(learner_id=None, project_id=studio.owned.project_id)
    mine = Studio(space=studio.space, owned=teachers)
    base = mine.begin("One.\n")[1]
    new = NewVersion(title="T", body="Two.\n", author=VersionAuthor.TEACHER, reason=VersionReason.EDITED)
    left = studio.space.artifacts.save(_teacher(studio), base.artifact_id, base.version_id, new).version
    assert _left(mine) == [left.version_id]
    assert _left(studio) == []


def test_what_is_left_can_be_tried_at_once(studio: Studio) -> None:
    left = [_unlearned(studio).version_id for _ in range(2)]
    learner, worker = studio.space.preferences.learner, studio.space.worker
    learner.try_now(LOCAL_VIEWER, studio.owned, wait_s=20)
    assert left[0] not in _left(studio)
    worker.close()
    assert _left(studio) == []
    learner.try_now(LOCAL_VIEWER, studio.owned, wait_s=20)
    assert [one.number for one in _tries(studio)] == [1, 1]


def test_a_version_that_is_being_learned_from_is_left_alone_by_whoever_comes_meanwhile(
    tmp_path: Path, migrated_file: Path, clock: Ticking
) -> None:
    inside, go_on = threading.Event(), threading.Event()

    def answer(_request: dict[str, object]) -> Reply:
        inside.set()
        go_on.wait(20)
        return NOTHING

    transport = ScriptedTransport(answer)
    with opened_studio(tmp_path, migrated_file, gateway(transport), clock) as studio:
        version = _unlearned(studio)
        learner, lessons = studio.space.preferences.learner, studio.space.preferences.lessons
        first = threading.Thread(target=learner.learn, args=(LOCAL_VIEWER, version.artifact_id, version.version_id))
        first.start()
        assert inside.wait(20)
        assert [one.is_under_way for one in lessons.waiting(LOCAL_VIEWER, studio.owned)] == [True]
        learner.learn(LOCAL_VIEWER, version.artifact_id, version.version_id)
        go_on.set()
        first.join()
        assert len(transport.requests) == 1
        assert [(one.state, one.number) for one in _tries(studio)] == [(LearningState.DONE, 1)]


def test_two_processes_that_learn_from_one_version_at_one_time_learn_once(
    tmp_path: Path, migrated_file: Path, clock: Ticking
) -> None:
    with opened_studio(tmp_path, migrated_file, gateway(ScriptedTransport([])), utc_now) as studio:
        version = _unlearned(studio)
        processes = fresh_processes()
        together = processes.Barrier(2)
        url = f"sqlite:///{tmp_path / 'studio.db'}"
        both = [
            processes.Process(target=learn_with, args=(url, version.artifact_id, version.version_id, together))
            for _ in range(2)
        ]
        for each in both:
            each.start()
        for each in both:
            each.join(60)
        assert [each.exitcode for each in both] == [0, 0]
        with studio.space.database.connect() as connection:
            assert connection.execute(text("SELECT count(*) FROM model_call")).scalar_one() == 1
            assert connection.execute(text("SELECT state, number FROM learning_attempt")).all() == [("done", 1)]
            assert connection.execute(text("SELECT count(*) FROM lease")).scalar_one() == 0


def test_a_process_killed_while_it_learns_leaves_a_failed_try_which_is_made_again(
    tmp_path: Path, migrated_file: Path
) -> None:
    url = f"sqlite:///{tmp_path / 'studio.db'}"
    with opened_studio(tmp_path, migrated_file, gateway(ScriptedTransport([])), utc_now) as studio:
        version = _unlearned(studio)
    killed = fresh_processes().Process(target=die_learning, args=(url, version.artifact_id, version.version_id))
    killed.start()
    killed.join(60)
    assert killed.exitcode == -9
    later = build_space(
        url,
        gateway(ScriptedTransport([NOTHING] * 2), limits=QUICK),
        clock=lambda: utc_now() + timedelta(minutes=1),
    )
    try:
        again = Studio(space=later, owned=studio.owned, texts=studio.texts)
        assert later.worker.recover() == 1
        assert [(one.state, one.fault) for one in _tries(again)] == [(LearningState.FAILED, "interrupted")]
        again.edit("It starts at 9.\n", "It starts at 10.\n")
        assert [(one.state, one.number) for one in _tries(again) if one.version_id == version.version_id] == [
            (LearningState.DONE, 2)
        ]
        assert later.worker.recover() == 0
    finally:
        later.close()


@pytest.mark.parametrize("lesson", ["learn:none", "none"])
def test_a_lesson_of_a_version_that_is_not_there_ends_without_a_word(studio: Studio, lesson: str) -> None:
    studio.space.preferences.learner.interrupt(lesson)
    assert studio.persona is None
