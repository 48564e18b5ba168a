"""Untrusted data inside a request: a marked JSON object that nothing inside it can close.

Material, feedback, notes and summaries travel in this form. Every character that could end the
markers, hide text or turn its direction is written as a JSON escape, so the reader still gets it.
"""

import json
import re
import unicodedata
from collections.abc import Mapping
from enum import StrEnum


class DataKind(StrEnum):
    """What a data message holds; stands in its markers."""

    TASK = "task"
    SUMMARY = "summary"
    TEACHER = "teacher"
    FEEDBACK = "feedback"
    NOTES = "notes"
    CRITERION = "criterion"
    WORK = "work"
    GO_ON = "go-on"
    OPEN = "open"
    TEXT = "text"
    EARLIER = "earlier"
    PREFERENCES = "preferences"
    ASKED = "asked"
    CHANGE = "change"
    BRIEF = "brief"


_ESCAPED_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_ESCAPED_ASCII = frozenset("<>&\x7f")
_TAGS = range(0xE0000, 0xE1000)
"""Invisible whether Unicode has assigned them or not."""


_MARKED = re.compile(r"^<tutorloop-([a-z-]+)>\n.*\n</tutorloop-\1>$", re.MULTILINE)


def opening(kind: DataKind) -> str:
    """The first line of a data message."""
    return f"<tutorloop-{kind}>"


def closing(kind: DataKind) -> str:
    """The last line of a data message."""
    return f"</tutorloop-{kind}>"


def wrap(kind: DataKind, payload: Mapping[str, object]) -> str:
    """Write `payload` as a data message: opening line, one line of compact JSON, closing line."""
    return f"{opening(kind)}\n{escaped_json(payload)}\n{closing(kind)}"


def unwrap(text: str) -> tuple[DataKind, dict[str, object]] | None:
    """Read a data message back; None when `text` is not one, from its first character to its last."""
    for kind in DataKind:
        head, tail = opening(kind) + "\n", "\n" + closing(kind)
        if text.startswith(head) and text.endswith(tail):
            return _payload(kind, text[len(head) : -len(tail)])
    return None


def unwrap_all(text: str) -> tuple[tuple[DataKind, dict[str, object]], ...]:
    """Every data message inside `text`, in order; what stands inside one is on one line and holds no mark."""
    return tuple(data for found in _MARKED.finditer(text) if (data := unwrap(found[0])) is not None)


def _payload(kind: DataKind, body: str) -> tuple[DataKind, dict[str, object]] | None:
    try:
        payload = json.loads(body)
    except ValueError:
        return None
    return (kind, payload) if isinstance(payload, dict) else None


def escaped_json(payload: Mapping[str, object]) -> str:
    """Compact JSON, readable in every script, with markup and invisible characters escaped."""
    plain = json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
    return "".join(_escape(character) if _needs_escape(character) else character for character in plain)


def _needs_escape(character: str) -> bool:
    if character.isascii():
        return character in _ESCAPED_ASCII
    return ord(character) in _TAGS or unicodedata.category(character) in _ESCAPED_CATEGORIES


def _escape(character: str) -> str:
    return json.dumps(character)[1:-1] if not character.isascii() else f"\\u{ord(character):04x}"
