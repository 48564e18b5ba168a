"""What can be done with a version: edit it, hand it in, restore it, put another beside it, take it away."""

from collections.abc import Sequence

import streamlit as st

from engine.domain.artifact import Artifact, NewVersion, VersionAuthor, VersionLine, VersionReason
from engine.domain.people import Viewer
from engine.errors import TutorloopError
from engine.review.version_desk import VersionHandIn, key_of
from engine.revision.chain import verify_chain
from pages._widgets.errors import show_error
from pages._widgets.markdown import literal
from pages._widgets.states import WARNING_MARK, WELL
from pages._widgets.text_choice import TextChoice
from pages._widgets.told import tell
from pages._widgets.version_choice import show_version
from pages._widgets.version_editor import begin_editing, tell_saved
from pages._widgets.version_standing import Standings
from pages._widgets.version_upload import draw_upload, read_text
from pages._widgets.version_words import PROBLEMS
from pages._widgets.words import _, ngettext


class VersionActions:
    """The row of buttons below the two versions on the screen."""

    def __init__(
        self, viewer: Viewer, choice: TextChoice, artifact: Artifact, lines: Sequence[VersionLine], standings: Standings
    ) -> None:
        self._viewer = viewer
        self._choice = choice
        self._space = choice.subject.space
        self._artifact = artifact
        self._lines = lines
        self._standings = standings
        self._newest = lines[-1]

    def draw(self, old: VersionLine, new: VersionLine) -> None:
        """Buttons that say which version they are about."""
        with st.container(horizontal=True):
            st.button(
                _("Edit V{n} by hand", n=self._newest.number),
                key="version_edit",
                icon=":material/edit:",
                shortcut="E",
                disabled=self._newest.is_erased,
                on_click=begin_editing,
                args=(self._newest.number,),
            )
            if key_of(self._artifact) is not None:
                self._draw_hand_in(new)
            self._draw_older(old if new is self._newest else new)
            self._draw_upload()
            self._draw_export(new)

    def _draw_older(self, line: VersionLine) -> None:
        """For a version that is not the newest: restore it, or go on from it."""
        if line is self._newest or line.is_erased:
            return
        names = {"old": line.number, "next": self._newest.number + 1}
        if st.button(_("Restore V{old} as V{next}", **names), key="version_restore", icon=":material/history:"):
            self._restore(line)
        st.button(
            _("Edit from V{n}, as a branch", n=line.number),
            key="version_branch",
            icon=":material/call_split:",
            on_click=begin_editing,
            args=(line.number,),
            kwargs={"branch": True},
        )

    def _restore(self, line: VersionLine) -> None:
        try:
            saved = self._space.artifacts.restore(
                self._viewer, line.artifact_id, line.version_id, self._choice.author(self._viewer)
            )
        except TutorloopError as error:
            show_error(error)
            return
        tell_saved(saved.version.number, is_new=saved.is_new)
        if saved.is_new:
            tell(_("V{old} is restored as V{n}. Nothing was removed.", old=line.number, n=saved.version.number))
        st.rerun()

    def _draw_hand_in(self, line: VersionLine) -> None:
        label = _("Hand in V{n}", n=line.number)
        known = list(self._standings.get(line.version_id, ()))
        with st.popover(
            label,
            icon=":material/upload_file:",
            type="primary",
            disabled=line.is_erased,
            key=f"version_hand_in_{line.version_id}_{len(known)}",  # so that it is closed once that is done
            on_change="rerun",
        ) as popover:
            if not popover.open:
                return
            prepared = self._space.version_desk.prepare(self._viewer, line.artifact_id, line.version_id)
            if prepared.newest and any(one.submission_id == prepared.newest.submission_id for one in known):
                st.markdown(_("V{n} is submission {s} already.", n=line.number, s=prepared.newest.submission_seq))
                return
            st.markdown(_hand_in_words(prepared))
            if st.button(label, key="version_hand_in_now", type="primary", icon=":material/upload_file:"):
                self._hand_in(line, prepared)

    def _hand_in(self, line: VersionLine, prepared: VersionHandIn) -> None:
        try:
            handed_in = self._space.version_desk.hand_in(self._viewer, prepared, self._space.worker)
        except TutorloopError as error:
            show_error(error)
            return
        seq = handed_in.submission.submission_seq
        tell(_("V{n} is submission {s}. Its review has begun.", n=line.number, s=seq))
        show_version(line, self._lines)
        st.rerun()

    def _draw_upload(self) -> None:
        number = self._newest.number + 1
        with st.popover(_("Upload V{n}", n=number), icon=":material/upload:"):
            upload = draw_upload(f"version_upload_{self._newest.version_id}")
            if upload is None or not st.button(
                _("Save as V{n}", n=number), key="version_upload_save", type="primary", icon=":material/save:"
            ):
                return
            try:
                new = NewVersion(
                    title=self._newest.title,
                    body=read_text(upload),
                    author=VersionAuthor.IMPORT,
                    reason=VersionReason.UPLOADED,
                    note=upload.name,
                )
                saved = self._space.artifacts.save(self._viewer, self._newest.artifact_id, self._newest.version_id, new)
            except TutorloopError as error:
                show_error(error)
                return
            if saved.is_new:
                self._space.preferences.learner.begin(self._viewer, saved.version.artifact_id, saved.version.version_id)
            tell_saved(saved.version.number, is_new=saved.is_new)
            st.rerun()

    def _draw_export(self, line: VersionLine) -> None:
        with st.popover(
            _("Download and check"), icon=":material/download:", key="version_export", on_change="rerun"
        ) as popover:
            if not popover.open:
                return
            version = self._space.artifacts.version(self._viewer, line.artifact_id, line.version_id)
            st.download_button(
                _("Download V{n}", n=line.number),
                version.body.encode(),
                file_name=self._artifact.file_name.rpartition("/")[2],
                mime="text/plain",
                key="version_download",
                icon=":material/download:",
                on_click="ignore",
            )
            self._draw_check()

    def _draw_check(self) -> None:
        """Whether the whole chain is as it was saved."""
        report = verify_chain(self._space.artifacts.chain(self._viewer, self._newest.artifact_id))
        if report.is_whole:
            told = ngettext(
                "The chain is whole: {n} version checked.",
                "The chain is whole: {n} versions checked.",
                report.versions - len(report.unchecked),
            )
            st.markdown(f"{WELL} {told}")
        for fault in report.faults:
            problem = _(PROBLEMS[fault.problem], n=fault.number)
            st.markdown(f"{WARNING_MARK} {problem}")
        if report.unchecked:
            st.caption(
                ngettext(
                    "{n} version cannot be checked, because its words were erased.",
                    "{n} versions cannot be checked, because their words were erased.",
                    len(report.unchecked),
                )
            )


def _hand_in_words(prepared: VersionHandIn) -> str:
    """What would be handed in."""
    path, files = literal(prepared.artifact.file_name), prepared.files
    if prepared.newest is None:
        return _("{path} is handed in alone; it is the first submission.", path=path)
    seq = prepared.newest.submission_seq
    told = [
        _("{path} takes the place of the one in submission {s}.", path=path, s=seq)
        if files.replaces
        else _("{path} joins the files of submission {s}.", path=path, s=seq)
    ]
    if files.along:
        told.append(ngettext("{n} other file goes along.", "{n} other files go along.", files.along))
    if files.left_behind:
        told.append(
            ngettext(
                "{n} test report stays behind, because it was made before this code.",
                "{n} test reports stay behind, because they were made before this code.",
                files.left_behind,
            )
        )
    return "\n\n".join(told)
