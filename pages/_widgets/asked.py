"""What the reviewer, the summariser, the editor and others saw: requests to a model that are no tutor's reply."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from engine.domain.data_message import DataKind, unwrap_all
from engine.domain.model_call import CallSubject, CallUse, ModelCall
from engine.domain.people import Viewer
from engine.domain.states import Role
from engine.errors import NotFound, TutorloopError
from engine.sessions.call_store import CallStore
from engine.tutoring.export import export_call
from engine.tutoring.receipt import read_messages
from pages._widgets.address import close_in_address, name_in_address
from pages._widgets.errors import show_error
from pages._widgets.markdown import literal
from pages._widgets.sending import draw_exact, draw_json, draw_proof, draw_tries, sent_sentence
from pages._widgets.words import N_, _, in_a_row, ngettext

ASKED = "asked"
"""Names a call in the address: use, attempt, conversation or persona, and the part of it if one is meant."""
_VIEWS = (N_("Readable"), N_("How it was sent"), N_("Exact text"), N_("JSON"))


def draw_asked_button(subject: CallSubject, *, key: str) -> None:
    """The button that opens the drawer; without a part it shows every call about the subject."""
    st.button(
        _title(subject.use),
        key=f"asked_{key}",
        icon=":material/visibility:",
        type="tertiary",
        on_click=_point_at,
        args=(subject,),
    )


def open_asked(viewer: Viewer, calls: CallStore) -> None:
    """Show the drawer if the address names a call."""
    named = _named()
    if named is None:
        return

    @st.dialog(_title(named.use), width="large", position="right", on_dismiss=_forget)
    def drawer() -> None:
        try:
            draw_asked(viewer, calls, named)
        except TutorloopError as error:
            show_error(error)

    drawer()


def draw_asked(viewer: Viewer, calls: CallStore, subject: CallSubject) -> None:
    """Every call about the subject, one at a time, the newest first."""
    found = _found(viewer, calls, subject)
    if not found:
        st.info(_("Nothing is kept of such a request: none was sent, or the database could not keep it."))
        return
    call = found[0]
    if len(found) > 1:
        call = st.selectbox(_("Request"), found, format_func=_call_name, key="asked_call")
    st.markdown(f"**{_sentence(call, _data(call))}**")
    view = st.segmented_control(
        _("View"),
        _VIEWS,
        default=_VIEWS[0],
        format_func=_,
        key="asked_view",
        required=True,
        label_visibility="collapsed",
    )
    drawings: tuple[Callable[[], None], ...] = (
        lambda: _draw_readable(call),
        lambda: _draw_sending(call),
        lambda: draw_exact(call.sent.request),
        lambda: draw_json(call.sent.request),
    )
    drawings[_VIEWS.index(view or _VIEWS[0])]()
    st.caption(sent_sentence(call.model, call.sent.tries))


def _found(viewer: Viewer, calls: CallStore, subject: CallSubject) -> Sequence[ModelCall]:
    try:
        return calls.calls(viewer, subject.use, subject.subject_id, subject.part)[::-1]
    except NotFound:
        return ()


_TITLES = {
    CallUse.JUDGEMENT: N_("What the reviewer saw"),
    CallUse.SUMMARY: N_("What the summariser saw"),
    CallUse.EDIT: N_("What the editor saw"),
    CallUse.DRAFT: N_("What the model was given"),
    CallUse.LEARN: N_("What the model was given"),
}


def _title(use: CallUse) -> str:
    return _(_TITLES[use])


def _call_name(call: ModelCall) -> str:
    return _("Request {n}: {what}", n=call.number, what=_about(call))


_ABOUT = {CallUse.EDIT: N_("edit"), CallUse.DRAFT: N_("draft"), CallUse.LEARN: N_("habits of style")}


def _about(call: ModelCall) -> str:
    if call.subject.use is CallUse.JUDGEMENT:
        return _("criterion {id}", id=call.subject.part)
    if call.subject.use is CallUse.SUMMARY:
        return _("turns up to {n}", n=call.subject.part)
    return _(_ABOUT[call.subject.use])


def _sentence(call: ModelCall, data: Sequence[tuple[DataKind, Mapping[str, object]]]) -> str:
    if call.subject.use is CallUse.SUMMARY:
        return _("A model was asked to summarise the turns up to {n}.", n=literal(call.subject.part))
    if call.subject.use is CallUse.EDIT:
        asked = next((payload.get("suggestions") for kind, payload in data if kind is DataKind.ASKED), None)
        told = [str(each["text"]) for each in asked] if isinstance(asked, list) else []
        return _(
            "A model was asked to change the text by this, and by nothing else: {asked}",
            asked=literal(_("; ").join(told)),
        )
    if call.subject.use is CallUse.DRAFT:
        return _draft_sentence(data)
    if call.subject.use is CallUse.LEARN:
        return _lesson_sentence(data)
    criterion = next((payload.get("criterion") for kind, payload in data if kind is DataKind.CRITERION), None)
    return _(
        "A model was asked to judge this criterion, and no other: {criterion}",
        criterion=literal(str(criterion or call.subject.part)),
    )


def _draft_sentence(data: Sequence[tuple[DataKind, Mapping[str, object]]]) -> str:
    given = dict(data)
    rules = given.get(DataKind.PREFERENCES, {}).get("rules")
    brief = literal(str(given.get(DataKind.BRIEF, {}).get("brief", "")))
    sentences = [literal(str(each["sentence"])) for each in rules] if isinstance(rules, list) else []
    if not sentences:
        return _("A model was asked to write a first text by this brief: {brief}", brief=brief)
    return _(
        "A model was asked to write a first text by these rules of style: {rules} The brief: {brief}",
        rules=in_a_row(sentences),
        brief=brief,
    )


def _lesson_sentence(data: Sequence[tuple[DataKind, Mapping[str, object]]]) -> str:
    change = dict(data).get(DataKind.CHANGE, {})
    places, said = change.get("places"), str(change.get("said") or "")
    told = ngettext(
        "A model was asked what {n} changed place says about style, and nothing else.",
        "A model was asked what {n} changed places say about style, and nothing else.",
        len(places) if isinstance(places, list) else 0,
    )
    return _("{told} What was said about it: {words}", told=told, words=literal(said)) if said else told


def _data(call: ModelCall) -> Sequence[tuple[DataKind, Mapping[str, object]]]:
    return [data for _role, text in read_messages(call.sent.request) for data in unwrap_all(text)]


def _draw_readable(call: ModelCall) -> None:
    for kind, payload in _data(call):
        if kind is DataKind.WORK:
            _draw_work(payload)
    for number, (role, text) in enumerate(read_messages(call.sent.request), start=1):
        name = _("Rules for the model") if role == Role.SYSTEM else _("Data and answers")
        label = _("{number}. {name} · {chars:,} characters", number=number, name=name, chars=len(text))
        with st.expander(label, type="compact", key=f"asked_part_{number}"):
            st.code(text, language=None, wrap_lines=True)
    if not call.sent.request:
        st.caption(_("The words of this request were erased."))
    answer = _("What the model answered")
    st.markdown(f"**{answer}**")
    if call.sent.answer is None:
        st.caption(_("No answer came."))
    else:
        st.code(call.sent.answer, language=None, wrap_lines=True)


def _draw_work(payload: Mapping[str, object]) -> None:
    """The files that the model was given, and how many it was not."""
    files = payload.get("files")
    for number, file in enumerate(files if isinstance(files, list) else []):
        with st.expander(f":material/description: {literal(str(file['path']))}", type="compact", key=f"file_{number}"):
            st.code(str(file["text"]), language=None, wrap_lines=True)
    left_out = payload.get("left_out_count")
    if isinstance(left_out, int) and left_out:
        st.caption(
            ngettext(
                "{n} file was not sent: no text, or no room.", "{n} files were not sent: no text, or no room.", left_out
            )
        )


def _draw_sending(call: ModelCall) -> None:
    draw_tries(call.sent.tries)
    draw_proof(call.sent.request, call.sha256, export_call(call))


def _named() -> CallSubject | None:
    use, _slash, rest = st.query_params.get(ASKED, "").partition("/")
    subject_id, _slash, part = rest.partition("/")
    if use not in set(CallUse) or not subject_id:
        return None
    return CallSubject(use=CallUse(use), subject_id=subject_id, part=part)


def _point_at(subject: CallSubject) -> None:
    close_in_address("turn")
    name_in_address(ASKED, "/".join((subject.use, subject.subject_id, subject.part)))


def _forget() -> None:
    close_in_address(ASKED)
