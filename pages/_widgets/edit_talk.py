"""Improving a text by talking: say what is to change, see what was changed, take it back."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from engine.domain.artifact import Artifact, ArtifactKind, VersionLine
from engine.domain.edit import EditConversation, EditMessage, MessageKind, RevisionRecord, Suggestion, SuggestionState
from engine.domain.model_call import CallSubject, CallUse
from engine.domain.people import Viewer
from engine.domain.states import Role
from engine.errors import TutorloopError
from engine.revision.blocks import split_blocks
from engine.revision.editing.scope import Scope, resolve_scope
from pages._widgets.asked import draw_asked_button, open_asked
from pages._widgets.draft_area import Draft, draw_draft, fill_draft
from pages._widgets.edit_words import (
    SUGGESTION,
    done_words,
    length_words,
    plain_words,
    refused_words,
)
from pages._widgets.errors import show_error
from pages._widgets.markdown import literal
from pages._widgets.states import Colour, StateLook, inline, quiet
from pages._widgets.text_choice import TextChoice
from pages._widgets.version_choice import show_newest
from pages._widgets.version_editor import begin_editing
from pages._widgets.words import N_, _, ngettext

LOOK_EVERY = 0.6
"""Seconds between two looks at an edit that is under way."""
SHOWN = 2
"""Messages that are shown at once, or one more where a request was left open. The text stands below."""
_Click = Callable[[Suggestion], None]
_Step = Callable[[], object]
_NOW, _COLLECT = "now", "collect"
_MODES = {_NOW: N_("Apply now"), _COLLECT: N_("Collect")}
_OPEN = frozenset({SuggestionState.FAILED, SuggestionState.NEEDS_SCOPE})
_DONE = frozenset({MessageKind.APPLIED, MessageKind.UNDONE})
_LEFT_OPEN = frozenset({MessageKind.FAILED, MessageKind.ASKED})
"""What is said of a request that can be tried again or put differently."""
_KEPT = StateLook(icon="account_tree", colour=Colour.GREEN, word=N_("Structure kept"))
_CHANGED = StateLook(icon="account_tree", colour=Colour.GREY, word=N_("Structure changed"))


def draw_edit_talk(
    viewer: Viewer, choice: TextChoice, artifact: Artifact, talk: EditConversation, newest: VersionLine
) -> None:
    """The whole conversation about an artifact.

    Read `talk` before `newest`, its newest version: an edit that ends between the two is then followed to its end.
    """
    open_asked(viewer, choice.subject.space.calls)
    EditTalk(viewer, choice, artifact, talk, newest).draw()


def shown_at_once(messages: Sequence[EditMessage], suggestions: Sequence[Suggestion], newest: int) -> list[EditMessage]:
    """The newest messages, the newest first, each that left requests open followed by the newest of those.

    Where nothing but the same was said again, it stands there once. Nothing where the last that was said is of an
    edit that other versions than it have followed; `newest` is the number of the newest version.
    """
    if messages and messages[-1].kind in _DONE and messages[-1].facts.other not in (0, newest):
        return []
    shown: list[EditMessage] = []
    for message in reversed(messages):
        if len(shown) >= SHOWN:
            break
        if message.kind is MessageKind.COLLECTED and shown:
            continue  # what was collected then has been applied since, or is listed
        request = _left_open(message, messages, suggestions)
        if message not in shown and (request is None or request not in shown):
            shown += [message] if request is None else [message, request]
    return shown


def _left_open(
    message: EditMessage, messages: Sequence[EditMessage], suggestions: Sequence[Suggestion]
) -> EditMessage | None:
    """The newest request that `message` is about and that is still open; what is told of several names none."""
    if message.kind not in _LEFT_OPEN:
        return None
    about = [
        one.suggestion_id
        for one in suggestions
        if one.state in _OPEN
        and message.suggestion_id in (None, one.suggestion_id)
        and one.fault == message.facts.fault
    ]
    asked = [each for each in messages if each.kind is MessageKind.SUGGESTION and each.suggestion_id in about[-1:]]
    return asked[-1] if asked else None


class EditTalk:
    """One run of the conversation."""

    def __init__(
        self, viewer: Viewer, choice: TextChoice, artifact: Artifact, talk: EditConversation, newest: VersionLine
    ) -> None:
        self._viewer = viewer
        self._space = space = choice.subject.space
        self._artifact = artifact
        self._author = choice.author(viewer)
        self._talk = talk
        self._newest = newest
        self._key = f"edit_words_{artifact.artifact_id}"
        self._mode_key = f"edit_mode_{artifact.artifact_id}"
        self._draft = Draft(
            read=lambda: space.edits.words(viewer, artifact.artifact_id),
            keep=lambda words: space.edits.keep_words(viewer, artifact.artifact_id, words),
        )

    def draw(self) -> None:
        """What to ask for, what is collected, what is under way, and what was said, the newest first."""
        st.subheader(_("Ask for a change to V{n}", n=self._newest.number), anchor=False)
        if self._newest.is_erased:
            st.caption(_("The words of this version were erased, so there is nothing to change."))
            return
        self._draw_asking()
        self._draw_collected()
        if self._talk.running:
            self._follow()
        self._draw_messages()

    def _draw_asking(self) -> None:
        is_code = self._artifact.kind is ArtifactKind.CODE
        draw_draft(
            _("What should change? Name a part, and only that part can change."),
            self._key,
            self._draft,
            height=90,
            placeholder=_("Replace “8080” with “8000”") if is_code else _("Make the third paragraph shorter"),
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            st.segmented_control(
                _("When"),
                list(_MODES),
                default=_NOW,
                format_func=lambda mode: _(_MODES[mode]),
                key=self._mode_key,
                required=True,
                label_visibility="collapsed",
            )
            st.button(
                self._send_label(),
                key="edit_send",
                type="primary",
                icon=":material/edit_note:",
                shortcut="Ctrl+Enter",
                on_click=self._send,
            )
        if self._space.editor.is_offline:
            st.caption(
                ":material/cloud_off: "
                + _(
                    "Offline editor: it replaces and deletes words, deletes, moves, swaps and shortens paragraphs, "
                    "sets titles and headings, and mends spaces and punctuation. Anything else needs a model."
                )
            )

    def _send_label(self) -> str:
        count = len(self._talk.collected)
        if st.session_state.get(self._mode_key) == _COLLECT:
            return _("Collect this request")
        if count:
            return ngettext("Apply, with {n} collected", "Apply, with {n} collected", count)
        return _("Apply this request")

    def _send(self) -> None:
        words = st.session_state.get(self._key, "")
        collect = st.session_state.get(self._mode_key) == _COLLECT
        try:
            self._space.editor.suggest(
                self._viewer, self._artifact.artifact_id, words, self._space.worker, collect=collect
            )
        except TutorloopError as error:
            show_error(error)
            return
        st.session_state[self._key] = ""
        show_newest()

    def _draw_collected(self) -> None:
        waiting = self._talk.collected
        if not waiting:
            return
        with st.container(border=True, key="edit_collected"):
            for suggestion in waiting:
                with st.container(horizontal=True, vertical_alignment="center"):
                    st.markdown(f"{inline(SUGGESTION[suggestion.state])} {literal(suggestion.words)}", width="stretch")
                    self._button(_("Withdraw"), "close", "edit_away", suggestion, self._withdraw)
            if not self._talk.running:
                st.button(
                    ngettext("Apply {n} request", "Apply all {n} requests", len(waiting)),
                    key="edit_apply_all",
                    icon=":material/done_all:",
                    on_click=self._apply_all,
                )

    def _button(self, label: str, icon: str, key: str, suggestion: Suggestion, click: _Click) -> None:
        st.button(
            label,
            key=f"{key}_{suggestion.suggestion_id}",
            icon=f":material/{icon}:",
            type="tertiary",
            on_click=click,
            args=(suggestion,),
        )

    def _apply_all(self) -> None:
        self._try(
            lambda: self._space.editor.apply_waiting(self._viewer, self._artifact.artifact_id, self._space.worker)
        )

    def _withdraw(self, suggestion: Suggestion) -> None:
        self._try(lambda: self._space.editor.withdraw(self._viewer, suggestion.suggestion_id))

    def _retry(self, suggestion: Suggestion) -> None:
        self._try(lambda: self._space.editor.retry(self._viewer, suggestion.suggestion_id, self._space.worker))

    def _reword(self, suggestion: Suggestion) -> None:
        fill_draft(self._key, self._draft, suggestion.words)
        self._withdraw(suggestion)

    def _undo(self, record: RevisionRecord) -> None:
        self._try(lambda: self._space.editor.undo(self._viewer, record.revision_id, self._author))

    def _try(self, step: _Step) -> None:
        try:
            step()
        except TutorloopError as error:
            show_error(error)
            return
        show_newest()

    def _follow(self) -> None:
        """Look at the edit that is under way until it has ended, then draw the page anew."""
        running = self._talk.running
        sentence = self._working_sentence(running)

        @st.fragment(run_every=LOOK_EVERY)
        def watch() -> None:
            try:
                now = self._space.edits.conversation(self._viewer, self._artifact.artifact_id)
            except TutorloopError as error:
                show_error(error)
                return
            if now.running != running:
                st.rerun()
            st.markdown(f":shimmer[{sentence}]")

        watch()

    def _working_sentence(self, running: Sequence[Suggestion]) -> str:
        """Which paragraphs are being changed, as far as they were named."""
        version = self._space.artifacts.version(self._viewer, self._artifact.artifact_id, self._newest.version_id)
        document = split_blocks(version.body, is_code=self._artifact.kind is ArtifactKind.CODE)
        paragraphs = [block.number for block in document.paragraphs]
        numbers: set[int] = set()
        for suggestion in running:
            scope = resolve_scope(suggestion.words, document, version.title)
            if not isinstance(scope, Scope) or scope.blocks is None:
                return _("Changing the text …")
            numbers |= {paragraphs.index(number) + 1 for number in scope.blocks if number in paragraphs}
        if not numbers:
            return _("Changing the part you named … the rest stays as it is.")
        told = _(", ").join(map(str, sorted(numbers)))
        return _("Changing paragraph {n} … the others stay as they are.", n=told)

    def _draw_messages(self) -> None:
        by_id = {each.suggestion_id: each for each in self._talk.suggestions}
        records = {each.revision_id: each for each in self._talk.revisions}
        shown = shown_at_once(self._talk.messages, self._talk.suggestions, self._newest.number)
        earlier = [message for message in reversed(self._talk.messages) if message not in shown]
        for message in shown:
            self._draw_message(message, by_id, records)
        if earlier:
            label = ngettext("{n} earlier message", "{n} earlier messages", len(earlier))
            with st.expander(label, type="compact"):
                for message in earlier:
                    self._draw_message(message, by_id, records)

    def _draw_message(
        self, message: EditMessage, by_id: Mapping[str, Suggestion], records: Mapping[str, RevisionRecord]
    ) -> None:
        suggestion, record = by_id.get(message.suggestion_id or ""), records.get(message.revision_id or "")
        if message.kind is MessageKind.SUGGESTION and suggestion is not None:
            self._draw_suggestion(message, suggestion)
        elif message.kind is MessageKind.APPLIED and record is not None:
            self._draw_applied(message, record)
        elif message.role is Role.ASSISTANT:
            with st.chat_message("assistant", avatar=":material/edit_note:"):
                st.markdown(plain_words(message))
        else:
            st.caption(plain_words(message))

    def _draw_suggestion(self, message: EditMessage, suggestion: Suggestion) -> None:
        with st.chat_message("user", avatar=":material/person:"):
            st.markdown(f"{literal(message.words)} {inline(SUGGESTION[suggestion.state])}")
            if suggestion.state in _OPEN:
                with st.container(horizontal=True, vertical_alignment="center"):
                    self._button(_("Try again"), "refresh", "edit_retry", suggestion, self._retry)
                    self._button(_("Put it differently"), "edit", "edit_reword", suggestion, self._reword)
                    st.button(
                        _("Edit by hand"),
                        key=f"edit_by_hand_{suggestion.suggestion_id}",
                        icon=":material/keyboard:",
                        type="tertiary",
                        on_click=begin_editing,
                        args=(self._newest.number,),
                    )

    def _draw_applied(self, message: EditMessage, record: RevisionRecord) -> None:
        facts = record.facts
        with st.chat_message("assistant", avatar=":material/edit_note:"):
            st.markdown(
                f"**V{record.from_number}→V{record.to_number}** {literal(done_words(facts))} · {length_words(facts)}"
            )
            told = [inline(_KEPT if facts.structure_kept else _CHANGED)]
            if facts.locality is None:
                told.append(quiet(_("No part was named, so anything could change.")))
            else:
                share = facts.locality
                words = _("Outside the part you named, {share:.0%} is unchanged.", share=share)
                st.progress(share, text=words, width=420)
            if facts.is_offline:
                rules = _("By fixed rules, without a model.")
                told.append(quiet(f":material/cloud_off: {rules}"))
            st.markdown("\u2002".join(told))
            self._draw_refusals(record)
            if message.words:
                with st.expander(_("How it begins now"), type="compact"):
                    st.code(message.words, language=None, wrap_lines=True)
            self._draw_buttons(record)

    def _draw_refusals(self, record: RevisionRecord) -> None:
        facts = record.facts
        for line in refused_words(facts.refused):
            told = _("Not done: {line}.", line=line)
            st.caption(f":material/block: {literal(told)}")
        if facts.answers > 1:
            why = _("; ").join(refused_words(facts.mended)) or _("it was not in the form asked for")
            told = _("The first answer could not be used ({why}); this is the second.", why=why)
            st.caption(f":material/build: {literal(told)}")

    def _draw_buttons(self, record: RevisionRecord) -> None:
        with st.container(horizontal=True, vertical_alignment="center"):
            if record.to_version_id == self._newest.version_id:
                st.button(
                    _("Undo"),
                    key=f"edit_undo_{record.revision_id}",
                    icon=":material/undo:",
                    shortcut="Z",
                    help=_("Stores V{n} again as the next version; nothing is removed.", n=record.from_number),
                    on_click=self._undo,
                    args=(record,),
                )
            subject = CallSubject(use=CallUse.EDIT, subject_id=self._talk.conversation_id or "", part=record.run_id)
            draw_asked_button(subject, key=record.revision_id)
