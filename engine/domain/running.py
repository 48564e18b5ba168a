"""Who works on something that is not finished yet."""

from dataclasses import dataclass
from enum import StrEnum


class Subject(StrEnum):
    """What can be running."""

    TURN = "turn"
    ATTEMPT = "attempt"
    EDIT = "edit"
    LESSON = "lesson"
    """Learning from a version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """A worker's claim; while it is renewed the work is alive, when it runs out the work was orphaned."""

    holder: str
    """Id of one process of one start."""
    seconds: float
