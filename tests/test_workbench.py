"""What can be set while the server runs, and when it takes effect."""

import logging
import sqlite3
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from engine.courses.templates import general_project
from engine.domain.people import LOCAL_VIEWER, NOBODY
from engine.domain.states import Language
from engine.errors import AccessDenied, NotFound, StoreError
from engine.settings import Budgets, ModelUse, Settings
from engine.workbench import Workbench, build_workbench

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
URL = "http://127.0.0.1:9/v1"
KEY = "sk-a-long-key-that-ends-7f2a"


def opened(folder: Path, **environ: str) -> Workbench:
    return build_workbench(Settings.from_env({"TUTORLOOP_DATA": str(folder), **environ}), NOW)


@pytest.fixture
def folder(tmp_path: Path, demo_folder: Path) -> Path:
    (tmp_path / "demo.db").write_bytes((demo_folder / "demo.db").read_bytes())
    return tmp_path


@pytest.fixture
def workbench(folder: Path) -> Iterator[Workbench]:
    bench = opened(folder)
    yield bench
    bench.close()


def titles(bench: Workbench) -> list[str]:
    return [course.title for space in bench.spaces for course in space.courses.courses(LOCAL_VIEWER)]


def test_a_model_is_asked_from_its_saving_on_and_no_more_when_it_is_forgotten(workbench: Workbench) -> None:
    assert workbench.is_offline
    workbench.keep_model(LOCAL_VIEWER, ModelUse.TUTOR, url=URL, name="m", key=KEY)
    assert not workbench.is_offline
    workbench.forget_model(LOCAL_VIEWER, ModelUse.TUTOR)
    assert workbench.is_offline


def test_a_saved_model_is_asked_after_the_next_start_too_and_the_environment_wins(folder: Path) -> None:
    first = opened(folder)
    first.keep_model(LOCAL_VIEWER, ModelUse.TUTOR, url=URL, name="m", key=KEY)
    first.close()
    second = opened(folder)
    assert second.model_report(LOCAL_VIEWER, ModelUse.TUTOR).name == "m"
    assert not second.is_offline
    second.close()
    third = opened(folder, TUTORLOOP_MODEL_URL="http://env.test/v1", TUTORLOOP_MODEL_NAME="env")
    assert third.model_report(LOCAL_VIEWER, ModelUse.TUTOR).name == "env"
    third.close()


def test_nobody_else_sees_or_changes_a_setting(workbench: Workbench) -> None:
    asks = (
        lambda: workbench.model_report(NOBODY, ModelUse.TUTOR),
        lambda: workbench.keep_model(NOBODY, ModelUse.TUTOR, url=URL, name="m", key=KEY),
        lambda: workbench.forget_model(NOBODY, ModelUse.TUTOR),
        lambda: workbench.probe_model(NOBODY, ModelUse.TUTOR),
        lambda: workbench.data_report(NOBODY),
        lambda: workbench.renew_demo(NOBODY, NOW),
        lambda: workbench.remove_demo(NOBODY),
    )
    for ask in asks:
        with pytest.raises(AccessDenied):
            ask()
    assert workbench.is_offline
    assert len(workbench.spaces) == 2


def test_without_a_model_there_is_nothing_to_probe(workbench: Workbench) -> None:
    assert workbench.probe_model(LOCAL_VIEWER, ModelUse.TUTOR) is None


def test_the_demo_is_removed_with_its_files_and_stays_away(folder: Path) -> None:
    first = opened(folder)
    own = first.own.courses.keep_course(LOCAL_VIEWER, general_project(Language.EN))
    gone = first.demo
    first.remove_demo(LOCAL_VIEWER)
    assert titles(first) == [own.title]
    assert first.data_report(LOCAL_VIEWER).demo_bytes is None
    with pytest.raises(NotFound):
        _ = first.demo
    with pytest.raises(StoreError):
        gone.courses.courses(LOCAL_VIEWER)
    assert list(folder.glob("demo*")) == []
    first.close()
    second = opened(folder)
    assert (titles(second), list(folder.glob("demo*"))) == ([own.title], [])
    second.close()


def test_a_demo_of_an_earlier_review_logic_is_put_away_and_made_anew(folder: Path) -> None:
    demo = folder / "demo.db"
    kept = demo.stat().st_mtime_ns
    opened(folder).close()
    assert list(folder.glob("demo*.db")) == [demo]
    with sqlite3.connect(demo) as connection:
        connection.execute("PRAGMA user_version = 1")
    connection.close()
    bench = opened(folder)
    key = bench.demo.courses.courses(LOCAL_VIEWER)[0]
    assert key.projects and demo.stat().st_mtime_ns != kept
    assert sorted(path.name for path in folder.glob("demo*.db")) == ["demo.db", "demo.old.db"]
    bench.remove_demo(LOCAL_VIEWER)
    assert list(folder.glob("demo*")) == []
    bench.close()


