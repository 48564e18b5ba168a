"""What the tutor saw: the request of one turn; a sentence first, its parts second, its bytes third."""

from collections.abc import Callable, Mapping

import streamlit as st

from engine.domain.data_message import unwrap
from engine.domain.people import Viewer
from engine.domain.session import PartKind, Receipt, RequestFacts, SentFeedback, Turn
from engine.domain.states import CriterionStatus, FeedbackState
from engine.errors import NotFound, TutorloopError
from engine.sessions.session_store import SessionStore
from engine.tutoring.export import export_reply
from engine.tutoring.receipt import ShownPart, block_items, placement_of, shown_parts
from pages._widgets.address import close_in_address
from pages._widgets.compare import WITH, draw_compared
from pages._widgets.errors import show_error
from pages._widgets.markdown import literal
from pages._widgets.parts import FIELDS, part_name, part_role
from pages._widgets.sending import PLACEMENTS, draw_exact, draw_json, draw_proof, draw_tries, sent_sentence
from pages._widgets.states import CRITERION, badge, block_mark, feedback_looks
from pages._widgets.trace import draw_trace
from pages._widgets.words import N_, _, in_a_row, ngettext

LONG_PART = 1500
"""Characters above which a part opens on click only."""

_BEFORE_TURNS = frozenset(
    {
        PartKind.RULES,
        PartKind.OPENING,
        PartKind.REPLY_STYLE,
        PartKind.TASK,
        PartKind.PREFERENCES,
        PartKind.SUMMARY,
    }
)
_VIEWS = (N_("Readable"), N_("Compare"), N_("How it was sent"), N_("Exact text"), N_("JSON"))


def open_saw(viewer: Viewer, sessions: SessionStore, turn_id: str) -> None:
    """Show the drawer for a turn; it can be closed with Escape and leaves the place behind as it was."""

    @st.dialog(_("What the tutor saw"), width="large", position="right", on_dismiss=forget_turn)
    def drawer() -> None:
        try:
            draw_saw(viewer, sessions, turn_id)
        except NotFound:
            st.info(_("There is nothing to show: this turn is not here, or nothing was sent for it."))
        except TutorloopError as error:
            show_error(error)

    drawer()


def forget_turn() -> None:
    """Take the turn out of the address once its drawer is closed."""
    close_in_address("turn", WITH)


def draw_saw(viewer: Viewer, sessions: SessionStore, turn_id: str) -> None:
    """Everything about the request of one turn."""
    turn, receipt = sessions.turn(viewer, turn_id), sessions.receipt(viewer, turn_id)
    st.markdown(f"**{summary_sentence(receipt)}**")
    _draw_meters(receipt)
    first = _VIEWS[1] if WITH in st.query_params else _VIEWS[0]
    st.session_state.setdefault("saw_view", first)
    view = st.segmented_control(
        _("View"), _VIEWS, format_func=_, key="saw_view", required=True, label_visibility="collapsed"
    )
    drawings: tuple[Callable[[], None], ...] = (
        lambda: _draw_readable(receipt),
        lambda: draw_compared(viewer, sessions, turn, receipt),
        lambda: _draw_sending(turn, receipt),
        lambda: draw_exact(receipt.request),
        lambda: draw_json(receipt.request),
    )
    drawings[_VIEWS.index(view or first)]()
    st.caption(sent_sentence(receipt.model, turn.tries))


def summary_sentence(receipt: Receipt) -> str:
    """One sentence: which review the tutor had, whether it was whole, and what was left out."""
    parts = [_had(receipt.facts.feedback), _whole(receipt.facts.feedback)]
    summarised, left_out = receipt.facts.summary_turns, receipt.facts.left_out_turns
    if summarised:
        parts.append(
            ngettext("{n} older turn went along as a summary.", "{n} older turns went along as a summary.", summarised)
        )
    if left_out:
        parts.append(ngettext("{n} older turn was left out.", "{n} older turns were left out.", left_out))
    words = receipt.facts.left_out_words
    if words:
        parts.append(ngettext("{n} line of a teacher was left out.", "{n} lines of a teacher were left out.", words))
    if receipt.facts.is_material_cut:
        parts.append(_("The task's material was shortened to fit."))
    return in_a_row(parts)


