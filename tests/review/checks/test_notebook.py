import json

import pytest

from engine.review.checks import notebook
from engine.review.checks.finding import Finding, FindingCode
from tests.review.builders import FAIL, OPEN, PASS, evidence_of, find

TEXT = {"output_type": "stream", "name": "stdout", "text": ["1\n"]}
ERROR = {"output_type": "error", "ename": "ValueError", "evalue": "boom", "traceback": []}


def code(count: int | None, *outputs: object, source: object = "x") -> dict[str, object]:
    return {"cell_type": "code", "execution_count": count, "outputs": list(outputs), "source": source, "metadata": {}}


def written(*cells: object) -> str:
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": list(cells)})


NOTE = {"cell_type": "markdown", "source": ["# Title"], "metadata": {}}


def judged(body: str | None, **params: bool) -> Finding:
    return find("notebook", evidence_of({"a.ipynb": body}), **params)


def test_a_notebook_that_was_run_as_a_whole_passes() -> None:
    assert judged(written(NOTE, code(1), code(2, TEXT), code(None, source=[" ", "\n"]))).status is PASS


@pytest.mark.parametrize(
    ("body", "flaw", "cell"),
    [
        pytest.param("{", notebook.NOT_A_NOTEBOOK, 0, id="no json"),
        pytest.param("[]", notebook.NOT_A_NOTEBOOK, 0, id="another json"),
        pytest.param('{"nbformat": 4}', notebook.NOT_A_NOTEBOOK, 0, id="without cells"),
        pytest.param('{"nbformat": 3, "worksheets": []}', notebook.NOT_A_NOTEBOOK, 0, id="an old format"),
        pytest.param('{"nbformat": 4, "cells": [3]}', notebook.NOT_A_NOTEBOOK, 0, id="cells that are none"),
        pytest.param(written(code(1), code(2)), notebook.NO_OUTPUTS, 0, id="no output"),
        pytest.param(written(NOTE), notebook.NO_OUTPUTS, 0, id="no code"),
        pytest.param(written(code(1, TEXT), NOTE, code(2, ERROR)), notebook.ENDS_IN_ERROR, 3, id="error"),
        pytest.param(written(code(2, TEXT), code(1)), notebook.OUT_OF_ORDER, 1, id="backwards"),
        pytest.param(written(NOTE, code(1, TEXT), code(None)), notebook.OUT_OF_ORDER, 3, id="one not run"),
        pytest.param(written(code(1, TEXT), code(3)), notebook.OUT_OF_ORDER, 2, id="one run twice"),
        pytest.param(written(code(4, TEXT), code(5)), notebook.OUT_OF_ORDER, 1, id="not started anew"),
    ],
)
def test_the_first_flaw_is_named_with_its_cell(body: str, flaw: str, cell: int) -> None:
    finding = judged(body)
    assert (finding.status, finding.code, finding.values["cell"]) == (FAIL, flaw, cell)


def test_the_evidence_shows_the_cell_and_the_error() -> None:
    assert judged(written(code(1, ERROR))).evidence == "a.ipynb: #1: ValueError: boom"


def test_what_a_course_does_not_ask_for_is_no_flaw() -> None:
    assert judged(written(code(3)), outputs=False, in_order=False).status is PASS
    assert judged(written(code(3)), outputs=False).code == notebook.OUT_OF_ORDER
    assert judged(written(code(3)), in_order=False).code == notebook.NO_OUTPUTS
    assert judged(written(code(3, ERROR)), outputs=False, in_order=False).code == notebook.ENDS_IN_ERROR


@pytest.mark.parametrize("body", ["[" * 100_000, " " * (notebook.LIMIT + 1)], ids=["deep", "long"])
def test_what_is_too_much_is_open_and_no_failure(body: str) -> None:
    finding = judged(body)
    assert (finding.status, finding.code) == (OPEN, FindingCode.TOO_BIG_TO_PARSE)


@pytest.mark.parametrize(
    "cell",
    [
        {"cell_type": "code", "source": "x"},
        {"cell_type": "code", "source": 3, "outputs": 3, "execution_count": "1"},
        {"cell_type": "code", "source": "x", "outputs": [3, None], "execution_count": {}},
    ],
    ids=["nothing more", "numbers", "odd outputs"],
)
def test_odd_cells_are_judged_and_break_nothing(cell: object) -> None:
    assert judged(written(cell)).status is FAIL


def test_a_notebook_that_cannot_be_read_leaves_it_open() -> None:
    assert judged(None).code is FindingCode.FILE_UNREADABLE
    assert find("notebook", evidence_of({"a.py": ""})).code is FindingCode.NOTHING_TO_CHECK
