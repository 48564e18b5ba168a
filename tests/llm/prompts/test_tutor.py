import hashlib

import pytest

from engine.domain.data_message import DataKind, opening
from engine.domain.states import CriterionStatus, FeedbackState
from engine.llm.prompts.reply_style import REPLY_STYLE_RULES
from engine.llm.prompts.tutor import TUTOR_RULES, TUTOR_RULES_VERSION


def test_the_version_is_made_from_the_bytes() -> None:
    assert hashlib.sha256(TUTOR_RULES.encode()).hexdigest()[:12] == TUTOR_RULES_VERSION


OTHER_USES = frozenset({DataKind.CRITERION, DataKind.WORK, DataKind.OPEN})
"""What a reviewer is given, and what asks the tutor to begin."""
WRITING = frozenset({DataKind.TEXT, DataKind.EARLIER, DataKind.ASKED, DataKind.CHANGE, DataKind.BRIEF})
"""What is given to whoever edits, learns from a change or drafts."""
STYLE = frozenset({DataKind.PREFERENCES})
"""Goes along with rules of its own, where a student has agreed to any."""


@pytest.mark.parametrize("kind", [kind for kind in DataKind if kind not in OTHER_USES | WRITING | STYLE])
def test_every_kind_of_data_message_is_named_as_data(kind: DataKind) -> None:
    instructions = TUTOR_RULES.index("WHAT THE FEEDBACK BLOCK MEANS")
    assert opening(kind) in TUTOR_RULES[:instructions]


def test_rules_of_style_are_named_as_data_where_they_go_along() -> None:
    assert opening(DataKind.PREFERENCES) in REPLY_STYLE_RULES


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
