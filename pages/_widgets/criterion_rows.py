"""The criteria of a task as rows that can be typed into, moved and removed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from engine.domain.states import CriterionKind, Source
from engine.review.checks.finding import Param, ParamType
from engine.review.checks.registry import KNOWN_CHECKS
from engine.review.task_form import DECIDED_BY_CHECK, NO, YES, CriterionForm
from engine.review.trials import Trial
from pages._widgets.course_words import KINDS
from pages._widgets.fields import area, choice, line, say
from pages._widgets.states import SOURCE
from pages._widgets.words import _, language

Faults = Mapping[tuple[str | int, ...], Sequence[str]]
"""What is wrong, in sentences, by the path inside the criterion; `()` is the criterion as a whole."""
_SECTION = ("check",)
_NOT_TOLD = {"no_matching_test": "name", "no_report": "report"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What one row needs."""

    form: CriterionForm
    number: int
    of: int
    prefix: str
    """Of the keys of its fields."""
    faults: Faults
    slots: dict[int, DeltaGenerator]
    """Where the row puts the place below its check, by its key, for what the check says of the newest hand-ins."""
    on_remove: Callable[[int], None]
    on_move: Callable[[int, int], None]

    def draw(self) -> CriterionForm:
        """The row; gives what is typed in it."""
        with st.container(border=True, key=f"criterion_{self.prefix}_{self.form.key}"):
            self._draw_head()
            typed = self._draw_sentence(self.form)
            typed = self._draw_decision(typed)
            if typed.decided_by in DECIDED_BY_CHECK:
                typed = self._draw_check(typed)
                self.slots[self.form.key] = st.empty()
            next_step = line(
                _("Next step while this is open"),
                typed.next_step,
                self._key("next_step"),
                tip=_("What the student is told to do. Left empty, the check words it itself."),
            )
            return replace(typed, next_step=next_step)

    def _key(self, name: str) -> str:
        return f"{self.prefix}_{self.form.key}_{name}"

    def _draw_head(self) -> None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(_("**Criterion {n}**", n=self.number))
            move, key = self.on_move, self.form.key
            st.button(
                _("Move up"),
                key=self._key("up"),
                icon=":material/arrow_upward:",
                type="tertiary",
                disabled=self.number == 1,
                on_click=move,
                args=(key, -1),
            )
            st.button(
                _("Move down"),
                key=self._key("down"),
                icon=":material/arrow_downward:",
                type="tertiary",
                disabled=self.number == self.of,
                on_click=move,
                args=(key, 1),
            )
            st.button(
                _("Remove"),
                key=self._key("remove"),
                icon=":material/delete:",
                type="tertiary",
                on_click=self.on_remove,
                args=(key,),
            )
        say(self.faults.get((), ()))

    def _draw_sentence(self, form: CriterionForm) -> CriterionForm:
        left, right = st.columns([1, 3])
        with left:
            rubric_id = line(_("Id"), form.rubric_id, self._key("id"), faults=self.faults.get(("id",), ()))
        with right:
            text = line(
                _("Sentence: what must be true"), form.text, self._key("text"), faults=self.faults.get(("text",), ())
            )
        return replace(form, rubric_id=rubric_id, text=text)

    def _draw_decision(self, form: CriterionForm) -> CriterionForm:
        left, right = st.columns(2)
        with left:
            kinds = [kind.value for kind in CriterionKind]
            kind = choice(_("Kind"), kinds, form.kind, self._key("kind"), lambda one: _(KINDS[one]))
        with right:
            sources = [source.value for source in Source]
            decided_by = choice(
                _("Decided by"),
                sources,
                form.decided_by,
                self._key("decided_by"),
                lambda one: _(SOURCE[Source(one)].word),
            )
        return replace(form, kind=kind, decided_by=decided_by)

    def _draw_check(self, form: CriterionForm) -> CriterionForm:
        names = ["", *KNOWN_CHECKS]
        check = choice(
            _("Check"), names, form.check, self._key("check"), _check_name, faults=self.faults.get(_SECTION, ())
        )
        if check not in KNOWN_CHECKS:
            return replace(form, check=check)
        typed = dict(form.params)
        for param in KNOWN_CHECKS[check].params:
            faults = self.faults.get((*_SECTION, param.name), ())
            typed[param.name] = self._draw_param(check, param, typed.get(param.name, ""), faults)
        return replace(form, check=check, params=typed)

    def _draw_param(self, check: str, param: Param, value: str, faults: Sequence[str]) -> str:
        key, label = self._key(f"{check}_{param.name}"), param.label.text(language())
        if param.type is ParamType.TEXTS:
            return area(label, value, key, faults=faults)
        if param.type in (ParamType.CHOICE, ParamType.YES_NO):
            options = list(param.choices) if param.type is ParamType.CHOICE else [YES, NO]
            given = ["", *options] if not param.required else options
            return choice(label, given, value, key, lambda one: _option_name(param, one), faults=faults)
        return line(label, value, key, faults=faults, places=_held(param))


def _check_name(name: str) -> str:
    return KNOWN_CHECKS[name].label.text(language()) if name in KNOWN_CHECKS else _("Choose a check")


def _option_name(param: Param, option: str) -> str:
    words = {YES: _("Yes"), NO: _("No")}
    if option:
        return words.get(option, option)
    if param.default is None:
        return _("Left out")
    usual = words[YES if param.default else NO] if param.type is ParamType.YES_NO else str(param.default)
    return _("As usual ({value})", value=usual)


def _held(param: Param) -> str:
    """What holds while the field is empty."""
    return "" if param.default is None else _("{value}, unless you write something else", value=str(param.default))


def trial_words(trial: Trial) -> str:
    """What a check says of the newest hand-ins."""
    told = _("Would be met by {met} of the {of} newest hand-ins.", met=trial.met, of=trial.of)
    match _NOT_TOLD.get(trial.first_open or ""):
        case "name":
            told += " " + _("No test of this name is in the last report.")
        case "report":
            told += " " + _("There was no test report.")
    return told
