"""The contract's table: the real stores and the real tutor, with a model that only keeps what it was sent."""

import contextlib
import hashlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from types import TracebackType
from typing import Protocol, Self

from engine.courses.course_store import CourseStore
from engine.domain.course import Course, Project
from engine.domain.data_message import DataKind, unwrap
from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER
from engine.domain.review import Attempt
from engine.domain.states import CriterionStatus, FileKind, FileState, Language, OutcomeKind, ReviewFault, TurnState
from engine.domain.work import Submission, WorkFile, take_snapshot
from engine.feedback.validity import ReviewRecord, read_record
from engine.jobs.worker import Worker
from engine.llm.gateway import Gateway
from engine.review.record import write_record
from engine.review.review_store import ReviewStore
from engine.review.version import review_logic
from engine.scenarios.legacy_path import LegacyClient, LegacyReview, LegacyServer
from engine.scenarios.proof import (
    MARKER,
    MARKER_NOT_SENT,
    MARKER_SENT,
    OPENING,
    QUESTION,
    ProofCase,
    ProofRow,
    contents,
    proof_results,
    proof_task,
    scripted_gateway,
    tell_marker,
)
from engine.scenarios.proof_old_path import NewServer, OldScene, goes_on, legacy_review
from engine.sessions.session_store import SessionStore
from engine.tutoring.tutor import Tutor
from engine.work.work_store import WorkStore

TURN_SECONDS = 30.0
"""How long a scripted turn may take before its row says that it has not ended."""
_LONG_QUESTION = "Here is one more line of what I have tried. " * 120
"""Some 1,300 tokens, so that a few turns are more than the history may hold."""
_LONG_TURNS = 4
_LOGIN, _SEARCH = "login", "search"


class Stage(Protocol):
    """What the contract is proved on: everything that works on one database, the worker started."""

    @property
    def courses(self) -> CourseStore:
        """Courses and learners."""

    @property
    def work(self) -> WorkStore:
        """Submissions."""

    @property
    def reviews(self) -> ReviewStore:
        """Attempts and outcomes."""

    @property
    def sessions(self) -> SessionStore:
        """Conversations and turns."""

    @property
    def tutor(self) -> Tutor:
        """Sends the requests."""

    @property
    def worker(self) -> Worker:
        """Runs the turns."""


OpenStage = Callable[[Gateway], AbstractContextManager[Stage]]
"""Opens everything anew, as a fresh process would, on one and the same database."""


def prove_contract(open_stage: OpenStage, new_server: NewServer = LegacyServer) -> Iterator[ProofRow]:
    """Play the contract's rows, each with learners, projects and tasks of its own.

    `new_server` is the old system that the first row compares with.
    """
    for number, case in enumerate(CONTRACT):
        with ContractScene(open_stage, new_server, number) as scene:
            row = case.row(scene)
        yield row


