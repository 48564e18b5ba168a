"""Reviews right work with a model service that is down for 30 % of calls and answers garbage to 10 %, over real HTTP.

By hand: `python -m tests.stress.provider_faults` plays 200 hand-ins, then a job that reviews again what could not be
judged, resumed until nothing is left. Ends with 1 if a fault of the service became a verdict, a hand-in got lost, or a
criterion was asked about once more after it had been judged.
"""

import json
import logging
import re
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random

from sqlalchemy import text

from db.connection import reading
from engine.domain.course import CheckSpec, Course, Criterion, Project, Task
from engine.domain.job import JobItem
from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER
from engine.domain.running import Lease
from engine.domain.states import CriterionKind, FeedbackState, Language, Source
from engine.jobs.run_store import Run
from engine.jobs.runner import LANES, JobRunner
from engine.llm.gateway import CallLimits, Gateway
from engine.review.review_job import ReviewJob
from engine.scenarios.stub_provider import EVENTS, chunk
from engine.settings import ModelServer, Secret
from engine.wiring import Space, build_space
from engine.work.unpack import Upload, read_hand_in

DOWN, GARBAGE = 0.3, 0.1
"""Shares of the calls."""
BY_MEANING = 3
"""Criteria of each hand-in that the model judges; two more are decided by rules."""
MOST_RUNS = 60
WORDS = ("books", "sea", "rain", "maps", "trains", "apples", "clocks", "bridges", "letters", "gardens", "stones")
GARBAGES: tuple[str, ...] = (
    "red",
    '{"status": "FAIL"}',
    '{"reason": "cut off in the mid',
    "<html><body>502 Bad Gateway: FAIL</body></html>",
    '{"reason": "No.", "quotes": [], "status": "FAILED", "next_step": null} {"status": "FAIL"}',
)
"""Nothing of it has the form of a judgement, however often it says FAIL."""


@dataclass(slots=True, kw_only=True)
class Service:
    """A model that reads rightly whenever it answers, and what came in."""

    random: Random
    url: str = ""
    kinds: Counter[str] = field(default_factory=Counter)
    """Calls by what was answered: right, down or garbage."""
    judged: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Right answers by hand-in and criterion."""
    asked_again: int = 0
    """Calls about a criterion that had been judged."""
    others: int = 0
    """Calls about anything else than a criterion."""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, request: str) -> tuple[int, str | None]:
        """Status and words; None where the connection just ends."""
        work, asked = re.search(r"Work (\d{4})", request), re.search(r"It names reason (\d)", request)
        with self.lock:
            if work is None or asked is None:
                self.others += 1
                return 200, "What have you tried?"
            subject = work[1], asked[1]
            self.asked_again += subject in self.judged
            lot = self.random.random()
            kind = "down" if lot < DOWN else "garbage" if lot < DOWN + GARBAGE else "right"
            self.kinds[kind] += 1
            if kind == "down":
                return self.random.choice([(500, "down"), (503, "down"), (200, None)])
            if kind == "garbage":
                return 200, self.random.choice(GARBAGES)
            self.judged[subject] += 1
        return 200, _judgement(request, asked[1])


def _judgement(request: str, number: str) -> str:
    found = re.search(rf"Reason {number}: [a-z ]+", request)
    quote = {"path": "README.md", "line": 1, "quote": found[0] if found else ""}
    return json.dumps({"reason": "It stands there.", "quotes": [quote], "status": "PASS", "next_step": None})


@contextmanager
def serving(service: Service) -> Iterator[None]:
    """Let it answer over real HTTP until the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked: dict[str, object] = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, words = service.answer(json.dumps(asked["messages"], ensure_ascii=False))
            if words is None:
                self.close_connection = True
                return
            body = chunk(words) + chunk("", "stop") + b"data: [DONE]\n\n" if status == 200 else words.encode()
            self.send_response(status)
            self.send_header("Content-Type", EVENTS if status == 200 else "text/plain")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *_values: object) -> None:  # noqa: A002 - the standard library's name
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        service.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        try:
            yield
        finally:
            server.shutdown()
            thread.join()


