"""A plan as a card in the conversation, with the version before it beside it."""

from collections.abc import Sequence

import streamlit as st

from engine.domain.plan import Plan, PlanVersion
from pages._widgets.markdown import literal
from pages._widgets.words import _


def draw_plan(version: PlanVersion, plans: Sequence[PlanVersion]) -> None:
    """Draw a version of a plan; `plans` are those of its conversation, by which older and newer ones are told."""
    before = next((plan for plan in plans if plan.number == version.number - 1), None)
    newest = max((plan.number for plan in plans), default=version.number)
    with st.container(border=True, key=f"plan_{version.turn_id}"):
        _draw_version(version, newest)
        if before is None:
            return
        with st.expander(_("Side by side with V{n}", n=before.number), type="compact", key=f"beside_{version.turn_id}"):
            columns = st.columns(2)
            for column, each in zip(columns, (before, version), strict=True):
                with column:
                    _draw_version(each, newest)


def _draw_version(version: PlanVersion, newest: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        number = _("Plan V{n}", n=version.number)
        st.markdown(f":material/checklist: **{number}**", width="content")
        if version.number < newest:
            st.caption(_("replaced by V{n}", n=newest), width="content")
    if version.plan is None:
        st.caption(_("The words of this plan were erased."))
        return
    st.markdown(f"**{literal(version.plan.title)}**")
    st.markdown(_steps(version.plan))


def _steps(plan: Plan) -> str:
    """A numbered list; under each step how to tell that it is done."""
    name = _("Done when:")
    return "\n".join(
        f"{number}. {literal(step.what)}  \n   :gray[{name}] {literal(step.done_when)}"
        for number, step in enumerate(plan.steps, start=1)
    )
