"""The one place where the product is put together: spaces, the demo, and what the command line needs of them."""

import contextlib
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import uuid_utils
from sqlalchemy import Engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from db.backup import copy_without
from db.changes import Changes
from db.connection import close_database, connect, open_database, writing
from engine.courses.ci_token_store import CiDoor, CiTokenStore
from engine.courses.class_store import ClassStore
from engine.courses.course_store import CourseStore
from engine.courses.edit_store import EditStore
from engine.courses.support_store import SupportStore
from engine.domain.clock import Clock, NewId, utc_now
from engine.domain.keys import ReviewLogic
from engine.domain.running import Subject
from engine.errors import NotFound
from engine.feedback.feedback_store import FeedbackStore
from engine.insight.board_store import ClassBoardStore
from engine.insight.boards import Boards
from engine.jobs.beat_store import BeatStore
from engine.jobs.job_store import JobStore
from engine.jobs.lease_store import LeaseStore, Orphan
from engine.jobs.run_store import RunStore
from engine.jobs.worker import Worker
from engine.llm.gateway import Gateway
from engine.llm.models import Models
from engine.llm.offline import offline_gateway
from engine.read_cache import ReadCache
from engine.review.cards import Cards
from engine.review.ci_intake import CiIntake
from engine.review.course_desk import CourseDesk
from engine.review.decisions import DecisionDesk
from engine.review.hand_in import HandInDesk
from engine.review.judgement_store import JudgementStore
from engine.review.review_store import ReviewStore
from engine.review.reviewer import Reviewer
from engine.review.standing_store import StandingStore
from engine.review.teaching_store import Teaching, open_teaching
from engine.review.trials import Trials
from engine.review.version import review_logic
from engine.review.version_desk import VersionDesk
from engine.revision.editing.editing_store import EditingStore
from engine.revision.editing.editor import Editor
from engine.revision.style.learner import Learner
from engine.revision.style.lesson_store import LessonStore
from engine.revision.style.persona_store import PersonaStore
from engine.revision.style.preference_desk import PreferenceDesk, open_preferences
from engine.sessions.call_store import CallStore
from engine.sessions.opening_store import OpeningStore
from engine.sessions.session_store import SessionStore
from engine.sessions.summary_store import SummaryStore
from engine.settings import DEFAULT_BUDGETS, Budgets, DataPlacement, ModelUse, Settings
from engine.settings_store import MODEL_ROWS, StoredSettings, server_for
from engine.tutoring.opener import Opener
from engine.tutoring.tutor import Tutor
from engine.work.artifact_store import ArtifactStore
from engine.work.version_draft_store import VersionDraftStore
from engine.work.work_store import WorkStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """One database and everything that works on it."""

    database: Engine
    courses: CourseStore
    work: WorkStore
    artifacts: ArtifactStore
    version_drafts: VersionDraftStore
    preferences: PreferenceDesk
    edits: EditingStore
    editor: Editor
    sessions: SessionStore
    reviews: ReviewStore
    feedback: FeedbackStore
    leases: LeaseStore
    tutor: Tutor
    opener: Opener
    supports: SupportStore
    reviewer: Reviewer
    cards: Cards
    desk: HandInDesk
    version_desk: VersionDesk
    worker: Worker
    summaries: SummaryStore
    judgements: JudgementStore
    decisions: DecisionDesk
    tokens: CiTokenStore
    ci: CiIntake
    calls: CallStore
    course_desk: CourseDesk
    teaching: Teaching
    boards: Boards
    jobs: JobStore
    runs: RunStore
    beats: BeatStore

    def close(self) -> None:
        """Finish what runs, then let go of the database."""
        self.worker.close()
        close_database(self.database)


def new_id() -> str:
    """A fresh UUIDv7 as text."""
    return str(uuid_utils.uuid7())


def build_gateways(settings: Settings, stored: StoredSettings) -> dict[ModelUse, Gateway]:
    """For each use the model that is set for it, or the offline tutor."""
    servers = {use: server_for(use, settings, stored) for use in ModelUse}
    return {use: offline_gateway() if server is None else Gateway(server=server) for use, server in servers.items()}


