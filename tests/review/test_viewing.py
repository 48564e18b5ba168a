"""A file is shown around the line that is meant, with its numbers, and without secrets where tools wrote."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain.states import FileKind
from engine.review.logs import HEAD_LINES, KEPT_HEAD_LINES, KEPT_TAIL_LINES, TAIL_LINES, keep_told
from engine.review.redaction import REDACTED
from engine.review.viewing import ABOVE, SHOWN_CHARACTERS, WINDOW_LINES, view_file
from tests.review.builders import a_file

LONG = a_file("a.py", "\n".join(f"line {number}" for number in range(1, 1001)))


def test_a_short_file_is_shown_whole() -> None:
    view = view_file(a_file("a.py", "one\r\ntwo\n"), line=2)
    assert [(line.number, line.text) for line in view.lines] == [(1, "one"), (2, "two")]
    assert (view.total, view.earlier, view.later, view.has_marked) == (2, None, None, True)


def test_a_long_file_is_shown_from_a_little_above_the_line() -> None:
    view = view_file(LONG, line=500)
    assert (view.lines[0].number, view.lines[0].text) == (500 - ABOVE, f"line {500 - ABOVE}")
    assert len(view.lines) == WINDOW_LINES
    assert (view.total, view.has_marked) == (1000, True)
    assert view.earlier == 500 - ABOVE - WINDOW_LINES
    assert view.later == 500 - ABOVE + WINDOW_LINES


def test_steps_lead_through_the_whole_file_without_a_gap() -> None:
    seen, begin = [], 1
    while True:
        view = view_file(LONG, line=3, begin=begin)
        seen += [line.number for line in view.lines]
        if view.later is None:
            break
        begin = view.later
    assert seen == list(range(1, 1001))


@pytest.mark.parametrize(("line", "marked"), [(1, True), (1000, True), (1001, False), (10**6, False)])
def test_a_line_beyond_the_end_is_told_as_not_shown(line: int, marked: bool) -> None:
    view = view_file(LONG, line=line)
    assert view.has_marked is marked
    assert view.lines


def test_an_empty_or_erased_file_has_no_lines() -> None:
    assert view_file(a_file("a.py", "")).lines == ()


@given(st.text(alphabet="ab\n", max_size=400), st.integers(1, 500), st.integers(-5, 500))
@settings(max_examples=200, deadline=None)
def test_numbers_are_those_of_the_file_wherever_one_looks(body: str, line: int, begin: int) -> None:
    lines = body.removesuffix("\n").split("\n")
    for shown in view_file(a_file("a.txt", body), line=line, begin=begin).lines:
        assert shown.text == lines[shown.number - 1]


def test_a_line_of_megabytes_is_shortened_in_its_middle() -> None:
    (line,) = view_file(a_file("a.js", "x" * 2_000_000)).lines
    assert len(line.text) == SHOWN_CHARACTERS


def test_secrets_of_reports_and_logs_are_hidden_and_counted_those_of_the_work_stay() -> None:
    text = "ok\npassword = hunter2hunter2\n"
    shown = {
        name: view_file(a_file(name, text, kind))
        for name, kind in (("r.xml", FileKind.REPORT), ("ci.log", FileKind.WORK), ("a.py", FileKind.WORK))
    }
    assert [shown[name].hidden for name in shown] == [1, 1, 0]
    assert "hunter2" not in str(shown["r.xml"]) + str(shown["ci.log"])
    assert shown["a.py"].lines[1].text == "password = hunter2hunter2"


def test_a_long_log_shows_its_head_and_tail_by_their_numbers_in_the_whole_log() -> None:
    whole = a_file("ci.log", "\n".join(f"line {number}" for number in range(1, 13_001)))
    kept = keep_told(whole)
    assert kept.body is not None
    assert kept.body.count("\n") == KEPT_HEAD_LINES + KEPT_TAIL_LINES
    for file in (whole, kept, keep_told(kept)):
        view = view_file(file, line=12_999)
        assert [line.number for line in view.lines] == [
            *range(1, HEAD_LINES + 1),
            *range(13_001 - TAIL_LINES, 13_001),
        ]
        assert all(line.text == f"line {line.number}" for line in view.lines)
        assert (view.total, view.is_digest, view.has_marked) == (13_000, True, True)
        gaps = [line.gap_before for line in view.lines if line.gap_before]
        assert gaps == [13_000 - HEAD_LINES - TAIL_LINES]


def test_a_log_is_stored_without_its_secrets_and_by_the_hash_of_what_was_handed_in() -> None:
    file = a_file("build/ci.log", f"token: ghp_{'a1' * 18}\nok")
    kept = keep_told(file)
    assert kept.body == f"token: {REDACTED}\nok"
    assert (kept.sha256, kept.size_bytes) == (file.sha256, file.size_bytes)


def test_a_note_loses_its_secrets_and_any_other_file_nothing() -> None:
    secret = "password = hunter2hunter2"
    note, work = a_file("n.txt", secret, FileKind.ENVIRONMENT), a_file("a.py", secret)
    assert keep_told(note).body == f"password = {REDACTED}"
    assert keep_told(work) == work
