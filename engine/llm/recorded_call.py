"""One request whose answer is read to its end, and that can be told afterwards: its bytes, tries and words."""

from collections.abc import Sequence
from contextlib import aclosing

from openai.types.chat.completion_create_params import ResponseFormat

from engine.domain.model_call import SentCall
from engine.domain.session import ChatMessage
from engine.llm.gateway import Gateway
from engine.llm.transport import BeforeSend


class RecordedCall:
    """Reads one answer and remembers what was sent for it."""

    def __init__(
        self,
        gateway: Gateway,
        messages: Sequence[ChatMessage],
        *,
        before_send: BeforeSend | None = None,
        form: ResponseFormat | None = None,
    ) -> None:
        """Prepare a call; `before_send` is given its bytes, as by `Gateway.stream`."""
        self._before_send = before_send
        self._request: bytes | None = None
        self._pieces: list[str] = []
        self.reply = gateway.stream(messages, before_send=self._record, response_format=form)

    async def read(self) -> str:
        """The whole answer; raises as the reply does when it is iterated."""
        async with aclosing(self.reply):
            async for piece in self.reply:
                self._pieces.append(piece)
        return "".join(self._pieces)

    @property
    def sent(self) -> SentCall | None:
        """What was sent and what came of it so far; None where nothing was sent."""
        if self._request is None:
            return None
        answer = "".join(self._pieces)
        return SentCall(request=self._request, answer=answer or None, tries=self.reply.tries, usage=self.reply.usage)

    def _record(self, body: bytes) -> None:
        if self._before_send is not None:
            self._before_send(body)
        self._request = body
