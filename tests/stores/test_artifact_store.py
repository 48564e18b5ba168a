"""The chain of versions on both databases: numbers, parents, conflicts, restoring, joining, drafts, links."""

import pytest
from sqlalchemy import text

from engine.domain.artifact import (
    ArtifactKind,
    ArtifactVersion,
    NewVersion,
    Saved,
    VersionAuthor,
    VersionReason,
    hash_version,
)
from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER, Owned, Viewer, ViewerKind
from engine.errors import AccessDenied, ArtifactRefused, HandInError, NotFound, StaleBase
from tests.stores.builders import (
    HOSTILE,
    STORABLE,
    Stores,
    at_once,
    begin_artifact,
    enrol,
    hand_in,
    save,
    snapshot,
    written,
)


def _owned(key: FeedbackKey) -> Owned:
    return Owned(learner_id=key.learner_id, project_id=key.project_id)


def _told(version: ArtifactVersion) -> tuple[int, str | None, str]:
    return version.number, version.parent_id, version.body


def test_each_save_is_the_next_number_and_names_what_it_was_made_from(stores: Stores, key: FeedbackKey) -> None:
    _artifact, first = begin_artifact(stores, key)
    second = save(stores, first, "two")
    third = save(stores, second, "three")
    assert [_told(first), _told(second), _told(third)] == [
        (1, None, "First.\n\nSecond.\n"),
        (2, first.version_id, "two"),
        (3, second.version_id, "three"),
    ]
    assert [second.parent_hash, third.parent_hash] == [first.version_hash, second.version_hash]


def test_a_version_is_hashed_over_all_that_it_says(stores: Stores, key: FeedbackKey) -> None:
    _artifact, first = begin_artifact(stores, key)
    new = NewVersion(
        title="题目", body="a\r\nb", author=VersionAuthor.MODEL, reason=VersionReason.ASKED, note="shorter"
    )
    saved = stores.artifacts.save(LOCAL_VIEWER, first.artifact_id, first.version_id, new).version
    told = {"title": "题目", "body": "a\r\nb", "author": VersionAuthor.MODEL, "reason": VersionReason.ASKED}
    assert saved.version_hash == hash_version(parent_hash=first.version_hash, note="shorter", **told)  # type: ignore[arg-type]  # each is of its own type
    assert (saved.body, saved.title, saved.note, saved.word_count, saved.characters) == (
        "a\r\nb",
        "题目",
        "shorter",
        2,
        4,
    )


def test_a_version_never_changes_when_later_ones_come(stores: Stores, key: FeedbackKey) -> None:
    artifact, first = begin_artifact(stores, key)
    save(stores, first, "two")
    assert stores.artifacts.version(LOCAL_VIEWER, artifact.artifact_id, first.version_id) == first


def test_a_stale_base_is_a_conflict_and_the_text_is_kept(stores: Stores, key: FeedbackKey) -> None:
    artifact, first = begin_artifact(stores, key)
    second = save(stores, first, "theirs")
    with pytest.raises(StaleBase) as caught:
        save(stores, first, "mine")
    assert (caught.value.base_id, caught.value.newest_id) == (first.version_id, second.version_id)
    assert caught.value.values == {"base": 1, "newest": 2}
    (draft,) = stores.version_drafts.drafts(LOCAL_VIEWER, artifact.artifact_id)
    assert (draft.base_id, draft.title, draft.body) == (first.version_id, "Report", "mine")
    assert len(stores.artifacts.versions(LOCAL_VIEWER, artifact.artifact_id)) == 2


def test_a_branch_that_is_asked_for_has_the_old_version_as_its_parent(stores: Stores, key: FeedbackKey) -> None:
    _artifact, first = begin_artifact(stores, key)
    save(stores, first, "two")
    branch = save(stores, first, "beside", branch=True)
    assert _told(branch) == (3, first.version_id, "beside")
    assert branch.parent_hash == first.version_hash


@pytest.mark.parametrize("branch", [True, False], ids=["branch", "plain"])
def test_the_same_words_again_are_no_new_version(stores: Stores, key: FeedbackKey, branch: bool) -> None:
    artifact, first = begin_artifact(stores, key)
    second = save(stores, first, "two")
    for base, words in ((second, "two"), (first, "two"), (first, first.body)):
        saved = stores.artifacts.save(
            LOCAL_VIEWER, artifact.artifact_id, base.version_id, written(words), branch=branch
        )
        assert not saved.is_new
        assert saved.version.body == words
    assert len(stores.artifacts.versions(LOCAL_VIEWER, artifact.artifact_id)) == 2


