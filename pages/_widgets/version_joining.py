"""Joining two texts: what merged by itself is in, each clash waits for a choice, and what is typed stays."""

from dataclasses import dataclass, replace
from functools import lru_cache

import streamlit as st

from engine.domain.artifact import ArtifactVersion, VersionDraft
from engine.domain.people import Viewer
from engine.domain.states import Language
from engine.errors import TutorloopError
from engine.revision.joining import Choice, Joining, begin_joining, with_mark
from engine.revision.merge import Fate, Merge, merge
from engine.revision.showing.text_lines import with_plain_breaks
from engine.wiring import Space
from pages._widgets.as_typed import send_as_typed
from pages._widgets.clash import TITLE, ClashDesk
from pages._widgets.code_area import text_place
from pages._widgets.errors import show_error
from pages._widgets.version_editor import TOGETHER, find_draft
from pages._widgets.words import _, language, ngettext

SHOWN = 20
"""So many clashes are shown at a time."""
_ANEW, _REST = -1, -2
"""In place of the number of a clash: the newer words are to be taken in; one choice for all clashes that wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinedText:
    """What two texts have become so far."""

    title: str
    body: str
    """With plain newlines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    """A change of the text that would undo what was typed, and so waits for an answer."""

    number: int
    choice: Choice


@dataclass(frozen=True, slots=True, kw_only=True)
class _Joinings:
    """How far the two parts of a text have come."""

    body: Joining
    title: Joining

    @property
    def mark(self) -> str:
        """The marks of both; the one of the title stands behind a space."""
        return f"{self.body.mark} {self.title.mark}"

    @property
    def open_count(self) -> int:
        """How many clashes wait for a choice."""
        return self.body.open_count + self.title.open_count


@lru_cache(maxsize=8)
def _merged(base: str, yours: str, theirs: str, *, by_line: bool) -> Merge:
    """Kept, since every run of a page joins the same three."""
    return merge(*map(with_plain_breaks, (base, yours, theirs)), by_line=by_line)


