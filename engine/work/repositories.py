"""Repositories that come in while somebody looks on: begun, looked at, stopped, and taken."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from engine.domain.people import Viewer
from engine.errors import HandInError
from engine.work.git_address import GitPolicy, GitProblem, read_address, read_name, refusal
from engine.work.git_source import FetchedRepository, GitSource

_log = logging.getLogger(__name__)

AT_ONCE: Final = 3
"""More wait until one of these has ended."""
KEPT: Final = 24
"""Of those that have ended; the oldest goes first."""
KEPT_SECONDS: Final = 1800.0


class FetchPhase(StrEnum):
    """Where it stands. The last two are ends."""

    WAITING = "waiting"
    RECEIVING = "receiving"
    READING = "reading"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchReport:
    """How it stands at one moment."""

    phase: FetchPhase
    received_bytes: int
    seconds: int
    """Since it began, or until it ended."""
    fetched: FetchedRepository | None = None
    """Of one that is done."""
    error: HandInError | None = None
    """Of one that failed."""


@dataclass(slots=True)
class _Fetch:
    """One fetch; a thread writes, pages read."""

    began: float
    phase: FetchPhase = FetchPhase.WAITING
    received_bytes: int = 0
    ended: float | None = None
    fetched: FetchedRepository | None = None
    error: HandInError | None = None
    stop: threading.Event = field(default_factory=threading.Event)

    def is_stopped(self) -> bool:
        return self.stop.is_set()

    def tell_received(self, size_bytes: int) -> None:
        self.received_bytes = max(self.received_bytes, size_bytes)

    def tell_reading(self) -> None:
        self.phase = FetchPhase.READING


class RepositoryDesk:
    """Fetches in threads of its own. What has come in waits here until it is taken, for half an hour at most.

    Each fetch belongs to a person and the token of a form. A restart forgets all of them; nothing was handed in.
    """

    def __init__(self, source: GitSource, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._source = source
        self._monotonic = monotonic
        self._fetches: dict[tuple[str, str], _Fetch] = {}
        self._lock = threading.Lock()
        self._room = threading.Semaphore(AT_ONCE)

    @property
    def policy(self) -> GitPolicy:
        """Which addresses are taken."""
        return self._source.policy

    def begin(self, viewer: Viewer, token: str, address: str, name: str) -> None:
        """Begin to fetch, in place of what this form had begun before.

        Raises:
            HandInError: the address or the name cannot be used; nothing was begun.
        """
        read_address(address, self.policy)
        read_name(name)
        self.forget(viewer, token)
        fetch = _Fetch(began=self._monotonic())
        with self._lock:
            self._sweep()
            self._fetches[viewer.person_id, token] = fetch
        threading.Thread(target=self._carry_out, args=(fetch, address, name), name="repository", daemon=True).start()

    def look(self, viewer: Viewer, token: str) -> FetchReport | None:
        """How it stands; None where this form has begun nothing, or it is forgotten."""
        with self._lock:
            fetch = self._fetches.get((viewer.person_id, token))
            if fetch is None:
                return None
            return FetchReport(
                phase=fetch.phase,
                received_bytes=fetch.received_bytes,
                seconds=int((fetch.ended or self._monotonic()) - fetch.began),
                fetched=fetch.fetched,
                error=fetch.error,
            )

    def forget(self, viewer: Viewer, token: str) -> None:
        """Stop it if it runs, and let go of what came in."""
        with self._lock:
            fetch = self._fetches.pop((viewer.person_id, token), None)
        if fetch is not None:
            fetch.stop.set()

    def close(self) -> None:
        """Stop everything."""
        with self._lock:
            fetches = list(self._fetches.values())
            self._fetches.clear()
        for fetch in fetches:
            fetch.stop.set()

    def _carry_out(self, fetch: _Fetch, address: str, name: str) -> None:
        fetched, error = None, None
        try:
            with self._room:
                fetch.phase = FetchPhase.RECEIVING
                if fetch.is_stopped():
                    return
                fetched = self._source.fetch(address, name, fetch)
        except HandInError as refused:
            error = refused
        except Exception:
            _log.exception("a repository could not be fetched")
            error = refusal(GitProblem.FAILED)
        with self._lock:
            fetch.fetched, fetch.error, fetch.ended = fetched, error, self._monotonic()
            fetch.phase = FetchPhase.DONE if fetched is not None else FetchPhase.FAILED

    def _sweep(self) -> None:
        now = self._monotonic()
        ended = [(key, fetch.ended) for key, fetch in self._fetches.items() if fetch.ended is not None]
        ended.sort(key=lambda one: one[1])
        surplus = max(0, len(ended) - KEPT)
        for number, (key, at) in enumerate(ended):
            if number < surplus or now - at > KEPT_SECONDS:
                del self._fetches[key]
