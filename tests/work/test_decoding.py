import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.states import FileKind, FileState
from engine.work.decoding import decode, decode_name, read_file, unread_file


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        pytest.param("登录成功", "utf-8", id="utf-8"),
        pytest.param("登录成功", "utf-8-sig", id="utf-8 with a mark"),
        pytest.param("登录 ok", "utf-16", id="utf-16 with a mark"),
        pytest.param("登录 ok", "utf-32", id="utf-32 with a mark"),
        pytest.param("你好", "gbk", id="two Chinese characters in GBK"),
        pytest.param("x = 1  # 计数\n" * 3, "gb18030", id="code with Chinese comments in GB18030"),
        pytest.param("這是一個學生專案的說明，包含註冊與登入功能。", "big5", id="Big5"),
        pytest.param("Voilà une idée: l'été à la plage, où l'on a mangé des crêpes.\n", "cp1252", id="Windows French"),
        pytest.param("", "utf-8", id="empty"),
    ],
)
def test_text_is_read_in_its_own_encoding_without_a_mark(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == (FileState.TEXT, text)


@pytest.mark.parametrize(
    ("content", "state"),
    [
        pytest.param(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", FileState.BINARY, id="image"),
        pytest.param(b"print('hi')\x00", FileState.BINARY, id="source with a NUL"),
        pytest.param(b"\x1f\x8b\x08\x01\xff\xfe\xfd", FileState.BINARY, id="control bytes without a NUL"),
        pytest.param(b"\xff\xfea", FileState.BINARY, id="half a UTF-16 character"),
        pytest.param(b"\xff\xff\xff\x81\xff\x81\xff\xff" * 40, FileState.UNDECODABLE, id="no encoding fits"),
    ],
)
def test_what_is_not_text_has_a_state_and_no_body(content: bytes, state: FileState) -> None:
    assert decode(content) == (state, None)


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\ufeff")))
def test_every_text_in_utf_8_comes_back_unchanged(text: str) -> None:
    assert decode(text.encode()) == (FileState.TEXT, text)


@given(st.binary(max_size=400))
def test_no_body_ever_holds_what_a_database_refuses(content: bytes) -> None:
    _, body = decode(content)
    assert body is None or "\0" not in body.encode().decode()


@pytest.mark.parametrize(
    ("path", "text", "kind"),
    [
        pytest.param(
            "report.xml", '<?xml version="1.0"?>\n<testsuites><testsuite/></testsuites>', FileKind.REPORT, id="suites"
        ),
        pytest.param("a/JUNIT.XML", "<testsuite name='x'>", FileKind.REPORT, id="one suite, upper case suffix"),
        pytest.param("r.xml", "<!-- <pom> --><testsuite/>", FileKind.REPORT, id="after a comment"),
        pytest.param(
            "r.xml", '<!DOCTYPE x [<!ENTITY a "b">]><testsuite/>', FileKind.REPORT, id="after a document type"
        ),
        pytest.param("r.xml", '<j:testsuite xmlns:j="x"/>', FileKind.REPORT, id="with a prefix"),
        pytest.param("pom.xml", "<project><testsuite/></project>", FileKind.WORK, id="another root"),
        pytest.param("notes.md", "<testsuite/>", FileKind.WORK, id="another suffix"),
        pytest.param("x.xml", "testsuite", FileKind.WORK, id="no element"),
        pytest.param("x.xml", "<testsuitesque/>", FileKind.WORK, id="a longer name"),
    ],
)
def test_a_report_is_told_by_suffix_and_first_element(path: str, text: str, kind: FileKind) -> None:
    assert read_file(path, text.encode()).kind is kind


def test_the_hash_is_of_the_bytes_and_not_of_the_text() -> None:
    content = "你好".encode("gbk")
    file = read_file("a.txt", content)
    assert (file.sha256, file.size_bytes, file.body) == (hashlib.sha256(content).hexdigest(), 4, "你好")


def test_a_file_over_the_limit_is_known_by_name_and_size() -> None:
    assert unread_file("a", 5) == unread_file("a", 5)
    assert len({unread_file("a", 5).sha256, unread_file("a", 6).sha256, unread_file("b", 5).sha256}) == 3


@pytest.mark.parametrize(
    ("path", "head", "kind"),
    [
        ("r.xml", b"<testsuites>", FileKind.REPORT),
        ("r.xml", b"<pom>", FileKind.WORK),
        ("r.txt", b"<testsuites>", FileKind.WORK),
        ("r.xml", b"<testsuites>\xe4\xbd", FileKind.REPORT),
    ],
    ids=["a report", "other XML", "another suffix", "cut inside a character"],
)
def test_a_report_over_the_limit_is_still_told_by_its_beginning(path: str, head: bytes, kind: FileKind) -> None:
    assert unread_file(path, 5, head).kind is kind


@pytest.mark.parametrize("encoding", ["utf-8", "gbk", "gb18030"])
def test_a_chinese_file_name_is_read_without_a_hint(encoding: str) -> None:
    assert decode_name("作业/说明.md".encode(encoding)) == "作业/说明.md"


def test_a_file_name_in_no_known_encoding_is_unknown() -> None:
    assert decode_name(b"\xff\xff.md") is None