def test_another_title_alone_is_a_new_version(stores: Stores, key: FeedbackKey) -> None:
    artifact, first = begin_artifact(stores, key)
    new = written(first.body, title="Other title")
    saved = stores.artifacts.save(LOCAL_VIEWER, artifact.artifact_id, first.version_id, new)
    assert saved.is_new
    assert [line.title for line in stores.artifacts.versions(LOCAL_VIEWER, artifact.artifact_id)] == [
        "Report",
        "Other title",
    ]


def test_saves_at_one_time_get_every_number_once_and_only_one_follows_each_base(
    stores: Stores, key: FeedbackKey
) -> None:
    artifact, first = begin_artifact(stores, key)

    def one(number: int) -> Saved | None:
        try:
            return stores.artifacts.save(
                LOCAL_VIEWER, artifact.artifact_id, first.version_id, written(f"text {number}"), draft_id=f"{number}"
            )
        except StaleBase:
            return None

    saved = [each for each in at_once(12, one) if each]
    drafts = stores.version_drafts.drafts(LOCAL_VIEWER, artifact.artifact_id)
    assert [each.version.number for each in saved] == [2]
    assert len({draft.body for draft in drafts} | {saved[0].version.body}) == 12


def test_branches_at_one_time_get_every_number_once(stores: Stores, key: FeedbackKey) -> None:
    _artifact, first = begin_artifact(stores, key)
    saved = at_once(12, lambda number: save(stores, first, f"text {number}", branch=True))
    assert sorted(each.number for each in saved) == list(range(2, 14))


def test_restoring_makes_a_new_version_from_the_newest_and_removes_nothing(stores: Stores, key: FeedbackKey) -> None:
    artifact, first = begin_artifact(stores, key)
    newest = save(stores, save(stores, first, "two"), "three")
    restored = stores.artifacts.restore(
        LOCAL_VIEWER, artifact.artifact_id, first.version_id, VersionAuthor.STUDENT
    ).version
    assert _told(restored) == (4, newest.version_id, first.body)
    assert (restored.source_id, restored.reason, restored.note) == (first.version_id, VersionReason.RESTORED, "V1")
    assert len(stores.artifacts.chain(LOCAL_VIEWER, artifact.artifact_id)) == 4


def test_restoring_what_is_the_newest_is_no_new_version(stores: Stores, key: FeedbackKey) -> None:
    artifact, first = begin_artifact(stores, key)
    again = stores.artifacts.restore(LOCAL_VIEWER, artifact.artifact_id, first.version_id, VersionAuthor.STUDENT)
    assert again == Saved(version=first, is_new=False)


def _conflict(stores: Stores, key: FeedbackKey) -> tuple[ArtifactVersion, ArtifactVersion]:
    """Base and newest version; somebody's draft of the base is behind."""
    _artifact, first = begin_artifact(stores, key)
    second = save(stores, first, "theirs")
    with pytest.raises(StaleBase):
        stores.artifacts.save(LOCAL_VIEWER, first.artifact_id, first.version_id, written("mine"), draft_id="tab")
    return first, second


def test_joining_follows_the_newest_names_both_and_forgets_the_draft(stores: Stores, key: FeedbackKey) -> None:
    base, newest = _conflict(stores, key)
    joined = stores.artifacts.join(
        LOCAL_VIEWER, base.artifact_id, newest.version_id, written("both"), draft_id="tab"
    ).version
    assert _told(joined) == (3, newest.version_id, "both")
    assert (joined.source_id, joined.reason, joined.note) == (base.version_id, VersionReason.JOINED, "V1 + V2")
    assert stores.version_drafts.drafts(LOCAL_VIEWER, base.artifact_id) == ()


def test_joining_onto_what_is_no_longer_the_newest_is_one_more_conflict(stores: Stores, key: FeedbackKey) -> None:
    base, newest = _conflict(stores, key)
    save(stores, newest, "theirs again")
    with pytest.raises(StaleBase):
        stores.artifacts.join(LOCAL_VIEWER, base.artifact_id, newest.version_id, written("both"), draft_id="tab")
    (draft,) = stores.version_drafts.drafts(LOCAL_VIEWER, base.artifact_id)
    assert (draft.base_id, draft.body) == (base.version_id, "mine")


