from tests.review.builders import FAIL, PASS, evidence_of, find


def test_the_first_such_file_is_named_and_all_are_counted() -> None:
    finding = find("file_absent", evidence_of({"b/.env": "", "a/.env": None, "a.py": ""}), path="**/.env")
    assert (finding.status, finding.evidence, finding.values["count"]) == (FAIL, "a/.env", 2)


def test_no_such_file_passes() -> None:
    assert find("file_absent", evidence_of({"env.py": ""}), path="**/.env").status is PASS


def test_nothing_handed_in_passes() -> None:
    assert find("file_absent", evidence_of({}), path="*").status is PASS