def _had(feedback: SentFeedback) -> str:
    values = {"submission": feedback.submission_seq or 0, "attempt": feedback.attempt_seq or 0}
    sentences = {
        FeedbackState.NONE: _("The tutor was told that nothing has been handed in."),
        FeedbackState.PENDING: _("The tutor was told that submission {submission} has no finished review.", **values),
        FeedbackState.STALE_RULES: _(
            "The tutor was told that the rules changed after the reviews of submission {submission}.", **values
        ),
        FeedbackState.UNAVAILABLE: _(
            "The tutor was told that the review of submission {submission} could not run.", **values
        ),
        FeedbackState.INVALID: _("The tutor was told that the review record needs a system check."),
        FeedbackState.PASSED: _(
            "The tutor had the review of submission {submission}, attempt {attempt} (newest, by the rules in force): "
            "passed.",
            **values,
        ),
        FeedbackState.CURRENT: _(
            "The tutor had the review of submission {submission}, attempt {attempt} (newest, by the rules in force).",
            **values,
        ),
    }
    return sentences[feedback.state]


def _whole(feedback: SentFeedback) -> str:
    if feedback.state is not FeedbackState.CURRENT:
        return ""
    shown = feedback.total_items - feedback.omitted_count
    if not feedback.omitted_count and not feedback.truncated_fields:
        return ngettext("{n} open item, complete.", "{n} open items, complete.", shown)
    return _(
        "{shown} of {all} open items, {cut} texts shortened.",
        shown=shown,
        all=feedback.total_items,
        cut=len(feedback.truncated_fields),
    )


def _draw_meters(receipt: Receipt) -> None:
    feedback, facts = receipt.facts.feedback, receipt.facts
    left, right = st.columns(2)
    block = _("Feedback block: {used:,} of {limit:,} characters", used=feedback.block_chars, limit=feedback.block_limit)
    left.progress(min(1.0, feedback.block_chars / feedback.block_limit), text=block)
    history = _("Older turns: {used:,} of {limit:,} tokens", used=facts.history_tokens, limit=facts.history_limit)
    right.progress(min(1.0, facts.history_tokens / facts.history_limit), text=history)
    st.caption(_size_sentence(facts))


def _size_sentence(facts: RequestFacts) -> str:
    """How large the request was, and whether that is certain or estimated."""
    if facts.total_tokens is None or facts.bound_tokens is None or facts.window_tokens is None:
        return _("The whole request: about {n:,} tokens.", n=sum(part.tokens for part in facts.parts))
    sizes = {"n": facts.total_tokens, "window": facts.window_tokens, "bound": facts.bound_tokens}
    if facts.bound_tokens <= facts.window_tokens:
        return _("The whole request: about {n:,} of {window:,} tokens; by any count it fits.", **sizes)
    return _("The whole request: about {n:,} of {window:,} tokens, an estimate; at most {bound:,}.", **sizes)


def _draw_readable(receipt: Receipt) -> None:
    _draw_parts(receipt)
    with st.expander(_("What was cut"), icon=":material/content_cut:", type="compact", key="saw_cuts"):
        for sentence in cut_sentences(receipt.facts) or [_("Nothing was cut.")]:
            st.markdown(f"- {sentence}")
    with st.expander(_("Why this review"), icon=":material/route:"):
        draw_trace(receipt.facts.feedback.trace)


