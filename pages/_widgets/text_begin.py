"""The first text of an artifact: pasted, uploaded, or taken from what was handed in."""

from dataclasses import replace

import streamlit as st

from engine.domain.artifact import ArtifactKind, NewVersion, VersionAuthor, VersionReason
from engine.domain.people import Viewer
from engine.domain.states import Language
from engine.domain.work import WorkFile
from engine.errors import TutorloopError
from engine.revision.blocks import opening_heading
from engine.revision.style.traits import language_of
from engine.work.version_files import kind_of, texts_of
from pages._widgets.asked import open_asked
from pages._widgets.brief import draw_brief
from pages._widgets.draft_area import Draft, draw_draft
from pages._widgets.errors import show_error
from pages._widgets.markdown import literal
from pages._widgets.teacher import draft_of
from pages._widgets.text_choice import FROM, TextChoice, point_at_text
from pages._widgets.told import tell
from pages._widgets.version_upload import draw_upload, read_text
from pages._widgets.version_words import KINDS
from pages._widgets.words import _, language

_LEARNERS = (ArtifactKind.REPORT, ArtifactKind.README, ArtifactKind.CODE)
_TEACHERS = (ArtifactKind.LESSON_PLAN, ArtifactKind.ANNOUNCEMENT)
TITLE_CHARACTERS = 200
"""So long a title can be."""