class VersionJoining:
    """One run of the part of the page in which two texts are joined."""

    def __init__(
        self,
        viewer: Viewer,
        space: Space,
        mine: VersionDraft,
        newest: ArtifactVersion,
        *,
        is_code: bool,
        is_narrow: bool,
    ) -> None:
        self._viewer = viewer
        self._space = space
        self._mine = mine
        self._newest = newest
        self._base = space.artifacts.version(viewer, newest.artifact_id, mine.base_id)
        self._draft_id = f"{mine.draft_id}{TOGETHER}"
        self._body_key, self._title_key = f"conflict_text_{mine.draft_id}", f"conflict_title_{mine.draft_id}"
        self._question_key = f"conflict_question_{mine.draft_id}"
        self._desk = ClashDesk(is_code=is_code, is_narrow=is_narrow, choose=self._choose)

    def draw(self) -> JoinedText | None:
        """What went in, the clashes, and the text.

        None while it cannot be saved: a clash waits, or one of the two texts is not the one that was joined.
        """
        kept = self._kept() or self._begin()
        if self._body_key not in st.session_state or self._title_key not in st.session_state:
            st.session_state[self._body_key], st.session_state[self._title_key] = kept.body, kept.title
        joining = self._joining(kept)
        is_current = joining is not None and kept.base_id == self._newest.version_id
        if joining is None or not is_current:
            self._draw_overtaken()
        else:
            _draw_told(joining)
            self._draw_clashes(joining)
        self._draw_text()
        return None if joining is None or not is_current or joining.open_count else self.typed

    @property
    def typed(self) -> JoinedText:
        """The text as it stands, once it is drawn; whether it can be saved is what `draw` gives."""
        return JoinedText(title=st.session_state[self._title_key], body=st.session_state[self._body_key])

    def _kept(self) -> VersionDraft | None:
        return find_draft(self._space.version_drafts.drafts(self._viewer, self._newest.artifact_id), self._draft_id)

    def _begin(self) -> VersionDraft:
        """Join them for the first time, and keep that; what stands in the field already stays."""
        begun = self._begun()
        draft = VersionDraft(
            draft_id=self._draft_id,
            base_id=self._newest.version_id,
            title=st.session_state.get(self._title_key, begun.title.text),
            body=st.session_state.get(self._body_key, begun.body.text),
            choices=begun.mark,
            saved_at=self._mine.saved_at,
        )
        self._keep(draft.body, draft.title, draft.choices)
        return draft

    def _begun(self) -> _Joinings:
        return _Joinings(
            body=begin_joining(self._merge_with(self._newest)), title=begin_joining(self._titles_with(self._newest))
        )

    def _merge_with(self, theirs: ArtifactVersion) -> Merge:
        return _merged(self._base.body, self._mine.body, theirs.body, by_line=self._desk.is_code)

    def _titles_with(self, theirs: ArtifactVersion) -> Merge:
        """A title is one line: its words are not joined with those of another."""
        return _merged(self._base.title, self._mine.title, theirs.title, by_line=True)

    def _joining(self, kept: VersionDraft) -> _Joinings | None:
        """How far the kept text has come; None where it was not made of these two texts."""
        theirs = self._newest
        if kept.base_id != theirs.version_id:
            theirs = self._space.artifacts.version(self._viewer, theirs.artifact_id, kept.base_id)
        mark, _space, mark_of_title = kept.choices.partition(" ")
        body, titles = with_mark(self._merge_with(theirs), mark), self._titles_with(theirs)
        title = with_mark(titles, mark_of_title) if mark_of_title else begin_joining(titles)  # as drafts once had none
        return None if body is None or title is None else _Joinings(body=body, title=title)

    def _draw_overtaken(self) -> None:
        """Say that one of the two texts is another one by now, and offer to take that in."""
        st.warning(
            _(
                "Your text or V{n} came after these two were joined. The text below is as you left it; take the "
                "newer words in before you save.",
                n=self._newest.number,
            ),
            icon=":material/call_split:",
        )
        st.button(
            _("Take the newer words in"),
            key="conflict_anew",
            icon=":material/merge:",
            on_click=self._choose,
            args=(_ANEW, Choice.OPEN),
        )
        self._draw_question(_ANEW)

    def _draw_clashes(self, joining: _Joinings) -> None:
        """The title, the clashes around the first one that waits, and one choice for all that do."""
        titles, places = joining.title.places, joining.body.places
        if not titles and not places:
            return
        self._desk.draw_style()
        for place in titles:
            with self._desk.draw(TITLE, 1, place):
                self._draw_question(TITLE)
        waiting = next((at for at, place in enumerate(places) if place.choice is Choice.OPEN), 0)
        first = waiting // SHOWN * SHOWN
        for number, place in enumerate(places[first : first + SHOWN], start=first):
            with self._desk.draw(number, len(places), place):
                self._draw_question(number)
        if len(places) > SHOWN:
            last = min(first + SHOWN, len(places))
            st.caption(_("Places {first} to {last} of {all} are shown.", first=first + 1, last=last, all=len(places)))
        if joining.open_count > 1:
            self._draw_rest(joining.open_count)

    def _draw_rest(self, count: int) -> None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(_("All {n} that wait:", n=count), width="content")
            for choice, label in ((Choice.YOURS, _("Keep mine")), (Choice.THEIRS, _("Keep theirs"))):
                st.button(label, key=f"clash_rest_{choice.name.lower()}", on_click=self._choose, args=(_REST, choice))
        self._draw_question(_REST)

    def _draw_question(self, number: int) -> None:
        """Ask before what was typed is replaced."""
        asked = st.session_state.get(self._question_key)
        if not isinstance(asked, _Question) or asked.number != number:
            return
        st.warning(_("You typed in this very place. Is the chosen wording to take the place of that?"))
        with st.container(horizontal=True):
            st.button(_("Replace what I typed"), key="conflict_replace", on_click=self._replace, args=(asked,))
            st.button(_("Leave it as I typed it"), key="conflict_leave", on_click=self._leave, args=(asked,))

    def _draw_text(self) -> None:
        titles = {self._base.title, self._mine.title, self._newest.title}
        if len(titles) > 1 or st.session_state[self._title_key] not in titles:
            st.text_input(_("Title of the text"), key=self._title_key, max_chars=200, on_change=self._keep_typed)
        with text_place(is_code=self._desk.is_code):
            st.text_area(_("The text of both"), key=self._body_key, height=360, on_change=self._keep_typed)
        send_as_typed(self._body_key)
        st.caption(_("What you type is kept as a draft."))

    def _choose(self, number: int, choice: Choice) -> None:
        self._change(_Question(number=number, choice=choice), over_hand=False)

    def _replace(self, asked: _Question) -> None:
        self._change(asked, over_hand=True)

    def _change(self, asked: _Question, *, over_hand: bool) -> None:
        """Put a choice into the text, or ask first where that would undo what was typed."""
        kept = self._kept()
        if kept is None or self._body_key not in st.session_state:
            return
        joining = self._joining(kept)
        later = self._after(joining, asked)
        if later is None:
            return
        body = self._carried_body(joining, later, over_hand=over_hand)
        typed = st.session_state.get(self._title_key, kept.title)
        title = _carried_title(typed, joining, later, over_hand=over_hand, is_anew=asked.number == _ANEW)
        if body is None or title is None:
            st.session_state[self._question_key] = asked
            return
        st.session_state.pop(self._question_key, None)
        st.session_state[self._body_key], st.session_state[self._title_key] = body, title
        self._keep(body, title, later.mark, self._newest.version_id if asked.number == _ANEW else kept.base_id)

    def _carried_body(self, joining: _Joinings | None, later: _Joinings, *, over_hand: bool) -> str | None:
        """The text as it was typed, with the choice in it; None where the choice would undo what was typed."""
        if joining is None:
            return later.body.text if over_hand else None
        return joining.body.carry(st.session_state[self._body_key], later.body, over_hand=over_hand)

    def _after(self, joining: _Joinings | None, asked: _Question) -> _Joinings | None:
        """The joinings with this choice in them; None where there is no such clash any more."""
        if asked.number == _ANEW:
            return self._begun() if joining is None else self._anew(joining)
        if joining is None:
            return None
        if asked.number == _REST:
            return _Joinings(body=joining.body.choose_rest(asked.choice), title=joining.title.choose_rest(asked.choice))
        if asked.number == TITLE:
            return replace(joining, title=joining.title.choose(0, asked.choice)) if joining.title.choices else None
        is_there = asked.number < len(joining.body.choices)
        return replace(joining, body=joining.body.choose(asked.number, asked.choice)) if is_there else None

    def _anew(self, joining: _Joinings) -> _Joinings:
        """With the newest version in place of the one that they were joined with."""
        return _Joinings(
            body=joining.body.over(self._merge_with(self._newest)),
            title=joining.title.over(self._titles_with(self._newest)),
        )

    def _leave(self, asked: _Question) -> None:
        """What was typed stays, and is the choice where there was none."""
        st.session_state.pop(self._question_key, None)
        kept = self._kept()
        joining = self._joining(kept) if kept is not None else None
        if joining is not None and (asked.number >= 0 or asked.number == TITLE):
            self._choose(asked.number, Choice.BY_HAND)

    def _keep_typed(self) -> None:
        """Keep what was typed, unless it was saved while the last of it was still on its way."""
        kept = self._kept()
        if kept is not None and self._body_key in st.session_state:
            title = st.session_state.get(self._title_key, kept.title)
            self._keep(st.session_state[self._body_key], title, kept.choices, kept.base_id)

    def _keep(self, body: str, title: str, choices: str, on: str | None = None) -> None:
        try:
            self._space.version_drafts.keep(
                self._viewer,
                self._newest.artifact_id,
                self._draft_id,
                on or self._newest.version_id,
                title=title,
                body=body,
                choices=choices,
            )
        except TutorloopError as error:
            show_error(error)


