"""The drawer for handing in: what it is, what will be looked at, and then one click."""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from engine.domain.people import Viewer
from engine.domain.session import Conversation
from engine.domain.states import FileKind, FileState
from engine.errors import TutorloopError
from engine.scenarios.samples import Sample, sample_project
from engine.sessions.session_store import SessionStore
from engine.work.gathering import NOTE_CHARACTERS, environment_note, join, read_folder
from engine.work.git_source import FetchedRepository
from engine.work.unpack import MIB, HandIn, HandInLimits, Upload, read_hand_in
from engine.workbench import Workbench
from pages._widgets.as_typed import send_as_typed
from pages._widgets.errors import show_error
from pages._widgets.fields import uploader_style
from pages._widgets.markdown import literal
from pages._widgets.repository import RepositoryField
from pages._widgets.subject import Subject, point_at
from pages._widgets.words import _, language, ngettext

TOKEN = "hand_in_token"  # noqa: S105 - the name of a session value
DRAFT = "hand_in"
"""Subject under which pasted text is kept until it is handed in."""
NEW_LEARNER = "new"
"""Owner of a draft that is typed before there is a course of one's own; no id of a learner."""


_FIELDS = (
    "hand_in_files",
    "hand_in_folder",
    "hand_in_text",
    "hand_in_note",
    "repository_address",
    "repository_name",
)


def begin_hand_in() -> None:
    """Begin one form, which stays open until it is handed in or closed. Pressed twice it hands in once.

    It stays through reruns that others start: a reply or a review that ends draws the page anew.
    """
    st.session_state.setdefault(TOKEN, str(uuid.uuid4()))


def draw_hand_in_button() -> None:
    """The page's primary button, which begins a form."""
    st.button(
        _("Hand in work"), key="open_hand_in", type="primary", icon=":material/upload_file:", on_click=begin_hand_in
    )


def is_handing_in() -> bool:
    """Whether a form is open."""
    return TOKEN in st.session_state


@dataclass(frozen=True, slots=True, kw_only=True)
class _Given:
    """What was chosen so far."""

    uploads: Sequence[UploadedFile]
    folder: Sequence[UploadedFile]
    fetched: FetchedRepository | None

    @property
    def is_empty(self) -> bool:
        return not self.uploads and not self.folder and self.fetched is None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandInDrawer:
    """What the drawer needs to know."""

    viewer: Viewer
    workbench: Workbench
    subject: Subject | None
    """None: there is no course yet."""
    begin_conversation: Callable[[], Conversation] | None
    """Gives the conversation on the screen, which is told of the hand-in, stored now if it is new; None as above."""

    @property
    def _own(self) -> Subject | None:
        """The task of one's own that the work is for; None: a course is made for it."""
        return None if self.subject is None or self.subject.is_demo else self.subject

    def open(self) -> None:
        """Show the drawer, whose form is the one that `begin_hand_in` began."""
        st.dialog(_("Hand in work"), width="medium", position="right", on_dismiss=self._close)(self._draw)()

    def _draw(self) -> None:
        name = self._draw_target()
        given = self._draw_ways()
        pasted = self._draw_text()
        note = self._draw_note()
        if given.is_empty and not pasted.strip():
            st.caption(_("Nothing is sent before you press the button."))
            _draw_samples()
            return
        try:
            read = _read(given, pasted, note)
        except TutorloopError as error:
            show_error(error)
            return
        _draw_preview(read)
        if st.button(_("Hand in"), type="primary", key="hand_in_now", icon=":material/upload_file:"):
            self._hand_in(read, name, given.fetched)

    def _draw_ways(self) -> _Given:
        """The ways to choose work; what was chosen on one stays while another is looked at."""
        desk, token = self.workbench.repositories, st.session_state[TOKEN]
        names = [_("Files or a zip"), _("A folder"), _("From a git repository")]
        # A drawer that is drawn anew begins with its first tab, unless it is told that something goes on in another.
        current = names[0] if desk.look(self.viewer, token) is None else names[-1]
        plain, folder, repository = st.tabs(names, default=current)
        with plain:
            uploads = st.file_uploader(
                _("Files or a zip, with the test report (JUnit XML) if there is one"),
                accept_multiple_files=True,
                key="hand_in_files",
            )
            st.caption(_limits())
        with folder:
            inside = st.file_uploader(
                _("A folder with everything in it"), accept_multiple_files="directory", key="hand_in_folder"
            )
            st.caption(_("Tool folders such as node_modules are left out. For a large folder a zip is faster."))
        st.html(uploader_style({"hand_in_files": _("Choose files"), "hand_in_folder": _("Choose a folder")}))
        with repository:
            fetched = RepositoryField(self.viewer, desk, token).draw()
        return _Given(uploads=uploads, folder=inside, fetched=fetched)

    def _draw_note(self) -> str:
        """What is said of the environment; it becomes part of what is handed in."""
        with st.expander(_("Where it runs (optional)"), icon=":material/computer:", type="compact"):
            return st.text_area(
                _("System and versions, and what is needed to run it"),
                key="hand_in_note",
                height=100,
                max_chars=NOTE_CHARACTERS,
                placeholder="os: Debian 12\npython: 3.11\nrun: pip install -e . && pytest",
                help=_("It is shown on the review card and given to the reviewer. It is not checked."),
            )

    def _close(self) -> None:
        self.workbench.repositories.forget(self.viewer, st.session_state.get(TOKEN, ""))
        for name in (TOKEN, *_FIELDS):
            st.session_state.pop(name, None)

    def _draw_target(self) -> str:
        if self._own is not None:
            st.markdown(_("For the task **{task}**.", task=literal(self._own.task.title)))
            return self._own.learner.name
        st.markdown(
            _("What is it? **General project**: a few checks that fit any repository. It makes *My course* for you.")
        )
        before = self.workbench.own.desk.my_name(self.viewer) or _("Me")
        return st.text_input(_("Whose work is it?"), value=before, key="hand_in_name", max_chars=80).strip() or before

    def _draw_text(self) -> str:
        """Pasted text; it is kept as one types, until it is handed in."""
        if "hand_in_text" not in st.session_state:
            st.session_state["hand_in_text"] = self._sessions.draft(self.viewer, *self._draft_place)
        text = st.text_area(_("Or paste text"), key="hand_in_text", height=160, on_change=self._keep_draft)
        send_as_typed("hand_in_text")
        return text

    @property
    def _sessions(self) -> SessionStore:
        return self.workbench.own.sessions

    @property
    def _draft_place(self) -> tuple[str, str]:
        """Whose draft it is, and of what; before there is a course it is nobody else's yet."""
        if self._own is None:
            return NEW_LEARNER, DRAFT
        key = self._own.key
        return key.learner_id, f"{DRAFT}:{key.project_id}/{key.task_id}"

    def _keep_draft(self) -> None:
        """Keep the words, unless the form was closed while the last of them were still on their way."""
        if "hand_in_text" in st.session_state:
            self._sessions.save_draft(self.viewer, *self._draft_place, st.session_state["hand_in_text"])

    def _hand_in(self, read: HandIn, name: str, fetched: FetchedRepository | None) -> None:
        own = self.workbench.own
        try:
            if self._own is None or self.begin_conversation is None:
                key = own.desk.my_course(self.viewer, language(), name)
                known = own.sessions.conversations(self.viewer, key)
                conversation = known[0] if known else own.sessions.open_conversation(self.viewer, key)
            else:
                key, conversation = self._own.key, self.begin_conversation()
            own.desk.hand_in(
                self.viewer,
                key,
                read.files,
                token=st.session_state[TOKEN],
                worker=own.worker,
                conversation_id=conversation.conversation_id,
                provenance=fetched.provenance if fetched else None,
            )
        except TutorloopError as error:
            show_error(error)
            return
        course = next(
            c for c in own.courses.courses(self.viewer) if key.project_id in {p.project_id for p in c.projects}
        )
        point_at(
            course=course.course_id,
            task=f"{key.project_id}/{key.task_id}",
            student=key.learner_id,
            conversation=conversation.conversation_id,
        )
        self._sessions.save_draft(self.viewer, *self._draft_place, "")
        self._close()
        st.rerun()


