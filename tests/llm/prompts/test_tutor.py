import hashlib

import pytest

from engine.domain.data_message import DataKind, opening
from engine.domain.states import CriterionStatus, FeedbackState
from engine.llm.prompts.tutor import TUTOR_RULES, TUTOR_RULES_VERSION


def test_the_version_is_made_from_the_bytes() -> None:
    assert hashlib.sha256(TUTOR_RULES.encode()).hexdigest()[:12] == TUTOR_RULES_VERSION


@pytest.mark.parametrize(
    "kind", [kind for kind in DataKind if kind not in (DataKind.CRITERION, DataKind.WORK, DataKind.OPEN)]
)
def test_every_kind_of_data_message_is_named_as_data(kind: DataKind) -> None:
    instructions = TUTOR_RULES.index("WHAT THE FEEDBACK BLOCK MEANS")
    assert opening(kind) in TUTOR_RULES[:instructions]


@pytest.mark.parametrize("state", FeedbackState)
def test_every_state_says_what_to_do(state: FeedbackState) -> None:
    assert f"\n- {state}: " in TUTOR_RULES


@pytest.mark.parametrize(
    "said",
    [
        CriterionStatus.FAIL,
        CriterionStatus.NEED_REVIEW,
        "Never call it failed",
        "Only a new review closes an item",
        "truncated_fields",
        "omitted_count",
        "language of the learner's newest message",
        "One next step at a time",
        "Ask what has been tried",
    ],
)
def test_each_rule_stands_there(said: str) -> None:
    assert said in TUTOR_RULES
