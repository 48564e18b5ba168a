"""What a person sets while the server runs: models, budgets and the demo, kept in the own database.

The environment wins over it. The key of a model leaves here only inside a `Secret`; what pages are told
of it is when it was set and how it ends.
"""

import logging
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from enum import StrEnum
from urllib.parse import urlsplit

from pydantic import BaseModel, ValidationError
from sqlalchemy import delete
from sqlmodel import Session, col

from db.rows import put_setting, storable
from db.tables import SettingRow
from engine.access import Action, require
from engine.base_store import Store
from engine.domain.people import Owned, Viewer
from engine.errors import BudgetsImpossible, ModelNotDescribed, StuckLimitsImpossible
from engine.settings import (
    DEFAULT_BUDGETS,
    DEFAULT_STUCK,
    Budgets,
    ModelServer,
    ModelUse,
    Secret,
    Settings,
    StuckLimits,
    is_web_address,
)

_log = logging.getLogger(__name__)

NO_KEY = "none"
"""What is sent where no key is needed."""
_LONG_KEY = 12
"""Characters from which on the last four of a key give nothing away."""
_DEMO = "demo"
_BUDGETS = "budgets"
_STUCK = "stuck"
MODEL_ROWS = "model.%"
"""Names of the rows that may hold a key, as a pattern of SQL."""


class Origin(StrEnum):
    """Where the model of a use comes from."""

    ENVIRONMENT = "environment"
    STORED = "stored"
    SHARED = "shared"
    """The tutor's stored model, as nothing is stored for this use."""
    NOWHERE = "nowhere"
    """No model: the offline tutor answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredModel:
    """A model that a person has set."""

    server: ModelServer
    key_set_at: datetime | None
    """None: it has no key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSettings:
    """Everything that is stored, with defaults for what is not."""

    models: Mapping[ModelUse, StoredModel]
    is_demo_on: bool
    budgets: Budgets = DEFAULT_BUDGETS
    stuck: StuckLimits = DEFAULT_STUCK


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReport:
    """What may be shown of the model of one use. It never holds the key."""

    origin: Origin
    address: str | None
    """Without user, password and query; None where there is no model."""
    name: str | None
    key_set_at: datetime | None
    """None: no key was stored."""
    key_ends: str | None
    """The last four characters; None where there is no key or it is too short to show any."""


class _KeptModel(BaseModel):
    url: str
    name: str
    key: str | None
    key_set_at: datetime | None


class _KeptBudgets(BaseModel):
    window_tokens: int
    reserved_tokens: int
    history_trigger: int
    history_limit: int


class _KeptStuck(BaseModel):
    fails_in_a_row: int
    idle_days: int
    turns: int


class SettingsStore(Store):
    """Settings of the whole installation: only the person whose machine it is may see or change them."""

    def read(self, viewer: Viewer) -> StoredSettings:
        """What is stored. A value that cannot be read counts as not set."""
        _require(viewer)
        with self._reading() as session:
            models = {use: _read_model(session, use) for use in ModelUse}
            demo = session.get(SettingRow, _DEMO)
            budgets = _read_budgets(session)
            stuck = _read_stuck(session)
        known = {use: _stored(kept) for use, kept in models.items() if kept is not None}
        is_demo_on = demo is None or demo.value != "false"
        return StoredSettings(models=known, is_demo_on=is_demo_on, budgets=budgets, stuck=stuck)

    def keep_model(self, viewer: Viewer, use: ModelUse, *, url: str, name: str, key: str = "") -> None:
        """Ask this model for `use` from now on.

        Without a `key` the stored one stays, as long as the server is the same: no key goes to a host for
        which it was not given.

        Raises:
            ModelNotDescribed: the address is none, holds a user or password, or the name is missing.
        """
        _require(viewer)
        url, name, key = (storable(each).strip() for each in (url, name, key))
        if not name or not is_web_address(url) or "@" in urlsplit(url).netloc:
            raise ModelNotDescribed("a model needs a web address without a password in it, and a name")
        with self._writing() as session:
            before = _read_model(session, use)
            now = self._clock()
            if key:
                kept = _KeptModel(url=url, name=name, key=key, key_set_at=now)
            elif before is not None and _server_of(before.url) == _server_of(url):
                kept = before.model_copy(update={"url": url, "name": name})
            else:
                kept = _KeptModel(url=url, name=name, key=None, key_set_at=None)
            put_setting(session, name=_name(use), value=kept.model_dump_json(), at=now)

    def forget_model(self, viewer: Viewer, use: ModelUse) -> None:
        """Forget address, name and key of the model for `use`."""
        _require(viewer)
        with self._writing() as session:
            session.execute(delete(SettingRow).where(col(SettingRow.name) == _name(use)))

    def keep_budgets(self, viewer: Viewer, budgets: Budgets) -> None:
        """Build requests within these sizes from now on.

        Raises:
            BudgetsImpossible: one is out of bounds, or leaves no room for another.
        """
        _require(viewer)
        if not budgets.is_possible:
            raise BudgetsImpossible("these sizes do not go together")
        with self._writing() as session:
            put_setting(
                session, name=_BUDGETS, value=_KeptBudgets(**asdict(budgets)).model_dump_json(), at=self._clock()
            )

    def forget_budgets(self, viewer: Viewer) -> None:
        """Go back to the defaults."""
        _require(viewer)
        with self._writing() as session:
            session.execute(delete(SettingRow).where(col(SettingRow.name) == _BUDGETS))

    def keep_stuck(self, viewer: Viewer, limits: StuckLimits) -> None:
        """Point at a task as stuck from these numbers on.

        Raises:
            StuckLimitsImpossible: one is out of bounds.
        """
        _require(viewer)
        if not limits.is_possible:
            raise StuckLimitsImpossible("these numbers are out of bounds")
        with self._writing() as session:
            put_setting(session, name=_STUCK, value=_KeptStuck(**asdict(limits)).model_dump_json(), at=self._clock())

    def keep_demo(self, viewer: Viewer, *, is_on: bool) -> None:
        """Whether the demo is there from now on."""
        _require(viewer)
        with self._writing() as session:
            put_setting(session, name=_DEMO, value="true" if is_on else "false", at=self._clock())


