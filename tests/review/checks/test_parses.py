import warnings

import pytest

from engine.review.checks.finding import Finding, FindingCode
from tests.review.builders import FAIL, OPEN, PASS, evidence_of, find


def parse(as_: str, body: str) -> Finding:
    return find("parses", evidence_of({"a": body}), **{"files": "*", "as": as_})


@pytest.mark.parametrize(
    ("as_", "body"),
    [
        pytest.param("python", "def f():\n    return '\\d'\n", id="python with a doubtful escape"),
        pytest.param("python", "", id="empty python"),
        pytest.param("json", '{"a": [1, 2.5e9]}', id="json"),
        pytest.param("json", "1" * 5000, id="a number too long to convert"),
        pytest.param("yaml", "a: 1\n---\nb: !Own [x]\n", id="yaml, two documents and a tag"),
        pytest.param("yaml", "a: &a [x]\nb: *a\n", id="yaml with an alias"),
    ],
)
def test_what_is_well_formed_passes(as_: str, body: str) -> None:
    assert parse(as_, body).status is PASS


@pytest.mark.parametrize(
    ("as_", "body", "start"),
    [
        pytest.param("python", "x = 1\nprint 'a'\n", "a:2: ", id="python"),
        pytest.param("python", "x = '''", "a:1: ", id="python without an end"),
        pytest.param("python", "(" * 300, "a:1: ", id="python, very many brackets"),
        pytest.param("json", '{\n"a": 1,\n}', "a:3: ", id="json"),
        pytest.param("json", "", "a:1: ", id="empty json"),
        pytest.param("yaml", "a: 1\n b: [2\n", "a:2: ", id="yaml"),
        pytest.param("yaml", "a: *nowhere\n", "a:1: ", id="yaml with an alias to nothing"),
        pytest.param("yaml", "a: \x07", "a: ", id="yaml with a control character"),
    ],
)
def test_what_is_not_well_formed_fails_with_its_place(as_: str, body: str, start: str) -> None:
    finding = parse(as_, body)
    assert (finding.status, finding.code) == (FAIL, FindingCode.NOT_PARSED)
    assert finding.evidence is not None and finding.evidence.startswith(start)
    assert len(finding.evidence) > len(start)


@pytest.mark.parametrize(
    ("as_", "body"),
    [
        pytest.param("json", "[" * 100_000, id="deep json"),
        pytest.param("yaml", "[" * 5000, id="deep yaml"),
        pytest.param("yaml", "a: 1\n" * 100_001, id="long yaml"),
        pytest.param("python", "-" * 90_000 + "1", id="deep python"),
        pytest.param("python", "x\n" * 1_000_001, id="long python"),
    ],
)
def test_what_is_too_much_to_parse_is_open_and_no_failure(as_: str, body: str) -> None:
    finding = parse(as_, body)
    assert (finding.status, finding.code) == (OPEN, FindingCode.TOO_BIG_TO_PARSE)


def test_aliases_that_would_grow_without_bound_are_not_expanded() -> None:
    lines = ["a0: &a0 {k: v}"] + [f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}" for n in range(1, 30)]
    assert parse("yaml", "\n".join(lines)).status is PASS


def test_nothing_of_the_work_is_built() -> None:
    assert parse("yaml", "!!python/object/apply:os.abort []").status is PASS


def test_a_broken_file_fails_even_if_another_cannot_be_read() -> None:
    assert find("parses", evidence_of({"a": None, "b": "("}), **{"files": "*", "as": "python"}).status is FAIL


def test_a_file_that_cannot_be_read_leaves_it_open() -> None:
    evidence = evidence_of({"a.py": None, "b.py": "x"})
    assert find("parses", evidence, **{"files": "*", "as": "python"}).code is FindingCode.FILE_UNREADABLE


def test_without_a_file_nothing_is_proved() -> None:
    assert find("parses", evidence_of({}), **{"files": "*", "as": "json"}).code is FindingCode.NOTHING_TO_CHECK


def test_the_filters_for_warnings_are_as_before() -> None:
    before = list(warnings.filters)
    parse("python", "x is 1")
    assert list(warnings.filters) == before


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("a,b\n1,2\n", id="commas"),
        pytest.param("a;b\n1,5;2\n", id="semicolons"),
        pytest.param("a\tb\r\n1\t2\r\n", id="tabs, Windows lines"),
        pytest.param('a,b\n"1\n2, 3",4\n', id="quotes over lines"),
        pytest.param('"x;y;z",b\n1,2\n', id="another separator inside quotes"),
        pytest.param("\na,b\n\n1,2\n\n", id="empty lines"),
        pytest.param("a\n1\n", id="one column"),
        pytest.param("姓名,分数\n王,1\n", id="Chinese"),
    ],
)
def test_csv_with_constant_columns_passes(body: str) -> None:
    assert parse("csv", body).status is PASS


@pytest.mark.parametrize(
    ("body", "start"),
    [
        pytest.param("a,b\n1,2\n1\n", "a:3: 1 columns here, 2 in the first row", id="fewer"),
        pytest.param("a,b\n1,2,3\n", "a:2: 3 columns here", id="more"),
        pytest.param('a,b\n"1,2\n', "a:2: ", id="quotes that do not end"),
        pytest.param('a,b\n"1"x,2\n', "a:2: ", id="text after quotes"),
        pytest.param("", "a:1: no row", id="empty"),
    ],
)
def test_csv_with_other_columns_fails_with_its_place(body: str, start: str) -> None:
    finding = parse("csv", body)
    assert finding.status is FAIL
    assert finding.evidence is not None and finding.evidence.startswith(start)


def test_csv_with_an_endless_field_is_open() -> None:
    assert parse("csv", "a,b\n" + "x" * 200_000 + ",1\n").code is FindingCode.TOO_BIG_TO_PARSE
