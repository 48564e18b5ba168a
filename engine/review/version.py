"""The versions of the review itself. Raising one makes every earlier review of every task stale."""

import hashlib
from typing import Final

from engine.domain.keys import ReviewLogic
from engine.llm.prompts.review import REVIEW_RULES, Judgement
from engine.llm.structured import form_rules

ENGINE_VERSION: Final = "2"
"""Raised by hand when the same evidence and rubric would be judged otherwise."""
PROMPTS: Final[tuple[str, ...]] = (REVIEW_RULES, form_rules(Judgement))
"""What a review tells a model: its rules, and the form of an answer."""


def review_logic() -> ReviewLogic:
    """The versions in force for every task."""
    joined = "\x1f".join(PROMPTS)
    return ReviewLogic(prompt=hashlib.sha256(joined.encode()).hexdigest(), engine=ENGINE_VERSION)
