"""Two requests of one conversation side by side: the feedback block first, then every part."""

from collections.abc import Mapping, Sequence

import streamlit as st

from engine.domain.people import Viewer
from engine.domain.session import Receipt, Turn
from engine.domain.states import CriterionStatus, FeedbackState, Source
from engine.errors import AccessDenied, NotFound
from engine.sessions.session_store import SessionStore
from engine.tutoring.compare import Change, Comparison, ItemFate, ItemPair, PartPair, ValuePair, compare_requests
from pages._widgets.address import name_in_address
from pages._widgets.markdown import literal
from pages._widgets.parts import FIELDS, part_name, part_role
from pages._widgets.states import CRITERION, FEEDBACK, SOURCE, Colour, StateLook, badge, block_mark, word
from pages._widgets.words import N_, _, in_a_row, ngettext

WITH = "with"
"""Names the other turn in the address."""
CHOICES = 100
"""So many of the newest turns can be chosen."""
_QUESTION_SHOWN = 60

FATES: Mapping[ItemFate, StateLook] = {
    ItemFate.SAME: StateLook(icon="drag_handle", colour=None, word=N_("Still open, unchanged")),
    ItemFate.CHANGED: StateLook(icon="edit", colour=None, word=N_("Still open, changed")),
    ItemFate.CLOSED: StateLook(icon="check_circle", colour=Colour.GREEN, word=N_("No longer open")),
    ItemFate.OPENED: StateLook(icon="assignment_late", colour=Colour.RED, word=N_("Newly open")),
    ItemFate.NOT_SHOWN: StateLook(icon="help", colour=Colour.GREY, word=N_("In one of the two only")),
}
"""What became of an open item, in words."""
CHANGES: Mapping[Change, str] = {
    Change.SAME: N_("the same"),
    Change.CHANGED: N_("**changed**"),
    Change.ONLY_EARLIER: N_("**only here**"),
    Change.ONLY_LATER: N_("**only here**"),
    Change.UNKNOWN: N_("cannot be told: erased"),
}
"""How a part compares, in words; Markdown."""
_TITLE = "criterion"
_NOT_SHOWN = frozenset({"schema", "submission_id"})
"""Ids that tell a person nothing."""


def draw_compared(viewer: Viewer, sessions: SessionStore, turn: Turn, receipt: Receipt) -> None:
    """Choose another turn of the conversation, at first the one before, and see what differs."""
    others = _others(viewer, sessions, turn)
    if not others:
        st.info(_("This conversation has no other reply to compare with yet."))
        return
    ids = [other.turn_id for other in others]
    names = {other.turn_id: _turn_name(other) for other in others}
    first = _first_choice(others, turn)
    chosen = st.selectbox(
        _("Compare with"),
        ids,
        index=ids.index(first.turn_id),
        format_func=lambda turn_id: names[turn_id],
        key="saw_with",
        on_change=_point_at_other,
        args=(first.turn_id,),
    )
    other = next(each for each in others if each.turn_id == chosen)
    try:
        other_receipt = sessions.receipt(viewer, other.turn_id)
    except NotFound:
        st.info(_("Nothing was sent for that turn, so there is nothing to compare."))
        return
    if other.number < turn.number:
        draw_comparison(compare_requests(other_receipt, receipt), other.number, turn.number)
    else:
        draw_comparison(compare_requests(receipt, other_receipt), turn.number, other.number)


def _others(viewer: Viewer, sessions: SessionStore, turn: Turn) -> list[Turn]:
    """The newest turns, newest first, and the one that the address names where it is older."""
    entries, _older = sessions.entries(viewer, turn.conversation_id, last=CHOICES)
    found = [entry for entry in reversed(entries) if isinstance(entry, Turn) and entry.turn_id != turn.turn_id]
    named = st.query_params.get(WITH)
    if named is None or named == turn.turn_id or named in {each.turn_id for each in found}:
        return found
    try:
        other = sessions.turn(viewer, named)
    except (AccessDenied, NotFound):
        return found
    return [*found, other] if other.conversation_id == turn.conversation_id else found


def _first_choice(others: Sequence[Turn], turn: Turn) -> Turn:
    """The one that the address names, else the one before, else the oldest after it."""
    named = [other for other in others if other.turn_id == st.query_params.get(WITH)]
    before = [other for other in others if other.number < turn.number]
    return (named or sorted(before, key=lambda other: -other.number) or [others[-1]])[0]


def _point_at_other(shown: str) -> None:
    chosen = st.session_state.get("saw_with")
    if chosen not in (None, shown):  # see `pick` of subject.py
        name_in_address(WITH, chosen)


def _turn_name(turn: Turn) -> str:
    question = " ".join(turn.question.split()) if turn.opening is None else _("The tutor opens")
    shown = question if len(question) <= _QUESTION_SHOWN else f"{question[:_QUESTION_SHOWN]}…"
    return _("Turn {n}: {question}", n=turn.number, question=shown)


def draw_comparison(comparison: Comparison, earlier: int, later: int) -> None:
    """Draw two compared requests; the numbers are those of their turns."""
    columns = _("Turn {n}", n=earlier), _("Turn {n}", n=later)
    st.markdown(f"**{headline(comparison)}**")
    with st.container(border=True, key="compared_block"):
        name = _("Feedback block")
        st.markdown(block_mark(name))
        for pair in comparison.items:
            _draw_item(pair, columns)
        _draw_fields(comparison.fields, columns)
    _draw_parts(comparison.parts, columns)


