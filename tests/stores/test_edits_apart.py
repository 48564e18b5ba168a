"""Edits of one text are told apart from those of another, one suggestion from the next, and one person from another."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from db.connection import writing
from db.rows import take_lease
from engine.domain.artifact import ArtifactVersion, VersionAuthor, VersionReason
from engine.domain.edit import MessageKind, SuggestionState
from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER, Viewer, ViewerKind
from engine.domain.running import Subject
from engine.revision.editing.editing_store import INTERRUPTED, SUGGESTION_LIMIT, NewMessage
from tests.stores.builders import LEASE, NOON, Stores, applied, begin_artifact, ended, taken, written


@pytest.fixture
def first(stores: Stores, key: FeedbackKey) -> ArtifactVersion:
    """V1 of Ada's report."""
    return begin_artifact(stores, key)[1]


def _suggest(stores: Stores, version: ArtifactVersion, words: str) -> str:
    return stores.talks.suggest(LOCAL_VIEWER, version.artifact_id, words, collect=True).suggestion_id


def _states(stores: Stores, version: ArtifactVersion) -> list[SuggestionState]:
    talk = stores.talks.conversation(LOCAL_VIEWER, version.artifact_id)
    return [each.state for each in talk.suggestions]


def test_two_texts_have_a_conversation_each_with_numbers_of_its_own(
    stores: Stores, key: FeedbackKey, first: ArtifactVersion
) -> None:
    _artifact, other = begin_artifact(stores, key, "README.md", written("Other.\n"))
    for version in (first, other):
        run = taken(stores, version.artifact_id, f"shorter {version.body}")
        stores.talks.apply(LOCAL_VIEWER, run, applied(run, version, f"Short {version.body}"))
    for version in (first, other):
        talk = stores.talks.conversation(LOCAL_VIEWER, version.artifact_id)
        assert [each.words for each in talk.suggestions] == [f"shorter {version.body}".strip()]
        assert [each.number for each in talk.suggestions] == [1]
        assert [each.seq for each in talk.messages] == [1, 2, 3, 4]
        assert [each.from_version_id for each in talk.revisions] == [version.version_id]


def test_what_is_done_to_one_suggestion_leaves_the_others_as_they_are(stores: Stores, first: ArtifactVersion) -> None:
    _one, two, _three = (_suggest(stores, first, words) for words in ("one", "two", "three"))
    assert stores.talks.withdraw(LOCAL_VIEWER, two) == first.artifact_id
    assert _states(stores, first) == [
        SuggestionState.COLLECTED,
        SuggestionState.WITHDRAWN,
        SuggestionState.COLLECTED,
    ]
    run = stores.talks.take(LOCAL_VIEWER, first.artifact_id, LEASE)
    assert run is not None
    assert [each.words for each in run.suggestions] == ["one", "three"]


def test_the_end_of_a_run_is_the_end_of_its_suggestions_alone(stores: Stores, first: ArtifactVersion) -> None:
    run = taken(stores, first.artifact_id, "one")
    _suggest(stores, first, "two")
    stores.talks.interrupt(LOCAL_VIEWER, run.run_id)
    assert _states(stores, first) == [SuggestionState.FAILED, SuggestionState.COLLECTED]
    again = taken(stores, first.artifact_id, "three")
    assert [each.words for each in again.suggestions] == ["two", "three"]
    stores.talks.apply(LOCAL_VIEWER, again, applied(again, first, "Short.\n"))
    assert _states(stores, first) == [SuggestionState.FAILED, SuggestionState.APPLIED, SuggestionState.APPLIED]


def test_while_a_run_is_under_way_nothing_is_taken_and_what_was_to_be_applied_waits(
    stores: Stores, first: ArtifactVersion
) -> None:
    run = taken(stores, first.artifact_id, "one")
    _suggest(stores, first, "two")
    assert stores.talks.take(LOCAL_VIEWER, first.artifact_id, LEASE, collected=False) is None
    assert _states(stores, first) == [SuggestionState.APPLYING, SuggestionState.COLLECTED]
    assert stores.talks.take(LOCAL_VIEWER, first.artifact_id, LEASE) is None
    assert _states(stores, first) == [SuggestionState.APPLYING, SuggestionState.WAITING]
    _suggest(stores, first, "three")
    stores.talks.end_run(LOCAL_VIEWER, run, ended(run))
    again = stores.talks.take(LOCAL_VIEWER, first.artifact_id, LEASE, collected=False)
    assert again is not None
    assert [each.words for each in again.suggestions] == ["two"]


def test_only_what_failed_or_is_asked_about_waits_again_and_its_fault_is_forgotten(
    stores: Stores, first: ArtifactVersion
) -> None:
    run = taken(stores, first.artifact_id, "one")
    (one,) = (each.suggestion_id for each in run.suggestions)
    stores.talks.end_run(LOCAL_VIEWER, run, ended(run))
    two, three = _suggest(stores, first, "two"), _suggest(stores, first, "three")
    stores.talks.withdraw(LOCAL_VIEWER, three)
    for each in (one, two, three):
        stores.talks.wait_again(LOCAL_VIEWER, each)
    assert _states(stores, first) == [
        SuggestionState.WAITING,
        SuggestionState.COLLECTED,
        SuggestionState.WITHDRAWN,
    ]
    assert stores.talks.conversation(LOCAL_VIEWER, first.artifact_id).suggestions[0].fault == ""


