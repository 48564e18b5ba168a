"""Everything that can go wrong, split by who must act.

    TutorloopError
    ├── InputError              the person at the screen: hand in, import or type something else
    │   ├── HandInError         files, zips and pasted text that cannot be taken
    │   ├── QuestionTooLong     a chat message that is really a piece of work
    │   ├── CourseFileError     a course file that does not describe a course
    │   ├── ClassListError      a class list of which nothing can be used
    │   ├── CourseChanged       somebody else saved this task while it was being edited
    │   ├── TaskInUse           a task that cannot be removed, because work on it exists
    │   ├── DecisionRefused     a decision without a reason, or made on what is no longer the newest
    │   ├── WordsRefused        a report, a note or a message that cannot be stored as it is
    │   ├── ArtifactRefused      a text, a title or a file name that cannot become a version
    │   ├── StaleBase            somebody saved a newer version meanwhile; what was typed is kept as a draft
    │   ├── ModelNotDescribed   a model without a usable address or name
    │   └── BudgetsImpossible   sizes of a request that cannot be kept together
    ├── CiReportRefused         the build server: send a report of a learner and a task that are known
    ├── TokenRefused            the build server: use a key that is in force
    ├── AccessDenied            the person: ask for access
    ├── NotFound                the person: what was asked for is not there (any more)
    ├── SettingsError           the operator: a setting is missing or wrong
    ├── StoreError              the operator: the database cannot do it now
    ├── ContextTooLarge         the person: the message does not fit into the model's window
    └── ModelError              the operator or the provider; never the student
        ├── KeyRefused          401, 403
        ├── ModelUnknown        404
        ├── RequestRefused      any other 4xx
        ├── RateLimited         429; says when to come back
        ├── ProviderDown        5xx, no connection
        ├── ProviderTimedOut    no first character, or no end, in time
        ├── ReplyBroken         the stream broke off, or cannot be read
        └── ReplyEmpty          an answer without content

Failure of the subject (a criterion not met, a broken review record) is data, not an error.
Every class has a `code`, by which pages find the sentence a person reads; `values` fill its blanks.
"""

from typing import ClassVar


class TutorloopError(Exception):
    """Any failure that a person can be told about."""

    code: ClassVar[str] = "error"

    def __init__(self, message: str, **values: str | int | float) -> None:
        super().__init__(message)
        self.values = values
        """What the sentence of this code says in its blanks."""


class InputError(TutorloopError):
    """What a person gave cannot be used; nothing was changed."""

    code = "input"


class HandInError(InputError):
    """Work that cannot be taken; `reason` says which of the limits or rules it breaks."""

    code = "hand_in"

    def __init__(self, message: str, *, reason: str, **values: str | int | float) -> None:
        super().__init__(message, **values)
        self.reason = reason
        """Short code, such as `path_outside` or `too_large`, by which pages find the sentence."""


class QuestionTooLong(InputError):
    """A chat message over the limit; work of that length is handed in."""

    code = "question_too_long"


class CourseFileError(InputError):
    """A course file that does not describe a course; `line` is 1-based, 0 where there is none."""

    code = "course_file"

    def __init__(
        self, message: str, *, line: int = 0, where: str = "", problem: str = "", **values: str | int | float
    ) -> None:
        super().__init__(message, **{"line": line, "where": where, **values})
        self.line = line
        self.where = where
        self.problem = problem
        """Short code of what is wrong, by which pages find the sentence; `values` fill its blanks."""


class ClassListError(InputError):
    """A class list of which nothing can be used; `reason` says why."""

    code = "class_list"

    def __init__(self, message: str, *, reason: str, **values: str | int | float) -> None:
        super().__init__(message, **values)
        self.reason = reason
        """`empty`, `too_large`, `too_many_rows`, `not_text`, `not_excel` or `no_name_column`."""


class CourseChanged(InputError):
    """Somebody else saved this task while it was being edited; nothing was overwritten."""

    code = "course_changed"


class TaskInUse(InputError):
    """A task that work was handed in for, or that was talked about: it stays, with its history."""

    code = "task_in_use"


class DecisionRefused(InputError):
    """A person's decision that cannot be stored as it is; `reason` says why."""

    code = "decision"

    def __init__(self, message: str, *, reason: str, **values: str | int | float) -> None:
        super().__init__(message, **values)
        self.reason = reason
        """`no_reason`, `rules_changed`, `newer_attempt`, `not_in_rubric`, `not_decided` or `no_choice`."""


