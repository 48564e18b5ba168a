"""Conversations about texts: kept in order, one run at a time, version and record together or not at all."""

import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from engine.domain.artifact import ArtifactKind, VersionAuthor
from engine.domain.edit import MessageKind, SuggestionState
from engine.domain.keys import FeedbackKey
from engine.domain.model_call import CallUse
from engine.domain.people import LOCAL_VIEWER, Owned, Viewer, ViewerKind
from engine.errors import AccessDenied, ArtifactRefused, NotFound, StaleBase
from engine.revision.editing.editing_store import NewMessage
from tests.stores.builders import (
    HOSTILE,
    LEASE,
    STORABLE,
    Stores,
    applied,
    at_once,
    begin_artifact,
    call_about_edit,
    ended,
    save,
    sent_call,
    taken,
    written,
)


@pytest.fixture
def report(stores: Stores, key: FeedbackKey) -> str:
    """The id of Ada's report, which has one version."""
    return begin_artifact(stores, key)[0].artifact_id


def test_words_come_back_as_far_as_a_database_can_hold_them(stores: Stores, report: str) -> None:
    suggestion = stores.talks.suggest(LOCAL_VIEWER, report, HOSTILE, collect=False)
    assert suggestion.words == STORABLE.strip()
    messages = stores.talks.conversation(LOCAL_VIEWER, report).messages
    assert [(each.seq, each.kind) for each in messages] == [(1, MessageKind.WELCOME), (2, MessageKind.SUGGESTION)]
    assert (messages[0].words, messages[0].facts.number, messages[1].words) == ("Report", 1, STORABLE.strip())


def test_suggestions_at_once_are_numbered_and_open_one_conversation(stores: Stores, report: str) -> None:
    at_once(6, lambda n: stores.talks.suggest(LOCAL_VIEWER, report, f"shorter {n}", collect=True))
    talk = stores.talks.conversation(LOCAL_VIEWER, report)
    assert [each.number for each in talk.suggestions] == [1, 2, 3, 4, 5, 6]
    assert [each.seq for each in talk.messages] == list(range(1, 14))


def test_of_runs_at_once_one_takes_everything(stores: Stores, report: str) -> None:
    for words in ("one", "two"):
        stores.talks.suggest(LOCAL_VIEWER, report, words, collect=True)
    runs = at_once(4, lambda _: stores.talks.take(LOCAL_VIEWER, report, LEASE))
    assert [len(run.suggestions) for run in runs if run is not None] == [2]


def test_an_edit_is_stored_with_everything_about_it(stores: Stores, key: FeedbackKey) -> None:
    artifact, first = begin_artifact(stores, key)
    run = taken(stores, artifact.artifact_id, "shorter")
    after = stores.talks.apply(LOCAL_VIEWER, run, applied(run, first, "Short.\n"))
    talk = stores.talks.conversation(LOCAL_VIEWER, artifact.artifact_id)
    (record,) = talk.revisions
    assert (record.from_number, record.to_number, record.run_id) == (1, 2, run.run_id)
    assert record.facts == applied(run, first, "").facts
    assert (after.body, after.note, talk.suggestions[0].state) == ("Short.\n", "shorter", SuggestionState.APPLIED)
    assert talk.messages[-1].revision_id == record.revision_id
    assert stores.ask("SELECT count(*) FROM lease") == [(0,)]
    with pytest.raises(NotFound):
        stores.talks.apply(LOCAL_VIEWER, run, applied(run, first, "Twice.\n"))


@pytest.mark.parametrize("body", ["From another tab.", " \n"])
def test_what_cannot_be_stored_stores_nothing_of_the_edit(stores: Stores, key: FeedbackKey, body: str) -> None:
    artifact, first = begin_artifact(stores, key)
    run = taken(stores, artifact.artifact_id, "shorter")
    is_stale = bool(body.strip())
    if is_stale:
        save(stores, first, body)
    with pytest.raises(StaleBase if is_stale else ArtifactRefused):
        stores.talks.apply(LOCAL_VIEWER, run, applied(run, first, "Mine." if is_stale else body))
    talk = stores.talks.conversation(LOCAL_VIEWER, artifact.artifact_id)
    assert (talk.revisions, len(talk.running)) == ((), 1)
    assert len(stores.artifacts.versions(LOCAL_VIEWER, artifact.artifact_id)) == 1 + is_stale


def test_what_failed_waits_again_and_what_was_applied_does_not(stores: Stores, key: FeedbackKey) -> None:
    artifact, first = begin_artifact(stores, key)
    run = taken(stores, artifact.artifact_id, "shorter")
    stores.talks.end_run(LOCAL_VIEWER, run, ended(run))
    (failed,) = stores.talks.conversation(LOCAL_VIEWER, artifact.artifact_id).suggestions
    assert (failed.state, failed.fault) == (SuggestionState.FAILED, "timed_out")
    assert stores.talks.wait_again(LOCAL_VIEWER, failed.suggestion_id) == artifact.artifact_id
    again = stores.talks.take(LOCAL_VIEWER, artifact.artifact_id, LEASE)
    assert again is not None
    assert again.run_id != run.run_id
    stores.talks.apply(LOCAL_VIEWER, again, applied(again, first, "Short.\n"))
    stores.talks.wait_again(LOCAL_VIEWER, failed.suggestion_id)
    stores.talks.withdraw(LOCAL_VIEWER, failed.suggestion_id)
    (done,) = stores.talks.conversation(LOCAL_VIEWER, artifact.artifact_id).suggestions
    assert done.state is SuggestionState.APPLIED


