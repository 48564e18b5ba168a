"""Class lists: an import adds and updates and never takes away, and teams are learners with members."""

import pytest

from engine.courses.class_list import ClassRow
from engine.courses.class_store import ClassMember, Step
from engine.domain.people import LOCAL_VIEWER
from engine.domain.states import LearnerKind
from engine.errors import NotFound
from tests.stores.builders import COURSE, Stores, at_once


def _row(row: int, name: str, number: str | None = None, team: str | None = None, email: str | None = None) -> ClassRow:
    return ClassRow(row=row, name=name, number=number, team=team, email=email)


@pytest.fixture
def course_id(stores: Stores) -> str:
    return stores.courses.keep_course(LOCAL_VIEWER, COURSE).course_id


def _list(stores: Stores, course_id: str) -> dict[str, ClassMember]:
    return {one.name: one for one in stores.classes.class_list(LOCAL_VIEWER, course_id)}


def _import(stores: Stores, course_id: str, *rows: ClassRow) -> list[Step]:
    planned = stores.classes.plan_import(LOCAL_VIEWER, course_id, rows)
    assert stores.classes.import_class(LOCAL_VIEWER, course_id, rows) == planned
    return [one.step for one in planned]


def test_a_list_is_imported_and_importing_it_again_changes_nothing(stores: Stores, course_id: str) -> None:
    rows = (_row(2, "Ada", "1", "Red", "ada@x.y"), _row(3, "Bob", "2", "Red"), _row(4, "Cy"))
    assert _import(stores, course_id, *rows) == [Step.ADD] * 3
    first = _list(stores, course_id)
    assert _import(stores, course_id, *rows) == [Step.KEEP] * 3
    assert _list(stores, course_id) == first
    assert list(first) == ["Ada", "Red", "Bob", "Cy"]
    assert first["Red"].kind is LearnerKind.TEAM
    assert first["Red"].members == (first["Ada"].learner_id, first["Bob"].learner_id)
    assert (first["Ada"].number, first["Ada"].email) == ("1", "ada@x.y")


def test_an_import_updates_by_number_then_address_then_name_and_empties_nothing(stores: Stores, course_id: str) -> None:
    _import(stores, course_id, _row(2, "Ada", "1", email="ada@x.y"), _row(3, "Bob", email="bob@x.y"), _row(4, "Cy"))
    before = _list(stores, course_id)
    assert (
        _import(
            stores, course_id, _row(2, "Ada L.", "1"), _row(3, "Bobby", "2", email="BOB@x.y"), _row(4, "Cy", "3", "Red")
        )
        == [Step.UPDATE] * 3
    )
    after = _list(stores, course_id)
    assert after["Ada L."].learner_id == before["Ada"].learner_id
    assert after["Ada L."].email == "ada@x.y"
    assert (after["Bobby"].learner_id, after["Bobby"].number) == (before["Bob"].learner_id, "2")
    assert _import(stores, course_id, _row(2, "Bobby", email="BOB@x.y")) == [Step.KEEP]
    assert _list(stores, course_id)["Bobby"].number == "2"
    assert after["Red"].members == (before["Cy"].learner_id,)


def test_who_cannot_be_told_apart_is_left_alone_and_another_number_is_another_student(
    stores: Stores, course_id: str
) -> None:
    assert _import(stores, course_id, _row(2, "Li", "1"), _row(3, "Li", "2")) == [Step.ADD] * 2
    assert _import(stores, course_id, _row(2, "Li", None, "Red")) == [Step.UNSURE]
    assert _import(stores, course_id, _row(2, "Li", "3")) == [Step.ADD]
    assert _import(stores, course_id, _row(2, "Wu", "1"), _row(3, "Li", "2")) == [Step.UPDATE, Step.KEEP]
    assert "Red" not in _list(stores, course_id)


def test_nobody_is_removed_and_nobody_leaves_a_team_by_an_import(stores: Stores, course_id: str) -> None:
    _import(stores, course_id, _row(2, "Ada", "1", "Red"), _row(3, "Bob", "2", "Red"))
    _import(stores, course_id, _row(2, "Ada", "1", "Blue"))
    people = _list(stores, course_id)
    assert set(people) == {"Ada", "Bob", "Red", "Blue"}
    assert people["Ada"].learner_id in people["Red"].members
    assert people["Blue"].members == (people["Ada"].learner_id,)


def test_a_team_is_made_and_changed_of_students_of_its_course_only(stores: Stores, course_id: str) -> None:
    _import(stores, course_id, _row(2, "Ada"), _row(3, "Bob"))
    people = _list(stores, course_id)
    ada, bob = people["Ada"].learner_id, people["Bob"].learner_id
    team_id = stores.classes.add_team(LOCAL_VIEWER, course_id, "Red", [ada])
    stores.classes.change_team(LOCAL_VIEWER, course_id, team_id, "Crimson", [bob])
    assert _list(stores, course_id)["Crimson"].members == (bob,)
    stranger = stores.courses.add_learner(LOCAL_VIEWER, "Eve").learner_id
    for members in ([stranger], [team_id], ["nobody"]):
        with pytest.raises(NotFound):
            stores.classes.change_team(LOCAL_VIEWER, course_id, team_id, "Crimson", members)
    assert _list(stores, course_id)["Crimson"].members == (bob,)


def test_erasing_a_person_forgets_number_and_address(stores: Stores, course_id: str) -> None:
    _import(stores, course_id, _row(2, "Ada", "1", email="ada@x.y"))
    stores.work.erase_person(LOCAL_VIEWER, _list(stores, course_id)["Ada"].learner_id)
    ada = _list(stores, course_id)["Ada"]
    assert (ada.number, ada.email) == (None, None)


def test_one_list_imported_twice_at_one_time_adds_everybody_once(stores: Stores, course_id: str) -> None:
    rows = (_row(2, "Ada", "1", "Red"), _row(3, "Bob", "2", "Red"))
    at_once(4, lambda _: stores.classes.import_class(LOCAL_VIEWER, course_id, rows))
    assert [one.name for one in stores.classes.class_list(LOCAL_VIEWER, course_id)] == ["Ada", "Red", "Bob"]
