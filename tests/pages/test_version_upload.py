"""A file that is to become a text, and why it cannot."""

import pytest
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec

from engine.errors import ArtifactRefused
from pages._widgets.version_upload import read_text


def upload(name: str, content: bytes) -> UploadedFile:
    return UploadedFile(UploadedFileRec("id", name, "", content), FileURLs())


@pytest.mark.parametrize(
    ("content", "text"), [("好\r\n".encode("gbk") * 9, "好\r\n" * 9), (b"\xef\xbb\xbfone", "one")], ids=["GBK", "mark"]
)
def test_a_text_is_read_in_its_own_encoding(content: bytes, text: str) -> None:
    assert read_text(upload("draft.txt", content)) == text


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("empty.md", b"", "empty_file"),
        ("blank.md", b" \n\t", "empty_file"),
        ("Report.DOCX", b"PK\x03\x04 and more", "laid_out"),
        ("scan.pdf", b"%PDF-1.7 and more", "laid_out"),
        ("picture.png", b"\x89PNG\r\n\x1a\n\x00\x01", "not_text"),
    ],
)
def test_what_cannot_become_a_text_is_refused_by_what_it_is(name: str, content: bytes, reason: str) -> None:
    with pytest.raises(ArtifactRefused) as refused:
        read_text(upload(name, content))
    assert (refused.value.reason, refused.value.values["name"]) == (reason, name)
