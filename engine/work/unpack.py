"""From what a learner drops on the page (pasted text, files, a zip) to the files of a snapshot.

Nothing is ever written to a disk, and no header of a zip is believed: names are checked, real bytes
are counted while they are read, and everything that is neither a file nor a folder is refused.
"""

import io
import re
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum

from engine.domain.work import WorkFile
from engine.errors import HandInError
from engine.work.decoding import HEAD, decode_name, read_file, unread_file

MIB = 1024 * 1024
PASTED = "pasted.md"
"""The name that pasted text gets."""

_CHUNK = 64 * 1024
_ENTRY_MARK = b"PK\x01\x02"
_ENCRYPTED = 0x1
_UTF8_NAME = 0x800
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
"""Those that can be read in bounded pieces; one piece of bzip2 or LZMA may need gigabytes."""
_JUNK_FOLDERS = frozenset({"__MACOSX", ".git", "node_modules", "__pycache__", ".venv"})
_JUNK_FILES = frozenset({".DS_Store", "Thumbs.db"})
_JUNK_SUFFIX = ".pyc"
_DRIVE = re.compile(r".:")
"""Windows takes any one character before a colon for a drive."""
_BAD_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, struct.error, OverflowError, OSError, ValueError, KeyError)
"""What zipfile raises on damaged archives, found by feeding it damaged archives."""


class HandInProblem(StrEnum):
    """Why work cannot be taken: the `reason` of a `HandInError`. In brackets the blanks of its sentence."""

    EMPTY = "empty"
    """Nothing was handed in, or only files that are skipped or hold nothing (skipped)."""
    EMPTY_FILE = "empty_file"
    """A zip of 0 bytes (path)."""
    PATH_OUTSIDE = "path_outside"
    """A path that leads out of the folder (path)."""
    PATH_TOO_LONG = "path_too_long"
    """(path, limit, characters)"""
    BAD_NAME = "bad_name"
    """No name, or one with control characters, or a folder that holds bytes (path)."""
    LINK = "link"
    """A link, device or the like (path)."""
    BOMB = "bomb"
    """A zip that grows out of all proportion (path, limit_mb)."""
    TOO_LARGE = "too_large"
    """One upload (path, size_mb, limit_mb), or everything together (limit_mb)."""
    TOO_MANY = "too_many"
    """More files than allowed (count, limit)."""
    ENCRYPTED = "encrypted"
    """(path)"""
    COMPRESSION = "compression"
    """A rare way of packing that is not read (path)."""
    BROKEN_ZIP = "broken_zip"
    """Not a zip, or a damaged one (path)."""
    DUPLICATE = "duplicate"
    """One path twice (path)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """One file as it came from the browser."""

    name: str
    """A plain name, or a relative path with forward or backward slashes."""
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class HandInLimits:
    """How much one hand-in may hold."""

    file_bytes: int = 10 * MIB
    """A larger file is kept by name and size; the rest goes on."""
    upload_bytes: int = 25 * MIB
    """Of each uploaded file, zipped or not."""
    total_bytes: int = 50 * MIB
    """Of everything, unpacked."""
    files: int = 2000
    """Not counting those that are skipped."""
    path_characters: int = 240
    ratio: int = 200
    """How many times its own size a zip may grow once it exceeds `file_bytes`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandIn:
    """What was taken."""

    files: tuple[WorkFile, ...]
    """Ordered by path; no path occurs twice, none leads outside."""
    skipped: tuple[str, ...]
    """Junk that nobody means to hand in: folders with a slash at the end, and single files; ordered."""


@dataclass(slots=True)
class Basket:
    """What has been collected so far, and how much of the limits it took; each method refuses what is over them."""

    limits: HandInLimits
    files: dict[str, WorkFile] = field(default_factory=dict)
    """By path."""
    skipped: set[str] = field(default_factory=set)
    """As `HandIn.skipped`."""
    spent_bytes: int = 0

    def spend(self, count: int) -> None:
        """Count bytes that are taken."""
        self.spent_bytes += count
        if self.spent_bytes > self.limits.total_bytes:
            raise _refusal(HandInProblem.TOO_LARGE, limit_mb=_mb(self.limits.total_bytes))

    def add(self, path: str, size: int, content: bytes) -> None:
        """Keep one file; of one over the limit `content` may be the beginning only."""
        is_whole = size <= self.limits.file_bytes
        self.keep(read_file(path, content) if is_whole else unread_file(path, size, content[:HEAD]))

    def keep(self, file: WorkFile) -> None:
        """Keep one file that was read already."""
        if file.path in self.files:
            raise _refusal(HandInProblem.DUPLICATE, path=file.path)
        self.files[file.path] = file
        self.expect(len(self.files))

    def expect(self, count: int) -> None:
        """Say how many files there will be at least."""
        if count > self.limits.files:
            raise _refusal(HandInProblem.TOO_MANY, count=count, limit=self.limits.files)

    def taken(self) -> HandIn:
        """Everything, by path; refused where nothing of it holds anything."""
        if not any(file.size_bytes for file in self.files.values()):
            raise _refusal(HandInProblem.EMPTY, skipped=len(self.skipped))
        return HandIn(files=tuple(self.files[path] for path in sorted(self.files)), skipped=tuple(sorted(self.skipped)))