class ContractScene:
    """Two learners, and two projects with two tasks each, of the same names in both."""

    def __init__(self, open_stage: OpenStage, new_server: NewServer, number: int) -> None:
        self._open_stage = open_stage
        self.new_server = new_server
        self._number = number
        self.transport, self._gateway = scripted_gateway()
        self._open = ExitStack()

    def __enter__(self) -> Self:
        self.stage = self._open.enter_context(self._open_stage(self._gateway))
        self._lay_out()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def reload(self) -> None:
        """Close everything and open it again: nothing is left but the database."""
        self._open.close()
        self.stage = self._open.enter_context(self._open_stage(self._gateway))

    def _lay_out(self) -> None:
        tasks = (proof_task(_LOGIN), proof_task(_SEARCH))
        projects = tuple(Project(project_id=slug, title=slug, tasks=tasks) for slug in ("app", "site"))
        course = self.stage.courses.keep_course(
            LOCAL_VIEWER,
            Course(course_id=f"proof-{self._number}", title="Web course", language=Language.EN, projects=projects),
        )
        app, site = (project.project_id for project in course.projects)
        learner, other = (
            self.stage.courses.add_learner(LOCAL_VIEWER, name, course_id=course.course_id).learner_id
            for name in ("learner", "other learner")
        )
        self.key = FeedbackKey(learner_id=learner, project_id=app, task_id=_LOGIN)
        self.of_other_learner = FeedbackKey(learner_id=other, project_id=app, task_id=_LOGIN)
        self.of_other_project = FeedbackKey(learner_id=learner, project_id=site, task_id=_LOGIN)
        self.of_other_task = FeedbackKey(learner_id=learner, project_id=app, task_id=_SEARCH)

    def hand_in(self, text: str = "def login(): ...") -> Submission:
        """Hand in one file."""
        body = text.encode()
        file = WorkFile(
            path="login.py",
            sha256=hashlib.sha256(body).hexdigest(),
            size_bytes=len(body),
            kind=FileKind.WORK,
            state=FileState.TEXT,
            body=text,
        )
        submission, _ = self.stage.work.hand_in(LOCAL_VIEWER, self.key, take_snapshot((file,)))
        return submission

    def hand_in_unreviewed(self) -> None:
        """Hand in something newer and leave it at that."""
        self.hand_in("def login(): return lock()")

    def review(self, submission: Submission, status: CriterionStatus = CriterionStatus.FAIL) -> None:
        """Review a hand-in; the marker stands in the reason unless it passes."""
        given = self.stage.courses.task(LOCAL_VIEWER, self.key.project_id, self.key.task_id)
        self.stage.reviews.finish(
            LOCAL_VIEWER,
            self._begin_review(submission).attempt_id,
            OutcomeKind.COMPLETED,
            record=write_record(proof_results(status), given),
            snapshot_hash=submission.snapshot_hash,
        )

    def fail_to_review(self, submission: Submission) -> None:
        """Begin a review that the service does not finish."""
        attempt_id = self._begin_review(submission).attempt_id
        self.stage.reviews.finish(LOCAL_VIEWER, attempt_id, OutcomeKind.UNAVAILABLE, fault=ReviewFault.PROVIDER_DOWN)

    def _begin_review(self, submission: Submission) -> Attempt:
        given = self.stage.courses.task(LOCAL_VIEWER, self.key.project_id, self.key.task_id)
        versions = review_logic().with_rubric(given.rubric_version)
        return self.stage.reviews.start_attempt(
            LOCAL_VIEWER, submission.submission_id, versions, model=None, lease=self.stage.worker.lease
        )

    def stored_review(self) -> LegacyReview | None:
        """The newest review as the stores hold it, in the old system's form; None if it is not a valid one."""
        newest = self.stage.reviews.timeline(LOCAL_VIEWER, self.key)[0]
        if newest.outcome is None:
            return None
        record = read_record(newest.outcome, newest.rubric, newest.submission)
        if not isinstance(record, ReviewRecord):
            return None
        return legacy_review(record.criteria, record.verdict, record.next_step or "")

    def converse(self, key: FeedbackKey | None = None) -> str:
        """Open a conversation, the learner's own unless another key is named; gives its id."""
        return self.stage.sessions.open_conversation(LOCAL_VIEWER, key or self.key).conversation_id

    def ask(self, conversation_id: str, question: str = QUESTION) -> str:
        """Play one real turn and tell what its request held."""
        turn = self.stage.tutor.send(LOCAL_VIEWER, conversation_id, question, self.stage.worker)
        with contextlib.suppress(TimeoutError):
            self.stage.worker.wait(turn.turn_id, TURN_SECONDS)
        ended = self.stage.sessions.turn(LOCAL_VIEWER, turn.turn_id).state
        if ended is not TurnState.DONE:
            return f"turn {ended}"
        sent = self.sent()
        return f"{_tell_state(sent)}, {tell_marker(sent)}"

    def sent(self) -> list[str]:
        """The contents of the newest request; empty when none has left."""
        return [text for body in self.transport.bodies[-1:] for text in contents(body)]


def _tell_state(sent: list[str]) -> str:
    """The state in the one feedback block of a request."""
    blocks = [data for kind, data in filter(None, map(unwrap, sent)) if kind is DataKind.FEEDBACK]
    return f"state {blocks[0].get('state')}" if len(blocks) == 1 else f"{len(blocks)} feedback blocks"


