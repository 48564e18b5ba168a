"""Processes that learn from a version, and one that is killed while it does."""

import os
import signal
import time
from multiprocessing.synchronize import Barrier

from engine.domain.people import LOCAL_VIEWER
from engine.llm.scripted import Reply, ScriptedTransport
from engine.wiring import build_space
from tests.llm.calls import gateway

SLOW_S = 0.6
"""How long the model of `learn_with` takes: longer than two processes are apart."""


def learn_with(url: str, artifact_id: str, version_id: str, together: Barrier) -> None:
    """Learn at the moment at which all that wait at `together` do."""

    def answer(_request: dict[str, object]) -> Reply:
        time.sleep(SLOW_S)
        return '{"change": "fact", "rules": []}'

    space = build_space(url, gateway(ScriptedTransport(answer)))
    together.wait(30)
    space.preferences.learner.learn(LOCAL_VIEWER, artifact_id, version_id)
    space.close()


def die_learning(url: str, artifact_id: str, version_id: str) -> None:
    """Be killed in the moment in which the model is asked."""

    def kill(_request: dict[str, object]) -> Reply:
        os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(30)
        return ""

    space = build_space(url, gateway(ScriptedTransport(kill)))
    space.worker.start()
    space.preferences.learner.begin(LOCAL_VIEWER, artifact_id, version_id)
    time.sleep(30)