def test_what_failed_can_be_put_away_and_what_is_being_applied_cannot(stores: Stores, first: ArtifactVersion) -> None:
    run = taken(stores, first.artifact_id, "one")
    (one,) = (each.suggestion_id for each in run.suggestions)
    stores.talks.withdraw(LOCAL_VIEWER, one)
    assert _states(stores, first) == [SuggestionState.APPLYING]
    stores.talks.end_run(LOCAL_VIEWER, run, ended(run))
    stores.talks.withdraw(LOCAL_VIEWER, one)
    assert _states(stores, first) == [SuggestionState.WITHDRAWN]


def test_the_same_words_are_a_second_click_until_they_were_followed(stores: Stores, first: ArtifactVersion) -> None:
    collected = _suggest(stores, first, "shorter")
    assert _suggest(stores, first, " shorter \n") == collected
    run = taken(stores, first.artifact_id)
    assert _suggest(stores, first, "shorter") == collected
    stores.talks.end_run(LOCAL_VIEWER, run, ended(run))
    assert _suggest(stores, first, "shorter") != collected


def test_a_suggestion_may_be_as_long_as_its_limit(stores: Stores, first: ArtifactVersion) -> None:
    _suggest(stores, first, "x" * SUGGESTION_LIMIT)
    assert _states(stores, first) == [SuggestionState.COLLECTED]


def test_only_what_is_still_collected_is_counted(stores: Stores, first: ArtifactVersion) -> None:
    run = taken(stores, first.artifact_id, "one")
    stores.talks.apply(LOCAL_VIEWER, run, applied(run, first, "Short.\n"))
    _suggest(stores, first, "two")
    last = stores.talks.conversation(LOCAL_VIEWER, first.artifact_id).messages[-1]
    assert (last.kind, last.facts.count) == (MessageKind.COLLECTED, 1)


def test_what_was_taken_back_names_the_version_that_it_was_made_of(stores: Stores, first: ArtifactVersion) -> None:
    run = taken(stores, first.artifact_id, "one")
    stores.talks.apply(LOCAL_VIEWER, run, applied(run, first, "Short.\n"))
    (record,) = stores.talks.conversation(LOCAL_VIEWER, first.artifact_id).revisions
    again = stores.talks.undo(LOCAL_VIEWER, record.revision_id, VersionAuthor.STUDENT).version
    assert (again.source_id, again.note, again.reason) == (first.version_id, "V1", VersionReason.RESTORED)
    assert again.parent_id == record.to_version_id


def test_edits_are_told_in_the_order_of_their_versions(stores: Stores, first: ArtifactVersion) -> None:
    base = first
    for words in ("one", "two", "three"):
        run = taken(stores, first.artifact_id, words)
        base = stores.talks.apply(LOCAL_VIEWER, run, applied(run, base, f"Text {words}.\n"))
    revisions = stores.talks.conversation(LOCAL_VIEWER, first.artifact_id).revisions
    assert [(each.from_number, each.to_number) for each in revisions] == [(1, 2), (2, 3), (3, 4)]


def test_an_edit_of_which_a_part_cannot_be_stored_is_not_stored(stores: Stores, first: ArtifactVersion) -> None:
    class Broken(tuple[NewMessage, ...]):
        """Messages that cannot be written."""

        __slots__ = ()

        def __iter__(self) -> Iterator[NewMessage]:
            raise RuntimeError("no more")

    run = taken(stores, first.artifact_id, "one")
    with pytest.raises(RuntimeError):
        stores.talks.apply(LOCAL_VIEWER, run, replace(applied(run, first, "Short.\n"), messages=Broken()))
    assert len(stores.artifacts.versions(LOCAL_VIEWER, first.artifact_id)) == 1
    assert stores.talks.conversation(LOCAL_VIEWER, first.artifact_id).revisions == ()
    assert _states(stores, first) == [SuggestionState.APPLYING]


def test_the_lease_of_a_run_of_which_nothing_is_left_is_let_go_of(stores: Stores) -> None:
    with writing(stores.engine) as session:
        take_lease(session, subject_id="none", kind=Subject.EDIT, holder="gone", until=NOON)
    stores.talks.interrupt(LOCAL_VIEWER, "none")
    assert stores.ask("SELECT count(*) FROM lease") == [(0,)]


def test_what_is_typed_is_kept_for_each_person_and_text_and_nothing_of_it_is_no_draft(
    stores: Stores, key: FeedbackKey, first: ArtifactVersion
) -> None:
    ada, mate = (
        Viewer(kind=ViewerKind.STUDENT, person_id=name, learner_ids=frozenset({key.learner_id}))
        for name in ("ada", "mate")
    )
    _artifact, other = begin_artifact(stores, key, "README.md")
    stores.talks.keep_words(ada, first.artifact_id, "make")
    assert (stores.talks.words(mate, first.artifact_id), stores.talks.words(ada, other.artifact_id)) == ("", "")
    assert stores.talks.words(ada, first.artifact_id) == "make"
    stores.talks.keep_words(ada, first.artifact_id, "")
    assert stores.ask("SELECT count(*) FROM draft") == [(0,)]


def test_a_worker_that_is_gone_is_told_once_for_its_run(stores: Stores, first: ArtifactVersion) -> None:
    run = taken(stores, first.artifact_id, "one", "two")
    stores.talks.interrupt(LOCAL_VIEWER, run.run_id)
    talk = stores.talks.conversation(LOCAL_VIEWER, first.artifact_id)
    assert [each.fault for each in talk.suggestions] == [INTERRUPTED] * 2
    assert [each.facts.fault for each in talk.messages if each.kind is MessageKind.FAILED] == [INTERRUPTED]
