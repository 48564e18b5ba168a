"""What people say about a review on its card: decisions of teachers, reports of students, notes."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from engine.domain.desk import CardNote, Dispute
from engine.domain.people import Viewer
from engine.domain.review import Attempt
from engine.errors import DecisionRefused, TutorloopError
from engine.review.card import CardLine, ReviewCard
from engine.review.decisions import Undoing, Verdict
from engine.wiring import Space
from pages._widgets.draft_area import Draft, draw_draft, fill_draft
from pages._widgets.errors import show_error
from pages._widgets.markdown import literal
from pages._widgets.moments import moment
from pages._widgets.states import CRITERION, word
from pages._widgets.teacher import CHOICES, draft_of, draw_shown_name, shown_name
from pages._widgets.words import _

OPEN = "card_form"
"""Where the session keeps which form of a card is open."""
REFUSED = "card_refused"
"""Where the session keeps which form could not be saved, and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardDesk:
    """The forms of a card. A teacher decides and leaves notes; a student reports; both read all of it."""

    viewer: Viewer
    space: Space
    card: ReviewCard
    as_teacher: bool
    """Whether the card stands where teachers work, for somebody who may."""
    as_student: bool
    """Whether verdicts can be reported here."""
    on_saved: Callable[[Attempt], None] | None = None
    """Called with the attempt that a decision made."""

    @property
    def _submission_id(self) -> str:
        return self.card.row.submission.submission_id

    @property
    def _project_id(self) -> str:
        return self.card.row.submission.key.project_id

    @property
    def _seen(self) -> int:
        attempt = self.card.row.attempt
        return attempt.attempt_seq if attempt else 0

    def draw_line(self, line: CardLine, key: str) -> None:
        """What was said about one criterion, and what can be said."""
        about = [one for one in self._disputes() if one.rubric_id == line.rubric_id]
        for dispute in about:
            _draw_dispute(dispute, is_answered=dispute.is_answered(line.decision))
        if self.as_teacher:
            self._draw_deciding(line, f"decide_{key}")
        if self.as_student and self.card.in_force:
            self._draw_reporting(line, f"report_{key}")

    def draw_foot(self, key: str) -> None:
        """Notes on the card, and the form for one."""
        for note in self.space.teaching.notes.notes(self.viewer, self._submission_id):
            draw_note_words(note)
        if self.as_teacher:
            self._draw_noting(f"note_{key}")

    def _disputes(self) -> tuple[Dispute, ...]:
        return self.space.teaching.notes.disputes(self.viewer, self._submission_id)

    def _draw_deciding(self, line: CardLine, key: str) -> None:
        if not _is_open(key):
            with st.container(horizontal=True):
                _draw_opener(_("Decide"), key, ":material/gavel:")
                if line.decision is not None:
                    st.button(
                        _("Take the decision back"),
                        key=f"undo_{key}",
                        icon=":material/undo:",
                        type="tertiary",
                        on_click=self._take_back,
                        args=(line, key),
                    )
            _draw_refusal(key)
            return
        draft = draft_of(self.viewer, self.space, self._project_id, self._subject("decision", line))
        st.segmented_control(
            _("Your decision"),
            list(CHOICES),
            format_func=lambda status: f":material/{CRITERION[status].icon}: {word(CRITERION[status])}",
            key=f"status_{key}",
        )
        draw_draft(_("Why (the student reads it)"), f"words_{key}", draft)
        draw_shown_name(self.viewer, self.space, self._project_id, key=key)
        _draw_refusal(key)
        self._draw_buttons(_("Save the decision"), key, self._decide, (line, key, draft))

    def _decide(self, line: CardLine, key: str, draft: Draft) -> None:
        status = st.session_state.get(f"status_{key}")
        try:
            if status is None:
                raise DecisionRefused("nothing was chosen", reason="no_choice")
            verdict = Verdict(
                rubric_id=line.rubric_id,
                status=status,
                reason=st.session_state.get(f"words_{key}", ""),
                by=shown_name(self.viewer, self.space, self._project_id),
                seen_attempt_seq=self._seen,
            )
            attempt = self.space.decisions.decide(self.viewer, self._submission_id, verdict)
        except TutorloopError as error:
            _refuse(key, error)
            return
        fill_draft(f"words_{key}", draft, "")
        _close()
        if self.on_saved is not None:
            self.on_saved(attempt)

    def _take_back(self, line: CardLine, key: str) -> None:
        name = shown_name(self.viewer, self.space, self._project_id)
        undoing = Undoing(rubric_id=line.rubric_id, by=name, seen_attempt_seq=self._seen)
        try:
            attempt = self.space.decisions.take_back(self.viewer, self._submission_id, undoing)
        except TutorloopError as error:
            _refuse(key, error)
            return
        if self.on_saved is not None:
            self.on_saved(attempt)

    def _draw_reporting(self, line: CardLine, key: str) -> None:
        if not _is_open(key):
            _draw_opener(_("I see this differently"), key, ":material/flag:")
            return
        draft = self._report_draft(line)
        draw_draft(_("What do you see differently? A teacher reads it; the verdict stands until then."), key, draft)
        _draw_refusal(key)
        self._draw_buttons(_("Report this verdict"), key, self._report, (line, key, draft))

    def _report_draft(self, line: CardLine) -> Draft:
        learner_id, subject = self.card.row.submission.key.learner_id, self._subject("report", line)
        sessions = self.space.sessions
        return Draft(
            read=lambda: sessions.draft(self.viewer, learner_id, subject),
            keep=lambda words: sessions.save_draft(self.viewer, learner_id, subject, words),
        )

    def _report(self, line: CardLine, key: str, draft: Draft) -> None:
        words = st.session_state.get(key, "")
        try:
            self.space.teaching.notes.report(
                self.viewer, self._submission_id, line.rubric_id, words, seen_attempt_seq=self._seen
            )
        except TutorloopError as error:
            _refuse(key, error)
            return
        fill_draft(key, draft, "")
        _close()

    def _draw_noting(self, key: str) -> None:
        if not _is_open(key):
            _draw_opener(_("Leave a note"), key, ":material/sticky_note_2:")
            return
        draft = draft_of(self.viewer, self.space, self._project_id, f"note:{self._submission_id}")
        draw_draft(_("Your note (the student reads it here and in the chat)"), key, draft)
        draw_shown_name(self.viewer, self.space, self._project_id, key=key)
        _draw_refusal(key)
        self._draw_buttons(_("Leave the note"), key, self._note, (key, draft))

    def _note(self, key: str, draft: Draft) -> None:
        name, words = shown_name(self.viewer, self.space, self._project_id), st.session_state.get(key, "")
        try:
            self.space.teaching.notes.note(self.viewer, self._submission_id, words, name=name)
        except TutorloopError as error:
            _refuse(key, error)
            return
        fill_draft(key, draft, "")
        _close()

    def _draw_buttons(self, label: str, key: str, save: Callable[..., None], args: tuple[object, ...]) -> None:
        with st.container(horizontal=True):
            st.button(label, key=f"save_{key}", type="primary", on_click=save, args=args)
            st.button(_("Close"), key=f"close_{key}", type="tertiary", on_click=_close)

    def _subject(self, kind: str, line: CardLine) -> str:
        return f"{kind}:{self._submission_id}/{line.rubric_id}"


