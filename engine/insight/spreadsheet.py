"""Tables as files for spreadsheets, in which nothing that somebody wrote is ever taken for a formula."""

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO, StringIO

from openpyxl.cell.cell import Cell as ExcelCell
from openpyxl.cell.cell import WriteOnlyCell
from openpyxl.styles.alignment import Alignment
from openpyxl.styles.fonts import Font
from openpyxl.utils.cell import get_column_letter
from openpyxl.workbook.workbook import Workbook

Cell = str | int | None
"""None is an empty cell: not known."""
_UNSEEN = re.compile("[\x00-\x09\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
"""What no spreadsheet's XML may hold, tabs and carriage returns, at which a cell may be parted; a space takes its
place."""
_FORMULA = re.compile(r"""(^|[,;|\n])([\s"'“”‘’«»\u200b-\u200f\ufeff]*)(?=[=+\-@＝＋－＠])""")
"""Where a program could begin to read a formula: at the start of the text, and after anything that one program or
another takes for the border of a cell; spaces and quotes before it do not help, and full-width signs count."""
_WIDEST = 60
"""Characters of the widest column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A sheet: one line of headings, and rows of as many cells each."""

    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def safe_text(text: str) -> str:
    """`text` that no spreadsheet computes: an apostrophe stands before what would begin a formula.

    Nothing is taken away but characters that cannot be seen.
    """
    return _FORMULA.sub(r"\1\2'", _UNSEEN.sub(" ", text))


def write_csv(table: Table) -> bytes:
    """Comma-separated UTF-8 with a byte order mark, by which Excel knows the encoding; every text in quotes."""
    written = StringIO(newline="")
    lines = csv.writer(written, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    lines.writerows(_safe(row) for row in (table.header, *table.rows))
    return written.getvalue().encode("utf-8-sig")


def write_xlsx(table: Table, *, sheet: str) -> bytes:
    """An Excel file of one sheet, its headings bold and always in sight.

    Args:
        table: what is written.
        sheet: the name on its tab, of at most 31 letters, digits and spaces.
    """
    workbook = Workbook(write_only=True)
    page = workbook.create_sheet(sheet)
    page.freeze_panes = "B2"
    for number, width in enumerate(_widths(table), start=1):
        page.column_dimensions[get_column_letter(number)].width = width
    for place, row in enumerate((table.header, *table.rows)):
        page.append([_cell(page, value, is_heading=place == 0) for value in _safe(row)])
    written = BytesIO()
    workbook.save(written)
    return written.getvalue()


def _safe(row: Sequence[Cell]) -> list[Cell]:
    return [safe_text(value) if isinstance(value, str) else value for value in row]


def _cell(page: object, value: Cell, *, is_heading: bool) -> ExcelCell:
    cell: ExcelCell = WriteOnlyCell(page, value=value)
    if isinstance(value, str):
        cell.data_type = "s"  # text, whatever it looks like
    cell.alignment = Alignment(vertical="top", wrap_text=True)
    if is_heading:
        cell.font = Font(bold=True)
    return cell


def _widths(table: Table) -> list[int]:
    """Of each column in characters, a Han character being as wide as two."""
    columns = zip(table.header, *table.rows, strict=True)
    return [min(_WIDEST, 2 + max(_wide(str(value or "")) for value in column)) for column in columns]


def _wide(text: str) -> int:
    return sum(2 if ord(character) > 0x2E7F else 1 for character in text)
