import re

import pytest
from pydantic import ValidationError

from engine.domain.data_message import DataKind, opening
from engine.domain.states import CriterionStatus
from engine.llm.prompts.review import REVIEW_RULES, Judgement

QUOTE = {"path": "a/b.md", "line": 2, "quote": "It stands there."}
RIGHT = {"reason": "It stands there.", "quotes": [QUOTE], "status": "PASS", "next_step": None}


@pytest.mark.parametrize("kind", [DataKind.CRITERION, DataKind.WORK])
def test_what_a_review_sends_is_named_as_data(kind: DataKind) -> None:
    assert opening(kind) in REVIEW_RULES[: REVIEW_RULES.index("HOW YOU DECIDE")]


@pytest.mark.parametrize("status", CriterionStatus)
def test_every_verdict_has_a_meaning_and_two_examples(status: CriterionStatus) -> None:
    (told,) = re.findall(rf"^- {status}: .*\n((?:  .*\n)*)", REVIEW_RULES, flags=re.MULTILINE)
    assert told.count("Example: ") == 2


@pytest.mark.parametrize("field", Judgement.model_fields)
def test_every_field_of_the_answer_is_told(field: str) -> None:
    assert f"\n- {field}: " in REVIEW_RULES


def test_strict_servers_are_given_a_closed_schema_with_every_field_required() -> None:
    schema = Judgement.model_json_schema()
    assert schema["additionalProperties"] is False
    assert schema["required"] == list(schema["properties"]) == list(Judgement.model_fields)


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({}, id="a pass"),
        pytest.param({"quotes": []}, id="without a quote, which is looked up later"),
        pytest.param({"quotes": [QUOTE] * 9, "status": "FAIL"}, id="many quotes"),
        pytest.param({"confidence": 0.9}, id="more than was asked for"),
    ],
)
def test_a_sound_judgement_is_believed(changed: dict[str, object]) -> None:
    assert Judgement.model_validate(RIGHT | changed).reason == "It stands there."


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"reason": " \u200b\n"}, id="no reason that can be seen"),
        pytest.param({"reason": None}, id="no reason"),
        pytest.param({"status": "pass"}, id="another word"),
        pytest.param({"status": 1}, id="a score"),
        pytest.param({"quotes": None}, id="no list of quotes"),
        pytest.param({"quotes": ["It stands there."]}, id="a quote without its place"),
        pytest.param({"quotes": [QUOTE | {"line": "last"}]}, id="a line that is no number"),
    ],
)
def test_an_unsound_judgement_is_refused(changed: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Judgement.model_validate(RIGHT | changed)