def cut_sentences(facts: RequestFacts) -> list[str]:
    """Everything that is missing from a request, each as a sentence."""
    cuts = []
    if facts.left_out_turns:
        cuts.append(
            ngettext(
                "{n} older turn was too old for the budget of {limit:,} tokens.",
                "{n} older turns were too old for the budget of {limit:,} tokens.",
                facts.left_out_turns,
                limit=facts.history_limit,
            )
        )
    words = facts.left_out_words
    if words:
        cuts.append(ngettext("{n} line of a teacher was left out.", "{n} lines of a teacher were left out.", words))
    if facts.is_material_cut:
        cuts.append(_("The task's material was shortened to fit."))
    omitted = facts.feedback.omitted_count
    if omitted:
        cuts.append(
            ngettext("{n} open item did not fit into the block.", "{n} open items did not fit into the block.", omitted)
        )
    return cuts + [_cut_field(path) for path in facts.feedback.truncated_fields]


def _cut_field(path: str) -> str:
    """The sentence of a path such as `0.reason`."""
    item, _dot, name = path.rpartition(".")
    field = _(FIELDS[name]) if name in FIELDS else literal(name)
    if item.isdecimal():
        return _("Item {n} of the block: the {field} is shown in part.", n=int(item) + 1, field=field)
    return _("The block: the {field} is shown in part or was left out.", field=field)


def _draw_parts(receipt: Receipt) -> None:
    left_out = receipt.facts.left_out_turns
    for number, part in enumerate(shown_parts(receipt), start=1):
        if left_out and part.kind not in _BEFORE_TURNS:
            st.caption(
                ngettext(
                    "{n} older turn: too old for the budget.", "{n} older turns: too old for the budget.", left_out
                )
            )
            left_out = 0
        if part.kind is PartKind.FEEDBACK:
            _draw_block(part, number, receipt.facts.feedback)
            continue
        with st.expander(_part_label(part, number), expanded=_opens(part), type="compact", key=f"saw_part_{number}"):
            st.code(part.text, language=None, wrap_lines=True)


def _opens(part: ShownPart) -> bool:
    return part.kind is PartKind.NEWEST and len(part.text) <= LONG_PART


def _part_label(part: ShownPart, number: int) -> str:
    return _(
        "{number}. {name} · {role} · {tokens:,} tokens, {chars:,} characters",
        number=number,
        name=part_name(part),
        role=part_role(part),
        tokens=part.tokens,
        chars=part.chars,
    )


def _draw_block(part: ShownPart, number: int, feedback: SentFeedback) -> None:
    """The one marked part: the feedback as the model was given it."""
    data = unwrap(part.text)
    with st.container(border=True, key="feedback_block"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(block_mark(f"{number}. {part_name(part)}"), width="content")
            for look in feedback_looks(feedback.state, _statuses(data[1] if data else {})):
                badge(look)
            shown = feedback.total_items - feedback.omitted_count
            if feedback.total_items:
                st.caption(_("{shown} of {all} items", shown=shown, all=feedback.total_items), width="content")
        if data is not None:
            _draw_items(data[1])
        with st.expander(_("As it was sent"), type="compact", key="block_as_sent"):
            st.code(part.text, language=None, wrap_lines=True)


def _statuses(payload: Mapping[str, object]) -> list[CriterionStatus]:
    return [CriterionStatus(str(item["status"])) for item in block_items(payload)]


def _draw_items(payload: Mapping[str, object]) -> None:
    for number, item in enumerate(block_items(payload)):
        with st.container(horizontal=True, vertical_alignment="center"):
            badge(CRITERION[CriterionStatus(str(item["status"]))])
            criterion = literal(str(item["criterion"]))
            st.markdown(f"**{criterion}**", width="content")
        _draw_fact(_("why"), item.get("reason"))
        _draw_fact(_("where"), item.get("evidence"))
        if number == 0:  # the block has one next step, and it is the first item's
            _draw_fact(_("next"), payload.get("next_step"))


def _draw_fact(name: str, text: object) -> None:
    if text:
        st.markdown(f":gray[{name}]  {literal(str(text))}")


def _draw_sending(turn: Turn, receipt: Receipt) -> None:
    """Tries and waits, where data stood, and the proof."""
    draw_tries(turn.tries)
    placement = placement_of(receipt.facts)
    if placement is not None:
        st.caption(_(PLACEMENTS[placement]))
    draw_proof(receipt.request, receipt.sha256, export_reply(turn, receipt))