def test_saving_forgets_the_draft_of_its_form_and_no_other(stores: Stores, key: FeedbackKey) -> None:
    artifact, first = begin_artifact(stores, key)
    for form in ("one", "two"):
        stores.version_drafts.keep(
            LOCAL_VIEWER, artifact.artifact_id, form, first.version_id, title="", body=f"in {form}"
        )
    stores.artifacts.save(LOCAL_VIEWER, artifact.artifact_id, first.version_id, written("in one"), draft_id="one")
    assert [one.body for one in stores.version_drafts.drafts(LOCAL_VIEWER, artifact.artifact_id)] == ["in two"]


def test_what_was_chosen_in_joining_is_kept_with_the_text_that_it_came_to(stores: Stores, key: FeedbackKey) -> None:
    artifact, first = begin_artifact(stores, key)
    stores.version_drafts.keep(
        LOCAL_VIEWER, artifact.artifact_id, "tab", first.version_id, title="", body="both", choices="yb:1"
    )
    (draft,) = stores.version_drafts.drafts(LOCAL_VIEWER, artifact.artifact_id)
    assert (draft.body, draft.choices) == ("both", "yb:1")


def test_a_draft_of_before_choices_were_kept_has_none(stores: Stores, key: FeedbackKey) -> None:
    artifact, first = begin_artifact(stores, key)
    stores.version_drafts.keep(LOCAL_VIEWER, artifact.artifact_id, "tab", first.version_id, title="", body="mine")
    with stores.engine.begin() as connection:
        connection.execute(text("UPDATE draft SET body = REPLACE(body, ', \"choices\": \"\"', '')"))
    ((body,),) = stores.ask("SELECT body FROM draft")
    (draft,) = stores.version_drafts.drafts(LOCAL_VIEWER, artifact.artifact_id)
    assert "choices" not in str(body)
    assert (draft.body, draft.choices) == ("mine", "")


def test_drafts_are_the_ones_of_who_types_them(stores: Stores, key: FeedbackKey) -> None:
    artifact, first = begin_artifact(stores, key)
    ada, mate = (
        Viewer(kind=ViewerKind.STUDENT, person_id=name, learner_ids=frozenset({key.learner_id}))
        for name in ("ada", "a_a")
    )
    stores.version_drafts.keep(ada, artifact.artifact_id, "tab", first.version_id, title="", body="mine")
    assert [one.body for one in stores.version_drafts.drafts(ada, artifact.artifact_id)] == ["mine"]
    assert stores.version_drafts.drafts(mate, artifact.artifact_id) == ()


REFUSED = {
    "blank": written("\u200b \n"),
    "too_long": written("x" * 1_000_001),
    "title_too_long": written(title="x" * 201),
    "note_too_long": written(note="x" * 2001),
}


@pytest.mark.parametrize("reason", REFUSED)
def test_words_that_cannot_be_kept_are_refused_and_nothing_is_stored(
    stores: Stores, key: FeedbackKey, reason: str
) -> None:
    with pytest.raises(ArtifactRefused) as caught:
        begin_artifact(stores, key, first=REFUSED[reason])
    assert caught.value.reason == reason
    assert stores.ask("SELECT * FROM artifact") == stores.ask("SELECT * FROM text") == []


def test_hostile_words_are_kept_as_far_as_a_database_can_and_their_hash_is_of_what_was_kept(
    stores: Stores, key: FeedbackKey
) -> None:
    artifact, first = begin_artifact(stores, key, first=written(HOSTILE, title=HOSTILE, note=HOSTILE))
    (read,) = stores.artifacts.chain(LOCAL_VIEWER, artifact.artifact_id)
    assert read == first
    assert (read.body, read.title, read.note) == (STORABLE, STORABLE, STORABLE)
    assert read.version_hash == hash_version(
        parent_hash=None, author=read.author, reason=read.reason, note=STORABLE, title=STORABLE, body=STORABLE
    )


@pytest.mark.parametrize("name", ["../up.md", "/etc/passwd", "", "a\x00b"])
def test_a_file_name_that_leads_outside_is_refused(stores: Stores, key: FeedbackKey, name: str) -> None:
    with pytest.raises(HandInError):
        begin_artifact(stores, key, name)


def test_the_same_first_text_twice_is_one_artifact_and_another_one_of_its_name_is_refused(
    stores: Stores, key: FeedbackKey
) -> None:
    begun = begin_artifact(stores, key)
    assert begin_artifact(stores, key) == begun
    with pytest.raises(ArtifactRefused) as caught:
        begin_artifact(stores, key, first=written("another"))
    assert (caught.value.reason, caught.value.values) == ("taken", {"name": "report.md"})
    assert begin_artifact(stores, enrol(stores, "Bob"))[0] != begun[0]