def build_space(
    url: str,
    gateway: Gateway | Models,
    *,
    clock: Clock = utc_now,
    ids: NewId = new_id,
    holder: str | None = None,
    budgets: Budgets = DEFAULT_BUDGETS,
    placement: DataPlacement = DataPlacement.SEPARATE,
    pause: Callable[[float], None] = time.sleep,
) -> Space:
    """Open the database at `url` and put a space together on it. The worker is not started yet.

    `pause` waits so many seconds before a reply is stored once more. One gateway answers every use; `Models` may
    be changed later.
    """
    database = open_database(url)
    models = gateway if isinstance(gateway, Models) else Models.of(gateway)
    stores = _open_stores(database, clock, ids)
    logic = review_logic()
    preferences = open_preferences(
        stores.personas, stores.lessons, stores.artifacts, stores.calls, models, clock=clock, new_id=ids
    )
    tutor = Tutor(
        courses=stores.courses,
        feedback=stores.feedback,
        sessions=stores.sessions,
        leases=stores.leases,
        models=models,
        logic=logic,
        clock=clock,
        summaries=stores.summaries,
        calls=stores.calls,
        teachers=stores.teaching.chats,
        budgets=budgets,
        placement=placement,
        pause=pause,
        preferences=preferences.habits.for_tutor,
    )
    opener = Opener(tutor=tutor, openings=stores.openings, supports=stores.supports)
    reviewer = Reviewer(
        courses=stores.courses,
        work=stores.work,
        reviews=stores.reviews,
        leases=stores.leases,
        logic=logic,
        models=models,
        judgements=stores.judgements,
        calls=stores.calls,
        after_review=opener.open,
    )
    editor = _editor(stores, models, tutor, preferences)
    end_orphan = _EndOrphan(tutor, reviewer, editor, preferences.learner, stores.runs)
    worker = Worker(stores.leases, holder=holder or str(uuid.uuid4()), end_orphan=end_orphan)
    preferences.learner.attach(worker)
    return _put_together(database, stores, tutor, opener, reviewer, editor, worker, logic, clock, preferences)


