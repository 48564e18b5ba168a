"""The class list of a course: who takes it, importing a list with a preview, and teams."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from engine.courses.class_list import ClassList, read_class_list
from engine.courses.class_store import ClassMember, PlannedRow, Step
from engine.domain.people import Viewer
from engine.domain.states import LearnerKind
from engine.errors import ClassListError, TutorloopError
from engine.wiring import Space
from pages._widgets.anonymous import is_anonymous
from pages._widgets.course_words import class_list_words, row_words
from pages._widgets.errors import show_error
from pages._widgets.fields import drop
from pages._widgets.states import WARNING_MARK
from pages._widgets.words import N_, _, ngettext

STEPS: Mapping[Step, str] = {
    Step.ADD: N_("Added"),
    Step.UPDATE: N_("Updated"),
    Step.KEEP: N_("Known already"),
    Step.UNSURE: N_("Left alone: several students could be meant"),
}
TOLD = 20
"""Rows with problems that are told one by one."""
CHANGES = "class_changes"
"""Where the session counts changes, so that the fields are empty after each."""
NEW = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassPanel:
    """What the section needs to know."""

    viewer: Viewer
    space: Space
    course_id: str

    def draw(self) -> None:
        """The list, the import, the teams."""
        if is_anonymous():
            st.info(_("Names are hidden now, and a class list is nothing but names. Show them to see and change it."))
            return
        members = self.space.course_desk.classes.class_list(self.viewer, self.course_id)
        self._draw_list(members)
        self._draw_import()
        self._draw_teams(members)

    def _draw_list(self, members: Sequence[ClassMember]) -> None:
        st.subheader(_("Class list"), anchor=False)
        students = [one for one in members if one.kind is LearnerKind.STUDENT]
        teams = [one for one in members if one.kind is LearnerKind.TEAM]
        if not members:
            st.info(_("Nobody takes this course yet. Import a class list below; students also appear by handing in."))
            return
        st.caption(_("Students: {students:,} · Teams: {teams:,}", students=len(students), teams=len(teams)))
        listed = [*students, *teams]
        names = {one.learner_id: one.name for one in students}
        in_team = {student: team.name for team in teams for student in team.members}
        columns = {
            _("Name"): [one.name for one in listed],
            _("Student number"): [one.number or "" for one in listed],
            _("Team"): [in_team.get(one.learner_id, "") for one in listed],
            _("E-mail"): [one.email or "" for one in listed],
            _("Members"): [" · ".join(names.get(each, "") for each in one.members) for one in listed],
        }
        filled = {name: cells for name, cells in columns.items() if any(cells)}
        st.dataframe(filled, height=min(38 + 35 * len(members), 400), hide_index=True)

    def _draw_import(self) -> None:
        st.subheader(_("Import a class list"), anchor=False)
        file = drop(
            _("CSV (UTF-8 or GB18030) or Excel (.xlsx), with a header line"),
            ["csv", "txt", "tsv", "xlsx"],
            f"class_file_{self._edition}",
        )
        st.caption(
            _(
                "Columns are found by their names: name, student number, team, e-mail. Only the name must be there. "
                "Importing again updates and adds; it never removes anybody."
            )
        )
        if file is None:
            return
        try:
            read = read_class_list(file.name, file.getvalue())
        except ClassListError as error:
            st.error(class_list_words(error), icon=":material/error:")
            return
        planned = self.space.course_desk.classes.plan_import(self.viewer, self.course_id, read.rows)
        _draw_preview(read, planned)
        count = sum(one.step in (Step.ADD, Step.UPDATE) for one in planned)
        label = ngettext("Import {n:,} student", "Import {n:,} students", count)
        if count and st.button(label, type="primary", icon=":material/group_add:", key="class_import"):
            self._act(lambda: self.space.course_desk.classes.import_class(self.viewer, self.course_id, read.rows))

    def _draw_teams(self, members: Sequence[ClassMember]) -> None:
        st.subheader(_("Teams"), anchor=False)
        students = {one.learner_id: one for one in members if one.kind is LearnerKind.STUDENT}
        teams = {one.learner_id: one for one in members if one.kind is LearnerKind.TEAM}
        if not students:
            st.caption(_("A team is made of students of the class list."))
            return
        chosen = st.selectbox(
            _("Team"),
            [NEW, *teams],
            key=f"team_{self._edition}",
            format_func=lambda one: teams[one].name if one in teams else _("A new team"),
        )
        team = teams.get(chosen)
        with st.form(f"team_form_{chosen}_{self._edition}", border=True):
            name = st.text_input(_("Name of the team"), value=team.name if team else "", max_chars=100)
            picked = st.multiselect(
                _("Members"),
                list(students),
                default=[each for each in team.members if each in students] if team else [],
                format_func=lambda one: _student_name(students[one]),
                placeholder=_("Choose students"),
            )
            if st.form_submit_button(_("Save the team"), icon=":material/save:", key="team_save"):
                self._save_team(team, name.strip(), picked)

    def _save_team(self, team: ClassMember | None, name: str, picked: Sequence[str]) -> None:
        classes = self.space.course_desk.classes
        if not name:
            st.error(_("A team needs a name. Nothing was changed. Write one and save again."))
        elif team is None:
            self._act(lambda: classes.add_team(self.viewer, self.course_id, name, picked))
        else:
            self._act(lambda: classes.change_team(self.viewer, self.course_id, team.learner_id, name, picked))

    @property
    def _edition(self) -> int:
        return int(st.session_state.get(CHANGES, 0))

    def _act(self, change: Callable[[], object]) -> None:
        try:
            change()
        except TutorloopError as error:
            show_error(error)
            return
        st.session_state[CHANGES] = self._edition + 1
        st.toast(_("Saved."))
        st.rerun()


def _student_name(student: ClassMember) -> str:
    return student.name if student.number is None else f"{student.name} · {student.number}"


def _draw_preview(read: ClassList, planned: Sequence[PlannedRow]) -> None:
    counts = Counter(one.step for one in planned)
    told = [_("{what}: {n:,}", what=_(STEPS[step]), n=counts[step]) for step in Step if counts[step]]
    if read.bad:
        told.append(_("{what}: {n:,}", what=_("Left out"), n=len(read.bad)))
    st.markdown(_("**What the import does:** {steps}", steps=" · ".join(told)))
    for bad in read.bad[:TOLD]:
        st.markdown(f"{WARNING_MARK} {row_words(bad)}")
    if len(read.bad) > TOLD:
        st.caption(_("And {n:,} more rows like these.", n=len(read.bad) - TOLD))
    st.dataframe(
        {
            _("Row"): [one.row.row for one in planned],
            _("Name"): [one.row.name for one in planned],
            _("Student number"): [one.row.number or "" for one in planned],
            _("Team"): [one.row.team or "" for one in planned],
            _("E-mail"): [one.row.email or "" for one in planned],
            _("What happens"): [_(STEPS[one.step]) for one in planned],
        },
        height=min(38 + 35 * len(planned), 300),
        hide_index=True,
    )
