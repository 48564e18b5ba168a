"""A turn that cannot be lost: whatever happens to the page, the connection or the server while a reply is written."""

import sqlite3
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from tests.e2e.conftest import Server, Servers, Watched
from tests.e2e.held_model import HeldModel

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
Visit = Callable[..., Watched]
SLOW_MS = 20_000


@pytest.fixture
def server(servers: Servers, held: HeldModel) -> Server:
    """One for this file: others shall not find these conversations in theirs."""
    return servers(env={**held.env, "OWN_SERVER_FOR": "turns"})


def begin(watched: Watched, word: str) -> Page:
    """Ask a question that ends in `word`, and wait until the first part of its reply is on the screen."""
    page = watched.open("/")
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill(f"Please explain {word}")
    box.press("Enter")
    expect(first(page, word)).to_be_visible(timeout=SLOW_MS)
    return page


def first(at: Page | Locator, word: str) -> Locator:
    return at.get_by_text(f"first part of {word}")


def whole(page: Page, word: str) -> Locator:
    return page.get_by_text(f"first part of {word}, second part of {word}.")


def newest(page: Page) -> Locator:
    """The newest reply."""
    return page.get_by_test_id("stChatMessage").last


def expect_once(page: Page, server: Server, word: str) -> None:
    """Question and whole reply stand once on the page and once in the database, and the page offers to go on."""
    expect(whole(page, word)).to_be_visible(timeout=SLOW_MS)
    expect(newest(page).get_by_role("button", name="What the tutor saw")).to_be_visible()
    expect(page.get_by_test_id("stMain").get_by_role("button", name="Stop")).to_have_count(0)
    expect(whole(page, word)).to_have_count(1)
    expect(page.get_by_text(f"Please explain {word}")).to_have_count(1)
    assert stored(server, f"Please explain {word}") == 1
    assert stored(server, f"first part of {word}, second part of {word}.") == 1


def stored(server: Server, words: str) -> int:
    """How many messages say exactly this."""
    statement = "SELECT count(*) FROM message JOIN text ON text.id = message.text_id WHERE text.body = ?"
    return int(_in_database(server, statement, words))


def _in_database(server: Server, statement: str, *values: str) -> int:
    connection = sqlite3.connect(server.data_dir / "demo.db", timeout=10)
    try:
        with connection:
            found = connection.execute(statement, values).fetchone()
    finally:
        connection.close()
    return found[0] if found else 0


def test_after_a_reload_in_mid_stream_the_reply_goes_on(server: Server, visit: Visit, held: HeldModel) -> None:
    page = begin(visit(server), "reload")
    page.reload()
    expect(first(page, "reload")).to_be_visible(timeout=SLOW_MS)
    expect(page.get_by_test_id("stMain").get_by_role("button", name="Stop")).to_have_count(1)
    held.go_on()
    expect_once(page, server, "reload")


def test_a_second_tab_follows_the_same_reply(server: Server, visit: Visit, held: HeldModel) -> None:
    watched = visit(server)
    page = begin(watched, "tabs")
    second = Watched(page=page.context.new_page(), server=server).open("/")
    expect(first(second, "tabs")).to_be_visible(timeout=SLOW_MS)
    held.go_on()
    for each in (page, second):
        expect_once(each, server, "tabs")


def test_a_reply_that_ends_while_the_connection_is_cut_is_there_afterwards(
    server: Server, visit: Visit, held: HeldModel
) -> None:
    watched = visit(server)
    sockets: list[WebSocketRoute] = []

    def through(socket: WebSocketRoute) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    watched.page.route_web_socket("**/_stcore/stream", through)
    page = begin(watched, "cable")
    page.context.set_offline(True)
    sockets[-1].close()
    expect(page.locator('[data-testid="stApp"]:not([data-test-connection-state="CONNECTED"])')).to_be_visible()
    held.go_on()
    expect(whole(page, "cable")).to_have_count(0)
    page.context.set_offline(False)
    watched.idle()
    expect_once(page, server, "cable")
    assert len(sockets) > 1
    watched.forgive_lost_connection()


def test_a_stopped_reply_stays_as_it_is_and_can_be_asked_for_again(
    server: Server, visit: Visit, held: HeldModel
) -> None:
    page = begin(visit(server), "halting")
    stop = page.get_by_test_id("stMain").get_by_role("button", name="Stop")
    expect(stop).to_have_count(1)
    stop.click()
    expect(page.get_by_text("Stopped by you")).to_be_visible(timeout=SLOW_MS)
    held.go_on()
    page.reload()
    expect(page.get_by_text("Stopped by you")).to_be_visible(timeout=SLOW_MS)
    expect(first(page, "halting")).to_be_visible()
    expect(whole(page, "halting")).to_have_count(0)

    page.get_by_role("button", name="Answer again").click()
    expect(page.get_by_test_id("stMain").get_by_role("button", name="Stop")).to_be_visible()
    expect(first(newest(page), "halting")).to_be_visible(timeout=SLOW_MS)
    held.go_on()
    expect_once(page, server, "halting")


def test_a_reply_that_a_power_cut_ended_is_shown_as_interrupted_and_can_be_asked_for_again(
    servers: Servers, server: Server, visit: Visit, held: HeldModel
) -> None:
    watched = visit(server)
    page = begin(watched, "lightning")
    servers.kill(server)
    _in_database(server, "UPDATE lease SET until = '2020-01-01 00:00:00.000000'")  # nobody waits here till it runs out
    servers.start_again(server)
    expect(page.get_by_text("Interrupted").first).to_be_visible(timeout=60_000)
    expect(first(page, "lightning")).to_be_visible()
    expect(page.get_by_text("A restart cut this reply. What had arrived is kept above.")).to_be_visible()
    watched.forgive_lost_connection()

    page.get_by_role("button", name="Answer again").last.click()
    expect(page.get_by_test_id("stMain").get_by_role("button", name="Stop")).to_be_visible()
    expect(first(newest(page), "lightning")).to_be_visible(timeout=SLOW_MS)
    held.go_on()
    expect_once(page, server, "lightning")
