"""A folder, files that stand elsewhere, a note and several ways together become one hand-in."""

from collections.abc import Iterator, Sequence

import pytest

from engine.domain.states import FileKind
from engine.domain.work import take_snapshot
from engine.errors import HandInError
from engine.work.gathering import NOTE, NOTE_CHARACTERS, TreeFile, environment_note, join, read_folder, read_tree
from engine.work.unpack import HandIn, HandInLimits, HandInProblem, Upload, read_hand_in


def one(name: str, content: bytes = b"x") -> HandIn:
    return read_hand_in([Upload(name=name, content=content)])


def test_a_folder_leaves_its_own_name_and_its_tools_away() -> None:
    read = read_folder(
        [
            Upload(name="shop/app.py", content=b"a"),
            Upload(name="shop/src/b.py", content=b"b"),
            Upload(name="shop/data.zip", content=b"PK"),
            Upload(name="shop/.git/config", content=b"c"),
        ]
    )
    assert [file.path for file in read.files] == ["app.py", "data.zip", "src/b.py"]
    assert read.skipped == ("shop/.git/",)


@pytest.mark.parametrize("name", ["../a.py", "shop/../../a.py", "/etc/passwd", "a\u202eb"])
def test_a_folder_holds_no_path_that_leads_out(name: str) -> None:
    with pytest.raises(HandInError):
        read_folder([Upload(name=name, content=b"x")])


def test_files_from_elsewhere_are_asked_for_once_and_only_within_the_limits() -> None:
    asked: list[Sequence[TreeFile]] = []

    def read(files: Sequence[TreeFile]) -> Iterator[bytes]:
        asked.append(files)
        yield from (b"x" * file.size_bytes for file in files)

    listed = [TreeFile(name=name, size_bytes=10) for name in ("b.py", "node_modules/c.js", "a.py")]
    taken = read_tree(listed, read)
    assert [file.path for file in taken.files] == ["a.py", "b.py"]
    assert [[file.name for file in files] for files in asked] == [["b.py", "a.py"]]
    with pytest.raises(HandInError) as caught:
        read_tree(listed, read, HandInLimits(total_bytes=15))
    assert caught.value.reason == HandInProblem.TOO_LARGE
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("parts", "limits", "problem"),
    [
        pytest.param([one("a"), one("a")], HandInLimits(), HandInProblem.DUPLICATE, id="one path twice"),
        pytest.param([one("a"), one("b")], HandInLimits(files=1), HandInProblem.TOO_MANY, id="too many"),
        pytest.param([one("a"), one("b")], HandInLimits(total_bytes=1), HandInProblem.TOO_LARGE, id="too large"),
        pytest.param([], HandInLimits(), HandInProblem.EMPTY, id="nothing"),
    ],
)
def test_several_ways_together_keep_the_limits_of_one(
    parts: Sequence[HandIn], limits: HandInLimits, problem: HandInProblem
) -> None:
    with pytest.raises(HandInError) as caught:
        join(parts, limits)
    assert caught.value.reason == problem


def test_a_note_is_a_fact_of_the_snapshot_and_no_work() -> None:
    said = environment_note("  os: Debian 12\0\n")
    assert said is not None
    (note,) = said.files
    assert (note.path, note.kind, note.body) == (NOTE, FileKind.ENVIRONMENT, "os: Debian 12")
    with_note, without = join([one("a"), said]), one("a")
    assert take_snapshot(with_note.files).snapshot_hash != take_snapshot(without.files).snapshot_hash


def test_nothing_said_is_no_note_and_a_long_one_is_cut() -> None:
    assert environment_note(" \n\t") is None
    said = environment_note("x" * (NOTE_CHARACTERS + 1))
    assert said is not None
    assert said.files[0].size_bytes == NOTE_CHARACTERS
