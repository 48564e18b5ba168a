"""Where attempts come from: which submission a reused judgement is of, and how many rows are judgements."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from sqlalchemy import func, select
from sqlmodel import col

from db.tables import AttemptRow, OutcomeRow, SubmissionRow
from engine.base_store import Store, remembered
from engine.domain.people import Viewer
from engine.domain.states import AttemptOrigin
from engine.review.review_store import ReviewFilter, rows_where, visible_to


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How many rows of the history there are, and what they are. Only the first kind is an independent judgement."""

    rows: int
    judged: int
    reused: int
    decided: int

    @property
    def without(self) -> int:
        """Rows without a judgement: not begun, not finished, not available, or faulty."""
        return self.rows - self.judged - self.reused - self.decided


class OriginStore(Store):
    """Reads what an attempt came to its end by."""

    @remembered
    def tally(self, viewer: Viewer, chosen: ReviewFilter) -> Tally:
        """Count the reviews that the viewer may read and `chosen` lets through, as `ReviewStore.page` lists them."""
        rows = rows_where(viewer, chosen).with_only_columns(
            col(SubmissionRow.id), col(AttemptRow.origin), col(OutcomeRow.verdict)
        )
        listed = rows.subquery()
        counted = select(listed.c.origin, listed.c.verdict.is_not(None), func.count()).group_by(
            listed.c.origin, listed.c.verdict.is_not(None)
        )
        with self._reading() as session:
            found = session.execute(counted).all()
        sound = {str(origin): number for origin, is_sound, number in found if is_sound}
        return Tally(
            rows=sum(number for _origin, _is_sound, number in found),
            judged=sound.get(AttemptOrigin.JUDGED, 0),
            reused=sound.get(AttemptOrigin.REUSED, 0),
            decided=sound.get(AttemptOrigin.DECIDED, 0),
        )

    @remembered
    def submission_seqs(self, viewer: Viewer, attempt_ids: frozenset[str]) -> Mapping[str, int]:
        """The number of the submission of each of these attempts, as far as the viewer may read them."""
        if not attempt_ids:
            return MappingProxyType({})
        found = (
            select(col(AttemptRow.id), col(SubmissionRow.submission_seq))
            .join(SubmissionRow, col(SubmissionRow.id) == col(AttemptRow.submission_id))
            .where(col(AttemptRow.id).in_(attempt_ids), *visible_to(viewer))
        )
        with self._reading() as session:
            rows = session.execute(found).all()
        return MappingProxyType({attempt_id: seq for attempt_id, seq in rows if seq is not None})
