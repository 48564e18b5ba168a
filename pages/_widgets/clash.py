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
_TYPED_TITLE = StateLook(icon="edit_note", colour=Colour.GREEN, word=N_("As typed below"))
TITLE = -3
"""In place of the number of a clash: the title, which both changed."""
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
    """Then a clash is of whole lines."""
    is_narrow: bool
    choose: Callable[[int, Choice], None]
    """A callback, with the number of the clash from 0, or `TITLE`."""

    def draw_style(self) -> None:
        """Once, before the first clash."""
        st.html(_STYLE)

    def draw(self, number: int, count: int, place: ClashPlace) -> DeltaGenerator:
        """Its head, the two wordings marked against what both began with, and the buttons; gives its frame."""
        name = "title" if number == TITLE else str(number)
        frame = st.container(border=True, key=f"clash_{name}")
        with frame:
            with st.container(horizontal=True, vertical_alignment="center"):
                head = _("The title") if number == TITLE else _("Place {n} of {all}", n=number + 1, all=count)
                st.markdown(f"**{head}**", width="content")
                is_typed_title = number == TITLE and place.choice is Choice.BY_HAND
                badge(_TYPED_TITLE if is_typed_title else LOOKS[place.choice])
            yours, theirs = (st.container(), st.container()) if self.is_narrow else st.columns(2)
            with yours:
                self._draw_side(f"clash_side_yours_{name}", _("Yours"), place, place.clash.yours)
            with theirs:
                self._draw_side(f"clash_side_theirs_{name}", _("Theirs"), place, place.clash.theirs)
            self._draw_buttons(number, name, place)
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

    def _draw_buttons(self, number: int, name: str, place: ClashPlace) -> None:
        with st.container(horizontal=True):
            for choice, label in self._labels(number).items():
                if choice is Choice.BY_HAND and place.choice not in (Choice.OPEN, Choice.BY_HAND):
                    continue
                is_chosen = choice is place.choice
                st.button(
                    label,
                    key=f"clash_{name}_{choice.name.lower()}",
                    icon=":material/check:" if is_chosen else None,
                    type="primary" if is_chosen else "secondary",
                    on_click=self.choose,
                    args=(number, choice),
                )

    def _labels(self, number: int) -> dict[Choice, str]:
        """What can be chosen. Two titles behind one another are none."""
        one_of_them = {Choice.YOURS: _("Keep mine"), Choice.THEIRS: _("Keep theirs")}
        if number == TITLE:
            return {**one_of_them, Choice.BY_HAND: _("As typed below")}
        both = _("Keep both, mine above") if self.is_code else _("Keep both")
        return {**one_of_them, Choice.BOTH: both, Choice.BY_HAND: _("As in the text below")}
