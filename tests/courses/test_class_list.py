"""Class lists in the forms that schools export, and what cannot be used of them."""

import io
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl.workbook.workbook import Workbook

from engine.courses.class_list import MAX_ROWS, BadRow, ClassRow, Column, RowProblem, read_class_list
from engine.courses.sheets import MAX_UNPACKED_BYTES
from engine.errors import ClassListError

HEADER = "姓名,学号,小组,邮箱\n"
ADA = ClassRow(row=2, name="李明", number="001", team="甲组", email="a@b.cn")
LIST = HEADER + "李明,001,甲组,a@b.cn\n"


def workbook(*rows: tuple[object, ...]) -> bytes:
    book, written = Workbook(), io.BytesIO()
    for row in rows:
        book.worksheets[0].append(list(row))
    book.save(written)
    return written.getvalue()


def refused(name: str, content: bytes) -> str:
    with pytest.raises(ClassListError) as caught:
        read_class_list(name, content)
    return caught.value.reason


@pytest.mark.parametrize(
    "content",
    [
        LIST.encode(),
        LIST.encode("utf-8-sig"),
        LIST.encode("gb18030"),
        LIST.encode("utf-16"),
        LIST.replace(",", ";").encode(),
        LIST.replace(",", "\t").encode("utf-16"),
        LIST.replace("\n", "\r\n").encode("gb18030"),
        ('"姓名","学号","小组","邮箱"\n"李明","001","甲组","a@b.cn"').encode(),
        LIST.replace("李明", " 李明\u200b ").encode(),
    ],
    ids=["utf-8", "bom", "gb18030", "utf-16", "semicolons", "tabs", "crlf", "quoted", "unseen characters"],
)
def test_one_person_is_read_from_every_kind_of_file(content: bytes) -> None:
    read = read_class_list("list.csv", content)
    assert read.rows == (ADA,)
    assert read.bad == ()


@pytest.mark.parametrize(
    ("header", "columns"),
    [
        ("Name,Student number,Team,E-mail", (Column.NAME, Column.NUMBER, Column.TEAM, Column.EMAIL)),
        ("student_no;Full Name", (Column.NUMBER, Column.NAME)),
        ("序号,学生姓名,电子邮箱", (Column.NAME, Column.EMAIL)),
        ("名字,分组", (Column.NAME, Column.TEAM)),
        ("Name,Name,Group", (Column.NAME, Column.TEAM)),
    ],
    ids=["english", "other order", "unknown column", "chinese", "twice"],
)
def test_columns_are_found_by_their_names_in_both_languages(header: str, columns: tuple[Column, ...]) -> None:
    assert read_class_list("list.csv", f"{header}\na,a,a,a@b\n".replace("a,a,a,", "x,x,x,").encode()).columns == columns


def test_a_title_above_the_header_is_passed_over_and_rows_are_counted_as_a_spreadsheet_does() -> None:
    read = read_class_list("list.csv", ("软件工程 2026\n\n" + HEADER + "\n李明,001,甲组,a@b.cn\n").encode())
    assert [row.row for row in read.rows] == [5]


def test_a_workbook_is_read_as_text_and_a_formula_is_never_run() -> None:
    sheet = workbook(("Name", "Number"), ("=1+1", 20230001.0), ("Bob", "007"), (None, None), ("@SUM(A1)", 3))
    read = read_class_list("list.XLSX", sheet)
    assert [(row.row, row.name, row.number) for row in read.rows] == [
        (2, "=1+1", "20230001"),
        (3, "Bob", "007"),
        (5, "@SUM(A1)", "3"),
    ]


ROWS = [
    ("no-name", ",1,,", BadRow(row=3, problem=RowProblem.NO_NAME, text="1")),
    ("too-long", "王" * 101 + ",2,,", BadRow(row=3, problem=RowProblem.TOO_LONG, text="王" * 100)),
    ("said-again", "李明,001,甲组,a@b.cn", BadRow(row=3, problem=RowProblem.REPEATED, text="001", earlier=2)),
    ("number-twice", "王芳,001,,", BadRow(row=3, problem=RowProblem.NUMBER_TWICE, text="001", earlier=2)),
    ("name-twice", "李明,,,", BadRow(row=3, problem=RowProblem.NAME_TWICE, text="李明", earlier=2)),
    ("no-address", "王芳,2,,b.cn", BadRow(row=3, problem=RowProblem.NOT_AN_ADDRESS, text="b.cn")),
]


@pytest.mark.parametrize(("line", "bad"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_a_row_that_cannot_be_used_is_named_and_the_others_are_kept(line: str, bad: BadRow) -> None:
    read = read_class_list("list.csv", (LIST + line + "\n赵雷,9,,\n").encode())
    assert read.bad == (bad,)
    assert [row.name for row in read.rows] == ["李明", "赵雷"]


def test_two_students_of_one_name_are_two_by_their_numbers() -> None:
    read = read_class_list("list.csv", (LIST + "李明,002,,\n").encode())
    assert [row.number for row in read.rows] == ["001", "002"]
    assert read.bad == ()


def test_a_whole_list_that_cannot_be_used_says_why() -> None:
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * (MAX_UNPACKED_BYTES + 1))
    assert refused("list.csv", b" \n") == "empty"
    assert refused("list.csv", HEADER.encode()) == "empty"
    assert refused("list.csv", b"x" * 2_000_001) == "too_large"
    assert refused("list.xlsx", bomb.getvalue()) == "too_large"
    assert refused("list.csv", b"\xff\x00\xff") == "not_text"
    assert refused("list.csv", "姓名\n李\x00明\n".encode()) == "not_text"
    assert refused("list.xlsx", LIST.encode()) == "not_excel"
    assert refused("list.csv", b"a,b\n1,2\n") == "no_name_column"
    assert refused("list.csv", ("name\n" + "".join(f"n{n}\n" for n in range(MAX_ROWS + 1))).encode()) == "too_many_rows"
    assert len(read_class_list("l.csv", ("name\n" + "".join(f"n{n}\n" for n in range(MAX_ROWS))).encode()).rows) == 5000


@settings(max_examples=100)
@given(st.sampled_from(["list.csv", "list.xlsx"]), st.binary(max_size=200) | st.text(max_size=80).map(str.encode))
def test_no_file_ends_otherwise_than_as_a_list_or_a_refusal(name: str, content: bytes) -> None:
    try:
        read = read_class_list(name, content)
    except ClassListError as error:
        assert error.reason
    else:
        assert all(row.name for row in read.rows)


@pytest.mark.parametrize("part", [b"xl/workbook.xml", b"xl/worksheets/sheet1.xml", b"[Content_Types].xml"])
def test_a_damaged_workbook_says_that_it_is_none(part: bytes) -> None:
    content = bytearray(workbook(("name", "number"), *((f"student {n}", n) for n in range(30))))
    at = content.find(part) + len(part)
    content[at : at + 8] = b"\xff" * 8
    assert refused("list.xlsx", bytes(content)) == "not_excel"


def test_a_workbook_that_is_locked_or_packed_in_a_rare_way_says_that_it_cannot_be_read() -> None:
    content = workbook(("name",), ("Ada",))
    for place, mark in ((6, b"\x01\x00"), (8, b"\x63\x00")):  # in every entry: it is encrypted; its way of packing
        changed = bytearray(content)
        for start, offset in ((b"PK\x03\x04", 0), (b"PK\x01\x02", 2)):
            at = changed.find(start)
            while at >= 0:
                changed[at + place + offset : at + place + offset + 2] = mark
                at = changed.find(start, at + 1)
        assert refused("list.xlsx", bytes(changed)) == "not_excel"
