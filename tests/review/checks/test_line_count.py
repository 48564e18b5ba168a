import pytest

from engine.review.checks.finding import FindingCode
from engine.review.checks.line_count import lines_of
from tests.review.builders import FAIL, OPEN, PASS, evidence_of, find


@pytest.mark.parametrize(
    ("body", "lines"), [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("\n\n", 2), ("a\r\nb\r\n", 2)]
)
def test_lines_are_counted_as_an_editor_does(body: str, lines: int) -> None:
    assert lines_of(body) == lines


def test_each_file_is_measured_and_the_first_out_of_bounds_named() -> None:
    finding = find("line_count", evidence_of({"a": "1\n", "b": "1\n2\n3\n"}), files="*", at_most=2)
    assert (finding.status, finding.evidence, finding.values["lines"]) == (FAIL, "b", 3)


def test_all_within_bounds_pass() -> None:
    assert find("line_count", evidence_of({"a": "1\n", "b": "1\n2\n"}), files="*", at_least=1, at_most=2).status is PASS


def test_a_file_that_cannot_be_read_leaves_it_open_unless_another_is_out_of_bounds() -> None:
    assert find("line_count", evidence_of({"a": None, "b": "1"}), files="*", at_most=1).status is OPEN
    assert find("line_count", evidence_of({"a": None, "b": "1\n2"}), files="*", at_most=1).status is FAIL


def test_without_a_file_nothing_is_proved() -> None:
    assert find("line_count", evidence_of({}), files="*", at_most=1).code is FindingCode.NOTHING_TO_CHECK