def _read(given: _Given, pasted: str, note: str) -> HandIn:
    """Everything that was chosen, as one hand-in.

    Raises:
        HandInError: it cannot be taken.
    """
    parts = [given.fetched.read] if given.fetched else []
    if given.folder:
        parts.append(read_folder([_upload(file) for file in given.folder]))
    if given.uploads or pasted.strip():
        parts.append(read_hand_in([_upload(file) for file in given.uploads], pasted))
    said = environment_note(note)
    return join([*parts, said] if said else parts)


def _draw_samples() -> None:
    """Two small projects to hand in, for whoever has nothing at hand."""
    st.markdown(_("Nothing at hand? Take a sample project."))
    labels = {Sample.FAILING: _("With a failing test"), Sample.PASSING: _("With all tests passed")}
    with st.container(horizontal=True):
        for sample, label in labels.items():
            st.download_button(
                label,
                sample_project(sample, language()),
                file_name=f"{sample}.zip",
                mime="application/zip",
                key=f"sample_{sample}",
                icon=":material/download:",
                on_click="ignore",
            )


def _limits() -> str:
    limits = HandInLimits()
    return _(
        "Up to {upload} MB a file or zip, {files:,} files and {total} MB unpacked; a single file over {file} MB "
        "is listed and not read.",
        upload=limits.upload_bytes // MIB,
        files=limits.files,
        total=limits.total_bytes // MIB,
        file=limits.file_bytes // MIB,
    )


def _upload(file: UploadedFile) -> Upload:
    return Upload(name=file.name, content=file.getvalue())


def _draw_preview(read: HandIn) -> None:
    reports = sum(file.kind is FileKind.REPORT for file in read.files)
    too_large = sum(file.state is FileState.TOO_LARGE for file in read.files)
    unread = sum(file.state is not FileState.TEXT for file in read.files) - too_large
    parts = [
        ngettext("{n} file will be looked at", "{n} files will be looked at", len(read.files)),
        ngettext("{n} test report", "{n} test reports", reports),
    ]
    if unread:
        parts.append(ngettext("{n} cannot be read as text", "{n} cannot be read as text", unread))
    if too_large:
        parts.append(ngettext("{n} is too large to be read", "{n} are too large to be read", too_large))
    if read.skipped:
        parts.append(ngettext("{n} skipped (tool folders)", "{n} skipped (tool folders)", len(read.skipped)))
    st.info(" · ".join(parts), icon=":material/folder_open:")
    with st.expander(_("Which files"), type="compact"):
        st.code("\n".join(file.path for file in read.files), language=None)
