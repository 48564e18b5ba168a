"""How each state looks: the colour says whose move it is, the icon what it is, the word says it plainly."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

import streamlit as st

from engine.domain.states import CriterionStatus, FeedbackState, ReviewFault, Source, TurnState
from engine.review.changes import Change
from pages._widgets.words import N_, _


class Colour(StrEnum):
    """Whose move it is, by Streamlit's names of the six colours."""

    GREEN = "green"
    """Done."""
    RED = "red"
    """The student's."""
    AMBER = "orange"
    """A person must decide."""
    VIOLET = "violet"
    """Our fault or the provider's, never the student's."""
    BLUE = "blue"
    """Under way: wait."""
    GREY = "gray"
    """Nothing there, or does not apply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateLook:
    """One state as a person sees it."""

    icon: str
    """Name of a Material symbol."""
    colour: Colour | None
    """None where the state says nothing of whose move it is."""
    word: str
    """English, for the catalogue; may hold the blank `{n}`."""
    n: int | None = None
    """What `{n}` counts; None where the word has no blank."""


TO_FIX = StateLook(icon="assignment_late", colour=Colour.RED, word=N_("{n} to fix"))
WITH_TEACHER = StateLook(icon="person_alert", colour=Colour.AMBER, word=N_("{n} with the teacher"))

FEEDBACK: Mapping[FeedbackState, StateLook] = {
    FeedbackState.NONE: StateLook(icon="inbox", colour=Colour.GREY, word=N_("Nothing handed in")),
    FeedbackState.STALE_RULES: StateLook(icon="history_toggle_off", colour=Colour.AMBER, word=N_("Rules changed")),
    FeedbackState.PENDING: StateLook(icon="hourglass_top", colour=Colour.BLUE, word=N_("Reviewing")),
    FeedbackState.UNAVAILABLE: StateLook(icon="cloud_off", colour=Colour.VIOLET, word=N_("Could not be reviewed")),
    FeedbackState.INVALID: StateLook(icon="broken_image", colour=Colour.VIOLET, word=N_("Faulty record")),
    FeedbackState.PASSED: StateLook(icon="check_circle", colour=Colour.GREEN, word=N_("Passed")),
}
"""All but `current`, whose look depends on its items: see `feedback_looks`."""

CRITERION: Mapping[CriterionStatus, StateLook] = {
    CriterionStatus.FAIL: StateLook(icon="close", colour=Colour.RED, word=N_("Fail")),
    CriterionStatus.NEED_REVIEW: StateLook(icon="question_mark", colour=Colour.AMBER, word=N_("Needs a person")),
    CriterionStatus.PASS: StateLook(icon="check", colour=Colour.GREEN, word=N_("Pass")),
}

CHANGE: Mapping[Change, StateLook] = {
    Change.FIXED: StateLook(icon="check_circle", colour=Colour.GREEN, word=N_("Fixed")),
    Change.STILL_OPEN: StateLook(icon="radio_button_unchecked", colour=Colour.RED, word=N_("Still open")),
    Change.REGRESSED: StateLook(icon="trending_down", colour=Colour.RED, word=N_("Worse")),
    Change.NEW: StateLook(icon="add", colour=Colour.RED, word=N_("New")),
}
"""What became of a criterion since the submission judged before; of what waits for a person, see `change_look`."""

LEARNING_HINT = StateLook(icon="school", colour=Colour.GREY, word=N_("Learning hint"))

SOURCE: Mapping[Source, StateLook] = {
    Source.CI: StateLook(icon="terminal", colour=None, word=N_("CI")),
    Source.CHECK: StateLook(icon="rule", colour=None, word=N_("Check")),
    Source.MODEL: StateLook(icon="smart_toy", colour=None, word=N_("Model")),
    Source.TEACHER: StateLook(icon="person", colour=None, word=N_("Teacher")),
}

REUSED = StateLook(icon="recycling", colour=None, word=N_("Reused from S{n}"))
"""For a judgement that an earlier submission had; `n` is that submission's number."""

