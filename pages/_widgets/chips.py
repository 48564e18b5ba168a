"""Questions to begin with: one click sends one."""

from collections.abc import Mapping

import streamlit as st

from engine.domain.states import FeedbackState
from pages._widgets.words import N_, _

CHIPS: Mapping[FeedbackState, tuple[str, ...]] = {
    FeedbackState.CURRENT: (
        N_("Tell me about the first open item"),
        N_("Why is it not met?"),
        N_("What should I do next?"),
    ),
    FeedbackState.NONE: (N_("Where should I begin?"), N_("What will be looked at?")),
    FeedbackState.PASSED: (N_("What did the review look at?"), N_("What can I learn from this work?")),
}
OTHER_CHIPS = (N_("What does this state mean?"), N_("What can I do meanwhile?"))


def draw_chips(state: FeedbackState) -> str | None:
    """Offer the questions that fit `state`; the one that was pressed, in the reader's language."""
    count = st.session_state.setdefault("chips_used", 0)
    with st.container(key="chips", width="content"):
        chip = st.pills(
            _("Suggestions"),
            CHIPS.get(state, OTHER_CHIPS),
            format_func=_,
            key=f"chip_{state}_{count}",
            label_visibility="collapsed",
            wrap=False,
        )
    if chip is None:
        return None
    st.session_state["chips_used"] = count + 1
    return _(chip)
