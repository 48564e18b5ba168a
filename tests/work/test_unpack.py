import io
import stat
import struct
import zipfile
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain.states import FileKind, FileState
from engine.errors import HandInError
from engine.work.unpack import MIB, HandInLimits, HandInProblem, Upload, _refusal, read_hand_in

SMALL = HandInLimits(file_bytes=100, upload_bytes=2000, total_bytes=500, files=5, path_characters=40)


def zipped(entries: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in entries.items():
            archive.writestr(zipfile.ZipInfo(name), content, compress_type=method)
    return buffer.getvalue()


def zipped_entry(name: str, mode: int, content: bytes = b"target") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        info = zipfile.ZipInfo(name)
        info.external_attr = mode << 16
        archive.writestr(info, content)
        archive.writestr("plain.md", b"x")
    return buffer.getvalue()


def with_flag(archive: bytes, flag: int) -> bytes:
    """Sets a bit of the general purpose flags, as zipfile itself does not when it writes."""
    data = bytearray(archive)
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.index(mark) + offset
        struct.pack_into("<H", data, at, struct.unpack_from("<H", data, at)[0] | flag)
    return bytes(data)


def paths(*uploads: Upload, pasted: str = "", limits: HandInLimits | None = None) -> list[str]:
    return [file.path for file in read_hand_in(uploads, pasted, limits).files]


def refused(*uploads: Upload, pasted: str = "", limits: HandInLimits | None = None) -> HandInError:
    with pytest.raises(HandInError) as caught:
        read_hand_in(uploads, pasted, limits)
    return caught.value


def a_zip(entries: Mapping[str, bytes]) -> Upload:
    return Upload(name="work.zip", content=zipped(entries))


def test_pasted_text_becomes_a_file() -> None:
    (file,) = read_hand_in((), pasted="我的思路").files
    assert (file.path, file.body, file.state, file.kind) == ("pasted.md", "我的思路", FileState.TEXT, FileKind.WORK)


def test_files_zips_and_pasted_text_are_taken_together_in_order_of_path() -> None:
    uploads = (Upload(name="z.txt", content=b"z"), a_zip({"b.py": b"b", "src/a.py": b"a"}))
    assert paths(*uploads, pasted="p") == ["b.py", "pasted.md", "src/a.py", "z.txt"]


def test_the_one_top_folder_of_a_zip_is_left_away() -> None:
    assert paths(a_zip({"my/": b"", "my/README.md": b"r", "my/src/a.py": b"a"})) == ["README.md", "src/a.py"]


def test_two_top_folders_stay() -> None:
    assert paths(a_zip({"src/a.py": b"a", "tests/a.py": b"a"})) == ["src/a.py", "tests/a.py"]


def test_a_top_folder_stays_beside_a_top_file() -> None:
    assert paths(a_zip({"src/a.py": b"a", "README": b"r"})) == ["README", "src/a.py"]


def test_junk_is_skipped_and_told() -> None:
    taken = read_hand_in(
        [
            a_zip(
                {
                    "p/a.py": b"a",
                    "__MACOSX/p/._a.py": b"x",
                    "p/.DS_Store": b"x",
                    "p/node_modules/x/y.js": b"x",
                    "p/node_modules/z.js": b"x",
                    "p/sub/__pycache__/a.pyc": b"x",
                    "p/b.pyc": b"x",
                    "p/.git/config": b"x",
                    "p/.venv/bin/python": b"x",
                }
            ),
            Upload(name="Thumbs.db", content=b"x"),
        ]
    )
    assert [file.path for file in taken.files] == ["a.py"]
    assert taken.skipped == (
        "Thumbs.db",
        "__MACOSX/",
        "p/.DS_Store",
        "p/.git/",
        "p/.venv/",
        "p/b.pyc",
        "p/node_modules/",
        "p/sub/__pycache__/",
    )


def test_a_link_inside_a_junk_folder_does_not_stop_the_hand_in() -> None:
    archive = zipped_entry("node_modules/.bin/x", stat.S_IFLNK | 0o777)
    assert paths(Upload(name="w.zip", content=archive)) == ["plain.md"]


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        pytest.param("../a.py", HandInProblem.PATH_OUTSIDE, id="up"),
        pytest.param("a/../../b.py", HandInProblem.PATH_OUTSIDE, id="up in the middle"),
        pytest.param("a/..", HandInProblem.PATH_OUTSIDE, id="up at the end"),
        pytest.param("/etc/passwd", HandInProblem.PATH_OUTSIDE, id="absolute"),
        pytest.param("\\server\\a", HandInProblem.PATH_OUTSIDE, id="absolute by backslash"),
        pytest.param("C:\\a.py", HandInProblem.PATH_OUTSIDE, id="drive"),
        pytest.param("c:a.py", HandInProblem.PATH_OUTSIDE, id="drive without a slash"),
        pytest.param("0:a.py", HandInProblem.PATH_OUTSIDE, id="drive without a letter"),
        pytest.param("..\\a.py", HandInProblem.PATH_OUTSIDE, id="up by backslash"),
        pytest.param("../node_modules/a", HandInProblem.PATH_OUTSIDE, id="junk that leads outside"),
        pytest.param("../", HandInProblem.PATH_OUTSIDE, id="folder that leads outside"),
        pytest.param("a\nb.py", HandInProblem.BAD_NAME, id="line end"),
        pytest.param("a\x1b[31m.py", HandInProblem.BAD_NAME, id="terminal sequence"),
        pytest.param("a\u202egnp.py", HandInProblem.BAD_NAME, id="turned direction"),
        pytest.param(" ", HandInProblem.BAD_NAME, id="blank"),
        pytest.param("a" * 241, HandInProblem.PATH_TOO_LONG, id="too long"),
    ],
)
def test_a_bad_name_is_refused_in_a_zip_and_alone(name: str, problem: HandInProblem) -> None:
    in_zip = refused(a_zip({name: b"", "ok.md": b"x"}))
    assert in_zip.reason == problem
    assert refused(Upload(name=name, content=b"x")).reason == problem


