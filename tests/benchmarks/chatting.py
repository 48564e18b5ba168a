"""How long a request takes in a chat that has just begun and in one that has gone on for years.

From the moment the student's message is taken until the bytes of the request have reached the model, stored as
the turn's receipt on the way: the product's own tutor, its gateway and its SDK, a model inside this process that
answers at once. Both chats stand in one database and take turns. Their turns have the same lengths, so that both
requests carry equally many.
"""

from pathlib import Path
from time import perf_counter

import httpx2

from engine.domain.states import TurnState
from engine.llm.in_process import InProcessTransport, text_response
from engine.wiring import new_id
from tests.benchmarks.bars import Times
from tests.benchmarks.filling import AT, filling, insert, text_row
from tests.tutoring.room import Room, a_gateway, opened_room

QUESTION = "Why is the criterion about the front page not met, and what should I write there first? ({number})"
REPLY = (
    "The review found a README, but it does not say how the shop is started ({number}). Open it and write one "
    "sentence on what the shop sells and one command that starts it on a new machine. Then run that command "
    "yourself in an empty folder: if it fails, the sentence was not true yet. What would a stranger type first?"
)
WARM_ROUNDS = 2
"""Not counted."""


class Listening(InProcessTransport):
    """A model that notes when the first request of a turn has come, and answers in a word.

    More may come in the same turn: a long chat is summarised once its reply has ended, which keeps nobody waiting.
    """

    def __init__(self) -> None:
        self.came_at: float | None = None

    async def answer(self, request: dict[str, object], body: bytes) -> httpx2.Response:  # noqa: ARG002
        self.came_at = self.came_at or perf_counter()
        return text_response(request, "Yes.")


def measure_requests(folder: Path, short: int, long: int, rounds: int) -> tuple[Times, Times]:
    """A request in a chat of `short` turns and one in a chat of `long`, `rounds` times each."""
    model = Listening()
    with opened_room(folder, a_gateway(model)) as room:
        chats = {turns: room.open() for turns in (short, long)}
        for turns, chat in chats.items():
            _fill(folder / "room.db", room, chat, turns)
    with opened_room(folder, a_gateway(model)) as room:
        taken: dict[int, list[float]] = {turns: [] for turns in chats}
        for _ in range(WARM_ROUNDS + rounds):
            for turns, chat in chats.items():
                taken[turns].append(_request(room, model, chat))
    first, second = (
        Times(name=f"request in a chat of {turns:,} turns", seconds=tuple(each[WARM_ROUNDS:]))
        for turns, each in taken.items()
    )
    return first, second


def _request(room: Room, model: Listening, chat: str) -> float:
    model.came_at = None
    begun = perf_counter()
    turn = room.ask(chat, "And what comes after that?")
    if turn.state is not TurnState.DONE or model.came_at is None:
        raise AssertionError(f"the turn ended as {turn.state}: {turn.fault}")
    return model.came_at - begun


def _fill(path: Path, room: Room, chat: str, turns: int) -> None:
    """Write answered turns, as the session store keeps them."""
    owner = room.key.learner_id
    said: list[tuple[str, int, str, str, str]] = []
    for number in range(1, turns + 1):
        turn_id = new_id()
        said.append((turn_id, 2 * number - 1, "user", new_id(), QUESTION.format(number=number)))
        said.append((turn_id, 2 * number, "assistant", new_id(), REPLY.format(number=number)))
    ids = [turn_id for turn_id, _, role, _, _ in said if role == "user"]
    with filling(path) as connection:
        insert(connection, "text", (text_row(text_id, owner, body) for _, _, _, text_id, body in said))
        insert(
            connection,
            "turn",
            (
                {"id": one, "conversation_id": chat, "number": number, "root_id": one, "started_at": AT}
                for number, one in enumerate(ids, 1)
            ),
        )
        insert(
            connection,
            "message",
            (
                {
                    "id": f"message-{text_id}",
                    "conversation_id": chat,
                    "seq": seq,
                    "turn_id": turn_id,
                    "role": role,
                    "text_id": text_id,
                    "written_at": AT,
                }
                for turn_id, seq, role, text_id, _ in said
            ),
        )
        insert(
            connection,
            "turn_end",
            ({"turn_id": one, "state": "done", "kind": "chat", "tries": "[]", "ended_at": AT} for one in ids),
        )
        for name, value in (("turn", turns), ("message", 2 * turns)):
            insert(connection, "counter", [{"name": f"{name}:{chat}", "value": value}])
