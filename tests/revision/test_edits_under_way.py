"""While an edit is under way, or between two: what is collected, erased or taken back."""

import threading
from collections.abc import Callable
from pathlib import Path

from engine.domain.artifact import VersionAuthor
from engine.domain.data_message import DataKind
from engine.domain.edit import SuggestionState
from engine.domain.people import LOCAL_VIEWER
from engine.llm.scripted import Reply
from tests.revision.editing import answer, data_of, op, opened_desk, scripted_desk
from tests.revision.texts import GUIDE
from tests.tutoring.room import wait_until

SHORTER = op("replace", 5, "Install Python.")
"""Block 5 is the third paragraph."""
DONE = GUIDE.replace("Install Python first.", "Install Python.")
GARBAGE = "Here is your new text!"


def test_the_offline_editor_has_no_window(tmp_path: Path) -> None:
    long = "\n\n".join(f"Paragraph {number} says something about the shop." for number in range(1, 2_000)) + "\n"
    with opened_desk(tmp_path, body=long) as desk:
        assert desk.ask("replace “shop” with “store”").state is SuggestionState.APPLIED
        assert desk.newest.body == long.replace("shop", "store")


def held(go_on: threading.Event, *answers: str) -> Callable[[dict[str, object]], Reply]:
    """Answers of the editor one after another, as soon as it may; there is nothing to learn."""
    left = list(answers)

    def reply(request: dict[str, object]) -> Reply:
        assert go_on.wait(10)
        return left.pop(0) if data_of(request, DataKind.ASKED) else GARBAGE

    return reply


def test_what_is_collected_while_an_edit_is_under_way_waits_for_the_person(tmp_path: Path) -> None:
    go_on = threading.Event()
    with scripted_desk(tmp_path, held(go_on, answer(SHORTER), answer(op("delete", 12, body=DONE)))) as desk:
        editor, artifact_id, worker = desk.space.editor, desk.artifact.artifact_id, desk.space.worker
        editor.suggest(LOCAL_VIEWER, artifact_id, "make the third paragraph shorter", worker, collect=False)
        later = editor.suggest(LOCAL_VIEWER, artifact_id, "delete the last paragraph", worker, collect=True)
        go_on.set()
        desk.settle()
        worker.wait(desk.record.run_id, 10)
        assert (desk.suggestion(later.suggestion_id).state, len(desk.versions)) == (SuggestionState.COLLECTED, 2)
        editor.apply_waiting(LOCAL_VIEWER, artifact_id, worker)
        desk.settle()
        assert desk.suggestion(later.suggestion_id).state is SuggestionState.APPLIED


def test_apply_now_while_an_edit_is_under_way_takes_what_was_collected_along(tmp_path: Path) -> None:
    go_on = threading.Event()
    both = answer(op("delete", 12, body=DONE), op("title", text="The shop", follows=2))
    with scripted_desk(tmp_path, held(go_on, answer(SHORTER), both)) as desk:
        editor, artifact_id, worker = desk.space.editor, desk.artifact.artifact_id, desk.space.worker
        editor.suggest(LOCAL_VIEWER, artifact_id, "make the third paragraph shorter", worker, collect=False)
        later = editor.suggest(LOCAL_VIEWER, artifact_id, "delete the last paragraph", worker, collect=True)
        editor.suggest(LOCAL_VIEWER, artifact_id, "only the title: The shop", worker, collect=False)
        assert desk.suggestion(later.suggestion_id).state is SuggestionState.WAITING
        go_on.set()
        wait_until(lambda: len(desk.versions) == 3)
        assert desk.suggestion(later.suggestion_id).state is SuggestionState.APPLIED


def test_to_try_again_is_about_one_suggestion_and_applies_nothing_that_is_collected(tmp_path: Path) -> None:
    with scripted_desk(tmp_path, [GARBAGE, GARBAGE, answer(SHORTER)]) as desk:
        failed = desk.ask("make the third paragraph shorter")
        collected = desk.ask("delete the last paragraph", collect=True)
        desk.space.editor.retry(LOCAL_VIEWER, failed.suggestion_id, desk.space.worker)
        desk.settle()
        assert desk.suggestion(failed.suggestion_id).state is SuggestionState.APPLIED
        assert desk.suggestion(collected.suggestion_id).state is SuggestionState.COLLECTED


def test_words_that_are_erased_while_an_edit_is_under_way_do_not_come_back(tmp_path: Path) -> None:
    def meanwhile(_request: dict[str, object]) -> Reply:
        desk.space.work.erase_person(LOCAL_VIEWER, desk.room.key.learner_id)
        return answer(SHORTER)

    with scripted_desk(tmp_path, meanwhile) as desk:
        asked = desk.ask("make the third paragraph shorter")
        assert (asked.state, asked.fault) == (SuggestionState.FAILED, "erased")
        assert [(version.body, version.is_erased) for version in desk.versions] == [("", True)]


def test_a_text_whose_words_were_erased_is_not_sent_to_a_model(tmp_path: Path) -> None:
    with scripted_desk(tmp_path, [answer(SHORTER)]) as desk:
        desk.space.work.erase_person(LOCAL_VIEWER, desk.room.key.learner_id)
        asked = desk.ask("make it shorter")
        assert (asked.state, asked.fault) == (SuggestionState.FAILED, "erased")
        assert desk.transport is not None
        assert desk.transport.requests == []


def test_the_editor_is_told_what_was_taken_back(tmp_path: Path) -> None:
    go_on = threading.Event()
    go_on.set()
    with scripted_desk(tmp_path, held(go_on, answer(SHORTER), answer(op("delete", 12)))) as desk:
        desk.ask("make the third paragraph shorter")
        desk.space.editor.undo(LOCAL_VIEWER, desk.record.revision_id, VersionAuthor.STUDENT)
        desk.ask("delete the last paragraph")
        assert desk.transport is not None
        told = [data_of(request, DataKind.EARLIER) for request in desk.transport.requests]
        earlier = next(data for data in told if data)["messages"]
        assert isinstance(earlier, list)
        assert earlier[1:] == [
            {"from": "editor", "text": "V1 -> V2"},
            {"from": "writer", "text": "taken back: V3 is V1 again"},
        ]
