import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain.states import FileKind, FileState
from engine.domain.work import WorkFile
from engine.review.evidence import shown_lines
from engine.review.logs import HEAD_LINES, LINE_CHARACTERS, OMISSION, TAIL_LINES, digest_log, head_and_tail, is_log
from engine.review.redaction import REDACTED
from tests.review.builders import a_file

ALL = HEAD_LINES + TAIL_LINES


def lines(count: int) -> str:
    return "".join(f"line {n}\n" for n in range(1, count + 1))


@pytest.mark.parametrize("count", [1, ALL], ids=["short", "as long as may be"])
def test_a_short_log_is_shown_whole(count: int) -> None:
    digest = digest_log(lines(count))
    assert (len(digest.head), digest.omitted, digest.tail) == (count, 0, ())


def test_a_long_log_keeps_its_beginning_and_its_end_and_says_how_much_is_missing() -> None:
    digest = digest_log(lines(1000))
    assert (digest.head[0], digest.head[-1]) == ("line 1", f"line {HEAD_LINES}")
    assert (digest.tail[0], digest.tail[-1]) == (f"line {1001 - TAIL_LINES}", "line 1000")
    assert digest.omitted == 1000 - ALL


def test_the_lines_shown_keep_their_numbers() -> None:
    numbered = digest_log(lines(1000)).numbered()
    assert all(line == f"line {number}" for number, line in numbered)
    assert len(numbered) == ALL


def test_a_long_line_keeps_its_beginning_and_its_end() -> None:
    (shown,) = digest_log("begin" + "x" * 25_000_000 + "end").head
    assert len(shown) == LINE_CHARACTERS
    assert shown.startswith("begin") and shown.endswith("end") and "…" in shown


def test_secrets_are_hidden_and_the_numbers_of_the_lines_stay() -> None:
    key = "-----BEGIN PRIVATE KEY-----\nabc\ndef\n-----END PRIVATE KEY-----"
    digest = digest_log(f"a\n{key}\ntoken: hunter2000\nz")
    assert digest.head == ("a", REDACTED, "", "", "", f"token: {REDACTED}", "z")


def test_a_secret_that_a_cut_goes_through_leaves_no_half() -> None:
    token = "ghp_" + "aB3" * 12
    for before in range(300, 700, 7):
        (shown,) = digest_log("x" * before + " " + token + " " + "y" * 3000).head
        assert "aB3aB3" not in shown


@pytest.mark.parametrize(
    ("path", "log"),
    [("build.log", True), ("a/BUILD.LOG", True), ("ci.log.txt", True), ("catalog", False), ("log.py", False)],
)
def test_a_log_is_told_by_its_name(path: str, log: bool) -> None:
    assert is_log(a_file(path, "x")) is log


def test_of_a_log_the_digest_is_shown_and_of_other_files_every_line() -> None:
    assert len(shown_lines(a_file("a.log", lines(1000)))) == ALL
    assert shown_lines(a_file("a.py", "x\r\ntoken = 'abc'\n")) == ((1, "x"), (2, "token = 'abc'"))


def test_a_file_without_text_shows_nothing() -> None:
    file = WorkFile(path="a.log", sha256="0", size_bytes=9, kind=FileKind.WORK, state=FileState.TOO_LARGE)
    assert shown_lines(file) == ()


@settings(max_examples=100)
@given(st.text(st.characters(exclude_characters=OMISSION), max_size=300), st.integers(min_value=4, max_value=100))
def test_head_and_tail_keep_both_ends_within_the_limit(text: str, limit: int) -> None:
    shown = head_and_tail(text, limit)
    head, mark, tail = shown.partition(OMISSION)
    assert len(shown) == min(limit, len(text)) and bool(mark) == (len(text) > limit)
    assert text.startswith(head) and text.endswith(tail) and bool(tail) == bool(mark)
