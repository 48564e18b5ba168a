"""The class board in words: groups, fills, and why somebody stands first."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from engine.domain.states import FeedbackState, Language
from engine.insight.class_board import BoardCell, BoardRow, CellLook, ClassBoard, Group, Order
from engine.insight.stuck import StuckReason, StuckRule
from pages._widgets.moments import moment
from pages._widgets.words import N_, _, language, ngettext

SHORT = 48
"""Characters of a criterion inside a line of the board; the drawer has all of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fill:
    """How one kind of cell looks in both themes: told apart in every kind of sight, never by colour alone."""

    glyph: str
    word: str
    light: str
    """Colour of the cell."""
    light_ink: str
    """Colour of what stands in it."""
    dark: str
    dark_ink: str


BLACK, WHITE = "#000000", "#ffffff"
FILLS: Mapping[CellLook, Fill] = {
    CellLook.PASSED: Fill(
        glyph="✓", word=N_("passed"), light="#00876e", light_ink=BLACK, dark="#00af89", dark_ink=BLACK
    ),
    CellLook.TO_FIX: Fill(
        glyph="✕", word=N_("to fix"), light="#b13d0f", light_ink=WHITE, dark="#c33e1f", dark_ink=WHITE
    ),
    CellLook.WITH_PERSON: Fill(
        glyph="?", word=N_("for you"), light="#f6c667", light_ink=BLACK, dark="#ffdc69", dark_ink=BLACK
    ),
    CellLook.OUR_FAULT: Fill(
        glyph="/", word=N_("could not run"), light="#584673", light_ink=WHITE, dark="#af9df2", dark_ink=BLACK
    ),
    CellLook.REVIEWING: Fill(
        glyph="~", word=N_("reviewing"), light="#77baff", light_ink=BLACK, dark="#005089", dark_ink=WHITE
    ),
    CellLook.NOTHING: Fill(
        glyph="", word=N_("nothing handed in"), light="#ffffff", light_ink=BLACK, dark="#14171c", dark_ink=WHITE
    ),
}

ORDERS: Mapping[Order, str] = {
    Order.URGENCY: N_("Stuck first"),
    Order.CLASS_LIST: N_("By class list"),
    Order.UNSEEN: N_("Not seen for longest first"),
    Order.PASSED: N_("Fewest passed first"),
}


def group_words(group: Group, n: int) -> str:
    """How many belong to a group, as a part of a sentence."""
    words = {
        Group.STUCK: _("{n} stuck", n=n),
        Group.WAITS: ngettext("{n} waits for you", "{n} wait for you", n),
        Group.NOT_RUN: _("{n} whose review could not run", n=n),
        Group.ON_THE_WAY: _("{n} on their way", n=n),
        Group.NOT_BEGUN: _("{n} not begun", n=n),
    }
    return words[group]


def board_sentence(board: ClassBoard) -> str:
    """Who needs what, before any picture. Kept as long as the board is the same."""
    return _board_sentence(board, language())


@lru_cache(maxsize=32)
def _board_sentence(board: ClassBoard, reader: Language) -> str:  # noqa: ARG001 - words are in the reader's language
    if all(Group.NOT_BEGUN in row.groups for row in board.rows):
        return ngettext("The one student has not handed in yet.", "None of the {n} has handed in.", len(board.rows))
    if board.count(Group.STUCK):
        counted = [group_words(group, board.count(group)) for group in Group if board.count(group)]
        return _("Of {all} students: {counts}.", all=len(board.rows), counts=_(", ").join(counted))
    waiting = board.count(Group.WAITS)
    if not waiting:
        return _("Nobody is stuck, and nothing waits for you.")
    return ngettext(
        "Nobody is stuck. Work of {n} student waits for you.",
        "Nobody is stuck. Work of {n} students waits for you.",
        waiting,
    )


def fill_words(cell: BoardCell) -> str:
    """One cell as glyph, word and number of hand-ins; empty where nothing was handed in."""
    if cell.look is CellLook.NOTHING:
        return ""
    fill = FILLS[cell.look]
    return f"{fill.glyph} {_(fill.word)} {cell.facts.hand_ins}"


def legend_words() -> str:
    """What the signs of the cells mean."""
    signs = [f"{fill.glyph} {_(fill.word)}" for look, fill in FILLS.items() if look is not CellLook.NOTHING]
    return _("Beside the sign: the number of hand-ins.") + "  " + " · ".join(signs)


def reason_words(reason: StuckReason, cell: BoardCell, *, is_short: bool = False) -> str:
    """Why a task is pointed at, as the teacher reads it."""
    match reason.rule:
        case StuckRule.SAME_FAIL:
            criterion = reason.criterion or ""
            return _(
                "not met in {n} hand-ins in a row: {criterion}",
                n=reason.n,
                criterion=_shortened(criterion) if is_short else criterion,
            )
        case StuckRule.NO_HAND_IN:
            return ngettext("nothing handed in for {n} day", "nothing handed in for {n} days", reason.n)
        case StuckRule.MANY_TURNS if not cell.facts.hand_ins:
            return _("{n} questions to the tutor, nothing handed in yet", n=reason.n)
        case StuckRule.MANY_TURNS:
            return _("{n} questions to the tutor since the last hand-in", n=reason.n)


def first_words(row: BoardRow) -> str:
    """Why a row stands where it stands: the task to look at first, and what is the matter; empty if nothing is."""
    if row.first is None:
        return ""
    return _("{task}: {matter}", task=row.first.task.title, matter=_matter(row.first))


def _matter(cell: BoardCell) -> str:
    if cell.stuck:
        return reason_words(cell.stuck[0], cell, is_short=True)
    if cell.facts.state is FeedbackState.STALE_RULES:
        return _("the rules changed, a new review is due")
    if cell.look is CellLook.WITH_PERSON and cell.facts.handed_in_at is not None:
        return _("waits for you, handed in {when}", when=moment(cell.facts.handed_in_at))
    if cell.facts.state is FeedbackState.INVALID:
        return _("the review record is faulty")
    return _("the review could not run")


def _shortened(text: str) -> str:
    return text if len(text) <= SHORT else text[: SHORT - 1].rstrip() + "…"
