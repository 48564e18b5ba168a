import pytest

from engine.domain.states import CriterionStatus
from tests.review.builders import FAIL, PASS, evidence_of, find


@pytest.mark.parametrize(
    ("bounds", "status"),
    [
        pytest.param({"at_least": 2}, PASS, id="just enough"),
        pytest.param({"at_least": 3}, FAIL, id="too few"),
        pytest.param({"at_most": 2}, PASS, id="as many as may be"),
        pytest.param({"at_most": 1}, FAIL, id="too many"),
        pytest.param({"at_least": 1, "at_most": 3}, PASS, id="between"),
    ],
)
def test_both_bounds_are_allowed_values(bounds: dict[str, int], status: CriterionStatus) -> None:
    finding = find("file_count", evidence_of({"a.py": "", "b.py": None, "c.md": ""}), files="*.py", **bounds)
    assert (finding.status, finding.values["count"]) == (status, 2)


def test_no_file_is_a_count_like_any_other() -> None:
    assert find("file_count", evidence_of({}), files="*", at_least=1).status is FAIL
    assert find("file_count", evidence_of({}), files="*", at_most=0).status is PASS


@pytest.mark.parametrize(
    ("bounds", "shown"),
    [({"at_least": 2}, "≥ 2"), ({"at_most": 1500}, "≤ 1,500"), ({"at_least": 1, "at_most": 3}, "1-3")],
    ids=["least", "most", "both"],
)
def test_a_sentence_says_what_is_asked_for(bounds: dict[str, int], shown: str) -> None:
    assert find("file_count", evidence_of({}), files="*", **bounds).values["wanted"] == shown
