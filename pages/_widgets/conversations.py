"""Which conversation is on the screen: the newest, one that was chosen, or a new one not begun yet."""

import streamlit as st

from engine.domain.people import Viewer
from engine.domain.session import Conversation
from pages._widgets.address import name_in_address
from pages._widgets.subject import CONVERSATION as ADDRESS
from pages._widgets.subject import Subject, address_of
from pages._widgets.words import _

NEW = "new"
"""In the address, in place of a conversation's id: the next message begins one."""


class ConversationChoice:
    """The conversations of one key and the one that is shown. A new one is stored with its first message."""

    def __init__(self, viewer: Viewer, subject: Subject) -> None:
        self._viewer = viewer
        self._sessions = sessions = subject.space.sessions
        self._key = key = subject.key
        self._subject = address_of(subject)
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
        self._point_at(self.shown.conversation_id)
        return self.shown

    def _chosen(self) -> Conversation | None:
        """That of the address, else the one chosen before in this window, else the newest."""
        wished = st.query_params.get(ADDRESS) or st.session_state.get(self._name("chosen"))
        if not self._known or wished == NEW:
            return None
        return next((one for one in self._known if one.conversation_id == wished), self._known[0])

    def _point_at(self, value: str) -> None:
        """Keep the choice where a reload and a link find it, and for whoever comes back from another task."""
        st.session_state[self._name("chosen")] = value
        for name, wanted in {**self._subject, ADDRESS: value}.items():
            name_in_address(name, wanted)

    def _draw_choice(self) -> None:
        numbers = {one.conversation_id: one.number for one in self._known}
        shown = self.shown.conversation_id if self.shown else None
        st.session_state[self._name("choice")] = shown
        st.selectbox(
            _("Conversation"),
            list(numbers),
            index=None,
            format_func=lambda value: _("Conversation {n}", n=numbers[value]),
            key=self._name("choice"),
            placeholder=_("New conversation"),
            label_visibility="collapsed",
            on_change=self._choose,
            args=(shown,),
            width=200,
        )

    def _choose(self, shown: str | None) -> None:
        chosen = st.session_state[self._name("choice")]
        if chosen not in (None, shown):  # see `pick` of subject.py
            self._point_at(chosen)

    def _begin_new(self) -> None:
        self._point_at(NEW)

    def _name(self, what: str) -> str:
        return f"conversation_{what}_{self._key.learner_id}_{self._key.project_id}_{self._key.task_id}"
