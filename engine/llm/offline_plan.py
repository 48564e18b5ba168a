"""The plan of the offline tutor: the open items in their order, else the steps of the task."""

import json

from engine.domain.states import FeedbackState, Language
from engine.llm.offline_intents import cut_words
from engine.llm.offline_reading import ReadBlock, ReadRequest
from engine.llm.offline_words import WORDS, name_hand_in

_MOST_STEPS = 12
_STEP_LIMIT = 200

Step = tuple[str, str]
"""What to do, and what can be seen once it is done."""


def write_plan(request: ReadRequest) -> str | None:
    """A sentence and a plan in the form that the tutor's rules ask for; None where there is nothing to plan."""
    block = request.block
    if block is not None and block.state is FeedbackState.CURRENT:
        return _written("plan_open", _of_items(block, request.language), request)
    is_passed = block is not None and block.state is FeedbackState.PASSED
    done = WORDS[request.language]["plan_done"]
    return _written("plan_task", [] if is_passed else [(step, done) for step in request.task.steps], request)


def _of_items(block: ReadBlock, language: Language) -> list[Step]:
    words = WORDS[language]
    return [
        (words["plan_step"].format(criterion=item.criterion), words[f"plan_done_{item.status}"]) for item in block.items
    ]


def _written(name: str, steps: list[Step], request: ReadRequest) -> str | None:
    if not steps:
        return None
    words = WORDS[request.language]
    seq = request.block.submission_seq if request.block else None
    told = words[name].format(hand_in=name_hand_in(seq, request.language))
    plan = {
        "title": words[f"{name}_title"],
        "steps": [
            {"what": cut_words(what, _STEP_LIMIT), "done_when": cut_words(done, _STEP_LIMIT)}
            for what, done in steps[:_MOST_STEPS]
        ],
    }
    return f"{told}\n\nplan:\n{json.dumps(plan, ensure_ascii=False)}"