def headline(comparison: Comparison) -> str:
    """What differs, in a sentence or three: the review, its open items, the other parts."""
    numbers = {pair.name: pair for pair in comparison.fields}
    reviews = [numbers[name] for name in ("submission_seq", "attempt_seq") if name in numbers]
    sentences = [
        _("Both had the same review.") if all(pair.is_same for pair in reviews) else _("They had different reviews.")
    ]
    fates = [pair.fate for pair in comparison.items]
    closed, opened = fates.count(ItemFate.CLOSED), fates.count(ItemFate.OPENED)
    if closed:
        sentences.append(ngettext("{n} item is no longer open.", "{n} items are no longer open.", closed))
    if opened:
        sentences.append(ngettext("{n} item is newly open.", "{n} items are newly open.", opened))
    same = sum(pair.change is Change.SAME for pair in comparison.parts)
    sentences.append(_("{same} of {all} parts are the same.", same=same, all=len(comparison.parts)))
    return in_a_row(sentences)


def _draw_item(pair: ItemPair, columns: tuple[str, str]) -> None:
    named = {value.name: value for value in pair.values}
    title = named.get("criterion")
    text = (title.later or title.earlier) if title else None
    with st.container(horizontal=True, vertical_alignment="center"):
        badge(FATES[pair.fate])
        criterion = literal(text or pair.rubric_id)
        st.markdown(f"**{criterion}**", width="content")
    if pair.fate is not ItemFate.SAME:
        left, right = st.columns(2)
        with left:
            _draw_side(columns[0], [(value.name, value.earlier) for value in _differing(pair)])
        with right:
            _draw_side(columns[1], [(value.name, value.later) for value in _differing(pair)])


def _differing(pair: ItemPair) -> Sequence[ValuePair]:
    """What to look at: of an item that both have the values that differ, else all but its name."""
    return [
        value for value in pair.values if not value.is_same and (pair.fate is ItemFate.CHANGED or value.name != _TITLE)
    ]


def _draw_side(title: str, values: Sequence[tuple[str, str | None]]) -> None:
    st.caption(title)
    shown = [(name, value) for name, value in values if value is not None]
    if not shown:
        st.markdown(_("Not among the open items."))
    for name, value in shown:
        st.markdown(f":gray[{_field(name)}]  {_value(name, value)}")


def _draw_fields(fields: Sequence[ValuePair], columns: tuple[str, str]) -> None:
    shown = [pair for pair in fields if pair.name not in _NOT_SHOWN]
    if not shown:
        st.caption(_("The words of both were erased; their sizes are below."))
        return
    changed = [pair for pair in shown if not pair.is_same]
    if changed:
        st.markdown(_table(columns, [_row(pair) for pair in changed]))
    same = [pair for pair in shown if pair.is_same]
    if same:
        label = ngettext("{n} field is the same", "{n} fields are the same", len(same))
        with st.expander(label, type="compact", key="same_fields"):
            st.markdown(_table(columns, [_row(pair) for pair in same]))


def _row(pair: ValuePair) -> tuple[str, str, str]:
    return _field(pair.name), _value(pair.name, pair.earlier), _value(pair.name, pair.later)


def _field(name: str) -> str:
    return _(FIELDS[name]) if name in FIELDS else literal(name)


def _value(name: str, value: str | None) -> str:
    """A value as people read it; a dash where there was none."""
    if value is None:
        return "—"
    match name:
        case "state" if value in set(FeedbackState):
            state = FeedbackState(value)
            return word(FEEDBACK[state]) if state in FEEDBACK else _("Open items")
        case "review_status" | "status" if value in set(CriterionStatus):
            return word(CRITERION[CriterionStatus(value)])
        case "source" if value in set(Source):
            return word(SOURCE[Source(value)])
        case _:
            return literal(value)


def _table(columns: tuple[str, str], rows: Sequence[tuple[str, str, str]]) -> str:
    """A table in Markdown; cells are escaped already."""
    lines = [("", *columns), ("---", "---", "---"), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _draw_parts(parts: Sequence[PartPair], columns: tuple[str, str]) -> None:
    name = _("All parts")
    st.markdown(f"**{name}**")
    rows = [(_name(pair), _size(pair, is_later=False), _size(pair, is_later=True)) for pair in parts]
    st.markdown(_table(columns, rows))
    for number, pair in enumerate(parts):
        if pair.change is Change.CHANGED and pair.earlier and pair.later:
            label = _("{name}: both texts", name=part_name(pair.later))
            with st.expander(label, type="compact", key=f"both_{number}"):
                for column, title, part in zip(st.columns(2), columns, (pair.earlier, pair.later), strict=True):
                    column.caption(title)
                    column.code(part.text, language=None, wrap_lines=True)


def _name(pair: PartPair) -> str:
    return f"{part_name(pair.newest)} · {part_role(pair.newest)}"


def _size(pair: PartPair, *, is_later: bool) -> str:
    part = pair.later if is_later else pair.earlier
    if part is None:
        return "—"
    size = _("{tokens:,} tokens, {chars:,} characters", tokens=part.tokens, chars=part.chars)
    only = Change.ONLY_LATER if is_later else Change.ONLY_EARLIER
    if not is_later and pair.change is not only:
        return size
    return f"{size} · {_(CHANGES[pair.change])}"