def _editor(stores: "_Stores", models: Models, tutor: Tutor, preferences: PreferenceDesk) -> Editor:
    return Editor(
        store=stores.edits,
        artifacts=stores.artifacts,
        calls=stores.calls,
        models=models,
        budgets=lambda: tutor.budgets,
        active_rules=lambda viewer, of: preferences.habits.for_text(viewer, of.owned, of.kind, of.task_id),
        after_edit=lambda viewer, done: preferences.learner.begin(
            viewer, done.artifact.artifact_id, done.after.version_id
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stores:
    """Every store of one database, and what its answers are remembered by."""

    reads: ReadCache
    courses: CourseStore
    work: WorkStore
    artifacts: ArtifactStore
    version_drafts: VersionDraftStore
    personas: PersonaStore
    lessons: LessonStore
    edits: EditingStore
    sessions: SessionStore
    reviews: ReviewStore
    feedback: FeedbackStore
    leases: LeaseStore
    summaries: SummaryStore
    calls: CallStore
    judgements: JudgementStore
    tokens: CiTokenStore
    door: CiDoor
    openings: OpeningStore
    supports: SupportStore
    course_desk: CourseDesk
    teaching: Teaching
    boards: ClassBoardStore
    jobs: JobStore
    runs: RunStore
    beats: BeatStore


def _open_stores(database: Engine, clock: Clock, ids: NewId) -> _Stores:
    reads = ReadCache(Changes(database).mark)
    work = WorkStore(database, clock=clock, new_id=ids, reads=reads)
    return _Stores(
        reads=reads,
        courses=CourseStore(database, clock=clock, new_id=ids, reads=reads),
        work=work,
        artifacts=ArtifactStore(database, clock=clock, new_id=ids, reads=reads),
        version_drafts=VersionDraftStore(database, clock=clock, new_id=ids),
        personas=PersonaStore(database, clock=clock, new_id=ids, reads=reads),
        lessons=LessonStore(database, clock=clock, new_id=ids),
        edits=EditingStore(database, clock=clock, new_id=ids, reads=reads),
        sessions=SessionStore(database, clock=clock, new_id=ids, reads=reads),
        reviews=ReviewStore(database, clock=clock, new_id=ids, reads=reads),
        feedback=FeedbackStore(database, clock=clock, new_id=ids, reads=reads),
        leases=LeaseStore(database, clock=clock, new_id=ids),
        summaries=SummaryStore(database, clock=clock, new_id=ids, reads=reads),
        calls=CallStore(database, clock=clock, new_id=ids, reads=reads),
        judgements=JudgementStore(database, clock=clock, new_id=ids),
        tokens=CiTokenStore(database, clock=clock, new_id=ids),
        door=CiDoor(database, clock=clock, new_id=ids),
        openings=OpeningStore(database, clock=clock, new_id=ids),
        supports=SupportStore(database, clock=clock, new_id=ids, reads=reads),
        course_desk=CourseDesk(
            classes=ClassStore(database, clock=clock, new_id=ids),
            edits=EditStore(database, clock=clock, new_id=ids, reads=reads),
            standings=StandingStore(database, clock=clock, new_id=ids, reads=reads),
            trials=Trials(work=work, reads=reads),
        ),
        teaching=open_teaching(database, clock=clock, new_id=ids, reads=reads),
        boards=ClassBoardStore(database, clock=clock, new_id=ids, reads=reads),
        jobs=JobStore(database, clock=clock, new_id=ids),
        runs=RunStore(database, clock=clock, new_id=ids),
        beats=BeatStore(database, clock=clock, new_id=ids),
    )


def _put_together(
    database: Engine,
    stores: _Stores,
    tutor: Tutor,
    opener: Opener,
    reviewer: Reviewer,
    editor: Editor,
    worker: Worker,
    logic: ReviewLogic,
    clock: Clock,
    preferences: PreferenceDesk,
) -> Space:
    courses, work, reviews = stores.courses, stores.work, stores.reviews
    desk = HandInDesk(courses=courses, work=work, sessions=stores.sessions, reviewer=reviewer)
    return Space(
        database=database,
        courses=courses,
        work=work,
        artifacts=stores.artifacts,
        version_drafts=stores.version_drafts,
        preferences=preferences,
        edits=stores.edits,
        editor=editor,
        sessions=stores.sessions,
        reviews=reviews,
        feedback=stores.feedback,
        leases=stores.leases,
        tutor=tutor,
        opener=opener,
        supports=stores.supports,
        reviewer=reviewer,
        cards=Cards(courses=courses, reviews=reviews, origins=stores.teaching.origins, logic=logic, reads=stores.reads),
        desk=desk,
        version_desk=VersionDesk(artifacts=stores.artifacts, work=work, sessions=stores.sessions, desk=desk),
        worker=worker,
        summaries=stores.summaries,
        calls=stores.calls,
        judgements=stores.judgements,
        decisions=DecisionDesk(courses=courses, work=work, judgements=stores.judgements, logic=logic, clock=clock),
        teaching=stores.teaching,
        tokens=stores.tokens,
        course_desk=stores.course_desk,
        boards=Boards(store=stores.boards, logic=logic, reads=stores.reads),
        ci=CiIntake(door=stores.door, courses=courses, work=work, reviews=reviews, desk=desk),
        jobs=stores.jobs,
        runs=stores.runs,
        beats=stores.beats,
    )


class _EndOrphan:
    """Ends an orphan by the use case that its kind belongs to."""

    def __init__(self, tutor: Tutor, reviewer: Reviewer, editor: Editor, learner: Learner, runs: RunStore) -> None:
        self._by_kind = {
            Subject.TURN: tutor.interrupt,
            Subject.ATTEMPT: reviewer.interrupt,
            Subject.EDIT: editor.interrupt,
            Subject.LESSON: learner.interrupt,
        }
        self._runs = runs

    def __call__(self, orphan: Orphan) -> None:
        """End it, unless it is a step of an open job: a worker goes on with that."""
        if orphan.kind is Subject.ATTEMPT and self._runs.will_go_on(orphan.subject_id):
            return
        self._by_kind[orphan.kind](orphan.subject_id)


@contextlib.contextmanager
def opened(url: str, gateway: Gateway, *, clock: Clock = utc_now) -> Iterator[Space]:
    """A space for a while, its worker started."""
    space = build_space(url, gateway, clock=clock)
    space.worker.start()
    try:
        yield space
    finally:
        space.close()


def back_up(space: Space) -> bytes:
    """Its database as one SQLite file, without the keys and addresses of models.

    Raises:
        NotFound: it lies on a database server, which has a tool of its own for that.
    """
    if space.database.url.get_backend_name() != "sqlite":
        raise NotFound("the database lies on a server")
    with tempfile.TemporaryDirectory(prefix="tutorloop-") as folder:
        copy = Path(folder) / "tutorloop.db"
        copy_without(space.database, copy, MODEL_ROWS)
        return copy.read_bytes()


@dataclass(frozen=True, slots=True, kw_only=True)
class SqliteRig:
    """A SQLite database that is opened again and again, and made ill, to show what a fault does to it."""

    url: str

    @contextlib.contextmanager
    def opened(
        self, gateway: Gateway, *, ahead: timedelta = timedelta(0), pragmas: Sequence[str] = ()
    ) -> Iterator[Space]:
        """A space whose clock is `ahead`; once it is open, each of its connections runs `pragmas`."""
        with opened(self.url, gateway, clock=lambda: utc_now() + ahead) as space:
            if pragmas:
                event.listen(space.database, "connect", _runs(pragmas))
                space.database.dispose()
            yield space

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Another connection holds the write lock for a while."""
        other = connect(self.url)
        try:
            with writing(other) as session:
                session.connection()
                yield
        finally:
            other.dispose()


def _runs(pragmas: Sequence[str]) -> Callable[[DBAPIConnection, ConnectionPoolEntry], None]:
    def run(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    return run
