"""What goes along when a version is handed in, what a file is taken for, and line ends."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain.artifact import ArtifactKind
from engine.domain.states import FileKind, FileState
from engine.domain.work import WorkFile, take_snapshot
from engine.work.decoding import read_file
from engine.work.version_files import files_with, kind_of, texts_of, version_file, with_line_ends_of
from tests.revision.test_chain import a_version, an_artifact

REPORT_XML = read_file("report.xml", b"<testsuite/>")
CODE = read_file("shop/auth.py", b"old\n")
PICTURE = read_file("a.png", b"\x00\x01")


def paths(files: tuple[WorkFile, ...]) -> list[str]:
    return [file.path for file in files]


def test_a_first_hand_in_is_the_file_alone() -> None:
    found = files_with(an_artifact("docs/a.md"), a_version("new"), None)
    assert (paths(found.files), found.along, found.left_behind, found.replaces) == (["docs/a.md"], 0, 0, False)


def test_a_version_takes_the_place_of_its_file_and_all_others_go_along() -> None:
    newest = take_snapshot((read_file("docs/a.md", b"old"), CODE, PICTURE, REPORT_XML))
    found = files_with(an_artifact("docs/a.md"), a_version("new"), newest)
    assert paths(found.files) == ["a.png", "docs/a.md", "report.xml", "shop/auth.py"]
    assert (found.along, found.left_behind, found.replaces) == (3, 0, True)
    assert [file.body for file in found.files if file.path == "docs/a.md"] == ["new"]
    assert set(found.files) >= {CODE, PICTURE, REPORT_XML}


def test_a_test_report_stays_behind_when_code_changes() -> None:
    newest = take_snapshot((CODE, REPORT_XML))
    found = files_with(an_artifact("shop/auth.py", ArtifactKind.CODE), a_version("new"), newest)
    assert (paths(found.files), found.along, found.left_behind) == (["shop/auth.py"], 0, 1)


def test_an_equal_text_gives_an_equal_snapshot_so_that_its_judgement_can_be_reused() -> None:
    assert version_file("a.md", "登录\r\n") == read_file("a.md", "登录\r\n".encode())


def test_only_work_that_could_be_read_becomes_a_text() -> None:
    assert [file.kind for file in (REPORT_XML, CODE)] == [FileKind.REPORT, FileKind.WORK]
    assert PICTURE.state is FileState.BINARY
    assert texts_of((REPORT_XML, CODE, PICTURE)) == (CODE,)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("README.md", ArtifactKind.README),
        ("docs/readme.txt", ArtifactKind.README),
        ("报告.md", ArtifactKind.REPORT),
        ("LICENSE", ArtifactKind.REPORT),
        ("shop/auth.py", ArtifactKind.CODE),
        (".github/workflows/tests.yml", ArtifactKind.CODE),
    ],
)
def test_a_file_is_taken_for_what_its_name_says(path: str, kind: ArtifactKind) -> None:
    assert kind_of(path) is kind


@pytest.mark.parametrize(
    ("base", "typed", "kept"),
    [
        ("a\r\nb\r\n", "a\nc\n", "a\r\nc\r\n"),
        ("a\nb\n", "a\nc\n", "a\nc\n"),
        ("a\r\nb\n", "a\nc\n", "a\r\nc\n"),
        ("one line", "a\nb", "a\nb"),
        ("a\r\nb\r", "a\nb", "a\r\nb"),
        ("a\r\nb\r\n", "a\r\nb\n", "a\r\nb\r\n"),
        ("a\nb\r\nc\nd\r\n", "a\nx\ny\nz\nd\n", "a\nx\ny\nz\nd\r\n"),
        ("a\r\nb\r\nc\n", "a\nnew\nb\nc\n", "a\r\nnew\r\nb\r\nc\n"),
        ("a\r\nb\r\nc", "a\nb\nc\n", "a\r\nb\r\nc\r\n"),
        ("a\r\nb\r\n", "a\nb", "a\r\nb"),
    ],
    ids=[
        *("all CRLF", "all LF", "mixed", "none", "a lone CR", "typed with both"),
        *("more lines", "one more line", "a last line end added", "a last line end removed"),
    ],
)
def test_lines_end_as_in_the_base(base: str, typed: str, kept: str) -> None:
    assert with_line_ends_of(base, typed) == kept


TEXTS = st.lists(st.tuples(st.sampled_from(["", "a", "b"]), st.sampled_from(["\n", "\r\n", "\r"])), max_size=7).map(
    lambda lines: "".join(line + end for line, end in lines)
)


@given(base=TEXTS, typed=TEXTS)
@settings(max_examples=200)
def test_a_text_that_went_through_a_browser_comes_back_as_it_was_and_no_word_is_lost(base: str, typed: str) -> None:
    assert with_line_ends_of(base, re.sub("\r\n|\r", "\n", base)) == base
    assert re.split("\r\n|\r|\n", with_line_ends_of(base, typed)) == re.split("\r\n|\r|\n", typed)
