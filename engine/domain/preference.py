"""Whose style is learned, and the small rules that it is made of."""

from dataclasses import dataclass
from enum import StrEnum


class Dimension(StrEnum):
    """What a rule may be about; nothing else can be learned, least of all anything about verdicts."""

    LENGTH = "length"
    TONE = "tone"
    FORMAT = "format"
    EXAMPLES = "examples"
    STRUCTURE = "structure"
    CONTENT = "content"
    LANGUAGE = "language"


@dataclass(frozen=True, slots=True, kw_only=True)
class StyleRule:
    """One rule as it goes along with a request, as data."""

    rule_id: str
    dimension: Dimension
    sentence: str
    """In the persona's language, one sentence."""