TURN: Mapping[TurnState, StateLook] = {
    TurnState.OPEN: StateLook(icon="autorenew", colour=Colour.BLUE, word=N_("Replying")),
    TurnState.DONE: StateLook(icon="check", colour=Colour.GREY, word=N_("Done")),
    TurnState.FAILED: StateLook(icon="error", colour=Colour.VIOLET, word=N_("No reply")),
    TurnState.TIMED_OUT: StateLook(icon="timer_off", colour=Colour.VIOLET, word=N_("Timed out")),
    TurnState.INTERRUPTED: StateLook(icon="power_off", colour=Colour.VIOLET, word=N_("Interrupted")),
    TurnState.STOPPED: StateLook(icon="stop_circle", colour=Colour.GREY, word=N_("Stopped by you")),
}

FAULT: Mapping[ReviewFault, StateLook] = {
    ReviewFault.PROVIDER_DOWN: StateLook(
        icon="cloud_off", colour=Colour.VIOLET, word=N_("The review service did not answer")
    ),
    ReviewFault.TIMED_OUT: StateLook(icon="timer_off", colour=Colour.VIOLET, word=N_("The review took too long")),
    ReviewFault.TOOL_BROKEN: StateLook(icon="build", colour=Colour.VIOLET, word=N_("A checking tool broke")),
    ReviewFault.INTERRUPTED: StateLook(
        icon="power_off", colour=Colour.VIOLET, word=N_("A restart interrupted the review")
    ),
}


GIVEN = StateLook(icon="forum", colour=Colour.BLUE, word=N_("the tutor has this one"))
"""For the attempt that the selector chose."""

STEPPED_IN = StateLook(icon="co_present", colour=Colour.GREY, word=N_("Teacher"))
"""For a teacher who writes in a chat."""

OURS = f":{Colour.VIOLET}[:material/cloud_off:]"
"""Before a sentence about a fault of ours or of a provider."""
WELL = f":{Colour.GREEN}[:material/check_circle:]"
"""Before a sentence that all is well."""


def feedback_looks(state: FeedbackState, open_items: Iterable[CriterionStatus] = ()) -> tuple[StateLook, ...]:
    """How the state of a submission looks; in `current` what is to fix and then what waits for a person."""
    if state is not FeedbackState.CURRENT:
        return (FEEDBACK[state],)
    statuses = list(open_items)
    counted = ((TO_FIX, CriterionStatus.FAIL), (WITH_TEACHER, CriterionStatus.NEED_REVIEW))
    return tuple(replace(look, n=statuses.count(status)) for look, status in counted if status in statuses)


def change_look(change: Change, status: CriterionStatus) -> StateLook:
    """How a change looks; where the criterion waits for a person, it is no move of the student's."""
    look = CHANGE[change]
    return replace(look, colour=Colour.AMBER) if status is CriterionStatus.NEED_REVIEW else look


def reused_look(submission_seq: int) -> StateLook:
    """The source of a judgement that submission `submission_seq` had already."""
    return replace(REUSED, n=submission_seq)


def word(look: StateLook) -> str:
    """The word of `look` in the reader's language."""
    return _(look.word) if look.n is None else _(look.word, n=look.n)


def inline(look: StateLook) -> str:
    """`look` as Markdown, for use inside a line: what `badge` draws."""
    icon = f":material/{look.icon}: {word(look)}"
    return icon if look.colour is None else f":{look.colour.value}-badge[{icon}]"


def quiet(text: str) -> str:
    """Words of ours as small grey Markdown, for use inside a line."""
    return f":small[:gray[{text}]]"


def badge(look: StateLook, *, tip: str | None = None) -> None:
    """Draw `look` as a badge, or as plain icon and word where it has no colour; `tip` shows on hover."""
    icon = f":material/{look.icon}:"
    if look.colour is None:
        st.markdown(f"{icon} {word(look)}", width="content", help=tip)
        return
    st.badge(word(look), icon=icon, color=look.colour.value, help=tip)


def block_mark(name: str) -> str:
    """The one accent of a request: its feedback block."""
    return f":blue-badge[:material/verified: {name}]"


WARNING_MARK = ":orange[:material/warning:]"
"""Beside what should be looked at before going on."""
OUTDATED_MARK = ":orange[:material/history_toggle_off:]"
"""Beside what makes reviews out of date."""
FAILED_MARK = ":red[:material/cancel:]"
"""Beside tests that failed."""


def field_fault(fault: str) -> str:
    """What is wrong with a field, to stand below it."""
    return f":small[:red[:material/error: {fault}]]"
