"""What a course is edited with, in one place: the desk behind the page of courses."""

from dataclasses import dataclass

from engine.courses.class_store import ClassStore
from engine.courses.edit_store import EditStore
from engine.review.standing_store import StandingStore
from engine.review.trials import Trials


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseDesk:
    """Every part asks for itself whether the viewer may."""

    classes: ClassStore
    """Class lists and teams."""
    edits: EditStore
    """Tasks by their author's ids, and drafts of them."""
    standings: StandingStore
    """Where the newest hand-ins stand."""
    trials: Trials
    """What a check would say of them."""
