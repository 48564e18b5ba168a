"""One place where two texts clash: both wordings with what stands around them, and the choice between them."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from engine.revision.joining import Choice, ClashPlace
from engine.revision.showing.comparison import compare_for_reading
from engine.revision.showing.diff_html import DiffDrawing, DiffLook, View
from engine.revision.showing.pieces import Grain
from engine.revision.showing.windows import fold_rows
from pages._widgets.diff_sentences import diff_words
from pages._widgets.states import Colour, StateLook, badge
from pages._widgets.words import N_, _

LOOKS = {
    Choice.OPEN: StateLook(icon="call_split", colour=Colour.AMBER, word=N_("Waits for your choice")),
    Choice.YOURS: StateLook(icon="person", colour=Colour.GREEN, word=N_("Your wording")),
    Choice.THEIRS: StateLook(icon="group", colour=Colour.GREEN, word=N_("Their wording")),
    Choice.BOTH: StateLook(icon="join", colour=Colour.GREEN, word=N_("Both wordings")),
    Choice.BY_HAND: StateLook(icon="edit_note", colour=Colour.GREEN, word=N_("As in the text below")),
}
"""What stands in the text now."""
_STYLE = """<style>
[class*="st-key-clash_side"] .tl-diff .g { width: 2rem; padding: 0 0.375rem 0 0; }
[class*="st-key-clash_side"] .tl-diff .g::before { content: none; }
[class*="st-key-clash_side"] .tl-diff { max-height: 14rem; overflow-y: auto; }
</style>"""
"""A wording stands out of its text, so its lines have no numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClashDesk:
    """What all clashes of a page have in common."""

    is_code: bool
    is_narrow: bool
    choose: Callable[[int, Choice], None]
    """A callback, with the number of the clash from 0."""

    def draw_style(self) -> None:
        """Once, before the first clash."""
        st.html(_STYLE)

    def draw(self, number: int, count: int, place: ClashPlace) -> DeltaGenerator:
        """Its head, the two wordings marked against what both began with, and the buttons; gives its frame."""
        frame = st.container(border=True, key=f"clash_{number}")
        with frame:
            with st.container(horizontal=True, vertical_alignment="center"):
                head = _("Place {n} of {all}", n=number + 1, all=count)
                st.markdown(f"**{head}**", width="content")
                badge(LOOKS[place.choice])
            yours, theirs = (st.container(), st.container()) if self.is_narrow else st.columns(2)
            with yours:
                self._draw_side(f"clash_side_yours_{number}", _("Yours"), place, place.clash.yours)
            with theirs:
                self._draw_side(f"clash_side_theirs_{number}", _("Theirs"), place, place.clash.theirs)
            self._draw_buttons(number, place)
        return frame

    def _draw_side(self, key: str, label: str, place: ClashPlace, wording: str) -> None:
        look = DiffLook(
            view=View.INLINE,
            grain=Grain.WORD,
            wraps=not self.is_code,
            hides_spaces=False,
            counts_lines=self.is_code,
            prefix=key,
        )
        old, new = (f"{place.before}{words}{place.after}" for words in (place.clash.base, wording))
        comparison = compare_for_reading(old, new)
        rows = fold_rows(comparison, around=len(comparison.rows), hides_spaces=False, opened={})
        with st.container(key=key, gap="small"):
            st.caption(label if wording else _("{side}: it is gone", side=label))
            st.html(DiffDrawing(comparison, look, diff_words(counts_lines=self.is_code)).part(rows))

    def _draw_buttons(self, number: int, place: ClashPlace) -> None:
        labels = {
            Choice.YOURS: _("Keep mine"),
            Choice.THEIRS: _("Keep theirs"),
            Choice.BOTH: _("Keep both"),
            Choice.BY_HAND: _("As in the text below"),
        }
        with st.container(horizontal=True):
            for choice, label in labels.items():
                if choice is Choice.BY_HAND and place.choice not in (Choice.OPEN, Choice.BY_HAND):
                    continue
                is_chosen = choice is place.choice
                st.button(
                    label,
                    key=f"clash_{number}_{choice.name.lower()}",
                    icon=":material/check:" if is_chosen else None,
                    type="primary" if is_chosen else "secondary",
                    on_click=self.choose,
                    args=(number, choice),
                )
