"""The file and line that an evidence speaks of."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain.states import FileKind
from engine.review.places import PLACE_CHARACTERS, Place, find_place, place_in
from tests.review.builders import a_file

FILES = [
    a_file("docs/a", "a"),
    a_file("shop/auth.py", "a"),
    a_file("auth.py", "a"),
    a_file("docs/a: b.md", "a"),
    a_file("tests/test_login.py", "a"),
    a_file("report.xml", "<testsuite/>", FileKind.REPORT),
]


@pytest.mark.parametrize(
    ("evidence", "place"),
    [
        ("shop/auth.py:11: return hash(password)", "shop/auth.py:11"),
        ("README.md", "README.md"),
        ("report.xml:3", "report.xml:3"),
        ("tests.test_login.test_a: KeyError: 'x'", "tests.test_login.test_a"),
        ("", ""),
    ],
)
def test_the_place_stands_before_what_is_quoted(evidence: str, place: str) -> None:
    assert place_in(evidence) == place


@pytest.mark.parametrize(
    ("told", "place"),
    [
        ("shop/auth.py:11", Place(path="shop/auth.py", line=11)),
        ("auth.py:2", Place(path="auth.py", line=2)),
        ("auth.py:0", Place(path="auth.py", line=None)),
        ("docs/a: b.md:4: text", Place(path="docs/a: b.md", line=4)),
        ("/builds/1/tests/test_login.py:7", Place(path="tests/test_login.py", line=7)),
        ("C:\\work\\tests\\test_login.py:7", Place(path="tests/test_login.py", line=7)),
        ("test_login.py:9", Place(path="tests/test_login.py", line=9)),
        ("tests.test_login.test_a", Place(path="report.xml", line=None, is_told=False)),
        ("shop/auth.py:99999999", Place(path="shop/auth.py", line=None)),
    ],
)
def test_a_place_is_found_among_the_files(told: str, place: Place) -> None:
    assert find_place(told, FILES) == place


def test_a_name_that_several_files_end_with_is_no_place() -> None:
    files = [a_file("a/x.py", "1"), a_file("b/x.py", "1")]
    assert find_place("x.py:3", files) is None
    assert find_place("", FILES) is None


@given(st.text(max_size=500))
@settings(max_examples=200, deadline=None)
def test_any_evidence_gives_a_short_place_and_one_of_the_files_or_none(text: str) -> None:
    place = place_in(text)
    assert len(place) <= PLACE_CHARACTERS
    found = find_place(place, FILES)
    assert found is None or found.path in {file.path for file in FILES}