def test_the_error_names_the_path_that_leads_outside() -> None:
    assert refused(a_zip({"../../secret": b"x"})).values == {"path": "../../secret"}


def test_a_nul_in_the_name_of_an_entry_is_refused() -> None:
    archive = zipped({"aXb.py": b"x"}).replace(b"aXb.py", b"a\0b.py")
    error = refused(Upload(name="w.zip", content=archive))
    assert (error.reason, error.values) == (HandInProblem.BAD_NAME, {"path": "a\ufffdb.py"})


def test_backslashes_are_slashes() -> None:
    assert paths(a_zip({"src\\a.py": b"a", "b.py": b"b"})) == ["b.py", "src/a.py"]


def test_dots_and_empty_parts_are_left_away() -> None:
    assert paths(a_zip({"./": b"", "./a.py": b"a", "src//./b.py": b"b"})) == ["a.py", "src/b.py"]


@pytest.mark.parametrize(
    "mode",
    [
        pytest.param(stat.S_IFLNK | 0o777, id="link"),
        pytest.param(stat.S_IFCHR | 0o600, id="device"),
        pytest.param(stat.S_IFIFO | 0o600, id="pipe"),
        pytest.param(stat.S_IFSOCK | 0o600, id="socket"),
    ],
)
def test_what_is_neither_file_nor_folder_is_refused(mode: int) -> None:
    error = refused(Upload(name="w.zip", content=zipped_entry("key", mode)))
    assert (error.reason, error.values) == (HandInProblem.LINK, {"path": "key"})


def test_a_file_with_a_mode_is_taken() -> None:
    archive = zipped_entry("run.sh", stat.S_IFREG | 0o755)
    assert paths(Upload(name="w.zip", content=archive)) == ["plain.md", "run.sh"]


def test_a_folder_marked_only_by_its_mode_is_no_file() -> None:
    archive = zipped_entry("src", stat.S_IFDIR | 0o755, content=b"")
    assert paths(Upload(name="w.zip", content=archive)) == ["plain.md"]


