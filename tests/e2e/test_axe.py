"""What axe finds on our pages, beyond what it finds on Streamlit's own."""

import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from engine.domain.artifact import ArtifactKind, NewVersion, VersionAuthor, VersionReason
from engine.domain.people import LOCAL_VIEWER, Owned
from engine.domain.states import Language
from engine.llm.offline import offline_gateway
from engine.wiring import Space, build_space
from tests.e2e.conftest import Scheme, Servers, Watched

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
Visit = Callable[..., Watched]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
KIND = """target => {
  const node = document.querySelector(target)
  const marked = node?.closest('[data-testid]')
  return `${marked?.dataset.testid ?? 'page'} ${node?.tagName.toLowerCase() ?? target}`
}"""
"""What a target is: the part of Streamlit it stands in, and its element. Class names differ from page to page."""


def found(watched: Watched) -> dict[str, set[str]]:
    """What axe finds in each colour scheme, as "rule: kind of target"."""
    return {scheme: _found(watched, scheme) for scheme in SCHEMES}


def _found(watched: Watched, scheme: Scheme) -> set[str]:
    page = watched.page
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function(
        "want => getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor === want",
        arg={"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 28)"}[scheme],
    )
    watched.idle()
    page.wait_for_function("() => document.getAnimations().every(one => one.playState !== 'running')")
    violations = Axe().run(page).response["violations"]
    return {
        f"{violation['id']}: {page.evaluate(KIND, node['target'][0])}"
        for violation in violations
        for node in violation["nodes"]
    }


@pytest.fixture(scope="module")
def own_faults() -> dict[str, set[str]]:
    """What axe finds on a page with nothing of ours, once asked for; each test here asks first."""
    return {}


@pytest.fixture
def baseline(servers: Servers, visit: Visit, own_faults: dict[str, set[str]]) -> dict[str, set[str]]:
    """Streamlit's own faults under the same settings, found in the same run."""
    if not own_faults:
        watched = visit(servers(script="tests/e2e/probe/probe_app.py"))
        page = watched.open("/?show=bare")
        expect(page.get_by_text("all drawn")).to_be_visible()
        own_faults.update(found(watched))
    return own_faults


def _tutor(page: Page) -> Locator:
    return page.get_by_test_id("stChatMessage").last


def _reviews(page: Page) -> Locator:
    return page.get_by_role("heading", name="Timeline")


def _courses(page: Page) -> Locator:
    return page.get_by_role("button", name="Add a criterion")


def _board(page: Page) -> Locator:
    return page.locator("[data-testid=stVegaLiteChart] .marks")


def _board_table(page: Page) -> Locator:
    return page.get_by_test_id("stDataFrame")


def _queue(page: Page) -> Locator:
    for place in (2, 3):  # how many there are, other tests on this server may change
        expect(page.get_by_text(re.compile(rf"\b{place - 1} of \d"))).to_be_visible()
        page.keyboard.press("j")
        expect(page.get_by_text(re.compile(rf"\b{place} of \d"))).to_be_visible()
    return page.get_by_role("button", name="Save and next")


def _preferences(page: Page) -> Locator:
    page.get_by_text("2 pieces of evidence").first.click()
    return page.get_by_text("Use no emoji.")


def _revisions(page: Page) -> Locator:
    expect(page.get_by_role("button", name="Next", exact=False).last).to_be_visible()
    return page.get_by_role("button", name="V4, S2")


def _conflict(page: Page) -> Locator:
    text = page.get_by_role("textbox", name="Text", exact=True)
    expect(text).to_have_value(re.compile("rests for a minute"))
    text.fill(text.input_value().replace("a minute", "an hour"))
    page.get_by_role("button", name="Save as V").click()
    page.get_by_text("Together: V").click()
    return page.get_by_role("textbox", name="The text of both")


def _settings(page: Page) -> Locator:
    return page.get_by_role("heading", name="Health")


def _hand_in(page: Page) -> Locator:
    page.get_by_role("button", name="Hand in work", exact=True).click()
    return page.get_by_role("dialog").get_by_label("Or paste text")


