"""A long conversation, each placement of data, and nobody else's words: what really leaves the house."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing as closing_after
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain.data_message import DataKind, closing, opening
from engine.domain.people import LOCAL_VIEWER
from engine.domain.session import PartKind, Receipt, TurnEnd
from engine.domain.states import Role, TurnState
from engine.llm.offline import offline_gateway
from engine.llm.prompts.summary import SUMMARY_RULES
from engine.llm.prompts.tutor import TUTOR_RULES
from engine.llm.scripted import Fault, Reply, ScriptedTransport
from engine.settings import DataPlacement
from engine.tutoring.folding import SUMMARY_LIMIT
from engine.tutoring.receipt import sent_messages, shown_parts
from tests.tutoring.room import Room, Sent, a_gateway, contents, opened_room

OTHERS = ("BOBS-WORDS", "OTHER-PROJECT", "OTHER-CONVERSATION", "SYSTEM-ROW")
"""Words of which none may ever be sent in Ada's conversation."""
PADDING = "as I said before, "


def answering(request: Sent) -> Reply:
    """Long answers that name their question; summaries that name the last turn they were made from."""
    last = contents(request)[-1][1]
    if contents(request)[0][1] == SUMMARY_RULES:
        return f"SUMMARY of what was said. {PADDING * 100}"
    return f"answer to <{last.rsplit('#', 1)[-1].split('.')[0]}>. {PADDING * 20}"


def fill_with_others(room: Room) -> None:
    """Bob, another project and another conversation of Ada's, each long enough for a summary of its own."""
    places = {"BOBS-WORDS": room.at(learner="Bob"), "OTHER-PROJECT": room.at(project=1), "OTHER-CONVERSATION": room.key}
    for words, key in places.items():
        if key != room.key:
            room.review(room.hand_in(f"{words}.md", body=words, key=key))
        conversation = room.open(key)
        for number in range(2):
            room.ask(conversation, f"{words} {number} {PADDING * 300}")
        assert room.space.summaries.newest(LOCAL_VIEWER, conversation) is not None


def question(number: int, length: int = 30) -> str:
    return f"question #{number}. {PADDING * length}"


def say(room: Room, conversation: str, asked: str, reply: str) -> None:
    """A turn as it is stored, without asking any model."""
    turn = room.space.sessions.begin_turn(LOCAL_VIEWER, conversation, asked, room.space.worker.lease)
    room.space.sessions.end_turn(LOCAL_VIEWER, turn.turn_id, TurnEnd(state=TurnState.DONE, reply=reply))


def assert_whole(room: Room, receipt: Receipt, newest: str, placement: DataPlacement) -> None:
    """Block and newest message are there, whole turns in an unbroken row, roles as the placement says."""
    sent, shown = sent_messages(receipt), shown_parts(receipt)
    assert sent[0][0] == Role.SYSTEM and sent[0][1].startswith(TUTOR_RULES)
    assert [part.text for part in shown if part.kind is PartKind.FEEDBACK] == [room.block().text]
    assert (shown[-1].kind, shown[-1].text) == (PartKind.NEWEST, newest) and sent[-1][1].endswith(newest)
    assert_whole_turns(room, receipt)
    roles = [role for role, _ in sent]
    assert roles.count(Role.SYSTEM) == 1
    if placement is DataPlacement.MERGED:
        assert all(first != second for first, second in pairwise(roles))
    behind_rules = sent[0][1].removeprefix(TUTOR_RULES)
    assert (room.block().text in behind_rules) is (placement is DataPlacement.SYSTEM_SECTION)
    assert (behind_rules == "") is not (placement is DataPlacement.SYSTEM_SECTION)


def assert_whole_turns(room: Room, receipt: Receipt) -> None:
    last = room.turn(receipt.turn_id)
    before, count = room.space.sessions.turns_before(LOCAL_VIEWER, last, limit=500)
    parts = [part for part in shown_parts(receipt) if part.kind is PartKind.TURN]
    numbers = list(dict.fromkeys(part.turn_number for part in parts))
    kept = list(reversed(before[: len(numbers)]))
    assert numbers == [turn.number for turn in kept]
    assert [part.text for part in parts] == [
        text for turn in kept for text in (turn.question, turn.reply) if text is not None
    ]
    facts = receipt.facts
    assert facts.summary_turns + facts.left_out_turns + len(kept) == count
    assert facts.history_tokens <= facts.history_limit == 4000


