"""The line in a conversation above which the tutor reads a summary instead of the words."""

import streamlit as st

from engine.domain.model_call import CallSubject, CallUse
from engine.domain.people import Viewer
from engine.domain.session import Conversation, Message, Turn
from engine.domain.summary import Summary
from engine.llm.offline import OFFLINE_MODEL
from engine.sessions.summary_store import SummaryStore
from pages._widgets.asked import draw_asked_button
from pages._widgets.markdown import literal, safe_markdown
from pages._widgets.words import _, ngettext


class SummaryLine:
    """Stands before the first entry that the tutor reads as it was said; nowhere without a summary."""

    def __init__(self, viewer: Viewer, summaries: SummaryStore, conversation: Conversation | None) -> None:
        self._summary = summaries.newest(viewer, conversation.conversation_id) if conversation else None

    def draw_before(self, entry: Turn | Message) -> None:
        """Draw it if this entry is the first one behind the summary; entries come in their order."""
        if self._summary is not None and entry.seq > self._summary.up_to_seq and isinstance(entry, Turn):
            _draw(self._summary)
            self._summary = None


def _draw(summary: Summary) -> None:
    label = ngettext(
        "Older than this line the tutor reads as a summary ({n} turn)",
        "Older than this line the tutor reads as a summary ({n} turns)",
        summary.turns,
    )
    with st.expander(label, type="compact", icon=":material/summarize:", key="summary_line"):
        st.markdown(safe_markdown(summary.text))
        if summary.model == OFFLINE_MODEL:
            st.caption(_("Listed without a model, by fixed rules."))
        else:
            sentence = _(
                "Written by the model {model}. All turns are kept as they were said.", model=literal(summary.model)
            )
            st.caption(sentence)
        asked = CallSubject(use=CallUse.SUMMARY, subject_id=summary.conversation_id, part=str(summary.up_to_number))
        draw_asked_button(asked, key="summary")
