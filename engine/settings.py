"""What the operator can set, read once from the environment and validated there."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from urllib.parse import urlsplit

from engine.errors import SettingsError


class Mode(StrEnum):
    """`local`: one person on an own machine. `signed-in`: every page is closed until somebody signs in."""

    LOCAL = "local"
    SIGNED_IN = "signed-in"


class ModelUse(StrEnum):
    """What a model is asked for; each use may have a server of its own."""

    TUTOR = "tutor"
    """Also stands in wherever another use has no server of its own."""
    REVIEW = "review"
    EDIT = "edit"


class DataPlacement(StrEnum):
    """Where material, summary, feedback and notes stand in a request."""

    SEPARATE = "separate"
    """Each in a user message of its own."""
    MERGED = "merged"
    """Inside the neighbouring user message, for servers that demand that the roles alternate."""
    SYSTEM_SECTION = "system-section"
    """Behind the rules in the system message, where data gains authority: for comparison in code, never by setting."""


DEFAULT_WINDOW_TOKENS = 16_000
LEAST_WINDOW_TOKENS = 4_096
"""Rules, feedback and a short message need about this much."""
MOST_WINDOW_TOKENS = 9_999_999
"""More than any model takes in."""
LEAST_RESERVED_TOKENS = 256
"""A reply of a few sentences."""
LEAST_HISTORY_TOKENS = 1_000
"""A few turns; less would leave hardly one whole turn beside a summary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budgets:
    """How large a request may be, in tokens by estimate."""

    window_tokens: int = DEFAULT_WINDOW_TOKENS
    """What the model takes in at once, request and reply together."""
    reserved_tokens: int = 1_024
    """Of the window, kept free for the reply."""
    history_trigger: int = 3_000
    """Of summary and whole turns: from here on older turns are summarised."""
    history_limit: int = 4_000
    """Of summary and whole turns: more is never sent."""

    @property
    def is_possible(self) -> bool:
        """Whether each is in its bounds and leaves room for the others."""
        return (
            LEAST_WINDOW_TOKENS <= self.window_tokens <= MOST_WINDOW_TOKENS
            and LEAST_RESERVED_TOKENS <= self.reserved_tokens <= self.window_tokens // 2
            and LEAST_HISTORY_TOKENS <= self.history_trigger <= self.history_limit <= MOST_WINDOW_TOKENS
        )


DEFAULT_BUDGETS = Budgets()
MOST_STUCK = 99
"""Of anything that the stuck rule counts; more would switch it off unseen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StuckLimits:
    """From where on the class board points at a task as stuck. Any one of the three is enough."""

    fails_in_a_row: int = 2
    """Judged hand-ins in a row that do not meet one and the same criterion; at least 2."""
    idle_days: int = 3
    """Days without a hand-in while something is to fix; at least 1."""
    turns: int = 6
    """Questions to the tutor since the newest hand-in; at least 2."""

    @property
    def is_possible(self) -> bool:
        """Whether each is in its bounds."""
        return (
            2 <= self.fails_in_a_row <= MOST_STUCK
            and 1 <= self.idle_days <= MOST_STUCK
            and 2 <= self.turns <= MOST_STUCK
        )


DEFAULT_STUCK = StuckLimits()


class Secret:
    """A value that shows itself to nobody who merely prints it."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The value itself, for the one place that sends it."""
        return self._value

    def __repr__(self) -> str:
        return "Secret(…)"

    __str__ = __repr__


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelServer:
    """An OpenAI-compatible server and the model to ask there."""

    url: str = field(repr=False)
    """May hold a user and password, which some proxies ask for."""
    name: str
    key: Secret


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One value for the whole process."""

    mode: Mode
    data_dir: Path
    database_url: str = field(repr=False)
    """SQLAlchemy address of the person's own database; may hold a password."""
    demo_url: str
    """SQLite address of the demo's own database; removing the demo deletes that file."""
    model: ModelServer | None
    """None: the offline tutor answers."""
    data_placement: DataPlacement = DataPlacement.SEPARATE
    window_tokens: int | None = None
    """What the model takes in at once, request and reply together; None: what is stored decides."""
    git_ssh: bool = False
    """Whether repositories may be fetched over ssh, with the keys of whoever runs the server."""
    is_worker_started: bool = True
    """Whether the app starts a worker for jobs beside itself."""

    @classmethod
    def from_env(cls, environ: Mapping[str, str]) -> "Settings":
        """Read `TUTORLOOP_*`.

        Raises:
            SettingsError: a value is not one of those allowed, or one that another needs is missing.
        """
        data_dir = Path(environ.get("TUTORLOOP_DATA") or "data").absolute()
        return cls(
            mode=_mode(environ.get("TUTORLOOP_MODE") or Mode.LOCAL),
            data_dir=data_dir,
            database_url=_database_url(environ.get("TUTORLOOP_DATABASE_URL"), data_dir),
            demo_url=f"sqlite:///{data_dir / 'demo.db'}",
            model=_model(environ),
            data_placement=_data_placement(environ.get("TUTORLOOP_DATA_PLACEMENT") or DataPlacement.SEPARATE),
            window_tokens=_window_tokens(environ.get("TUTORLOOP_WINDOW_TOKENS")),
            git_ssh=_git_ssh(environ.get("TUTORLOOP_GIT_SSH")),
            is_worker_started=_is_worker_started(environ.get("TUTORLOOP_WORKER") or "on"),
        )


