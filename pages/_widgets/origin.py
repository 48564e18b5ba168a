"""Where an attempt comes from, and how many rows are judgements: history and judgements are counted apart."""

from engine.domain.states import AttemptOrigin
from engine.review.card import CardLine, ReviewCard
from engine.review.origin_store import Tally
from pages._widgets.markdown import literal
from pages._widgets.moments import moment
from pages._widgets.states import CRITERION, SOURCE, inline, quiet, word
from pages._widgets.words import _


def origin_words(card: ReviewCard) -> str:
    """How an attempt came to its end, where it was not judged by itself; empty where it was."""
    attempt = card.row.attempt
    match attempt.origin if attempt else AttemptOrigin.JUDGED:
        case AttemptOrigin.REUSED if card.reused_from is not None:
            return _("reused from submission {n}", n=card.reused_from)
        case AttemptOrigin.REUSED:
            return _("reused from an earlier submission")
        case AttemptOrigin.DECIDED if card.taken_back is not None:
            return _("a decision was taken back by {name}", name=card.taken_back.by)
        case AttemptOrigin.DECIDED:
            return _("decided by {name}", name=_newest_name(card))
        case _:
            return ""


def origin_mark(card: ReviewCard) -> str:
    """The same as small Markdown behind an icon, for use inside a line."""
    words = origin_words(card)
    attempt = card.row.attempt
    if not words or attempt is None:
        return ""
    icon = "recycling" if attempt.origin is AttemptOrigin.REUSED else "person"
    return quiet(f":material/{icon}: {literal(words)}")


def _newest_name(card: ReviewCard) -> str:
    decisions = [line.decision for line in card.lines if line.decision is not None]
    return max(decisions, key=lambda one: one.at).by if decisions else _("a teacher")


def tally_words(tally: Tally, of: int) -> str:
    """A count of reviews, of `of` in all, as one sentence; only the first kind is an independent judgement."""
    parts = [_("{n:,} judged", n=tally.judged)]
    parts += [_("{n:,} reused", n=tally.reused)] if tally.reused else []
    parts += [_("{n:,} decided", n=tally.decided)] if tally.decided else []
    parts += [_("{n:,} without a judgement", n=tally.without)] if tally.without else []
    rows = _("{n:,} of {all:,} rows", n=tally.rows, all=of)
    return _("{rows}: {parts}", rows=rows, parts=_(", ").join(parts))


def decision_words(card: ReviewCard, line: CardLine) -> str:
    """Who decided a line, when, and what a machine had said before, as Markdown; empty where no person decided."""
    decision = line.decision
    if decision is None:
        return ""
    attempt = card.row.attempt
    is_kept = attempt is not None and attempt.origin is not AttemptOrigin.DECIDED
    values = {"name": literal(decision.by), "when": moment(decision.at)}
    told = _("{name}'s decision of {when} kept", **values) if is_kept else _("{name}, {when}", **values)
    paragraphs = [f"{inline(SOURCE[line.source])} {told}"]
    machine = decision.machine
    if machine is None:
        paragraphs.append(quiet(_("Nothing had been judged before.")))
    else:
        said = f"~~{word(CRITERION[machine.status])}~~ ~~{literal(' '.join(machine.reason.split()))}~~"
        before = _("before, {source}: {said}", source=inline(SOURCE[machine.source]), said=said)
        paragraphs.append(f":gray[{before}]")
    return "\n\n".join(paragraphs)
