"""What changed since the submission judged before, and what a broken review left to judge."""

from collections.abc import Callable

import streamlit as st

from engine.review.card import CardLine, ReviewCard
from engine.review.changes import Change
from pages._widgets.states import change_look, inline
from pages._widgets.words import _, ngettext

JudgeRest = Callable[[ReviewCard], None]
"""Called when somebody wants what a broken review left unjudged to be judged."""


def change_mark(card: ReviewCard, line: CardLine) -> str:
    """What became of a line, as a badge in Markdown; empty where nothing did."""
    change = card.change(line)
    return "" if change is None else inline(change_look(change, line.status))


def change_summary(card: ReviewCard) -> str:
    """All changes in one sentence; empty without an earlier judgement, and on a pass, which has its own sentence."""
    if card.changes is None or not card.open_lines:
        return ""
    blanks: dict[str, object] = {
        "s": card.changes.since,
        "fixed": card.count(Change.FIXED),
        "open": card.count(Change.STILL_OPEN),
        "worse": card.count(Change.REGRESSED),
        "new": card.count(Change.NEW),
    }
    if blanks["new"]:
        return _("since submission {s}: {fixed} fixed, {open} still open, {worse} worse, {new} new", **blanks)
    return _("since submission {s}: {fixed} fixed, {open} still open, {worse} worse", **blanks)


def passed_sentence(card: ReviewCard) -> str:
    """What a pass says, quietly: how much was fixed since the submission judged before, if anything was."""
    fixed = card.count(Change.FIXED)
    if card.changes is None or not fixed:
        return _("Every acceptance criterion is met.")
    return ngettext(
        "Passed, {n} item fixed since submission {s}.",
        "Passed, {n} items fixed since submission {s}.",
        fixed,
        s=card.changes.since,
    )


def kept_words(line: CardLine) -> str:
    """Which attempt judged a line that a broken review left to this one; empty where this one did."""
    return "" if line.kept_from is None else _("kept from attempt {n}", n=line.kept_from)


def draw_rest(card: ReviewCard, key: str, judge_rest: JudgeRest | None) -> None:
    """How much a broken review left unjudged, where it finished something, and the button for just that."""
    left = card.unjudged
    if not card.lines or not left:
        return
    st.caption(_("{n} of {all} criteria could not be judged.", n=left, all=len(card.row.rubric)))
    if judge_rest is not None:
        st.button(
            ngettext("Judge the one that is left", "Judge these {n}", left),
            key=f"judge_rest_{key}",
            icon=":material/refresh:",
            on_click=judge_rest,
            args=(card,),
        )
