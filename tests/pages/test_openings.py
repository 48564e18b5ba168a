"""On the pages: what changed, what is left to judge, and the tutor that begins by itself."""

from collections.abc import Mapping

import pytest
from streamlit.testing.v1 import AppTest

from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER
from engine.domain.running import Lease
from engine.domain.session import Turn, TurnEnd
from engine.domain.states import OutcomeKind, ReviewFault, TurnState
from engine.review.card import ReviewCard
from engine.wiring import Space
from pages import _wiring
from pages._widgets.markdown import safe_markdown
from tests.pages.conftest import OpenPage
from tests.pages.test_tutor_page import wait_for_reply, words_of

LEASE = Lease(holder="another process", seconds=600)


def demo() -> Space:
    return _wiring.workbench().demo


def labels(at: AppTest) -> str:
    return "\n".join(str(each.label) for each in at.expander)


def shown_key(at: AppTest) -> FeedbackKey:
    """Whose task is on the screen."""
    project_id, _slash, task_id = str(at.selectbox(key="choose_task").value).partition("/")
    learner_id = str(at.selectbox(key="choose_student").value)
    return FeedbackKey(learner_id=learner_id, project_id=project_id, task_id=task_id)


def hand_in_again(key: FeedbackKey) -> str:
    """The newest work of the key, handed in once more; the id of the submission."""
    work = demo().work
    newest = demo().tutor.current_feedback(LOCAL_VIEWER, key).submission
    assert newest is not None
    again, _is_new = work.hand_in(LOCAL_VIEWER, key, work.snapshot(LOCAL_VIEWER, newest.submission_id))
    return again.submission_id


def newest_card(key: FeedbackKey) -> ReviewCard:
    return demo().cards.timeline(LOCAL_VIEWER, key)[0]


SINCE = {
    "en": ("since submission 1: 2 fixed, 2 still open, 0 worse", "Fixed", "Still open"),
    "zh": ("自提交 1 以来：改好 2 项，仍未解决 2 项，变差 0 项", "已改好", "仍未解决"),
}


@pytest.mark.parametrize("lang", SINCE)
def test_the_card_says_what_changed_since_the_submission_judged_before(open_page: OpenPage, lang: str) -> None:
    sentence, fixed, still_open = SINCE[lang]
    at = open_page("tutor.py", lang=lang)
    assert not at.exception
    assert sentence in words_of(at)
    assert labels(at).count(f" {fixed}]") == 2 and labels(at).count(f" {still_open}]") == 2


def test_the_reviews_page_and_its_timeline_say_it_too(open_page: OpenPage) -> None:
    at = open_page("tutor.py", lang="en")
    key = shown_key(at)
    card = newest_card(key)
    attempt = card.row.attempt
    assert attempt is not None
    address = f"{card.row.submission.submission_id}/{attempt.attempt_seq}"
    reviews = open_page("reviews.py", lang="en", review=address)
    assert not reviews.exception
    assert words_of(reviews).count(SINCE["en"][0]) == 2
    assert labels(reviews).count(" Fixed]") == 2


PASSED = {"en": "Passed, 3 items fixed since submission 1.", "zh": "已通过，自提交 1 以来改好 3 项。"}


@pytest.mark.parametrize("lang", PASSED)
def test_a_pass_says_quietly_what_was_fixed(open_page: OpenPage, lang: str) -> None:
    at = open_page("tutor.py", lang=lang)
    set_up = next(each for each in demo_tasks(at) if each.endswith("/setup"))
    at.selectbox(key="choose_task").set_value(set_up).run()
    assert not at.exception
    assert PASSED[lang] in words_of(at) and "since submission" not in words_of(at).replace(PASSED[lang], "")


def demo_tasks(at: AppTest) -> list[str]:
    """Every task of the project on the screen, as the page names it in its address."""
    course = next(
        each
        for each in demo().courses.courses(LOCAL_VIEWER)
        if shown_key(at).project_id in {project.project_id for project in each.projects}
    )
    return [f"{project.project_id}/{task.task_id}" for project in course.projects for task in project.tasks]


