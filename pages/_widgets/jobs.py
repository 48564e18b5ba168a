"""Durable jobs of a project: how far each is, and how to cancel it and go on."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from engine.domain.job import JobProgress, JobState
from engine.domain.people import Viewer
from engine.errors import TutorloopError
from engine.wiring import Space
from pages._widgets.errors import show_error
from pages._widgets.moments import moment
from pages._widgets.states import Colour, StateLook, inline
from pages._widgets.words import N_, _, ngettext

LOOK_EVERY = 1.0
"""Seconds between two looks at a job that is under way."""
SHOWN = 3
"""Jobs that are shown, the last asked first."""
ACTIVE = frozenset({JobState.WAITING, JobState.RUNNING, JobState.CANCELLING})
"""States that change by themselves."""

LOOKS: Mapping[JobState, StateLook] = {
    JobState.WAITING: StateLook(icon="hourglass_top", colour=Colour.BLUE, word=N_("Waiting")),
    JobState.RUNNING: StateLook(icon="autorenew", colour=Colour.BLUE, word=N_("Reviewing")),
    JobState.CANCELLING: StateLook(icon="stop_circle", colour=Colour.BLUE, word=N_("Stopping")),
    JobState.CANCELLED: StateLook(icon="stop_circle", colour=Colour.GREY, word=N_("Cancelled")),
    JobState.STOPPED: StateLook(icon="power_off", colour=Colour.VIOLET, word=N_("Stopped by a fault of ours")),
    JobState.ENDED: StateLook(icon="check", colour=Colour.GREEN, word=N_("Done")),
}


def newest_jobs(viewer: Viewer, space: Space, project_id: str) -> Sequence[JobProgress]:
    """What `draw_jobs` draws; read before whatever jobs change, as one may end between the two."""
    return space.jobs.recent(viewer, project_id, limit=SHOWN)


def draw_jobs(viewer: Viewer, space: Space, project_id: str, drawn: Sequence[JobProgress]) -> bool:
    """The newest jobs of a project; those under way are looked at again and again. Tells whether there are such."""
    if not drawn:
        return False
    is_active = any(job.state in ACTIVE for job in drawn)

    @st.fragment(run_every=LOOK_EVERY if is_active else None)
    def watch() -> None:
        try:
            now = newest_jobs(viewer, space, project_id)
        except TutorloopError as error:
            show_error(error)
            return
        if is_active and not any(job.state in ACTIVE for job in now):
            st.rerun()  # what is counted elsewhere on the page has changed
        _draw_all(viewer, space, now)

    watch()
    return is_active


def _draw_all(viewer: Viewer, space: Space, jobs: Sequence[JobProgress]) -> None:
    is_stranded = any(job.state is JobState.WAITING for job in jobs) and not space.beats.is_any_alive()
    if is_stranded:
        st.caption(
            _("No worker is running: jobs wait, and nothing of them is lost. Start one with `tutorloop worker`.")
        )
    for job in jobs:
        with st.container(border=True, key=f"job_{job.job_id}"):
            _draw_one(viewer, space, job)


def _draw_one(viewer: Viewer, space: Space, job: JobProgress) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"{inline(LOOKS[job.state])} {_told(job)}", width="stretch")
        if job.state in (JobState.WAITING, JobState.RUNNING):
            _button(
                _("Cancel"), "stop_circle", f"job_cancel_{job.job_id}", lambda: space.jobs.cancel(viewer, job.job_id)
            )
        elif job.state not in ACTIVE and job.done - job.failed < job.total:
            left = job.total - job.done + job.failed
            label = ngettext("Go on with {n:,} review", "Go on with {n:,} reviews", left)
            _button(label, "play_arrow", f"job_resume_{job.job_id}", lambda: space.jobs.resume(viewer, job.job_id))
    if job.state in ACTIVE:
        st.progress(job.done / job.total if job.total else 0.0)
        st.caption(_("You can close this page. Cancelling keeps what is done; the rest can be gone on with later."))


def _told(job: JobProgress) -> str:
    when = moment(job.asked_at)
    if job.failed:
        return _(
            "{done:,} of {total:,} reviewed again, {failed:,} of them could not be; asked {when}",
            done=job.done,
            total=job.total,
            failed=job.failed,
            when=when,
        )
    return _("{done:,} of {total:,} reviewed again; asked {when}", done=job.done, total=job.total, when=when)


def _button(label: str, icon: str, key: str, act: Callable[[], bool]) -> None:
    if st.button(label, key=key, icon=f":material/{icon}:"):
        try:
            act()
        except TutorloopError as error:
            show_error(error)
            return
        st.rerun()
