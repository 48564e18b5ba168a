"""The one place that says who may do what."""

from enum import StrEnum

from engine.domain.people import Owned, Viewer, ViewerKind
from engine.errors import AccessDenied


class Action(StrEnum):
    """What a viewer wants to do."""

    READ = "read"
    WRITE = "write"
    """Hand in, chat, keep drafts: what a learner does with the own work."""
    REVIEW = "review"
    """Begin a review by the rules in force, and store how it ended."""
    DECIDE = "decide"
    """Say what a criterion is, over any machine; a teacher's alone."""
    TEACH = "teach"
    """Write to a learner as the teacher, on a card or in a chat; a teacher's alone."""
    MANAGE = "manage"
    """Make and change courses and people."""


_LEARNERS_OWN = frozenset({Action.READ, Action.WRITE, Action.REVIEW})


def may(viewer: Viewer, action: Action, owned: Owned) -> bool:
    """Whether `viewer` may do `action` to what is `owned`.

    On an own machine there is one person, who may do everything. A student reads every course's
    tasks, and reads, writes and has reviewed what belongs to her or her teams. A teacher does everything
    inside the projects that he teaches. Nobody else may do anything.
    """
    match viewer.kind:
        case ViewerKind.LOCAL:
            return True
        case ViewerKind.TEACHER:
            return owned.project_id in viewer.project_ids
        case ViewerKind.STUDENT if owned.learner_id is None:
            return action is Action.READ
        case ViewerKind.STUDENT:
            return owned.learner_id in viewer.learner_ids and action in _LEARNERS_OWN
        case _:
            return False


def require(viewer: Viewer, action: Action, owned: Owned) -> None:
    """Go on only if `viewer` may.

    Raises:
        AccessDenied: `may` says no.
    """
    if not may(viewer, action, owned):
        raise AccessDenied("this belongs to somebody else, so it cannot be opened")
