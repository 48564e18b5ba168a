"""The table of reviews: one page of it at a time, and a click on a row opens its card."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import pyarrow as pa
import streamlit as st

from engine.review.card import ReviewCard
from pages._widgets.anonymous import name_in
from pages._widgets.card import card_words
from pages._widgets.column_widths import wide_enough
from pages._widgets.moments import moment
from pages._widgets.origin import origin_words
from pages._widgets.states import SOURCE, word
from pages._widgets.words import _

ROWS = 20
"""Reviews on one page of the table."""
PAGE = "reviews_page"
"""Where the session keeps which page was turned to."""
NOTHING = "—"
"""In a cell."""
Open = Callable[[ReviewCard], None]


def page_number() -> int:
    """The page that was turned to, from 1."""
    return max(1, int(st.session_state.get(PAGE, 1)))


def draw_table(cards: Sequence[ReviewCard], total: int, names: Mapping[str, str], open_card: Open) -> None:
    """Draw one page of `total` reviews, students by these names.

    Choosing a row opens it once, so that what else opens a card has its way.
    """
    key = f"reviews_{page_number()}"
    rows = [_table_row(card, names) for card in cards]
    filled = [name for name in rows[0] if name != _("origin") or any(row[name] != NOTHING for row in rows)]
    table = pa.Table.from_pylist(rows).select(filled)
    st.dataframe(
        table,
        column_config=wide_enough({_("state"): [row[_("state")] for row in rows]}),
        hide_index=True,
        on_select=partial(_open_row, key, cards, open_card),
        selection_mode="single-row",
        key=key,
        alt=_("Reviews, latest begun first"),
    )
    if total > ROWS:
        st.pagination(math.ceil(total / ROWS), key=PAGE)


def draw_steps(cards: Sequence[ReviewCard], shown: ReviewCard, open_card: Open) -> None:
    """Go from row to row without the mouse: the table itself cannot be worked by keyboard."""
    rows = [address_of(card) for card in cards]
    place = rows.index(address_of(shown)) if address_of(shown) in rows else 0
    with st.container(horizontal=True, vertical_alignment="center"):
        for label, step, shortcut, icon in (
            (_("Previous review"), -1, "K", ":material/arrow_upward:"),
            (_("Next review"), 1, "J", ":material/arrow_downward:"),
        ):
            is_there = 0 <= place + step < len(cards)
            st.button(
                label,
                key=f"step_{shortcut}",
                icon=icon,
                shortcut=shortcut,
                disabled=not is_there,
                on_click=open_card,
                args=(cards[place + step if is_there else place],),
            )
        st.caption(_("{n} of {all} on this page", n=place + 1, all=len(cards)), width="content")


def address_of(card: ReviewCard) -> str:
    """How an address names the review of a card."""
    attempt = card.row.attempt
    return f"{card.row.submission.submission_id}/{attempt.attempt_seq if attempt else ''}"


def _open_row(key: str, cards: Sequence[ReviewCard], open_card: Open) -> None:
    chosen = st.session_state[key]["selection"]["rows"]
    if chosen and chosen[0] < len(cards):
        open_card(cards[chosen[0]])


def _table_row(card: ReviewCard, names: Mapping[str, str]) -> dict[str, str]:
    row = card.row
    sources = dict.fromkeys(line.source for line in card.lines)
    return {
        _("when"): moment(row.attempt.started_at if row.attempt else row.submission.handed_in_at),
        _("student"): name_in(names, row.submission.key.learner_id, row.learner_name),
        _("task"): row.task_title,
        _("submission"): NOTHING if row.submission.submission_seq is None else f"S{row.submission.submission_seq}",
        _("attempt"): f"A{row.attempt.attempt_seq}" if row.attempt else NOTHING,
        _("state"): card_words(card),
        _("by"): " · ".join(word(SOURCE[source]) for source in sources) or NOTHING,
        _("origin"): origin_words(card) or NOTHING,
    }
