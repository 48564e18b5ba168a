"""The worker's process asks the models that a person has set, without a restart."""

from pathlib import Path

from engine.domain.people import LOCAL_VIEWER
from engine.job_process import SettingsInForce
from engine.llm.models import Models
from engine.llm.offline import offline_gateway
from engine.settings import ModelUse, Settings
from engine.settings_store import SettingsStore
from engine.wiring import build_space, new_id
from tests.conftest import Ticking


def test_a_model_that_is_connected_later_is_asked_from_the_next_beat_on(migrated_file: Path, tmp_path: Path) -> None:
    database = tmp_path / "test.db"
    database.write_bytes(migrated_file.read_bytes())
    space = build_space(f"sqlite:///{database}", offline_gateway())
    store = SettingsStore(space.database, clock=Ticking(), new_id=new_id)
    models = Models.of(offline_gateway())
    following = SettingsInForce(Settings.from_env({}), store, models)
    following.refresh()
    first = models.gateway(ModelUse.REVIEW)
    following.refresh()
    assert first.is_offline
    assert models.gateway(ModelUse.REVIEW) is first
    store.keep_model(LOCAL_VIEWER, ModelUse.REVIEW, url="http://127.0.0.1:9/v1", name="m", key="k")
    following.refresh()
    assert not models.gateway(ModelUse.REVIEW).is_offline
    space.close()
