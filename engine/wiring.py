"""The one place where the product is put together. Pages, the server and the command line use it."""

import asyncio
import contextlib
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import uuid_utils
from sqlalchemy import Engine, event, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from db.connection import close_database, connect, open_database, writing
from engine.courses.course_store import CourseStore
from engine.domain.clock import Clock, NewId, utc_now
from engine.domain.people import LOCAL_VIEWER, Viewer
from engine.domain.running import Subject
from engine.errors import NotFound
from engine.feedback.feedback_store import FeedbackStore
from engine.jobs.beat_store import BeatStore
from engine.jobs.job_store import JobStore
from engine.jobs.lease_store import LeaseStore, Orphan
from engine.jobs.run_store import RunStore
from engine.jobs.worker import Worker
from engine.llm.gateway import Gateway
from engine.llm.models import Models
from engine.llm.offline import offline_gateway
from engine.llm.probe import ProbeReport, probe
from engine.review.hand_in import HandInDesk
from engine.review.review_store import ReviewStore
from engine.review.reviewer import Reviewer
from engine.review.version import review_logic
from engine.scenarios.demo import DemoClock, DemoStores, play_demo
from engine.sessions.session_store import SessionStore
from engine.sessions.summary_store import SummaryStore
from engine.settings import DEFAULT_WINDOW_TOKENS, DataPlacement, ModelUse, Settings
from engine.settings_store import ModelReport, SettingsStore, StoredSettings, report_model, server_for
from engine.tutoring.tutor import Tutor
from engine.work.work_store import WorkStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """One database and everything that works on it."""

    database: Engine
    courses: CourseStore
    work: WorkStore
    sessions: SessionStore
    reviews: ReviewStore
    feedback: FeedbackStore
    leases: LeaseStore
    tutor: Tutor
    reviewer: Reviewer
    desk: HandInDesk
    worker: Worker
    summaries: SummaryStore
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
    window_tokens: int = DEFAULT_WINDOW_TOKENS,
    placement: DataPlacement = DataPlacement.SEPARATE,
) -> Space:
    """Open the database at `url` and put a space together on it. The worker is not started yet.

    One gateway answers every use; `Models` may be changed later.
    """
    database = open_database(url)
    courses = CourseStore(database, clock=clock, new_id=ids)
    work = WorkStore(database, clock=clock, new_id=ids)
    sessions = SessionStore(database, clock=clock, new_id=ids)
    reviews = ReviewStore(database, clock=clock, new_id=ids)
    feedback = FeedbackStore(database, clock=clock, new_id=ids)
    leases = LeaseStore(database, clock=clock, new_id=ids)
    models = gateway if isinstance(gateway, Models) else Models.of(gateway)
    summaries = SummaryStore(database, clock=clock, new_id=ids)
    runs = RunStore(database, clock=clock, new_id=ids)
    logic = review_logic()
    tutor = Tutor(
        courses=courses,
        feedback=feedback,
        sessions=sessions,
        leases=leases,
        models=models,
        logic=logic,
        clock=clock,
        summaries=summaries,
        window_tokens=window_tokens,
        placement=placement,
    )
    reviewer = Reviewer(courses=courses, work=work, reviews=reviews, leases=leases, logic=logic, models=models)
    return Space(
        database=database,
        courses=courses,
        work=work,
        sessions=sessions,
        reviews=reviews,
        feedback=feedback,
        leases=leases,
        tutor=tutor,
        reviewer=reviewer,
        desk=HandInDesk(courses=courses, work=work, sessions=sessions, reviewer=reviewer),
        worker=Worker(leases, holder=holder or str(uuid.uuid4()), end_orphan=_EndOrphan(tutor, reviewer, runs)),
        summaries=summaries,
        jobs=JobStore(database, clock=clock, new_id=ids),
        runs=runs,
        beats=BeatStore(database, clock=clock, new_id=ids),
    )


