"""Rows of the fault table: what a model service can do to a turn, through the real gateway over real sockets."""

from collections.abc import Sequence
from functools import partial

from engine.domain.session import Turn
from engine.domain.states import TurnState
from engine.llm.gateway import CallLimits, Gateway
from engine.scenarios.faults_row import FaultCase
from engine.scenarios.faults_scene import QUESTION, FaultScene, Seen
from engine.scenarios.stub_provider import StubAnswer, chunk, stub_provider, whole
from engine.settings import ModelServer, Secret

LIMITS = CallLimits(first_character_s=10, whole_turn_s=20, waits_s=(0.02, 0.02, 0.02))
"""Ours with short waits."""
IMPATIENT = CallLimits(first_character_s=0.4, whole_turn_s=5, waits_s=(0.02, 0.02, 0.02))
"""For a service that says nothing: ours, 50 times as fast."""
_BUSY_SECONDS = 600
"""Longer than a whole turn may take."""
_HALF = "Look at the first"
_LONG = "漢字 and words. " * 16_000
"""Some 200 kB."""
_HOSTILE = (
    "![x](http://evil.invalid/?q=secret)",
    "[click](javascript:alert(1))",
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
)
"""Kept to the letter: what is drawn of it is the page's to decide."""


def gateway_at(url: str, limits: CallLimits = LIMITS) -> Gateway:
    """The real gateway to a server on this machine."""
    return Gateway(server=ModelServer(url=url, name="stub", key=Secret("none")), limits=limits)


def _status(status: int, **headers: str) -> StubAnswer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return StubAnswer(status=status, headers={"Content-Type": "application/json", **named}, pieces=(b'{"error": {}}',))


def _fails(answers: Sequence[StubAnswer], limits: CallLimits, partial_words: str | None, scene: FaultScene) -> Seen:
    """Ask; the question must stay, and nothing of the fault may be stored as the tutor's words."""
    turns, turn = _ask(answers, limits, scene)
    kept = _is_one_end(turns) and turn.reply is None and turn.partial == partial_words
    return Seen(told=f"{turn.fault}: turn {turn.state}, {_tries(turn)}", kept=kept)


def _answers(answers: Sequence[StubAnswer], words: str, scene: FaultScene) -> Seen:
    """Ask; the answer must be stored to the letter."""
    turns, turn = _ask(answers, LIMITS, scene)
    stored = f"{len(turn.reply or '')} characters stored"
    return Seen(told=f"turn {turn.state}, {stored}, {_tries(turn)}", kept=_is_one_end(turns) and turn.reply == words)


def _ask(answers: Sequence[StubAnswer], limits: CallLimits, scene: FaultScene) -> tuple[list[Turn], Turn]:
    with stub_provider(*answers) as url, scene.rig.opened(gateway_at(url, limits)) as stage:
        turn = scene.ask(stage)
        return scene.new_turns(), turn


def _is_one_end(turns: Sequence[Turn]) -> bool:
    return [turn.question for turn in turns] == [QUESTION] and turns[0].state is not TurnState.OPEN


def _tries(turn: Turn) -> str:
    again = turn.tries[-1].retry_after_s if turn.tries else None
    count = f"{len(turn.tries)} {'try' if len(turn.tries) == 1 else 'tries'}"
    return count if again is None else f"{count}, again in {again:g} s"


def _failing(
    name: str,
    expected: str,
    *answers: StubAnswer,
    limits: CallLimits = LIMITS,
    kept: str | None = None,
) -> FaultCase:
    return FaultCase(name=f"the model service {name}", expected=expected, play=partial(_fails, answers, limits, kept))


def _answering(name: str, words: str, *before: StubAnswer) -> FaultCase:
    tries = f"{len(before) + 1} {'tries' if before else 'try'}"
    return FaultCase(
        name=f"the model service {name}",
        expected=f"turn done, {len(words)} characters stored, {tries}",
        play=partial(_answers, (*before, whole(words)), words),
    )


PROVIDER_CASES = (
    _failing("answers 401", "key_refused: turn failed, 1 try", _status(401)),
    _failing("answers 404", "model_unknown: turn failed, 1 try", _status(404)),
    _failing("answers 429", "rate_limited: turn failed, 4 tries", _status(429)),
    _failing(
        "answers 429 and names a late time",
        f"rate_limited: turn failed, 1 try, again in {_BUSY_SECONDS} s",
        _status(429, Retry_After=str(_BUSY_SECONDS)),
    ),
    _answering("answers 429 and names a near time", "Now I can.", _status(429, Retry_After="1")),
    _failing("answers 500", "provider_down: turn failed, 4 tries", _status(500)),
    _failing("sends a web page", "reply_broken: turn failed", StubAnswer(pieces=(b"<html>Welcome</html>",))),
    _failing("sends broken JSON", "reply_broken: turn failed", StubAnswer(pieces=(b'data: {"choices": [\n\n',))),
    _failing(
        "says nothing for 10 minutes", "timed_out: turn timed_out, 4 tries", StubAnswer(hangs=True), limits=IMPATIENT
    ),
    _failing(
        "sends half an answer", "reply_broken: turn failed, 1 try", StubAnswer(pieces=(chunk(_HALF),)), kept=_HALF
    ),
    _failing("sends an empty answer", "reply_empty: turn failed", whole("")),
    _failing("sends blanks only", "reply_empty: turn failed", whole(" ", "\n")),
    _answering("sends a picture", _HOSTILE[0]),
    _answering("sends a link", _HOSTILE[1]),
    _answering("sends raw HTML", _HOSTILE[2]),
    _answering("sends 200 kB", _LONG),
)
"""In the order of the table."""