def server_for(use: ModelUse, settings: Settings, stored: StoredSettings) -> ModelServer | None:
    """The model to ask for `use`: the environment's, else the stored one, else the tutor's; None: no model."""
    if settings.model is not None:
        return settings.model
    model = stored.models.get(use) or stored.models.get(ModelUse.TUTOR)
    return model.server if model else None


def budgets_for(settings: Settings, stored: StoredSettings) -> Budgets:
    """The sizes in force: the environment's window, and whatever else is stored, as far as it fits into that."""
    window = settings.window_tokens
    if window is None:
        return stored.budgets
    reserved = min(stored.budgets.reserved_tokens, window // 2)
    return replace(stored.budgets, window_tokens=window, reserved_tokens=reserved)


def report_model(use: ModelUse, settings: Settings, stored: StoredSettings) -> ModelReport:
    """What may be shown of the model that is asked for `use`."""
    server = server_for(use, settings, stored)
    model = stored.models.get(use) or stored.models.get(ModelUse.TUTOR)
    is_stored = settings.model is None and model is not None
    key = model.server.key.reveal() if is_stored and model and model.key_set_at else ""
    return ModelReport(
        origin=_origin(use, settings, stored),
        address=_shown(server.url) if server else None,
        name=server.name if server else None,
        key_set_at=model.key_set_at if is_stored and model else None,
        key_ends=key[-4:] if len(key) >= _LONG_KEY else None,
    )


def _origin(use: ModelUse, settings: Settings, stored: StoredSettings) -> Origin:
    if settings.model is not None:
        return Origin.ENVIRONMENT
    if use in stored.models:
        return Origin.STORED
    return Origin.SHARED if ModelUse.TUTOR in stored.models else Origin.NOWHERE


def _require(viewer: Viewer) -> None:
    require(viewer, Action.MANAGE, Owned(learner_id=None, project_id=None))


def _name(use: ModelUse) -> str:
    return f"model.{use}"


def _read_model(session: Session, use: ModelUse) -> _KeptModel | None:
    row = session.get(SettingRow, _name(use))
    if row is None:
        return None
    try:
        return _KeptModel.model_validate_json(row.value)
    except ValidationError:
        _log.warning("the stored model for %s cannot be read, so there is none", use)  # the error would hold the key
        return None


def _read_budgets(session: Session) -> Budgets:
    row = session.get(SettingRow, _BUDGETS)
    if row is None:
        return DEFAULT_BUDGETS
    try:
        budgets = Budgets(**_KeptBudgets.model_validate_json(row.value).model_dump())
    except ValidationError:
        budgets = None
    if budgets is None or not budgets.is_possible:
        _log.warning("the stored budgets cannot be used, so the defaults are")
        return DEFAULT_BUDGETS
    return budgets


def _read_stuck(session: Session) -> StuckLimits:
    row = session.get(SettingRow, _STUCK)
    if row is None:
        return DEFAULT_STUCK
    try:
        limits = StuckLimits(**_KeptStuck.model_validate_json(row.value).model_dump())
    except ValidationError:
        limits = None
    if limits is None or not limits.is_possible:
        _log.warning("the stored numbers of the stuck rule cannot be used, so the defaults are")
        return DEFAULT_STUCK
    return limits


def _stored(kept: _KeptModel) -> StoredModel:
    server = ModelServer(url=kept.url, name=kept.name, key=Secret(kept.key or NO_KEY))
    return StoredModel(server=server, key_set_at=kept.key_set_at if kept.key else None)


def _server_of(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc.lower()


def _shown(url: str) -> str:
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path}"
