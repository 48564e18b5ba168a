import pytest

from engine.domain.states import CriterionStatus, FileKind, FileState
from engine.domain.work import WorkFile, take_snapshot
from engine.review.checks.finding import FindingCode
from engine.review.evidence import Evidence, gather_evidence
from tests.review.builders import FAIL, OPEN, PASS, evidence_of, find


def sized(**sizes: int) -> Evidence:
    files = [
        WorkFile(path=path, sha256=path, size_bytes=size, kind=FileKind.WORK, state=FileState.BINARY)
        for path, size in sizes.items()
    ]
    return gather_evidence(take_snapshot(tuple(files)))


@pytest.mark.parametrize(("size", "status"), [(2048, PASS), (2049, FAIL)], ids=["as much as may be", "one byte more"])
def test_a_bound_is_in_kibibytes(size: int, status: CriterionStatus) -> None:
    assert find("file_size", sized(a=size), files="*", at_most=2).status is status


def test_the_first_file_out_of_bounds_is_named_with_its_size() -> None:
    finding = find("file_size", sized(a=10, b=1536, c=9999), files="*", at_most=1)
    assert (finding.status, finding.evidence) == (FAIL, "b")
    assert (finding.values["size"], finding.values["wanted"], finding.values["count"]) == ("1.5", "≤ 1", 2)


def test_an_empty_file_is_too_small() -> None:
    assert find("file_size", sized(a=0), files="*", at_least=1).status is FAIL


def test_without_a_file_nothing_is_proved() -> None:
    finding = find("file_size", evidence_of({}), files="*", at_most=1)
    assert (finding.status, finding.code) == (OPEN, FindingCode.NOTHING_TO_CHECK)