def _carried_title(
    typed: str, joining: _Joinings | None, later: _Joinings, *, over_hand: bool, is_anew: bool
) -> str | None:
    """As `_carried_body`, of the title; newer words that are taken in leave a typed title as it is."""
    if joining is None:
        return later.title.text if over_hand else None
    carried = joining.title.carry(typed, later.title, over_hand=over_hand and not is_anew)
    return typed if carried is None and is_anew else carried


def _draw_told(joining: _Joinings) -> None:
    """What went in by itself, and what is left to do."""
    merged = joining.body.merge
    yours, theirs, same = (merged.count(fate) for fate in (Fate.YOURS, Fate.THEIRS, Fate.SAME))
    told = [
        *([ngettext("{n} change of yours is in.", "{n} changes of yours are in.", yours)] if yours else []),
        *([ngettext("{n} change of theirs is in.", "{n} changes of theirs are in.", theirs)] if theirs else []),
        *([ngettext("{n} change is the same in both.", "{n} changes are the same in both.", same)] if same else []),
    ]
    if joining.open_count:
        told.append(
            ngettext(
                "{n} place was changed by both and waits for you; theirs stands there until then.",
                "{n} places were changed by both and wait for you; theirs stands there until then.",
                joining.open_count,
            )
        )
    else:
        told.append(_("Nothing waits for you. Read it once and save it."))
    space = "" if language() is Language.ZH else " "
    st.info(space.join(told), icon=":material/merge:")
