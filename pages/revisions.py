"""Improve a text by words or by hand, see exactly what changed, and go back at will."""

from engine.domain.artifact import Artifact, VersionLine
from engine.domain.feedback import Feedback
from engine.domain.people import Viewer
from engine.domain.states import FeedbackState
from engine.errors import TutorloopError
from engine.review.version_desk import key_of
from pages import _wiring
from pages._guard import require_viewer
from pages._widgets.brief import draw_style_of
from pages._widgets.chain_picture import draw_chain
from pages._widgets.diff_view import DiffSide, draw_diff
from pages._widgets.drawers import draw_no_course
from pages._widgets.edit_talk import draw_edit_talk
from pages._widgets.errors import show_error
from pages._widgets.state_line import follow_review
from pages._widgets.strip import draw_strip
from pages._widgets.subject import choose_subject
from pages._widgets.text_begin import TextBegin
from pages._widgets.text_choice import TextChoice, choose_text
from pages._widgets.told import draw_told
from pages._widgets.version_actions import VersionActions
from pages._widgets.version_choice import draw_version_choice, shown_versions
from pages._widgets.version_conflict import VersionConflict
from pages._widgets.version_editor import VersionEditor
from pages._widgets.version_standing import draw_version, read_standings
from pages._widgets.version_text import draw_text

viewer = require_viewer()


class RevisionsPage:
    """One run of the page, on one text."""

    def __init__(self, viewer: Viewer, choice: TextChoice, artifact: Artifact) -> None:
        self._viewer = viewer
        self._choice = choice
        self._artifact = artifact
        self._space = choice.subject.space
        # What may still be under way is read first: what ends after that is followed, and the page drawn anew.
        self._talk = self._space.edits.conversation(viewer, artifact.artifact_id)
        self._feedback = self._read_feedback()
        self._lines = self._space.artifacts.versions(viewer, artifact.artifact_id)
        self._standings = read_standings(viewer, self._space, artifact)

    def draw(self) -> None:
        """The chain, then the conflict or the editor that is open, or else what can be done, and two versions."""
        self._follow()
        old, new = shown_versions(self._lines)
        draw_chain(self._lines, self._standings, old, new)
        conflict = VersionConflict(self._viewer, self._choice, self._artifact, self._lines)
        editor = VersionEditor(self._viewer, self._choice, self._lines)
        if conflict.is_open:
            conflict.draw()
            return
        if not editor.is_open:  # what was done before may name what only the page without the editor has
            draw_told()
        editor.draw_drafts()
        if editor.is_open:
            editor.draw()
            return
        self._draw_versions(old, new)

    def _read_feedback(self) -> Feedback | None:
        key = key_of(self._artifact)
        return None if key is None else self._space.tutor.current_feedback(self._viewer, key)

    def _follow(self) -> None:
        """Draw the page anew when a review that is under way has ended."""
        if self._feedback is not None and self._feedback.state is FeedbackState.PENDING:
            follow_review(self._viewer, self._space, self._feedback.key, self._feedback)

    def _draw_versions(self, old: VersionLine, new: VersionLine) -> None:
        draw_version(new, self._lines, self._standings, self._choice.subject)
        draw_style_of(self._viewer, self._choice.subject, self._choice.owned, new)
        VersionActions(self._viewer, self._choice, self._artifact, self._lines, self._standings).draw(old, new)
        draw_edit_talk(self._viewer, self._choice, self._artifact, self._talk, self._lines[-1])
        if len(self._lines) > 1:
            draw_version_choice(self._lines, old, new)
        if old is new:
            self._draw_text(new)
        else:
            self._draw_difference(old, new)

    def _draw_text(self, line: VersionLine) -> None:
        """One version alone, which is compared with nothing."""
        version = self._space.artifacts.version(self._viewer, line.artifact_id, line.version_id)
        draw_text(version, self._artifact.kind)

    def _draw_difference(self, old: VersionLine, new: VersionLine) -> None:
        older, newer = (
            self._space.artifacts.version(self._viewer, line.artifact_id, line.version_id) for line in (old, new)
        )
        draw_diff(
            *(DiffSide(label=f"V{one.number}", title=one.title, body=one.body) for one in (older, newer)),
            key="revision",
            kind=self._artifact.kind,
            file_name=self._artifact.file_name,
        )


def draw() -> None:
    """The page, for the viewer it was opened for."""
    workbench = _wiring.workbench()
    subject = choose_subject(viewer, workbench)
    if subject is None:
        draw_no_course(viewer, workbench)
        return
    draw_strip(is_demo=subject.is_demo, is_offline=workbench.is_offline, can_hand_in=False)
    choice = choose_text(viewer, subject)
    if choice.chosen is None:
        TextBegin(viewer, choice).draw()
        return
    RevisionsPage(viewer, choice, choice.chosen.artifact).draw()


try:
    draw()
except TutorloopError as error:
    show_error(error)