@pytest.mark.parametrize(("name", "mode"), [("src/", 0), ("src", stat.S_IFDIR)], ids=["by name", "by mode"])
def test_bytes_hidden_in_a_folder_are_refused(name: str, mode: int) -> None:
    assert refused(Upload(name="w.zip", content=zipped_entry(name, mode))).reason == HandInProblem.BAD_NAME


def test_a_zip_that_grows_out_of_proportion_is_refused_before_it_is_read_to_its_end() -> None:
    bomb = zipped({"zeros": b"\0" * (40 * MIB)})
    error = refused(Upload(name="bomb.zip", content=bomb))
    assert (error.reason, error.values["path"]) == (HandInProblem.BOMB, "bomb.zip")


def test_many_small_bombs_in_one_zip_are_one_bomb() -> None:
    bomb = zipped({f"{number}": b"\0" * (9 * MIB) for number in range(3)})
    assert refused(Upload(name="bomb.zip", content=bomb)).reason == HandInProblem.BOMB


def test_a_file_of_zeros_within_the_limit_is_no_bomb() -> None:
    assert paths(a_zip({"zeros": b"\0" * (9 * MIB)})) == ["zeros"]


def test_a_zip_that_lies_about_the_size_of_an_entry_is_broken() -> None:
    archive = bytearray(zipped({"a.txt": b"a" * 1000}))
    struct.pack_into("<I", archive, archive.index(b"PK\x01\x02") + 24, 10)
    assert refused(Upload(name="w.zip", content=bytes(archive))).reason == HandInProblem.BROKEN_ZIP


def test_a_zip_inside_a_zip_stays_a_file() -> None:
    (inner, _) = read_hand_in([a_zip({"inner.zip": zipped({"../x": b"x"}), "z": b"z"})]).files
    assert (inner.path, inner.state, inner.body) == ("inner.zip", FileState.BINARY, None)


def test_an_encrypted_entry_is_refused() -> None:
    archive = with_flag(zipped({"a.txt": b"abc"}), 0x1)
    error = refused(Upload(name="w.zip", content=archive))
    assert (error.reason, error.values) == (HandInProblem.ENCRYPTED, {"path": "a.txt"})


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA], ids=["bzip2", "lzma"])
def test_packing_that_cannot_be_read_in_bounded_pieces_is_refused(method: int) -> None:
    archive = zipped({"a.txt": b"abc"}, method)
    assert refused(Upload(name="w.zip", content=archive)).reason == HandInProblem.COMPRESSION


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        pytest.param(b"", HandInProblem.EMPTY_FILE, id="0 bytes"),
        pytest.param(b"hello", HandInProblem.BROKEN_ZIP, id="not a zip"),
        pytest.param(zipped({"a.txt": b"a" * 500})[:60], HandInProblem.BROKEN_ZIP, id="cut off"),
        pytest.param(
            zipped({"a.txt": b"abc"}, zipfile.ZIP_STORED).replace(b"abc", b"abd", 1),
            HandInProblem.BROKEN_ZIP,
            id="wrong checksum",
        ),
    ],
)
def test_a_bad_zip_is_refused_by_name(content: bytes, problem: HandInProblem) -> None:
    error = refused(Upload(name="work.ZIP", content=content))
    assert (error.reason, error.values) == (problem, {"path": "work.ZIP"})


@pytest.mark.parametrize(
    "uploads",
    [
        pytest.param([], id="nothing"),
        pytest.param([a_zip({})], id="empty zip"),
        pytest.param([a_zip({"src/": b""})], id="folders only"),
        pytest.param([a_zip({".DS_Store": b"x"})], id="junk only"),
        pytest.param([Upload(name="a.py", content=b"")], id="a file of 0 bytes alone"),
    ],
)
def test_a_hand_in_that_holds_nothing_is_refused(uploads: list[Upload]) -> None:
    assert refused(*uploads, pasted=" \n").reason == HandInProblem.EMPTY


def test_an_empty_file_beside_others_is_taken() -> None:
    first, _ = read_hand_in([a_zip({"__init__.py": b"", "a.py": b"a"})]).files
    assert (first.path, first.state, first.body) == ("__init__.py", FileState.TEXT, "")


