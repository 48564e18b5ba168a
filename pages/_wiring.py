"""What every page asks for: the settings, who looks, and whether the server is well."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from engine.domain.people import LOCAL_VIEWER, NOBODY, Viewer
from engine.settings import Mode, Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """Whether the server can do its work."""

    ok: bool
    facts: Mapping[str, str]
    """Short facts that anybody may read; no addresses, no names."""


@cache
def settings() -> Settings:
    """The settings of this process, read from the environment once.

    Raises:
        SettingsError: a value is not one of those allowed.
    """
    return Settings.from_env(os.environ)


def viewer() -> Viewer:
    """Who looks at the page that is drawn now; nobody, until there are ways to sign in."""
    return LOCAL_VIEWER if settings().mode is Mode.LOCAL else NOBODY


def health() -> Health:
    """What `/api/health` answers."""
    return Health(ok=True, facts={"status": "ok"})
