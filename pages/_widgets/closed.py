"""What a visitor sees in place of every page: said in both languages, whichever is chosen."""

import streamlit as st

from engine.domain.states import Language
from pages._widgets.words import N_, translator

TITLE = N_("Sign in")
PARAGRAPHS = (
    N_("Nobody can sign in yet: no sign-in service is set up for this installation."),
    N_("All pages stay closed until then; the data behind them is unchanged."),
    N_(
        "If you run this server for yourself alone, stop it, set `TUTORLOOP_MODE=local` and start it again. "
        "Otherwise ask the person who runs it."
    ),
)


def draw() -> None:
    """Say that the pages are closed, that nothing is lost, and what to do."""
    for language in Language:
        gettext = translator(language).gettext
        st.header(gettext(TITLE), anchor=False)
        for paragraph in PARAGRAPHS:
            st.markdown(gettext(paragraph))
