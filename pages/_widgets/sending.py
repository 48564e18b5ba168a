"""How a request was sent: every try with its wait, what was counted, the exact bytes, and the file that proves it."""

import json
from collections.abc import Mapping, Sequence

import streamlit as st

from engine.domain.session import Try
from engine.errors import (
    KeyRefused,
    ModelError,
    ModelUnknown,
    ProviderDown,
    ProviderTimedOut,
    RateLimited,
    ReplyBroken,
    ReplyEmpty,
    RequestRefused,
)
from engine.settings import DataPlacement
from engine.tutoring.export import Exported
from pages._widgets.markdown import literal
from pages._widgets.moments import moment
from pages._widgets.words import N_, _, in_a_row, ngettext

RESULTS: Mapping[str, str] = {
    "ok": N_("answered"),
    "stopped": N_("given up before its end"),
    ModelError.code: N_("did not go as it should"),
    KeyRefused.code: N_("the key was not accepted"),
    ModelUnknown.code: N_("no such model or address"),
    RequestRefused.code: N_("the request was refused"),
    RateLimited.code: N_("too busy"),
    ProviderDown.code: N_("could not be reached"),
    ProviderTimedOut.code: N_("nothing came in time"),
    ReplyBroken.code: N_("the answer broke off"),
    ReplyEmpty.code: N_("the answer was empty"),
}
"""How a try ended, by its result."""
FINISHES: Mapping[str, str] = {
    "stop": N_("The model had finished."),
    "length": N_("The answer reached the model's limit of length."),
    "content_filter": N_("The service cut the answer off by its own rules."),
}
"""Why an answer ended, by the service's word."""
PLACEMENTS: Mapping[DataPlacement, str] = {
    DataPlacement.SEPARATE: N_("Review, task and summary stood in messages of their own."),
    DataPlacement.MERGED: N_("Review, task and summary stood inside the student's messages."),
    DataPlacement.SYSTEM_SECTION: N_("Review, task and summary stood among the rules."),
}
_HASH = "SHA-256"


def draw_tries(tries: Sequence[Try]) -> None:
    """Each time the request was sent, in order, and what came of it."""
    if not tries:
        st.caption(_("How the tries went is not known: the reply has not ended, or was cut by a restart."))
    for one in tries:
        with st.container(border=True, key=f"try_{one.number}"):
            st.markdown(_headline(one))
            for sentence in _details(one):
                st.caption(sentence)


def _headline(one: Try) -> str:
    name, result = _("Try {n}", n=one.number), _(RESULTS.get(one.result, RESULTS[ModelError.code]))
    icon = ":material/check:" if one.result == "ok" else ":material/cloud_off:"
    return f"{icon} **{name}** · {result}"


def _details(one: Try) -> list[str]:
    """When and how long, and what was counted: a line each, where anything is known."""
    return [in_a_row(line) for line in (_timing(one), _counted(one)) if line]


def _timing(one: Try) -> list[str]:
    found = []
    if one.started_at is not None:
        found.append(_("Sent {when}.", when=moment(one.started_at)))
    if one.waited_s:
        found.append(_("Waited {seconds:.0f} s before it.", seconds=one.waited_s))
    if one.seconds is not None:
        found.append(_("Took {seconds:.1f} s.", seconds=one.seconds))
    if one.retry_after_s is not None:
        found.append(_("The service said to come back in {seconds:.0f} s.", seconds=one.retry_after_s))
    return found


def _counted(one: Try) -> list[str]:
    usage, found = one.usage, []
    if usage.input_tokens is not None:
        found.append(_("The service counted {n:,} tokens in the request.", n=usage.input_tokens))
    if usage.output_tokens is not None:
        found.append(_("The service counted {n:,} tokens in the answer.", n=usage.output_tokens))
    if one.result == "ok" and not found:
        found.append(_("The service did not say how many tokens it counted."))
    if one.finish_reason is not None:
        found.append(_finish(one.finish_reason))
    return found


def _finish(reason: str) -> str:
    if reason in FINISHES:
        return _(FINISHES[reason])
    return _("Why the answer ended, in the service's word: {word}.", word=literal(reason))


def sent_sentence(model: str, tries: Sequence[Try]) -> str:
    """One line: which model was asked, how often, and how long was waited."""
    sentences = [_("Asked for model: {model}.", model=literal(model))]
    if tries:
        sentences.append(ngettext("Sent {n} time.", "Sent {n} times.", len(tries)))
        waited = sum(one.waited_s for one in tries)
        if waited:
            sentences.append(_("Waited {seconds:.0f} s between tries.", seconds=waited))
    return in_a_row(sentences)


def draw_proof(request: bytes, sha256: str | None, file: Exported) -> None:
    """The hash that was stored with the bytes, and the file by which anybody can compute it again."""
    if request:
        st.caption(
            _("{n:,} bytes were sent. Their {method}, as it was stored with them:", n=len(request), method=_HASH)
        )
    else:
        st.caption(_("The words were erased. The {method} of the bytes stays:", method=_HASH))
    st.code(sha256 or "—", language=None, wrap_lines=True)
    st.download_button(
        _("Download the receipt"),
        file.content,
        file_name=file.name,
        mime="application/json",
        key="download_receipt",
        on_click="ignore",
        icon=":material/download:",
    )
    st.caption(_("It holds the request as it was sent, its tries, the answer and the hashes. No key is in it."))


def draw_exact(request: bytes) -> None:
    """The bytes as text."""
    st.caption(_("The bytes as they went over the wire. No key is in them."))
    st.code(request.decode(), language=None, wrap_lines=True)
    _draw_download(request)


def draw_json(request: bytes) -> None:
    """The bytes as JSON with line breaks."""
    try:
        pretty = json.dumps(json.loads(request), ensure_ascii=False, indent=2)
    except ValueError:
        pretty = ""
    st.code(pretty, language="json", wrap_lines=True)
    _draw_download(request)


def _draw_download(request: bytes) -> None:
    st.download_button(
        _("Download the request"),
        request,
        file_name="request.json",
        mime="application/json",
        on_click="ignore",
        icon=":material/download:",
    )
