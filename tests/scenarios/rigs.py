"""Databases that lack what a row of the fault table is about. Light, because killed processes import it too."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

from engine.llm.gateway import Gateway
from engine.wiring import Space, SqliteRig


@dataclass(frozen=True, slots=True, kw_only=True)
class NeverLater(SqliteRig):
    """The leases of what was killed never run out."""

    @contextmanager
    def opened(
        self,
        gateway: Gateway,
        *,
        ahead: timedelta = timedelta(0),  # noqa: ARG002
        pragmas: Sequence[str] = (),
    ) -> Iterator[Space]:
        with SqliteRig(url=self.url).opened(gateway, pragmas=pragmas) as space:
            yield space


@dataclass(frozen=True, slots=True, kw_only=True)
class NeverIll(SqliteRig):
    """Nothing that is done to the database has any effect."""

    @contextmanager
    def opened(
        self,
        gateway: Gateway,
        *,
        ahead: timedelta = timedelta(0),
        pragmas: Sequence[str] = (),  # noqa: ARG002
    ) -> Iterator[Space]:
        with SqliteRig(url=self.url).opened(gateway, ahead=ahead) as space:
            yield space

    @contextmanager
    def locked(self) -> Iterator[None]:
        yield