def test_a_path_twice_in_one_zip_is_refused() -> None:
    archive = zipped({"a.py": b"1", "b.py": b"2"}).replace(b"b.py", b"a.py")
    error = refused(Upload(name="w.zip", content=archive))
    assert (error.reason, error.values) == (HandInProblem.DUPLICATE, {"path": "a.py"})


def test_a_path_twice_in_two_uploads_is_refused() -> None:
    error = refused(Upload(name="a.py", content=b"1"), a_zip({"a.py": b"1", "b.py": b"2"}))
    assert error.reason == HandInProblem.DUPLICATE


def test_paths_that_differ_in_case_only_are_two_files() -> None:
    assert paths(a_zip({"Readme.md": b"1", "README.md": b"2"})) == ["README.md", "Readme.md"]


@pytest.mark.parametrize("in_zip", [True, False], ids=["in a zip", "alone"])
def test_a_file_over_the_limit_is_kept_by_name_and_the_rest_goes_on(in_zip: bool) -> None:
    entries = {"big.txt": bytes(range(65, 91)) * 4, "fits.txt": b"a" * 100}
    uploads = [a_zip(entries)] if in_zip else [Upload(name=name, content=text) for name, text in entries.items()]
    big, fits = read_hand_in(uploads, limits=SMALL).files
    assert (big.path, big.state, big.body, big.size_bytes) == ("big.txt", FileState.TOO_LARGE, None, 104)
    assert (fits.state, fits.size_bytes) == (FileState.TEXT, 100)


@pytest.mark.parametrize("in_zip", [True, False], ids=["in a zip", "alone"])
def test_a_test_report_over_the_limit_is_still_a_test_report(in_zip: bool) -> None:
    body = b"<testsuite>" + b" " * 100 + b"</testsuite>"
    (report,) = read_hand_in(
        [a_zip({"r.xml": body}) if in_zip else Upload(name="r.xml", content=body)], limits=SMALL
    ).files
    assert (report.kind, report.state, report.size_bytes) == (FileKind.REPORT, FileState.TOO_LARGE, len(body))


def test_an_upload_over_the_limit_is_refused_with_both_sizes() -> None:
    error = refused(Upload(name="big.zip", content=b"x" * (25 * MIB + 1)))
    assert error.reason == HandInProblem.TOO_LARGE
    assert error.values == {"path": "big.zip", "size_mb": 25.1, "limit_mb": 25.0}


def test_everything_together_over_the_limit_is_refused() -> None:
    uploads = [Upload(name=str(number), content=b"x" * 100) for number in range(4)]
    assert len(read_hand_in(uploads, pasted="y" * 100, limits=SMALL).files) == 5
    assert refused(*uploads, pasted="y" * 101, limits=SMALL).reason == HandInProblem.TOO_LARGE


def test_the_bytes_of_a_file_over_the_limit_count_too() -> None:
    assert refused(a_zip({"big.txt": b"x" * 501}), limits=SMALL).reason in (
        HandInProblem.TOO_LARGE,
        HandInProblem.BOMB,
    )


def test_as_many_files_as_allowed_are_taken_and_one_more_is_refused() -> None:
    assert len(paths(a_zip({str(number): b"x" for number in range(5)}), limits=SMALL)) == 5
    error = refused(a_zip({str(number): b"x" for number in range(6)}), limits=SMALL)
    assert (error.reason, error.values) == (HandInProblem.TOO_MANY, {"count": 6, "limit": 5})


def test_files_of_several_uploads_are_counted_together() -> None:
    uploads = [Upload(name=str(number), content=b"x") for number in range(6)]
    assert refused(*uploads, limits=SMALL).reason == HandInProblem.TOO_MANY


