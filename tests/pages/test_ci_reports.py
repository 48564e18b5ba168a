"""Build servers hand in through one door: what it takes, and how it turns away."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER
from engine.domain.states import FeedbackState
from engine.wiring import Space
from pages import _ci_reports, _wiring
from tests.review.builders import case, suite
from tests.review.desk import NO_TODO, TESTS, course_with, work_of

APP = Starlette(routes=[Route("/ci", _ci_reports.take_report, methods=["POST"])])
GOOD = suite(case("test_a"), case("test_b")).encode()
BAD = suite(case("test_a"), case("test_b", "<failure message='no'/>")).encode()


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """The door of a workbench with one learner, and a key of her course."""

    space: Space
    key: FeedbackKey
    token: str
    token_id: str

    def send(
        self,
        body: bytes = GOOD,
        asked: Mapping[str, str] | None = None,
        *,
        token: str | None = None,
        delivery: str = "run-1",
    ) -> httpx2.Response:
        """Knock, and wait until the review that began is over."""
        headers = {"authorization": f"Bearer {token or self.token}", "x-delivery-id": delivery}
        answer = asyncio.run(_post(body, {"learner": "Ada", "task": "shop"} | dict(asked or {}), headers))
        if answer.status_code == 202:
            self.space.worker.wait(answer.json()["attempt"]["id"], timeout_s=20)
        return answer

    def state(self) -> FeedbackState:
        return self.space.tutor.current_feedback(LOCAL_VIEWER, self.key).state

    def files(self) -> dict[str, str | None]:
        """Of the newest submission."""
        newest = self.space.reviews.timeline(LOCAL_VIEWER, self.key)[0].submission
        return {file.path: file.body for file in self.space.work.snapshot(LOCAL_VIEWER, newest.submission_id).files}


async def _post(body: bytes, asked: Mapping[str, str], headers: Mapping[str, str]) -> httpx2.Response:
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(APP), base_url="http://here") as client:
        return await client.post("/ci", content=body, params=dict(asked), headers=dict(headers))


@pytest.fixture
def door(data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Door]:
    monkeypatch.setenv("TUTORLOOP_DATA", str(data_folder))
    monkeypatch.setenv("TUTORLOOP_MODE", "local")
    _wiring.close()
    _wiring.settings.cache_clear()
    space = _wiring.workbench().own
    course = space.courses.keep_course(LOCAL_VIEWER, course_with((TESTS, NO_TODO)))
    ada = space.courses.add_learner(LOCAL_VIEWER, "Ada", course_id=course.course_id)
    token, key = space.tokens.issue(LOCAL_VIEWER, course.course_id, "shop")
    target = FeedbackKey(learner_id=ada.learner_id, project_id=course.projects[0].project_id, task_id="shop")
    yield Door(space=space, key=target, token=key, token_id=token.token_id)
    _wiring.close()
    _wiring.settings.cache_clear()


def code(answer: httpx2.Response) -> tuple[int, str]:
    told = answer.json()["error"]
    assert set(told) == {"code", "message"} and told["message"]
    return answer.status_code, str(told["code"])


def test_a_report_joins_the_newest_work_and_is_reviewed(door: Door) -> None:
    learners_own = work_of({"shop.py": "print(1)\n", "report.xml": BAD.decode()})
    handed_in = door.space.desk.hand_in(LOCAL_VIEWER, door.key, learners_own, token="form", worker=door.space.worker)
    assert handed_in.attempt is not None
    door.space.worker.wait(handed_in.attempt.attempt_id, timeout_s=20)
    assert door.state() is FeedbackState.CURRENT
    answer = door.send()
    assert answer.status_code == 202
    assert answer.json()["submission"]["seq"] == 2 and answer.json()["attempt"]["seq"] == 1
    assert not answer.json()["repeated"]
    assert door.state() is FeedbackState.PASSED
    assert door.files() == {"ci/report.xml": GOOD.decode(), "shop.py": "print(1)\n"}


def test_a_report_alone_is_a_submission_too(door: Door) -> None:
    assert door.send(BAD).status_code == 202
    assert door.state() is FeedbackState.CURRENT


def test_reports_of_several_pipelines_stand_side_by_side_and_a_later_one_takes_the_place_of_its_own(door: Door) -> None:
    door.send(BAD, {"report": "linux"}, delivery="1")
    door.send(GOOD, {"report": "windows"}, delivery="2")
    assert door.state() is FeedbackState.CURRENT
    door.send(GOOD, {"report": "linux"}, delivery="3")
    assert set(door.files()) == {"ci/linux.xml", "ci/windows.xml"}
    assert door.state() is not FeedbackState.PENDING


def test_the_same_delivery_again_is_the_same_attempt(door: Door) -> None:
    first, again = door.send(), door.send()
    assert again.json() == first.json() | {"repeated": True}
    assert len(door.space.reviews.timeline(LOCAL_VIEWER, door.key)) == 1
    assert door.send(delivery="run-2").json()["submission"]["seq"] == 2


def test_only_a_key_in_force_opens_the_door(door: Door) -> None:
    assert code(door.send(token="tl_guess")) == (401, "token")
    assert code(asyncio.run(_post(GOOD, {}, {"authorization": "Basic x"}))) == (401, "token_missing")
    door.space.tokens.revoke(LOCAL_VIEWER, door.token_id)
    assert code(door.send()) == (401, "token")
    assert door.space.reviews.timeline(LOCAL_VIEWER, door.key) == ()


def test_a_key_opens_its_own_course_only(door: Door) -> None:
    other = door.space.courses.keep_course(LOCAL_VIEWER, replace(course_with((TESTS,)), course_id="other"))
    _, key = door.space.tokens.issue(LOCAL_VIEWER, other.course_id, "other")
    assert code(door.send(token=key)) == (422, "unknown_learner")
    assert code(door.send(asked={"learner": door.key.learner_id}, token=key)) == (422, "unknown_learner")


def test_only_the_hash_of_a_key_is_kept(door: Door) -> None:
    with door.space.database.connect() as connection:
        rows = connection.exec_driver_sql("SELECT * FROM ci_token").all()
    assert door.token not in str(rows) and door.token[-4:] in str(rows)


@pytest.mark.parametrize(
    ("body", "asked", "delivery", "refusal"),
    [
        pytest.param(GOOD, {"learner": "Bob"}, "1", "unknown_learner", id="a learner of no course"),
        pytest.param(GOOD, {"task": "unheard-of"}, "1", "unknown_task", id="no such task"),
        pytest.param(GOOD, {"project": "Two"}, "1", "unknown_task", id="no such project"),
        pytest.param(GOOD, {}, "", "bad_delivery_id", id="no delivery id"),
        pytest.param(GOOD, {}, "x" * 129, "bad_delivery_id", id="a delivery id without end"),
        pytest.param(GOOD, {"report": "../x"}, "1", "bad_name", id="a name that leads out"),
        pytest.param(GOOD, {"report": "a\\..\\..\\b"}, "1", "bad_name", id="a name that leads out with other slashes"),
        pytest.param(b"", {}, "1", "not_a_report", id="no body"),
        pytest.param(b"<html/>", {}, "1", "not_a_report", id="another document"),
        pytest.param(b"PK\x03\x04", {}, "1", "not_a_report", id="a zip"),
        pytest.param(b"<testsuites><testsuite>", {}, "1", "report_broken", id="half a report"),
        pytest.param(b"<!DOCTYPE t [<!ENTITY a 'b'>]><testsuites/>", {}, "1", "report_refused", id="entities"),
    ],
)
def test_what_cannot_be_taken_is_told_and_changes_nothing(
    door: Door, body: bytes, asked: Mapping[str, str], delivery: str, refusal: str
) -> None:
    assert code(door.send(body, asked, delivery=delivery)) == (422, refusal)
    assert door.space.reviews.timeline(LOCAL_VIEWER, door.key) == ()


def test_two_learners_of_one_name_are_told_apart_by_id(door: Door) -> None:
    course = door.space.courses.courses(LOCAL_VIEWER)[-1]
    door.space.courses.add_learner(LOCAL_VIEWER, "Ada", course_id=course.course_id)
    assert code(door.send()) == (422, "learner_not_unique")
    assert door.send(asked={"learner": door.key.learner_id}).status_code == 202


@pytest.mark.parametrize("asked", [{"report": "windows"}, {"task": "stall"}], ids=["another report", "another task"])
def test_one_run_of_a_build_server_may_send_several_reports(door: Door, asked: Mapping[str, str]) -> None:
    both = course_with((TESTS, NO_TODO))
    (project,) = both.projects
    second = replace(project.tasks[0], task_id="stall")
    door.space.courses.keep_course(
        LOCAL_VIEWER, replace(both, projects=(replace(project, tasks=(*project.tasks, second)),))
    )
    first = door.send(asked={"report": "linux"})
    other = door.send(asked=asked)
    assert other.status_code == 202 and not other.json()["repeated"]
    assert other.json()["submission"]["id"] != first.json()["submission"]["id"]
    assert door.send(asked=asked).json() == other.json() | {"repeated": True}


def test_reports_that_come_at_one_time_take_no_other_away(door: Door) -> None:
    names = ("linux", "windows", "mac", "bsd")
    with ThreadPoolExecutor(len(names)) as pool:
        answers = list(pool.map(lambda name: door.send(asked={"report": name}, delivery=name), names))
    assert [answer.status_code for answer in answers] == [202] * len(names)
    assert set(door.files()) == {f"ci/{name}.xml" for name in names}


def test_a_report_that_a_learner_put_where_those_of_build_servers_stand_gives_way_too(door: Door) -> None:
    own = work_of({"shop.py": "print(1)\n", "ci/forged.xml": suite(case("test_c")), "ci/notes.txt": "mine"})
    door.space.desk.hand_in(LOCAL_VIEWER, door.key, own, token="form", worker=door.space.worker)
    door.send()
    assert set(door.files()) == {"ci/report.xml", "ci/notes.txt", "shop.py"}


def test_the_key_is_asked_for_before_the_report_is_read(door: Door) -> None:
    async def body() -> AsyncIterator[bytes]:
        raise AssertionError("read")
        yield b""

    async def knock() -> httpx2.Response:
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(APP), base_url="http://here") as client:
            return await client.post("/ci", content=body(), headers={"authorization": "Bearer tl_guess"})

    assert code(asyncio.run(knock())) == (401, "token")


def test_a_fault_of_ours_is_told_as_json_too(door: Door) -> None:
    with door.space.database.begin() as connection:
        connection.exec_driver_sql("UPDATE course SET language = 'none that is known'")
    assert code(door.send()) == (500, "error")


def test_a_report_without_end_is_not_read_to_its_end(door: Door) -> None:
    assert code(door.send(b"<testsuites>" + b" " * _ci_reports.LIMIT_BYTES)) == (413, "too_large")
