"""The chain of versions as a picture with a table beside it: what was made from what, and how each one stands."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pandas as pd
import streamlit as st

from engine.domain.artifact import VersionLine
from engine.revision.chain import lanes_of
from pages._widgets.card import card_looks
from pages._widgets.column_widths import wide_enough
from pages._widgets.moments import moment
from pages._widgets.version_choice import show_version
from pages._widgets.version_standing import Standing, Standings
from pages._widgets.version_words import AUTHOR_ICONS, AUTHORS, REASON_ICONS, REASONS, words_counted
from pages._widgets.words import _, ngettext

LAST = 24
"""Versions that are drawn at first; the table has all."""
_HERE = Path(__file__).parent
_component = st.components.v2.component(
    "tutorloop_chain",
    js=(_HERE / "chain_picture.js").read_text(encoding="utf-8"),
    css=(_HERE / "chain_picture.css").read_text(encoding="utf-8"),
)


def draw_chain(lines: Sequence[VersionLine], standings: Standings, old: VersionLine, new: VersionLine) -> None:
    """Draw both; a version that is chosen is shown beside the one that it was made from."""
    shown = lines[-LAST:]
    key = f"chain_{lines[0].artifact_id}"
    _component(
        key=key,
        data={
            "name": _("Chain of versions"),
            "nodes": nodes_of(shown, standings, old, new),
            "older": _older(len(lines) - len(shown)),
        },
        height="content",
        on_chosen_change=partial(_chosen_in_picture, key, lines),
    )
    with st.expander(
        _("As a table"), icon=":material/table:", type="compact", key=f"{key}_open", on_change="rerun"
    ) as table:
        if table.open:
            _draw_table(lines, standings, f"{key}_table")


def nodes_of(
    lines: Sequence[VersionLine], standings: Standings, old: VersionLine, new: VersionLine
) -> list[dict[str, object]]:
    """What is drawn of each version: who made it as an icon, and how it stands as colour, icon and word."""
    lanes = lanes_of(lines)
    return [
        {
            "id": line.version_id,
            "number": line.number,
            "parent": line.parent_id,
            "source": line.source_id,
            "lane": lanes[line.version_id],
            "label": f"V{line.number}",
            "by": AUTHOR_ICONS[line.author],
            **_state(line, standings.get(line.version_id, ())),
            "tip": f"{_(REASONS[line.reason])} · {_(AUTHORS[line.author])} · {moment(line.made_at)}",
            "shown": "new" if line is new else "old" if line is old else "",
            "mark": _("shown") if line is new else _("compared") if line is old else "",
        }
        for line in lines
    ]


def _older(n: int) -> str:
    """How many are in the table only; empty where all are drawn."""
    return ngettext("{n} older version: see the table", "{n} older versions: see the table", n) if n else ""


def _state(line: VersionLine, standings: Sequence[Standing]) -> dict[str, str]:
    """What stands below the number: how it stands, or else how it came about, which has no colour."""
    if not standings:
        return {"under": _(REASONS[line.reason]), "icon": REASON_ICONS[line.reason], "colour": ""}
    newest = standings[-1]
    look = card_looks(newest.card)[0] if newest.card else None
    return {
        "under": newest.words,
        "icon": look.icon if look else "inbox",
        "colour": look.colour.value if look and look.colour else "",
    }


def _chosen_in_picture(key: str, lines: Sequence[VersionLine]) -> None:
    _choose(st.session_state[key].get("chosen"), lines)


def _chosen_in_table(key: str, lines: Sequence[VersionLine]) -> None:
    rows = st.session_state[key]["selection"]["rows"]
    if rows:
        _choose(lines[::-1][rows[0]].number, lines)


def _choose(number: object, lines: Sequence[VersionLine]) -> None:
    chosen = next((line for line in lines if line.number == number), None)
    if chosen is not None:
        show_version(chosen, lines)


def _draw_table(lines: Sequence[VersionLine], standings: Standings, key: str) -> None:
    numbers = {line.version_id: f"V{line.number}" for line in lines}
    rows = [
        {
            _("version"): f"V{line.number}",
            _("made from"): " + ".join(
                numbers[one] for one in (line.parent_id, line.source_id) if one is not None and one in numbers
            )
            or "—",
            _("how"): _(REASONS[line.reason]),
            _("author"): _(AUTHORS[line.author]),
            _("title"): line.title or "—",
            _("note"): line.note or "—",
            _("length"): words_counted(line),
            _("when"): moment(line.made_at),
            _("handed in"): _(", ").join(one.words for one in standings.get(line.version_id, ())) or "—",
        }
        for line in reversed(lines)
    ]
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        column_config=wide_enough({name: [row[name] for row in rows] for name in rows[0]}),
        on_select=partial(_chosen_in_table, key, lines),
        selection_mode="single-row",
        key=key,
        alt=_("Versions, newest first"),
    )