def test_the_demo_is_made_anew_and_only_the_demo(workbench: Workbench) -> None:
    own = workbench.own.courses.keep_course(LOCAL_VIEWER, general_project(Language.EN))
    course = workbench.demo.courses.courses(LOCAL_VIEWER)[0]
    added = workbench.demo.courses.add_learner(LOCAL_VIEWER, "Late", course_id=course.course_id)
    workbench.renew_demo(LOCAL_VIEWER, NOW)
    names = {
        learner.name
        for each in workbench.demo.courses.courses(LOCAL_VIEWER)
        for learner in workbench.demo.courses.learners(LOCAL_VIEWER, each.course_id)
    }
    assert len(names) > 3
    assert added.name not in names
    assert [each.title for each in workbench.own.courses.courses(LOCAL_VIEWER)] == [own.title]
    workbench.remove_demo(LOCAL_VIEWER)
    workbench.renew_demo(LOCAL_VIEWER, NOW)
    assert len(workbench.spaces) == 2


def test_the_files_can_be_read_by_their_owner_alone(workbench: Workbench, folder: Path) -> None:
    workbench.keep_model(LOCAL_VIEWER, ModelUse.TUTOR, url=URL, name="m", key=KEY)
    files = [path for path in folder.iterdir() if path.name.startswith("tutorloop.db")]
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert len(files) > 1


def test_the_key_is_in_no_log_no_receipt_and_no_other_file(
    workbench: Workbench, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    workbench.keep_model(LOCAL_VIEWER, ModelUse.TUTOR, url=URL, name="m", key=KEY)
    report = workbench.model_report(LOCAL_VIEWER, ModelUse.TUTOR)
    assert KEY not in f"{report!r}{workbench!r}{vars(workbench)!r}{caplog.text}"
    with sqlite3.connect(folder / "tutorloop.db") as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        holding = [
            name for name in tables if any(KEY in str(row) for row in connection.execute(f"SELECT * FROM {name}"))
        ]
    connection.close()
    assert holding == ["setting"]
    assert not any(KEY.encode() in path.read_bytes() for path in folder.glob("demo*"))


def test_a_backup_holds_the_work_and_no_key(workbench: Workbench, tmp_path: Path) -> None:
    course = workbench.own.courses.keep_course(LOCAL_VIEWER, general_project(Language.EN))
    workbench.keep_model(LOCAL_VIEWER, ModelUse.TUTOR, url=URL, name="m", key=KEY)
    workbench.keep_budgets(LOCAL_VIEWER, Budgets(window_tokens=8000))

    copy = workbench.back_up(LOCAL_VIEWER)

    assert KEY.encode() not in copy
    assert URL.encode() not in copy
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "tutorloop.db").write_bytes(copy)
    (tmp_path / "other" / "demo.db").write_bytes((tmp_path / "demo.db").read_bytes())
    other = opened(tmp_path / "other")
    assert course.title in titles(other)
    assert other.is_offline
    assert other.budget_report(LOCAL_VIEWER).in_force.window_tokens == 8000
    other.close()


def test_only_whose_machine_it_is_takes_a_backup(workbench: Workbench) -> None:
    with pytest.raises(AccessDenied):
        workbench.back_up(NOBODY)


def test_a_demo_that_is_made_anew_keeps_to_the_sizes_that_were_set(workbench: Workbench) -> None:
    workbench.keep_budgets(LOCAL_VIEWER, Budgets(window_tokens=8000))
    workbench.renew_demo(LOCAL_VIEWER, NOW)
    assert workbench.demo.tutor.budgets.window_tokens == 8000


def test_a_window_of_the_environment_wins_and_leaves_room_for_its_reply(folder: Path) -> None:
    first = opened(folder)
    first.keep_budgets(LOCAL_VIEWER, Budgets(reserved_tokens=6000))
    first.close()
    second = opened(folder, TUTORLOOP_WINDOW_TOKENS="5000")
    report = second.budget_report(LOCAL_VIEWER)
    assert (report.in_force.window_tokens, report.in_force.reserved_tokens) == (5000, 2500)
    assert report.is_window_by_environment
    second.close()
