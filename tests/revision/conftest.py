"""A fresh studio for a test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.llm.offline import offline_gateway
from tests.conftest import Ticking
from tests.revision.studio import Studio, opened_studio


@pytest.fixture
def studio(tmp_path: Path, migrated_file: Path, clock: Ticking) -> Iterator[Studio]:
    """Ada's, with the offline model."""
    with opened_studio(tmp_path, migrated_file, offline_gateway(delay_s=0), clock) as opened:
        yield opened
