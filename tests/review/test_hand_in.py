from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from engine.courses.templates import general_project
from engine.domain.keys import Versions
from engine.domain.people import LOCAL_VIEWER, Viewer, ViewerKind
from engine.domain.review import Attempt
from engine.domain.running import Lease
from engine.domain.session import Message
from engine.domain.states import AttemptOrigin, FeedbackState, Language
from engine.domain.work import Provenance
from engine.errors import AccessDenied, StoreError
from engine.llm.models import Models
from engine.llm.offline import offline_gateway
from engine.review.hand_in import HandedIn, HandInDesk, read_note
from engine.review.review_store import ReviewStore
from engine.review.reviewer import Reviewer
from engine.review.version import review_logic
from engine.sessions.session_store import SessionStore
from engine.wiring import new_id
from tests.review.desk import GOOD, Desk, opened_desk, work_of


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with opened_desk(tmp_path) as opened:
        yield opened


def test_a_hand_in_is_a_submission_and_a_review_of_it(desk: Desk) -> None:
    handed_in = desk.hand_in(GOOD)
    assert (handed_in.submission.submission_seq, handed_in.submission.version_number) == (1, 1)
    assert handed_in.attempt is not None and handed_in.attempt.submission_id == handed_in.submission.submission_id
    assert desk.card().state is FeedbackState.PASSED
    stored = desk.space.work.snapshot(LOCAL_VIEWER, handed_in.submission.submission_id)
    assert {file.path: file.body for file in stored.files} == GOOD
    assert stored.snapshot_hash == handed_in.submission.snapshot_hash


def test_the_same_form_twice_is_one_submission_and_one_review(desk: Desk) -> None:
    conversation = desk.space.sessions.open_conversation(LOCAL_VIEWER, desk.key).conversation_id
    first = desk.hand_in(GOOD, token="form", conversation_id=conversation)
    second = desk.hand_in({"other.py": "2"}, token="form", conversation_id=conversation)
    assert second.submission == first.submission and second.attempt is None
    assert len(desk.rows()) == 1
    assert desk.space.sessions.entries(LOCAL_VIEWER, conversation, last=9)[1] == 0
    assert len(desk.space.sessions.entries(LOCAL_VIEWER, conversation, last=9)[0]) == 1


class Breaking:
    """A step that fails the first time, as a database that cannot do it just then."""

    def __init__(self, calls: int = 0) -> None:
        self.calls = calls

    def __call__(self) -> None:
        self.calls += 1
        if self.calls == 1:
            raise StoreError("the database cannot do this now")


class BreakingSessions(SessionStore):
    breaks: Breaking

    def add_note(self, viewer: Viewer, conversation_id: str, note: str) -> None:
        self.breaks()
        super().add_note(viewer, conversation_id, note)


class BreakingReviews(ReviewStore):
    breaks: Breaking

    def start_next_attempt(
        self, viewer: Viewer, submission_id: str, versions: Versions, *, model: str | None, lease: Lease, after: int
    ) -> Attempt | None:
        self.breaks()
        return super().start_next_attempt(viewer, submission_id, versions, model=model, lease=lease, after=after)


@pytest.mark.parametrize("step", ["note", "review"])
def test_the_same_form_goes_on_where_the_first_time_broke_off(desk: Desk, step: str) -> None:
    space, breaks = desk.space, Breaking()
    sessions = BreakingSessions(space.database, clock=desk.clock, new_id=new_id)
    reviews = BreakingReviews(space.database, clock=desk.clock, new_id=new_id)
    sessions.breaks = breaks if step == "note" else Breaking(calls=1)
    reviews.breaks = breaks if step == "review" else Breaking(calls=1)
    models = Models.of(offline_gateway(delay_s=0))
    reviewer = Reviewer(
        courses=space.courses,
        work=space.work,
        reviews=reviews,
        leases=space.leases,
        logic=review_logic(),
        models=models,
        calls=space.calls,
        judgements=space.judgements,
    )
    breaking = HandInDesk(courses=space.courses, work=space.work, sessions=sessions, reviewer=reviewer)
    conversation = space.sessions.open_conversation(LOCAL_VIEWER, desk.key).conversation_id

    def click() -> HandedIn:
        return breaking.hand_in(
            LOCAL_VIEWER, desk.key, work_of(GOOD), token="t", worker=space.worker, conversation_id=conversation
        )

    with pytest.raises(StoreError):
        click()
    assert [row.attempt for row in desk.rows()] == [None]
    resumed, again = click(), click()
    assert resumed.attempt is not None and again.attempt is None
    assert resumed.submission == again.submission
    space.worker.wait(resumed.attempt.attempt_id, timeout_s=20)
    assert [row.attempt for row in desk.rows()] == [resumed.attempt]
    assert desk.card().state is FeedbackState.PASSED
    entries, _older = space.sessions.entries(LOCAL_VIEWER, conversation, last=9)
    assert len(entries) == 1


