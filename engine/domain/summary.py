"""The summary of a conversation's older turns, and the turns it is made from."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """What was said in one turn: the question and its answer."""

    number: int
    """The turn's number inside the conversation."""
    seq: int
    """Place among the messages: that of the question."""
    question: str | None
    """None where the tutor began by itself."""
    reply: str | None
    """None where nobody answered."""
    is_open: bool
    """Whether the answer may still come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A summary of the first turns of a conversation.

    The one stored last is the mark up to which turns count as summarised; there is no other mark.
    """

    conversation_id: str
    up_to_seq: int
    """Place of the last question it covers; turns behind it are sent as they were said."""
    up_to_number: int
    """Number of that turn."""
    turns: int
    """How many turns it covers, all of them from the first on."""
    text: str
    tokens: int
    """Of the data message in which it is sent."""
    model: str
    """Which model wrote it."""
    made_at: datetime
