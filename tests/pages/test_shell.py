"""The shell without a browser: every page is locked, and `_main` opens it."""

import ast
import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import app as server
import pages
from engine.domain.people import LOCAL_VIEWER, NOBODY
from pages import _guard, _wiring
from pages._widgets import closed

PAGES = Path(pages.__file__).parent
LOCKED = sorted(path.name for path in PAGES.glob("*.py") if not path.name.startswith("_") and path.name != "sign_in.py")
MAIN = str(PAGES / "_main.py")


@pytest.fixture(autouse=True)
def fresh_process() -> Iterator[None]:
    """Settings are read and databases opened once a process; here once a test."""
    _forget()
    yield
    _forget()


def _forget() -> None:
    _wiring.close()
    _wiring.settings.cache_clear()


def _in_mode(mode: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TUTORLOOP_MODE", mode)
    monkeypatch.setenv("TUTORLOOP_DATA", str(tmp_path))


def _shows_only_that_it_is_closed(drawn: AppTest) -> bool:
    headers = [each.value for each in drawn.header]
    return (
        not drawn.exception
        and headers == ["登录", "Sign in"]
        and len(drawn.markdown) == 2 * len(closed.PARAGRAPHS)
        and not drawn.title
    )


def test_there_are_pages_to_lock() -> None:
    assert {"tutor.py", "reviews.py"} <= set(LOCKED)


@pytest.mark.parametrize("name", LOCKED)
def test_a_page_run_without_a_viewer_stops_at_its_guard(name: str) -> None:
    assert _shows_only_that_it_is_closed(AppTest.from_file(str(PAGES / name), default_timeout=10).run())


@pytest.mark.parametrize("name", LOCKED)
def test_before_its_guard_a_page_only_imports_and_names_constants(name: str) -> None:
    statements = ast.parse((PAGES / name).read_text(encoding="utf-8")).body
    acts = [each for each in statements if not _is_harmless(each)]
    assert ast.unparse(acts[0]) in ("viewer = require_viewer()", "viewer = require_teacher()")


def _is_harmless(statement: ast.stmt) -> bool:
    match statement:
        case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name.isupper()
        case _:
            return False


@pytest.mark.parametrize("name", LOCKED)
def test_in_local_mode_main_opens_every_page(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _in_mode("local", monkeypatch, tmp_path)
    drawn = AppTest.from_file(MAIN, default_timeout=60).run().switch_page(name).run()
    assert not drawn.exception
    assert drawn.button(key="switch_language").label == "中文"
    assert "登录" not in [each.value for each in drawn.header]
    assert len(drawn.main) > 1


@pytest.mark.parametrize("name", ["sign_in.py", *LOCKED])
def test_in_signed_in_mode_no_file_but_the_sign_in_page_is_registered(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _in_mode("signed-in", monkeypatch, tmp_path)
    drawn = AppTest.from_file(MAIN, default_timeout=10).run()
    assert _shows_only_that_it_is_closed(drawn)
    if name != "sign_in.py":
        with pytest.raises(ValueError, match="page"):
            drawn.switch_page(name)


def test_a_viewer_is_admitted_only_while_the_page_runs() -> None:
    with _guard.admitted(LOCAL_VIEWER):
        assert _guard.require_viewer() is LOCAL_VIEWER
    assert _shows_only_that_it_is_closed(AppTest.from_function(_page_alone, default_timeout=10).run())


def test_a_page_that_ends_early_leaves_no_viewer_behind() -> None:
    with pytest.raises(ZeroDivisionError), _guard.admitted(LOCAL_VIEWER):
        raise ZeroDivisionError
    assert _guard._admitted.get() is NOBODY


def test_nobody_is_not_let_in_even_when_admitted() -> None:
    def script() -> None:
        import streamlit as st

        from engine.domain.people import NOBODY
        from pages import _guard

        with _guard.admitted(NOBODY):
            _guard.require_viewer()
            st.title("inside")

    assert _shows_only_that_it_is_closed(AppTest.from_function(script, default_timeout=10).run())


def _page_alone() -> None:
    import streamlit as st

    from pages import _guard

    _guard.require_viewer()
    st.title("inside")


def test_the_switch_changes_the_language_and_keeps_the_rest_of_the_address(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _in_mode("signed-in", monkeypatch, tmp_path)
    drawn = AppTest.from_file(MAIN, default_timeout=10)
    drawn.query_params["task"] = "7"
    drawn.run()
    drawn.button(key="switch_language").click().run()
    assert drawn.button(key="switch_language").label == "English"
    assert (drawn.query_params["lang"], drawn.query_params["task"]) == ("zh", "7")


def test_the_policy_lets_no_page_load_from_another_host() -> None:
    policy = dict(part.split(" ", 1) for part in server.content_security_policy().split("; "))
    allowed = {source for sources in policy.values() for source in sources.split()}
    hashes = {source for source in allowed if source.startswith("'sha256-")}
    assert len(hashes) >= 1
    assert allowed - hashes == {"'self'", "'none'", "'unsafe-inline'", "'wasm-unsafe-eval'", "blob:", "data:"}
    assert "'unsafe-inline'" not in policy["script-src"]


def test_the_collector_works_again_once_the_server_is_imported() -> None:
    assert server.MIDDLEWARE
    assert gc.isenabled()
