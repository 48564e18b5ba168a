"""The lines around the place that an evidence names."""

import pytest

from engine.domain.states import FileState
from engine.domain.work import WorkFile
from engine.review.surroundings import lines_around
from tests.review.desk import work_of

BODY = "".join(f"line {number}\n" for number in range(1, 31))
FILES = work_of({"docs/read me.md": BODY, "odd:name.py": "one\ntwo\n", "long.js": "x" * 1000})


@pytest.mark.parametrize(
    ("evidence", "path", "first", "place", "lines"),
    [
        ("docs/read me.md:12 line 12", "docs/read me.md", 8, 12, 9),
        ("docs/read me.md:12-15", "docs/read me.md", 8, 12, 12),
        ("docs/read me.md:1", "docs/read me.md", 1, 1, 5),
        ("docs/read me.md:30: the end", "docs/read me.md", 26, 30, 5),
        ("first\ndocs/read me.md:12", "docs/read me.md", 8, 12, 9),
        ("docs/read me.md", "docs/read me.md", 1, None, 8),
        ("odd:name.py:2", "odd:name.py", 1, 2, 2),
    ],
)
def test_the_place_is_found_with_its_neighbours(
    evidence: str, path: str, first: int, place: int | None, lines: int
) -> None:
    around = lines_around(evidence, FILES)
    assert around is not None
    assert (around.path, around.first, around.place, len(around.lines)) == (path, first, place, lines)
    if place is not None and path != "odd:name.py":
        assert around.lines[place - first] == f"line {place}"


@pytest.mark.parametrize("evidence", [None, "", "gone.py:3", "docs/read me.md:31", "docs/read me.md:0", "12:3", ":1"])
def test_a_place_that_is_not_there_shows_nothing(evidence: str | None) -> None:
    assert lines_around(evidence, FILES) is None


def test_a_line_of_megabytes_is_cut_and_a_file_without_text_is_passed_over() -> None:
    around = lines_around("long.js:1", FILES)
    assert around is not None
    assert len(around.lines[0]) == 300
    binary = WorkFile(path="a.bin", sha256="0", size_bytes=1, kind=FILES[0].kind, state=FileState.BINARY, body=None)
    assert lines_around("a.bin:1", (binary,)) is None
