"""What a block holds over every task of the demo course, with everything open; `-s` shows the figures.

By hand: `python -m tests.feedback.test_budget_over_course`.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from engine.courses.course_file import read_course
from engine.courses.rubric import rubric_version
from engine.domain.course import Task
from engine.domain.data_message import unwrap
from engine.domain.feedback import Block, Feedback, FeedbackItem
from engine.domain.keys import FeedbackKey
from engine.domain.review import Attempt
from engine.domain.states import CriterionKind, CriterionStatus, FeedbackState, Language, Source
from engine.domain.work import Submission
from engine.feedback.budgeter import BLOCK_LIMIT, CRITERION_CAP, budget_feedback
from engine.review.checks.registry import check_params
from engine.review.version import review_logic
from engine.scenarios.demo_histories import demo_course_text
from tests.feedback.builders import NOON
from tests.llm.calls import server

OVER = 5000
"""Characters of a reason, an evidence or a next step that is far over its cap."""
CRITERION_OVER = 500
FAMILY = "👨‍👩‍👧‍👦"
LETTERS = {
    "ASCII": "abcdefgh ",
    "Chinese": "评审意见与依据",
    "emoji with joiners": FAMILY,
    "to be escaped": "\"\\<>&'",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """How long the texts of an open item are; the criterion is the course's own where nothing is said."""

    letters: str
    reason: int
    next_step: int
    criterion: int | None = None

    def of(self, length: int) -> str:
        return (self.letters * length)[:length].ljust(length, ".")


AT_THE_CAPS = [Texts(letters=letters, reason=120, next_step=160) for letters in ("abcdefgh ", "评审意见与依据")]
FAR_OVER = {
    name: Texts(letters=letters, reason=OVER, next_step=OVER, criterion=CRITERION_OVER)
    for name, letters in LETTERS.items()
}


def tasks(language: Language) -> Iterator[Task]:
    course = read_course(demo_course_text(language), known_checks=check_params)
    return (task for project in course.projects for task in project.tasks)


def all_open(task: Task, texts: Texts) -> Feedback:
    """Every acceptance criterion failed, by ids and versions as long as real ones."""
    real_id = "019a0000-0000-7000-8000-0000000000"
    key = FeedbackKey(learner_id=f"{real_id}01", project_id=f"{real_id}02", task_id=task.task_id)
    versions = review_logic().with_rubric(rubric_version(task))
    submission = Submission(
        submission_id=f"{real_id}03",
        key=key,
        submission_seq=12,
        version_id=f"{real_id}04",
        version_number=12,
        snapshot_hash="f" * 64,
        handed_in_at=NOON,
    )
    attempt = Attempt(
        attempt_id=f"{real_id}05",
        submission_id=submission.submission_id,
        attempt_seq=10,
        versions=versions,
        model=server().name,
        started_at=NOON,
    )
    items = tuple(
        FeedbackItem(
            rubric_id=line.rubric_id,
            status=CriterionStatus.NEED_REVIEW,
            criterion=line.text if texts.criterion is None else texts.of(texts.criterion),
            reason=texts.of(texts.reason),
            evidence=texts.of(texts.reason),
            source=Source.TEACHER,
        )
        for line in task.criteria
        if line.kind is CriterionKind.ACCEPTANCE
    )
    return Feedback(
        state=FeedbackState.CURRENT,
        key=key,
        versions=versions,
        submission=submission,
        attempt=attempt,
        verdict=CriterionStatus.NEED_REVIEW,
        next_step=texts.of(texts.next_step),
        items=items,
    )


def blocks(language: Language, texts: Texts) -> dict[str, Block]:
    """The block of each task."""
    return {task.task_id: budget_feedback(all_open(task, texts)) for task in tasks(language)}


def payload(block: Block) -> dict[str, object]:
    data = unwrap(block.text)
    assert data is not None
    return data[1]


def figures() -> Iterator[str]:
    """The lines that are printed."""
    for language in Language:
        for texts in AT_THE_CAPS:
            sizes = {name: len(block.text) for name, block in blocks(language, texts).items()}
            largest = max(sizes, key=lambda name: sizes[name])
            room = BLOCK_LIMIT - sizes[largest]
            told = f"largest block {sizes[largest]} ({largest}), {room} spare"
            yield f"{language}, {len(sizes)} tasks, at the caps: {told}"
        for name, texts in FAR_OVER.items():
            made = blocks(language, texts)
            omitting = [block.omitted_count for block in made.values() if block.omitted_count]
            largest_size = max(len(block.text) for block in made.values())
            told = f"{len(omitting)} of {len(made)} tasks omit items ({sum(omitting)} in all), largest {largest_size}"
            yield f"{language}, far over the caps, {name}: {told}"


@pytest.mark.parametrize("texts", AT_THE_CAPS, ids=["ASCII", "Chinese"])
@pytest.mark.parametrize("language", Language)
def test_with_everything_open_and_texts_at_their_caps_no_task_omits_an_item(language: Language, texts: Texts) -> None:
    made = blocks(language, texts)
    assert len(made) >= 8
    for task in tasks(language):
        block = made[task.task_id]
        open_ids = [line.rubric_id for line in task.criteria if line.kind is CriterionKind.ACCEPTANCE]
        assert block.omitted_count == 0 and block.total_items == len(open_ids) and len(block.text) <= BLOCK_LIMIT
        shown = payload(block)["items"]
        assert isinstance(shown, list) and [item["rubric_id"] for item in shown] == sorted(open_ids)
        assert not [path for path in block.truncated_fields if not path.endswith("criterion")]
        long_ones = [line for line in task.criteria if len(line.text) > CRITERION_CAP]
        assert len(block.truncated_fields) <= len(long_ones)


@pytest.mark.parametrize("texts", FAR_OVER.values(), ids=FAR_OVER)
@pytest.mark.parametrize("language", Language)
def test_with_all_texts_far_over_their_caps_every_omission_and_every_cut_is_told(
    language: Language, texts: Texts
) -> None:
    for block in blocks(language, texts).values():
        said = payload(block)
        shown = said["items"]
        assert isinstance(shown, list)
        assert len(block.text) <= BLOCK_LIMIT and shown
        assert said["omitted_count"] == block.total_items - len(shown) == block.omitted_count
        cut = [f"{place}.{name}" for place in range(len(shown)) for name in ("criterion", "reason", "evidence")]
        assert said["truncated_fields"] == ["next_step", *cut]


@pytest.mark.parametrize("language", Language)
def test_three_open_items_of_plain_letters_always_fit_however_long_their_texts_are(language: Language) -> None:
    for name in ("ASCII", "Chinese"):
        for block in blocks(language, FAR_OVER[name]).values():
            assert block.total_items - block.omitted_count >= min(3, block.total_items)


def test_the_figures_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    lines = list(figures())
    with capsys.disabled():
        print("", *lines, sep="\n  ")  # noqa: T201 - the figures are what an operator asks for
    assert len(lines) == len(Language) * (len(AT_THE_CAPS) + len(FAR_OVER))


if __name__ == "__main__":
    print(*figures(), sep="\n")  # noqa: T201