def a_course() -> Course:
    """One task: two criteria that rules decide, and some that the model must read for."""
    criteria = (
        _by_check("readme", "file_exists", path="README.md"),
        _by_check("no-todo", "pattern_absent", pattern="TODO", files="**/*.py"),
        *(
            Criterion(
                rubric_id=f"reason-{number}",
                kind=CriterionKind.ACCEPTANCE,
                text=f"It names reason {number}",
                decided_by=Source.MODEL,
            )
            for number in range(BY_MEANING)
        ),
    )
    task = Task(task_id="shop", title="Shop", goal="Say why", criteria=criteria)
    project = Project(project_id="one", title="One", tasks=(task,))
    return Course(course_id="faults", title="Faults", language=Language.EN, projects=(project,))


def _by_check(rubric_id: str, name: str, **params: str) -> Criterion:
    check = CheckSpec(name=name, params=dict(params))
    return Criterion(
        rubric_id=rubric_id,
        kind=CriterionKind.ACCEPTANCE,
        text=f"{rubric_id} is as asked",
        decided_by=Source.CHECK,
        check=check,
    )


def _work(number: int, random: Random) -> list[Upload]:
    """Right work: everything that is asked for stands in it."""
    reasons = [f"Reason {each}: {' '.join(random.sample(WORDS, 5))}" for each in range(BY_MEANING)]
    readme = "\n\n".join([f"# Work {number:04}", *random.sample(reasons, len(reasons))])
    code = "\n".join(f"print({random.randrange(1000)})" for _ in range(random.randrange(1, 9)))
    return [Upload(name="README.md", content=readme.encode()), Upload(name="shop.py", content=code.encode())]


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """What stands after one round."""

    name: str
    states: Mapping[str, int]
    """Submissions by the state that the selector gives."""
    calls: int
    """So far."""
    judged: int
    """Criteria that the model has judged so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A whole run."""

    service: Service
    rounds: tuple[Round, ...]
    hand_ins: int
    stored: int
    """Submissions in the database."""
    verdicts: Mapping[str, int]
    """Outcomes by verdict, of every attempt ever; the ones without a verdict stand under `none`."""
    turns: int
    """That the tutor began by itself."""
    seconds: float

    @property
    def problems(self) -> tuple[str, ...]:
        """Everything that must not be; empty is good."""
        once = dict.fromkeys(self.service.judged, 1)
        wrong = {
            "a fault became a verdict": set(self.verdicts) - {"PASS", "none"} != set(),
            "a hand-in got lost": self.stored != self.hand_ins,
            "a criterion was asked about after it was judged": self.service.asked_again > 0,
            "a criterion was judged twice": dict(self.service.judged) != once,
            "not every criterion was judged": len(self.service.judged) != self.hand_ins * BY_MEANING,
            "not everything passed in the end": self.rounds[-1].states != {FeedbackState.PASSED.value: self.hand_ins},
            "the tutor began after a fault or a pass": self.turns > 0 or self.service.others > 0,
        }
        return tuple(name for name, is_so in wrong.items() if is_so)


def play(folder: Path, hand_ins: int, seed: int = 4) -> Played:
    """Hand in so many works, review them, and review again until nothing is left."""
    began, service = time.monotonic(), Service(random=Random(seed))  # noqa: S311 - no secret
    with serving(service):
        gateway = Gateway(
            server=ModelServer(url=service.url, name="reading-model", key=Secret("none")),
            limits=CallLimits(waits_s=()),
        )
        space = build_space(f"sqlite:///{folder / 'faults.db'}", gateway)
        try:
            keys, submissions = _hand_in(space, hand_ins, Random(seed))  # noqa: S311 - as above
            rounds = [_round("first reviews", space, keys, service)]
            rounds += _review_again(space, keys, submissions, service)
            return Played(
                service=service,
                rounds=tuple(rounds),
                hand_ins=hand_ins,
                stored=_count(space, "SELECT 'all', count(*) FROM submission")["all"],
                verdicts=_count(space, "SELECT coalesce(verdict, 'none'), count(*) FROM outcome GROUP BY 1"),
                turns=_count(space, "SELECT 'all', count(*) FROM turn")["all"],
                seconds=time.monotonic() - began,
            )
        finally:
            space.close()


