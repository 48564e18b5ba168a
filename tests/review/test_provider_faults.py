"""A model service that fails often makes no verdict, loses no hand-in, and judges nothing twice."""

from pathlib import Path

import pytest

from tests.stress.provider_faults import BY_MEANING, play

pytestmark = pytest.mark.enable_socket

HAND_INS = 12
"""`python -m tests.stress.provider_faults` plays 200."""


def test_reviews_of_right_work_end_in_a_pass_or_in_no_verdict_and_the_job_finishes_the_rest(tmp_path: Path) -> None:
    played = play(tmp_path, HAND_INS)
    assert played.problems == ()
    assert played.service.kinds["down"] and played.service.kinds["garbage"]
    assert played.rounds[0].states.get("unavailable") and played.verdicts["none"]
    assert sum(played.service.judged.values()) == HAND_INS * BY_MEANING
