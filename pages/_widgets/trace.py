"""Why a state holds: the selector's trace as sentences."""

from collections.abc import Mapping, Sequence

import streamlit as st

from engine.domain.feedback import TraceCode, TraceStep
from pages._widgets.words import N_, _

SENTENCES: Mapping[TraceCode, str] = {
    TraceCode.NO_SUBMISSION: N_("No submission of known order is there."),
    TraceCode.NEWEST_SUBMISSION: N_(
        "The newest submission is number {submission_seq} (V{version_number}). It has {attempts} review attempts."
    ),
    TraceCode.NO_ATTEMPT: N_("No review of it has begun."),
    TraceCode.NO_COMPATIBLE_ATTEMPT: N_(
        "None of its {attempts} attempts was made by the rules in force, so none of them counts."
    ),
    TraceCode.NEWEST_ATTEMPT: N_("Its newest attempt by the rules in force is number {attempt_seq}."),
    TraceCode.NO_OUTCOME: N_("That attempt has not ended yet."),
    TraceCode.NO_JUDGEMENT: N_("That attempt ended without a judgement, by a fault of ours and not of the work."),
    TraceCode.BREAKS_CONTRACT: N_("Its record breaks the contract, so nothing in it is used: {problems}."),
    TraceCode.KEEPS_CONTRACT: N_("Its record is complete: {criteria} criteria, each judged once."),
    TraceCode.ALL_MET: N_("Every acceptance criterion is met."),
    TraceCode.OPEN_ITEMS: N_("{open_items} acceptance criteria are open."),
}


def draw_trace(trace: Sequence[TraceStep]) -> None:
    """What was looked at, step by step, and what it showed."""
    for number, step in enumerate(trace, start=1):
        st.markdown(f"{number}. {_(SENTENCES[step.code], **step.values)}")
