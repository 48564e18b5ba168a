from engine.review.checks.finding import FindingCode
from tests.review.builders import FAIL, OPEN, PASS, evidence_of, find


def test_the_first_hit_is_shown_with_its_line() -> None:
    evidence = evidence_of({"a.py": "x = 1\n", "b.py": "import os\n  def main():  # go\n"})
    finding = find("pattern_present", evidence, pattern=r"def \w+", files="*.py")
    assert (finding.status, finding.evidence) == (PASS, "b.py:2: def main(): # go")


def test_a_hit_counts_even_if_another_file_cannot_be_read() -> None:
    evidence = evidence_of({"a.py": None, "b.py": "x"})
    assert find("pattern_present", evidence, pattern="x", files="*").status is PASS


def test_nothing_found_fails_and_counts_the_files() -> None:
    finding = find("pattern_present", evidence_of({"a": "", "b": ""}), pattern="x", files="*")
    assert (finding.status, finding.code, finding.values["count"]) == (FAIL, FindingCode.PATTERN_MISSING, 2)


def test_no_file_fails() -> None:
    finding = find("pattern_present", evidence_of({}), pattern="x", files="*.py")
    assert (finding.status, finding.code) == (FAIL, FindingCode.FILE_MISSING)


def test_it_is_open_while_it_could_stand_in_a_file_that_cannot_be_read() -> None:
    finding = find("pattern_present", evidence_of({"a.py": "", "b.py": None}), pattern="x", files="*")
    assert (finding.status, finding.code, finding.evidence) == (OPEN, FindingCode.FILE_UNREADABLE, "b.py")


def test_the_ends_of_a_pattern_are_the_ends_of_lines() -> None:
    assert find("pattern_present", evidence_of({"a": "x\ny\nz"}), pattern="^y$", files="*").evidence == "a:2: y"


def test_a_long_line_is_shortened_and_cleaned() -> None:
    evidence = find("pattern_present", evidence_of({"a": "x\u202e" * 9000}), pattern="x", files="*").evidence
    assert evidence is not None
    assert len(evidence) <= 260 and evidence.endswith("…") and "\u202e" not in evidence


def test_lines_that_nobody_wrote_leave_it_open_where_the_pattern_takes_too_long() -> None:
    finding = find("pattern_present", evidence_of({"a.min.js": "a" * 20_000}), pattern="(?:a|a)+[bd]", files="*")
    assert (finding.status, finding.code) == (OPEN, FindingCode.TOO_BIG_TO_SEARCH)


def test_the_line_that_is_shown_has_no_secret() -> None:
    finding = find("pattern_present", evidence_of({"a.py": "password = 'hunter2'"}), pattern="password", files="*")
    assert finding.evidence == "a.py:1: password = '[redacted]'"
