import re

import pytest
from pydantic import ValidationError

from engine.domain.data_message import DataKind, opening
from engine.domain.states import CriterionStatus
from engine.llm.prompts.review import PLACES, REVIEW_RULES, Judgement

RIGHT = {"evidence": "a/b.md:2", "reason": "It stands there.", "status": "PASS", "next_step": None}
SHOWN = {PLACES: {"a/b.md": 3, "odd:7": 2}}


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
        pytest.param({"evidence": "odd:7:2"}, id="a path that looks like a place"),
        pytest.param({"evidence": None, "status": "FAIL"}, id="a fail without a place"),
        pytest.param({"evidence": "  ", "status": "NEED_REVIEW"}, id="a blank place is none"),
        pytest.param({"confidence": 0.9}, id="more than was asked for"),
    ],
)
def test_a_sound_judgement_is_believed(changed: dict[str, object]) -> None:
    judged = Judgement.model_validate(RIGHT | changed, context=SHOWN)
    assert judged.evidence in (None, "a/b.md:2", "odd:7:2")


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"reason": " \u200b\n"}, id="no reason that can be seen"),
        pytest.param({"reason": None}, id="no reason"),
        pytest.param({"status": "pass"}, id="another word"),
        pytest.param({"status": 1}, id="a score"),
        pytest.param({"evidence": None}, id="a pass without evidence"),
        pytest.param({"evidence": "c.md:1"}, id="a file that was not shown"),
        pytest.param({"evidence": "a/b.md"}, id="no line"),
        pytest.param({"evidence": "a/b.md:0"}, id="line 0"),
        pytest.param({"evidence": "a/b.md:4"}, id="a line after the last"),
        pytest.param({"evidence": "a/b.md:²"}, id="a digit that is no number"),
        pytest.param({"evidence": "a/b.md:2: because"}, id="more than a place"),
    ],
)
def test_an_unsound_judgement_is_refused(changed: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Judgement.model_validate(RIGHT | changed, context=SHOWN)


def test_no_evidence_is_believed_where_nothing_was_shown() -> None:
    with pytest.raises(ValidationError):
        Judgement.model_validate(RIGHT)