class _EndOrphan:
    """Ends an orphan by the use case that its kind belongs to."""

    def __init__(self, tutor: Tutor, reviewer: Reviewer, runs: RunStore) -> None:
        self._by_kind = {Subject.TURN: tutor.interrupt, Subject.ATTEMPT: reviewer.interrupt}
        self._runs = runs

    def __call__(self, orphan: Orphan) -> None:
        """End it, unless it is a step of an open job: a worker goes on with that."""
        if orphan.kind is Subject.ATTEMPT and self._runs.will_go_on(orphan.subject_id):
            return
        self._by_kind[orphan.kind](orphan.subject_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class DataReport:
    """Where the own database lies and how large the files are."""

    kind: str
    """`sqlite` or `postgresql`."""
    own_file: Path | None
    """None: it lies on a database server."""
    own_bytes: int | None
    demo_bytes: int | None
    """None: there is no demo."""


class Workbench:
    """The person's own database and the demo's, side by side, and what can be set while they are open.

    The demo may be switched off. May be shared by threads; changes come one after another.
    """

    def __init__(self, *, settings: Settings, own: Space, models: Models, store: SettingsStore) -> None:
        """`own` is started already; the demo is opened by `open_demo`."""
        self.own = own
        self._settings = settings
        self._models = models
        self._store = store
        self._demo: Space | None = None
        self._changing = threading.Lock()

    @property
    def demo(self) -> Space:
        """The demo's space.

        Raises:
            NotFound: the demo is switched off.
        """
        if self._demo is None:
            raise NotFound("the demo is switched off")
        return self._demo

    @property
    def spaces(self) -> tuple[Space, ...]:
        """Own first, then the demo's, if it is switched on."""
        demo = self._demo
        return (self.own,) if demo is None else (self.own, demo)

    @property
    def is_offline(self) -> bool:
        """Whether the offline tutor answers."""
        return self._models.gateway(ModelUse.TUTOR).is_offline

    def model_report(self, viewer: Viewer, use: ModelUse) -> ModelReport:
        """What may be shown of the model that is asked for `use`."""
        return report_model(use, self._settings, self._store.read(viewer))

    def keep_model(self, viewer: Viewer, use: ModelUse, *, url: str, name: str, key: str) -> None:
        """Ask this model from the next reply on; replies that are being written end with the one they began with.

        Raises:
            ModelNotDescribed: as `SettingsStore.keep_model`.
        """
        with self._changing:
            self._store.keep_model(viewer, use, url=url, name=name, key=key)
            self._apply(viewer)

    def forget_model(self, viewer: Viewer, use: ModelUse) -> None:
        """Ask no model of its own for `use` from the next reply on."""
        with self._changing:
            self._store.forget_model(viewer, use)
            self._apply(viewer)

    def _apply(self, viewer: Viewer) -> None:
        self._models.replace(build_gateways(self._settings, self._store.read(viewer)))

    def probe_model(self, viewer: Viewer, use: ModelUse) -> ProbeReport | None:
        """What the model in force for `use` can do; None where there is none. Takes as long as it answers."""
        server = server_for(use, self._settings, self._store.read(viewer))
        return None if server is None else asyncio.run(probe(server))

    def data_report(self, viewer: Viewer) -> DataReport:
        """Where the data lies and how large it is."""
        self._store.read(viewer)  # whoever may not see settings may not see paths
        own = self.own.database.url
        is_file = own.get_backend_name() == "sqlite"
        path = Path(own.database or "") if is_file else None
        return DataReport(
            kind=own.get_backend_name(),
            own_file=path,
            own_bytes=_size(path) if path else None,
            demo_bytes=_size(_demo_file(self._settings)) if self._demo else None,
        )

    def open_demo(self) -> None:
        """Open the demo, which is there."""
        self._demo = _configured(self._settings.demo_url, self._models, self._settings)
        self._demo.worker.start()

    def renew_demo(self, viewer: Viewer, now: datetime) -> None:
        """Switch the demo on, made anew: what was said and handed in there is gone, and nothing else."""
        with self._changing:
            self._store.keep_demo(viewer, is_on=True)
            made = _make_demo(self._settings, now)
            self._remove_demo()
            made.replace(_demo_file(self._settings))
            self.open_demo()

    def remove_demo(self, viewer: Viewer) -> None:
        """Switch the demo off and remove its file."""
        with self._changing:
            self._store.keep_demo(viewer, is_on=False)
            self._remove_demo()

    def _remove_demo(self) -> None:
        demo, self._demo = self._demo, None
        if demo is not None:
            demo.close()
        for file in _with_beside(_demo_file(self._settings)):
            file.unlink(missing_ok=True)

    def close(self) -> None:
        """Finish what runs in both."""
        for space in self.spaces:
            space.close()


def build_workbench(settings: Settings, now: datetime) -> Workbench:
    """Everything that a server needs, started. Makes the demo where there is none, unless it is switched off."""
    models = Models.of(offline_gateway())
    own = _configured(settings.database_url, models, settings)
    store = SettingsStore(own.database, clock=utc_now, new_id=new_id)
    stored = store.read(LOCAL_VIEWER)
    models.replace(build_gateways(settings, stored))
    own.worker.start()
    workbench = Workbench(settings=settings, own=own, models=models, store=store)
    if stored.is_demo_on:
        build_demo(settings, now)
        workbench.open_demo()
    return workbench


def _configured(url: str, models: Models, settings: Settings) -> Space:
    return build_space(url, models, window_tokens=settings.window_tokens, placement=settings.data_placement)


@contextlib.contextmanager
def opened(url: str, gateway: Gateway, *, clock: Clock = utc_now) -> Iterator[Space]:
    """A space for a while, its worker started."""
    space = build_space(url, gateway, clock=clock)
    space.worker.start()
    try:
        yield space
    finally:
        space.close()


def build_demo(settings: Settings, now: datetime) -> None:
    """Make the demo's database if there is none; whole or not at all."""
    target = _demo_file(settings)
    if not target.exists():
        _make_demo(settings, now).replace(target)


def _demo_file(settings: Settings) -> Path:
    return Path(make_url(settings.demo_url).database or "")


def _with_beside(file: Path) -> tuple[Path, ...]:
    """A SQLite file and what SQLite puts beside it."""
    return file, file.with_name(f"{file.name}-wal"), file.with_name(f"{file.name}-shm")


def _size(file: Path) -> int:
    return sum(each.stat().st_size for each in _with_beside(file) if each.exists())


def _make_demo(settings: Settings, now: datetime) -> Path:
    """Play the demo into a file beside its place, and give that file."""
    target = _demo_file(settings)
    unfinished = target.with_name(target.name + ".new")
    unfinished.unlink(missing_ok=True)
    clock = DemoClock(now)
    space = build_space(f"sqlite:///{unfinished}", offline_gateway(delay_s=0), clock=clock)
    stores = DemoStores(
        courses=space.courses,
        work=space.work,
        sessions=space.sessions,
        reviews=space.reviews,
        tutor=space.tutor,
        reviewer=space.reviewer,
        clock=clock,
    )
    try:
        play_demo(stores, now)
    finally:
        space.close()
    return unfinished

    unfinished.replace(target)


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
