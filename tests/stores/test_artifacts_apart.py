"""Texts of one owner, project, task and form are told apart from all others."""

from dataclasses import replace

import pytest

from engine.domain.artifact import Artifact, ArtifactKind, ArtifactVersion, NewVersion, VersionAuthor
from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER, Owned
from engine.errors import NotFound, StaleBase
from tests.stores.builders import Hands, Stores, begin_artifact, build_stores, enrol, hand_in, save, snapshot, written


def _begin(
    stores: Stores,
    owned: Owned,
    task_id: str | None = None,
    first: NewVersion | None = None,
    begun_from: str | None = None,
) -> tuple[Artifact, ArtifactVersion]:
    return stores.artifacts.begin(
        LOCAL_VIEWER,
        owned,
        first or written(),
        kind=ArtifactKind.LESSON_PLAN,
        file_name="plan.md",
        task_id=task_id,
        begun_from=begun_from,
    )


def _other_project(stores: Stores) -> str:
    return stores.courses.courses(LOCAL_VIEWER)[0].projects[1].project_id


def _keep(stores: Stores, version: ArtifactVersion, form: str, body: str, *, is_branch: bool = False) -> None:
    stores.version_drafts.keep(
        LOCAL_VIEWER, version.artifact_id, form, version.version_id, title="", body=body, is_branch=is_branch
    )


def test_each_owner_has_the_texts_of_each_project_apart(stores: Stores, key: FeedbackKey) -> None:
    learner = Owned(learner_id=key.learner_id, project_id=key.project_id)
    elsewhere = replace(learner, project_id=_other_project(stores))
    owners = [learner, elsewhere, replace(learner, learner_id=None), replace(elsewhere, learner_id=None)]
    begun = [_begin(stores, owned)[0].artifact_id for owned in owners]
    assert len(set(begun)) == len(owners)
    for owned, artifact_id in zip(owners, begun, strict=True):
        entries = stores.artifacts.artifacts(LOCAL_VIEWER, owned)
        assert [each.artifact.artifact_id for each in entries] == [artifact_id]


def test_a_name_is_taken_for_one_task_and_again_by_the_same_words_also_after_later_versions(
    stores: Stores, key: FeedbackKey
) -> None:
    for learner_id in (key.learner_id, None):
        owned = Owned(learner_id=learner_id, project_id=key.project_id)
        titled = written(title=" Report ")
        artifact, first = _begin(stores, owned, "first", titled)
        save(stores, first, "Later.\n")
        assert _begin(stores, owned, "first", titled) == (artifact, first)
        assert _begin(stores, owned, "second", titled)[0] != artifact


@pytest.mark.parametrize("name", ["learner", "task"])
def test_for_a_learner_or_a_task_that_is_not_there_nothing_is_begun(
    stores: Stores, key: FeedbackKey, name: str
) -> None:
    owned = Owned(learner_id="nobody" if name == "learner" else key.learner_id, project_id=key.project_id)
    with pytest.raises(NotFound):
        _begin(stores, owned, "none" if name == "task" else "first")
    assert stores.ask("SELECT count(*) FROM artifact") == [(0,)]


def test_a_text_is_begun_from_work_of_its_own_learner_and_project_alone(stores: Stores, key: FeedbackKey) -> None:
    owned = Owned(learner_id=key.learner_id, project_id=key.project_id)
    own = hand_in(stores, key)
    others = (enrol(stores, "Bob"), replace(key, project_id=_other_project(stores)))
    for foreign in others:
        with pytest.raises(NotFound):
            _begin(stores, owned, begun_from=hand_in(stores, foreign, "print(2)\n").submission_id)
    assert _begin(stores, owned, begun_from=own.submission_id)[0].begun_from == own.submission_id


