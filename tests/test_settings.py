"""Settings are read once, and what is wrong is named."""

from pathlib import Path

import pytest

from engine.errors import SettingsError
from engine.settings import DataPlacement, Mode, Secret, Settings

MODEL = {"TUTORLOOP_MODEL_URL": "https://models.example/v1", "TUTORLOOP_MODEL_NAME": "small"}
KEY = "sk-very-secret"  # a made-up one


def test_nothing_set_gives_an_own_machine_with_the_offline_tutor() -> None:
    settings = Settings.from_env({})
    assert settings.mode is Mode.LOCAL
    assert settings.model is None
    assert settings.data_dir == Path("data").absolute()
    assert settings.database_url == f"sqlite:///{settings.data_dir / 'tutorloop.db'}"
    assert settings.demo_url == f"sqlite:///{settings.data_dir / 'demo.db'}"


def test_empty_values_are_as_if_not_set() -> None:
    models = ("MODEL_URL", "MODEL_NAME", "MODEL_KEY", "WINDOW_TOKENS", "DATA_PLACEMENT", "GIT_SSH")
    names = ("MODE", "DATA", "DATABASE_URL", "WORKER", *models)
    assert Settings.from_env({f"TUTORLOOP_{name}": "" for name in names}) == Settings.from_env({})


def test_everything_set_is_taken_over(tmp_path: Path) -> None:
    settings = Settings.from_env(
        {**MODEL, "TUTORLOOP_MODE": "signed-in", "TUTORLOOP_DATA": str(tmp_path), "TUTORLOOP_MODEL_KEY": KEY}
    )
    assert settings.mode is Mode.SIGNED_IN
    assert settings.demo_url == f"sqlite:///{tmp_path / 'demo.db'}"
    assert settings.model is not None
    assert (settings.model.url, settings.model.name) == ("https://models.example/v1", "small")
    assert settings.model.key.reveal() == KEY


@pytest.mark.parametrize(
    ("given", "opened"),
    [
        ("postgresql://u@h/d", "postgresql+psycopg://u@h/d"),
        ("postgresql+psycopg://u@h/d", "postgresql+psycopg://u@h/d"),
        ("sqlite:///x.db", "sqlite:///x.db"),
    ],
)
def test_a_database_is_opened_by_the_driver_that_is_installed(given: str, opened: str) -> None:
    assert Settings.from_env({"TUTORLOOP_DATABASE_URL": given}).database_url == opened


def test_the_demo_never_stands_in_the_persons_own_database() -> None:
    settings = Settings.from_env({"TUTORLOOP_DATABASE_URL": "postgresql://u@h/d"})
    assert settings.demo_url.startswith("sqlite:///")


def test_the_models_window_and_the_placement_of_data_can_be_set() -> None:
    plain = Settings.from_env({})
    assert (plain.window_tokens, plain.data_placement) == (None, DataPlacement.SEPARATE)
    given = Settings.from_env({"TUTORLOOP_WINDOW_TOKENS": "4096", "TUTORLOOP_DATA_PLACEMENT": "merged"})
    assert (given.window_tokens, given.data_placement) == (4096, DataPlacement.MERGED)


def test_the_app_starts_a_worker_unless_that_is_switched_off() -> None:
    started = [Settings.from_env(given).is_worker_started for given in ({}, {"TUTORLOOP_WORKER": "off"})]
    assert started == [True, False]


WRONG = {
    "a worker in words": ({"TUTORLOOP_WORKER": "no"}, "TUTORLOOP_WORKER"),
    "an unknown mode": ({"TUTORLOOP_MODE": "public"}, "TUTORLOOP_MODE"),
    "a system section": ({"TUTORLOOP_DATA_PLACEMENT": "system-section"}, "TUTORLOOP_DATA_PLACEMENT"),
    "another placement": ({"TUTORLOOP_DATA_PLACEMENT": "Merged"}, "TUTORLOOP_DATA_PLACEMENT"),
    "a window too small": ({"TUTORLOOP_WINDOW_TOKENS": "4095"}, "TUTORLOOP_WINDOW_TOKENS"),
    "a window in words": ({"TUTORLOOP_WINDOW_TOKENS": "16k"}, "TUTORLOOP_WINDOW_TOKENS"),
    "a window of other digits": ({"TUTORLOOP_WINDOW_TOKENS": "１６０００"}, "TUTORLOOP_WINDOW_TOKENS"),
    "a window without an end": ({"TUTORLOOP_WINDOW_TOKENS": "9" * 5000}, "TUTORLOOP_WINDOW_TOKENS"),
    "a mode in capitals": ({"TUTORLOOP_MODE": "LOCAL"}, "TUTORLOOP_MODE"),
    "another database": ({"TUTORLOOP_DATABASE_URL": "mysql://u@h/d"}, "TUTORLOOP_DATABASE_URL"),
    "a file path as database": ({"TUTORLOOP_DATABASE_URL": "data.db"}, "TUTORLOOP_DATABASE_URL"),
    "a model without an address": ({"TUTORLOOP_MODEL_NAME": "small"}, "TUTORLOOP_MODEL_URL"),
    "a model without a name": ({"TUTORLOOP_MODEL_URL": "https://models.example/v1"}, "TUTORLOOP_MODEL_NAME"),
    "an address without a scheme": ({**MODEL, "TUTORLOOP_MODEL_URL": "models.example/v1"}, "TUTORLOOP_MODEL_URL"),
    "an address of a file": ({**MODEL, "TUTORLOOP_MODEL_URL": "file:///etc"}, "TUTORLOOP_MODEL_URL"),
    "an address without a host": ({**MODEL, "TUTORLOOP_MODEL_URL": "http:///v1"}, "TUTORLOOP_MODEL_URL"),
    "an address that is none": ({**MODEL, "TUTORLOOP_MODEL_URL": "http://[bad/v1"}, "TUTORLOOP_MODEL_URL"),
}


@pytest.mark.parametrize(("environ", "variable"), WRONG.values(), ids=WRONG)
def test_an_error_names_the_variable_that_must_be_set_right(environ: dict[str, str], variable: str) -> None:
    with pytest.raises(SettingsError, match=rf"^{variable} "):
        Settings.from_env(environ)


def test_no_error_repeats_the_key() -> None:
    environ = {**MODEL, "TUTORLOOP_MODEL_NAME": "", "TUTORLOOP_MODEL_KEY": KEY}
    with pytest.raises(SettingsError) as caught:
        Settings.from_env(environ)
    assert KEY not in str(caught.value)


def test_a_key_does_not_show_itself() -> None:
    settings = Settings.from_env({**MODEL, "TUTORLOOP_MODEL_KEY": KEY})
    secret = Secret(KEY)
    shown = (repr(settings), str(settings), repr(secret), str(secret), f"{secret}", f"{secret!r:>40}", repr([secret]))
    assert not [text for text in shown if KEY in text]


def test_ssh_for_repositories_is_closed_until_the_operator_allows_it() -> None:
    assert not Settings.from_env({}).git_ssh
    assert Settings.from_env({"TUTORLOOP_GIT_SSH": "allowed"}).git_ssh
    with pytest.raises(SettingsError, match="TUTORLOOP_GIT_SSH is 'yes'; it must be allowed, or not set"):
        Settings.from_env({"TUTORLOOP_GIT_SSH": "yes"})