def _saw(page: Page) -> Locator:
    page.get_by_role("button", name="What the tutor saw").last.click()
    return page.get_by_role("dialog").locator(".st-key-feedback_block")


PLACES = {
    "tutor": ("/", _tutor),
    "reviews": ("/reviews", _reviews),
    "courses": ("/courses", _courses),
    "board": ("/board", _board),
    "board_table": ("/board?view=table", _board_table),
    "queue": ("/review_queue", _queue),
    "revisions": ("/revisions?new=4", _revisions),
    "preferences": ("/preferences", _preferences),
    "settings": ("/settings", _settings),
    "hand_in": ("/", _hand_in),
    "what_the_tutor_saw": ("/", _saw),
    "conflict": ("/revisions?edit=5&draft=axe", _conflict),
}
"""Its address, and what is done to get there, which gives something that is then on the screen."""


@pytest.mark.parametrize("place", PLACES)
def test_axe_finds_nothing_of_ours(servers: Servers, visit: Visit, baseline: dict[str, set[str]], place: str) -> None:
    address, go = PLACES[place]
    watched = visit(servers())
    expect(go(watched.open(address))).to_be_visible()
    now = found(watched)
    assert {scheme: now[scheme] - baseline[scheme] for scheme in SCHEMES} == {scheme: set() for scheme in SCHEMES}


def _clash(space: Space) -> str:
    """Two changes of one line of a program, one saved and one typed; the address of both."""
    course = next(one for one in space.courses.courses(LOCAL_VIEWER) if one.language is Language.EN)
    learner = space.courses.learners(LOCAL_VIEWER, course.course_id)[-1]  # whose texts no other test looks at
    owned = Owned(learner_id=learner.learner_id, project_id=course.projects[0].project_id)

    def version(body: str, reason: VersionReason) -> NewVersion:
        return NewVersion(title="", body=body, author=VersionAuthor.STUDENT, reason=reason)

    about, first = space.artifacts.begin(
        LOCAL_VIEWER,
        owned,
        version("def login(name):\n    return find(name)\n", VersionReason.FIRST),
        kind=ArtifactKind.CODE,
        file_name="clash.py",
    )
    theirs = version("def login(name):\n    return search(name)\n", VersionReason.EDITED)
    space.artifacts.save(LOCAL_VIEWER, about.artifact_id, first.version_id, theirs)
    mine = f"def login(name):\n    return look_up(name)  # {'a long line ' * 30}\n"
    space.version_drafts.keep(LOCAL_VIEWER, about.artifact_id, "mine", first.version_id, title="", body=mine)
    task = f"{owned.project_id}/{course.projects[0].tasks[0].task_id}"
    subject = f"course={course.course_id}&student={learner.learner_id}&task={task}"
    return f"/revisions?{subject}&text={about.artifact_id}&edit=1&draft=mine&conflict=1"


def test_axe_finds_nothing_of_ours_where_two_versions_clash(
    servers: Servers, visit: Visit, baseline: dict[str, set[str]]
) -> None:
    server = servers()
    space = build_space(f"sqlite:///{server.data_dir / 'demo.db'}", offline_gateway(delay_s=0), holder="elsewhere")
    try:
        address = _clash(space)
    finally:
        space.close()
    watched = visit(server)
    page = watched.open(address)
    page.get_by_text("Together: V3 takes in the changes of both").click()
    expect(page.get_by_role("button", name="Keep mine")).to_be_visible()
    now = found(watched)
    assert {scheme: now[scheme] - baseline[scheme] for scheme in SCHEMES} == {scheme: set() for scheme in SCHEMES}


def test_axe_would_have_found_a_picture_without_words_and_a_word_too_pale(servers: Servers, visit: Visit) -> None:
    watched = visit(servers(script="tests/e2e/probe/probe_app.py"))
    page = watched.open("/?show=bare")
    expect(page.get_by_text("all drawn")).to_be_visible()
    page.evaluate(
        "document.querySelector('[data-testid=stMain]')"
        ".insertAdjacentHTML('beforeend', '<img src=\"\"><p style=\"color: #888; background: #999\">pale</p>')"
    )
    for faults in found(watched).values():
        assert {"image-alt: stMain img", "color-contrast: stMain p"} <= faults
