"""Pages without a browser: a process of its own for each test, on a demo that is made once."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import pages
from pages import _wiring

PAGES = Path(pages.__file__).parent
OpenPage = Callable[..., AppTest]


@pytest.fixture
def data_folder(demo_folder: Path, tmp_path: Path) -> Path:
    """A copy of it for one test."""
    return Path(shutil.copytree(demo_folder, tmp_path / "data"))


@pytest.fixture
def open_page(data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenPage]:
    """`open_page("tutor.py", lang="zh")` runs the shell and then that page, in local mode."""
    monkeypatch.setenv("TUTORLOOP_DATA", str(data_folder))
    monkeypatch.setenv("TUTORLOOP_MODE", "local")
    _forget()

    def open_page(name: str, **query: str) -> AppTest:
        at = AppTest.from_file(str(PAGES / "_main.py"), default_timeout=30)
        for key, value in query.items():
            at.query_params[key] = value
        at.run()
        return at.switch_page(name).run() if name != "tutor.py" else at

    yield open_page
    _forget()


def _forget() -> None:
    _wiring.close()
    _wiring.settings.cache_clear()
