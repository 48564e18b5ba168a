"""Whether databases answer and workers work, in sentences."""

import streamlit as st

from engine.jobs.worker import WorkerReport
from engine.workbench import SpaceHealth
from pages._widgets.moments import moment
from pages._widgets.states import OURS, WELL
from pages._widgets.words import _, ngettext


def draw_health(spaces: tuple[SpaceHealth, ...]) -> None:
    """A line for each database, and one for what works on it."""
    for space in spaces:
        name = _("Demo") if space.is_demo else _("Your own data")
        with st.container(border=True, width=736, gap="small"):
            st.markdown(f"**{name}**")
            st.markdown(_database(answers=space.answers))
            st.markdown(_work(space.worker))
            st.caption(_last_error(space.worker))


def _database(*, answers: bool) -> str:
    if answers:
        told = _("The database answers.")
        return f"{WELL} {told}"
    told = _("The database does not answer now. What was saved before is intact. Try again in a few seconds.")
    return f"{OURS} {told}"


def _work(worker: WorkerReport) -> str:
    if not worker.is_alive:
        told = _(
            "Replies and reviews are not being worked on. What is stored is intact. "
            "Restart the server; what was under way is then offered again."
        )
        return f"{OURS} {told}"
    under_way = ngettext("{n} reply or review under way", "{n} replies and reviews under way", worker.running)
    waiting = ngettext("{n} waits for its turn", "{n} wait for their turn", worker.waiting)
    told = _("The worker is alive: {under_way}, {waiting}.", under_way=under_way, waiting=waiting)
    return f"{WELL} {told}"


def _last_error(worker: WorkerReport) -> str:
    if worker.last_error is None or worker.last_error_at is None:
        return _("No error of the worker since the server was started.")
    when = moment(worker.last_error_at)
    return _(
        "Last error of the worker: {kind}, {when}. The server's log has the rest.", kind=worker.last_error, when=when
    )
