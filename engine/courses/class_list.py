"""Class lists as schools export them, CSV or Excel, read into rows; what cannot be used is named by its row.

A list has a header line. Its columns are found by their names in both languages: the name, which must be there,
and student number, team and e-mail, which may be. Nothing in a file is ever run: a formula is its text.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module

from engine.domain.text import clean
from engine.errors import ClassListError

MAX_BYTES = 2_000_000
"""Largest file."""
MAX_ROWS = 5_000
"""Most people in one list, the header not counted."""
MAX_CHARS = 100
"""Longest name, number, team or address, in characters after cleaning."""
MAX_COLUMNS = 60
"""Columns that are looked at."""
_HEADER_WITHIN = 10
"""Lines at the top among which the header is looked for; some exports begin with a title."""


class Column(StrEnum):
    """What a column can hold."""

    NAME = "name"
    NUMBER = "number"
    TEAM = "team"
    EMAIL = "email"


class RowProblem(StrEnum):
    """Why a row cannot be used, or that it says nothing new."""

    NO_NAME = "no_name"
    TOO_LONG = "too_long"
    REPEATED = "repeated"
    """The same person as in an earlier row, said the same way."""
    NUMBER_TWICE = "number_twice"
    """Another person has this student number in an earlier row."""
    NAME_TWICE = "name_twice"
    """An earlier row has this name, and without two student numbers nobody can tell them apart."""
    NOT_AN_ADDRESS = "not_an_address"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassRow:
    """One person of a class list. None where the list says nothing."""

    row: int
    """As a spreadsheet counts, from 1, the header included."""
    name: str
    number: str | None = None
    team: str | None = None
    email: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BadRow:
    """A row that is left out, and why."""

    row: int
    problem: RowProblem
    text: str
    """What the problem is about."""
    earlier: int | None = None
    """The earlier row that it clashes with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassList:
    """What a file holds."""

    columns: tuple[Column, ...]
    """Those that were found, in the order of the file."""
    rows: tuple[ClassRow, ...]
    """In the order of the file."""
    bad: tuple[BadRow, ...]
    """In the order of the file."""


_NAMES: Mapping[Column, frozenset[str]] = {
    Column.NAME: frozenset({"name", "student", "studentname", "fullname", "姓名", "名字", "学生", "学生姓名"}),
    Column.NUMBER: frozenset(
        {"number", "no", "id", "studentnumber", "studentno", "studentid", "matriculationnumber"}
        | {"学号", "编号", "学生编号", "学籍号"}
    ),
    Column.TEAM: frozenset({"team", "group", "teamname", "groupname", "小组", "组", "组别", "团队", "队伍", "分组"}),
    Column.EMAIL: frozenset({"email", "mail", "emailaddress", "邮箱", "电子邮箱", "电子邮件", "邮件", "邮箱地址"}),
}
_BETWEEN_WORDS = re.compile(r"[\s_\-.:：*#]+")
_SEPARATORS = ",;\t"
_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+")