class TextBegin:
    """Makes an artifact with its V1."""

    def __init__(self, viewer: Viewer, choice: TextChoice) -> None:
        self._viewer = viewer
        self._choice = choice
        self._space = choice.subject.space
        self._place = f"{choice.owned.learner_id or 'teachers'}_{choice.subject.key.task_id}"

    def draw(self) -> None:
        """The ways to begin, each with its own button."""
        open_asked(self._viewer, self._space.calls)
        if not self._choice.entries:
            st.info(_("No version yet. Paste or upload the first draft; it becomes V1."), icon=":material/draft:")
        names = [_("Paste"), _("Upload"), _("From a brief")]
        newest = None
        if not self._choice.is_teachers:
            newest = self._space.work.newest(self._viewer, self._choice.subject.key)
        if newest is not None:
            names.append(_("From submission {n}", n=newest.submission_seq))
        tabs = st.tabs(names, default=names[-1] if FROM in st.query_params and newest else names[0])
        with tabs[0]:
            self._draw_paste()
        with tabs[1]:
            self._draw_upload()
        with tabs[2]:
            self._draw_brief()
        if newest is not None:
            with tabs[3]:
                self._draw_handed_in(newest.submission_id)

    def _draw_brief(self) -> None:
        choice = self._choice
        kinds = _TEACHERS if choice.is_teachers else tuple(one for one in _LEARNERS if one is not ArtifactKind.CODE)
        artifact_id = draw_brief(self._viewer, self._space, choice.subject, choice.owned, kinds)
        if artifact_id is not None:
            point_at_text(artifact_id)
            st.rerun()

    def _draw_paste(self) -> None:
        with st.container(horizontal=True):
            title = st.text_input(_("Title of the text"), key=f"begin_title_{self._place}", max_chars=TITLE_CHARACTERS)
            path = st.text_input(_("File name"), value=self._usual_name(), key=f"begin_name_{self._place}")
        kind = self._draw_kind(f"begin_kind_{self._place}")
        key = f"begin_body_{self._place}"
        draw_draft(_("Text"), key, self._draft(), height=280)
        if st.button(_("Save as V1"), key="begin_paste", type="primary", icon=":material/save:"):
            body = st.session_state[key]
            self._begin(self._new(title, body, self._choice.author(self._viewer)), kind, path)

    def _draw_upload(self) -> None:
        upload = draw_upload("begin_upload")
        if upload is None:
            return
        kind = self._draw_kind(f"begin_upload_kind_{upload.file_id}", upload.name)
        if st.button(_("Save as V1"), key="begin_uploaded", type="primary", icon=":material/save:"):
            try:
                new = self._new("", read_text(upload), VersionAuthor.IMPORT, note=upload.name)
            except TutorloopError as error:
                show_error(error)
                return
            self._begin(new, kind, upload.name)

    def _draw_handed_in(self, submission_id: str) -> None:
        files = {file.path: file for file in texts_of(self._space.work.files(self._viewer, submission_id))}
        if not files:
            st.caption(_("No file of this submission can be read as text."))
            return
        key, wanted = f"begin_file_{submission_id}", st.query_params.get(FROM)
        if key not in st.session_state and wanted in files:
            st.session_state[key] = wanted
        path = st.selectbox(_("File"), list(files), key=key)
        begun = [one for one in self._choice.entries if one.artifact.file_name == path]
        if begun:
            st.caption(_("This file has versions already."))
            st.button(
                _("Open {name}", name=literal(path)),
                key="begin_there",
                on_click=point_at_text,
                args=(begun[0].artifact.artifact_id,),
            )
            return
        if path and st.button(
            _("Improve this text"), key="begin_handed_in", type="primary", icon=":material/edit_note:"
        ):
            self._begin_from(self._space.work.file(self._viewer, submission_id, path), submission_id)

    def _begin_from(self, file: WorkFile, submission_id: str) -> None:
        new = self._new("", file.body or "", VersionAuthor.IMPORT, note=file.path)
        self._begin(new, kind_of(file.path), file.path, begun_from=submission_id)

    def _draw_kind(self, key: str, name: str = "") -> ArtifactKind:
        kinds = _TEACHERS if self._choice.is_teachers else _LEARNERS
        usual = kind_of(name) if name else kinds[0]
        index = kinds.index(usual) if usual in kinds else 0
        chosen = st.segmented_control(
            _("Kind of text"),
            kinds,
            default=kinds[index],
            format_func=lambda one: _(KINDS[one]),
            required=True,
            key=key,
        )
        return ArtifactKind(chosen)

    def _usual_name(self) -> str:
        if self._choice.is_teachers:
            return "plan.md"
        return "报告.md" if language() is Language.ZH else "report.md"

    def _new(self, title: str, body: str, author: VersionAuthor, *, note: str = "") -> NewVersion:
        return NewVersion(title=title, body=body, author=author, reason=VersionReason.FIRST, note=note)

    def _begin(self, new: NewVersion, kind: ArtifactKind, path: str, *, begun_from: str | None = None) -> None:
        if not new.title.strip() and kind is not ArtifactKind.CODE:
            new = replace(new, title=opening_heading(new.body)[:TITLE_CHARACTERS])
        owned, personas = self._choice.owned, self._space.preferences.personas
        try:
            persona = personas.of_owner(self._viewer, owned, language_of(new.body))
            artifact, _first = self._space.artifacts.begin(
                self._viewer,
                owned,
                new,
                kind=kind,
                file_name=path,
                task_id=None if self._choice.is_teachers else self._choice.subject.key.task_id,
                persona_id=persona.persona_id,
                begun_from=begun_from,
            )
        except TutorloopError as error:
            show_error(error)
            return
        self._draft().keep("")
        st.session_state.pop(f"begin_body_{self._place}", None)
        tell(_("Saved as V1. Ask for a change below, or edit it by hand."))
        point_at_text(artifact.artifact_id)
        st.rerun()

    def _draft(self) -> Draft:
        """Where pasted words are kept until they are V1."""
        subject, learner_id = f"begin:{self._place}", self._choice.owned.learner_id
        if learner_id is None:
            return draft_of(self._viewer, self._space, self._choice.subject.key.project_id, subject)
        sessions = self._space.sessions
        return Draft(
            read=lambda: sessions.draft(self._viewer, learner_id, subject),
            keep=lambda words: sessions.save_draft(self._viewer, learner_id, subject, words),
        )