def draw_note_words(note: CardNote) -> None:
    """A note with the name of whoever wrote it."""
    with st.container(border=True):
        head = _("Note from {name}, {when}", name=literal(note.author), when=moment(note.made_at))
        st.markdown(f":material/sticky_note_2: :gray[{head}]\n\n{literal(note.text)}")


def _draw_dispute(dispute: Dispute, *, is_answered: bool) -> None:
    head = _("The student sees this differently ({when})", when=moment(dispute.made_at))
    after = _("A teacher has decided since.") if is_answered else _("A teacher will look at it; the verdict stands.")
    with st.container(border=True):
        st.markdown(f":material/flag: :gray[{head}]\n\n{literal(dispute.text)}\n\n:gray[{after}]")


def _draw_opener(label: str, key: str, icon: str) -> None:
    st.button(label, key=f"open_{key}", icon=icon, type="tertiary", on_click=_open, args=(key,))


def _is_open(key: str) -> bool:
    return bool(st.session_state.get(OPEN) == key)


def _open(key: str) -> None:
    st.session_state[OPEN] = key
    st.session_state.pop(REFUSED, None)


def _close() -> None:
    st.session_state.pop(OPEN, None)
    st.session_state.pop(REFUSED, None)


def _refuse(key: str, error: TutorloopError) -> None:
    st.session_state[REFUSED] = key, error


def _draw_refusal(key: str) -> None:
    refused = st.session_state.get(REFUSED)
    if refused is not None and refused[0] == key:
        show_error(refused[1])
