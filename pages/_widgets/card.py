"""The review card: what was judged, why, where, and what to do next."""

from collections.abc import Callable

import streamlit as st

from engine.domain.model_call import CallSubject, CallUse
from engine.domain.states import CriterionKind, CriterionStatus, FeedbackState, ReviewFault, Source
from engine.review.card import CardLine, ReviewCard
from pages._widgets.asked import draw_asked_button
from pages._widgets.changes import JudgeRest, change_mark, change_summary, draw_rest, kept_words, passed_sentence
from pages._widgets.evidence_link import draw_place_button
from pages._widgets.markdown import literal
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
) -> None:
    """Draw a card: the first open item unfolded and the rest as a line each, or all of it; at its end `foot`."""
    submission_id = card.row.submission.submission_id
    with st.container(border=True, key=f"card_{key}"):
        _draw_head(card)
        _draw_reading_note(card)
        draw_rest(card, key, judge_rest)
        acceptance = [line for line in card.lines if line.kind is CriterionKind.ACCEPTANCE]
        for number, line in enumerate(acceptance):
            is_open = line.status is not CriterionStatus.PASS
            unfold = unfolded or (number == 0 and is_open)
            asked, mark = _asked(card, line), change_mark(card, line)
            _draw_line(line, f"{key}_{number}", submission_id, asked, mark=mark, expanded=unfold, work_on=work_on)
        hints = [line for line in card.lines if line.kind is CriterionKind.LEARNING]
        for number, line in enumerate(hints):
            _draw_line(line, f"{key}_hint_{number}", submission_id, _asked(card, line), expanded=unfolded, work_on=None)
        if foot is not None:
            foot()


def _draw_head(card: ReviewCard) -> None:
    attempt = card.row.attempt
    title = _("Review of submission {n}", n=_number(card.row.submission.submission_seq))
    parts = [f"**{title}**", *(inline(look) for look in card_looks(card))]
    if attempt is not None:
        parts.append(quiet(_("attempt {n}", n=attempt.attempt_seq)))
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


def _draw_line(
    line: CardLine,
    key: str,
    submission_id: str,
    asked: CallSubject | None,
    *,
    mark: str = "",
    expanded: bool,
    work_on: WorkOn | None,
) -> None:
    """A line that is closed holds nothing yet: what it says is sent when somebody opens it."""
    look = LEARNING_HINT if line.kind is CriterionKind.LEARNING else CRITERION[line.status]
    label = " ".join(part for part in (inline(look), literal(line.criterion), mark) if part)
    with st.expander(label, expanded=expanded, key=f"line_{key}", on_change="rerun") as drawn:
        if drawn.open:
            _draw_facts(line, key, submission_id, asked, work_on)


def _draw_facts(
    line: CardLine, key: str, submission_id: str, asked: CallSubject | None, work_on: WorkOn | None
) -> None:
    """In few elements, for each costs time in every run: paragraphs above the evidence, paragraphs below it."""
    is_open = line.status is not CriterionStatus.PASS
    above = [inline(CRITERION[line.status])] if line.kind is CriterionKind.LEARNING else []
    above.append(_fact(_("why"), line.reason))
    below = [_fact(_("next"), line.next_step)] if line.next_step and is_open else []
    decided_by = SPACE.join((quiet(_("decided by")), inline(SOURCE[line.source])))
    if kept := kept_words(line):
        decided_by = SPACE.join((decided_by, quiet(kept)))
    if line.evidence:
        st.markdown("\n\n".join([*above, _fact(_("where"), "")]))
        st.code(line.evidence, language=None, wrap_lines=True)
        draw_place_button(submission_id, line.evidence, key=key)
        st.markdown("\n\n".join([*below, decided_by]))
    else:
        st.markdown("\n\n".join([*above, *below, decided_by]))
    if asked is not None:
        draw_asked_button(asked, key=key)
    if work_on is not None and is_open:
        st.button(_("Work on this"), key=f"work_{key}", on_click=work_on, args=(line,), icon=":material/forum:")


def _fact(name: str, text: str) -> str:
    return f":gray[{name}]  {literal(text)}"