class WordsRefused(InputError):
    """A report, a note or a message about a review that cannot be stored as it is; `reason` says why."""

    code = "words"

    def __init__(self, message: str, *, reason: str, **values: str | int | float) -> None:
        super().__init__(message, **values)
        self.reason = reason
        """`blank`, `too_long`, `newer_attempt` or `not_in_rubric`."""


class ArtifactRefused(InputError):
    """A text that cannot become a version as it is; `reason` says why."""

    code = "artifact"

    def __init__(self, message: str, *, reason: str, **values: str | int | float) -> None:
        super().__init__(message, **values)
        self.reason = reason
        """`blank`, `too_long`, `title_too_long`, `note_too_long`, `taken`, `erased`, `not_text`, `empty_file`
        or `laid_out`."""


class StaleBase(InputError):
    """A newer version exists than the one that this text was made from. Nothing was saved over it.

    `values` hold both numbers: `base` and `newest`.
    """

    code = "stale_base"

    def __init__(self, message: str, *, base_id: str, base: int, newest_id: str, newest: int) -> None:
        super().__init__(message, base=base, newest=newest)
        self.base_id = base_id
        """The version that the text was made from."""
        self.newest_id = newest_id
        """The version that came meanwhile."""


class ModelNotDescribed(InputError):
    """A model that cannot be asked like this: its address is none, holds a password, or its name is missing."""

    code = "model_not_described"


class BudgetsImpossible(InputError):
    """Sizes of a request that are out of bounds, or of which one leaves no room for another."""

    code = "budgets_impossible"


class StuckLimitsImpossible(InputError):
    """Numbers of the stuck rule that are out of bounds."""

    code = "stuck_limits_impossible"


class CiReportRefused(TutorloopError):
    """A report that cannot be taken as it was sent; `reason` says why."""

    code = "ci_report"

    def __init__(self, message: str, *, reason: str) -> None:
        super().__init__(message)
        self.reason = reason
        """Short code, such as `unknown_learner` or `not_a_report`, which the answer holds."""


class TokenRefused(TutorloopError):
    """A key that is unknown or was revoked."""

    code = "token"


class AccessDenied(TutorloopError):
    """The viewer may not do this; nothing was read or changed."""

    code = "access_denied"


class NotFound(TutorloopError):
    """There is no such thing, or it is not the viewer's to know of."""

    code = "not_found"


class SettingsError(TutorloopError):
    """A setting is missing or wrong; the message names it and says what it may be."""

    code = "settings"


class StoreError(TutorloopError):
    """The database cannot do it now; nothing of this was saved."""

    code = "store"


class ContextTooLarge(TutorloopError):
    """Rules, feedback and the newest message alone exceed the model's window."""

    code = "context_too_large"


class OpeningOutdated(TutorloopError):
    """The review after which the tutor was to begin is not the one that counts any more; nothing is sent."""

    code = "opening_outdated"


class ModelError(TutorloopError):
    """The model service did not answer as it should."""

    code = "model"
    retryable: ClassVar[bool] = False


class KeyRefused(ModelError):
    """The service does not accept the key."""

    code = "key_refused"


class ModelUnknown(ModelError):
    """The service has no model of that name, or no such address."""

    code = "model_unknown"


class RequestRefused(ModelError):
    """The service does not accept the request."""

    code = "request_refused"


class RateLimited(ModelError):
    """The service is too busy; `retry_after_s` says when to come back, if it said so."""

    code = "rate_limited"
    retryable = True

    def __init__(self, message: str, *, retry_after_s: float | None = None) -> None:
        super().__init__(message, **({} if retry_after_s is None else {"retry_after_s": retry_after_s}))
        self.retry_after_s = retry_after_s


class ProviderDown(ModelError):
    """The service failed or cannot be reached; `retry_after_s` as in `RateLimited`."""

    code = "provider_down"
    retryable = True

    def __init__(self, message: str, *, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class ProviderTimedOut(ModelError):
    """Nothing came in time."""

    code = "timed_out"
    retryable = True


class ReplyBroken(ModelError):
    """The answer broke off or cannot be read."""

    code = "reply_broken"


class ReplyEmpty(ModelError):
    """The answer has no content."""

    code = "reply_empty"
