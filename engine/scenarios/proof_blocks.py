"""The block run: what a feedback block holds when every criterion of a task is open and every text is long.

Both sample courses are run, task by task, with metadata as long as the product makes them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from engine.courses.rubric import rubric_version
from engine.domain.course import Course, Criterion, Task
from engine.domain.feedback import Block, Feedback, FeedbackItem
from engine.domain.keys import FeedbackKey
from engine.domain.review import Attempt
from engine.domain.states import CriterionKind, CriterionStatus, FeedbackState, Language, Source
from engine.domain.work import Submission
from engine.feedback.budgeter import EVIDENCE_CAP, MODEL_CAP, NEXT_STEP_CAP, REASON_CAP, budget_feedback
from engine.review.version import review_logic
from engine.scenarios.sample_courses import sample_course

_ANY_TIME = datetime(2026, 1, 5, 9, tzinfo=UTC)
_REAL_ID = "019a0000-0000-7000-8000-0000000000"
"""With two more characters as long as an id of ours."""
_CODE_LINE = """tests/test_cli.py:31: assert main(["--room", "B2"]) == 0 and "A-07" in out"""


class Writing(StrEnum):
    """How a review is written."""

    AT_THE_CAPS = "as long as is shown"
    OVER_THE_CAPS = "far longer, so cut"
    QUOTING_CODE = "quoting a line of code"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewTexts:
    """What stands in every open item, and the one next step."""

    reason: str
    evidence: str
    next_step: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskBlock:
    """The block of one task."""

    task: Task
    block: Block

    @property
    def size(self) -> int:
        """Code points of the whole block."""
        return len(self.block.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockRun:
    """The blocks of one course with reviews of one writing, in the course's order."""

    course: Course
    writing: Writing
    blocks: tuple[TaskBlock, ...]

    @property
    def omitted_count(self) -> int:
        """How many items are left out, over all tasks."""
        return sum(each.block.omitted_count for each in self.blocks)

    @property
    def largest(self) -> TaskBlock:
        """The first of the largest."""
        return max(self.blocks, key=lambda each: each.size)

    @property
    def spare(self) -> int:
        """Code points that the largest leaves free."""
        return self.largest.block.limit - self.largest.size

    @property
    def longest_criterion(self) -> Criterion:
        """The first of the longest acceptance criteria."""
        lines = (line for each in self.blocks for line in acceptance(each.task))
        return max(lines, key=lambda line: len(line.text))

    @property
    def as_expected(self) -> bool:
        """Whether every open item of every task stands in its block."""
        return self.omitted_count == 0


def prove_blocks() -> Iterator[BlockRun]:
    """Run both sample courses, with each writing."""
    for language in Language:
        yield from (run_blocks(sample_course(language), writing) for writing in Writing)


def run_blocks(course: Course, writing: Writing) -> BlockRun:
    """Write the block of each task of `course`."""
    tasks = (task for project in course.projects for task in project.tasks)
    texts = review_texts(writing)
    blocks = tuple(TaskBlock(task=task, block=budget_feedback(all_open(task, texts))) for task in tasks)
    return BlockRun(course=course, writing=writing, blocks=blocks)


def review_texts(writing: Writing) -> ReviewTexts:
    """Plain letters to the caps or far over them, or an evidence whose quotes must be escaped."""
    times = 4 if writing is Writing.OVER_THE_CAPS else 1
    evidence = _filled(_CODE_LINE) if writing is Writing.QUOTING_CODE else "证" * EVIDENCE_CAP * times
    return ReviewTexts(reason="因" * REASON_CAP * times, evidence=evidence, next_step="步" * NEXT_STEP_CAP * times)


def all_open(task: Task, texts: ReviewTexts) -> Feedback:
    """Every acceptance criterion of `task` open, by the status and source whose names are longest."""
    versions = review_logic().with_rubric(rubric_version(task))
    submission = _submission(task)
    attempt = Attempt(
        attempt_id=f"{_REAL_ID}05",
        submission_id=submission.submission_id,
        attempt_seq=100,
        versions=versions,
        model="m" * MODEL_CAP,
        started_at=_ANY_TIME,
    )
    return Feedback(
        state=FeedbackState.CURRENT,
        key=submission.key,
        versions=versions,
        submission=submission,
        attempt=attempt,
        verdict=CriterionStatus.NEED_REVIEW,
        next_step=texts.next_step,
        items=tuple(_open_item(line, texts) for line in acceptance(task)),
    )


def acceptance(task: Task) -> Iterable[Criterion]:
    """The criteria that decide, in the course's order."""
    return (line for line in task.criteria if line.kind is CriterionKind.ACCEPTANCE)


def _submission(task: Task) -> Submission:
    return Submission(
        submission_id=f"{_REAL_ID}03",
        key=FeedbackKey(learner_id=f"{_REAL_ID}01", project_id=f"{_REAL_ID}02", task_id=task.task_id),
        submission_seq=1000,
        version_id=f"{_REAL_ID}04",
        version_number=1000,
        snapshot_hash="f" * 64,
        handed_in_at=_ANY_TIME,
    )


def _open_item(line: Criterion, texts: ReviewTexts) -> FeedbackItem:
    return FeedbackItem(
        rubric_id=line.rubric_id,
        status=CriterionStatus.NEED_REVIEW,
        criterion=line.text,
        reason=texts.reason,
        evidence=texts.evidence,
        source=Source.TEACHER,
    )


def _filled(text: str) -> str:
    return (text + " # " + "证" * EVIDENCE_CAP)[:EVIDENCE_CAP]
