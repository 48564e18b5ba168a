"""Editing by conversation: each step of it, and that a text never changes but by what was asked."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.domain.artifact import NewVersion, VersionAuthor, VersionReason
from engine.domain.data_message import DataKind
from engine.domain.edit import ChangeFacts, MessageKind, SuggestionState
from engine.domain.people import LOCAL_VIEWER, Viewer
from engine.domain.preference import Dimension, StyleRule, preferences_payload
from engine.domain.states import Role
from engine.errors import StaleBase, WordsRefused
from engine.jobs.worker import Worker
from engine.llm.gateway import CallLimits
from engine.llm.scripted import Fault, Reply
from engine.revision.editing.edit_judge import QUESTION_CHARACTERS
from engine.revision.editing.editing_store import SUGGESTION_LIMIT
from engine.revision.editing.editor import AppliedEdit
from tests.revision.editing import answer, data_of, op, opened_desk, scripted_desk
from tests.revision.texts import GUIDE
from tests.tutoring.room import wait_until

SHORTER = op("replace", 5, "Install Python.")
"""Block 5 is the third paragraph."""
DONE = GUIDE.replace("Install Python first.", "Install Python.")


def test_a_suggestion_becomes_a_version_a_record_and_an_answer(tmp_path: Path) -> None:
    with scripted_desk(tmp_path, [answer(SHORTER)]) as desk:
        asked = desk.ask("make the third paragraph shorter")
        assert asked.state is SuggestionState.APPLIED
        assert (desk.newest.number, desk.newest.body) == (2, DONE)
        assert (desk.newest.author, desk.newest.reason) == (VersionAuthor.MODEL, VersionReason.ASKED)
        assert desk.newest.note == "make the third paragraph shorter"
        assert (desk.record.from_number, desk.record.to_number) == (1, 2)
        facts = desk.record.facts
        assert facts.done == (ChangeFacts(verb="replace", block=5, paragraph=3),)
        assert (facts.locality, facts.structure_kept, facts.is_scoped, facts.is_offline) == (1.0, True, True, False)
        assert facts.characters == len(DONE) - len(GUIDE)
        assert desk.kinds() == [MessageKind.WELCOME, MessageKind.SUGGESTION, MessageKind.APPLIED]
        assert (desk.last.facts.number, desk.last.facts.other) == (1, 2)


def test_the_answer_shows_a_short_text_whole(tmp_path: Path) -> None:
    short = op("replace", 1, "Short.", body="Long is it.\n")
    with scripted_desk(tmp_path, [answer(short)], body="Long is it.\n") as desk:
        desk.ask("shorter")
        assert desk.last.words == "Short.\n"


def test_a_long_text_is_cut_at_two_hundred_characters(tmp_path: Path) -> None:
    with scripted_desk(tmp_path, [answer(SHORTER)]) as desk:
        desk.ask("make the third paragraph shorter")
        assert desk.last.words == DONE[:200] + "…"


def test_collected_suggestions_are_acknowledged_and_applied_together(tmp_path: Path) -> None:
    both = answer(SHORTER, op("delete", 12, follows=2))
    with scripted_desk(tmp_path, [both]) as desk:
        first = desk.ask("make the third paragraph shorter", collect=True)
        second = desk.ask("delete the last paragraph", collect=True)
        assert [first.state, second.state] == [SuggestionState.COLLECTED] * 2
        assert (desk.last.kind, desk.last.facts.count, len(desk.versions)) == (MessageKind.COLLECTED, 2, 1)
        desk.space.editor.apply_waiting(LOCAL_VIEWER, desk.artifact.artifact_id, desk.space.worker)
        desk.settle()
        assert len(desk.versions) == 2
        assert desk.record.facts.suggestion_ids == (first.suggestion_id, second.suggestion_id)
        assert desk.newest.note == "make the third paragraph shorter\ndelete the last paragraph"


def test_apply_now_takes_what_was_collected_along(tmp_path: Path) -> None:
    with scripted_desk(tmp_path, [answer(SHORTER, op("delete", 12, follows=2))]) as desk:
        first = desk.ask("make the third paragraph shorter", collect=True)
        desk.ask("delete the last paragraph")
        assert desk.suggestion(first.suggestion_id).state is SuggestionState.APPLIED


def test_the_editor_is_given_blocks_scopes_earlier_words_and_rules_as_data(tmp_path: Path) -> None:
    rule = StyleRule(rule_id="r", dimension=Dimension.TONE, sentence="Friendly, without jargon.")
    with scripted_desk(tmp_path, [answer(SHORTER), answer(op("title", text="The shop"))]) as desk:
        desk.with_(rules=lambda _viewer, _artifact: [rule] * 9)
        desk.ask("make the third paragraph shorter")
        desk.ask("only the title: The shop")
        assert desk.transport is not None
        request = desk.transport.requests[1]
        text, asked = data_of(request, DataKind.TEXT), data_of(request, DataKind.ASKED)
        blocks = text["blocks"]
        assert isinstance(blocks, list)
        assert blocks[4] == {"number": 5, "kind": "paragraph", "text": "Install Python."}
        assert asked["suggestions"] == [
            {
                "number": 1,
                "text": "only the title: The shop",
                "may_change": [1],
                "may_change_title": True,
                "keeps_structure": False,
            }
        ]
        earlier = data_of(request, DataKind.EARLIER)["messages"]
        assert earlier == [
            {"from": "writer", "text": "make the third paragraph shorter"},
            {"from": "editor", "text": "V1 -> V2"},
        ]
        assert data_of(request, DataKind.PREFERENCES) == preferences_payload([rule] * 8)
        assert desk.calls[-1].sent.request == desk.transport.bodies[1]
        assert [call.subject.part for call in desk.calls] == [each.run_id for each in desk.talk.revisions]


def test_rules_that_cannot_be_read_hold_up_no_edit(tmp_path: Path) -> None:
    def broken(*_given: object) -> list[StyleRule]:
        raise RuntimeError("no rules today")

    with scripted_desk(tmp_path, [answer(SHORTER)]) as desk:
        desk.with_(rules=broken)
        assert desk.ask("make the third paragraph shorter").state is SuggestionState.APPLIED


def test_what_names_a_part_that_is_not_there_is_asked_back_without_the_model(tmp_path: Path) -> None:
    with scripted_desk(tmp_path, []) as desk:
        asked = desk.ask("make paragraph 9 shorter")
        assert (asked.state, asked.fault) == (SuggestionState.NEEDS_SCOPE, "no_such_paragraph")
        assert (desk.last.kind, desk.last.words, desk.last.facts.count) == (MessageKind.ASKED, "paragraph 9", 6)
        assert len(desk.versions) == 1


def test_what_is_clear_is_done_beside_what_must_be_asked_back(tmp_path: Path) -> None:
    with scripted_desk(tmp_path, [answer(SHORTER)]) as desk:
        unclear = desk.ask("make paragraph 9 shorter", collect=True)
        clear = desk.ask("make the third paragraph shorter")
        assert clear.state is SuggestionState.APPLIED
        assert desk.suggestion(unclear.suggestion_id).state is SuggestionState.NEEDS_SCOPE
        assert desk.newest.body == DONE


def test_what_reaches_too_far_is_left_out_and_told_without_another_request(tmp_path: Path) -> None:
    with scripted_desk(tmp_path, [answer(SHORTER, op("replace", 2, "Mine."))]) as desk:
        desk.ask("make the third paragraph shorter")
        assert desk.newest.body == DONE
        assert desk.record.facts.refused == (
            ChangeFacts(verb="replace", block=2, paragraph=1, refusal="outside_scope"),
        )


def test_what_does_not_match_is_asked_for_once_more_with_the_reason(tmp_path: Path) -> None:
    wrong = op("replace", 6, "Install Python.", begins="Install Python first.")
    with scripted_desk(tmp_path, [answer(wrong), answer(SHORTER)]) as desk:
        desk.ask("make the third paragraph shorter")
        assert desk.newest.body == DONE
        assert [each.refusal for each in desk.record.facts.mended] == ["does_not_match"]
        assert desk.transport is not None
        assert "replace of block 6: does not match" in str(desk.transport.requests[1])


def test_what_was_right_at_first_stays_right_when_the_second_answer_is_worse(tmp_path: Path) -> None:
    first = answer(SHORTER, op("replace", 5, "Again."))
    with scripted_desk(tmp_path, [first, "no JSON at all"]) as desk:
        assert desk.ask("make the third paragraph shorter").state is SuggestionState.APPLIED
        assert desk.newest.body == DONE


def test_a_question_of_the_editor_is_passed_on_and_changes_nothing(tmp_path: Path) -> None:
    with scripted_desk(tmp_path, [answer(question="Which course do you mean?")]) as desk:
        asked = desk.ask("name the course")
        assert (asked.state, desk.last.kind) == (SuggestionState.NEEDS_SCOPE, MessageKind.ASKED)
        assert (desk.last.words, len(desk.versions)) == ("Which course do you mean?", 1)


def test_of_an_endless_question_the_beginning_is_kept(tmp_path: Path) -> None:
    with scripted_desk(tmp_path, [answer(question="Which? " * 300)]) as desk:
        desk.ask("name the course")
        assert len(desk.last.words) == QUESTION_CHARACTERS


def test_a_suggestion_that_was_not_followed_is_told_beside_one_that_was(tmp_path: Path) -> None:
    with scripted_desk(tmp_path, [answer(SHORTER)]) as desk:
        first = desk.ask("make the third paragraph shorter", collect=True)
        second = desk.ask("fix the spelling")
        assert desk.suggestion(first.suggestion_id).state is SuggestionState.APPLIED
        assert (second.state, second.fault) == (SuggestionState.FAILED, "not_followed")


GARBAGE = "Here is your new text! It is much better now."
FAULTS: dict[str, tuple[list[Reply], str]] = {
    "a time-out": ([Fault(status=200, delay_s=5)], "timed_out"),
    "prose twice": ([GARBAGE, GARBAGE], "unusable"),
    "the whole text for one block": ([answer(op("replace", 5, GUIDE))] * 2, "unusable"),
    "nothing at all": ([answer(), answer()], "unusable"),
    "an empty answer": (["", "", "", ""], "reply_empty"),
    "a refused key": ([Fault(status=401, body=b"{}")], "key_refused"),
    "an unknown model": ([Fault(status=404, body=b"{}")], "model_unknown"),
    "a broken server": ([Fault(status=500, body=b"{}")] * 4, "provider_down"),
    "a busy server": ([Fault(status=429, body=b"{}")] * 4, "rate_limited"),
    "an error of ours": ([], "internal"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_whatever_fails_leaves_the_text_and_keeps_the_suggestion(tmp_path: Path, name: str) -> None:
    replies, fault = FAULTS[name]
    limits = CallLimits(first_character_s=0.2, waits_s=()) if name == "a time-out" else None
    with scripted_desk(tmp_path, replies, limits=limits) as desk:
        asked = desk.ask("make the third paragraph shorter")
        assert (asked.state, asked.fault) == (SuggestionState.FAILED, fault)
        assert (desk.last.kind, desk.last.role, desk.last.facts.fault) == (MessageKind.FAILED, Role.ASSISTANT, fault)
        assert [version.body for version in desk.versions] == [GUIDE]
        assert asked.words == "make the third paragraph shorter"


def test_a_suggestion_that_failed_can_be_tried_again(tmp_path: Path) -> None:
    with scripted_desk(tmp_path, [GARBAGE, GARBAGE, answer(SHORTER)]) as desk:
        asked = desk.ask("make the third paragraph shorter")
        desk.space.editor.retry(LOCAL_VIEWER, asked.suggestion_id, desk.space.worker)
        desk.settle()
        assert desk.suggestion(asked.suggestion_id).state is SuggestionState.APPLIED
        assert desk.newest.body == DONE


def test_a_version_that_came_meanwhile_is_not_written_over(tmp_path: Path) -> None:
    def meanwhile(_request: dict[str, object]) -> Reply:
        desk.save("By hand.\n")
        return answer(SHORTER)

    with scripted_desk(tmp_path, meanwhile) as desk:
        asked = desk.ask("make the third paragraph shorter")
        assert (asked.state, asked.fault) == (SuggestionState.FAILED, "stale_base")
        assert [version.body for version in desk.versions] == [GUIDE, "By hand.\n"]


def test_an_edit_is_taken_back_by_one_more_version_and_only_while_it_is_the_newest(tmp_path: Path) -> None:
    with scripted_desk(tmp_path, [answer(SHORTER), answer(SHORTER)]) as desk:
        desk.ask("make the third paragraph shorter")
        revision_id = desk.record.revision_id
        saved = desk.space.editor.undo(LOCAL_VIEWER, revision_id, VersionAuthor.STUDENT)
        assert (saved.version.number, saved.version.body, saved.version.reason) == (3, GUIDE, VersionReason.RESTORED)
        assert (desk.last.kind, desk.last.facts.number, desk.last.facts.other) == (MessageKind.UNDONE, 1, 3)
        with pytest.raises(StaleBase):
            desk.space.editor.undo(LOCAL_VIEWER, revision_id, VersionAuthor.STUDENT)
        assert len(desk.versions) == 3


def test_what_is_asked_while_an_edit_is_under_way_follows_it(tmp_path: Path) -> None:
    go_on = threading.Event()

    def slow(request: dict[str, object]) -> Reply:
        if "third" in str(data_of(request, DataKind.ASKED)):
            assert go_on.wait(10)
            return answer(SHORTER)
        return answer(op("delete", 12, body=DONE))

    with scripted_desk(tmp_path, slow) as desk:
        editor, artifact_id, worker = desk.space.editor, desk.artifact.artifact_id, desk.space.worker
        editor.suggest(LOCAL_VIEWER, artifact_id, "make the third paragraph shorter", worker, collect=False)
        second = editor.suggest(LOCAL_VIEWER, artifact_id, "delete the last paragraph", worker, collect=False)
        again = editor.suggest(LOCAL_VIEWER, artifact_id, "delete the last paragraph", worker, collect=False)
        assert again.suggestion_id == second.suggestion_id
        assert desk.suggestion(second.suggestion_id).state is SuggestionState.WAITING
        go_on.set()
        wait_until(lambda: len(desk.versions) == 3)
        assert desk.newest.body == DONE.replace("\nHave fun with it.\n", "")


def test_a_run_whose_worker_is_gone_ends_with_its_suggestion_kept(tmp_path: Path) -> None:
    with scripted_desk(tmp_path, [answer(SHORTER)]) as desk:
        space = desk.space
        asked = space.edits.suggest(LOCAL_VIEWER, desk.artifact.artifact_id, "shorter", collect=False)
        run = space.edits.take(LOCAL_VIEWER, desk.artifact.artifact_id, space.worker.lease)
        assert run is not None
        desk.room.later(60)
        assert space.worker.recover() == 1
        ended = desk.suggestion(asked.suggestion_id)
        assert (ended.state, ended.fault, desk.last.facts.fault) == (
            SuggestionState.FAILED,
            "interrupted",
            "interrupted",
        )
        assert space.editor.follow(LOCAL_VIEWER, run) is None
        assert len(desk.versions) == 1
        assert space.worker.recover() == 0


def test_learning_that_fails_never_touches_the_edit(tmp_path: Path) -> None:
    told: list[tuple[str, ...]] = []

    def broken(_viewer: Viewer, applied: AppliedEdit) -> None:
        told.append(applied.suggestions)
        raise RuntimeError("nothing learned")

    with scripted_desk(tmp_path, [answer(SHORTER)]) as desk:
        desk.with_(learn=broken)
        assert desk.ask("make the third paragraph shorter").state is SuggestionState.APPLIED
        wait_until(lambda: told == [("make the third paragraph shorter",)])
        assert desk.newest.body == DONE


class _OnlyOnce(Worker):
    """A worker that takes one job and then no more, as one that is closing."""

    is_full = False

    def submit(self, subject_id: str, job: Callable[[], object]) -> None:
        if self.is_full:
            raise RuntimeError("no more jobs")
        self.is_full = True
        super().submit(subject_id, job)


def test_an_edit_is_learned_from_also_where_what_waits_behind_it_cannot_begin(tmp_path: Path) -> None:
    told: list[tuple[str, ...]] = []
    go_on = threading.Event()

    def slow(_request: dict[str, object]) -> Reply:
        assert go_on.wait(10)
        return answer(SHORTER)

    with scripted_desk(tmp_path, slow) as desk:
        desk.with_(learn=lambda _viewer, applied: told.append(applied.suggestions))
        worker = _OnlyOnce(desk.space.worker._leases, holder="closing", end_orphan=lambda _orphan: None)
        artifact_id = desk.artifact.artifact_id
        desk.editor.suggest(LOCAL_VIEWER, artifact_id, "make the third paragraph shorter", worker, collect=False)
        desk.editor.suggest(LOCAL_VIEWER, artifact_id, "delete the last paragraph", worker, collect=False)
        go_on.set()
        wait_until(lambda: told == [("make the third paragraph shorter",)])
        worker.close()
        assert desk.newest.body == DONE


@pytest.mark.parametrize("words", ["", " \n", "x" * (SUGGESTION_LIMIT + 1)])
def test_words_that_are_no_suggestion_are_refused(tmp_path: Path, words: str) -> None:
    with opened_desk(tmp_path) as desk:
        with pytest.raises(WordsRefused):
            desk.ask(words)
        assert desk.talk.conversation_id is None


def test_a_suggestion_can_be_put_away(tmp_path: Path) -> None:
    with scripted_desk(tmp_path, []) as desk:
        asked = desk.ask("fix the spelling", collect=True)
        desk.space.editor.withdraw(LOCAL_VIEWER, asked.suggestion_id)
        assert desk.suggestion(asked.suggestion_id).state is SuggestionState.WITHDRAWN
        assert desk.space.editor.apply_waiting(LOCAL_VIEWER, desk.artifact.artifact_id, desk.space.worker) is None


def test_the_offline_editor_does_what_needs_no_understanding_and_says_what_does(tmp_path: Path) -> None:
    with opened_desk(tmp_path) as desk:
        done = desk.ask("delete the last paragraph")
        assert done.state is SuggestionState.APPLIED
        assert desk.record.facts.is_offline
        asked = desk.ask("make it livelier")
        assert (asked.state, asked.fault) == (SuggestionState.FAILED, "needs_model")
        assert len(desk.versions) == 2


@pytest.mark.parametrize(
    ("words", "fault", "about"),
    [
        ("replace “kiosk” with “desk”", "not_in_text", "kiosk"),
        ("replace “installer” with “program” in the last paragraph", "not_in_part", "installer"),
        ("把“kiosk”换成“desk”", "not_in_text", "kiosk"),
        ("replace PYTHON with Java", "other_letters", "PYTHON\nPython"),
        ("remove the emoji", "already_so", ""),
        ("replace “art” with “craft”", "not_in_text", "art"),
    ],
    ids=["nowhere", "elsewhere", "nowhere, in Chinese", "other letters", "nothing to do", "inside a longer word only"],
)
def test_the_offline_editor_says_that_words_are_not_there_and_keeps_the_request(
    tmp_path: Path, words: str, fault: str, about: str
) -> None:
    with opened_desk(tmp_path) as desk:
        asked = desk.ask(words)
        assert (asked.state, asked.fault, asked.words) == (SuggestionState.FAILED, fault, words)
        told = desk.talk.messages[-1]
        assert (told.facts.fault, told.words, told.suggestion_id) == (fault, about, asked.suggestion_id)
        assert len(desk.versions) == 1


def test_of_several_requests_each_that_names_absent_words_is_told_by_itself_and_the_rest_is_done(
    tmp_path: Path,
) -> None:
    with opened_desk(tmp_path) as desk:
        first, second = (desk.ask(f"replace “{one}” with “x”", collect=True) for one in ("kiosk", "counter"))
        desk.ask("make it livelier", collect=True)
        desk.ask("make it funnier", collect=True)
        desk.ask("delete the last paragraph")
        faults = [each for each in desk.talk.messages if each.kind is MessageKind.FAILED]
        assert [(each.words, each.suggestion_id) for each in faults] == [
            ("kiosk", first.suggestion_id),
            ("counter", second.suggestion_id),
            ("", None),
        ]
        assert len(desk.versions) == 2


def test_the_offline_editor_has_no_window_that_a_long_text_could_not_fit(tmp_path: Path) -> None:
    with opened_desk(tmp_path) as desk:
        newest = desk.versions[-1]
        body = "\n\n".join(f"Paragraph {n} of a long text that somebody has written." for n in range(1_600))
        new = NewVersion(title="", body=body, author=VersionAuthor.STUDENT, reason=VersionReason.EDITED)
        desk.space.artifacts.save(LOCAL_VIEWER, desk.artifact.artifact_id, newest.version_id, new)
        assert desk.ask("replace “Paragraph 1599” with “The last one”").state is SuggestionState.APPLIED


@pytest.mark.parametrize("words", ["删除第三段", "除了第三段，其他都不要动，把第三段删掉"])
def test_what_is_to_be_deleted_is_not_taken_for_an_exception(tmp_path: Path, words: str) -> None:
    with opened_desk(tmp_path) as desk:
        assert desk.ask(words).state is SuggestionState.APPLIED
        assert desk.newest.body == GUIDE.replace("Install Python first.\n\n", "")
