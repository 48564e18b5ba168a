"""What of the work a model is shown."""

import json
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain.data_message import escaped_json
from engine.domain.states import FileKind
from engine.review.excerpts import (
    CHUNK_LINES,
    LINE_CHARACTERS,
    NAMED_LEFT_OUT,
    NOTE_CHARACTERS,
    ShownWork,
    show_work,
)
from tests.review.builders import a_file, evidence_of

ASKED = "WHY.md says why\nwrite goal.md"


def show(files: Mapping[str, str | None], limit: int = 12_000, asked: str = ASKED) -> ShownWork:
    return show_work(asked, evidence_of(files).files, limit)


def sent(work: ShownWork, part: str = "files") -> list[dict[str, str]]:
    return list(json.loads(json.dumps(work.payload))[part])


@pytest.mark.parametrize(
    ("files", "limit", "shown", "left_out"),
    [
        pytest.param({"b.md": "1", "a.md": "1"}, 500, ["a.md", "b.md"], [], id="equal ones by path"),
        pytest.param({"a.md": "1" * 90, "b.md": "1"}, 500, ["b.md", "a.md"], [], id="small ones first"),
        pytest.param({"big.md": "1" * 300, "b.md": "1"}, 200, ["b.md"], ["big.md"], id="what does not fit is told"),
        pytest.param({"why.md": "1" * 100, "b.md": "1" * 90}, 170, ["why.md"], ["b.md"], id="named by the criterion"),
        pytest.param({"goal.md": "1" * 100, "b.md": "1" * 90}, 170, ["goal.md"], ["b.md"], id="named by the goal"),
        pytest.param({"a.md": "<" * 40, "b.md": "1" * 50}, 170, ["b.md"], ["a.md"], id="counted as it is sent"),
        pytest.param({"a.bin": None, "b.md": "1"}, 500, ["b.md"], ["a.bin"], id="no text"),
    ],
)
def test_whole_files_are_shown_while_they_fit(
    files: Mapping[str, str | None], limit: int, shown: list[str], left_out: list[str]
) -> None:
    work = show(files, limit)
    assert [file["path"] for file in sent(work)] == list(work.bodies) == shown
    assert [file["path"] for file in sent(work, "left_out")] == left_out
    assert work.hidden == len(left_out)


def test_of_a_file_that_does_not_fit_the_parts_about_the_criterion_are_shown() -> None:
    lines = [f"line {number}" for number in range(1, 301)]
    lines[149] = "Passwords are hashed with a salt"
    work = show({"long.md": "\n".join(lines)}, 900, "passwords are stored hashed and with a salt")
    (file,) = sent(work)
    assert "150\tPasswords are hashed with a salt\n" in file["text"]
    assert file["lines"] == "121-150 of 300"
    assert work.hidden == 1 and work.bodies["long.md"].startswith("line 1\n")


def test_chinese_parts_are_found_by_pairs_of_characters() -> None:
    lines = [f"第 {number} 行没有什么" for number in range(1, 201)]
    lines[99] = "密码加盐之后再保存散列值"
    (file,) = sent(show({"长.md": "\n".join(lines)}, 700, "密码必须加盐保存"))
    assert "100\t密码加盐之后再保存散列值\n" in file["text"]


def test_parts_that_follow_one_another_are_told_as_one_range() -> None:
    body = "\n".join(f"salt {number}" for number in range(1, 5 * CHUNK_LINES))
    (file,) = sent(show({"long.md": body}, 1_000, "salt"))
    assert file["lines"] == f"1-{2 * CHUNK_LINES} of {5 * CHUNK_LINES - 1}"


def test_a_line_of_megabytes_takes_the_room_of_a_line() -> None:
    (file,) = sent(show({"app.min.js": "a" * 5_000_000}))
    assert len(file["text"]) < LINE_CHARACTERS + 5 and file["text"].endswith("…\n")


def test_many_files_left_out_are_counted_and_only_some_named() -> None:
    work = show({f"{n}.bin": None for n in range(100)})
    assert (len(sent(work, "left_out")), work.payload["left_out_count"]) == (NAMED_LEFT_OUT, 100)


bodies = st.text(st.sampled_from('why 标准<>\n\r\t"\\'), max_size=400)


@settings(max_examples=100)
@given(st.dictionaries(st.sampled_from(["a.md", "b/why.md", "c.py", "<d>.md"]), bodies), st.integers(0, 2_000))
def test_the_room_is_never_exceeded_and_every_line_shown_is_a_line_of_its_file(
    files: dict[str, str], limit: int
) -> None:
    work = show(files, limit)
    shown = sent(work)
    assert sum(len(escaped_json(file)) for file in shown) <= limit
    assert {file["path"] for file in shown} | {file["path"] for file in sent(work, "left_out")} == set(files)
    for file in shown:
        lines = files[file["path"]].split("\n")
        for numbered in file["text"].removesuffix("\n").split("\n"):
            number, _, line = numbered.partition("\t")
            assert lines[int(number) - 1].rstrip("\r") == line


def test_of_a_log_the_beginning_and_end_are_shown_without_secrets() -> None:
    work = show_work("it runs", [a_file("build.log", "token: abc12345\n" + "step\n" * 5000 + "done\n")])
    (shown,) = json.loads(json.dumps(work.payload))["files"]
    assert shown["text"].startswith("1\ttoken: [redacted]\n2\tstep\n")
    assert shown["text"].endswith("5001\tstep\n5002\tdone\n")
    assert (shown["lines"], work.hidden) == ("1-40, 4883-5002 of 5002", 1)
    assert "abc12345" not in work.bodies["build.log"]


def test_what_is_said_of_the_environment_stands_beside_the_files_and_cannot_be_quoted() -> None:
    note = a_file("environment-note.txt", "os: Debian 12", FileKind.ENVIRONMENT)
    work = show_work(ASKED, (a_file("a.py", "x"), note))
    assert work.payload["environment"] == "os: Debian 12"
    assert list(work.bodies) == ["a.py"]
    assert work.hidden == 0
    assert "environment" not in show({"a.py": "x"}).payload


def test_a_long_note_is_shortened() -> None:
    note = a_file("environment-note.txt", "x" * 5_000, FileKind.ENVIRONMENT)
    assert len(str(show_work(ASKED, (note,)).payload["environment"])) == NOTE_CHARACTERS
