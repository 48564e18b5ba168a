"""A plan that the tutor made with a student: what to do, and how to tell that it is done."""

import json
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanStep:
    """One step of a plan."""

    what: str
    """At most 200 characters, on one line."""
    done_when: str
    """What can be seen once it is done; at most 200 characters, on one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What the model wrote down as a plan. It judges nothing: only a review closes an item."""

    title: str
    """At most 80 characters, on one line."""
    steps: tuple[PlanStep, ...]
    """From 1 to 12, in the order in which they are to be done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanVersion:
    """A plan in its place among those of its conversation. A change of mind makes the next version."""

    turn_id: str
    """The turn whose reply it came with."""
    number: int
    """V1, V2 … inside the conversation."""
    plan: Plan | None
    """None when it was erased."""


def plan_json(plan: Plan) -> str:
    """A plan as the JSON object that it is stored as, and that later requests repeat."""
    return json.dumps(asdict(plan), ensure_ascii=False)
