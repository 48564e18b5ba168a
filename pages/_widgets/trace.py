"""Why a state holds: the selector's trace as sentences."""

from collections.abc import Mapping, Sequence

import streamlit as st

from engine.domain.feedback import TraceCode, TraceStep
from engine.feedback.validity import ProblemCode
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


PROBLEMS: Mapping[str, str] = {
    ProblemCode.WRONG_TYPE: N_("a field is not of the right kind"),
    ProblemCode.UNKNOWN_STATUS: N_("a verdict is none of the three words"),
    ProblemCode.RUBRIC_ID_EMPTY: N_("a criterion has no id"),
    ProblemCode.RUBRIC_ID_TOO_LONG: N_("a criterion's id is too long"),
    ProblemCode.DUPLICATE: N_("a criterion is judged twice"),
    ProblemCode.UNKNOWN_TO_RUBRIC: N_("a criterion is not in the rubric"),
    ProblemCode.MISSING_CRITERION: N_("a criterion of the rubric is not judged"),
    ProblemCode.VERDICT_MISMATCH: N_("the verdict does not follow from the criteria"),
    ProblemCode.SNAPSHOT_MISMATCH: N_("other files were judged than were handed in"),
    ProblemCode.REASON_BLANK: N_("a reason is missing"),
}
"""What a record can have wrong, in words."""


def draw_trace(trace: Sequence[TraceStep]) -> None:
    """What was looked at, step by step, and what it showed."""
    sentences = (_(SENTENCES[step.code], **_worded(step)) for step in trace)
    st.markdown("\n".join(f"{number}. {sentence}" for number, sentence in enumerate(sentences, start=1)))


def _worded(step: TraceStep) -> dict[str, str | int]:
    values = dict(step.values)
    if step.code is TraceCode.BREAKS_CONTRACT:
        codes = str(values["problems"]).split(", ")
        values["problems"] = _("; ").join(_(PROBLEMS[code]) for code in codes if code in PROBLEMS) or _("unknown")
    return values
