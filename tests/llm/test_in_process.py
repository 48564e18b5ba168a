import asyncio
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain.session import Usage
from engine.llm.in_process import Pace, text_response

STREAM = {"model": "m", "stream": True, "stream_options": {"include_usage": True}}


def events(text: str, *, usage: Usage, pace: Pace, request: dict[str, object] | None = None) -> list[str]:
    async def read() -> str:
        response = text_response(request or dict(STREAM), text, usage=usage, pace=pace)
        return (await response.aread()).decode()

    return [event.removeprefix("data: ") for event in asyncio.run(read()).split("\n\n")[:-1]]


@settings(max_examples=50, deadline=None)
@given(text=st.text(st.characters(exclude_categories=["Cs"])), piece_chars=st.integers(1, 9))
def test_the_pieces_of_a_stream_make_the_text(text: str, piece_chars: int) -> None:
    *told, done = events(text, usage=Usage(), pace=Pace(piece_chars=piece_chars))
    choices = [choice for event in told for choice in json.loads(event)["choices"]]
    assert "".join(choice["delta"].get("content", "") for choice in choices) == text
    assert [choice["finish_reason"] for choice in choices][-1] == "stop"
    assert done == "[DONE]"


@pytest.mark.parametrize(
    ("usage", "options", "told"),
    [
        pytest.param(Usage(input_tokens=3, output_tokens=2), {"include_usage": True}, True, id="asked and known"),
        pytest.param(Usage(input_tokens=3, output_tokens=2), {}, False, id="not asked"),
        pytest.param(Usage(), {"include_usage": True}, False, id="not known"),
    ],
)
def test_usage_is_told_when_it_is_asked_for_and_known(usage: Usage, options: dict[str, bool], told: bool) -> None:
    request: dict[str, object] = {"stream": True, "stream_options": options}
    assert any('"usage"' in event for event in events("hi", usage=usage, pace=Pace(), request=request)) is told


def test_the_pace_waits_before_each_piece() -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    events("abcdefgh", usage=Usage(), pace=Pace(piece_chars=3, delay_s=0.5, sleep=sleep))
    assert waits == [0.5, 0.5, 0.5]
