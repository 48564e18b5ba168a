"""Rows of the fault table: two tabs, two clicks, killed processes and an ill database."""

import multiprocessing
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial

from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER
from engine.domain.session import Turn
from engine.domain.states import TurnState
from engine.errors import NotFound, StoreError
from engine.review.hand_in import HandedIn
from engine.review.review_store import ReviewRow
from engine.scenarios.faults_provider import gateway_at
from engine.scenarios.faults_row import FaultCase
from engine.scenarios.faults_scene import (
    END_SECONDS,
    GOOD_REPORT,
    GOOD_WORK,
    QUESTION,
    SLOW_WORK,
    FaultRig,
    FaultScene,
    FaultStage,
    Seen,
    problem,
)
from engine.scenarios.stub_provider import StubAnswer, chunk, stub_provider
from engine.work.unpack import MIB, Upload, read_hand_in

_AHEAD = timedelta(minutes=1)
"""So much later the leases of a killed process have run out."""
_POLL_SECONDS = 0.01
_DRIP = "word "
_NOWHERE = "http://nobody.invalid/v1"
"""For a process that asks no model."""
_LARGE = Upload(name="large.py", content=b"# a line\n" * (4 * MIB // 9))
_TABS = 2


def _two_tabs(scene: FaultScene) -> Seen:
    questions = [f"{QUESTION} (tab {number})" for number in range(_TABS)]
    _at_once([partial(scene.ask, scene.healthy, question) for question in questions])
    turns = scene.new_turns()
    kept = sorted(turn.question for turn in turns) == questions
    return Seen(told=", ".join(f"turn {turn.state}" for turn in turns), kept=kept)


def _double_click(scene: FaultScene) -> Seen:
    handed_in: list[HandedIn] = []
    click = partial(scene.hand_in, scene.healthy, (GOOD_WORK,), "one form")
    _at_once([lambda: handed_in.append(click())] * _TABS)
    new = _new_reviews(scene)
    one = len({each.submission.submission_id for each in handed_in}) == 1
    begun = sum(each.attempt is not None for each in handed_in)
    return Seen(told=f"{len(handed_in)} clicks, {len(new)} submission, {begun} review", kept=one)


def _at_once(jobs: list[Callable[[], object]]) -> None:
    """Run them in threads that begin together."""
    gate = threading.Barrier(len(jobs))

    def run(job: Callable[[], object]) -> None:
        gate.wait()
        job()

    threads = [threading.Thread(target=run, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


# ---- killed ----


def _live_and_ask(rig: FaultRig, url: str, conversation_id: str) -> None:
    """The life of a process that is killed in the middle of a reply."""
    with rig.opened(gateway_at(url)) as stage:
        stage.tutor.send(LOCAL_VIEWER, conversation_id, QUESTION, stage.worker)
        time.sleep(END_SECONDS)


def _killed_in_a_reply(scene: FaultScene) -> Seen:
    drip = StubAnswer(pieces=(chunk(_DRIP),) * 2000, pause_s=0.02)
    with stub_provider(drip) as url, _process(_live_and_ask, scene.rig, url, scene.conversation_id):
        _wait_until(lambda: any(turn.partial for turn in scene.new_turns()))
    (left,) = scene.new_turns()
    _recover(scene)
    (turn,) = scene.new_turns()
    kept = left.state is TurnState.OPEN and turn.question == QUESTION and turn.partial == left.partial
    return Seen(told=f"{turn.fault}: turn {turn.state}, what had arrived is kept", kept=kept and bool(turn.partial))


def _live_and_review(rig: FaultRig, url: str, key: FeedbackKey) -> None:
    """The life of a process that is killed in the middle of a review."""
    files = read_hand_in((SLOW_WORK, GOOD_REPORT)).files
    with rig.opened(gateway_at(url)) as stage:
        stage.desk.hand_in(LOCAL_VIEWER, key, files, token="killed", worker=stage.worker)  # noqa: S106 - of a form
        time.sleep(END_SECONDS)


def _killed_in_a_review(scene: FaultScene) -> Seen:
    with _process(_live_and_review, scene.rig, _NOWHERE, scene.key):
        _wait_until(lambda: any(_progress(scene, row) for row in _new_reviews(scene)))
    (left,) = _new_reviews(scene)
    _recover(scene)
    (row,) = _new_reviews(scene)
    state = scene.healthy.tutor.current_feedback(LOCAL_VIEWER, scene.key).state
    outcome = row.outcome
    if outcome is None:
        return Seen(told="no outcome", kept=False)
    has_finished = isinstance(outcome.record, dict) and bool(outcome.record.get("criteria"))
    return Seen(
        told=f"{outcome.fault}: review {outcome.kind}, feedback {state}, finished criteria kept",
        kept=left.outcome is None and has_finished,
    )


def _recover(scene: FaultScene) -> None:
    """What the next process does first, once the leases of the killed one have run out."""
    with scene.rig.opened(gateway_at(_NOWHERE), ahead=_AHEAD):
        pass


def _progress(scene: FaultScene, row: ReviewRow) -> str:
    return scene.healthy.leases.progress(row.attempt.attempt_id) if row.attempt else ""


def _new_reviews(scene: FaultScene) -> list[ReviewRow]:
    known = {fact[1] for fact in scene.before}
    return [row for row in scene.reviews() if row.submission.submission_id not in known]


@contextmanager
def _process(live: Callable[..., None], *given: object) -> Iterator[None]:
    """Another process, killed at the end as by a power cut: SIGKILL cannot be caught."""
    process = multiprocessing.get_context("spawn").Process(target=live, args=given, daemon=True)
    process.start()
    try:
        yield
    finally:
        process.kill()
        process.join()


def _wait_until(happens: Callable[[], bool]) -> None:
    end = time.monotonic() + END_SECONDS
    while not happens():
        if time.monotonic() > end:
            raise RuntimeError(f"it did not come so far within {END_SECONDS:g} s")
        time.sleep(_POLL_SECONDS)


# ---- an ill database ----


def _ill(pragmas: tuple[str, ...], scene: FaultScene) -> Seen:
    """Ask and hand in while it is ill; both are told, and nothing is stored by halves."""
    with scene.rig.opened(gateway_at(_NOWHERE), pragmas=pragmas) as stage:
        told = _told_twice(scene, stage)
        kept = scene.facts() == scene.before and _STORED not in told
    return Seen(told=told, kept=kept)


def _locked(scene: FaultScene) -> Seen:
    with scene.rig.opened(gateway_at(_NOWHERE), pragmas=_IMPATIENT) as stage, scene.rig.locked():
        told = _told_twice(scene, stage)
        kept = scene.facts() == scene.before and _STORED not in told
    return Seen(told=told, kept=kept)


def _told_twice(scene: FaultScene, stage: FaultStage) -> str:
    asked = _told(lambda: stage.tutor.send(LOCAL_VIEWER, scene.conversation_id, _LONG_QUESTION, stage.worker))
    handed_in = _told(lambda: scene.hand_in(stage, (_LARGE,), "ill"))
    return asked if asked == handed_in else f"{asked}; {handed_in}"


def _told(do: Callable[[], object]) -> str:
    try:
        do()
    except StoreError as error:
        return problem(error)
    return _STORED


def _locked_in_a_reply(scene: FaultScene) -> Seen:
    """The question is stored, then the database is locked until the whole reply could not be stored once."""
    slow = StubAnswer(pieces=(chunk(_DRIP), chunk(_DRIP), chunk("", "stop")), pause_s=0.4)
    with stub_provider(slow) as url, scene.rig.opened(gateway_at(url), pragmas=_IMPATIENT) as stage:
        turn = stage.tutor.send(LOCAL_VIEWER, scene.conversation_id, QUESTION, stage.worker)
        _wait_until(lambda: _is_sent(stage, turn))
        with scene.rig.locked():
            _wait_until(lambda: stage.tutor.unsaved(turn) is not None or _has_ended(stage, turn))
            time.sleep(_LONGER_THAN_PATIENCE_S)
        waits = stage.tutor.unsaved(turn) is not None
        stage.worker.wait(turn.turn_id, END_SECONDS)
    (ended,) = scene.new_turns()
    kept = ended.question == QUESTION and ended.reply == _DRIP * 2
    return Seen(told=f"{'saved later' if waits else 'saved at once'}: turn {ended.state}", kept=kept)


def _has_ended(stage: FaultStage, turn: Turn) -> bool:
    return stage.sessions.turn(LOCAL_VIEWER, turn.turn_id).state is not TurnState.OPEN


def _is_sent(stage: FaultStage, turn: Turn) -> bool:
    try:
        stage.sessions.receipt(LOCAL_VIEWER, turn.turn_id)
    except NotFound:
        return False
    return True


_STORED = "it is stored"
_IMPATIENT = ("busy_timeout=100",)
_LONGER_THAN_PATIENCE_S = 0.5
_LONG_QUESTION = "Why? " * 1600
"""As long as a question may be, so that no free page of a full database holds it."""

RUNNING_CASES = (
    FaultCase(name="two tabs send at once", expected="turn done, turn done", play=_two_tabs),
    FaultCase(name="two clicks on one hand-in", expected="2 clicks, 1 submission, 1 review", play=_double_click),
    FaultCase(
        name="the server is killed in a reply", expected="interrupted: turn interrupted", play=_killed_in_a_reply
    ),
    FaultCase(
        name="the server is killed in a review",
        expected="interrupted: review unavailable, feedback unavailable",
        play=_killed_in_a_review,
    ),
    FaultCase(name="the database is locked", expected="store: the database cannot do this now", play=_locked),
    FaultCase(
        name="the database is locked while a reply arrives",
        expected="saved later: turn done",
        play=_locked_in_a_reply,
    ),
    FaultCase(
        name="the database is read-only",
        expected="store: the database cannot do this now",
        play=partial(_ill, ("query_only=ON",)),
    ),
    FaultCase(
        name="the database is full",
        expected="store: the database cannot do this now",
        play=partial(_ill, ("max_page_count=1",)),
    ),
)
"""In the order of the table."""
