"""What pages and the server work with: the own database, the demo's beside it, and what can be set meanwhile."""

import asyncio
import threading
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from engine.demo_file import build_demo, demo_file, make_demo, outdated_demo, with_beside
from engine.domain.clock import utc_now
from engine.domain.people import LOCAL_VIEWER, Viewer
from engine.errors import NotFound, TutorloopError
from engine.jobs.worker import WorkerReport
from engine.llm.models import Models
from engine.llm.offline import offline_gateway
from engine.llm.probe import ProbeReport, probe
from engine.settings import DEFAULT_BUDGETS, Budgets, Mode, ModelUse, Settings, StuckLimits
from engine.settings_store import ModelReport, SettingsStore, budgets_for, report_model, server_for
from engine.wiring import Space, back_up, build_gateways, build_space, new_id
from engine.work.git_address import GitPolicy
from engine.work.git_source import GitSource
from engine.work.repositories import RepositoryDesk


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


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetReport:
    """Which sizes requests are built within."""

    in_force: Budgets
    is_window_by_environment: bool
    """Whether the window cannot be changed while this server runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceHealth:
    """How one database and its worker are."""

    is_demo: bool
    answers: bool
    """Whether the database can be read."""
    worker: WorkerReport


class Workbench:
    """The person's own database and the demo's, side by side, and what can be set while they are open.

    The demo may be switched off. May be shared by threads; changes come one after another.
    """

    def __init__(self, *, settings: Settings, own: Space, models: Models, store: SettingsStore) -> None:
        """`own` is started already; the demo is opened by `open_demo`."""
        self.own = own
        policy = GitPolicy(local=settings.mode is Mode.LOCAL, ssh=settings.git_ssh)
        self.repositories = RepositoryDesk(GitSource(policy=policy))
        self._settings = settings
        self._models = models
        self._store = store
        stored = store.read(LOCAL_VIEWER)
        self._budgets = budgets_for(settings, stored)
        self.stuck_limits = stored.stuck
        """From where on the class board points at a task as stuck."""
        own.tutor.use_budgets(self._budgets)
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

    def budget_report(self, viewer: Viewer) -> BudgetReport:
        """The sizes in force, and who set them."""
        return BudgetReport(
            in_force=budgets_for(self._settings, self._store.read(viewer)),
            is_window_by_environment=self._settings.window_tokens is not None,
        )

    def keep_budgets(self, viewer: Viewer, budgets: Budgets) -> None:
        """Build requests within these sizes from the next one on.

        Raises:
            BudgetsImpossible: as `SettingsStore.keep_budgets`.
        """
        with self._changing:
            self._store.keep_budgets(viewer, budgets)
            self._apply_budgets(viewer)

    def forget_budgets(self, viewer: Viewer) -> None:
        """Go back to the default sizes from the next request on."""
        with self._changing:
            self._store.forget_budgets(viewer)
            self._apply_budgets(viewer)

    def _apply_budgets(self, viewer: Viewer) -> None:
        self._budgets = budgets_for(self._settings, self._store.read(viewer))
        for space in self.spaces:
            space.tutor.use_budgets(self._budgets)

    def keep_stuck_limits(self, viewer: Viewer, limits: StuckLimits) -> None:
        """Point at a task as stuck from these numbers on, at once.

        Raises:
            StuckLimitsImpossible: as `SettingsStore.keep_stuck`.
        """
        with self._changing:
            self._store.keep_stuck(viewer, limits)
            self.stuck_limits = limits

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
            demo_bytes=_size(demo_file(self._settings)) if self._demo else None,
        )

    def health_report(self, viewer: Viewer) -> tuple[SpaceHealth, ...]:
        """How every open database and its worker are, the own first."""
        return tuple(
            SpaceHealth(is_demo=space is not self.own, answers=_answers(space, viewer), worker=space.worker.report())
            for space in self.spaces
        )

    def back_up(self, viewer: Viewer) -> bytes:
        """The own database as one SQLite file, as it is at this moment, without the keys and addresses of models.

        Raises:
            NotFound: it lies on a database server, which has a tool of its own for that.
        """
        self._store.read(viewer)  # whoever may not see settings may not take everything along
        return back_up(self.own)

    def open_demo(self) -> None:
        """Open the demo, which is there."""
        self._demo = _configured(self._settings.demo_url, self._models, self._settings, self._budgets)
        self._demo.worker.start()

    def renew_demo(self, viewer: Viewer, now: datetime) -> None:
        """Switch the demo on, made anew: what was said and handed in there is gone, and nothing else."""
        with self._changing:
            self._store.keep_demo(viewer, is_on=True)
            made = make_demo(self._settings, now)
            self._remove_demo()
            made.replace(demo_file(self._settings))
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
        file = demo_file(self._settings)
        for each in (*with_beside(file), outdated_demo(file)):
            each.unlink(missing_ok=True)

    def close(self) -> None:
        """Finish what runs in both, and fetch nothing more."""
        self.repositories.close()
        for space in self.spaces:
            space.close()


def build_workbench(settings: Settings, now: datetime) -> Workbench:
    """Everything that a server needs, started. Makes the demo where there is none, unless it is switched off."""
    models = Models.of(offline_gateway())
    own = _configured(settings.database_url, models, settings, DEFAULT_BUDGETS)
    store = SettingsStore(own.database, clock=utc_now, new_id=new_id)
    stored = store.read(LOCAL_VIEWER)
    models.replace(build_gateways(settings, stored))
    own.worker.start()
    workbench = Workbench(settings=settings, own=own, models=models, store=store)
    if stored.is_demo_on:
        build_demo(settings, now)
        workbench.open_demo()
    return workbench


def _configured(url: str, models: Models, settings: Settings, budgets: Budgets) -> Space:
    return build_space(url, models, budgets=budgets, placement=settings.data_placement)


def _answers(space: Space, viewer: Viewer) -> bool:
    try:
        space.courses.courses(viewer)
    except TutorloopError:
        return False
    return True


def _size(file: Path) -> int:
    return sum(each.stat().st_size for each in with_beside(file) if each.exists())
