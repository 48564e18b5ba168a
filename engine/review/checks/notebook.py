"""`notebook`: every Jupyter notebook parses and shows that it was run. Nothing of it is run here."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.domain.states import CriterionStatus, Language
from engine.review.checks.finding import (
    Check,
    Finding,
    FindingCode,
    Label,
    Param,
    Params,
    ParamType,
    Words,
    place,
    text_of,
)
from engine.review.checks.readable import readable
from engine.review.evidence import Evidence

LIMIT = 10_000_000
"""Characters of one notebook; pictures inside can make it large."""
NOTEBOOK_RAN = "notebook_ran"
NOT_A_NOTEBOOK = "not_a_notebook"
NO_OUTPUTS = "no_outputs"
OUT_OF_ORDER = "out_of_order"
ENDS_IN_ERROR = "ends_in_error"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Flaw:
    """The first thing that is not as it should be."""

    code: str
    cell: int
    """Its number among all cells, from 1; 0 where it is about the whole notebook."""
    detail: str = ""


def notebook(evidence: Evidence, params: Params) -> Finding:
    """FAIL at the first flaw by path; NEED_REVIEW if one cannot be read, is too big or none is there; else PASS.

    What is looked at, in this order: that it is a notebook, then cell by cell an error in its output, then
    that something was output, then that the cells were run from top to bottom, each once and none left out.
    """
    glob = text_of(params, "files", default="**/*.ipynb")
    outputs, in_order = params.get("outputs", True) is True, params.get("in_order", True) is True
    files = readable(evidence, glob)
    too_big: list[str] = []
    for path, body in files.texts:
        flaw = (
            _flaw(body, outputs, in_order) if len(body) <= LIMIT else _Flaw(code=FindingCode.TOO_BIG_TO_PARSE, cell=0)
        )
        if flaw is not None and flaw.code == FindingCode.TOO_BIG_TO_PARSE:
            too_big.append(path)
        elif flaw is not None:
            return _flawed(path, flaw)
    left_open = files.left_open(glob, too_big, "Jupyter notebook")
    if left_open is not None:
        return left_open
    path = files.texts[0][0]
    return Finding(status=CriterionStatus.PASS, code=NOTEBOOK_RAN, values={"count": len(files.texts)}, evidence=path)


def _flawed(path: str, flaw: _Flaw) -> Finding:
    where = f"#{flaw.cell}" if flaw.cell else ""
    quote = ": ".join(part for part in (where, flaw.detail) if part)
    return Finding(
        status=CriterionStatus.FAIL,
        code=flaw.code,
        values={"path": path, "cell": flaw.cell},
        evidence=place(path, None, quote),
    )


def _flaw(body: str, outputs: bool, in_order: bool) -> _Flaw | None:
    try:
        cells = _code_cells(json.loads(body, parse_int=str, parse_float=str))
    except RecursionError:
        return _Flaw(code=FindingCode.TOO_BIG_TO_PARSE, cell=0)
    except json.JSONDecodeError as error:
        return _Flaw(code=NOT_A_NOTEBOOK, cell=0, detail=f"{error.msg} (line {error.lineno})")
    if cells is None:
        return _Flaw(code=NOT_A_NOTEBOOK, cell=0)
    for number, cell in cells:
        for output in _outputs(cell):
            if output.get("output_type") == "error":
                told = f"{output.get('ename', '')}: {output.get('evalue', '')}"
                return _Flaw(code=ENDS_IN_ERROR, cell=number, detail=told)
    if outputs and not any(True for _, cell in cells for _ in _outputs(cell)):
        return _Flaw(code=NO_OUTPUTS, cell=0)
    return _first_out_of_order(cells) if in_order else None


def _code_cells(notebook: object) -> list[tuple[int, Mapping[str, object]]] | None:
    """Cells of code that hold something, with their number among all cells; None if this is no notebook.

    Notebooks of format 3 keep their cells in a worksheet, and are so old that they count as none.
    """
    if not isinstance(notebook, dict) or "nbformat" not in notebook:
        return None
    cells = notebook.get("cells")
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        return None
    numbered = enumerate(cells, start=1)
    return [(number, cell) for number, cell in numbered if cell.get("cell_type") == "code" and _source(cell)]


def _source(cell: Mapping[str, object]) -> str:
    source = cell.get("source", "")
    return ("".join(map(str, source)) if isinstance(source, list) else str(source)).strip()


def _outputs(cell: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    outputs = cell.get("outputs")
    return (output for output in (outputs if isinstance(outputs, list) else ()) if isinstance(output, dict))


def _first_out_of_order(cells: list[tuple[int, Mapping[str, object]]]) -> _Flaw | None:
    """A notebook that was started anew and run as a whole counts 1, 2, 3 …; numbers are text here."""
    for wanted, (number, cell) in enumerate(cells, start=1):
        count = cell.get("execution_count")
        if count != str(wanted):
            told = "not run" if count is None else f"[{count}], expected [{wanted}]"
            return _Flaw(code=OUT_OF_ORDER, cell=number, detail=told)
    return None


CHECK = Check(
    name="notebook",
    label=Label(en="Notebooks were run", zh="笔记本已运行"),
    function=notebook,
    params=(
        Param(
            name="files",
            type=ParamType.GLOB,
            label=Label(en="Notebooks", zh="笔记本文件"),
            default="**/*.ipynb",
        ),
        Param(
            name="outputs",
            type=ParamType.YES_NO,
            label=Label(en="Some cell must have an output", zh="至少有一个单元格带输出"),
            default=True,
        ),
        Param(
            name="in_order",
            type=ParamType.YES_NO,
            label=Label(
                en="All cells must have been run once from top to bottom", zh="所有单元格须从上到下依次运行一遍"
            ),
            default=True,
        ),
    ),
    codes=(
        NOTEBOOK_RAN,
        NOT_A_NOTEBOOK,
        NO_OUTPUTS,
        OUT_OF_ORDER,
        ENDS_IN_ERROR,
        FindingCode.TOO_BIG_TO_PARSE,
        FindingCode.NOTHING_TO_CHECK,
        FindingCode.FILE_UNREADABLE,
    ),
    words={
        NOTEBOOK_RAN: {
            Language.EN: Words(reason="Every notebook is as asked for (notebooks: {count})."),
            Language.ZH: Words(reason="{count} 个笔记本都符合要求。"),
        },
        NOT_A_NOTEBOOK: {
            Language.EN: Words(
                reason="{path} cannot be read as a Jupyter notebook.",
                next_step="Open {path} in Jupyter, save it again, and hand in again.",
            ),
            Language.ZH: Words(
                reason="{path} 不能按 Jupyter 笔记本读取。",
                next_step="用 Jupyter 打开 {path} 重新保存，再交一次。",
            ),
        },
        NO_OUTPUTS: {
            Language.EN: Words(
                reason="No cell of {path} has an output.",
                next_step="Run all cells of {path}, save it with its outputs, and hand in again.",
            ),
            Language.ZH: Words(
                reason="{path} 里没有一个单元格带输出。",
                next_step="运行 {path} 的全部单元格，连同输出一起保存，再交一次。",
            ),
        },
        OUT_OF_ORDER: {
            Language.EN: Words(
                reason="In {path} the cells were not run once from top to bottom; cell {cell} is the first to differ.",
                next_step="In {path} choose Restart and Run All, save, and hand in again.",
            ),
            Language.ZH: Words(
                reason="{path} 的单元格没有从上到下依次运行一遍，从第 {cell} 个单元格起不对。",
                next_step="在 {path} 里选“重启并全部运行”，保存后再交一次。",
            ),
        },
        ENDS_IN_ERROR: {
            Language.EN: Words(
                reason="Cell {cell} of {path} shows an error.",
                next_step="Correct cell {cell} of {path}, run all cells, save, and hand in again.",
            ),
            Language.ZH: Words(
                reason="{path} 的第 {cell} 个单元格报错。",
                next_step="改好 {path} 的第 {cell} 个单元格，全部运行一遍，保存后再交一次。",
            ),
        },
    },
)