def read_class_list(name: str, content: bytes) -> ClassList:
    """Read a file by its name's ending: `.xlsx`, else text with commas, semicolons or tabs between.

    Raises:
        ClassListError: nothing of it can be used; `reason` says why.
    """
    if len(content) > MAX_BYTES:
        raise ClassListError("the file is too large", reason="too_large", limit_mb=MAX_BYTES // 1_000_000)
    if not content.strip():
        raise ClassListError("the file is empty", reason="empty")
    if name.lower().endswith(".xlsx"):
        sheets = import_module(
            "engine.courses.sheets"
        )  # slow to import, and a server starts more often than it reads one
        return _read(sheets.read_sheet(content, rows=MAX_ROWS + _HEADER_WITHIN + 1, columns=MAX_COLUMNS))
    text = _decoded(content)
    return _read(max((_split(text, mark) for mark in _SEPARATORS), key=_recognised))


def _decoded(content: bytes) -> str:
    for encoding in ("utf-16",) if content[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig", "gb18030"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise ClassListError("this is neither UTF-8 nor GB18030", reason="not_text")


def _split(text: str, separator: str) -> list[list[str]]:
    if "\x00" in text:
        raise ClassListError("there are zero bytes in it", reason="not_text")
    try:
        lines = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        return [line[:MAX_COLUMNS] for line in lines]
    except csv.Error:
        return []


def _recognised(lines: Sequence[Sequence[str]]) -> int:
    """How many columns are known in the best of the first lines."""
    return max((len(_columns(line)) for line in lines[:_HEADER_WITHIN]), default=0)


def _columns(header: Sequence[str]) -> dict[int, Column]:
    """The known columns by their place; of two with one meaning the first."""
    found: dict[int, Column] = {}
    for place, cell in enumerate(header):
        plain = _BETWEEN_WORDS.sub("", clean(cell).casefold())
        column = next((column for column, names in _NAMES.items() if plain in names), None)
        if column is not None and column not in found.values():
            found[place] = column
    return found


def _read(lines: Sequence[Sequence[str]]) -> ClassList:
    headers = ((number, _columns(line)) for number, line in enumerate(lines[:_HEADER_WITHIN]))
    start, columns = next(((number, found) for number, found in headers if Column.NAME in found.values()), (0, {}))
    if not columns:
        raise ClassListError("no column is headed by a word for names", reason="no_name_column")
    filled = [(at, line) for at, line in enumerate(lines[start + 1 :], start + 2) if any(cell.strip() for cell in line)]
    if len(filled) > MAX_ROWS:
        raise ClassListError("there are too many rows", reason="too_many_rows", limit=MAX_ROWS)
    if not filled:
        raise ClassListError("there is nobody below the header", reason="empty")
    rows, bad = _sorted_out(_cells(at, line, columns) for at, line in filled)
    return ClassList(columns=tuple(columns.values()), rows=rows, bad=bad)


def _cells(at: int, line: Sequence[str], columns: Mapping[int, Column]) -> ClassRow:
    read = {column: " ".join(clean(line[place]).split()) for place, column in columns.items() if place < len(line)}
    return ClassRow(
        row=at,
        name=read.get(Column.NAME, ""),
        number=read.get(Column.NUMBER) or None,
        team=read.get(Column.TEAM) or None,
        email=read.get(Column.EMAIL) or None,
    )


def _sorted_out(rows: Iterator[ClassRow]) -> tuple[tuple[ClassRow, ...], tuple[BadRow, ...]]:
    good: list[ClassRow] = []
    bad: list[BadRow] = []
    earlier = _Earlier()
    for row in rows:
        problem = _alone(row) or earlier.clash(row)
        if problem is None:
            good.append(row)
            earlier.remember(row)
        else:
            bad.append(problem)
    return tuple(good), tuple(bad)


def _alone(row: ClassRow) -> BadRow | None:
    """What is wrong with a row whatever the others say."""
    if not row.name:
        return BadRow(row=row.row, problem=RowProblem.NO_NAME, text=row.number or row.email or row.team or "")
    long = next((text for text in (row.name, row.number, row.team, row.email) if text and len(text) > MAX_CHARS), None)
    if long is not None:
        return BadRow(row=row.row, problem=RowProblem.TOO_LONG, text=long[:MAX_CHARS])
    if row.email is not None and not _ADDRESS.fullmatch(row.email):
        return BadRow(row=row.row, problem=RowProblem.NOT_AN_ADDRESS, text=row.email)
    return None


class _Earlier:
    """The people of the rows before, by what they can be known by."""

    def __init__(self) -> None:
        self._by_number: dict[str, ClassRow] = {}
        self._by_name: dict[str, ClassRow] = {}

    def remember(self, row: ClassRow) -> None:
        if row.number is not None:
            self._by_number[row.number] = row
        self._by_name.setdefault(row.name, row)

    def clash(self, row: ClassRow) -> BadRow | None:
        """The first of the earlier rows that this one repeats or contradicts."""
        same = self._by_number.get(row.number or "")
        if same is not None:
            is_same = (same.name, same.team, same.email) == (row.name, row.team, row.email)
            problem = RowProblem.REPEATED if is_same else RowProblem.NUMBER_TWICE
            return BadRow(row=row.row, problem=problem, text=row.number or "", earlier=same.row)
        same = self._by_name.get(row.name)
        if same is None or (row.number is not None and same.number is not None):
            return None
        is_same = (same.number, same.team, same.email) == (row.number, row.team, row.email)
        problem = RowProblem.REPEATED if is_same else RowProblem.NAME_TWICE
        return BadRow(row=row.row, problem=problem, text=row.name, earlier=same.row)
