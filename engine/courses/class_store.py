"""The class list of a course: students, teams and who is in them, and importing a list from a file."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import select
from sqlmodel import Session, col

from db.rows import next_number, storable
from db.tables import CourseRow, EnrolmentRow, LearnerRow, MemberRow, ProjectRow
from engine.access import Action, require
from engine.base_store import Store
from engine.courses.class_list import ClassRow
from engine.domain.people import Owned, Viewer
from engine.domain.states import LearnerKind
from engine.errors import NotFound


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassMember:
    """A student or a team of a course, with what the class list says of it."""

    learner_id: str
    name: str
    kind: LearnerKind
    number: str | None
    email: str | None
    members: tuple[str, ...]
    """Ids of the students in a team, in the order of the class list; empty for a student."""


class Step(StrEnum):
    """What an import does with a row."""

    ADD = "add"
    UPDATE = "update"
    KEEP = "keep"
    """The course knows all of it already."""
    UNSURE = "unsure"
    """Who this is cannot be told: several students have this name, or an earlier row was about the one. Left alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRow:
    """One row and what becomes of it."""

    row: ClassRow
    step: Step
    learner_id: str | None
    """Who it is; None where somebody is added or it is not clear."""
    joins_team: bool
    """Whether the student is put into a team that she was not in before."""


class ClassStore(Store):
    """People are known inside their course by student number, else by e-mail, else by a name that one student has.

    An import adds and updates; it removes nobody, empties nothing and takes nobody out of a team.
    """

    def class_list(self, viewer: Viewer, course_id: str) -> tuple[ClassMember, ...]:
        """Everybody who takes the course, in the order of the class list.

        Raises:
            NotFound: there is no such course.
        """
        with self._reading() as session:
            _may_manage(session, viewer, course_id)
            return _members(session, course_id)

    def plan_import(self, viewer: Viewer, course_id: str, rows: Sequence[ClassRow]) -> tuple[PlannedRow, ...]:
        """What `import_class` would do with each row, in their order. Stores nothing.

        Raises:
            NotFound: there is no such course.
        """
        with self._reading() as session:
            _may_manage(session, viewer, course_id)
            return tuple(_plan(_members(session, course_id), rows))

    def import_class(self, viewer: Viewer, course_id: str, rows: Sequence[ClassRow]) -> tuple[PlannedRow, ...]:
        """Add and update students and teams by these rows, all or none; tells what was done with each.

        Raises:
            NotFound: there is no such course.
        """
        with self._writing() as session:
            _may_manage(session, viewer, course_id, lock=True)
            known = _members(session, course_id)
            planned = tuple(_plan(known, rows))
            self._carry_out(session, course_id, known, planned)
        return planned

    def _carry_out(
        self, session: Session, course_id: str, known: Sequence[ClassMember], planned: Sequence[PlannedRow]
    ) -> None:
        stored = {row.id: row for row in _learners(session, course_id)}
        teams = {one.name: one.learner_id for one in known if one.kind is LearnerKind.TEAM}
        arrived: list[LearnerRow] = []
        joined: list[MemberRow] = []
        for plan in planned:
            if plan.step in (Step.UNSURE, Step.KEEP):
                continue
            row, learner = plan.row, stored.get(plan.learner_id or "")
            if learner is None:
                learner = self._learner(row.name, LearnerKind.STUDENT)
                arrived.append(learner)
            _update(learner, row)
            if row.team is not None and plan.joins_team:
                if row.team not in teams:
                    arrived.append(self._learner(row.team, LearnerKind.TEAM))
                    teams[row.team] = arrived[-1].id
                joined.append(MemberRow(team_id=teams[row.team], student_id=learner.id))
        _enrol(session, course_id, arrived)
        session.add_all(joined)

    def add_team(self, viewer: Viewer, course_id: str, name: str, members: Sequence[str]) -> str:
        """A new team of students of the course; gives its id.

        Raises:
            NotFound: there is no such course, or one of `members` is no student of it.
        """
        with self._writing() as session:
            _may_manage(session, viewer, course_id, lock=True)
            _check_students(session, course_id, members)
            team = self._learner(name, LearnerKind.TEAM)
            _enrol(session, course_id, [team])
            _join(session, team.id, members)
            return team.id

    def change_team(self, viewer: Viewer, course_id: str, team_id: str, name: str, members: Sequence[str]) -> None:
        """Give a team this name and exactly these members. What the team handed in stays the team's.

        Raises:
            NotFound: there is no such course or team, or one of `members` is no student of it.
        """
        with self._writing() as session:
            _may_manage(session, viewer, course_id, lock=True)
            _check_students(session, course_id, members)
            team = _named(session, course_id, team_id, LearnerKind.TEAM)
            team.name = storable(name)
            for row in session.scalars(select(MemberRow).where(col(MemberRow.team_id) == team_id)).all():
                if row.student_id not in members:
                    session.delete(row)
            session.flush()
            _join(session, team_id, members)

    def _learner(self, name: str, kind: LearnerKind) -> LearnerRow:
        return LearnerRow(id=self._new_id(), kind=kind, name=storable(name))


def _update(learner: LearnerRow, row: ClassRow) -> None:
    """Take over what a row says; what it leaves out stays."""
    learner.name = storable(row.name)
    learner.number = row.number or learner.number
    learner.email = row.email or learner.email


