"""What students and teachers say about a review beside its verdicts, and who looks at what just now."""

from dataclasses import dataclass
from datetime import datetime

from engine.domain.review import Decision

WORDS_LIMIT = 2000
"""Characters of one report, note or message of a teacher."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute:
    """A learner sees a verdict differently. It changes no verdict; a person looks at it."""

    dispute_id: str
    submission_id: str
    attempt_seq: int
    """The newest attempt that was on the screen."""
    rubric_id: str
    text: str
    """Empty when it was erased."""
    made_at: datetime
    decided_at: datetime | None
    """Of the decision that is disputed; None where no person had decided."""

    def is_answered(self, decision: Decision | None) -> bool:
        """Whether `decision`, which stands on the criterion now, came after the report."""
        return decision is not None and decision.at != self.decided_at


@dataclass(frozen=True, slots=True, kw_only=True)
class CardNote:
    """What a teacher wrote to a learner about a submission."""

    note_id: str
    submission_id: str
    author: str
    """The teacher's name, as it is shown."""
    text: str
    """Empty when it was erased."""
    made_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Reservation:
    """Somebody has opened what is to be decided. It keeps nobody out; it is told."""

    holder_id: str
    name: str
    since: datetime
    until: datetime
