"""The files of a submission beside its card, and every way into a hand-in, without a browser."""

import re
import time
from html import unescape
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER
from engine.domain.states import FileKind, FileState
from engine.domain.work import WorkFile, take_snapshot
from engine.review.review_store import ReviewFilter, ReviewRow
from engine.review.viewing import view_file
from engine.work.decoding import read_file, unread_file
from pages import _wiring
from pages._widgets.lines import lines_html
from tests.pages.conftest import OpenPage
from tests.pages.test_tutor_page import words_of
from tests.work.repositories import Repository

HOSTILE = b"<script>alert(1)</script>\n<img src=x onerror=alert(1)>\nTOKEN\xe2\x80\xae = '</div><mark>'\n"
COMMIT = "7c1f0a9e4d"


def login() -> ReviewRow:
    """The newest review of the English demo's first student."""
    rows, _total = _wiring.workbench().demo.reviews.page(LOCAL_VIEWER, ReviewFilter(task_id="login"), limit=50)
    return next(row for row in rows if row.learner_name == "Maya Lindqvist")


def opened(open_page: OpenPage, file: str, submission_id: str = "", attempt: str = "") -> AppTest:
    """The page of reviews with a file beside the card; without an id that of the demo's first student."""
    at = open_page("reviews.py")
    row = login()
    seq = row.attempt.attempt_seq if row.attempt else ""
    at.query_params["review"] = f"{submission_id or row.submission.submission_id}/{attempt if submission_id else seq}"
    at.query_params["file"] = file
    return at.run()


def lines_of(at: AppTest) -> str:
    """The HTML of the lines that are shown; empty where none are."""
    bodies = [str(element.proto.body) for element in at.get("html")]
    return next((body for body in bodies if "tl-lines" in body and "<div" in body), "")


def handed_in(*files: WorkFile) -> str:
    """Work of a student of the demo; gives the submission's id."""
    space = _wiring.workbench().demo
    key = login().submission.key
    key = FeedbackKey(learner_id=key.learner_id, project_id=key.project_id, task_id="search")
    submission, _is_new = space.work.hand_in(LOCAL_VIEWER, key, take_snapshot(files))
    return submission.submission_id


def test_an_address_opens_a_file_beside_the_card_with_the_line_marked(open_page: OpenPage) -> None:
    at = opened(open_page, "shop/auth.py:20")
    assert not at.exception
    marked = re.findall(r"<mark><span class=\"n\">(\d+)</span>", lines_of(at))
    assert marked == ["20"]
    assert "Review of submission 2" in words_of(at)
    assert "Timeline" not in [each.value for each in at.subheader]


def test_the_place_of_a_criterion_is_one_click_away_and_back(open_page: OpenPage) -> None:
    at = opened(open_page, "")
    button = next(each for each in at.button if each.label == "Open the place")
    button.click().run()
    assert at.query_params["file"] == "shop/auth.py:20"
    assert "<mark>" in lines_of(at)
    at.button(key="close_files").click().run()
    assert "file" not in at.query_params
    assert "Timeline" in [each.value for each in at.subheader]


def test_the_card_tells_commit_and_environment(open_page: OpenPage) -> None:
    words = words_of(opened(open_page, ""))
    assert COMMIT in words
    assert "https://git.example/maya/book-shop.git" in words
    assert "the environment as the student describes it, not checked" in words
    assert "python" in words


def test_a_long_log_shows_both_ends_and_no_key(open_page: OpenPage) -> None:
    at = opened(open_page, "ci/build.log")
    shown = lines_of(at)
    assert "… 1,726 lines left out …" in shown
    assert "[redacted]" in shown and "tk9f27ab01cc34de" not in shown
    assert '<span class="n">1886</span>' in shown
    assert "1 password or key is hidden." in words_of(at)


def test_a_report_shows_what_failed_with_its_message_and_place(open_page: OpenPage) -> None:
    at = opened(open_page, "report.xml")
    assert "1 test failed · 0 did not run · 3 passed" in words_of(at)
    assert any("KeyError" in each.value for each in at.code)
    at.button(key="case_failed_0").click().run()
    assert at.query_params["file"] == "shop/auth.py:20"


def test_hostile_text_is_shown_and_does_nothing(open_page: OpenPage) -> None:
    at = open_page("reviews.py")
    submission_id = handed_in(read_file("<b>.py", HOSTILE))
    at.query_params["review"], at.query_params["file"] = f"{submission_id}/", "<b>.py:2"
    shown = lines_of(at.run())
    assert "&lt;script&gt;" in shown and "\\u202e" in shown
    assert "<script" not in shown and "<img" not in shown and "\u202e" not in shown
    assert shown.count("<mark>") == 1


def test_what_cannot_be_read_or_found_is_told_as_a_fact(open_page: OpenPage) -> None:
    told = {
        "logo.png": "is no text",
        "a.txt": "cannot be read",
        "big.csv": "too large to be read (94.4 MB)",
        "empty.py": "The file is empty",
        "z.py:9999": "Line 9999 is not among the lines that can be shown.",
        "elsewhere/gone.py:3": "is no file of this submission",
    }
    at = open_page("reviews.py")
    submission_id = handed_in(
        read_file("logo.png", b"\x89PNG\x00"),
        read_file("a.txt", b"\xff\xff\xff\x81\xff\x81\xff\xff" * 40),
        unread_file("big.csv", 99_000_000),
        read_file("empty.py", b""),
        read_file("z.py", b"z"),
    )
    at.query_params["review"] = f"{submission_id}/"
    for file, words in told.items():
        at.query_params["file"] = file
        at.run()
        assert words in words_of(at), file
        assert bool(lines_of(at)) is file.startswith("z.py")
    assert "Handed in, but not readable as text: a\\.txt, big\\.csv, logo\\.png" in words_of(at)