@pytest.fixture(scope="module")
def talked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Room, str]]:
    """A room in which 188 turns of a conversation were said, beside everybody else's; to be copied."""
    with opened_room(tmp_path_factory.mktemp("talked"), a_gateway(ScriptedTransport(answering))) as room:
        fill_with_others(room)
        room.review(room.hand_in("other.md"))
        conversation = room.open()
        room.space.sessions.add_note(LOCAL_VIEWER, conversation, "SYSTEM-ROW")
        for number in range(1, 189):
            say(room, conversation, question(number), f"answer {number}. {PADDING * 20}")
        yield room, conversation


def copied(room: Room, folder: Path) -> Room:
    """The same room on a copy of its database; it is closed with the first."""
    copy = folder / "copy.db"
    with (
        closing_after(sqlite3.connect(room.url.removeprefix("sqlite:///"))) as original,
        closing_after(sqlite3.connect(copy)) as into,
    ):
        original.backup(into)
    return replace(room, url=f"sqlite:///{copy}")


@pytest.mark.parametrize("placement", DataPlacement)
def test_two_hundred_long_turns(talked: tuple[Room, str], tmp_path: Path, placement: DataPlacement) -> None:
    first, conversation = talked
    transport = ScriptedTransport(answering)
    room = copied(first, tmp_path).beside(a_gateway(transport), placement=placement)
    for number in range(189, 201):
        turn = room.ask(conversation, question(number))
        assert turn.state is TurnState.DONE
        receipt = room.space.sessions.receipt(LOCAL_VIEWER, turn.turn_id)
        assert_whole(room, receipt, question(number), placement)
    mine = [body.decode() for body in transport.bodies]
    (summary,) = [part for part in shown_parts(receipt) if part.kind is PartKind.SUMMARY]
    assert [words for words in OTHERS if any(words in body for body in mine)] == []
    summarised = receipt.facts.summary_turns
    assert summarised > 180 and summary.tokens <= SUMMARY_LIMIT and summary.turn_number == summarised
    assert receipt.facts.left_out_turns == 0
    assert summary.text.startswith(opening(DataKind.SUMMARY)) and summary.text.endswith(closing(DataKind.SUMMARY))


def test_the_offline_tutor_knows_the_review_whatever_placement_is_set(tmp_path: Path) -> None:
    with opened_room(tmp_path) as first:
        room = first.beside(offline_gateway(delay_s=0), placement=DataPlacement.MERGED)
        room.review(room.hand_in("other.md"))
        reply = room.ask(room.open(), "What should I do now?").reply
    assert reply is not None and "There is no" not in reply and "notes.md" in reply


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Room, str]]:
    """A room in which Bob has spoken and Ada has a review and an empty conversation; to be copied."""
    with opened_room(tmp_path_factory.mktemp("begun"), a_gateway(ScriptedTransport(answering))) as room:
        room.ask(room.open(room.at(learner="Bob")), f"BOBS-WORDS {PADDING * 200}")
        room.review(room.hand_in("other.md"))
        yield room, room.open()


TURN = st.tuples(st.integers(0, 260), st.sampled_from(["answer", "answer", "answer", "fail"]))


@settings(max_examples=8, deadline=None)
@given(st.lists(TURN, min_size=2, max_size=9), st.sampled_from(DataPlacement), st.booleans())
def test_any_conversation(
    tmp_path_factory: pytest.TempPathFactory,
    begun: tuple[Room, str],
    said: list[tuple[int, str]],
    placement: DataPlacement,
    is_ill: bool,
) -> None:
    def reply(request: Sent) -> Reply:
        if is_ill and contents(request)[0][1] == SUMMARY_RULES:
            return Fault(status=400)
        return Fault(status=400) if "FAIL" in contents(request)[-1][1].rsplit("question", 1)[-1] else answering(request)

    transport = ScriptedTransport(reply)
    first, conversation = begun
    room = copied(first, tmp_path_factory.mktemp("any")).beside(a_gateway(transport), placement=placement)
    for number, (length, ending) in enumerate(said, start=1):
        asked = question(number, length) + ("FAIL" if ending == "fail" else "")
        turn = room.ask(conversation, asked)
        assert turn.state is (TurnState.FAILED if ending == "fail" else TurnState.DONE)
        receipt = room.space.sessions.receipt(LOCAL_VIEWER, turn.turn_id)
        assert_whole(room, receipt, asked, placement)
    mine = "".join(json.dumps(request) for request in transport.requests)
    assert "BOBS-WORDS" not in mine
    assert not is_ill or opening(DataKind.SUMMARY) + '\\n{\\"summarised' not in mine
