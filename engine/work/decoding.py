"""From the bytes of one handed-in file to a work file: is it text, in which encoding, is it a test report."""

import codecs
import hashlib
import re

import charset_normalizer

from engine.domain.states import FileKind, FileState
from engine.domain.work import WorkFile

_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (codecs.BOM_UTF8, "utf-8-sig"),
)
"""The long marks first: the short one of UTF-16 is the beginning of the one of UTF-32."""
_LEGACY = ["gb18030", "big5", "shift_jis", "euc_jp", "euc_kr", "cp1252"]
"""What a guess may choose from. A free choice calls short Chinese and French texts Baltic or Sindhi."""
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
HEAD = 2048
"""Bytes or characters in which a test report has named itself."""
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_ROOT = re.compile(r"<([A-Za-z_][\w.:-]*)")
_REPORT_ROOTS = frozenset({"testsuites", "testsuite"})


def read_file(path: str, content: bytes) -> WorkFile:
    """Read one file. Its hash is of the bytes, never of the decoded text."""
    state, body = decode(content)
    return WorkFile(
        path=path,
        sha256=hashlib.sha256(content).hexdigest(),
        size_bytes=len(content),
        kind=_kind(path, body),
        state=state,
        body=body,
    )


def unread_file(path: str, size_bytes: int, head: bytes = b"") -> WorkFile:
    """A file over the limit: known by name and size, its content dropped. By its `head` a test report is told."""
    return WorkFile(
        path=path,
        sha256=hashlib.sha256(f"{path}\n{size_bytes}".encode()).hexdigest(),
        size_bytes=size_bytes,
        kind=_kind(path, head[:HEAD].decode("utf-8", "replace")),
        state=FileState.TOO_LARGE,
    )


def decode(content: bytes) -> tuple[FileState, str | None]:
    """The text of `content`; None with the reason where there is none.

    A byte order mark decides and is removed; then UTF-8; then Chinese and other legacy encodings.
    A text with a NUL in it counts as binary, because no database stores it.
    """
    marked = next((name for bom, name in _BOMS if content.startswith(bom)), None)
    text = _strict(content, marked or "utf-8")
    if text is not None:
        return (FileState.BINARY, None) if "\0" in text else (FileState.TEXT, text)
    if marked or _CONTROLS.search(content):
        return FileState.BINARY, None
    text = _legacy(content)
    return (FileState.UNDECODABLE, None) if text is None else (FileState.TEXT, text)


def decode_name(raw: bytes) -> str | None:
    """A file name that does not say its encoding: UTF-8, else GB18030, else None."""
    text = _strict(raw, "utf-8")
    return _strict(raw, "gb18030") if text is None else text


def _legacy(content: bytes) -> str | None:
    # Every character in the common set of 1980: surely Chinese, however short. Guessing needs more text than that.
    chinese = _strict(content, "gb18030")
    if chinese is not None and _is_common_chinese(chinese):
        return chinese
    best = charset_normalizer.from_bytes(content, cp_isolation=_LEGACY).best()
    return None if best is None else str(best)


def _is_common_chinese(text: str) -> bool:
    try:
        text.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return True


def _strict(content: bytes, encoding: str) -> str | None:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        return None


def _kind(path: str, body: str | None) -> FileKind:
    """A JUnit report is an .xml file whose first element says so; nothing is parsed here."""
    if body is None or not path.lower().endswith(".xml"):
        return FileKind.WORK
    root = _ROOT.search(_COMMENT.sub("", body[:HEAD]))
    name = root.group(1).rpartition(":")[2] if root else ""
    return FileKind.REPORT if name in _REPORT_ROOTS else FileKind.WORK
