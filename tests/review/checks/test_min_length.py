import pytest

from engine.domain.states import CriterionStatus
from engine.review.checks.finding import FindingCode
from tests.review.builders import FAIL, OPEN, PASS, evidence_of, find


@pytest.mark.parametrize(("needed", "status"), [(7, PASS), (8, FAIL)])
def test_the_files_are_counted_together_and_the_bound_is_enough(needed: int, status: CriterionStatus) -> None:
    finding = find("min_length", evidence_of({"a.md": "四个字了", "b.md": "a b"}), files="*.md", characters=needed)
    assert (finding.status, finding.values["characters"]) == (status, 7)


@pytest.mark.parametrize(
    "padding",
    ["\n" * 50, " \t" * 50, "\u200b" * 50, " \u200b" * 50, "\ufeff" * 9],
    ids=["lines", "blanks", "zero width", "mixed", "marks"],
)
def test_what_cannot_be_seen_does_not_count(padding: str) -> None:
    finding = find("min_length", evidence_of({"a": f"ab{padding}c"}), files="*", characters=5)
    assert finding.status is FAIL


def test_one_file_is_named_and_several_are_by_the_glob() -> None:
    one, two = evidence_of({"a.md": "x"}), evidence_of({"a.md": "x", "b.md": "x"})
    assert find("min_length", one, files="*.md", characters=9).values["glob"] == "a.md"
    assert find("min_length", two, files="*.md", characters=9).values["glob"] == "*.md"


def test_a_missing_file_fails() -> None:
    assert find("min_length", evidence_of({}), files="*", characters=1).code is FindingCode.FILE_MISSING


def test_too_short_is_open_while_another_file_cannot_be_read() -> None:
    evidence = evidence_of({"a": "ab", "b": None})
    assert find("min_length", evidence, files="*", characters=3).status is OPEN
    assert find("min_length", evidence, files="*", characters=2).status is PASS
