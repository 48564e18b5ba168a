"""One request as a file that somebody else can check: its exact text, its hash, and what is known of it."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from hashlib import sha256

from engine.domain.model_call import ModelCall
from engine.domain.session import Receipt, Turn
from engine.tutoring.receipt import placement_of

SCHEMA = "tutorloop.receipt/1"
"""Raised when a field changes its name or meaning."""
_HASH_IN_NAME = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """A file to be kept or sent on."""

    name: str
    """Letters, digits, hyphens and a dot only, whatever anybody wrote."""
    content: bytes
    """JSON in UTF-8."""


def export_reply(turn: Turn, receipt: Receipt) -> Exported:
    """What a turn sent, with its facts, tries and reply."""
    words = turn.partial if turn.reply is None else turn.reply
    told = {
        "use": "reply",
        "subject": {"conversation_id": turn.conversation_id, "turn_id": turn.turn_id, "turn": turn.number},
        "model": receipt.model,
        "sent_at": receipt.sent_at,
        "request": _request(receipt.request, receipt.sha256),
        "facts": {"placement": placement_of(receipt.facts), **asdict(receipt.facts)},
        "tries": [asdict(one) for one in turn.tries],
        "reply": _answer(words) | {"state": turn.state, "kind": turn.kind, "fault": turn.fault},
        "ended_at": turn.ended_at,
    }
    return _file(told, f"turn-{turn.number}", receipt.sha256)


def export_call(call: ModelCall) -> Exported:
    """What was sent for a judgement or a summary, with its tries and the answer."""
    told = {
        "use": call.subject.use,
        "subject": {"id": call.subject.subject_id, "part": call.subject.part, "number": call.number},
        "model": call.model,
        "request": _request(call.sent.request, call.sha256),
        "usage": asdict(call.sent.usage),
        "tries": [asdict(one) for one in call.sent.tries],
        "reply": _answer(call.sent.answer),
        "ended_at": call.ended_at,
    }
    return _file(told, f"{call.subject.use}-{call.number}", call.sha256)


def _request(body: bytes, stored: str | None) -> dict[str, object]:
    """The text is the bytes as UTF-8; `sha256` is the hash that was stored with them and outlives them."""
    is_there = bool(body)
    return {"sha256": stored, "bytes": len(body) if is_there else None, "text": body.decode() if is_there else None}


def _answer(words: str | None) -> dict[str, object]:
    return {"sha256": None if words is None else sha256(words.encode()).hexdigest(), "text": words}


def _file(told: Mapping[str, object], name: str, digest: str | None) -> Exported:
    content = json.dumps({"schema": SCHEMA, **told}, ensure_ascii=False, indent=2, default=_plain)
    ending = f"-{digest[:_HASH_IN_NAME]}" if digest else ""
    return Exported(name=f"tutorloop-receipt-{name}{ending}.json", content=f"{content}\n".encode())


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no place in an export")
