"""The review card: what was judged, why, where, and what to do next."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st

from engine.domain.model_call import CallSubject, CallUse
from engine.domain.states import CriterionKind, CriterionStatus, FeedbackState, ReviewFault, Source
from engine.review.card import CardLine, ReviewCard
from pages._widgets.asked import draw_asked_button
from pages._widgets.card_desk import CardDesk
from pages._widgets.changes import JudgeRest, change_mark, change_summary, draw_rest, kept_words, passed_sentence
from pages._widgets.evidence_link import draw_place_button
from pages._widgets.markdown import literal
from pages._widgets.origin import decision_words, origin_mark
from pages._widgets.states import (
    CRITERION,
    FAULT,
    LEARNING_HINT,
    SOURCE,
    StateLook,
    badge,
    feedback_looks,
    inline,
    quiet,
    word,
)
from pages._widgets.words import _, ngettext

SPACE = "\u2002"
"""Between parts of a line that are no sentence."""
WorkOn = Callable[[CardLine], None]
"""Called when somebody presses *Work on this*."""


def card_looks(card: ReviewCard) -> tuple[StateLook, ...]:
    """How the state of a card looks."""
    return feedback_looks(card.state, (line.status for line in card.open_lines))


def card_words(card: ReviewCard) -> str:
    """The state of a card as one line of words."""
    return " · ".join(word(look) for look in card_looks(card))


def draw_card(
    card: ReviewCard,
    *,
    key: str,
    unfolded: bool = False,
    work_on: WorkOn | None = None,
    judge_rest: JudgeRest | None = None,
    foot: Callable[[], None] | None = None,
    desk: CardDesk | None = None,
) -> None:
    """Draw a card: the first open item unfolded and the rest as a line each, or all of it; at its end `foot`.

    `desk` adds what people said about the review and can say.
    """
    with st.container(border=True, key=f"card_{key}"):
        _draw_head(card)
        _draw_reading_note(card)
        draw_rest(card, key, judge_rest)
        acceptance = [line for line in card.lines if line.kind is CriterionKind.ACCEPTANCE]
        for number, line in enumerate(acceptance):
            is_open = line.status is not CriterionStatus.PASS
            unfold = unfolded or (number == 0 and is_open)
            with _line(line, f"{key}_{number}", mark=change_mark(card, line), expanded=unfold) as is_drawn:
                if is_drawn:
                    _draw_facts(card, line, f"{key}_{number}", work_on, desk)
        hints = [line for line in card.lines if line.kind is CriterionKind.LEARNING]
        for number, line in enumerate(hints):
            with _line(line, f"{key}_hint_{number}", expanded=unfolded) as is_drawn:
                if is_drawn:
                    _draw_facts(card, line, f"{key}_hint_{number}", None, desk)
        if foot is not None:
            foot()
        if desk is not None:
            desk.draw_foot(key)


def _draw_head(card: ReviewCard) -> None:
    attempt = card.row.attempt
    title = _("Review of submission {n}", n=_number(card.row.submission.submission_seq))
    parts = [f"**{title}**", *(inline(look) for look in card_looks(card))]
    if attempt is not None:
        parts.append(quiet(_("attempt {n}", n=attempt.attempt_seq)))
        parts += [origin_mark(card)] if origin_mark(card) else []
    if card.in_force:
        parts.append(quiet(_tally(card)))
    if summary := change_summary(card):
        parts.append(quiet(summary))
    st.markdown(SPACE.join(parts))


def _number(submission_seq: int | None) -> str:
    return "—" if submission_seq is None else str(submission_seq)


def _tally(card: ReviewCard) -> str:
    acceptance = [line for line in card.lines if line.kind is CriterionKind.ACCEPTANCE]
    met = len(acceptance) - len(card.open_lines)
    return _("{met} of {all} met", met=met, all=len(acceptance))


def _draw_reading_note(card: ReviewCard) -> None:
    """One sentence for a card that is not simply a verdict in force."""
    if card.by_older_rules:
        st.caption(_("The rules changed after this review. You can still read it; the tutor no longer gets it."))
    match card.state:
        case FeedbackState.PENDING if card.row.attempt is None:
            st.caption(_("No review of it has begun. The tutor knows and uses no older one instead."))
        case FeedbackState.PENDING:
            st.caption(_("This review is not finished. The tutor knows and uses no older one instead."))
        case FeedbackState.UNAVAILABLE:
            _draw_fault(card)
        case FeedbackState.INVALID:
            st.caption(
                _("This record breaks the rules for reviews, so nothing in it is used. It says nothing about the work.")
            )
        case FeedbackState.PASSED:
            st.caption(passed_sentence(card))


def _draw_fault(card: ReviewCard) -> None:
    if card.fault in set(ReviewFault):
        badge(FAULT[ReviewFault(card.fault)])
    st.caption(
        _("The review could not run. The work and earlier results are safe, and it does not count against the student.")
    )
    attempt = card.row.attempt
    if attempt is not None and attempt.model is not None:
        every = CallSubject(use=CallUse.JUDGEMENT, subject_id=attempt.attempt_id, part="")
        draw_asked_button(every, key=attempt.attempt_id)
    if card.lines:
        st.caption(
            ngettext(
                "{n} criterion was finished; it is shown here and is not in force.",
                "{n} criteria were finished; they are shown here and are not in force.",
                len(card.lines),
            )
        )


def _asked(card: ReviewCard, line: CardLine) -> CallSubject | None:
    """What a model was asked about this criterion; None where none was."""
    attempt = card.row.attempt
    if attempt is None or attempt.model is None or line.source is not Source.MODEL:
        return None
    return CallSubject(use=CallUse.JUDGEMENT, subject_id=attempt.attempt_id, part=line.rubric_id)


@contextmanager
def _line(line: CardLine, key: str, *, mark: str = "", expanded: bool) -> Iterator[bool]:
    """A line that is closed holds nothing yet: what it says is sent when somebody opens it."""
    look = LEARNING_HINT if line.kind is CriterionKind.LEARNING else CRITERION[line.status]
    label = " ".join(part for part in (inline(look), literal(line.criterion), mark) if part)
    with st.expander(label, expanded=expanded, key=f"line_{key}", on_change="rerun") as drawn:
        yield bool(drawn.open)


def _draw_facts(card: ReviewCard, line: CardLine, key: str, work_on: WorkOn | None, desk: CardDesk | None) -> None:
    """In few elements, for each costs time in every run: paragraphs above the evidence, paragraphs below it."""
    is_open = line.status is not CriterionStatus.PASS
    above = [inline(CRITERION[line.status])] if line.kind is CriterionKind.LEARNING else []
    above.append(_fact(_("why"), line.reason))
    below = [_fact(_("next"), line.next_step)] if line.next_step and is_open else []
    decided_by = SPACE.join((quiet(_("decided by")), decision_words(card, line) or inline(SOURCE[line.source])))
    if kept := kept_words(line):
        decided_by = SPACE.join((decided_by, quiet(kept)))
    if line.evidence:
        st.markdown("\n\n".join([*above, _fact(_("where"), "")]))
        st.code(line.evidence, language=None, wrap_lines=True)
        draw_place_button(card.row.submission.submission_id, line.evidence, key=key)
        st.markdown("\n\n".join([*below, decided_by]))
    else:
        st.markdown("\n\n".join([*above, *below, decided_by]))
    asked = _asked(card, line)
    if asked is not None:
        draw_asked_button(asked, key=key)
    if work_on is not None and is_open:
        st.button(_("Work on this"), key=f"work_{key}", on_click=work_on, args=(line,), icon=":material/forum:")
    if desk is not None:
        desk.draw_line(line, key)


def _fact(name: str, text: str) -> str:
    return f":gray[{name}]  {literal(text)}"
