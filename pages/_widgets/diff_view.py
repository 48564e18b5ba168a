"""Two versions of a text, and what changed: side by side or in one, with a list, by keyboard, as files."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from html import escape
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from engine.domain.artifact import ArtifactKind
from engine.revision.diff import compare, raw_script
from engine.revision.showing.changes import Change
from engine.revision.showing.comparison import Comparison, compare_for_reading, lay_out
from engine.revision.showing.diff_html import STYLE, DiffDrawing, DiffLook, View, title_html
from engine.revision.showing.diff_page import PageWords, write_page
from engine.revision.showing.first_look import first_look, is_long
from engine.revision.showing.patch import unified_patch
from engine.revision.showing.pieces import Grain
from engine.revision.showing.text_lines import with_plain_breaks
from engine.revision.showing.windows import AROUND_CODE, AROUND_PROSE, Item, cut_parts, first_row, fold_rows
from pages._widgets.diff_place import MOST_PARTS, DiffPlace, place_of, shown_changes
from pages._widgets.diff_sentences import change_words, count_words, diff_words, notes_of, spaces_words
from pages._widgets.width import NARROW, page_width
from pages._widgets.words import N_, _, in_a_row, in_this_language, ngettext

VIEWS: Mapping[View, str] = {View.SIDE_BY_SIDE: N_("Side by side"), View.INLINE: N_("In one text")}
GRAINS: Mapping[Grain, str] = {Grain.WORD: N_("Words"), Grain.CHARACTER: N_("Characters")}
"""What each is called."""
LISTED = 60
"""So many entries of the list of changes are shown around the one the reader is at."""
KEPT_PAIRS = 16
"""Comparisons that are kept for the next run of the page."""
FRAME = Path(__file__).with_name("diff_view.css")
_component = st.components.v2.component(
    "tutorloop_diff_view", js=Path(__file__).with_name("diff_view.js").read_text(encoding="utf-8")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffSide:
    """One of the two versions."""

    label: str
    """Such as "V2"."""
    title: str
    body: str


def draw_diff(
    older: DiffSide, newer: DiffSide, *, key: str, kind: ArtifactKind, file_name: str, width: int | None = None
) -> None:
    """Draw what changed from `older` to `newer`, with all that a reader can do about it.

    `key` is of ASCII letters, digits and `_`, and no other diff of the page has it. `file_name` stands in the patch.
    `width` is what `page_width` gives, for a page that has asked already. Keys J, K and V work on the whole page.
    """
    room = page_width() if width is None else width
    viewer = _DiffViewer(older=older, newer=newer, key=key, kind=kind, file_name=file_name, is_narrow=room < NARROW)
    st.html(FRAME)
    st.html(f"<style>{STYLE}</style>")
    st.fragment(viewer.draw)()


@lru_cache(maxsize=KEPT_PAIRS)
def _compared(old: str, new: str) -> Comparison:
    """Kept, since every run of a page shows the same pair."""
    return compare_for_reading(old, new)


@dataclass(frozen=True, slots=True, kw_only=True)
class _DiffViewer:
    """One drawn comparison."""

    older: DiffSide
    newer: DiffSide
    key: str
    kind: ArtifactKind
    file_name: str
    is_narrow: bool

    @property
    def is_code(self) -> bool:
        return self.kind is ArtifactKind.CODE

    def draw(self) -> None:
        """Tools first, then what of the text is in view, and the list beside it."""
        place = place_of(f"{self.key}_place", hash((self.older.body, self.newer.body)))
        tools = st.container(horizontal=True, vertical_alignment="center", key=f"{self.key}_tools")
        about = st.container()
        look = self._draw_switches(tools)
        shown, aside = (st.container(), None) if self.is_narrow else st.columns([3, 1], gap="medium")
        with shown, st.container(key=f"{self.key}_body"):
            self._draw_heads(look)
            body = st.container() if place.is_compared else st.empty()
            self._draw_first_look(body, look, place)
            comparison = _compared(self.older.body, self.newer.body)
            place.is_compared = True
            with body.container():
                self._draw_parts(comparison, look, place)
        changes = shown_changes(comparison.changes, hides_spaces=look.hides_spaces)
        about.caption(self._about(comparison, look))
        with tools:
            self._draw_steps(changes, place)
            self._draw_exports(comparison, look)
            if changes and aside is None:
                aside = st.popover(_("List of changes"), icon=":material/list:", type="tertiary")
        if changes and aside is not None:
            with aside:
                self._draw_list(changes, place)
        self._draw_hands(place)

    def _draw_switches(self, tools: DeltaGenerator) -> DiffLook:
        """What can be chosen about the look, and what is chosen."""
        with tools:
            view = self._draw_view_switch()
            grain = st.segmented_control(
                _("Marked by"),
                list(Grain),
                default=Grain.WORD,
                required=True,
                format_func=lambda one: _(GRAINS[one]),
                key=f"{self.key}_grain",
                label_visibility="collapsed",
                persist_state="session",
            )
            with st.popover(_("Display"), icon=":material/tune:", type="tertiary"):
                wraps = st.toggle(
                    _("Wrap long lines"),
                    value=not self.is_code,
                    key=f"{self.key}_wrap_{'code' if self.is_code else 'prose'}",
                    persist_state="session",
                )
                hides = st.toggle(_("Do not mark changes in spaces"), key=f"{self.key}_spaces", persist_state="session")
        return DiffLook(
            view=view,
            grain=grain or Grain.WORD,
            wraps=wraps,
            hides_spaces=hides,
            counts_lines=self.is_code,
            prefix=self.key,
        )

    def _draw_view_switch(self) -> View:
        """The button that changes the view, named after what it leads to."""
        kept = f"{self.key}_view"
        usual = View.INLINE if self.is_narrow else View.SIDE_BY_SIDE
        view = View(st.session_state.get(kept, usual))
        other = View.SIDE_BY_SIDE if view is View.INLINE else View.INLINE
        st.button(
            _(VIEWS[other]),
            key=f"{self.key}_switch",
            icon=":material/splitscreen_right:" if other is View.SIDE_BY_SIDE else ":material/notes:",
            shortcut="V",
            on_click=st.session_state.update,
            args=({kept: other},),
        )
        return view

    def _draw_heads(self, look: DiffLook) -> None:
        """Above the text: which version is which, and the title where it changed."""
        is_inline, labels = look.view is View.INLINE, [escape(side.label) for side in (self.older, self.newer)]
        if self.is_narrow and not is_inline:
            st.caption(_("Side by side needs a wider window to be read well."))
        heads = [" → ".join(labels)] if is_inline else labels
        spans = "".join(f"<span>{head}</span>" for head in heads)
        st.html(f'<div class="tl-heads">{spans}</div>')
        if self.older.title != self.newer.title:
            titles = compare(*(with_plain_breaks(side.title) for side in (self.older, self.newer)))
            drawn = title_html(titles, look, diff_words(counts_lines=self.is_code))
            st.html(f'<div class="tl-title">{drawn}</div>')

    def _draw_first_look(self, body: DeltaGenerator, look: DiffLook, place: DiffPlace) -> None:
        """The first change of long texts, at once; the whole takes its place as soon as it is compared."""
        old, new = with_plain_breaks(self.older.body), with_plain_breaks(self.newer.body)
        if place.is_compared or not is_long(old, new):
            return
        seen = lay_out(first_look(old, new), old, new)
        first = self._parts(seen, look, place)[0]
        body.html(DiffDrawing(seen, look, diff_words(counts_lines=self.is_code)).part(first))

    def _parts(self, comparison: Comparison, look: DiffLook, place: DiffPlace) -> tuple[tuple[Item, ...], ...]:
        around = AROUND_CODE if self.is_code else AROUND_PROSE
        items = fold_rows(comparison, around=around, hides_spaces=look.hides_spaces, opened=place.opened)
        return cut_parts(comparison, items)

    def _draw_parts(self, comparison: Comparison, look: DiffLook, place: DiffPlace) -> None:
        """The parts that are in view, and ways to what stands before and after them."""
        parts = self._parts(comparison, look, place)
        shown = place.settle(parts)
        drawing = DiffDrawing(comparison, look, diff_words(counts_lines=self.is_code))
        if shown.start > 0:
            st.button(
                _("Show the text before this"),
                key=f"{self.key}_earlier",
                icon=":material/expand_less:",
                on_click=place.earlier,
            )
        if len(parts) > 1 and shown.start == 0:
            st.caption(_("A long text: its first part is shown, the rest comes as you scroll."))
        for number in shown:
            st.html(drawing.part(parts[number]))
        if shown.stop < len(parts):
            if len(shown) < MOST_PARTS:
                st.html(f'<div data-diff="{self.key}"><div data-more="{shown.stop}">\u2026</div></div>')
            st.button(
                _("Show the text after this ({n} of {all} parts are shown)", n=len(shown), all=len(parts)),
                key=f"{self.key}_later",
                icon=":material/expand_more:",
                on_click=place.later,
                args=(first_row(parts[shown.stop]),),
            )

    def _about(self, comparison: Comparison, look: DiffLook) -> str:
        notes = [*notes_of(comparison, self.older.label, self.newer.label)]
        return in_a_row([*notes, spaces_words(comparison.spaces, is_hidden=look.hides_spaces)])

    def _draw_steps(self, changes: list[Change], place: DiffPlace) -> None:
        """How many changes there are, and the keys to the one before and the next."""
        numbers = [change.number for change in changes]
        at = numbers.index(place.at) + 1 if place.at in numbers else None
        st.markdown(count_words(len(changes), at), width="content")
        for name, key, icon, by in (
            (_("Previous"), "K", "keyboard_arrow_up", -1),
            (_("Next"), "J", "keyboard_arrow_down", 1),
        ):
            st.button(
                name,
                key=f"{self.key}_step_{key}",
                icon=f":material/{icon}:",
                shortcut=key,
                disabled=not changes,
                on_click=place.step,
                args=(changes, by),
            )

    def _draw_exports(self, comparison: Comparison, look: DiffLook) -> None:
        """The comparison as files, each made when somebody asks for it."""
        names = f"{self.older.label}-{self.newer.label}"
        with st.popover(_("Export"), icon=":material/download:", type="tertiary"):
            st.download_button(
                _("As a web page"),
                in_this_language(lambda: self._page(comparison, look)),
                file_name=f"{names}.html",
                mime="text/html",
                key=f"{self.key}_html",
                on_click="ignore",
            )
            st.download_button(
                _("As a patch"),
                lambda: unified_patch(raw_script(self.older.body, self.newer.body), self.file_name),
                file_name=f"{names}.patch",
                mime="text/x-diff",
                key=f"{self.key}_patch",
                on_click="ignore",
            )

    def _page(self, comparison: Comparison, look: DiffLook) -> bytes:
        changes = shown_changes(comparison.changes, hides_spaces=look.hides_spaces)
        around = AROUND_CODE if self.is_code else AROUND_PROSE
        items = fold_rows(comparison, around=around, hides_spaces=look.hides_spaces, opened={})
        words = PageWords(
            title=f"{self.file_name}: {self.older.label} → {self.newer.label}",
            notes=(self._about(comparison, look),),
            changes=count_words(len(changes), None),
            entries=[(one.rows.start, change_words(one, counts_lines=self.is_code)) for one in changes],
        )
        drawn = diff_words(counts_lines=self.is_code)
        return write_page(DiffDrawing(comparison, look, drawn), items, words, drawn.language).encode()

    def _draw_list(self, changes: list[Change], place: DiffPlace) -> None:
        """The list of changes around the one that the reader is at."""
        numbers = [change.number for change in changes]
        at = numbers.index(place.at) if place.at in numbers else 0
        first = max(0, min(at - LISTED // 2, len(changes) - LISTED))
        shown = changes[first : first + LISTED]
        entries = "".join(self._entry(change, is_here=change.number == place.at) for change in shown)
        name = escape(_("List of changes"))
        st.html(
            f'<div class="tl-list" data-diff="{self.key}" role="group" aria-label="{name}"><ol>{entries}</ol></div>'
        )
        if len(shown) < len(changes):
            st.caption(
                ngettext("{n} more is not listed here.", "{n} more are not listed here.", len(changes) - len(shown))
            )

    def _entry(self, change: Change, *, is_here: bool) -> str:
        words = escape(change_words(change, counts_lines=self.is_code))
        here = ' aria-current="true"' if is_here else ""
        return f'<li><button type="button" data-go="{change.rows.start}"{here}>{words}</button></li>'

    def _draw_hands(self, place: DiffPlace) -> None:
        """What the browser does with clicks in the text, with scrolling, and to bring a change into view."""
        _component(
            key=f"{self.key}_hands",
            data={"prefix": self.key, "pair": str(place.pair), "row": place.row, "asked": place.asked},
            height="content",
            on_go_change=partial(self._on_go, place),
            on_fold_change=partial(self._on_fold, place),
            on_more_change=partial(self._on_more, place),
        )

    def _told(self, name: str) -> int | None:
        """A number that the browser sent; what is none is not believed."""
        told = st.session_state[f"{self.key}_hands"].get(name)
        return int(told) if isinstance(told, int | float) and told >= 0 else None

    def _on_go(self, place: DiffPlace) -> None:
        row = self._told("go")
        comparison = _compared(self.older.body, self.newer.body)
        if row is None or row >= len(comparison.rows):
            return
        here = [change for change in comparison.changes if row in change.rows or row == change.away]
        if here:
            place.at = here[0].number
        place.show(row)

    def _on_fold(self, place: DiffPlace) -> None:
        start = self._told("fold")
        if start is not None:
            place.open_fold(start)

    def _on_more(self, place: DiffPlace) -> None:
        stop = self._told("more")
        if stop == place.first + place.parts and place.parts < MOST_PARTS:
            place.parts += 1
