"""Two tabs change one text, in different places and in one and the same: everything is in, and a person chooses."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from engine.domain.artifact import ArtifactKind, ArtifactVersion, NewVersion, VersionAuthor, VersionReason
from engine.domain.people import LOCAL_VIEWER, Owned
from engine.domain.states import Language
from engine.llm.offline import offline_gateway
from engine.wiring import Space, build_space
from tests.e2e.conftest import Servers, Watched

pytestmark = pytest.mark.browser
SOON = 20_000
BASE = "The login was examined.\n\nPasswords are stored as hashes.\n\nThe message is missing.\n"
MINE = "The login was tried out.\n\nPasswords are stored as hashes.\n\nThe message is too vague.\n\nMore on Friday.\n"
THEIRS = "The login was examined.\n\nPasswords are kept as hashes.\n\nThe message is not there.\n"


def _begin(space: Space) -> tuple[ArtifactVersion, str]:
    """V1 of a text of the test's own, and where it is found."""
    course = next(one for one in space.courses.courses(LOCAL_VIEWER) if one.language is Language.EN)
    learner = space.courses.learners(LOCAL_VIEWER, course.course_id)[-1]  # whose texts no other test looks at
    project = course.projects[0]
    owned = Owned(learner_id=learner.learner_id, project_id=project.project_id)
    new = NewVersion(title="Joined", body=BASE, author=VersionAuthor.STUDENT, reason=VersionReason.FIRST)
    _artifact, first = space.artifacts.begin(
        LOCAL_VIEWER, owned, new, kind=ArtifactKind.REPORT, file_name="joined-by-two.md"
    )
    task = f"{project.project_id}/{project.tasks[0].task_id}"
    subject = f"course={course.course_id}&student={learner.learner_id}&task={task}"
    return first, f"{subject}&text={first.artifact_id}"


def _edit(page: Page, words: str) -> None:
    area = page.get_by_role("textbox", name="Text", exact=True)
    expect(area).to_be_visible(timeout=SOON)
    area.fill(words)
    page.get_by_role("button", name=re.compile("Save as V[23]")).click()


def test_two_tabs_are_joined_with_a_choice_by_keyboard_where_they_clash(
    servers: Servers, visit: Callable[..., Watched]
) -> None:
    server = servers()
    space = build_space(f"sqlite:///{server.data_dir / 'demo.db'}", offline_gateway(delay_s=0), holder="elsewhere")
    try:
        first, address = _begin(space)
        mine, theirs = visit(server, width=800), visit(server)
        page = mine.open(f"/revisions?{address}&edit=1&draft=mine")
        other = theirs.open(f"/revisions?{address}&edit=1&draft=theirs")
        _edit(other, THEIRS)
        expect(other.get_by_text("Saved as V2.")).to_be_visible(timeout=SOON)
        _edit(page, MINE)
        _choose(page)
        mine.open(page.url.removeprefix(server.url))  # a reload in the middle of it
        _save(page)
        joined = space.artifacts.chain(LOCAL_VIEWER, first.artifact_id)[-1]
    finally:
        space.close()
    assert joined.body == (
        "The login was tried out, twice.\n\nPasswords are kept as hashes.\n\n"
        "The message is too vague.\n\nMore on Friday.\n"
    )
    assert (joined.number, joined.reason, joined.note) == (3, VersionReason.JOINED, "V1 + V2")


def _choose(page: Page) -> None:
    """What merged is in; something is typed, and the clash is settled from the keyboard."""
    page.get_by_text("Together: V3 takes in the changes of both").click()
    told = "2 changes of yours are in. 1 change of theirs is in. 1 place was changed by both"
    expect(page.get_by_text(told)).to_be_visible(timeout=SOON)
    expect(page.get_by_role("button", name="Save as V3")).to_be_disabled()
    area = page.get_by_role("textbox", name="The text of both")
    expect(area).to_have_value(re.compile("tried out.*kept as.*not there.*Friday", re.DOTALL))
    area.fill(area.input_value().replace("tried out", "tried out, twice"))
    page.get_by_role("button", name="Keep mine").focus()
    page.keyboard.press("Enter")
    expect(area).to_have_value(re.compile("tried out, twice.*too vague", re.DOTALL), timeout=SOON)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def _save(page: Page) -> None:
    page.get_by_text("Together: V3 takes in the changes of both").click()
    expect(page.get_by_text("Nothing waits for you.")).to_be_visible(timeout=SOON)
    expect(page.get_by_role("textbox", name="The text of both")).to_have_value(
        re.compile("twice.*too vague", re.DOTALL)
    )
    page.get_by_role("button", name="Save as V3").click()
    expect(page.get_by_text("Saved as V3: both texts together, following V2.")).to_be_visible(timeout=SOON)
    expect(page.get_by_text("two versions joined").first).to_be_visible(timeout=SOON)
