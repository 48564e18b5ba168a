"""Moments in words."""

from datetime import UTC, datetime, timedelta

import pytest

from engine.domain.states import Language
from pages._widgets import moments

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("language", "before", "words"),
    [
        (Language.ZH, timedelta(hours=1), "1 小时前"),
        (Language.ZH, timedelta(minutes=12), "12 分钟前"),
        (Language.EN, timedelta(hours=1), "1 hour ago"),
        (Language.EN, timedelta(minutes=12), "12 minutes ago"),
    ],
)
def test_less_than_a_day_is_told_as_a_distance(
    monkeypatch: pytest.MonkeyPatch, language: Language, before: timedelta, words: str
) -> None:
    monkeypatch.setattr(moments, "language", lambda: language)
    assert moments.moment(NOW - before, NOW) == words
