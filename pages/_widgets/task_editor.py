"""The editor of one task: what is typed is kept as a draft at once, and saved when all of it is right."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from engine.courses.course_file import TaskFault
from engine.courses.edit_store import task_mark
from engine.courses.rubric import rubric_version
from engine.domain.course import Task
from engine.domain.people import Viewer
from engine.errors import TutorloopError
from engine.review.standing_store import HandInStanding, Standing
from engine.review.task_form import (
    DECIDED_BY_CHECK,
    CriterionForm,
    TaskForm,
    add_criterion,
    check_of,
    move_criterion,
    read_draft,
    read_form,
    remove_criterion,
    to_form,
    write_draft,
)
from engine.wiring import Space
from pages._widgets.course_words import fault_words
from pages._widgets.criterion_rows import Row, trial_words
from pages._widgets.errors import show_error
from pages._widgets.fields import area, begin_with, line, say
from pages._widgets.moments import zone
from pages._widgets.states import OUTDATED_MARK
from pages._widgets.words import _, language, ngettext

IN_FORCE = frozenset(Standing) - {Standing.UNREVIEWED, Standing.OUTDATED}
"""Standings of hand-ins whose review a new rubric makes outdated."""
EDITION = "task_edition"
"""Where the session counts forms that were put in place of others, so that fields begin with the new one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskEditor:
    """What the editor needs to know."""

    viewer: Viewer
    space: Space
    project_id: str
    task: Task | None
    """None for a task that is new."""
    taken: frozenset[str]
    """Ids of the tasks of the project."""
    standings: Sequence[HandInStanding]
    """Of the newest hand-ins for this task, the latest first."""
    on_saved: Callable[[str], None]
    """Called with the id of the task that was saved."""
    review: Callable[[Sequence[str]], None]
    """Asks that these submissions be reviewed again."""

    @property
    def _task_id(self) -> str:
        return self.task.task_id if self.task else ""

    @property
    def _prefix(self) -> str:
        edition = st.session_state.get(EDITION, 0)
        return f"edit_{language()}_{edition}_{self.project_id}_{self._task_id}"

    def draw(self) -> None:
        """The fields with what is wrong beside each, then what saving does."""
        form, seen, is_draft = self._loaded()
        shown = _by_path(self._read(form)[1], form) if is_draft else {}
        typed = self._draw_fields(form, shown)
        if typed != form:
            self.space.course_desk.edits.keep_draft(
                self.viewer, self.project_id, self._task_id, write_draft(typed, seen)
            )
            is_draft = True
        task, faults = self._read(typed)
        if is_draft and _by_path(faults, typed) != shown:
            st.rerun()  # what is wrong stands beside fields that are drawn already
        self._draw_saving(task, faults, seen, is_draft=is_draft)

    def _read(self, form: TaskForm) -> tuple[Task, tuple[TaskFault, ...]]:
        """The task that is typed, and what is wrong with it; a new one must not take another's id."""
        task, faults = read_form(form)
        if self.task is None and task.task_id in self.taken:
            faults = (TaskFault(path=("id",), problem="used_twice"), *faults)
        return task, faults

    def _loaded(self) -> tuple[TaskForm, str | None, bool]:
        """The draft, if there is one, else the task as it stands; and the mark of what editing began with."""
        body = self.space.course_desk.edits.draft(self.viewer, self.project_id, self._task_id)
        kept = read_draft(body) if body else None
        if kept is not None:
            return (*kept, True)
        if self.task is None:
            return TaskForm(criteria=(CriterionForm(key=0),)), None, False
        return to_form(self.task), task_mark(self.task), False

    def _draw_fields(self, form: TaskForm, faults: Mapping[tuple[str | int, ...], Sequence[str]]) -> TaskForm:
        def told(*path: str | int) -> Sequence[str]:
            return faults.get(path, ())

        if self.task is None:
            tip = _("Stands in addresses and files, and stays. Letters, digits, dot, underscore and hyphen.")
            form = replace(form, task_id=line(_("Id"), form.task_id, self._key("id"), faults=told("id"), tip=tip))
        form = replace(form, title=line(_("Title"), form.title, self._key("title"), faults=told("title")))
        form = replace(form, goal=area(_("Goal"), form.goal, self._key("goal"), faults=told("goal"), height=80))
        form = replace(form, due=self._draw_due(form.due))
        with st.expander(_("Steps and material"), type="compact", key=self._key("more")):
            steps = area(_("Steps, one a line"), form.steps, self._key("steps"), faults=told("steps"))
            material = area(_("Material, in Markdown"), form.material, self._key("material"), height=200)
        form = replace(form, steps=steps, material=material)
        return replace(form, criteria=self._draw_criteria(form, faults))

    def _draw_due(self, due: str) -> str:
        key, here = self._key("due"), zone()
        begin_with(key, datetime.fromisoformat(due).astimezone(here).replace(tzinfo=None) if due else None)
        label = _("Due, in your time zone ({zone}); shown to students, never a verdict", zone=here.key)
        chosen = st.datetime_input(label, value=None, key=key, format="YYYY-MM-DD")
        return "" if chosen is None else chosen.replace(tzinfo=here).astimezone(UTC).isoformat()

    def _draw_criteria(
        self, form: TaskForm, faults: Mapping[tuple[str | int, ...], Sequence[str]]
    ) -> tuple[CriterionForm, ...]:
        st.markdown(_("#### Criteria"))
        say(faults.get(("criteria",), ()))
        slots: dict[int, DeltaGenerator] = {}
        rows = [
            Row(
                form=each,
                number=place + 1,
                of=len(form.criteria),
                prefix=self._prefix,
                faults={path[2:]: told for path, told in faults.items() if path[:2] == ("criteria", place)},
                slots=slots,
                on_remove=self._remove,
                on_move=self._move,
            ).draw()
            for place, each in enumerate(form.criteria)
        ]
        self._draw_trials(rows, slots)
        st.button(_("Add a criterion"), key=self._key("add"), icon=":material/add:", on_click=self._add)
        return tuple(rows)

    def _draw_trials(self, rows: Sequence[CriterionForm], slots: Mapping[int, DeltaGenerator]) -> None:
        """What the checks that are typed say of the newest hand-ins."""
        decided = [each for each in rows if each.decided_by in DECIDED_BY_CHECK]
        checks = [(each.key, check) for each in decided if (check := check_of(each)) is not None]
        ids = [each.submission_id for each in self.standings]
        tried = self.space.course_desk.trials.try_checks(self.viewer, [check for _key, check in checks], ids)
        for (key, _check), trial in zip(checks, tried, strict=True):
            if trial is not None:
                slots[key].caption(f":material/science: {trial_words(trial)}")

    def _key(self, name: str) -> str:
        return f"{self._prefix}_{name}"

    def _put(self, change: Callable[[TaskForm], TaskForm]) -> None:
        """Change the draft itself; the fields of the other criteria keep their keys and what is in them."""
        form, seen, _is_draft = self._loaded()
        self.space.course_desk.edits.keep_draft(
            self.viewer, self.project_id, self._task_id, write_draft(change(form), seen)
        )

    def _add(self) -> None:
        self._put(add_criterion)

    def _remove(self, key: int) -> None:
        self._put(lambda form: remove_criterion(form, key))

    def _move(self, key: int, by: int) -> None:
        self._put(lambda form: move_criterion(form, key, by=by))

    def _draw_saving(self, task: Task, faults: Sequence[TaskFault], seen: str | None, *, is_draft: bool) -> None:
        outdated = self._outdated(task)
        if faults and is_draft:
            st.warning(
                ngettext(
                    "{n} thing is wrong above. What you typed is kept as a draft and not saved yet.",
                    "{n} things are wrong above. What you typed is kept as a draft and not saved yet.",
                    len(faults),
                ),
                icon=":material/error:",
            )
        elif outdated:
            st.markdown(
                f"{OUTDATED_MARK} "
                + ngettext("This makes {n:,} review outdated.", "This makes {n:,} reviews outdated.", len(outdated))
            )
        with st.container(horizontal=True):
            again = bool(outdated) and self._saves(
                "save_review", _("Save and review again"), is_draft, faults, first=True
            )
            only = self._saves("save", _("Save only") if outdated else _("Save"), is_draft, faults, first=not outdated)
            if is_draft:
                st.button(
                    _("Discard my changes"), key=self._key("discard"), icon=":material/undo:", on_click=self._discard
                )
        if again or only:
            self._save(task, seen, outdated if again else ())

    def _saves(self, name: str, label: str, is_draft: bool, faults: Sequence[TaskFault], *, first: bool) -> bool:
        """A button that saves; it acts inside the run, after the fields, so that the last words typed are in it."""
        return st.button(
            label,
            key=self._key(name),
            type="primary" if first else "secondary",
            icon=":material/save:",
            disabled=not is_draft or bool(faults),
        )

    def _outdated(self, task: Task) -> Sequence[str]:
        """Ids of the hand-ins whose review stops being in force when `task` is saved."""
        if self.task is None or rubric_version(task) == rubric_version(self.task):
            return ()
        return [each.submission_id for each in self.standings if each.standing in IN_FORCE]

    def _save(self, task: Task, seen: str | None, again: Sequence[str]) -> None:
        try:
            self.space.course_desk.edits.save_task(self.viewer, self.project_id, task, seen=seen)
            if again:
                self.review(again)
        except TutorloopError as error:
            show_error(error)
            return
        st.session_state[EDITION] = st.session_state.get(EDITION, 0) + 1
        self.on_saved(task.task_id)
        st.toast(_("Saved."))  # Streamlit keeps it for the browser, whatever becomes of this run
        st.rerun()

    def _discard(self) -> None:
        self.space.course_desk.edits.drop_draft(self.viewer, self.project_id, self._task_id)
        st.session_state[EDITION] = st.session_state.get(EDITION, 0) + 1


def _by_path(faults: Sequence[TaskFault], form: TaskForm) -> dict[tuple[str | int, ...], list[str]]:
    """Sentences by where they belong; what is wrong inside a list of steps belongs to the list."""
    told: dict[tuple[str | int, ...], list[str]] = {}
    for fault in faults:
        path = fault.path[:1] if fault.path[:1] == ("steps",) else fault.path
        check = form.criteria[int(path[1])].check if path[:1] == ("criteria",) and len(path) > 1 else ""
        told.setdefault(path, []).append(fault_words(fault, check))
    return told