@dataclass(slots=True)
class _Growth:
    """How far one zip may still grow while it is read."""

    basket: Basket
    path: str
    left_bytes: int

    def spend(self, count: int) -> None:
        self.left_bytes -= count
        if self.left_bytes < 0:
            raise _refusal(HandInProblem.BOMB, path=self.path, limit_mb=_mb(self.basket.limits.total_bytes))
        self.basket.spend(count)


def read_hand_in(uploads: Sequence[Upload], pasted: str = "", limits: HandInLimits | None = None) -> HandIn:
    """Read everything that was handed in at one moment.

    Pasted text becomes `pasted.md`; an upload named .zip is unpacked, everything else is one file;
    a zip inside a zip stays a file. A single top folder of a zip is left away. A file over the limit,
    and one that is not text, is kept with its state, and the hand-in goes on.

    Raises:
        HandInError: nothing of it is taken; `reason` is a `HandInProblem`.
    """
    basket = Basket(limits=limits or HandInLimits())
    if pasted.strip():
        _take_plain(basket, PASTED, pasted.replace("\0", "").encode("utf-8", "replace"))
    for upload in uploads:
        _take_upload(basket, upload)
    return basket.taken()


def _take_upload(basket: Basket, upload: Upload) -> None:
    path = safe_path(upload.name, basket.limits)
    size, limit = len(upload.content), basket.limits.upload_bytes
    if size > limit:
        raise _refusal(HandInProblem.TOO_LARGE, path=path, size_mb=_mb(size), limit_mb=_mb(limit))
    if junk := junk_of(path):
        basket.skipped.add(junk)
    elif path.lower().endswith(".zip"):
        _take_zip(basket, path, upload.content)
    else:
        _take_plain(basket, path, upload.content)


def _take_plain(basket: Basket, path: str, content: bytes) -> None:
    basket.spend(len(content))
    basket.add(path, len(content), content)


def _take_zip(basket: Basket, path: str, content: bytes) -> None:
    if not content:
        raise _refusal(HandInProblem.EMPTY_FILE, path=path)
    _count_entries(content, basket.limits)
    with _broken_zip_told(path), zipfile.ZipFile(io.BytesIO(content)) as archive:
        entries = dict(_members(basket, archive))
        top = common_top(entries.values())
        ceiling = max(basket.limits.file_bytes, len(content) * basket.limits.ratio)
        growth = _Growth(basket=basket, path=path, left_bytes=ceiling)
        for info, inner in entries.items():
            size, body = _read_member(growth, archive, info)
            basket.add(inner.removeprefix(top), size, body)


def _count_entries(content: bytes, limits: HandInLimits) -> None:
    """Refuse a zip of very many entries before zipfile builds an object for each of them.

    The mark may also stand inside a file, hence the wide margin, which junk folders need anyway.
    """
    count = content.count(_ENTRY_MARK)
    if count > 20 * limits.files:
        raise _refusal(HandInProblem.TOO_MANY, count=count, limit=limits.files)


def _members(basket: Basket, archive: zipfile.ZipFile) -> Iterator[tuple[zipfile.ZipInfo, str]]:
    """The files to be read, each with its safe path; junk and folders are left out, all else is refused."""
    count = 0
    for info in archive.infolist():
        name = _member_name(info)
        if not _is_root(name):
            path = safe_path(name, basket.limits)
            if junk := junk_of(path):
                basket.skipped.add(junk)
            elif not _is_folder(info, name, path):
                count += 1
                _check_member(info, path)
                yield info, path
        if count > basket.limits.files:
            raise _refusal(HandInProblem.TOO_MANY, count=count, limit=basket.limits.files)


def _member_name(info: zipfile.ZipInfo) -> str:
    # `filename` ends at a NUL; the name as it stands in the archive is the one to be judged.
    name = info.orig_filename
    if info.flag_bits & _UTF8_NAME or name.isascii():
        return name
    return decode_name(name.encode("cp437")) or name


def _is_root(name: str) -> bool:
    """Whether an entry is the archive's own top, which some packers list."""
    return name in (".", "./", ".\\")


def _is_folder(info: zipfile.ZipInfo, name: str, path: str) -> bool:
    named = name.endswith(("/", "\\"))
    marked = stat.S_ISDIR(info.external_attr >> 16)
    if not named and not marked:
        return False
    if info.file_size or info.compress_size > 2:
        raise _refusal(HandInProblem.BAD_NAME, path=path)
    return True


