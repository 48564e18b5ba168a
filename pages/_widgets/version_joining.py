"""Joining two texts: what merged by itself is in, each clash waits for a choice, and what is typed stays."""

from dataclasses import dataclass
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
from pages._widgets.clash import ClashDesk
from pages._widgets.code_area import text_place
from pages._widgets.errors import show_error
from pages._widgets.markdown import literal
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


@lru_cache(maxsize=8)
def _merged(base: str, yours: str, theirs: str) -> Merge:
    """Kept, since every run of a page joins the same three."""
    return merge(*map(with_plain_breaks, (base, yours, theirs)))


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
        joining = begin_joining(self._merge_with(self._newest))
        draft = VersionDraft(
            draft_id=self._draft_id,
            base_id=self._newest.version_id,
            title=st.session_state.get(self._title_key, self._joined_title()),
            body=st.session_state.get(self._body_key, joining.text),
            choices=joining.mark,
            saved_at=self._mine.saved_at,
        )
        self._keep(draft.body, draft.title, draft.choices)
        return draft

    def _merge_with(self, theirs: ArtifactVersion) -> Merge:
        return _merged(self._base.body, self._mine.body, theirs.body)

    def _joining(self, kept: VersionDraft) -> Joining | None:
        """How far the kept text has come; None where it was not made of these two texts."""
        theirs = self._newest
        if kept.base_id != theirs.version_id:
            theirs = self._space.artifacts.version(self._viewer, theirs.artifact_id, kept.base_id)
        return with_mark(self._merge_with(theirs), kept.choices)

    def _joined_title(self) -> str:
        """The title that one side changed; yours where both did."""
        return self._newest.title if self._mine.title == self._base.title else self._mine.title

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

    def _draw_clashes(self, joining: Joining) -> None:
        """The clashes around the first one that waits, and one choice for all that do."""
        places = joining.places
        if not places:
            return
        self._desk.draw_style()
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
        if len(titles) == 3:
            st.caption(_("Both changed the title. Theirs: {title}", title=literal(self._newest.title)))
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
        if joining is None:
            carried = later.text if over_hand else None
        else:
            carried = joining.carry(st.session_state[self._body_key], later, over_hand=over_hand)
        if carried is None:
            st.session_state[self._question_key] = asked
            return
        title, on = st.session_state.get(self._title_key, kept.title), kept.base_id
        if asked.number == _ANEW:
            title, on = self._title_over(title, on), self._newest.version_id
        st.session_state.pop(self._question_key, None)
        st.session_state[self._body_key], st.session_state[self._title_key] = carried, title
        self._keep(carried, title, later.mark, on)

    def _title_over(self, title: str, on: str) -> str:
        """A title that was theirs is theirs again."""
        before = self._space.artifacts.version(self._viewer, self._newest.artifact_id, on)
        return self._newest.title if title == before.title else title

    def _after(self, joining: Joining | None, asked: _Question) -> Joining | None:
        """The joining with this choice in it; None where there is no such clash any more."""
        if asked.number == _ANEW:
            merged = self._merge_with(self._newest)
            return begin_joining(merged) if joining is None else joining.over(merged)
        if joining is None:
            return None
        if asked.number == _REST:
            return joining.choose_rest(asked.choice)
        return joining.choose(asked.number, asked.choice) if asked.number < len(joining.choices) else None

    def _leave(self, asked: _Question) -> None:
        """What was typed stays, and is the choice where there was none."""
        st.session_state.pop(self._question_key, None)
        kept = self._kept()
        joining = self._joining(kept) if kept is not None else None
        if joining is not None and 0 <= asked.number < len(joining.choices):
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


def _draw_told(joining: Joining) -> None:
    """What went in by itself, and what is left to do."""
    merged = joining.merge
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
