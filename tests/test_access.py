"""The whole table of who may do what."""

import pytest

from engine.access import Action, may, require
from engine.domain.people import LOCAL_VIEWER, NOBODY, Owned, Viewer, ViewerKind
from engine.errors import AccessDenied

VIEWERS = {
    "local": LOCAL_VIEWER,
    "student": Viewer(kind=ViewerKind.STUDENT, person_id="ada", learner_ids=frozenset({"ada", "team"})),
    "student of nothing": Viewer(kind=ViewerKind.STUDENT, person_id="new"),
    "teacher": Viewer(kind=ViewerKind.TEACHER, person_id="tom", project_ids=frozenset({"taught"})),
    "teacher of nothing": Viewer(kind=ViewerKind.TEACHER, person_id="new"),
    "nobody": NOBODY,
    "nobody with ids": Viewer(
        kind=ViewerKind.NOBODY, person_id="x", learner_ids=frozenset({"ada"}), project_ids=frozenset({"taught"})
    ),
}
OWNED = {
    "own work": Owned(learner_id="ada", project_id="taught"),
    "team's work": Owned(learner_id="team", project_id="taught"),
    "other's work": Owned(learner_id="bob", project_id="taught"),
    "own work elsewhere": Owned(learner_id="ada", project_id="elsewhere"),
    "other's work elsewhere": Owned(learner_id="bob", project_id="elsewhere"),
    "own draft": Owned(learner_id="ada", project_id=None),
    "other's draft": Owned(learner_id="bob", project_id=None),
    "project": Owned(learner_id=None, project_id="taught"),
    "project elsewhere": Owned(learner_id=None, project_id="elsewhere"),
    "everything": Owned(learner_id=None, project_id=None),
}
ALL, OWN, READ, NONE = "read write review decide teach manage", "read write review", "read", ""
ALLOWED = {
    "local": dict.fromkeys(OWNED, ALL),
    "student": {
        "own work": OWN,
        "team's work": OWN,
        "own work elsewhere": OWN,
        "own draft": OWN,
        "project": READ,
        "project elsewhere": READ,
        "everything": READ,
    },
    "student of nothing": {"project": READ, "project elsewhere": READ, "everything": READ},
    "teacher": {"own work": ALL, "team's work": ALL, "other's work": ALL, "project": ALL},
    "teacher of nothing": {},
    "nobody": {},
    "nobody with ids": {},
}


@pytest.mark.parametrize("owned", OWNED)
@pytest.mark.parametrize("viewer", VIEWERS)
def test_each_viewer_may_do_exactly_what_the_table_says(viewer: str, owned: str) -> None:
    allowed = [str(action) for action in Action if may(VIEWERS[viewer], action, OWNED[owned])]
    assert allowed == ALLOWED[viewer].get(owned, NONE).split()


def test_the_table_has_every_kind_of_viewer() -> None:
    assert {viewer.kind for viewer in VIEWERS.values()} == set(ViewerKind)
    assert set(ALLOWED) == set(VIEWERS)


@pytest.mark.parametrize("action", Action)
def test_what_may_not_be_done_is_refused(action: Action) -> None:
    require(LOCAL_VIEWER, action, OWNED["other's work"])
    with pytest.raises(AccessDenied):
        require(VIEWERS["student"], action, OWNED["other's work"])
