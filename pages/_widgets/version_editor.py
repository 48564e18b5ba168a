"""Editing a version by hand: what is typed is kept as a draft, and saving says what it was made from."""

import uuid
from collections.abc import Sequence

import streamlit as st

from engine.domain.artifact import ArtifactKind, ArtifactVersion, NewVersion, VersionDraft, VersionLine, VersionReason
from engine.domain.people import Viewer
from engine.errors import NotFound, StaleBase, TutorloopError
from engine.work.version_files import with_line_ends_of
from pages._widgets.address import close_in_address, name_in_address
from pages._widgets.as_typed import send_as_typed
from pages._widgets.code_area import text_place
from pages._widgets.errors import show_error
from pages._widgets.moments import moment
from pages._widgets.text_choice import BRANCH, CONFLICT, DRAFT, EDIT, TextChoice
from pages._widgets.told import tell
from pages._widgets.version_choice import show_newest
from pages._widgets.words import _

TOGETHER = ".together"
"""Ends the id of a draft in which two texts are being joined; it belongs to the draft whose id is before it."""


def begin_editing(number: int, draft_id: str = "", *, branch: bool = False) -> None:
    """Let the address name the version that is edited, the form that it is typed in, and whether a branch is meant."""
    end_editing()
    name_in_address(EDIT, str(number))
    name_in_address(DRAFT, draft_id or uuid.uuid4().hex[:12])
    if branch:
        name_in_address(BRANCH, "1")


def end_editing() -> None:
    """Let the address name no editing."""
    close_in_address(EDIT, DRAFT, BRANCH, CONFLICT)


def tell_saved(number: int, *, is_new: bool) -> None:
    """Say what became of saving, and show the newest version."""
    end_editing()
    show_newest()
    if is_new:
        tell(_("Saved as V{n}.", n=number))
    else:
        tell(_("Nothing changed, so there is no new version: this is V{n}, word for word.", n=number))