def left_unjudged(at: AppTest) -> str:
    """A review of the newest work that broke off after one criterion; its attempt's id."""
    card = newest_card(shown_key(at))
    line = card.lines[0]
    finished = {"id": line.rubric_id, "status": line.status, "reason": line.reason, "evidence": None}
    record = {"criteria": [{**finished, "source": line.source, "next_step": None}]}
    begun = demo().reviewer.begin(LOCAL_VIEWER, card.row.submission.submission_id, LEASE)
    attempt_id = begun.attempt.attempt_id
    demo().reviews.finish(
        LOCAL_VIEWER, attempt_id, OutcomeKind.UNAVAILABLE, record=record, fault=ReviewFault.PROVIDER_DOWN
    )
    return attempt_id


REST = {"en": ("could not be judged", "Judge these"), "zh": ("条没评成", "只补评这")}


@pytest.mark.parametrize("lang", REST)
def test_what_a_broken_review_left_can_be_judged_alone(open_page: OpenPage, lang: str) -> None:
    told, button = REST[lang]
    at = open_page("tutor.py", lang=lang)
    key = shown_key(at)
    before = len(demo().reviews.timeline(LOCAL_VIEWER, key))
    left_unjudged(at)
    at.run()
    total = len(newest_card(key).row.rubric)
    assert told in words_of(at) and str(total - 1) in words_of(at)
    press = next(each for each in at.button if each.label.startswith(button))
    press.click().run()
    rows = demo().reviews.timeline(LOCAL_VIEWER, key)
    assert not at.exception and len(rows) == before + 2
    attempt = rows[0].attempt
    assert attempt is not None
    demo().worker.wait(attempt.attempt_id, timeout_s=20)


def an_opening(at: AppTest, end: TurnEnd | None) -> Turn:
    """The tutor has begun after the newest review, which nobody asked about yet."""
    key = shown_key(at)
    submission_id = hand_in_again(key)
    begun = demo().reviewer.begin(LOCAL_VIEWER, submission_id, LEASE)
    demo().reviewer.judge(LOCAL_VIEWER, begun)
    turn = demo().opener.begin(key, begun.attempt.attempt_id, LEASE)
    assert turn is not None
    if end is None:
        demo().tutor.answer(LOCAL_VIEWER, turn)
    else:
        demo().sessions.end_turn(LOCAL_VIEWER, turn.turn_id, end)
    return demo().sessions.turn(LOCAL_VIEWER, turn.turn_id)


OPENS = {"en": ("The tutor opens", "I am the offline tutor"), "zh": ("导师先开口", "导师")}


@pytest.mark.parametrize("lang", OPENS)
def test_the_tutors_question_stands_without_one_of_the_student(open_page: OpenPage, lang: str) -> None:
    at = open_page("tutor.py", lang=lang)
    turn = an_opening(at, None)
    at.run()
    assert not at.exception
    assert OPENS[lang][0] in words_of(at)
    assert [each.name for each in at.chat_message][-1] == "assistant"
    assert at.chat_message[-1].markdown[0].value == safe_markdown(turn.reply or "")
    next(each for each in at.button if each.key == f"saw_{turn.turn_id}").click().run()
    assert not at.exception


FAILED: Mapping[str, tuple[TurnEnd, str, bool]] = {
    "service": (TurnEnd(state=TurnState.FAILED, fault="provider_down"), "wanted to begin and could not", True),
    "outdated": (TurnEnd(state=TurnState.FAILED, fault="opening_outdated"), "another review counts by now", False),
}


@pytest.mark.parametrize("case", FAILED)
def test_one_that_failed_says_so_and_blames_nobody(open_page: OpenPage, case: str) -> None:
    end, sentence, can_retry = FAILED[case]
    at = open_page("tutor.py", lang="en")
    turn = an_opening(at, end)
    at.run()
    assert not at.exception and sentence in words_of(at)
    assert any(each.key == f"retry_{turn.turn_id}" for each in at.button) is can_retry
    at.chat_input[0].set_value("What should I change first?").run()
    wait_for_reply(at)
    assert "What should I change first?" in words_of(at)


def test_the_tutor_is_on_the_page_after_a_review_that_a_click_began(open_page: OpenPage) -> None:
    at = open_page("tutor.py", lang="en")
    hand_in_again(shown_key(at))
    at.run()
    next(each for each in at.button if each.label == "Review it now").click().run()
    attempt = newest_card(shown_key(at)).row.attempt
    assert attempt is not None
    demo().worker.wait(attempt.attempt_id, timeout_s=20)
    wait_for_reply(at)
    assert not at.exception and "The tutor opens" in words_of(at)
