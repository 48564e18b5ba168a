"""Which hand-ins of a project should be reviewed again, and one button for each reason."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from engine.domain.course import Project
from engine.domain.job import JobProgress
from engine.domain.people import Viewer
from engine.domain.states import Source
from engine.errors import TutorloopError
from engine.review.standing_store import HandInStanding, Standing
from engine.wiring import Space
from pages._widgets.errors import show_error
from pages._widgets.jobs import draw_jobs
from pages._widgets.states import Colour, StateLook, inline
from pages._widgets.words import N_, _

REASONS: Mapping[Standing, StateLook] = {
    Standing.OUTDATED: StateLook(
        icon="history_toggle_off", colour=Colour.AMBER, word=N_("{n} reviewed by other rules than today's")
    ),
    Standing.UNAVAILABLE: StateLook(icon="cloud_off", colour=Colour.VIOLET, word=N_("{n} could not be reviewed")),
    Standing.JUDGED_WITHOUT_MODEL: StateLook(
        icon="smart_toy", colour=Colour.AMBER, word=N_("{n} reviewed without a model, which is connected now")
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewAgain:
    """What the section needs to know."""

    viewer: Viewer
    space: Space
    is_demo: bool
    """In the demo no worker process looks for jobs, so a review begins in this one."""
    project: Project
    jobs: Sequence[JobProgress]
    """The newest of the project, read before the standings that they change."""
    standings: Sequence[HandInStanding]
    """Of the newest hand-ins of the project."""
    has_model: bool
    """Whether a model is connected for reviews."""

    def draw(self) -> None:
        """Jobs that there are; while none of them is under way, what should be reviewed again."""
        if draw_jobs(self.viewer, self.space, self.project.project_id, self.jobs):
            return
        for reason, look in REASONS.items():
            ids = self._ids(reason)
            if ids:
                with st.container(horizontal=True, vertical_alignment="center"):
                    st.markdown(inline(StateLook(icon=look.icon, colour=look.colour, word=look.word, n=len(ids))))
                    label = _("Review {n:,} again", n=len(ids))
                    if st.button(label, key=f"again_{reason}_{self.project.project_id}", icon=":material/refresh:"):
                        self._act(ids)

    def _ids(self, reason: Standing) -> Sequence[str]:
        if reason is Standing.JUDGED_WITHOUT_MODEL and not self.has_model:
            return ()
        by_meaning = {
            task.task_id
            for task in self.project.tasks
            if any(line.decided_by is Source.MODEL for line in task.criteria)
        }
        return [
            each.submission_id
            for each in self.standings
            if each.standing is reason and (reason is not Standing.JUDGED_WITHOUT_MODEL or each.task_id in by_meaning)
        ]

    def ask(self, submission_ids: Sequence[str]) -> None:
        """Ask that these be reviewed again, as one job."""
        if not self.is_demo:
            self.space.jobs.ask_review(self.viewer, self.project.project_id, submission_ids)
            return
        for submission_id in submission_ids:
            self.space.reviewer.start(self.viewer, submission_id, self.space.worker)

    def _act(self, submission_ids: Sequence[str]) -> None:
        try:
            self.ask(submission_ids)
        except TutorloopError as error:
            show_error(error)
            return
        st.rerun()
