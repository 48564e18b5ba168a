"""What is set on the Settings page, and what may be shown of it."""

import traceback
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy.exc import IntegrityError

from db.connection import writing
from db.rows import put_setting
from engine.domain.people import LOCAL_VIEWER
from engine.errors import BudgetsImpossible, ModelNotDescribed, StuckLimitsImpossible
from engine.settings import (
    DEFAULT_BUDGETS,
    DEFAULT_STUCK,
    Budgets,
    ModelServer,
    ModelUse,
    Secret,
    Settings,
    StuckLimits,
)
from engine.settings_store import NO_KEY, Origin, StoredModel, report_model, server_for
from tests.conftest import Ticking
from tests.stores.builders import HOSTILE, NOON, STORABLE, Stores, build_stores

URL = "https://api.example.test/v1"
KEY = "sk-a-long-key-that-ends-7f2a"
BY_ENVIRONMENT = ModelServer(url="https://ann:pass@env.test/v1?token=7", name="env-model", key=Secret(KEY))


def settings(model: ModelServer | None = None) -> Settings:
    return Settings(
        mode=Settings.from_env({}).mode,
        data_dir=Path(),
        database_url="sqlite:///x",
        demo_url="sqlite:///y",
        model=model,
    )


def kept(stores: Stores, use: ModelUse = ModelUse.TUTOR) -> tuple[str, str, str]:
    """Address, name and key that are stored."""
    server = stores.settings.read(LOCAL_VIEWER).models[use].server
    return server.url, server.name, server.key.reveal()


def keep(stores: Stores, use: ModelUse = ModelUse.TUTOR, *, url: str = URL, name: str = "m-1", key: str = "") -> None:
    stores.settings.keep_model(LOCAL_VIEWER, use, url=url, name=name, key=key)


def test_nothing_is_set_at_first_and_the_demo_is_there(stores: Stores) -> None:
    read = stores.settings.read(LOCAL_VIEWER)
    assert (dict(read.models), read.is_demo_on) == ({}, True)
    assert server_for(ModelUse.TUTOR, settings(), read) is None
    assert report_model(ModelUse.REVIEW, settings(), read).origin is Origin.NOWHERE


def test_what_was_set_is_there_for_whoever_opens_the_database_next(stores: Stores, clock: Ticking) -> None:
    keep(stores, url=f" {URL}\n", name=" m-1 ", key=f" {KEY}\n")
    stores.settings.keep_demo(LOCAL_VIEWER, is_on=False)
    again = build_stores(stores.engine, clock)
    assert kept(again) == (URL, "m-1", KEY)
    assert not again.settings.read(LOCAL_VIEWER).is_demo_on
    again.settings.keep_demo(LOCAL_VIEWER, is_on=True)
    assert stores.settings.read(LOCAL_VIEWER).is_demo_on


def test_without_a_key_the_one_before_stays_with_the_moment_it_was_set(stores: Stores) -> None:
    keep(stores, key=KEY)
    before = stores.settings.read(LOCAL_VIEWER).models[ModelUse.TUTOR]
    keep(stores, url=f"{URL}/beta", name="m-2")
    after = stores.settings.read(LOCAL_VIEWER).models[ModelUse.TUTOR]
    assert kept(stores) == (f"{URL}/beta", "m-2", KEY)
    assert after.key_set_at == before.key_set_at is not None


@pytest.mark.parametrize(
    "url", ["https://other.test/v1", "http://api.example.test/v1", "https://api.example.test:444/v1"]
)
def test_a_key_is_never_kept_for_a_server_for_which_it_was_not_given(stores: Stores, url: str) -> None:
    keep(stores, key=KEY)
    keep(stores, url=url)
    assert kept(stores) == (url, "m-1", NO_KEY)
    assert stores.settings.read(LOCAL_VIEWER).models[ModelUse.TUTOR].key_set_at is None
    assert not any(KEY in str(row) for row in stores.ask("SELECT value FROM setting"))


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("", "m"),
        ("api.example.test/v1", "m"),
        ("ftp://api.example.test", "m"),
        ("https://", "m"),
        ("https://[", "m"),
        ("https://ann:secret@api.example.test/v1", "m"),
        ("https://ann@api.example.test/v1", "m"),
        (URL, "  "),
    ],
)
def test_a_model_that_cannot_be_asked_is_refused_and_the_one_before_stays(stores: Stores, url: str, name: str) -> None:
    keep(stores, key=KEY)
    with pytest.raises(ModelNotDescribed) as caught:
        keep(stores, url=url, name=name, key="sk-new")
    assert kept(stores) == (URL, "m-1", KEY)
    assert "secret" not in str(caught.value)


