"""What is being typed is never lost, and never sent before it is meant to be."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import CDPSession, Locator, Page, expect

from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER
from engine.domain.work import take_snapshot
from engine.llm.offline import offline_gateway
from engine.wiring import Space, build_space
from engine.work.unpack import Upload, read_hand_in
from tests.e2e.conftest import Server, Servers, Watched
from tests.e2e.held_model import HeldModel

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
Visit = Callable[..., Watched]
SLOW_MS = 20_000
TYPED = "half of a thought, not sent yet"


@pytest.fixture
def server(servers: Servers, held: HeldModel) -> Server:
    """One for this file, with a model that can be kept waiting."""
    return servers(env={**held.env, "OWN_SERVER_FOR": "typing"})


@pytest.fixture
def elsewhere(server: Server) -> Iterator[Space]:
    """The demo's database opened by another process, which reviews when it is told to."""
    space = build_space(f"sqlite:///{server.data_dir / 'demo.db'}", offline_gateway(delay_s=0), holder="elsewhere")
    yield space
    space.close()


def box(page: Page) -> Locator:
    return page.get_by_test_id("stChatInputTextArea")


def messages(page: Page) -> Locator:
    return page.get_by_test_id("stChatMessage")


def shown_key(space: Space, page: Page) -> FeedbackKey:
    """Which task of which student the page shows, by the names on it."""
    course = next(one for one in space.courses.courses(LOCAL_VIEWER) if one.language == "en")
    student, task = (page.get_by_role("combobox", name=name).input_value() for name in ("Student", "Task"))
    learners = space.courses.learners(LOCAL_VIEWER, course.course_id)
    learner = next(one for one in learners if one.name == student)
    project_id, task_id = next(
        (project.project_id, each.task_id)
        for project in course.projects
        for each in project.tasks
        if f"{project.title} › {each.title}" == task
    )
    return FeedbackKey(learner_id=learner.learner_id, project_id=project_id, task_id=task_id)


def press_enter(keyboard: CDPSession, *, code: int) -> None:
    """Press Enter; an input method that takes the key for itself sends it on with code 229, as browsers do."""
    for kind in ("rawKeyDown", "keyUp"):
        event = {"type": kind, "key": "Enter", "code": "Enter", "windowsVirtualKeyCode": code}
        keyboard.send("Input.dispatchKeyEvent", event)


def test_enter_while_chinese_is_composed_chooses_a_word_and_sends_nothing(server: Server, visit: Visit) -> None:
    page = visit(server, locale="zh-CN").open("/")
    before = messages(page).count()
    box(page).click()
    keyboard = page.context.new_cdp_session(page)
    keyboard.send("Input.imeSetComposition", {"text": "cong na li", "selectionStart": 10, "selectionEnd": 10})
    expect(box(page)).to_have_value("cong na li")
    press_enter(keyboard, code=229)
    page.wait_for_timeout(500)
    expect(box(page)).to_have_value("cong na li")
    expect(messages(page)).to_have_count(before)

    keyboard.send("Input.insertText", {"text": "从哪里开始"})
    expect(box(page)).to_have_value("从哪里开始")
    press_enter(keyboard, code=13)
    expect(messages(page).get_by_text("从哪里开始", exact=True)).to_be_visible()
    expect(box(page)).to_have_value("")
    expect(page.get_by_text("cong na li")).to_have_count(0)


def test_what_is_typed_while_a_review_ends_stays(server: Server, visit: Visit, elsewhere: Space) -> None:
    watched = visit(server)
    page = watched.open("/")
    key = shown_key(elsewhere, page)
    files = read_hand_in([Upload(name="sums.py", content=b"print(1)")]).files
    submission, _is_new = elsewhere.work.hand_in(LOCAL_VIEWER, key, take_snapshot(files))
    attempt = elsewhere.reviewer.begin(LOCAL_VIEWER, submission.submission_id, elsewhere.worker.lease)
    page.reload()
    reviewing = page.get_by_text("Reviewing")
    expect(reviewing.first).to_be_visible(timeout=SLOW_MS)
    watched.idle()
    box(page).fill(TYPED)
    before = messages(page).count()

    elsewhere.reviewer.judge(LOCAL_VIEWER, attempt)
    expect(reviewing).to_have_count(0, timeout=SLOW_MS)
    watched.idle()
    expect(box(page)).to_have_value(TYPED)
    expect(messages(page)).to_have_count(before)


def test_what_is_typed_stays_while_drawers_open_and_close_and_a_reply_ends(
    server: Server, visit: Visit, held: HeldModel
) -> None:
    page = visit(server).open("/")
    box(page).fill("Please explain drawers")
    box(page).press("Enter")
    expect(page.get_by_text("first part of drawers")).to_be_visible(timeout=SLOW_MS)
    box(page).fill(TYPED)

    drawer = page.get_by_role("dialog")
    for name in ("Hand in work", "What the tutor saw"):
        page.get_by_role("button", name=name).last.click()
        expect(drawer.get_by_role("heading", name=name)).to_be_visible()
        page.keyboard.press("Escape")
        expect(drawer).to_have_count(0)
        expect(box(page)).to_have_value(TYPED)

    held.go_on()
    expect(page.get_by_text("second part of drawers")).to_be_visible(timeout=SLOW_MS)
    expect(page.get_by_test_id("stMain").get_by_role("button", name="Stop")).to_have_count(0)
    expect(box(page)).to_have_value(TYPED)
    box(page).press("Enter")
    expect(messages(page).get_by_text(TYPED, exact=True)).to_be_visible()
    held.go_on()
