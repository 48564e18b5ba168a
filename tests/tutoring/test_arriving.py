"""The words of a reply are kept while it arrives, also where the model pauses."""

from pathlib import Path

from engine.domain.states import TurnState
from engine.llm.offline import offline_gateway
from tests.tutoring.room import a_gateway, opened_room, wait_until
from tests.tutoring.stream import Pausing


def test_a_model_that_pauses_after_its_first_words_does_not_hide_them(tmp_path: Path) -> None:
    model = Pausing("Look at the", " README.")
    with opened_room(tmp_path, a_gateway(model)) as room:
        turn_id = room.send(room.open(), "why?")
        wait_until(lambda: room.turn(turn_id).partial == "Look at the")
        assert room.turn(turn_id).state is TurnState.OPEN
        model.go_on.set()
        assert room.ended(turn_id).reply == "Look at the README."


def test_and_a_kill_in_that_pause_loses_none_of_them(tmp_path: Path) -> None:
    model = Pausing("Look at the", " README.")
    with opened_room(tmp_path, a_gateway(model)) as room:
        turn_id = room.send(room.open(), "why?")
        wait_until(lambda: room.turn(turn_id).partial is not None)
        room.later(seconds=60)
        room.beside(offline_gateway(delay_s=0)).space.worker.recover()
        ended = room.turn(turn_id)
        model.go_on.set()
    assert (ended.state, ended.partial) == (TurnState.INTERRUPTED, "Look at the")