class VersionEditor:
    """One run of the editor."""

    def __init__(self, viewer: Viewer, choice: TextChoice, lines: Sequence[VersionLine]) -> None:
        self._viewer = viewer
        self._choice = choice
        self._space = choice.subject.space
        self._lines = lines
        self._artifact_id = lines[0].artifact_id
        self._is_code = choice.chosen is not None and choice.chosen.artifact.kind is ArtifactKind.CODE

    def draw_drafts(self) -> None:
        """Texts that were begun in a form that is not open here, with a way back to each."""
        numbers = {line.version_id: line.number for line in self._lines}
        for draft in self._space.version_drafts.drafts(self._viewer, self._artifact_id):
            if draft.draft_id.endswith(TOGETHER) or draft.draft_id == st.query_params.get(DRAFT):
                continue
            number = numbers.get(draft.base_id, 0)
            with st.container(horizontal=True, vertical_alignment="center", key=f"draft_{draft.draft_id}"):
                told = _("A draft on V{n} is kept ({when}).", n=number, when=moment(draft.saved_at))
                st.caption(f":material/edit_note: {told}", width="content")
                st.button(
                    _("Go on"),
                    key=f"go_on_{draft.draft_id}",
                    on_click=begin_editing,
                    args=(number, draft.draft_id),
                    kwargs={"branch": draft.is_branch},
                )
                st.button(
                    _("Discard"),
                    key=f"discard_{draft.draft_id}",
                    type="tertiary",
                    on_click=self._drop,
                    args=(draft.draft_id,),
                )

    @property
    def is_open(self) -> bool:
        """Whether the address names a version of this text to edit."""
        return self._base_line() is not None and bool(st.query_params.get(DRAFT))

    def draw(self) -> None:
        """Title and text of the version that the address names, as far as they were typed."""
        line = self._base_line()
        if line is None:
            raise NotFound("there is no such version")
        base = self._space.artifacts.version(self._viewer, self._artifact_id, line.version_id)
        draft_id = st.query_params[DRAFT]
        title_key, body_key = f"edit_title_{draft_id}", f"edit_body_{draft_id}"
        self._begin_with(base, draft_id, title_key, body_key)
        self._draw_head(base)
        args = (base, draft_id, title_key, body_key)
        st.text_input(_("Title of the text"), key=title_key, max_chars=200, on_change=self._keep, args=args)
        with text_place(is_code=self._is_code):
            st.text_area(_("Text"), key=body_key, height=420, on_change=self._keep, args=args)
        send_as_typed(body_key, enter=True)
        st.caption(_("What you type is kept as a draft."))
        self._draw_buttons(base, draft_id, title_key, body_key)

    def _base_line(self) -> VersionLine | None:
        wanted = st.query_params.get(EDIT, "")
        return next((line for line in self._lines if str(line.number) == wanted), None)

    def _begin_with(self, base: ArtifactVersion, draft_id: str, title_key: str, body_key: str) -> None:
        if body_key in st.session_state and title_key in st.session_state:
            return
        draft = find_draft(self._space.version_drafts.drafts(self._viewer, self._artifact_id), draft_id)
        st.session_state[title_key] = draft.title if draft else base.title
        st.session_state[body_key] = (draft.body if draft else base.body).replace("\r\n", "\n")

    def _draw_head(self, base: ArtifactVersion) -> None:
        newest = self._lines[-1]
        st.subheader(_("Editing V{n}", n=base.number), anchor=False)
        if _is_branch():
            st.caption(_("V{newest} is the newest. Saved beside it, this becomes a branch.", newest=newest.number))
        elif base.number != newest.number:
            told = _(
                "V{newest} was saved in the meantime. Saving yours shows both texts side by side.", newest=newest.number
            )
            st.warning(told, icon=":material/call_split:")

    def _draw_buttons(self, base: ArtifactVersion, draft_id: str, title_key: str, body_key: str) -> None:
        number = self._lines[-1].number + 1
        with st.container(horizontal=True):
            label = _("Save as V{n}, a branch", n=number) if _is_branch() else _("Save as V{n}", n=number)
            is_saved = st.button(label, key="edit_save", type="primary", icon=":material/save:", shortcut="Ctrl+Enter")
            st.button(_("Put aside"), key="edit_close", icon=":material/close:", on_click=end_editing)
            st.button(_("Discard"), key="edit_discard", type="tertiary", on_click=self._discard, args=(draft_id,))
        if is_saved:
            self._save(base, draft_id, st.session_state[title_key], st.session_state[body_key])

    def _save(self, base: ArtifactVersion, draft_id: str, title: str, body: str) -> None:
        new = NewVersion(
            title=title,
            body=with_line_ends_of(base.body, body),
            author=self._choice.author(self._viewer),
            reason=VersionReason.EDITED,
        )
        try:
            saved = self._space.artifacts.save(
                self._viewer, self._artifact_id, base.version_id, new, branch=_is_branch(), draft_id=draft_id
            )
        except StaleBase:
            name_in_address(CONFLICT, "1")
            st.rerun()
        except TutorloopError as error:
            show_error(error)
            return
        if saved.is_new:
            self._space.preferences.learner.begin(self._viewer, self._artifact_id, saved.version.version_id)
        tell_saved(saved.version.number, is_new=saved.is_new)
        st.rerun()

    def _keep(self, base: ArtifactVersion, draft_id: str, title_key: str, body_key: str) -> None:
        """Keep what was typed, unless it was saved while the last of it was still on its way, or nothing was."""
        if title_key not in st.session_state or body_key not in st.session_state:
            return
        title, body = st.session_state[title_key], with_line_ends_of(base.body, st.session_state[body_key])
        try:
            drafts = self._space.version_drafts.drafts(self._viewer, self._artifact_id)
            if (title, body) == (base.title, base.body) and find_draft(drafts, draft_id) is None:
                return
            self._space.version_drafts.keep(
                self._viewer,
                self._artifact_id,
                draft_id,
                base.version_id,
                title=title,
                body=body,
                is_branch=_is_branch(),
            )
        except TutorloopError as error:
            show_error(error)

    def _discard(self, draft_id: str) -> None:
        self._drop(draft_id)
        end_editing()

    def _drop(self, draft_id: str) -> None:
        """Forget what was typed in a form, and what was joined with it."""
        for each in (draft_id, f"{draft_id}{TOGETHER}"):
            self._space.version_drafts.drop(self._viewer, self._artifact_id, each)


def _is_branch() -> bool:
    return BRANCH in st.query_params


def find_draft(drafts: Sequence[VersionDraft], draft_id: str) -> VersionDraft | None:
    """The draft of one form."""
    return next((one for one in drafts if one.draft_id == draft_id), None)