def test_artifacts_are_listed_with_their_newest_version_the_last_saved_first(stores: Stores, key: FeedbackKey) -> None:
    _report, first = begin_artifact(stores, key)
    begin_artifact(stores, key, "README.md")
    save(stores, first, "two")
    begin_artifact(stores, enrol(stores, "Bob"))
    listed = stores.artifacts.artifacts(LOCAL_VIEWER, _owned(key))
    assert [(one.artifact.file_name, one.newest.number) for one in listed] == [("report.md", 2), ("README.md", 1)]


def test_a_text_without_a_learner_is_hidden_from_students(stores: Stores, key: FeedbackKey) -> None:
    owned = Owned(learner_id=None, project_id=key.project_id)
    artifact, first = stores.artifacts.begin(
        LOCAL_VIEWER,
        owned,
        written(author=VersionAuthor.TEACHER),
        kind=ArtifactKind.LESSON_PLAN,
        file_name="plan.md",
    )
    student = Viewer(kind=ViewerKind.STUDENT, person_id="ada", learner_ids=frozenset({key.learner_id}))
    for ask in (
        lambda: stores.artifacts.artifacts(student, owned),
        lambda: stores.artifacts.artifact(student, artifact.artifact_id),
        lambda: stores.artifacts.version(student, artifact.artifact_id, first.version_id),
    ):
        with pytest.raises(AccessDenied):
            ask()


def test_a_version_handed_in_names_its_submission_and_the_submission_its_version(
    stores: Stores, key: FeedbackKey
) -> None:
    artifact, first = begin_artifact(stores, key)
    second = save(stores, first, "two")
    submission, _ = stores.work.hand_in(LOCAL_VIEWER, key, snapshot("two"), from_version_id=second.version_id)
    other = hand_in(stores, key)
    (fact,) = stores.artifacts.handed_in(LOCAL_VIEWER, artifact.artifact_id)
    assert (fact.version_id, fact.submission_id, fact.submission_seq) == (
        second.version_id,
        submission.submission_id,
        1,
    )
    asked = [submission.submission_id, other.submission_id]
    assert stores.artifacts.sources(LOCAL_VIEWER, asked) == (fact,)
    assert stores.work.newest(LOCAL_VIEWER, key) == other


def test_a_version_of_another_learner_or_task_cannot_be_handed_in(stores: Stores, key: FeedbackKey) -> None:
    _artifact, first = begin_artifact(stores, enrol(stores, "Bob"))
    with pytest.raises(NotFound):
        stores.work.hand_in(LOCAL_VIEWER, key, snapshot(), from_version_id=first.version_id)
    assert stores.ask("SELECT * FROM submission") == []


def test_erasing_the_person_empties_words_and_drafts_and_keeps_the_chain(stores: Stores, key: FeedbackKey) -> None:
    artifact, first = begin_artifact(stores, key)
    second = save(stores, first, "two")
    stores.version_drafts.keep(LOCAL_VIEWER, artifact.artifact_id, "tab", second.version_id, title="", body="half")
    stores.work.erase_person(LOCAL_VIEWER, key.learner_id)
    chain = stores.artifacts.chain(LOCAL_VIEWER, artifact.artifact_id)
    assert [(one.number, one.title, one.body, one.is_erased) for one in chain] == [(1, "", "", True), (2, "", "", True)]
    assert [one.version_hash for one in chain] == [first.version_hash, second.version_hash]
    assert [one.word_count for one in chain] == [2, 1]
    assert stores.version_drafts.drafts(LOCAL_VIEWER, artifact.artifact_id) == ()
    with pytest.raises(ArtifactRefused):
        stores.artifacts.restore(LOCAL_VIEWER, artifact.artifact_id, first.version_id, VersionAuthor.STUDENT)


def test_a_version_of_another_artifact_is_not_found_in_this_one(stores: Stores, key: FeedbackKey) -> None:
    artifact, _first = begin_artifact(stores, key)
    _other, foreign = begin_artifact(stores, key, "README.md", written("other"))
    with pytest.raises(NotFound):
        stores.artifacts.version(LOCAL_VIEWER, artifact.artifact_id, foreign.version_id)
    with pytest.raises(NotFound):
        stores.artifacts.save(LOCAL_VIEWER, artifact.artifact_id, foreign.version_id, written("mine"))
