"""Two small projects that anybody can hand in, packed as students pack theirs."""

import io
import zipfile
from enum import StrEnum
from functools import cache
from importlib.resources import files

from engine.domain.states import Language


class Sample(StrEnum):
    """What a sample project shows."""

    FAILING = "sample-with-a-failing-test"
    """One test fails and the README says too little."""
    PASSING = "sample-with-all-tests-passed"
    """Every check of the general project is met."""


_EDITIONS = {Sample.FAILING: "v1", Sample.PASSING: "v2"}
_LONG_AGO = (2026, 1, 5, 9, 0, 0)
"""When every file was changed: equal projects are equal bytes."""


def sample_files(sample: Sample, language: Language) -> dict[str, str]:
    """Text by path. The reports say what the tests really do on this code."""
    edition = _EDITIONS[sample]
    return {
        "README.md": _text(f"readme_{edition}.{language}"),
        "pyproject.toml": _text("pyproject"),
        "spending.py": _text(f"spending_{edition}"),
        "test_spending.py": _text("test_spending"),
        "report.xml": _text(f"report_{edition}"),
    }


@cache
def sample_project(sample: Sample, language: Language) -> bytes:
    """The project as a zip, made in memory."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in sample_files(sample, language).items():
            archive.writestr(zipfile.ZipInfo(path, _LONG_AGO), text)
    return packed.getvalue()


def _text(name: str) -> str:
    return (files("engine.scenarios") / "sample_work" / f"{name}.txt").read_text("utf-8")