def test_each_use_has_a_model_of_its_own_or_the_tutors(stores: Stores) -> None:
    keep(stores, key=KEY)
    read = stores.settings.read(LOCAL_VIEWER)
    shared = server_for(ModelUse.REVIEW, settings(), read)
    assert shared is not None
    assert (shared.name, report_model(ModelUse.REVIEW, settings(), read).origin) == ("m-1", Origin.SHARED)

    keep(stores, ModelUse.REVIEW, url="http://localhost:1/v1", name="m-r")
    read = stores.settings.read(LOCAL_VIEWER)
    assert [getattr(server_for(use, settings(), read), "name", None) for use in ModelUse] == [
        "m-1",
        "m-r",
        "m-1",
        "m-1",
    ]

    stores.settings.forget_model(LOCAL_VIEWER, ModelUse.REVIEW)
    stores.settings.forget_model(LOCAL_VIEWER, ModelUse.REVIEW)
    read = stores.settings.read(LOCAL_VIEWER)
    assert report_model(ModelUse.REVIEW, settings(), read).origin is Origin.SHARED


def test_the_environment_wins_and_its_secrets_are_not_shown(stores: Stores) -> None:
    keep(stores, key=KEY)
    read = stores.settings.read(LOCAL_VIEWER)
    for use in ModelUse:
        assert server_for(use, settings(BY_ENVIRONMENT), read) is BY_ENVIRONMENT
        shown = report_model(use, settings(BY_ENVIRONMENT), read)
        assert (shown.origin, shown.address, shown.name) == (Origin.ENVIRONMENT, "https://env.test/v1", "env-model")
        assert (shown.key_set_at, shown.key_ends) == (None, None)


def test_a_report_tells_when_the_key_was_set_and_how_it_ends_and_nothing_more(stores: Stores) -> None:
    keep(stores, key=KEY)
    read = stores.settings.read(LOCAL_VIEWER)
    shown = report_model(ModelUse.TUTOR, settings(), read)
    assert (shown.origin, shown.key_ends) == (Origin.STORED, "7f2a")
    assert shown.key_set_at is not None
    assert KEY not in f"{shown!r} {read!r} {read.models[ModelUse.TUTOR]!s}"


@pytest.mark.parametrize(("key", "ends"), [("k" * 11, None), ("k" * 12, "kkkk"), ("", None)])
def test_of_a_short_key_nothing_is_shown(stores: Stores, key: str, ends: str | None) -> None:
    keep(stores, key=key)
    shown = report_model(ModelUse.TUTOR, settings(), stores.settings.read(LOCAL_VIEWER))
    assert (shown.key_ends, shown.key_set_at is not None) == (ends, bool(key))


def test_a_value_that_cannot_be_read_counts_as_not_set_and_is_not_logged(
    stores: Stores, caplog: pytest.LogCaptureFixture
) -> None:
    keep(stores, key=KEY)
    with stores.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE setting SET value = replace(value, 'm-1\"', 'm-1\",,')")
    assert stores.settings.read(LOCAL_VIEWER).models == {}
    assert "cannot be read" in caplog.text
    assert KEY not in caplog.text
    keep(stores, name="m-2")
    assert kept(stores) == (URL, "m-2", NO_KEY)


def test_what_no_database_holds_is_replaced_and_the_rest_stays(stores: Stores) -> None:
    keep(stores, name=HOSTILE, key=KEY)
    assert kept(stores) == (URL, STORABLE.strip(), KEY)


