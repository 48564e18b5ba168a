"""The files of a submission: the list, one of them with its lines, the place that was asked for marked and in view."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from engine.domain.people import Viewer
from engine.domain.states import FileKind, FileState
from engine.domain.work import WorkFile
from engine.errors import NotFound, TutorloopError
from engine.review.places import Place, find_place
from engine.review.viewing import FileView, view_file
from engine.wiring import Space
from engine.work.version_files import texts_of
from engine.work.work_store import WorkStore
from pages._widgets.address import name_in_address
from pages._widgets.errors import show_error
from pages._widgets.evidence_link import FILE, SUBMISSION, commit_words, forget_file
from pages._widgets.lines import lines_html
from pages._widgets.markdown import literal
from pages._widgets.report_view import draw_report
from pages._widgets.text_choice import BEGIN as BEGIN_TEXT
from pages._widgets.text_choice import FROM, TEXT
from pages._widgets.words import N_, _, in_a_row, ngettext

STYLE = Path(__file__).parent / "lines.css"
BEGIN = "evidence_begin"
"""Where the session keeps which line the shown part of a file begins with."""
_KINDS = {
    FileKind.REPORT: N_("{path} (test report)"),
    FileKind.ENVIRONMENT: N_("{path} (notes on the environment)"),
}
_STATES = {
    FileState.BINARY: N_("{path} (no text)"),
    FileState.UNDECODABLE: N_("{path} (not readable)"),
    FileState.TOO_LARGE: N_("{path} (too large)"),
}
_FACTS = {
    FileState.BINARY: N_("This file was handed in and is no text, so it is not shown. It is {size} in size."),
    FileState.UNDECODABLE: N_(
        "This file was handed in, but its characters cannot be read: no usual encoding fits. It is {size} in size."
    ),
    FileState.TOO_LARGE: N_("This file was handed in and is too large to be read ({size}). Only its name is known."),
}


def is_open() -> bool:
    """Whether the address names files."""
    return FILE in st.query_params


def open_evidence(viewer: Viewer, space: Space) -> None:
    """Show the drawer with the files that the address names."""
    submission_id = st.query_params.get(SUBMISSION, "")

    @st.dialog(_("Files of the submission"), width="large", position="right", on_dismiss=forget_file)
    def drawer() -> None:
        try:
            draw_files(viewer, space.work, submission_id)
        except TutorloopError as error:
            show_error(error)

    drawer()


def draw_beside(viewer: Viewer, work: WorkStore, submission_id: str) -> None:
    """The files of the review on the screen, with a way back; an address that names another submission's is left.

    Raises:
        NotFound: there is no such submission.
    """
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.subheader(_("Files of the submission"))
        st.button(_("Back to the timeline"), key="close_files", icon=":material/history:", on_click=forget_file)
    if st.query_params.get(SUBMISSION, submission_id) != submission_id:
        forget_file()
        st.rerun()
    draw_files(viewer, work, submission_id)


def draw_files(viewer: Viewer, work: WorkStore, submission_id: str) -> None:
    """List and text; which file and line, the address says.

    Raises:
        NotFound: there is no such submission.
    """
    st.html(STYLE)
    files = work.files(viewer, submission_id)
    told = st.query_params.get(FILE, "")
    place = find_place(told, files)
    if told and (place is None or not place.is_told):
        st.caption(_("{place} is no file of this submission.", place=literal(told)))
    path = _choose(files, place, submission_id)
    _draw_commit(viewer, work, submission_id)
    try:
        file = work.file(viewer, submission_id, path)
    except NotFound:
        return
    _draw_improve(viewer, work, submission_id, file)
    _draw_file(file, place.line if place and place.path == path else None, files)


def _choose(files: Sequence[WorkFile], place: Place | None, submission_id: str) -> str:
    """The file that the address names, else the first one that can be read."""
    names = {file.path: _name(file) for file in files}
    readable = [file.path for file in files if file.state is FileState.TEXT]
    chosen = place.path if place else next(iter([*readable, *names]), "")
    key = f"evidence_file_{submission_id}"
    if st.session_state.get(key) != chosen:
        st.session_state.pop(BEGIN, None)
        st.session_state[key] = chosen
    st.selectbox(
        ngettext("{n} file", "{n} files", len(files)),
        list(names),
        key=key,
        format_func=lambda path: names.get(path, ""),
        on_change=_chosen,
        args=(key, submission_id, chosen),
    )
    return chosen


def _chosen(key: str, submission_id: str, shown: str) -> None:
    chosen = st.session_state.get(key)
    if chosen in (None, shown):  # see `pick` of subject.py
        return
    name_in_address(SUBMISSION, submission_id)
    name_in_address(FILE, chosen)
    st.session_state.pop(BEGIN, None)


def _name(file: WorkFile) -> str:
    template = _STATES.get(file.state) or _KINDS.get(file.kind)
    return _(template, path=file.path) if template else file.path


def _draw_commit(viewer: Viewer, work: WorkStore, submission_id: str) -> None:
    told = work.provenance(viewer, submission_id)
    if told is not None:
        st.caption(f":material/commit: {commit_words(told)}")


def _draw_improve(viewer: Viewer, work: WorkStore, submission_id: str, file: WorkFile) -> None:
    """The way to improve a text of the newest submission version by version."""
    key = work.submission(viewer, submission_id).key
    newest = work.newest(viewer, key)
    if newest is None or newest.submission_id != submission_id or not texts_of([file]):
        return
    st.page_link(
        "revisions.py",
        label=_("Improve this text"),
        icon=":material/edit_note:",
        query_params={
            "task": f"{key.project_id}/{key.task_id}",
            "student": key.learner_id,
            TEXT: BEGIN_TEXT,
            FROM: file.path,
        },
        width="content",
    )


def _draw_file(file: WorkFile, line: int | None, files: Sequence[WorkFile]) -> None:
    if file.state in _FACTS:
        st.info(_(_FACTS[file.state], size=_size(file.size_bytes)), icon=":material/visibility_off:")
        return
    if file.kind is FileKind.REPORT and file.body:
        draw_report(file.path, file.body, files)
    begin = st.session_state.get(BEGIN)
    view = view_file(file, line=line, begin=begin)
    _draw_facts(view, line, has_moved=begin is not None)
    if view.lines:
        st.html(lines_html(view, marked=line, name=file.path))
    _draw_steps(view)


def _draw_facts(view: FileView, line: int | None, *, has_moved: bool) -> None:
    facts = []
    if not view.lines:
        facts.append(_("The file is empty, or its words were erased."))
    if line is not None and not view.has_marked and not has_moved:
        facts.append(_("Line {line} is not among the lines that can be shown.", line=line))
    if view.is_digest:
        facts.append(_("Of a long log the beginning and the end are kept."))
    if view.hidden:
        facts.append(
            ngettext(
                "{n} password or key is hidden.",
                "{n} passwords or keys are hidden.",
                view.hidden,
            )
        )
    if facts:
        st.caption(in_a_row(facts))


def _draw_steps(view: FileView) -> None:
    if view.earlier is None and view.later is None:
        return
    shown = _(
        "Lines {first:,} to {last:,} of {n:,}", first=view.lines[0].number, last=view.lines[-1].number, n=view.total
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        for key, label, icon, begin in (
            ("evidence_earlier", _("Earlier lines"), "arrow_upward", view.earlier),
            ("evidence_later", _("Later lines"), "arrow_downward", view.later),
        ):
            st.button(
                label,
                key=key,
                icon=f":material/{icon}:",
                type="tertiary",
                disabled=begin is None,
                on_click=_begin_with,
                args=(begin,),
            )
        st.caption(shown)


def _begin_with(line: int | None) -> None:
    st.session_state[BEGIN] = line


def _size(size_bytes: int) -> str:
    """As people say it: bytes under a thousand, else KB or MB with one digit."""
    if size_bytes < 1000:
        return f"{size_bytes} B"
    if size_bytes < 1_000_000:
        return f"{size_bytes / 1024:.1f} KB"
    return f"{size_bytes / 1024 / 1024:.1f} MB"
