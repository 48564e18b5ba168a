"""Durable jobs: what they are made of, and how far one is."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class JobKind(StrEnum):
    """What a job does to each of its submissions."""

    REVIEW = "review"
    """Reviews it again by the rules in force."""


class JobState(StrEnum):
    """Where a job stands."""

    WAITING = "waiting"
    """Nothing of it has begun: it waits for a worker, or for its turn."""
    RUNNING = "running"
    CANCELLING = "cancelling"
    """Cancelled, while what is being worked on is brought to its end."""
    CANCELLED = "cancelled"
    """What was done stays; the rest waits to be resumed."""
    STOPPED = "stopped"
    """The workers gave it up because of an error of ours or of the database; can be resumed."""
    ENDED = "ended"
    """Every submission has had its turn; what failed can be tried again by resuming."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobItem:
    """One submission in one run of a job. A job that is resumed begins its next run."""

    job_id: str
    run: int
    """From 1."""
    submission_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JobProgress:
    """How far a job is, as of one moment."""

    job_id: str
    kind: JobKind
    project_id: str
    asked_by: str
    """Id of the person who asked for it."""
    asked_at: datetime
    state: JobState
    total: int
    """Submissions it is about."""
    done: int
    """Those that have an end, good or bad; never more than `total`."""
    failed: int
    """Those of `done` that no attempt of this job has completed so far."""
    current: str | None
    """Id of the submission being worked on, the first of several; None when there is none."""
