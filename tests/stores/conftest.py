"""All stores on a database of their own, and a learner to begin with."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine

from db.connection import connect
from engine.domain.keys import FeedbackKey
from tests.conftest import Ticking
from tests.stores.builders import Stores, build_stores, enrol


@pytest.fixture
def engine(migrated_url: str) -> Iterator[Engine]:
    engine = connect(migrated_url)
    yield engine
    engine.dispose()


@pytest.fixture
def stores(engine: Engine, clock: Ticking) -> Stores:
    return build_stores(engine, clock)


@pytest.fixture
def key(stores: Stores) -> FeedbackKey:
    """Ada's key for the first task of the course."""
    return enrol(stores)