def test_a_late_end_of_a_run_that_has_ended_changes_nothing(stores: Stores, report: str) -> None:
    run = taken(stores, report, "shorter")
    stores.talks.interrupt(LOCAL_VIEWER, run.run_id)
    before = stores.talks.conversation(LOCAL_VIEWER, report)
    stores.talks.end_run(LOCAL_VIEWER, run, ended(run))
    stores.talks.interrupt(LOCAL_VIEWER, run.run_id)
    assert stores.talks.conversation(LOCAL_VIEWER, report) == before
    assert before.suggestions[0].fault == "interrupted"


def test_what_is_typed_is_forgotten_when_it_is_sent(stores: Stores, report: str) -> None:
    stores.talks.keep_words(LOCAL_VIEWER, report, "make the fi")
    assert stores.talks.words(LOCAL_VIEWER, report) == "make the fi"
    stores.talks.suggest(LOCAL_VIEWER, report, "make the first one shorter", collect=True)
    assert stores.talks.words(LOCAL_VIEWER, report) == ""


def test_an_erased_persons_conversation_keeps_its_facts_and_loses_its_words(stores: Stores, key: FeedbackKey) -> None:
    artifact, first = begin_artifact(stores, key)
    run = taken(stores, artifact.artifact_id, "shorter")
    stores.talks.apply(LOCAL_VIEWER, run, applied(run, first, "Short.\n"))
    stores.calls.keep(LOCAL_VIEWER, call_about_edit(run), "model", sent_call())
    stores.work.erase_person(LOCAL_VIEWER, key.learner_id)
    talk = stores.talks.conversation(LOCAL_VIEWER, artifact.artifact_id)
    assert {each.words for each in talk.messages} | {each.words for each in talk.suggestions} == {""}
    assert talk.revisions[0].facts.characters == 3
    (call,) = stores.calls.calls(LOCAL_VIEWER, CallUse.EDIT, run.conversation_id)
    assert (call.sent.request, call.subject.part) == (b"", run.run_id)


def test_a_text_of_the_teachers_is_edited_by_them_alone(stores: Stores, key: FeedbackKey) -> None:
    owned = Owned(learner_id=None, project_id=key.project_id)
    plan = written(author=VersionAuthor.TEACHER)
    artifact, first = stores.artifacts.begin(
        LOCAL_VIEWER, owned, plan, kind=ArtifactKind.LESSON_PLAN, file_name="plan.md"
    )
    run = taken(stores, artifact.artifact_id, "shorter")
    assert stores.calls.keep(LOCAL_VIEWER, call_about_edit(run), "model", sent_call())
    stores.talks.apply(LOCAL_VIEWER, run, applied(run, first, "Short.\n"))
    assert stores.ask("SELECT learner_id FROM model_call") == [(None,)]
    ada = Viewer(kind=ViewerKind.STUDENT, person_id="student", learner_ids=frozenset({key.learner_id}))
    for ask in (
        lambda: stores.talks.conversation(ada, artifact.artifact_id),
        lambda: stores.calls.calls(ada, CallUse.EDIT, run.conversation_id),
    ):
        with pytest.raises(AccessDenied):
            ask()


def test_a_run_that_ends_while_it_is_taken_for_an_orphan_ends_once(stores: Stores, key: FeedbackKey) -> None:
    artifact, first = begin_artifact(stores, key)
    run = taken(stores, artifact.artifact_id, "shorter")
    interrupting = threading.Thread(target=lambda: stores.talks.interrupt(LOCAL_VIEWER, run.run_id))

    class Meanwhile(tuple[NewMessage, ...]):
        """Messages that are written while somebody else ends the run."""

        __slots__ = ()

        def __iter__(self) -> Iterator[NewMessage]:
            interrupting.start()
            interrupting.join(0.5)  # it waits for this transaction
            return super().__iter__()

    stores.talks.apply(LOCAL_VIEWER, run, replace(applied(run, first, "Short.\n"), messages=Meanwhile()))
    interrupting.join()
    talk = stores.talks.conversation(LOCAL_VIEWER, artifact.artifact_id)
    assert [each.state for each in talk.suggestions] == [SuggestionState.APPLIED]
    assert talk.messages[-1].kind is MessageKind.APPLIED
    assert stores.ask("SELECT count(*) FROM lease") == [(0,)]


def test_an_edit_of_words_that_were_erased_cannot_be_taken_back(stores: Stores, key: FeedbackKey) -> None:
    owned = Owned(learner_id=None, project_id=key.project_id)
    one, other = (
        Viewer(kind=ViewerKind.TEACHER, person_id=name, project_ids=frozenset({key.project_id}))
        for name in ("one", "other")
    )
    artifact, first = stores.artifacts.begin(
        one, owned, written("Before.\n"), kind=ArtifactKind.ANNOUNCEMENT, file_name="plan.md"
    )
    stores.talks.suggest(other, artifact.artifact_id, "shorter", collect=True)
    run = stores.talks.take(other, artifact.artifact_id, LEASE)
    assert run is not None
    stores.talks.apply(other, run, applied(run, first, "After.\n"))
    (record,) = stores.talks.conversation(other, artifact.artifact_id).revisions
    stores.work.erase_person(LOCAL_VIEWER, "teacher:one")
    with pytest.raises(ArtifactRefused) as refused:
        stores.talks.undo(other, record.revision_id, VersionAuthor.TEACHER)
    assert refused.value.reason == "erased"
