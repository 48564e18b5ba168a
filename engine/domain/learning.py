"""What became of learning from a version: each try that ended, and what is still to be looked at."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

MOST_TRIES = 3
"""Times that one version is tried to be learned from."""


class LearningState(StrEnum):
    """How one try to learn from a change ended."""

    DONE = "done"
    FAILED = "failed"
    """Not learned; it is tried again at the next change, `MOST_TRIES` times in all."""


class ChangeKind(StrEnum):
    """What a change is; only style teaches."""

    FACT = "fact"
    """A number, a date or a name was put right."""
    ONE_OFF = "one_off"
    """What was asked for or done belongs to this text alone."""
    STYLE = "style"


@dataclass(frozen=True, slots=True, kw_only=True)
class Learning:
    """How one try to learn from a version ended."""

    version_id: str
    artifact_id: str
    state: LearningState
    change: ChangeKind | None
    """None where the try failed."""
    rule_ids: tuple[str, ...]
    """Rules that it made or spoke about."""
    fault: str
    """Name of what went wrong; empty where nothing did."""
    number: int
    """The how-manieth try it was, from 1."""
    at: datetime

    @property
    def is_given_up(self) -> bool:
        """Whether it failed and is not tried again."""
        return self.state is LearningState.FAILED and self.number >= MOST_TRIES


@dataclass(frozen=True, slots=True, kw_only=True)
class Unlearned:
    """A version that may teach something and from which nothing was learned so far."""

    artifact_id: str
    version_id: str
    number: int
    """Of the version inside its artifact."""
    made_at: datetime
    tries: int
    """Times that it was tried; 0 where a process ended before it was looked at."""
    is_under_way: bool
    """Whether somebody is at it."""
    is_fresh: bool
    """Whether it was saved so shortly ago that somebody may be about to."""


_LESSON = "learn:"


def lesson_of(version_id: str) -> str:
    """Under which id learning from a version is running."""
    return f"{_LESSON}{version_id}"


def version_of_lesson(lesson: str) -> str:
    """The version that is learned from under this id."""
    return lesson.removeprefix(_LESSON)
