from engine.review.checks.finding import FindingCode
from tests.review.builders import FAIL, PASS, evidence_of, find


def test_the_first_file_by_path_is_named() -> None:
    finding = find("file_exists", evidence_of({"b.md": "", "a.md": ""}), path="*.md")
    assert (finding.status, finding.evidence, finding.values["count"]) == (PASS, "a.md", 2)


def test_a_missing_file_fails() -> None:
    finding = find("file_exists", evidence_of({"a.py": ""}), path="*.md")
    assert (finding.status, finding.code, finding.evidence) == (FAIL, FindingCode.FILE_MISSING, None)


def test_a_file_that_cannot_be_read_is_there() -> None:
    assert find("file_exists", evidence_of({"plan.png": None}), path="*.png").status is PASS