REFUSING = {
    "sqlite": (
        "CREATE TRIGGER never BEFORE INSERT ON setting BEGIN SELECT RAISE(ABORT, 'insert-only'); END",
        "DROP TRIGGER never",
    ),
    "postgresql": (
        "CREATE TRIGGER never BEFORE INSERT ON setting FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()",
        "DROP TRIGGER never ON setting",
    ),
}


def test_an_error_of_the_database_does_not_hold_the_key(stores: Stores) -> None:
    begin, end = REFUSING[stores.engine.dialect.name]
    with stores.engine.begin() as connection:
        connection.exec_driver_sql(begin)
    try:
        with pytest.raises(IntegrityError, match="insert-only") as caught:
            keep(stores, key=KEY)
    finally:
        with stores.engine.begin() as connection:
            connection.exec_driver_sql(end)
    assert KEY not in "".join(traceback.format_exception(caught.value))


def test_a_stored_model_does_not_print_its_key() -> None:
    model = StoredModel(server=ModelServer(url=URL, name="m", key=Secret(KEY)), key_set_at=None)
    assert KEY not in f"{model!r}{model}"


IMPOSSIBLE = {
    "window too small": {"window_tokens": 4095},
    "window too large": {"window_tokens": 10_000_000},
    "no room for a reply": {"reserved_tokens": 255},
    "no room for a request": {"reserved_tokens": 8001},
    "summarised all the time": {"history_trigger": 999},
    "summarised too late": {"history_trigger": 4001},
}


@pytest.mark.parametrize("sizes", IMPOSSIBLE.values(), ids=IMPOSSIBLE.keys())
def test_sizes_that_do_not_go_together_are_refused_and_change_nothing(stores: Stores, sizes: dict[str, int]) -> None:
    with pytest.raises(BudgetsImpossible):
        stores.settings.keep_budgets(LOCAL_VIEWER, replace(DEFAULT_BUDGETS, **sizes))
    assert stores.settings.read(LOCAL_VIEWER).budgets == DEFAULT_BUDGETS


def test_sizes_are_kept_and_forgotten(stores: Stores) -> None:
    wanted = Budgets(window_tokens=4096, reserved_tokens=2048, history_trigger=1000, history_limit=1000)
    stores.settings.keep_budgets(LOCAL_VIEWER, wanted)
    assert stores.settings.read(LOCAL_VIEWER).budgets == wanted
    stores.settings.forget_budgets(LOCAL_VIEWER)
    assert stores.settings.read(LOCAL_VIEWER).budgets == DEFAULT_BUDGETS


@pytest.mark.parametrize("value", ["no JSON", "{}", '{"window_tokens": 1}'])
def test_sizes_that_cannot_be_read_count_as_not_set(stores: Stores, value: str) -> None:
    with writing(stores.engine) as session:
        put_setting(session, name="budgets", value=value, at=datetime.now(UTC))
    assert stores.settings.read(LOCAL_VIEWER).budgets == DEFAULT_BUDGETS


def test_the_numbers_of_the_stuck_rule_are_kept_within_their_bounds(stores: Stores) -> None:
    settings = stores.settings
    assert settings.read(LOCAL_VIEWER).stuck == DEFAULT_STUCK
    settings.keep_stuck(LOCAL_VIEWER, StuckLimits(fails_in_a_row=4, idle_days=1, turns=9))
    assert settings.read(LOCAL_VIEWER).stuck == StuckLimits(fails_in_a_row=4, idle_days=1, turns=9)
    with pytest.raises(StuckLimitsImpossible):
        settings.keep_stuck(LOCAL_VIEWER, StuckLimits(idle_days=0))
    assert settings.read(LOCAL_VIEWER).stuck.idle_days == 1


@pytest.mark.parametrize("value", ["no JSON", '{"turns": 3}', '{"fails_in_a_row": 0, "idle_days": 1, "turns": 2}'])
def test_numbers_of_the_stuck_rule_that_cannot_be_used_are_the_usual_ones(stores: Stores, value: str) -> None:
    with writing(stores.engine) as session:
        put_setting(session, name="stuck", value=value, at=NOON)
    assert stores.settings.read(LOCAL_VIEWER).stuck == DEFAULT_STUCK
