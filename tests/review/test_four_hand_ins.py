"""One project handed in four times, with a model over real HTTP: broken, half fixed, the same again, fixed."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from engine.domain.data_message import DataKind, opening, unwrap
from engine.domain.people import LOCAL_VIEWER
from engine.domain.states import AttemptOrigin, FeedbackState, Source
from engine.llm.gateway import CallLimits, Gateway
from engine.review.changes import Change, Changes, find_changes
from engine.settings import ModelServer, Secret
from tests.review.builders import case, suite
from tests.review.counting_provider import Provider, counting_provider, is_judgement
from tests.review.desk import MEANING, NO_TODO, TESTS, Desk, opened_desk

pytestmark = pytest.mark.enable_socket

WHY = replace(MEANING, rubric_id="why", text="The README says why the shop exists", next_step="write two sentences")
START = replace(MEANING, rubric_id="start", text="The README says how to start the shop", next_step="name the command")
HALF = "# Shop\n\nWe sell books because people like to read.\n"
WHOLE = HALF + "\nStart it with the command python shop.py in a terminal.\n"
RED = suite(case("test_sell", "<failure message='no'/>"))
GREEN = suite(case("test_sell"))
HAND_INS = (
    {"README.md": "# Shop\n\nNothing is written here so far.\n", "shop.py": "# TODO\n", "report.xml": RED},
    {"README.md": HALF, "shop.py": "print('sold')\n", "report.xml": RED},
    {"README.md": HALF, "shop.py": "print('sold')\n", "report.xml": RED},
    {"README.md": WHOLE, "shop.py": "print('sold')\n", "report.xml": GREEN},
)
QUOTES = {
    WHY.text: "We sell books because people like to read.",
    START.text: "Start it with the command python shop.py in a terminal.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """The project after its four hand-ins."""

    desk: Desk
    provider: Provider
    calls: tuple[int, ...]
    """Requests about criteria, by hand-in."""
    blocks: tuple[dict[str, object], ...]
    """The feedback block in the tutor's request after each hand-in."""
    states: tuple[FeedbackState, ...]


def answer(request: dict[str, object]) -> str:
    """A model that reads: PASS with the sentence if it stands there, else FAIL with the title."""
    if not is_judgement(request):
        return "What have you tried so far?"
    messages = request["messages"]
    assert isinstance(messages, list)
    told = messages[1]["content"]
    criterion = next(text for text in QUOTES if text in told)
    passed = QUOTES[criterion] in told
    quote = {"path": "README.md", "line": 1, "quote": QUOTES[criterion] if passed else "# Shop"}
    return json.dumps(
        {
            "reason": "It stands there." if passed else "The README has no such sentence.",
            "quotes": [quote],
            "status": "PASS" if passed else "FAIL",
            "next_step": None,
        }
    )


@contextmanager
def played(folder: Path) -> Iterator[Course]:
    with counting_provider(answer) as provider:
        server = ModelServer(url=provider.url, name="reading-model", key=Secret("sk-none"))
        door = Gateway(server=server, limits=CallLimits(waits_s=()))
        with opened_desk(folder, (TESTS, NO_TODO, WHY, START), gateway=door) as desk:
            conversation = desk.space.sessions.open_conversation(LOCAL_VIEWER, desk.key).conversation_id
            calls, blocks, states = [], [], []
            for number, files in enumerate(HAND_INS):
                before = len(provider.judgements)
                desk.hand_in(files, token=str(number))
                calls.append(len(provider.judgements) - before)
                turn = desk.space.tutor.send(LOCAL_VIEWER, conversation, "What next?", desk.space.worker)
                desk.space.worker.wait(turn.turn_id, timeout_s=20)
                blocks.append(block_of(provider.replies[-1]))
                states.append(desk.space.tutor.current_feedback(LOCAL_VIEWER, desk.key).state)
            yield Course(desk=desk, provider=provider, calls=tuple(calls), blocks=tuple(blocks), states=tuple(states))


def block_of(request: dict[str, object]) -> dict[str, object]:
    messages = request["messages"]
    assert isinstance(messages, list)
    (found,) = [m["content"] for m in messages if m["content"].startswith(opening(DataKind.FEEDBACK))]
    read = unwrap(found)
    assert read is not None
    return read[1]


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Course]:
    with played(tmp_path_factory.mktemp("four")) as done:
        yield done


def test_the_same_work_again_costs_no_call(course: Course) -> None:
    assert course.calls == (2, 2, 0, 2)


def test_the_timeline_has_four_submissions_three_judgements_and_one_reuse(course: Course) -> None:
    rows = course.desk.rows()
    attempts = [row.attempt for row in rows if row.attempt is not None]
    assert [row.submission.submission_seq for row in rows] == [4, 3, 2, 1]
    assert [attempt.origin for attempt in attempts] == [
        AttemptOrigin.JUDGED,
        AttemptOrigin.REUSED,
        AttemptOrigin.JUDGED,
        AttemptOrigin.JUDGED,
    ]
    assert attempts[1].from_attempt_id == attempts[2].attempt_id
    assert {attempt.model for attempt in attempts} == {"reading-model"}


def test_each_card_says_what_became_of_each_criterion(course: Course) -> None:
    rows = course.desk.rows()
    assert [find_changes(row, rows) for row in reversed(rows)] == [
        None,
        Changes(
            since=1,
            by_criterion={
                "tests": Change.STILL_OPEN,
                "no-todo": Change.FIXED,
                "why": Change.FIXED,
                "start": Change.STILL_OPEN,
            },
        ),
        Changes(since=2, by_criterion={"tests": Change.STILL_OPEN, "start": Change.STILL_OPEN}),
        Changes(since=3, by_criterion={"tests": Change.FIXED, "start": Change.FIXED}),
    ]


def test_the_tutor_is_given_the_newest_review_after_each_hand_in(course: Course) -> None:
    open_items = []
    for block in course.blocks:
        items = block["items"]
        assert isinstance(items, list)
        open_items.append([item["rubric_id"] for item in items])
    assert [block["submission_seq"] for block in course.blocks] == [1, 2, 3, 4]
    assert open_items == [["no-todo", "start", "tests", "why"], ["start", "tests"], ["start", "tests"], []]
    assert [str(state) for state in course.states] == ["current", "current", "current", "passed"]


def test_a_verdict_of_the_model_stands_on_the_line_that_it_quoted(course: Course) -> None:
    lines = {line.rubric_id: line for line in course.desk.card().lines}
    assert lines["start"].source is Source.MODEL
    assert lines["start"].evidence == f"README.md:5: {QUOTES[START.text].rstrip('.')}"
