"""The versions of the review itself. Raising one makes every earlier review of every task stale."""

import hashlib
from typing import Final

from engine.domain.keys import ReviewLogic

ENGINE_VERSION: Final = "1"
"""Raised by hand when the same evidence and rubric would be judged otherwise."""
PROMPTS: Final[tuple[str, ...]] = ()
"""The prompts a review sends. No criterion is judged by a model yet."""


def review_logic() -> ReviewLogic:
    """The versions in force for every task."""
    joined = "\x1f".join(PROMPTS)
    return ReviewLogic(prompt=hashlib.sha256(joined.encode()).hexdigest(), engine=ENGINE_VERSION)
