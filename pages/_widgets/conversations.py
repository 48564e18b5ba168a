"""Which conversation is on the screen: the newest, one that was chosen, or a new one not begun yet."""

import streamlit as st

from engine.domain.keys import FeedbackKey
from engine.domain.people import Viewer
from engine.domain.session import Conversation
from engine.sessions.session_store import SessionStore
from pages._widgets.words import _


class ConversationChoice:
    """The conversations of one key and the one that is shown. A new one is stored with its first message."""

    def __init__(self, viewer: Viewer, sessions: SessionStore, key: FeedbackKey) -> None:
        self._viewer = viewer
        self._sessions = sessions
        self._key = key
        self._known = sessions.conversations(viewer, key)
        self.shown = self._chosen()

    def draw(self) -> None:
        """The choice, where there is one, and the button for a new conversation."""
        if len(self._known) > 1 or (self._known and self.shown is None):
            self._draw_choice()
        if self.shown is not None:
            st.button(
                _("New conversation"),
                key="new_conversation",
                icon=":material/add:",
                type="tertiary",
                on_click=self._begin_new,
            )

    def begin(self) -> Conversation:
        """The conversation for the next message, stored now if it is new."""
        if self.shown is None:
            self.shown = self._sessions.open_conversation(self._viewer, self._key)
            st.session_state.pop(self._name("new"), None)
            st.session_state[self._name("chosen")] = self.shown.conversation_id
        return self.shown

    def _chosen(self) -> Conversation | None:
        if not self._known or st.session_state.get(self._name("new")):
            return None
        chosen = st.session_state.get(self._name("chosen"))
        return next((one for one in self._known if one.conversation_id == chosen), self._known[0])

    def _draw_choice(self) -> None:
        numbers = {one.conversation_id: one.number for one in self._known}
        st.session_state[self._name("choice")] = self.shown.conversation_id if self.shown else None
        st.selectbox(
            _("Conversation"),
            list(numbers),
            index=None,
            format_func=lambda value: _("Conversation {n}", n=numbers[value]),
            key=self._name("choice"),
            placeholder=_("New conversation"),
            label_visibility="collapsed",
            on_change=self._choose,
            width=200,
        )

    def _choose(self) -> None:
        st.session_state[self._name("chosen")] = st.session_state[self._name("choice")]
        st.session_state.pop(self._name("new"), None)

    def _begin_new(self) -> None:
        st.session_state[self._name("new")] = True

    def _name(self, what: str) -> str:
        return f"conversation_{what}_{self._key.learner_id}_{self._key.project_id}_{self._key.task_id}"
