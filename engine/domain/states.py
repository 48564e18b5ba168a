"""The closed sets of the product. Values are stored and sent; what people read stands in `pages`."""

from enum import StrEnum


class FeedbackState(StrEnum):
    """What the selector says of the newest submission, in the order in which it asks (seed 000, 8.2)."""

    NONE = "none"
    STALE_RULES = "stale_rules"
    PENDING = "pending"
    UNAVAILABLE = "unavailable"
    INVALID = "invalid"
    PASSED = "passed"
    CURRENT = "current"


class CriterionStatus(StrEnum):
    """Verdict on one criterion, and on a whole review. Order of declaration = order of urgency."""

    FAIL = "FAIL"
    NEED_REVIEW = "NEED_REVIEW"
    PASS = "PASS"


class CriterionKind(StrEnum):
    """Acceptance criteria decide; learning criteria only teach."""

    ACCEPTANCE = "acceptance"
    LEARNING = "learning"


class Source(StrEnum):
    """Who decided a criterion. A learner's own claim is never one."""

    CI = "ci"
    CHECK = "check"
    MODEL = "model"
    TEACHER = "teacher"


class OutcomeKind(StrEnum):
    """How an attempt ended."""

    COMPLETED = "completed"
    UNAVAILABLE = "unavailable"
    INVALID = "invalid"


class AttemptOrigin(StrEnum):
    """How an attempt came to its end. History shows all three; independent judgements are the first alone."""

    JUDGED = "judged"
    REUSED = "reused"
    """The judgement of an earlier attempt over equal evidence and versions, taken over as it was."""
    DECIDED = "decided"
    """A person decided a criterion; the rest stands as it was judged before."""


class ReviewFault(StrEnum):
    """Why an attempt ended without a judgement. Never the student's fault."""

    PROVIDER_DOWN = "provider_down"
    TIMED_OUT = "timed_out"
    TOOL_BROKEN = "tool_broken"
    INTERRUPTED = "interrupted"


class TurnState(StrEnum):
    """Where a turn stands. The last five are ends; a turn has exactly one."""

    OPEN = "open"
    DONE = "done"
    FAILED = "failed"
    TIMED_OUT = "timed_out"
    INTERRUPTED = "interrupted"
    STOPPED = "stopped"


class Role(StrEnum):
    """Who wrote a message. System rows are for display and are never sent."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"


class ReplyKind(StrEnum):
    """What a reply is. The model says which of the first three; `fallback` is a plan that cannot be read."""

    CHAT = "chat"
    ASK = "ask"
    PLAN = "plan"
    FALLBACK = "fallback"


class SupportLevel(StrEnum):
    """How much the tutor gives away when it begins by itself after a review; set by the teacher."""

    OFF = "off"
    """It never begins."""
    LOW = "low"
    MODERATE = "moderate"
    HIGH = "high"


class LearnerKind(StrEnum):
    """A learner is one student, or a team with members."""

    STUDENT = "student"
    TEAM = "team"


class AuthorKind(StrEnum):
    """Who made a version."""

    LEARNER = "learner"
    TUTOR = "tutor"
    TEACHER = "teacher"


class FileKind(StrEnum):
    """What a handed-in file is taken for."""

    WORK = "work"
    REPORT = "report"
    ENVIRONMENT = "environment"
    """What a person says of the system it was made on and what it needs to run; a fact, no work."""


class FileState(StrEnum):
    """Whether a handed-in file could be read. Unreadable is a fact of its own, not a missing file."""

    TEXT = "text"
    BINARY = "binary"
    UNDECODABLE = "undecodable"
    TOO_LARGE = "too_large"


class TestState(StrEnum):
    """One test case of a CI report. What was not run is never a failure."""

    __test__ = False

    PASSED = "passed"
    FAILED = "failed"
    NOT_RUN = "not_run"


class Language(StrEnum):
    """The two languages of the product."""

    ZH = "zh"
    EN = "en"
