"""A test report as people read it: what failed with its message and place, what did not run, how much passed."""

from collections.abc import Sequence

import streamlit as st

from engine.domain.states import TestState
from engine.domain.work import WorkFile
from engine.review.ci_report import ReportProblem, TestCase, read_report
from engine.review.places import find_place
from pages._widgets.address import name_in_address
from pages._widgets.evidence_link import FILE
from pages._widgets.markdown import literal
from pages._widgets.states import FAILED_MARK
from pages._widgets.words import N_, _, ngettext

SHOWN = 20
"""So many tests of a kind are shown with their messages."""
_PROBLEMS = {
    ReportProblem.BROKEN: N_("The report breaks off; what was read before counts, the rest as not run."),
    ReportProblem.REFUSED: N_("The report declares a document type, so for safety it was not read."),
    ReportProblem.UNREADABLE: N_("The report could not be read as text."),
}


def draw_report(path: str, body: str, files: Sequence[WorkFile]) -> None:
    """The tests of one report, those that failed first."""
    report = read_report(path, body)
    if report.problem is not None:
        st.warning(_(_PROBLEMS[report.problem]), icon=":material/broken_image:")
    by_state = {state: [case for case in report.cases if case.state is state] for state in TestState}
    st.markdown(
        " · ".join(
            (
                ngettext("{n} test failed", "{n} tests failed", len(by_state[TestState.FAILED])),
                ngettext("{n} did not run", "{n} did not run", len(by_state[TestState.NOT_RUN])),
                ngettext("{n} passed", "{n} passed", len(by_state[TestState.PASSED])),
            )
        )
    )
    _draw_cases(by_state[TestState.FAILED], FAILED_MARK, files)
    _draw_cases(by_state[TestState.NOT_RUN], ":gray[:material/do_not_disturb_on:]", files)


def _draw_cases(cases: Sequence[TestCase], icon: str, files: Sequence[WorkFile]) -> None:
    for number, case in enumerate(cases[:SHOWN]):
        st.markdown(f"{icon} **{literal(case.short_name or case.name)}**  :gray[{literal(case.where or '')}]")
        if case.message:
            st.code(case.message, language=None, wrap_lines=True)
        place = find_place(case.where, files) if case.where else None
        if place is not None and place.is_told:
            st.button(
                _("Open the place"),
                key=f"case_{case.state}_{number}",
                icon=":material/description:",
                type="tertiary",
                on_click=_point_at,
                args=(str(place),),
            )
    if len(cases) > SHOWN:
        st.caption(_("{n:,} more stand in the text of the report.", n=len(cases) - SHOWN))


def _point_at(place: str) -> None:
    name_in_address(FILE, place)
