"""The conversation: turns, hand-ins with their cards, and a reply that is followed wherever it is written."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime

import streamlit as st

from engine.domain.people import Viewer
from engine.domain.plan import PlanVersion
from engine.domain.session import Message, Turn, TurnEnd
from engine.domain.states import ReplyKind, TurnState
from engine.errors import OpeningOutdated, RateLimited, TutorloopError
from engine.review.hand_in import read_note
from engine.tutoring.reply import words_and_rest
from engine.wiring import Space
from pages._widgets.address import name_in_address
from pages._widgets.errors import SENTENCES, sentence, show_error
from pages._widgets.hand_in import is_handing_in
from pages._widgets.markdown import literal, safe_markdown
from pages._widgets.moments import moment
from pages._widgets.plan import draw_plan
from pages._widgets.states import STEPPED_IN, TURN, badge, inline, quiet
from pages._widgets.words import N_, _

SLOW_SECONDS = 10
"""From here on a person is told that the model is slow (UX rules)."""
TAIL_EVERY = 0.4
"""Seconds between two looks at a reply that is being written."""

_FAULTS = {
    "internal": N_("Something went wrong on our side. Your question is saved. Press Answer again."),
    "settings": N_(
        "The proxy that this server is set to cannot be used, so the model was not asked. Your question is saved. "
        "Ask the person who runs the server to mend it, then press Answer again."
    ),
    "interrupted": N_("A restart cut this reply. Your question is not lost. Press Answer again."),
}
_PARTIAL_FAULTS = {
    "interrupted": N_("A restart cut this reply. What had arrived is kept above. Press Go on from here."),
    "timed_out": N_("The rest did not come in time. What had arrived is kept above. Press Go on from here."),
}
"""Where part of a reply is there to go on from."""
_PARTIAL = N_("Only part of the reply arrived; it is kept above. Press Go on from here, or Answer again.")


def draw_question(turn: Turn) -> None:
    """What the student wrote, or that the tutor begins by itself."""
    if turn.opening is not None:
        st.caption(":material/campaign: " + _("The tutor opens"))
        return
    with st.chat_message("user", avatar=":material/person:"):
        st.markdown(safe_markdown(turn.question))


@contextmanager
def draw_reply(turn: Turn, *, newest_submission: int | None, plans: Sequence[PlanVersion] = ()) -> Iterator[None]:
    """What came of an ended turn; what is drawn inside stands under it. `plans` are those of its conversation."""
    avatar = ":material/contact_support:" if turn.kind is ReplyKind.ASK else ":material/school:"
    with st.chat_message("assistant", avatar=avatar):
        if turn.reply is not None:
            _draw_words(turn.reply, turn.kind)
        else:
            _draw_failed(turn)
        if turn.plan is not None:
            draw_plan(turn.plan, plans)
        if turn.continues_id is not None and turn.reply is not None:
            st.caption(
                ":material/link: " + _("This reply broke off once and was gone on with; both requests are kept.")
            )
        if _is_outdated(turn, newest_submission):
            st.caption(
                ":material/history: "
                + _(
                    "This reply was written for submission {then}; submission {now} has come in since.",
                    then=turn.submission_seq,
                    now=newest_submission,
                )
            )
        yield


def _draw_words(reply: str, kind: ReplyKind) -> None:
    if kind is not ReplyKind.FALLBACK:
        st.markdown(safe_markdown(reply))
        return
    words, rest = words_and_rest(reply)
    st.markdown(safe_markdown(words))
    st.caption(_("A plan was to stand here, but it cannot be read. Ask for it once more."))
    if rest:
        with st.expander(_("As the model wrote it"), type="compact"):
            st.code(rest, language=None, wrap_lines=True)


def draw_actions(viewer: Viewer, space: Space, turn: Turn) -> None:
    """What can be done with an ended turn: go on or answer again where it failed, see what the tutor saw."""
    with st.container(horizontal=True, vertical_alignment="center"):
        is_broken = turn.state is not TurnState.DONE and turn.fault != OpeningOutdated.code
        if is_broken and turn.partial:
            st.button(
                _("Go on from here"),
                key=f"go_on_{turn.turn_id}",
                icon=":material/resume:",
                on_click=_go_on,
                args=(viewer, space, turn.turn_id),
            )
        if is_broken:
            st.button(
                _("Answer again"),
                key=f"retry_{turn.turn_id}",
                icon=":material/refresh:",
                on_click=_retry,
                args=(viewer, space, turn.turn_id),
            )
        st.button(
            _saw_label(turn),
            key=f"saw_{turn.turn_id}",
            icon=":material/visibility:",
            type="tertiary",
            on_click=_point_at_turn,
            args=(turn.turn_id,),
        )
        if turn.continues_id is not None:
            st.button(
                _("What it saw before the break"),
                key=f"saw_before_{turn.turn_id}",
                icon=":material/visibility:",
                type="tertiary",
                on_click=_point_at_turn,
                args=(turn.continues_id,),
            )


def _go_on(viewer: Viewer, space: Space, turn_id: str) -> None:
    try:
        space.tutor.go_on(viewer, turn_id, space.worker)
    except TutorloopError as error:
        show_error(error)


def _retry(viewer: Viewer, space: Space, turn_id: str) -> None:
    try:
        space.tutor.retry(viewer, turn_id, space.worker)
    except TutorloopError as error:
        show_error(error)


def _stop(viewer: Viewer, space: Space, turn_id: str) -> None:
    try:
        space.tutor.stop(viewer, turn_id, space.worker)
    except TutorloopError as error:
        show_error(error)


def _point_at_turn(turn_id: str) -> None:
    name_in_address("turn", turn_id)


def _saw_label(turn: Turn) -> str:
    if turn.submission_seq is None:
        return _("What the tutor saw")
    if turn.attempt_seq is None:
        return _("What the tutor saw · submission {s}", s=turn.submission_seq)
    return _("What the tutor saw · review of S{s} A{a}", s=turn.submission_seq, a=turn.attempt_seq)


def _is_outdated(turn: Turn, newest_submission: int | None) -> bool:
    return bool(turn.submission_seq and newest_submission and turn.submission_seq < newest_submission)


def _draw_failed(turn: Turn) -> None:
    if turn.partial:
        st.markdown(safe_markdown(turn.partial))
    badge(TURN[turn.state])
    if turn.opening is not None and turn.fault != OpeningOutdated.code:
        st.caption(
            _("The tutor wanted to begin and could not. Nothing of yours is lost: ask it, or press Answer again.")
        )
        return
    if turn.fault == RateLimited.code and (left_s := _seconds_left(turn, datetime.now(UTC))):
        st.caption(sentence(RateLimited("the service named a time", retry_after_s=left_s)))
    elif turn.fault is not None and turn.partial:
        st.caption(_(_PARTIAL_FAULTS.get(turn.fault, _PARTIAL)))
    elif turn.fault is not None:
        st.caption(_fault_sentence(turn.fault))


def _seconds_left(turn: Turn, now: datetime) -> float | None:
    """Until the service said to come back; None where it did not say, or the time is over."""
    named_s = turn.tries[-1].retry_after_s if turn.tries else None
    if named_s is None or turn.ended_at is None:
        return None
    left_s = named_s - (now - turn.ended_at).total_seconds()
    return left_s if left_s > 0 else None


def _fault_sentence(code: str) -> str:
    """The sentence of an error code whose details are gone: the one without blanks."""
    if code in _FAULTS:
        return _(_FAULTS[code])
    return _(SENTENCES.get(code, SENTENCES["error"])[-1])


def follow_reply(viewer: Viewer, space: Space, turn: Turn) -> None:
    """Draw an open turn and go on looking at it until it ends; a reload or a second tab does the same.

    Drawing the page anew would take the words that are being typed into the hand-in form, so that waits.
    """

    @st.fragment(run_every=TAIL_EVERY)
    def tail() -> None:
        try:
            now = space.sessions.turn(viewer, turn.turn_id)
        except TutorloopError as error:
            show_error(error)
            return
        if now.state is not TurnState.OPEN:
            if not is_handing_in():
                st.rerun()
            with draw_reply(now, newest_submission=None):
                return
        unsaved = space.tutor.unsaved(now)
        with st.chat_message("assistant", avatar=":material/school:"):
            if unsaved is not None:
                _draw_unsaved(unsaved)
                return
            _draw_arriving(now)
            st.button(
                _("Stop"),
                key=f"stop_{turn.turn_id}",
                icon=":material/stop_circle:",
                on_click=_stop,
                args=(viewer, space, turn.turn_id),
            )

    tail()


def _draw_unsaved(end: TurnEnd) -> None:
    st.markdown(safe_markdown(end.reply or end.partial or ""))
    st.caption(
        ":material/save: " + _("Saving … The database is busy. These words are kept here and stored as soon as it can.")
    )


def _draw_arriving(turn: Turn) -> None:
    if turn.partial:
        st.markdown(safe_markdown(turn.partial))
        return
    waited = (datetime.now(UTC) - turn.started_at).total_seconds()
    if waited < SLOW_SECONDS or turn.opening is not None:
        replying = _("Replying …")
        st.markdown(f":shimmer[{replying}]")
    else:
        st.caption(_("The model has not answered for {n:.0f} s. Wait or stop; your question is saved.", n=waited))


def note_submission(note: Message) -> str | None:
    """Id of the submission that a system row tells of; None when it tells of something else."""
    if note.author is not None:
        return None
    said = read_note(note.text)
    return str(said["submission_id"]) if said.get("note") == "handed_in" else None


def draw_note(note: Message) -> None:
    """A system row, worded for the reader, or what a teacher wrote."""
    if note.author is not None:
        _draw_teacher(note, note.author)
        return
    said = read_note(note.text)
    if said.get("note") == "handed_in":
        st.caption(
            ":material/upload_file: "
            + _("Handed in: submission {n} (V{version}).", n=said["submission_seq"], version=said["version_number"])
        )


def _draw_teacher(line: Message, name: str) -> None:
    """Words of a teacher under the teacher's name, so that nobody takes them for the tutor's."""
    with st.chat_message("teacher", avatar=f":material/{STEPPED_IN.icon}:"):
        when = moment(line.written_at)
        what = _("note on the review, {when}", when=when) if line.note_id else _("in the chat, {when}", when=when)
        st.markdown(f"**{literal(name)}** {inline(STEPPED_IN)} {quiet(what)}")
        st.markdown(safe_markdown(line.text))
