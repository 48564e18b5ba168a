"""`parses`: every file is well-formed Python, JSON, YAML or CSV. Nothing of it is run or built."""

import ast
import csv
import io
import json
import threading
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import yaml

from engine.domain.states import CriterionStatus
from engine.review.checks.finding import Check, Finding, FindingCode, Label, Param, Params, ParamType, place, text_of
from engine.review.checks.readable import readable
from engine.review.evidence import Evidence


class Format(StrEnum):
    """The formats that can be checked."""

    PYTHON = "python"
    JSON = "json"
    YAML = "yaml"
    CSV = "csv"
    """Every row has as many columns as the first; empty lines are no rows."""


SHOWN = {Format.PYTHON: "Python", Format.JSON: "JSON", Format.YAML: "YAML", Format.CSV: "CSV"}
_LIMITS = {Format.PYTHON: 2_000_000, Format.JSON: 10_000_000, Format.YAML: 500_000, Format.CSV: 10_000_000}
"""Characters of one file. PyYAML reads some 100,000 a second, and Python's trees take 100 bytes a character."""
_DELIMITERS = ",;\t|"
"""Of equally frequent ones the first."""
_warnings_are_global = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mistake:
    """The first place where a text is not well-formed."""

    line: int | None
    message: str


def parses(evidence: Evidence, params: Params) -> Finding:
    """FAIL at the first file that is not well-formed; NEED_REVIEW if one cannot be read or is too big; else PASS."""
    glob, wanted = text_of(params, "files"), Format(text_of(params, "as"))
    files = readable(evidence, glob)
    too_big: list[str] = []
    for path, body in files.texts:
        try:
            mistake = _mistake(body, wanted)
        except (RecursionError, MemoryError):
            too_big.append(path)
            continue
        if mistake is not None:
            return _not_parsed(path, wanted, mistake)
    left_open = files.left_open(glob, too_big, SHOWN[wanted])
    if left_open is not None:
        return left_open
    return Finding(
        status=CriterionStatus.PASS,
        code=FindingCode.PARSED,
        values={"count": len(files.texts), "format": SHOWN[wanted]},
        evidence=files.texts[0][0],
    )


def _not_parsed(path: str, wanted: Format, mistake: _Mistake) -> Finding:
    where = place(path, mistake.line)
    return Finding(
        status=CriterionStatus.FAIL,
        code=FindingCode.NOT_PARSED,
        values={"place": where, "format": SHOWN[wanted]},
        evidence=place(path, mistake.line, mistake.message),
    )


def _mistake(body: str, wanted: Format) -> _Mistake | None:
    if len(body) > _LIMITS[wanted]:
        raise MemoryError
    return _PARSERS[wanted](body)


def _python_mistake(body: str) -> _Mistake | None:
    with _warnings_are_global, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(body)
        except SyntaxError as error:
            return _Mistake(line=error.lineno, message=error.msg)
        except ValueError as error:
            return _Mistake(line=None, message=str(error))
    return None


def _json_mistake(body: str) -> _Mistake | None:
    try:
        # Numbers stay text: one of 5,000 digits is well-formed, and Python refuses to convert it.
        json.loads(body, parse_int=str, parse_float=str)
    except json.JSONDecodeError as error:
        return _Mistake(line=error.lineno, message=error.msg)
    return None


def _yaml_mistake(body: str) -> _Mistake | None:
    """Nodes are composed, never constructed: aliases and merge keys are not expanded, tags not obeyed."""
    try:
        for _ in yaml.compose_all(body, Loader=yaml.SafeLoader):
            pass
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        return _Mistake(line=line, message=error.problem or "")
    except yaml.YAMLError as error:
        return _Mistake(line=None, message=str(error).partition("\n")[0])
    return None


def _csv_mistake(body: str) -> _Mistake | None:
    """The first row with another number of columns, or quotes that do not end."""
    rows = csv.reader(io.StringIO(body, newline=""), delimiter=_delimiter(body), strict=True)
    columns: int | None = None
    try:
        for row in rows:
            columns = columns or len(row)
            if row and len(row) != columns:
                return _Mistake(line=rows.line_num, message=f"{len(row)} columns here, {columns} in the first row")
    except csv.Error as error:
        if "limit" in str(error):
            raise MemoryError from None
        return _Mistake(line=rows.line_num, message=str(error))
    return None if columns else _Mistake(line=1, message="no row")


def _delimiter(body: str) -> str:
    """What stands most often in the first row between quoted parts: a comma, semicolon, tab or bar."""
    head = next((line for line in body[:100_000].splitlines() if line.strip()), "")
    unquoted = "".join(head.split('"')[::2])
    return max(_DELIMITERS, key=unquoted.count)


_PARSERS: dict[Format, Callable[[str], _Mistake | None]] = {
    Format.PYTHON: _python_mistake,
    Format.JSON: _json_mistake,
    Format.YAML: _yaml_mistake,
    Format.CSV: _csv_mistake,
}

CHECK = Check(
    name="parses",
    label=Label(en="Files are well-formed", zh="文件格式正确"),
    function=parses,
    params=(
        Param(name="files", type=ParamType.GLOB, label=Label(en="Files that must be well-formed", zh="要检查的文件")),
        Param(
            name="as",
            type=ParamType.CHOICE,
            label=Label(en="Format they must have", zh="应是什么格式"),
            choices=tuple(Format),
        ),
    ),
    codes=(
        FindingCode.PARSED,
        FindingCode.NOT_PARSED,
        FindingCode.TOO_BIG_TO_PARSE,
        FindingCode.NOTHING_TO_CHECK,
        FindingCode.FILE_UNREADABLE,
    ),
)