def _hand_in(space: Space, count: int, random: Random) -> tuple[list[FeedbackKey], list[str]]:
    """As the drawer does it, each by a learner of its own; gives them once their first reviews are over."""
    course = space.courses.keep_course(LOCAL_VIEWER, a_course())
    keys, attempts, submissions = [], [], []
    for number in range(count):
        learner = space.courses.add_learner(LOCAL_VIEWER, f"Learner {number}", course_id=course.course_id)
        key = FeedbackKey(learner_id=learner.learner_id, project_id=course.projects[0].project_id, task_id="shop")
        files = read_hand_in(_work(number, random)).files
        handed = space.desk.hand_in(LOCAL_VIEWER, key, files, token=str(number), worker=space.worker)
        keys.append(key)
        submissions.append(handed.submission.submission_id)
        attempts += [handed.attempt.attempt_id] if handed.attempt else []
    for attempt_id in attempts:
        space.worker.wait(attempt_id, timeout_s=120)
    return keys, submissions


def _review_again(
    space: Space, keys: Sequence[FeedbackKey], submissions: Sequence[str], service: Service
) -> Iterator[Round]:
    """One durable job about what could not be judged, resumed until nothing of it has failed."""
    left = [
        submission
        for key, submission in zip(keys, submissions, strict=True)
        if space.tutor.current_feedback(LOCAL_VIEWER, key).state is FeedbackState.UNAVAILABLE
    ]
    if not left:
        return
    job_id = space.jobs.ask_review(LOCAL_VIEWER, keys[0].project_id, left)
    lease = Lease(holder="faults", seconds=600)
    runner = JobRunner(space.runs, ReviewJob(reviewer=space.reviewer, runs=space.runs, lease=lease, sleep=time.sleep))
    for number in range(1, MOST_RUNS):
        _run(runner, Run(job_id=job_id, number=number))
        yield _round(f"job, run {number}", space, keys, service)
        if not space.jobs.progress(LOCAL_VIEWER, job_id).failed or not space.jobs.resume(LOCAL_VIEWER, job_id):
            return


def _run(runner: JobRunner, run: Run) -> None:
    def lane(number: int) -> None:
        for submission_id in runner.plan(run, number):
            runner.do(JobItem(job_id=run.job_id, run=run.number, submission_id=submission_id))

    with ThreadPoolExecutor(max_workers=LANES) as pool:
        list(pool.map(lane, range(LANES)))
    runner.settle(run)


def _round(name: str, space: Space, keys: Sequence[FeedbackKey], service: Service) -> Round:
    states = Counter(space.tutor.current_feedback(LOCAL_VIEWER, key).state.value for key in keys)
    return Round(name=name, states=dict(states), calls=sum(service.kinds.values()), judged=sum(service.judged.values()))


def _count(space: Space, statement: str) -> dict[str, int]:
    with reading(space.database) as session:
        return {str(name): int(count) for name, count in session.connection().execute(text(statement))}


def report(played: Played, say: Callable[[str], object]) -> None:
    """The figures, a line each."""
    kinds, calls = played.service.kinds, sum(played.service.kinds.values())
    say(f"{played.hand_ins} hand-ins of right work, {BY_MEANING} criteria each for the model, {played.seconds:.0f} s")
    say(f"{calls} calls: {', '.join(f'{count} {kind} ({count / calls:.0%})' for kind, count in kinds.most_common())}")
    for each in played.rounds:
        states = ", ".join(f"{count} {state}" for state, count in sorted(each.states.items()))
        say(f"{each.name:<14} {states:<36} {each.calls:>5} calls, {each.judged:>4} criteria judged")
    say(f"verdicts of all attempts: {dict(played.verdicts)}; submissions stored: {played.stored}")
    say(f"asked about again after it was judged: {played.service.asked_again}")
    say("; ".join(played.problems) or "no fault of the service became a verdict, and nothing was lost or judged twice")


def main() -> int:
    """Play 200 and print the figures; 1 where something is wrong."""
    logging.getLogger("engine").setLevel(logging.ERROR)  # each fault is a line of its own otherwise
    with tempfile.TemporaryDirectory(prefix="tutorloop-") as folder:
        played = play(Path(folder), 200)
    report(played, lambda line: sys.stdout.write(f"{line}\n"))
    return 1 if played.problems else 0


if __name__ == "__main__":
    sys.exit(main())