def _check_member(info: zipfile.ZipInfo, path: str) -> None:
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        raise _refusal(HandInProblem.LINK, path=path)
    if info.flag_bits & _ENCRYPTED:
        raise _refusal(HandInProblem.ENCRYPTED, path=path)
    if info.compress_type not in _METHODS:
        raise _refusal(HandInProblem.COMPRESSION, path=path)


def _read_member(growth: _Growth, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> tuple[int, bytes]:
    """Size and bytes of one entry; beyond the limit all but the beginning is dropped, yet counted on."""
    size, kept, limit = 0, bytearray(), growth.basket.limits.file_bytes
    with archive.open(info) as stream:
        while chunk := stream.read(_CHUNK):
            size += len(chunk)
            growth.spend(len(chunk))
            kept += chunk
            if size > limit:
                del kept[HEAD:]
    return size, bytes(kept)


@contextmanager
def _broken_zip_told(path: str) -> Iterator[None]:
    """Turn what zipfile raises on a bad archive into the one error that a person is shown."""
    try:
        yield
    except NotImplementedError as error:
        raise _refusal(HandInProblem.COMPRESSION, path=path) from error
    except _BROKEN as error:
        raise _refusal(HandInProblem.BROKEN_ZIP, path=path) from error


def safe_path(name: str, limits: HandInLimits) -> str:
    """The relative path a name stands for, with forward slashes and without empty or `.` parts."""
    if any(unicodedata.category(letter) in _BAD_CATEGORIES or letter in _TURNING for letter in name):
        raise _refusal(HandInProblem.BAD_NAME, path=_printable(name))
    slashed = name.replace("\\", "/")
    parts = [part for part in slashed.split("/") if part not in ("", ".")]
    if slashed.startswith("/") or _DRIVE.match(slashed) or ".." in parts:
        raise _refusal(HandInProblem.PATH_OUTSIDE, path=name)
    path = "/".join(parts)
    if not path.strip():
        raise _refusal(HandInProblem.BAD_NAME, path=name)
    if len(path) > limits.path_characters:
        limit = limits.path_characters
        raise _refusal(HandInProblem.PATH_TOO_LONG, path=path, characters=len(path), limit=limit)
    return path


def _printable(name: str) -> str:
    shown = (letter if unicodedata.category(letter) not in _BAD_CATEGORIES else "\ufffd" for letter in name)
    return "".join("\ufffd" if letter in _TURNING else letter for letter in shown)


def junk_of(path: str) -> str | None:
    """The outermost junk folder that holds `path`, or `path` itself when it is a junk file."""
    parts = path.split("/")
    for depth, part in enumerate(parts, start=1):
        if part in _JUNK_FOLDERS:
            return "/".join(parts[:depth]) + "/"
    return path if parts[-1] in _JUNK_FILES or path.endswith(_JUNK_SUFFIX) else None


def common_top(paths: Iterable[str]) -> str:
    """The one folder, with its slash, in which all paths lie; empty when there is none."""
    tops = {path.partition("/")[0] + "/" if "/" in path else "" for path in paths}
    return tops.pop() if len(tops) == 1 else ""


def _mb(size: int) -> float:
    """Mebibytes, rounded up to one digit, so that what is over a limit never looks equal to it."""
    return -(-size * 10 // MIB) / 10


_TOLD = {
    HandInProblem.EMPTY: "there is nothing to hand in",
    HandInProblem.EMPTY_FILE: "the zip {path!r} is empty",
    HandInProblem.PATH_OUTSIDE: "the path {path!r} leads out of the folder",
    HandInProblem.PATH_TOO_LONG: "the path {path!r} is longer than {limit} characters",
    HandInProblem.BAD_NAME: "the name {path!r} cannot be used",
    HandInProblem.LINK: "{path!r} is a link or a device, not a file",
    HandInProblem.BOMB: "the zip {path!r} grows out of all proportion when it is unpacked",
    HandInProblem.TOO_LARGE: "it is larger than {limit_mb} MB",
    HandInProblem.TOO_MANY: "there are {count} files, more than {limit}",
    HandInProblem.ENCRYPTED: "{path!r} is locked with a password",
    HandInProblem.COMPRESSION: "{path!r} is packed in a way that is not read here",
    HandInProblem.BROKEN_ZIP: "{path!r} is no zip, or a damaged one",
    HandInProblem.DUPLICATE: "the path {path!r} is there twice",
}
"""What the engine says of each problem, for logs and tables; paths are quoted, since other people made them."""


def _refusal(problem: HandInProblem, **values: str | int | float) -> HandInError:
    return HandInError(_TOLD[problem].format(**values), reason=problem, **values)