def test_versions_and_what_was_handed_in_are_those_of_one_text_in_order(stores: Stores, key: FeedbackKey) -> None:
    handed: list[str] = []
    begun = [begin_artifact(stores, key)[1], begin_artifact(stores, key, "README.md", written("Read me.\n"))[1]]
    for version in begun:
        second = save(stores, version, f"Later {version.body}")
        for each in (second, version):
            submission, _ = stores.work.hand_in(LOCAL_VIEWER, key, snapshot(each.body), from_version_id=each.version_id)
            handed.append(submission.submission_id)
    for version, ids in zip(begun, (handed[:2], handed[2:]), strict=True):
        lines = stores.artifacts.versions(LOCAL_VIEWER, version.artifact_id)
        assert [(line.artifact_id, line.number) for line in lines] == [
            (version.artifact_id, 1),
            (version.artifact_id, 2),
        ]
        told = stores.artifacts.handed_in(LOCAL_VIEWER, version.artifact_id)
        assert [each.submission_id for each in told] == ids
    some = [handed[2], handed[0]]
    assert [each.submission_id for each in stores.artifacts.sources(LOCAL_VIEWER, some)] == [handed[0], handed[2]]


def test_saving_without_a_form_forgets_the_draft_of_its_base(stores: Stores, key: FeedbackKey) -> None:
    _artifact, first = begin_artifact(stores, key)
    _keep(stores, first, first.version_id, "half")
    save(stores, first, "whole")
    assert stores.version_drafts.drafts(LOCAL_VIEWER, first.artifact_id) == ()


def test_a_conflict_is_kept_as_the_draft_of_its_form(stores: Stores, key: FeedbackKey) -> None:
    _artifact, first = begin_artifact(stores, key)
    save(stores, first, "theirs")
    with pytest.raises(StaleBase):
        stores.artifacts.save(LOCAL_VIEWER, first.artifact_id, first.version_id, written("mine"), draft_id="tab")
    (draft,) = stores.version_drafts.drafts(LOCAL_VIEWER, first.artifact_id)
    assert draft.draft_id == "tab"


def test_drafts_are_those_of_one_text_the_latest_first_and_each_is_joined_or_dropped_by_itself(
    stores: Stores, key: FeedbackKey
) -> None:
    hands = Hands()
    stores = build_stores(stores.engine, hands)
    _artifact, first = begin_artifact(stores, key)
    _other, other = begin_artifact(stores, key, "README.md")
    for version, form in ((first, "one"), (first, "two"), (first, "three"), (other, "four")):
        hands.forward(1)
        _keep(stores, version, form, f"in {form}", is_branch=form == "two")
    drafts = stores.version_drafts.drafts(LOCAL_VIEWER, first.artifact_id)
    assert [(each.draft_id, each.is_branch) for each in drafts] == [("three", False), ("two", True), ("one", False)]
    stores.version_drafts.drop(LOCAL_VIEWER, first.artifact_id, "three")
    second = save(stores, first, "theirs")
    _keep(stores, second, "later", "mine")
    joined = stores.artifacts.join(
        LOCAL_VIEWER, first.artifact_id, second.version_id, written("both"), draft_id="two"
    ).version
    assert (joined.source_id, joined.note) == (first.version_id, "V1 + V2")
    left = stores.version_drafts.drafts(LOCAL_VIEWER, first.artifact_id)
    assert {each.draft_id for each in left} == {"one", "later"}
    with pytest.raises(NotFound):
        stores.artifacts.join(LOCAL_VIEWER, first.artifact_id, joined.version_id, written("more"), draft_id="two")


def test_a_text_has_the_id_that_it_was_told(stores: Stores, key: FeedbackKey) -> None:
    owned = Owned(learner_id=key.learner_id, project_id=key.project_id)
    artifact, _first = stores.artifacts.begin(
        LOCAL_VIEWER,
        owned,
        written(author=VersionAuthor.MODEL),
        kind=ArtifactKind.REPORT,
        file_name="draft.md",
        artifact_id="told",
    )
    assert artifact.artifact_id == "told"