def _enrol(session: Session, course_id: str, learners: Sequence[LearnerRow]) -> None:
    """Add learners at the end of the class list, in their order."""
    if not learners:
        return
    session.add_all(learners)
    session.flush()
    first = next_number(session, f"enrolment:{course_id}", step=len(learners)) - len(learners) + 1
    session.add_all(
        EnrolmentRow(course_id=course_id, learner_id=learner.id, position=first + place)
        for place, learner in enumerate(learners)
    )
    session.flush()


def _may_manage(session: Session, viewer: Viewer, course_id: str, *, lock: bool = False) -> None:
    """Go on only for who may; with `lock` nobody else changes this class list until the transaction ends."""
    if lock:
        session.get(CourseRow, course_id, with_for_update=True)
    projects = session.scalars(select(col(ProjectRow.id)).where(col(ProjectRow.course_id) == course_id)).all()
    for project_id in projects:
        require(viewer, Action.MANAGE, Owned(learner_id=None, project_id=project_id))
    if not projects:
        require(viewer, Action.MANAGE, Owned(learner_id=None, project_id=None))
        raise NotFound("there is no such course")


def _learners(session: Session, course_id: str) -> Sequence[LearnerRow]:
    """In the order of the class list."""
    return session.scalars(
        select(LearnerRow)
        .join(EnrolmentRow, col(EnrolmentRow.learner_id) == col(LearnerRow.id))
        .where(col(EnrolmentRow.course_id) == course_id)
        .order_by(col(EnrolmentRow.position))
    ).all()


def _members(session: Session, course_id: str) -> tuple[ClassMember, ...]:
    enrolled = col(EnrolmentRow.course_id) == course_id
    rows = _learners(session, course_id)
    pairs = session.scalars(
        select(MemberRow).join(EnrolmentRow, col(EnrolmentRow.learner_id) == col(MemberRow.team_id)).where(enrolled)
    ).all()
    order = {row.id: place for place, row in enumerate(rows)}
    teams: dict[str, list[str]] = {}
    for pair in pairs:
        teams.setdefault(pair.team_id, []).append(pair.student_id)
    return tuple(
        ClassMember(
            learner_id=row.id,
            name=row.name,
            kind=LearnerKind(row.kind),
            number=row.number,
            email=row.email,
            members=tuple(sorted(teams.get(row.id, ()), key=lambda one: (order.get(one, len(order)), one))),
        )
        for row in rows
    )


def _plan(known: Sequence[ClassMember], rows: Iterable[ClassRow]) -> Iterable[PlannedRow]:
    students = [one for one in known if one.kind is LearnerKind.STUDENT]
    teams = {one.name: frozenset(one.members) for one in known if one.kind is LearnerKind.TEAM}
    by_number = {one.number: one for one in students if one.number}
    by_email = {one.email.casefold(): one for one in students if one.email}
    by_name: dict[str, list[ClassMember]] = {}
    for one in students:
        by_name.setdefault(one.name, []).append(one)
    taken: set[str] = set()
    for row in rows:
        found = _who(row, by_number, by_email, by_name)
        if found and found[0].learner_id in taken:  # an earlier row was about this student
            yield PlannedRow(row=row, step=Step.UNSURE, learner_id=None, joins_team=False)
            continue
        taken.update(one.learner_id for one in found[:1])
        is_new_there = row.team is not None and (not found or found[0].learner_id not in teams.get(row.team, ()))
        yield _planned(row, found, is_new_there)


def _who(
    row: ClassRow,
    by_number: Mapping[str, ClassMember],
    by_email: Mapping[str, ClassMember],
    by_name: Mapping[str, Sequence[ClassMember]],
) -> Sequence[ClassMember]:
    """Whom a row may be about: nobody, one, or several who cannot be told apart."""
    if row.number is not None and row.number in by_number:
        return (by_number[row.number],)
    same_address = by_email.get((row.email or "").casefold())
    if same_address is not None and _may_be(row, same_address):
        return (same_address,)
    return [one for one in by_name.get(row.name, ()) if _may_be(row, one)]


def _may_be(row: ClassRow, one: ClassMember) -> bool:
    """Two different student numbers are two people, whatever their names are."""
    return row.number is None or one.number is None


def _planned(row: ClassRow, found: Sequence[ClassMember], joins_team: bool) -> PlannedRow:
    if len(found) > 1:
        return PlannedRow(row=row, step=Step.UNSURE, learner_id=None, joins_team=False)
    if not found:
        return PlannedRow(row=row, step=Step.ADD, learner_id=None, joins_team=joins_team)
    one = found[0]
    is_known = (one.name, row.number or one.number, row.email or one.email) == (row.name, one.number, one.email)
    step = Step.KEEP if is_known and not joins_team else Step.UPDATE
    return PlannedRow(row=row, step=step, learner_id=one.learner_id, joins_team=joins_team)


def _check_students(session: Session, course_id: str, members: Sequence[str]) -> None:
    for member in members:
        _named(session, course_id, member, LearnerKind.STUDENT)


def _named(session: Session, course_id: str, learner_id: str, kind: LearnerKind) -> LearnerRow:
    row = session.get(LearnerRow, learner_id)
    is_enrolled = session.get(EnrolmentRow, (course_id, learner_id)) is not None
    if row is None or not is_enrolled or row.kind != kind:
        raise NotFound("this course has no such learner")
    return row


def _join(session: Session, team_id: str, students: Iterable[str]) -> None:
    for student_id in students:
        session.merge(MemberRow(team_id=team_id, student_id=student_id))
    session.flush()
