from engine.review.checks.finding import FindingCode
from tests.review.builders import FAIL, OPEN, PASS, evidence_of, find


def test_a_hit_fails_with_its_place() -> None:
    finding = find("pattern_absent", evidence_of({"a": "ok", "b": "1\nTODO: x"}), pattern="TODO", files="*")
    assert (finding.status, finding.evidence) == (FAIL, "b:2: TODO: x")


def test_a_hit_fails_even_if_another_file_cannot_be_read() -> None:
    evidence = evidence_of({"a": None, "b": "TODO"})
    assert find("pattern_absent", evidence, pattern="TODO", files="*").status is FAIL


def test_no_hit_passes() -> None:
    assert find("pattern_absent", evidence_of({"a": "ok"}), pattern="TODO", files="*").status is PASS


def test_a_file_that_cannot_be_read_leaves_it_open() -> None:
    finding = find("pattern_absent", evidence_of({"a.py": "ok", "b.py": None}), pattern="TODO", files="*")
    assert (finding.status, finding.code) == (OPEN, FindingCode.FILE_UNREADABLE)


def test_an_image_among_the_files_leaves_nothing_open() -> None:
    evidence = evidence_of({"a.py": "ok", "logo.PNG": None})
    assert find("pattern_absent", evidence, pattern="TODO", files="**/*").status is PASS


def test_an_image_alone_cannot_be_searched() -> None:
    assert find("pattern_absent", evidence_of({"a.png": None}), pattern="x", files="*").status is OPEN


def test_without_a_file_nothing_is_proved() -> None:
    finding = find("pattern_absent", evidence_of({"a.md": ""}), pattern="x", files="*.py")
    assert (finding.status, finding.code) == (OPEN, FindingCode.NOTHING_TO_CHECK)


def test_lines_that_nobody_wrote_leave_it_open_where_the_pattern_takes_too_long() -> None:
    finding = find("pattern_absent", evidence_of({"a.min.js": "a" * 20_000}), pattern="(?:a|a)+[bd]", files="*")
    assert (finding.status, finding.code) == (OPEN, FindingCode.TOO_BIG_TO_SEARCH)


def test_the_line_that_is_shown_has_no_secret() -> None:
    finding = find("pattern_absent", evidence_of({"a.py": "password = 'hunter2'"}), pattern="password", files="*")
    assert finding.evidence == "a.py:1: password = '[redacted]'"
