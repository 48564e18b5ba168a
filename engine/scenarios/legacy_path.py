"""How a tutor system without the contract loses a review, rebuilt from its description.

The page keeps two lists: what people see, and a text history for the model. A review card goes to the first
only. The server keeps the conversation and believes its own copy. Whatever is sent is cut twice, by count
and by characters. Only scenarios and their tests use this module; the product never does.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from engine.domain.course import TaskInForce
from engine.domain.review import CriterionResult
from engine.domain.session import ChatMessage
from engine.domain.states import CriterionStatus, Role
from engine.llm.gateway import Gateway

CLIENT_SENDS = 20
"""Messages of its history that the page sends along, the newest."""
SERVER_TAKES = 12
"""Messages (not turns) of the conversation that go into a request before the newest one."""
CHARACTERS_KEPT = 6000
"""Characters of all messages but the system's; the one that first exceeds them is still sent whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LegacyReview:
    """A review as it is stored and as its card shows it."""

    status: CriterionStatus
    score: int
    """0 to 100."""
    criteria: tuple[CriterionResult, ...]
    next_step: str

    @property
    def summary(self) -> str:
        """All that the text history ever says of it."""
        return f"Review finished: {self.status} ({self.score} points)"

    @property
    def full_text(self) -> str:
        """What a student reads on the card and could copy."""
        lines = (f"{line.rubric_id} {line.status}: {line.reason} ({line.evidence})" for line in self.criteria)
        return "\n".join((self.summary, *lines, f"Next step: {self.next_step}"))


@dataclass(frozen=True, slots=True, kw_only=True)
class PageMessage:
    """One entry of what people see; a system entry is a notice of the page itself."""

    role: Role
    text: str
    review: LegacyReview | None = None
    """The card, where there is one."""


class LegacyServer:
    """Keeps conversations and reviews, side by side, for one task. Each step is a method, so a test can change it."""

    def __init__(self, gateway: Gateway, given: TaskInForce) -> None:
        self._gateway = gateway
        self._given = given
        self._conversations: dict[str, list[ChatMessage]] = {}
        self._reviews: dict[str, LegacyReview] = {}

    def keep_review(self, learner_id: str, review: LegacyReview) -> None:
        """Store the whole review, over the learner's earlier one. No conversation hears of it."""
        self._reviews[learner_id] = review

    def stored_review(self, learner_id: str) -> LegacyReview | None:
        """The learner's review; only its card asks for it."""
        return self._reviews.get(learner_id)

    def messages(self, session_id: str) -> tuple[ChatMessage, ...]:
        """The conversation so far, oldest first; empty where there is none."""
        return tuple(self._conversations.get(self._key(session_id), ()))

    def guide(self, learner_id: str, session_id: str, message: str, history: Sequence[ChatMessage]) -> str:
        """Answer a message and keep both in the conversation.

        Raises:
            ModelError: the model service did not answer.
        """
        conversation = self.conversation(session_id, history)
        asked = ChatMessage(role=Role.USER, content=message)
        request = self.request(learner_id, conversation, asked)
        reply = asyncio.run(_collect(self._gateway, request))
        conversation += [asked, ChatMessage(role=Role.ASSISTANT, content=reply)]
        return reply

    def conversation(self, session_id: str, history: Sequence[ChatMessage]) -> list[ChatMessage]:
        """The server's own copy, which wins; `history` from the page only begins a new one."""
        return self._conversations.setdefault(self._key(session_id), list(history))

    def request(
        self, learner_id: str, conversation: Sequence[ChatMessage], asked: ChatMessage
    ) -> tuple[ChatMessage, ...]:
        """The messages that are sent: the system's, then what both cuts leave of the rest."""
        system = ChatMessage(role=Role.SYSTEM, content=self.system_text(learner_id))
        return self.cut((system, *conversation[-SERVER_TAKES:], asked))

    def system_text(self, learner_id: str) -> str:  # noqa: ARG002 (whoever the learner is, no review is read)
        """Course, task, criteria and material."""
        task = self._given.task
        criteria = [f"- {line.rubric_id}: {line.text}" for line in task.criteria]
        head = [self._given.course_title, self._given.project_title, task.title, task.goal]
        return "\n".join(["You are a tutor.", *head, *task.steps, *criteria, task.material])

    def cut(self, messages: Sequence[ChatMessage]) -> tuple[ChatMessage, ...]:
        """The model client's own cut, from the newest message backwards."""
        return cut_to_characters(messages)

    def _key(self, session_id: str) -> str:
        return f"{session_id}:{self._given.task.task_id}"


class LegacyClient:
    """The page of one learner in one session."""

    def __init__(self, server: LegacyServer, learner_id: str, session_id: str) -> None:
        self._server = server
        self._learner_id = learner_id
        self._session_id = session_id
        self.chat: list[PageMessage] = []
        """What people see."""
        self.history: list[ChatMessage] = []
        """What the model may be told, if the server has no conversation yet."""

    def say(self, text: str) -> None:
        """Send a message and show the answer."""
        reply = self._server.guide(self._learner_id, self._session_id, text, self.history[-CLIENT_SENDS:])
        for role, words in ((Role.USER, text), (Role.ASSISTANT, reply)):
            self.chat.append(PageMessage(role=role, text=words))
            self.history.append(ChatMessage(role=role, content=words))

    def take_review(self, review: LegacyReview) -> None:
        """Have a review stored and show its card and a notice. The text history gets nothing."""
        self._server.keep_review(self._learner_id, review)
        self.chat.append(PageMessage(role=Role.ASSISTANT, text=review.summary, review=review))
        if review.status is not CriterionStatus.PASS:
            self.chat.append(PageMessage(role=Role.SYSTEM, text="Go on with the tutor, then hand in again."))

    def restore(self) -> None:
        """Rebuild both lists after a reload: the server's words, with cards and notices from the page's own cache."""
        cards = {message.text for message in self.chat if message.review is not None}
        told = [message for message in self._server.messages(self._session_id) if message.content not in cards]
        self.chat = [_restored(message, told) for message in self.chat]
        self.history = self.texts_of_chat()

    def texts_of_chat(self) -> list[ChatMessage]:
        """The text history that a restored page has: of a card, its status and score."""
        return [
            ChatMessage(role=message.role, content=message.text)
            for message in self.chat
            if message.role is not Role.SYSTEM
        ]


def cut_to_characters(messages: Sequence[ChatMessage], limit: int = CHARACTERS_KEPT) -> tuple[ChatMessage, ...]:
    """Keep system messages, and of the others the newest up to and with the one that first exceeds `limit`."""
    system = [message for message in messages if message.role is Role.SYSTEM]
    kept: list[ChatMessage] = []
    used = 0
    for message in reversed([message for message in messages if message.role is not Role.SYSTEM]):
        kept.append(message)
        used += len(message.content)
        if used > limit:
            break
    return (*system, *reversed(kept))


def _restored(message: PageMessage, told: list[ChatMessage]) -> PageMessage:
    """The server's next message in the place of a plain one; what only the page knows stays."""
    if message.review is not None or message.role is Role.SYSTEM or not told:
        return message
    words = told.pop(0)
    return PageMessage(role=words.role, text=words.content)


async def _collect(gateway: Gateway, messages: Sequence[ChatMessage]) -> str:
    return "".join([piece async for piece in gateway.stream(messages, before_send=_not_recorded)])


def _not_recorded(_body: bytes) -> None:
    """This system keeps no receipt of what it sends."""
