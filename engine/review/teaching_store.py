"""The stores of the teacher's desk, put together."""

from dataclasses import dataclass

from sqlalchemy import Engine

from engine.domain.clock import Clock, NewId
from engine.domain.keys import ReviewLogic
from engine.read_cache import ReadCache
from engine.review.desk_store import DeskStore
from engine.review.origin_store import OriginStore
from engine.review.queue_store import QueueStore
from engine.review.version import review_logic
from engine.sessions.teacher_store import TeacherStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Teaching:
    """What teachers read and write beside reviews and decisions."""

    notes: DeskStore
    """Reports of students, notes, drafts and reservations."""
    origins: OriginStore
    queue: QueueStore
    chats: TeacherStore
    """What teachers say in conversations."""
    logic: ReviewLogic
    """By which the queue tells which attempts are in force."""


def open_teaching(database: Engine, *, clock: Clock, new_id: NewId, reads: ReadCache) -> Teaching:
    """The teacher's desk on one database."""
    return Teaching(
        notes=DeskStore(database, clock=clock, new_id=new_id, reads=reads),
        origins=OriginStore(database, clock=clock, new_id=new_id, reads=reads),
        queue=QueueStore(database, clock=clock, new_id=new_id, reads=reads),
        chats=TeacherStore(database, clock=clock, new_id=new_id),
        logic=review_logic(),
    )
