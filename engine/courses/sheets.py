"""Reads the first sheet of an Excel file as rows of text. Formulas are not computed: a cell shows its formula."""

import io
import zipfile
import zlib
from collections.abc import Iterator
from datetime import date, datetime, time

from openpyxl.reader.excel import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from engine.errors import ClassListError

MAX_UNPACKED_BYTES = 50_000_000
"""What the parts of a workbook may have together once unpacked."""
_FAULTS = (
    InvalidFileException,
    zipfile.BadZipFile,
    zlib.error,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    RuntimeError,
    OSError,
    EOFError,
    SyntaxError,
)
"""What openpyxl and zipfile let through on files that are no workbook, damaged or locked, found by feeding them such
files; a fault in XML is a SyntaxError, a way of packing that is not known a RuntimeError."""


def read_sheet(content: bytes, *, rows: int, columns: int) -> list[list[str]]:
    """The first `rows` rows of the first sheet, each with at most `columns` cells; an empty cell is empty text.

    Raises:
        ClassListError: it is no workbook, or it grows out of all proportion.
    """
    try:
        _check_size(content)
        return list(_rows(content, rows, columns))
    except ClassListError:
        raise
    except _FAULTS as error:
        raise ClassListError("this is not an Excel workbook", reason="not_excel") from error


def _check_size(content: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        unpacked = sum(part.file_size for part in archive.infolist())
    if unpacked > MAX_UNPACKED_BYTES:
        raise ClassListError(
            "the workbook is too large unpacked", reason="too_large", limit_mb=MAX_UNPACKED_BYTES // 10**6
        )


def _rows(content: bytes, rows: int, columns: int) -> Iterator[list[str]]:
    book = load_workbook(io.BytesIO(content), read_only=True, data_only=False, keep_links=False)
    try:
        if not book.worksheets:
            raise ClassListError("the workbook has no sheet", reason="empty")
        for cells in book.worksheets[0].iter_rows(max_row=rows, max_col=columns, values_only=True):
            yield [_text(cell) for cell in cells]
    finally:
        book.close()


def _text(cell: object) -> str:
    """A cell as people read it: a whole number without its point, a day without midnight."""
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if isinstance(cell, datetime) and cell.time() == time():
        return cell.date().isoformat()
    return cell.isoformat() if isinstance(cell, date | datetime) else str(cell)
