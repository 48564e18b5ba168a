"""Which versions were handed in, what their reviews say, and which criteria changed with them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from engine.domain.artifact import Artifact, VersionAuthor, VersionLine, VersionReason
from engine.domain.people import Viewer
from engine.domain.states import CriterionStatus
from engine.review.card import CardLine, ReviewCard
from engine.review.changes import Change
from engine.review.version_desk import key_of
from engine.wiring import Space
from pages._widgets.card import card_looks, card_words
from pages._widgets.markdown import literal
from pages._widgets.moments import moment
from pages._widgets.states import change_look, inline, quiet
from pages._widgets.subject import Subject, address_of
from pages._widgets.version_words import AUTHORS, REASONS, words_counted
from pages._widgets.words import _


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One submission of a version."""

    submission_id: str
    submission_seq: int | None
    card: ReviewCard | None
    """Of its newest attempt; None where it is not to be read."""

    @property
    def name(self) -> str:
        """How it is called in short."""
        return "S—" if self.submission_seq is None else f"S{self.submission_seq}"

    @property
    def review(self) -> str:
        """How an address names its review."""
        attempt = self.card.row.attempt if self.card else None
        return f"{self.submission_id}/{attempt.attempt_seq if attempt else ''}"

    @property
    def words(self) -> str:
        """Its name and its state in words."""
        return f"{self.name} {card_words(self.card)}" if self.card else self.name


Standings = Mapping[str, Sequence[Standing]]
"""By the id of a version, in the order of the submissions."""


def read_standings(viewer: Viewer, space: Space, artifact: Artifact) -> Standings:
    """What became of each version that was handed in, and of the submission that the first one came from."""
    key = key_of(artifact)
    if key is None:
        return {}
    timeline = space.cards.timeline(viewer, key)
    newest = {card.row.submission.submission_id: card for card in reversed(timeline)}
    found: dict[str, list[Standing]] = {}
    for fact in space.artifacts.handed_in(viewer, artifact.artifact_id):
        standing = Standing(
            submission_id=fact.submission_id,
            submission_seq=fact.submission_seq,
            card=newest.get(fact.submission_id),
        )
        found.setdefault(fact.version_id, []).append(standing)
    return found


def draw_version(line: VersionLine, lines: Sequence[VersionLine], standings: Standings, subject: Subject) -> None:
    """One version in a line, and below it its reviews with the criteria that changed with them."""
    parts = [f"**V{line.number}**", literal(line.title)] if line.title else [f"**V{line.number}**"]
    st.markdown(
        "\u2002".join([*parts, quiet(f"{_origin(line, lines)} · {words_counted(line)} · {moment(line.made_at)}")])
    )
    if line.is_erased:
        st.caption(_("Its words were erased."))
    elif line.note and line.source_id is None:
        st.markdown(f":gray[{_note_name(line)}]  {literal(line.note)}")
    for standing in standings.get(line.version_id, ()):
        _draw_standing(standing, subject)


def _origin(line: VersionLine, lines: Sequence[VersionLine]) -> str:
    numbers = {one.version_id: one.number for one in lines}
    parts = [] if line.parent_id is None else [_("from V{n}", n=numbers.get(line.parent_id, 0))]
    parts.append(_(REASONS[line.reason]))
    if line.source_id is not None:  # the restored version, or the two that were joined
        parts[-1] = _("{name} ({versions})", name=parts[-1], versions=line.note)
    return " · ".join([*parts, _(AUTHORS[line.author])])


def _note_name(line: VersionLine) -> str:
    if line.reason is VersionReason.ASKED:
        return _("request")
    return _("file") if line.author is VersionAuthor.IMPORT else _("note")


def _draw_standing(standing: Standing, subject: Subject) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.page_link(
            "reviews.py",
            label=_("Submission {n}", n="—" if standing.submission_seq is None else standing.submission_seq),
            icon=":material/fact_check:",
            query_params={**address_of(subject), "review": standing.review},
            width="content",
        )
        if standing.card is not None:
            looks = " ".join(inline(look) for look in card_looks(standing.card))
            st.markdown(looks, width="content")
    if standing.card is not None and (told := _changed(standing.card)):
        st.markdown(told)


def _changed(card: ReviewCard) -> str:
    """The criteria whose state is another one than in the submission judged before; empty where none is."""
    moved = [(line, change) for line in card.lines if (change := card.change(line)) in _MOVES]
    if card.changes is None or not card.in_force:
        return ""
    head = _("since submission {n}:", n=card.changes.since)
    if not moved:
        unmoved = _("no criterion changed its state")
        return quiet(f"{head} {unmoved}")
    return "\u2002".join([quiet(head), *(_badge(line, change) for line, change in moved if change)])


_MOVES = (Change.FIXED, Change.REGRESSED, Change.NEW)


def _badge(line: CardLine, change: Change) -> str:
    status = line.status if line.status is not CriterionStatus.PASS else CriterionStatus.FAIL
    return f"{inline(change_look(change, status))} {literal(line.criterion)}"
