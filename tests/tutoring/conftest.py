"""A fresh room for a test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tutoring.room import Room, opened_room


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """Ada's, in English, with the offline tutor."""
    with opened_room(tmp_path) as opened:
        yield opened