def test_very_many_entries_are_refused_even_if_all_are_junk() -> None:
    junk = {f".git/{number}": b"" for number in range(101)}
    assert refused(a_zip({**junk, "a": b"a"}), limits=HandInLimits(files=5)).reason == HandInProblem.TOO_MANY


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        pytest.param("说明.md", "gbk", id="Chinese Windows"),
        pytest.param("说明.md", "utf-8", id="UTF-8 without saying so"),
    ],
)
def test_a_chinese_name_that_does_not_say_its_encoding_is_read(name: str, encoding: str) -> None:
    raw = name.encode(encoding)
    archive = zipped({"x" * len(raw): b"x"}).replace(b"x" * len(raw), raw)
    assert paths(Upload(name="w.zip", content=archive)) == [name]


def test_a_report_in_a_zip_is_told_apart_from_work() -> None:
    files = read_hand_in([a_zip({"report.xml": b"<testsuites/>", "pom.xml": b"<project/>"})]).files
    assert [file.kind for file in files] == [FileKind.WORK, FileKind.REPORT]


names = st.text(
    st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"], exclude_characters="/\\:"), min_size=1, max_size=12
)
safe_paths = st.lists(names.filter(lambda name: name.strip(". ") != ""), min_size=1, max_size=3).map("/".join)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(safe_paths.map(lambda path: "top/" + path), st.binary(max_size=60), min_size=2, max_size=6))
def test_what_zipfile_packs_comes_back(entries: dict[str, bytes]) -> None:
    try:
        taken = read_hand_in([a_zip({**entries, "plain.md": b"plain"})])
    except HandInError as error:
        assert error.reason == HandInProblem.BAD_NAME
        return
    sizes = {file.path: file.size_bytes for file in taken.files}
    kept = {path: len(content) for path, content in entries.items() if path in sizes}
    assert sizes == {**kept, "plain.md": 5}
    assert len(kept) == len(entries) or taken.skipped


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=30), st.binary(max_size=200), st.text(max_size=10))
def test_any_name_and_any_bytes_are_taken_safely_or_refused(name: str, content: bytes, pasted: str) -> None:
    check_safe_or_refused(Upload(name=name, content=content), pasted)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=20), st.text(max_size=20), st.integers(0, 65535))
def test_any_entry_is_taken_safely_or_refused(first: str, second: str, mode: int) -> None:
    entries = {name.replace("\0", ""): b"abc" for name in (first, second) if name.isprintable()}
    buffer = io.BytesIO(zipped(entries))
    with zipfile.ZipFile(buffer, "a") as archive:
        info = zipfile.ZipInfo("odd")
        info.external_attr = mode << 16
        archive.writestr(info, b"x")
    check_safe_or_refused(Upload(name="w.zip", content=buffer.getvalue()), "")


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 400), st.integers(0, 255)), min_size=1, max_size=6), st.integers(0, 400))
def test_a_damaged_zip_is_taken_safely_or_refused(damage: list[tuple[int, int]], cut: int) -> None:
    archive = bytearray(zipped({"src/a.py": b"print(1)\n" * 9, "README.md": b"# hi\n"}))
    for position, value in damage:
        archive[position % len(archive)] = value
    del archive[: cut if cut > 380 else 0]
    check_safe_or_refused(Upload(name="w.zip", content=bytes(archive)), "")


def check_safe_or_refused(upload: Upload, pasted: str) -> None:
    try:
        taken = read_hand_in([upload], pasted)
    except HandInError as error:
        assert error.reason in [*HandInProblem]
        return
    for file in taken.files:
        parts = file.path.split("/")
        assert parts and not {"", ".", ".."} & set(parts)
        assert ":" not in file.path[1:2] and "\\" not in file.path and "\0" not in file.path
        assert (file.body is None) == (file.state is not FileState.TEXT)


@pytest.mark.parametrize("problem", HandInProblem)
def test_each_problem_is_told_as_a_plain_sentence_that_no_path_can_break(problem: HandInProblem) -> None:
    error = _refusal(problem, path="a\x1b[31m\n", limit=1, limit_mb=1.5, size_mb=2.5, count=3, characters=9, skipped=0)
    told = str(error)
    assert error.reason == problem and told.isprintable()
    assert not {"{", "}", "_"} & set(told) and len(told.split()) >= 4
