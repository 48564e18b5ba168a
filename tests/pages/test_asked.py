"""What the reviewer and the summariser saw."""

import json
from hashlib import sha256

import pytest
from streamlit.testing.v1 import AppTest

from engine.domain.data_message import DataKind, wrap
from engine.domain.model_call import CallSubject, CallUse, SentCall
from engine.domain.people import LOCAL_VIEWER
from engine.domain.session import Try, Usage
from engine.domain.states import OutcomeKind
from engine.domain.states import ReviewFault as Fault
from engine.review.review_store import ReviewFilter
from pages import _wiring
from tests.pages.conftest import OpenPage
from tests.pages.test_summary_line import summarise, turns_on
from tests.pages.test_tutor_page import words_of

EVIL = "![x](http://evil.test) <b>bold</b> :material/home:"


def body_of(*kinds: tuple[DataKind, dict[str, object]]) -> bytes:
    data = "\n".join(wrap(kind, payload) for kind, payload in kinds)
    messages = [{"role": "system", "content": "our rules"}, {"role": "user", "content": data}]
    return json.dumps({"messages": messages}, ensure_ascii=False).encode()


JUDGED = body_of(
    (DataKind.CRITERION, {"criterion": EVIL}),
    (DataKind.WORK, {"files": [{"path": "a/b.py", "text": "1\tprint(1)\n"}], "left_out": [], "left_out_count": 2}),
)


def keep(subject: CallSubject, body: bytes, answer: str | None = "an answer", result: str = "ok") -> None:
    tries = (Try(number=1, waited_s=0, result=result),)
    sent = SentCall(request=body, answer=answer, tries=tries, usage=Usage())
    assert _wiring.workbench().demo.calls.keep(LOCAL_VIEWER, subject, "some-model", sent)


def failed_attempt(open_page: OpenPage) -> tuple[str, str]:
    """A review with a model that could not run: its place in the address, and the attempt's id."""
    open_page("reviews.py")
    space = _wiring.workbench().demo
    row = space.reviews.page(LOCAL_VIEWER, ReviewFilter(), limit=1)[0][0]
    versions = space.reviewer.versions_in_force(LOCAL_VIEWER, row.submission.key.project_id, row.submission.key.task_id)
    attempt = space.reviews.start_attempt(
        LOCAL_VIEWER, row.submission.submission_id, versions, model="some-model", lease=space.worker.lease
    )
    space.reviews.finish(
        LOCAL_VIEWER, attempt.attempt_id, OutcomeKind.UNAVAILABLE, fault=Fault.PROVIDER_DOWN, record=None
    )
    return f"{row.submission.submission_id}/{attempt.attempt_seq}", attempt.attempt_id


def test_a_review_that_could_not_run_shows_what_was_asked_for_it(open_page: OpenPage) -> None:
    address, attempt_id = failed_attempt(open_page)
    subject = CallSubject(use=CallUse.JUDGEMENT, subject_id=attempt_id, part="meaning")
    keep(subject, JUDGED, answer=None, result="provider_down")
    at = open_page("reviews.py", review=address)
    at.button(key=f"asked_{attempt_id}").click().run()
    assert not at.exception
    said = words_of(at)
    assert "A model was asked to judge this criterion, and no other: " in said and EVIL not in said
    assert "No answer came." in said and "2 files were not sent" in said
    assert "1\tprint(1)" in [code.value for code in at.code]


def test_how_it_was_sent_shows_tries_and_the_hash_of_the_bytes(open_page: OpenPage) -> None:
    _address, attempt_id = failed_attempt(open_page)
    keep(CallSubject(use=CallUse.JUDGEMENT, subject_id=attempt_id, part="meaning"), JUDGED)
    at = open_page("reviews.py", asked=f"judgement/{attempt_id}/meaning")
    at.session_state["asked_view"] = "How it was sent"
    at.run()
    assert not at.exception
    assert sha256(JUDGED).hexdigest() in [code.value for code in at.code]
    assert "**Try 1** · answered" in words_of(at)


def test_the_same_drawer_in_chinese(open_page: OpenPage) -> None:
    _address, attempt_id = failed_attempt(open_page)
    keep(CallSubject(use=CallUse.JUDGEMENT, subject_id=attempt_id, part="meaning"), JUDGED)
    at = open_page("reviews.py", lang="zh", asked=f"judgement/{attempt_id}/meaning")
    assert not at.exception
    assert "请模型只判断这一条标准：" in words_of(at) and "有 2 个文件没有发送" in words_of(at)


def test_of_several_requests_the_newest_is_shown_and_one_part_is_not_mixed_with_another(open_page: OpenPage) -> None:
    _address, attempt_id = failed_attempt(open_page)
    for part, answer in (("one", "first"), ("one", "second"), ("two", "other")):
        keep(CallSubject(use=CallUse.JUDGEMENT, subject_id=attempt_id, part=part), JUDGED, answer)
    at = open_page("reviews.py", asked=f"judgement/{attempt_id}/one")
    assert not at.exception
    assert "second" in [code.value for code in at.code]
    assert at.selectbox(key="asked_call").options == ["Request 2: criterion one", "Request 1: criterion one"]


def test_the_summary_line_leads_to_what_the_summary_was_made_from(open_page: OpenPage) -> None:
    at = open_page("tutor.py")
    turns = turns_on(at)
    summarise(turns[1], 2, "big")
    subject = CallSubject(use=CallUse.SUMMARY, subject_id=turns[1].conversation_id, part=str(turns[1].number))
    keep(subject, body_of((DataKind.SUMMARY, {"turns": ["what was said"]})), "a summary")
    at = open_page("tutor.py")
    at.button(key="asked_summary").click().run()
    assert not at.exception
    assert f"A model was asked to summarise the turns up to {turns[1].number}." in words_of(at)
    assert "a summary" in [code.value for code in at.code]


@pytest.mark.parametrize("asked", ["judgement/nothing/x", "summary/nothing"])
def test_where_nothing_is_kept_it_is_said(open_page: OpenPage, asked: str) -> None:
    at = open_page("tutor.py", asked=asked)
    assert not at.exception
    assert "Nothing is kept of such a request" in words_of(at)


@pytest.mark.parametrize("asked", ["", "judgement", "nonsense/a/b", "judgement//x"])
def test_an_address_that_names_no_call_opens_nothing(open_page: OpenPage, asked: str) -> None:
    at: AppTest = open_page("tutor.py", asked=asked)
    assert not at.exception
    assert "request" not in words_of(at).lower()
