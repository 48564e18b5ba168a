"""A whole reply that a locked database cannot keep at once."""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from engine.domain.people import LOCAL_VIEWER
from engine.domain.session import Turn
from engine.domain.states import TurnState
from engine.errors import StoreError
from engine.llm.gateway import CallLimits
from engine.llm.retry import WAITS_S
from engine.llm.scripted import ScriptedTransport
from tests.tutoring.room import Room, a_gateway, opened_room, wait_until
from tests.tutoring.stream import Waiting


@dataclass(kw_only=True)
class Lock:
    """Takes SQLite's write lock as another program would, once the request was sent."""

    path: Path
    frees_at: int | None = None
    """The wait in which it lets go; None: in none."""
    waited: list[float] = field(default_factory=list)
    seen: list[str | None] = field(default_factory=list)
    """What a page would show as being saved, at each wait."""
    holder: sqlite3.Connection | None = None
    look: Callable[[], str | None] | None = None

    def take(self, _: dict[str, object]) -> str:
        """Lock the database and answer."""
        self.holder = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        self.holder.execute("BEGIN IMMEDIATE")
        return "all of it"

    def pause(self, seconds: float) -> None:
        """Take no time; free the database in its wait."""
        self.waited.append(seconds)
        if self.look is not None:
            self.seen.append(self.look())
        if len(self.waited) == self.frees_at:
            self.free()

    def free(self) -> None:
        """Let go."""
        if self.holder is not None:
            self.holder.close()
            self.holder = None


@contextmanager
def a_room(folder: Path, lock: Lock) -> Iterator[Room]:
    """A room whose connections give up after 20 ms instead of 30 s."""
    gateway = a_gateway(ScriptedTransport(lock.take))
    with opened_room(folder, gateway, pause=lock.pause) as room:
        event.listen(room.space.database, "connect", _impatient)
        room.space.database.dispose()
        yield room
        lock.free()


def _gives_up_after(milliseconds: int, connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={milliseconds}")
    cursor.close()


_impatient = partial(_gives_up_after, 20)
_waits_a_second = partial(_gives_up_after, 1000)


def saving(room: Room, turn: Turn) -> str | None:
    """What a page shows as being saved."""
    end = room.space.tutor.unsaved(turn)
    return end.reply if end else None


def begin(room: Room) -> Turn:
    return room.space.tutor.begin(LOCAL_VIEWER, room.open(), "why?", room.space.worker.lease)


@pytest.mark.parametrize("frees_at", [1, 2, 3])
def test_a_whole_reply_is_stored_as_soon_as_the_database_can(tmp_path: Path, frees_at: int) -> None:
    lock = Lock(path=tmp_path / "room.db", frees_at=frees_at)
    with a_room(tmp_path, lock) as room:
        turn = begin(room)
        lock.look = lambda: saving(room, turn)
        room.space.tutor.answer(LOCAL_VIEWER, turn)
        ended = room.turn(turn.turn_id)
        assert (ended.state, ended.reply, ended.fault) == (TurnState.DONE, "all of it", None)
        assert room.space.tutor.unsaved(turn) is None
    assert lock.waited == list(WAITS_S[:frees_at])
    assert lock.seen == ["all of it"] * frees_at


def test_when_it_never_can_the_reply_waits_in_memory_and_is_stored_by_whoever_ends_orphans(tmp_path: Path) -> None:
    lock = Lock(path=tmp_path / "room.db")
    with a_room(tmp_path, lock) as room:
        turn = begin(room)
        with pytest.raises(StoreError):
            room.space.tutor.answer(LOCAL_VIEWER, turn)
        assert lock.waited == list(WAITS_S)
        assert saving(room, turn) == "all of it"
        assert room.turn(turn.turn_id).state is TurnState.OPEN
        lock.free()
        room.later(seconds=60)
        assert room.space.worker.recover() == 1
        assert (room.turn(turn.turn_id).state, room.turn(turn.turn_id).reply) == (TurnState.DONE, "all of it")
        assert room.space.tutor.unsaved(turn) is None and room.space.worker.recover() == 0


def test_when_the_process_is_gone_too_the_turn_is_interrupted_with_what_was_kept(tmp_path: Path) -> None:
    lock = Lock(path=tmp_path / "room.db")
    with a_room(tmp_path, lock) as room:
        turn = begin(room)
        room.space.leases.keep_progress(turn.turn_id, room.key.learner_id, "all")
        with pytest.raises(StoreError):
            room.space.tutor.answer(LOCAL_VIEWER, turn)
        lock.free()
        room.later(seconds=60)
        room.beside(a_gateway(ScriptedTransport([]))).space.worker.recover()
        ended = room.turn(turn.turn_id)
    assert (ended.state, ended.partial, ended.reply) == (TurnState.INTERRUPTED, "all", None)


def test_a_server_that_closes_waits_no_longer_for_the_database(tmp_path: Path) -> None:
    lock = Lock(path=tmp_path / "room.db")
    with a_room(tmp_path, lock) as room:
        turn = begin(room)
        lock.look = lambda: setattr(room.space.worker, "is_closing", True)
        with pytest.raises(StoreError):
            room.space.tutor.answer(LOCAL_VIEWER, turn, room.space.worker)
    assert len(lock.waited) == 1  # in which the server began to close


def test_while_it_is_being_saved_the_turn_is_open_and_its_words_can_be_shown(tmp_path: Path) -> None:
    waits, free = threading.Event(), threading.Event()
    lock = Lock(path=tmp_path / "room.db", frees_at=1)

    def look() -> None:
        waits.set()
        free.wait(5)

    lock.look = look
    with a_room(tmp_path, lock) as room:
        turn_id = room.send(room.open(), "why?")
        assert waits.wait(5)
        turn = room.turn(turn_id)
        assert (turn.state, saving(room, turn)) == (TurnState.OPEN, "all of it")
        free.set()
        assert room.ended(turn_id).reply == "all of it"


def test_a_locked_database_does_not_hold_up_the_stream(tmp_path: Path) -> None:
    lock = Lock(path=tmp_path / "room.db", frees_at=1)
    model = Waiting()
    limits = CallLimits(whole_turn_s=0.9)
    with opened_room(tmp_path, a_gateway(model, limits), pause=lock.pause) as room:
        event.listen(room.space.database, "connect", _waits_a_second)
        room.space.database.dispose()
        turn_id = room.send(room.open(), "why?")
        wait_until(lambda: model.requests == 1)
        lock.take({})
        model.go_on.set()
        ended = room.ended(turn_id)
    assert (ended.state, ended.reply) == (TurnState.DONE, "Look at the README, please.")
