"""The board of a course as it stands now, kept while nothing changes."""

from datetime import datetime

from engine.domain.keys import ReviewLogic
from engine.domain.people import Viewer
from engine.insight.board_store import ClassBoardStore
from engine.insight.class_board import ClassBoard, build_board
from engine.insight.facts import CriterionLine
from engine.read_cache import ReadCache
from engine.settings import StuckLimits


class Boards:
    """Asks the store, which asks whether the viewer may, and puts the board together."""

    def __init__(self, *, store: ClassBoardStore, logic: ReviewLogic, reads: ReadCache) -> None:
        self._store = store
        self._logic = logic
        self._reads = reads

    def board(self, viewer: Viewer, course_id: str, limits: StuckLimits, now: datetime) -> ClassBoard:
        """As `ClassBoardStore.read`, judged by the stuck rule at the last full minute: days need no more."""
        minute = now.replace(second=0, microsecond=0)

        def build() -> ClassBoard:
            return build_board(self._store.read(viewer, course_id, self._logic), limits, minute)

        return self._reads.get(("class board", viewer, course_id, limits, minute), build)

    def results(self, viewer: Viewer, course_id: str) -> tuple[CriterionLine, ...]:
        """As `ClassBoardStore.results`."""
        return self._store.results(viewer, course_id, self._logic)