_IN_FORCE = f"state current, {MARKER_SENT}"
_NOT_ONES_OWN = f"state none, {MARKER_NOT_SENT}"


def _after(scene: ContractScene, change: Callable[[Submission], None], key: FeedbackKey | None = None) -> str:
    """Show the review in force in a request, change something, and tell what the next request holds.

    The next turn goes on in the same conversation, or begins one of `key`. Without the first turn a marker that
    never comes would look like one that has gone.
    """
    submission = scene.hand_in()
    scene.review(submission)
    conversation_id = scene.converse()
    before = scene.ask(conversation_id, OPENING)
    if before != _IN_FORCE:
        return f"before: {before}"
    change(submission)
    return scene.ask(conversation_id if key is None else scene.converse(key))


def _nothing(_: Submission) -> None:
    """Whose feedback it is, is all that changes."""


def _old_path(scene: ContractScene) -> str:
    scene.review(scene.hand_in())
    stored = scene.stored_review()
    if stored is None or MARKER not in stored.full_text:
        return "marker not stored"
    return goes_on(OldScene(scene.new_server, LegacyClient, stored))


def _long_conversation(scene: ContractScene) -> str:
    conversation_id = scene.converse()
    scene.ask(conversation_id, OPENING)
    scene.review(scene.hand_in())
    for _ in range(_LONG_TURNS):
        scene.ask(conversation_id, _LONG_QUESTION)
    told = scene.ask(conversation_id)
    is_cut = OPENING not in scene.sent()
    return f"history {'cut' if is_cut else 'whole'}, {told}"


def _other_learner(scene: ContractScene) -> str:
    return _after(scene, _nothing, scene.of_other_learner)


def _other_project(scene: ContractScene) -> str:
    return _after(scene, _nothing, scene.of_other_project)


def _other_task(scene: ContractScene) -> str:
    return _after(scene, _nothing, scene.of_other_task)


def _newer_hand_in(scene: ContractScene) -> str:
    return _after(scene, lambda _: scene.hand_in_unreviewed())


def _service_down(scene: ContractScene) -> str:
    return _after(scene, scene.fail_to_review)


def _passed(scene: ContractScene) -> str:
    return _after(scene, lambda submission: scene.review(submission, CriterionStatus.PASS))


def _new_conversation(scene: ContractScene) -> str:
    scene.ask(scene.converse(), OPENING)
    scene.review(scene.hand_in())
    return scene.ask(scene.converse())


def _reload(scene: ContractScene) -> str:
    conversation_id = scene.converse()
    scene.ask(conversation_id, OPENING)
    scene.review(scene.hand_in())
    scene.reload()
    return scene.ask(conversation_id)


CONTRACT: tuple[ProofCase[ContractScene], ...] = (
    ProofCase(name="Same stored review, old path", expected=MARKER_NOT_SENT, play=_old_path),
    ProofCase(name="Long conversation, its history cut", expected=f"history cut, {_IN_FORCE}", play=_long_conversation),
    ProofCase(name="Another learner", expected=_NOT_ONES_OWN, play=_other_learner),
    ProofCase(
        name="Newer hand-in, not reviewed yet", expected=f"state pending, {MARKER_NOT_SENT}", play=_newer_hand_in
    ),
    ProofCase(
        name="Newer attempt, review service down",
        expected=f"state unavailable, {MARKER_NOT_SENT}",
        play=_service_down,
    ),
    ProofCase(name="Newer attempt, passed", expected=f"state passed, {MARKER_NOT_SENT}", play=_passed),
    ProofCase(name="Same learner, brand-new conversation", expected=_IN_FORCE, play=_new_conversation),
    ProofCase(name="First turn after a reload", expected=_IN_FORCE, play=_reload),
    ProofCase(name="Another project", expected=_NOT_ONES_OWN, play=_other_project),
    ProofCase(name="Another task", expected=_NOT_ONES_OWN, play=_other_task),
)
