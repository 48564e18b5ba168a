"""Another model while a reply is being written."""

from pathlib import Path

from engine.domain.people import LOCAL_VIEWER
from engine.domain.states import TurnState
from engine.llm.gateway import Gateway
from engine.llm.models import Models
from engine.llm.scripted import ScriptedTransport
from engine.settings import ModelServer, ModelUse, Secret
from tests.tutoring.room import a_gateway, opened_room, wait_until
from tests.tutoring.stream import Waiting


def test_a_running_reply_ends_with_the_model_it_began_with_and_the_next_asks_the_new_one(tmp_path: Path) -> None:
    old, new = Waiting(), ScriptedTransport(["from the new one"])
    models = Models.of(a_gateway(old))
    server = ModelServer(url="http://new.invalid/v1", name="new-model", key=Secret("none"))
    with opened_room(tmp_path, models) as room:
        running = room.send(room.open(), "first?")
        wait_until(lambda: old.requests == 1)
        models.replace(dict.fromkeys(ModelUse, Gateway(server=server, transport=new)))
        after = room.ask(room.open(), "second?")
        old.go_on.set()
        before = room.ended(running)

        def asked(turn_id: str) -> str:
            receipt = room.space.sessions.receipt(LOCAL_VIEWER, turn_id)
            assert receipt is not None
            return receipt.model

        assert (before.state, before.reply) == (TurnState.DONE, "Look at the README, please.")
        assert (after.state, after.reply) == (TurnState.DONE, "from the new one")
        assert (asked(before.turn_id), asked(after.turn_id)) == ("some-model", "new-model")
        assert (old.requests, len(new.requests)) == (1, 1)