def test_a_long_file_is_walked_through_in_steps(open_page: OpenPage) -> None:
    at = open_page("reviews.py")
    submission_id = handed_in(read_file("long.py", "\n".join(f"x{n}" for n in range(1, 501)).encode()))
    at.query_params["review"], at.query_params["file"] = f"{submission_id}/", "long.py:100"
    at.run()
    assert "Lines 94 to 293 of 500" in words_of(at)
    at.button(key="evidence_later").click().run()
    assert "Lines 294 to 493 of 500" in words_of(at)
    at.selectbox(key=f"evidence_file_{submission_id}").select("long.py").run()
    assert at.button(key="evidence_earlier").label == "Earlier lines"


def test_another_review_closes_the_files_of_the_one_before(open_page: OpenPage) -> None:
    at = opened(open_page, "")
    next(each for each in at.button if each.label == "Open the place").click().run()
    at.query_params["review"] = f"{handed_in(read_file('a.py', b'a'))}/"
    at.run()
    assert not at.exception
    assert "file" not in at.query_params


def test_the_tutor_page_opens_the_files_in_a_drawer(open_page: OpenPage) -> None:
    at = open_page("tutor.py")
    next(each for each in at.button if each.label.startswith("Files (")).click().run()
    assert not at.exception
    assert at.query_params["file"] == ""
    assert "tl-lines" in lines_of(at)


@given(st.text(max_size=200))
@settings(max_examples=200, deadline=None)
def test_no_text_of_a_file_becomes_markup(text: str) -> None:
    view = view_file(WorkFile(path="a", sha256="", size_bytes=1, kind=FileKind.WORK, state=FileState.TEXT, body=text))
    tags = set(re.findall(r"</?([a-z]+)", lines_html(view, marked=1, name=text)))
    assert tags <= {"div", "span", "mark"}
    shown = re.findall(r'<span class="t">([^<]*)</span>', lines_html(view, marked=None, name="a"))
    assert len(shown) == len(view.lines)
    assert all("<" not in each for each in shown)
    plain = [line.text for line in view.lines if line.text.isprintable() and line.text]
    assert set(plain) <= {unescape(each) for each in shown}


def drawer(open_page: OpenPage) -> AppTest:
    at = open_page("tutor.py")
    return at.button(key="open_hand_in").click().run()


def fetch_in(at: AppTest, address: str, name: str = "") -> AppTest:
    """Fill the form, press, and look until it is no longer under way."""
    at.text_input(key="repository_address").set_value(address)
    at.text_input(key="repository_name").set_value(name)
    next(each for each in at.button if each.label == "Fetch").click().run()
    for _ in range(200):
        if not any(each.key == "repository_stop" for each in at.button):
            return at
        time.sleep(0.02)
        at.run()
    raise AssertionError("the fetch did not end")


def test_a_repository_is_fetched_shown_and_handed_in_with_a_note(open_page: OpenPage, tmp_path: Path) -> None:
    repository = Repository(tmp_path / "shop")
    (repository.folder / "link").symlink_to("/etc/passwd")
    commit = repository.commit({"README.md": b"# Shop\n", "app.py": b"print(1)\n"})
    at = fetch_in(drawer(open_page), str(repository.folder), "main")
    assert not at.exception
    assert commit[:10] in str([each.value for each in at.success])
    assert "1 link or repository inside it is not followed." in words_of(at)
    assert "2 files will be looked at" in words_of(at)
    at.text_area(key="hand_in_note").set_value("os: Debian 12").run()
    at.button(key="hand_in_now").click().run()
    assert not at.exception
    own = _wiring.workbench().own
    row = own.reviews.page(LOCAL_VIEWER, ReviewFilter(), limit=1)[0][0]
    told = own.work.provenance(LOCAL_VIEWER, row.submission.submission_id)
    assert told is not None and (told.commit_id, told.wanted) == (commit, "main")
    files = own.work.files(LOCAL_VIEWER, row.submission.submission_id)
    assert [(file.path, file.kind) for file in files] == [
        ("README.md", FileKind.WORK),
        ("app.py", FileKind.WORK),
        ("environment-note.txt", FileKind.ENVIRONMENT),
    ]


def test_an_address_that_is_not_taken_is_told_and_another_can_be_fetched(open_page: OpenPage, tmp_path: Path) -> None:
    repository = Repository(tmp_path / "shop")
    repository.commit({"app.py": b"print(1)\n"})
    at = drawer(open_page)
    for address, told in (
        ("ext::sh", "Only addresses that begin with https are open here."),
        ("--upload-pack=x", "This is not the address of a repository."),
        (str(repository.folder / "nowhere"), "There is no repository that can be read without signing in."),
    ):
        fetch_in(at, address)
        assert not at.exception
        assert told in words_of(at)
        assert at.text_input(key="repository_address").value == address
    fetch_in(at, str(repository.folder))
    assert at.success
    at.button(key="repository_again").click().run()
    assert at.text_input(key="repository_address").value in ("", str(repository.folder))
    assert not at.success
