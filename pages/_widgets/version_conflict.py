"""A version that came while another was being edited: yours, theirs, or both together; nothing is chosen for you."""

from collections.abc import Sequence
from enum import StrEnum

import streamlit as st

from engine.domain.artifact import (
    Artifact,
    ArtifactKind,
    ArtifactVersion,
    NewVersion,
    Saved,
    VersionDraft,
    VersionLine,
    VersionReason,
)
from engine.domain.people import Viewer
from engine.errors import TutorloopError
from engine.work.version_files import with_line_ends_of
from pages._widgets.address import close_in_address
from pages._widgets.diff_view import DiffSide, draw_diff
from pages._widgets.errors import show_error
from pages._widgets.text_choice import CONFLICT, DRAFT, TextChoice
from pages._widgets.told import tell
from pages._widgets.version_choice import show_newest
from pages._widgets.version_editor import TOGETHER, end_editing, find_draft, tell_saved
from pages._widgets.version_joining import JoinedText, VersionJoining
from pages._widgets.width import NARROW, page_width
from pages._widgets.words import _


class Way(StrEnum):
    """How two texts that were made from one version become one line again."""

    MINE = "mine"
    BRANCH = "branch"
    TOGETHER = "together"
    THEIRS = "theirs"


class VersionConflict:
    """One run of the page of a conflict."""

    def __init__(self, viewer: Viewer, choice: TextChoice, artifact: Artifact, lines: Sequence[VersionLine]) -> None:
        self._viewer = viewer
        self._choice = choice
        self._artifact = artifact
        self._space = choice.subject.space
        self._lines = lines
        self._artifact_id = lines[0].artifact_id
        self._drafts = self._space.version_drafts.drafts(viewer, self._artifact_id)
        self._mine = find_draft(self._drafts, st.query_params.get(DRAFT, ""))

    @property
    def is_open(self) -> bool:
        """Whether the address names a conflict of a draft that there is."""
        return CONFLICT in st.query_params and self._mine is not None

    def draw(self) -> None:
        """Both texts, the ways to go on, and one button."""
        if self._mine is None:
            return
        mine, newest = (
            self._mine,
            self._space.artifacts.version(self._viewer, self._artifact_id, self._lines[-1].version_id),
        )
        base = next((line.number for line in self._lines if line.version_id == mine.base_id), 0)
        st.warning(
            _(
                "You edited V{base}, but V{newest} exists by now. Both are kept; choose how to join them.",
                base=base,
                newest=newest.number,
            ),
            icon=":material/call_split:",
        )
        width, above = page_width(), st.container()
        way = self._draw_ways(base, newest.number)
        joining = self._joining(mine, newest, is_narrow=width < NARROW) if way is Way.TOGETHER else None
        joined = joining.draw() if joining else None
        with above:
            theirs = DiffSide(label=_("V{n} (theirs)", n=newest.number), title=newest.title, body=newest.body)
            other = self._joined_side(joining.typed, newest) if joining else self._my_side(mine, base)
            about = self._artifact
            draw_diff(theirs, other, key="conflict", kind=about.kind, file_name=about.file_name, width=width)
        self._draw_buttons(way, mine, newest, joined)

    def _my_side(self, mine: VersionDraft, base: int) -> DiffSide:
        return DiffSide(label=_("Yours, from V{n}", n=base), title=mine.title, body=mine.body)

    def _joined_side(self, joined: JoinedText, newest: ArtifactVersion) -> DiffSide:
        label = _("Together, to be V{n}", n=newest.number + 1)
        return DiffSide(label=label, title=joined.title, body=with_line_ends_of(newest.body, joined.body))

    def _joining(self, mine: VersionDraft, newest: ArtifactVersion, *, is_narrow: bool) -> VersionJoining:
        is_code = self._artifact.kind is ArtifactKind.CODE
        return VersionJoining(self._viewer, self._space, mine, newest, is_code=is_code, is_narrow=is_narrow)

    def _draw_ways(self, base: int, newest: int) -> Way | None:
        labels = {
            Way.MINE: _("Yours: your text follows V{newest} as V{next}", newest=newest, next=newest + 1),
            Way.BRANCH: _(
                "Yours beside it: your text becomes V{next}, a branch of V{base}", next=newest + 1, base=base
            ),
            Way.TOGETHER: _("Together: V{next} takes in the changes of both", next=newest + 1),
            Way.THEIRS: _("Theirs: V{newest} stays as it is, and your draft is dropped", newest=newest),
        }
        key = f"conflict_way_{self._mine.draft_id if self._mine else ''}"
        chosen = st.radio(
            _("How to go on"), list(labels), index=None, key=key, format_func=lambda way: labels[Way(way)]
        )
        return Way(chosen) if chosen else None

    def _draw_buttons(
        self, way: Way | None, mine: VersionDraft, newest: ArtifactVersion, joined: JoinedText | None
    ) -> None:
        is_ready = way is not None and (way is not Way.TOGETHER or joined is not None)
        with st.container(horizontal=True):
            label = _("Drop my draft") if way is Way.THEIRS else _("Save as V{n}", n=newest.number + 1)
            is_chosen = st.button(
                label, key="conflict_save", type="primary", disabled=not is_ready, shortcut="Ctrl+Enter"
            )
            st.button(_("Back to my text"), key="conflict_back", on_click=_leave)
        if not is_chosen or not is_ready or way is None:
            return
        if way is Way.THEIRS:
            self._drop(mine)
            st.rerun()
        try:
            saved = self._save(way, mine, newest, joined)
        except TutorloopError as error:
            show_error(error)
            return
        self._space.version_drafts.drop(self._viewer, self._artifact_id, f"{mine.draft_id}{TOGETHER}")
        if saved.is_new:
            self._space.preferences.learner.begin(self._viewer, self._artifact_id, saved.version.version_id)
        tell_saved(saved.version.number, is_new=saved.is_new)
        if way is Way.TOGETHER and saved.is_new:
            tell(
                _(
                    "Saved as V{n}: both texts together, following V{newest}.",
                    n=saved.version.number,
                    newest=newest.number,
                )
            )
        st.rerun()

    def _save(self, way: Way, mine: VersionDraft, newest: ArtifactVersion, joined: JoinedText | None) -> Saved:
        new = NewVersion(
            title=joined.title if joined else mine.title,
            body=with_line_ends_of(newest.body, joined.body) if joined else mine.body,
            author=self._choice.author(self._viewer),
            reason=VersionReason.EDITED,
        )
        store = self._space.artifacts
        if way is Way.BRANCH:
            return store.save(self._viewer, self._artifact_id, mine.base_id, new, branch=True, draft_id=mine.draft_id)
        return store.join(self._viewer, self._artifact_id, newest.version_id, new, draft_id=mine.draft_id)

    def _drop(self, mine: VersionDraft) -> None:
        for draft_id in (mine.draft_id, f"{mine.draft_id}{TOGETHER}"):
            self._space.version_drafts.drop(self._viewer, self._artifact_id, draft_id)
        end_editing()
        show_newest()
        tell(_("Your draft was dropped. V{n} stays as it is.", n=self._lines[-1].number))


def _leave() -> None:
    close_in_address(CONFLICT)