def test_the_same_work_by_another_form_is_another_submission_with_a_review_of_its_own(desk: Desk) -> None:
    first, second = desk.hand_in(GOOD, token="one"), desk.hand_in(GOOD, token="two")
    assert (first.submission.submission_seq, second.submission.submission_seq) == (1, 2)
    assert first.submission.snapshot_hash == second.submission.snapshot_hash
    assert [row.submission.submission_seq for row in desk.rows() if row.outcome] == [2, 1]


def test_the_conversation_is_told_by_a_row_that_no_model_is_sent(desk: Desk) -> None:
    conversation = desk.space.sessions.open_conversation(LOCAL_VIEWER, desk.key).conversation_id
    handed_in = desk.hand_in(GOOD, conversation_id=conversation)
    ((note,), _) = desk.space.sessions.entries(LOCAL_VIEWER, conversation, last=9)
    assert isinstance(note, Message) and note.turn_id is None
    assert read_note(note.text) == {
        "note": "handed_in",
        "submission_id": handed_in.submission.submission_id,
        "submission_seq": 1,
        "version_number": 1,
    }


@pytest.mark.parametrize("text", ["", "hello", "[1]", "{", "null"])
def test_a_system_row_of_another_kind_is_no_note(text: str) -> None:
    assert read_note(text) == {}


def test_nobody_hands_in_for_somebody_else(desk: Desk) -> None:
    other = Viewer(kind=ViewerKind.STUDENT, person_id="bo", learner_ids=frozenset({"bo"}))
    with pytest.raises(AccessDenied):
        desk.space.desk.hand_in(other, desk.key, work_of(GOOD), token="t", worker=desk.space.worker)
    assert desk.rows() == ()


# My course


def my_courses(desk: Desk) -> list[str]:
    slug_title = {general_project(language).title for language in Language}
    return [course.title for course in desk.space.courses.courses(LOCAL_VIEWER) if course.title in slug_title]


def test_my_course_is_made_once_and_stays_the_same_after_a_language_switch(desk: Desk) -> None:
    key = desk.space.desk.my_course(LOCAL_VIEWER, Language.ZH, "Ada")
    rules = desk.space.reviewer.versions_in_force(LOCAL_VIEWER, key.project_id, key.task_id)
    assert desk.space.desk.my_course(LOCAL_VIEWER, Language.EN, "Ada") == key
    assert desk.space.reviewer.versions_in_force(LOCAL_VIEWER, key.project_id, key.task_id) == rules
    assert my_courses(desk) == [general_project(Language.ZH).title]
    course = desk.space.courses.course_by_slug(LOCAL_VIEWER, "my-course")
    assert course is not None
    assert [one.name for one in desk.space.courses.learners(LOCAL_VIEWER, course.course_id)] == ["Ada"]


def test_work_of_two_people_on_my_course_stays_apart(desk: Desk) -> None:
    ada, bo = (desk.space.desk.my_course(LOCAL_VIEWER, Language.EN, name) for name in ("Ada", "Bo"))
    assert ada.learner_id != bo.learner_id and ada.task_id == bo.task_id and ada.project_id == bo.project_id


@pytest.mark.parametrize("language", Language)
def test_a_first_hand_in_on_my_course_is_reviewed_by_the_general_checks(desk: Desk, language: Language) -> None:
    key = desk.space.desk.my_course(LOCAL_VIEWER, language, "Ada")
    files = work_of({"README.md": "hello", "main.py": "print(1)\n"})
    handed_in = desk.space.desk.hand_in(LOCAL_VIEWER, key, files, token="t", worker=desk.space.worker)
    assert handed_in.attempt is not None
    desk.space.worker.wait(handed_in.attempt.attempt_id, timeout_s=20)
    feedback = desk.space.tutor.current_feedback(LOCAL_VIEWER, key)
    assert [(item.rubric_id, str(item.status)) for item in feedback.items] == [
        ("readme-length", "FAIL"),
        ("setup-file", "FAIL"),
        ("tests", "NEED_REVIEW"),
    ]


def test_a_secret_of_a_log_never_reaches_the_database(desk: Desk) -> None:
    secret = "ghp_" + "a1" * 18
    handed_in = desk.hand_in({**GOOD, "ci/build.log": f"start\nexport TOKEN={secret}\nend"})
    stored = desk.space.work.file(LOCAL_VIEWER, handed_in.submission.submission_id, "ci/build.log")
    assert stored.body == "start\nexport TOKEN=[redacted]\nend"
    with desk.space.database.connect() as connection:
        assert not any(secret in body for body in connection.execute(text("SELECT body FROM text")).scalars())


def test_equal_files_of_another_commit_reuse_the_judgement(desk: Desk) -> None:
    came_from = Provenance(address="https://git.example/a/b", wanted="main", commit_id="b" * 40)
    desk.hand_in(GOOD, token="first")
    second = desk.space.desk.hand_in(
        LOCAL_VIEWER, desk.key, work_of(GOOD), token="second", worker=desk.space.worker, provenance=came_from
    )
    assert second.attempt is not None
    assert second.attempt.origin is AttemptOrigin.REUSED
    assert desk.space.work.provenance(LOCAL_VIEWER, second.submission.submission_id) == came_from