def _mode(value: str) -> Mode:
    try:
        return Mode(value)
    except ValueError:
        allowed = " or ".join(Mode)
        raise SettingsError(f"TUTORLOOP_MODE is {value!r}; it must be {allowed}") from None


def _database_url(value: str | None, data_dir: Path) -> str:
    if not value:
        return f"sqlite:///{data_dir / 'tutorloop.db'}"
    if value.startswith("postgresql://"):
        return value.replace("postgresql://", "postgresql+psycopg://", 1)
    if value.startswith(("sqlite:///", "postgresql+psycopg://")):
        return value
    raise SettingsError("TUTORLOOP_DATABASE_URL must begin with sqlite:/// or postgresql://")


def _model(environ: Mapping[str, str]) -> ModelServer | None:
    url, name = environ.get("TUTORLOOP_MODEL_URL", ""), environ.get("TUTORLOOP_MODEL_NAME", "")
    if not url and not name:
        return None
    if not url or not name:
        missing = "TUTORLOOP_MODEL_NAME" if url else "TUTORLOOP_MODEL_URL"
        raise SettingsError(f"{missing} is missing; a model needs both its address and its name")
    if not is_web_address(url):
        raise SettingsError("TUTORLOOP_MODEL_URL must be an http or https address, usually ending in /v1")
    return ModelServer(url=url, name=name, key=Secret(environ.get("TUTORLOOP_MODEL_KEY") or "none"))


def is_web_address(url: str) -> bool:
    """Whether `url` can be asked over http or https."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)


def _data_placement(value: str) -> DataPlacement:
    if value in (DataPlacement.SEPARATE, DataPlacement.MERGED):
        return DataPlacement(value)
    raise SettingsError(f"TUTORLOOP_DATA_PLACEMENT is {value!r}; it must be separate or merged")


def _is_worker_started(value: str) -> bool:
    if value in ("on", "off"):
        return value == "on"
    raise SettingsError(f"TUTORLOOP_WORKER is {value!r}; it must be on or off")


def _window_tokens(value: str | None) -> int | None:
    if not value:
        return None
    # Ten million is more than any model takes in; int() alone would also take "1_6" and other scripts' digits.
    if value.isascii() and value.isdigit() and len(value) < 8 and int(value) >= LEAST_WINDOW_TOKENS:
        return int(value)
    raise SettingsError(
        f"TUTORLOOP_WINDOW_TOKENS is {value!r}; it must be a whole number from {LEAST_WINDOW_TOKENS} on"
    )


def _git_ssh(value: str | None) -> bool:
    if value not in (None, "", "allowed"):
        raise SettingsError(f"TUTORLOOP_GIT_SSH is {value!r}; it must be allowed, or not set")
    return value == "allowed"
