"""The settings page without a browser."""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import NumberInput

from engine.domain.people import LOCAL_VIEWER
from engine.domain.session import Turn
from engine.domain.states import Language, SupportLevel
from engine.llm.probe import ProbeReport, Structured
from engine.settings import DEFAULT_BUDGETS, ModelUse
from engine.settings_store import ModelReport, Origin
from pages import _wiring
from pages._widgets import probe_words
from tests.pages.conftest import OpenPage
from tests.pages.test_tutor_page import wait_for_reply

KEY = "sk-a-long-key-that-ends-7f2a"


@dataclass
class Stub:
    """A model server on this machine that says one sentence and knows no structured answers but JSON."""

    says: str = "The stub speaks."
    refuses: int = 0
    """Status of every answer to a chat request, if not 0."""
    keys: set[str | None] = field(default_factory=set)
    url: str = ""

    def answer(self, path: str, asked: dict[str, object]) -> tuple[int, str, str]:
        """Status, type and body."""
        if path.endswith("/models"):
            return 200, "application/json", json.dumps({"data": [{"id": "stub-1"}, {"id": "stub-2"}]})
        if self.refuses:
            return self.refuses, "application/json", json.dumps({"error": {"message": f"no: {KEY}"}})
        wanted = asked.get("response_format")
        if isinstance(wanted, dict) and wanted["type"] == "json_schema":
            return 400, "application/json", "{}"
        words = '{"ok": true}' if wanted else self.says
        if not asked.get("stream"):
            return 200, "application/json", json.dumps({"choices": [{"message": {"content": words}}]})
        usage = {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}
        chunks: list[dict[str, object]] = [
            {"choices": [{"index": 0, "delta": {"content": words}, "finish_reason": None}]},
            {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
            {"choices": [], "usage": usage},
        ]
        lines = [*(json.dumps(chunk | {"id": "1", "object": "chat.completion.chunk"}) for chunk in chunks), "[DONE]"]
        return 200, "text/event-stream", "".join(f"data: {line}\n\n" for line in lines)


@pytest.fixture
def stub() -> Iterator[Stub]:
    made = Stub()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer({})

        def do_POST(self) -> None:
            self._answer(json.loads(self.rfile.read(int(self.headers["content-length"]))))

        def _answer(self, asked: dict[str, object]) -> None:
            made.keys.add(self.headers["authorization"])
            status, kind, body = made.answer(self.path, asked)
            self.send_response(status)
            self.send_header("content-type", kind)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
            """Say nothing."""

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.url = f"http://127.0.0.1:{listening.server_address[1]}/v1"
    thread = threading.Thread(target=listening.serve_forever, daemon=True)
    thread.start()
    yield made
    listening.shutdown()
    thread.join()
    listening.server_close()


def words_of(at: AppTest) -> str:
    """Everything that a person or a browser gets of the page."""
    shown = [*at.markdown, *at.caption, *at.info, *at.error, *at.success, *at.code, *at.toast]
    fields = [f"{each.value} {each.placeholder} {each.help}" for each in at.text_input]
    return "\n".join([*(str(each.value) for each in shown), *fields, *(each.label for each in at.button)])


def fill_in(at: AppTest, stub_url: str, *, name: str = "stub-1", key: str = KEY) -> AppTest:
    """Type address, model and key, and save."""
    for what, value in zip(at.text_input, (stub_url, name, key), strict=True):
        what.set_value(value)
    return at.button(key="model_save_tutor").click().run()


def test_the_page_has_all_sections_and_one_primary_button(open_page: OpenPage) -> None:
    at = open_page("settings.py", lang="en")
    assert not at.exception
    sections = ["Model", "Budgets", "The tutor begins by itself", "Stuck rule", "Language", "Data", "Demo", "Health"]
    assert [each.value for each in at.subheader] == sections
    assert [each.label for each in at.button if each.proto.type == "primary"] == ["Save"]
    assert "the offline tutor answers" in words_of(at)
    assert "tutorloop.db" in words_of(at)


@pytest.mark.enable_socket
def test_a_model_is_saved_tested_and_asked_without_a_restart(open_page: OpenPage, stub: Stub) -> None:
    at = open_page("settings.py", lang="en")
    fill_in(at, stub.url)
    assert not at.exception
    assert "ends …7f2a" in words_of(at)
    at.button(key="model_test_tutor").click().run()
    assert not at.exception
    (found,) = [str(each.value) for each in at.success]
    assert found.startswith("Streams: yes. Structured answers: JSON only. Counts tokens: yes. ")
    assert found.endswith(" s.")

    at = at.switch_page("tutor.py").run()
    at.chat_input[0].set_value("Who are you?").run()
    wait_for_reply(at)
    assert not at.exception
    assert "The stub speaks." in at.chat_message[-1].markdown[0].value
    assert stub.keys == {f"Bearer {KEY}"}


@pytest.mark.enable_socket
def test_the_key_is_on_no_page_and_in_no_answer(open_page: OpenPage, stub: Stub) -> None:
    at = open_page("settings.py", lang="en")
    fill_in(at, stub.url)
    stub.refuses = 401
    at.button(key="model_test_tutor").click().run()
    assert "127.0.0.1" in words_of(at)
    assert KEY not in words_of(at)
    assert "model_found_tutor" in repr(at.session_state)
    assert KEY not in repr(at.session_state)
    assert KEY not in repr(_wiring.health())
    at = at.switch_page("tutor.py").run()
    at.chat_input[0].set_value("Hello?").run()
    wait_for_reply(at)
    assert KEY not in words_of(at)
    assert "does not accept the key" in words_of(at)


@pytest.mark.enable_socket
@pytest.mark.parametrize(
    ("lang", "refuses", "sentence"),
    [
        ("en", 401, "does not accept the key. The settings are kept. Enter another key, save, and test again."),
        ("zh", 401, "不认这个密钥。设置已保留。换一个密钥，保存后再测试。"),
        ("en", 404, "has no model “nope”. The settings are kept. Take one of the names that it lists"),
        ("zh", 404, "上没有叫“nope”的模型。设置已保留。从它列出的名字里选一个"),
    ],
)
def test_a_test_that_fails_says_what_happened_what_was_kept_and_what_to_do(
    open_page: OpenPage, stub: Stub, lang: str, refuses: int, sentence: str
) -> None:
    stub.refuses = refuses
    at = open_page("settings.py", lang=lang)
    fill_in(at, stub.url, name="nope")
    at.button(key="model_test_tutor").click().run()
    assert not at.exception
    assert sentence in words_of(at)
    assert "stub-1, stub-2" in words_of(at).replace("\\", "")


def test_what_is_no_address_is_refused_in_words_and_stays_in_the_field(open_page: OpenPage) -> None:
    at = open_page("settings.py", lang="en")
    fill_in(at, "api.example.test")
    assert not at.exception
    assert "A model needs an address" in words_of(at)
    assert at.text_input[0].value == "api.example.test"
    assert _wiring.workbench().is_offline


def test_forgetting_a_model_brings_the_offline_tutor_back(open_page: OpenPage) -> None:
    at = open_page("settings.py", lang="en")
    fill_in(at, "http://model.test/v1")
    assert not _wiring.workbench().is_offline
    at.button(key="model_forget_tutor").click().run()
    assert not at.exception
    assert _wiring.workbench().is_offline
    assert [each.value for each in at.text_input] == ["", "", ""]


def test_what_the_environment_sets_is_told_and_cannot_be_typed_over(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TUTORLOOP_MODEL_URL", "https://ann:pass@env.test/v1")
    monkeypatch.setenv("TUTORLOOP_MODEL_NAME", "env-model")
    monkeypatch.setenv("TUTORLOOP_MODEL_KEY", KEY)
    at = open_page("settings.py", lang="en")
    assert not at.exception
    assert "Set by the environment" in words_of(at)
    assert "https://env.test/v1" in words_of(at)
    assert len(at.text_input) == 0
    assert "pass" not in words_of(at).replace("passed", "")
    assert KEY not in words_of(at)


def test_the_demo_goes_and_comes_back(open_page: OpenPage, data_folder: Path) -> None:
    at = open_page("settings.py", lang="en")
    at.toggle[0].set_value(False).run()
    assert not at.exception
    assert not (data_folder / "demo.db").exists()
    assert at.toggle[0].value is False
    at = at.switch_page("tutor.py").run()
    assert not at.exception
    assert "There is no course yet" in words_of(at)
    assert [each.label for each in at.button if each.proto.type == "primary"] == ["Hand in work"]
    at = at.switch_page("settings.py").run()
    at.toggle[0].set_value(True).run(timeout=60)
    assert not at.exception
    assert (at.toggle[0].value, (data_folder / "demo.db").exists()) == (True, True)


def test_the_demo_is_made_anew_after_the_loss_was_named(open_page: OpenPage) -> None:
    at = open_page("settings.py", lang="en")
    before = {each.course_id for each in _wiring.workbench().demo.courses.courses(LOCAL_VIEWER)}
    at.button(key="renew_demo").click().run()
    assert "is lost; it cannot be brought back" in words_of(at)
    at.button(key="renew_demo_now").click().run(timeout=60)
    assert not at.exception
    after = {each.course_id for each in _wiring.workbench().demo.courses.courses(LOCAL_VIEWER)}
    assert len(after) == len(before)
    assert not after & before
    assert "is lost" not in words_of(at)


def test_the_language_is_chosen_there_too(open_page: OpenPage) -> None:
    at = open_page("settings.py", lang="en")
    at.segmented_control(key="settings_language").set_value(Language.ZH).run()
    assert not at.exception
    assert [each.value for each in at.subheader] == [
        "模型",
        "请求大小",
        "导师先开口",
        "卡住规则",
        "语言",
        "数据",
        "演示",
        "运行状况",
    ]


def test_reviews_are_said_to_share_the_tutors_model(open_page: OpenPage) -> None:
    at = open_page("settings.py", lang="en")
    fill_in(at, "http://model.test/v1")
    at.segmented_control(key="model_use").set_value(ModelUse.REVIEW).run()
    assert not at.exception
    assert "the tutor's model is asked" in words_of(at)
    assert [each.value for each in at.text_input] == ["", "", ""]


@pytest.mark.parametrize(
    ("use", "told"),
    [
        pytest.param(ModelUse.TUTOR, "the offline tutor answers by fixed rules", id="tutor"),
        pytest.param(ModelUse.REVIEW, "such criteria wait for a person", id="reviews"),
        pytest.param(ModelUse.EDIT, "the offline editor does what fixed rules can", id="edits"),
        pytest.param(ModelUse.LEARN, "habits are learned by fixed rules", id="writing-style"),
    ],
)
def test_without_a_model_each_use_says_what_happens_instead(open_page: OpenPage, use: ModelUse, told: str) -> None:
    at = open_page("settings.py", lang="en")
    at.segmented_control(key="model_use").set_value(use).run()
    assert not at.exception
    assert told in words_of(at)


MODEL = ModelReport(
    origin=Origin.STORED, address="https://api.example.com/v1", name="m", key_set_at=None, key_ends=None
)


@pytest.mark.parametrize(
    ("report", "sentence"),
    [
        (
            ProbeReport(is_reachable=False, is_host_known=False, fault="provider_down"),
            "Cannot reach {} (no such address)",
        ),
        (ProbeReport(is_reachable=False, fault="provider_down"), "Cannot reach {} (nothing answers there)"),
        (ProbeReport(is_reachable=False, fault="timed_out"), "{} gave no answer in time"),
        (ProbeReport(is_reachable=True, fault="provider_down"), "{} answers, but it fails"),
        (ProbeReport(is_reachable=True, fault="model_unknown", is_model_known=False), "whether the address lacks /v1"),
        (ProbeReport(is_reachable=True, fault="reply_broken"), "What answers at {} is no model service"),
        (ProbeReport(is_reachable=True, fault="reply_broken", streams=False), "{} answers, but not piece by piece"),
        (ProbeReport(is_reachable=True, fault="rate_limited"), "{} is too busy now"),
        (ProbeReport(is_reachable=True, fault="reply_empty"), "the model says nothing"),
        (ProbeReport(is_reachable=True, fault="never heard of"), "{} refuses the request"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_finding_has_its_sentence(report: ProbeReport, sentence: str) -> None:
    told = probe_words.fault(report, MODEL).replace("\\", "")
    assert sentence.format("api.example.com") in told
    assert "The settings are kept." in told


def test_what_a_server_names_is_shown_and_not_obeyed() -> None:
    report = ProbeReport(is_reachable=True, models=("![x](http://evil.test)", "<b>"), fault="model_unknown")
    assert "![" not in probe_words.listed(report)
    assert "2 models" in probe_words.listed(report)


@pytest.mark.parametrize("form", [*Structured, None])
def test_what_works_is_told_in_one_line(form: Structured | None) -> None:
    report = ProbeReport(is_reachable=True, streams=True, structured=form, says_usage=False, seconds=0.84)
    assert probe_words.findings(report).endswith("Counts tokens: no. 0.8 s.")
    assert probe_words.findings(report).startswith("Streams: yes. Structured answers: ")


def size(at: AppTest, name: str) -> NumberInput:
    """The field of one size, whatever was changed before."""
    return next(each for each in at.number_input if (each.key or "").startswith(f"budget_{name}_"))


def test_a_size_is_in_force_from_the_next_request_on_and_goes_back(open_page: OpenPage) -> None:
    at = open_page("settings.py", lang="en")
    size(at, "window").set_value(9000)
    size(at, "limit").set_value(5000)
    at.button(key="budgets_save").click().run()
    assert not at.exception
    at = at.switch_page("tutor.py").run()
    at.chat_input[0].set_value("What should I change first?").run()
    wait_for_reply(at)
    space = _wiring.workbench().demo
    course = next(each for each in space.courses.courses(LOCAL_VIEWER) if each.language == "en")
    learner = space.courses.learners(LOCAL_VIEWER, course.course_id)[0]
    key = space.work.latest_key(LOCAL_VIEWER, learner.learner_id, [each.project_id for each in course.projects])
    assert key is not None
    conversation = space.sessions.conversations(LOCAL_VIEWER, key)[0].conversation_id
    (turn,), _older = space.sessions.entries(LOCAL_VIEWER, conversation, last=1)
    assert isinstance(turn, Turn)
    facts = space.sessions.receipt(LOCAL_VIEWER, turn.turn_id).facts
    assert (facts.window_tokens, facts.history_limit) == (9000, 5000)

    at = at.switch_page("settings.py").run()
    assert size(at, "window").value == 9000
    at.button(key="budgets_reset").click().run()
    assert not at.exception
    assert [each.value for each in at.number_input[:4]] == [16_000, 1_024, 3_000, 4_000]


def test_sizes_that_do_not_go_together_are_refused_in_words(open_page: OpenPage) -> None:
    at = open_page("settings.py", lang="en")
    size(at, "trigger").set_value(6000)
    at.button(key="budgets_save").click().run()
    assert not at.exception
    assert "These sizes do not go together" in words_of(at)
    assert _wiring.workbench().budget_report(LOCAL_VIEWER).in_force == DEFAULT_BUDGETS


def test_a_window_of_the_environment_is_told_and_cannot_be_typed_over(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TUTORLOOP_WINDOW_TOKENS", "8000")
    at = open_page("settings.py", lang="en")
    assert not at.exception
    assert "The window is set by the environment" in words_of(at)
    assert (at.number_input[0].value, at.number_input[0].disabled) == (8000, True)
    assert [each.disabled for each in at.number_input][1:4] == [False, False, False]


def test_health_names_both_databases_and_what_is_under_way(open_page: OpenPage) -> None:
    at = open_page("settings.py", lang="en")
    assert "Your own data" in words_of(at)
    assert words_of(at).count("The database answers.") == 2
    assert words_of(at).count("The worker is alive: 0 replies and reviews under way, 0 wait for their turn.") == 2


def test_a_dead_worker_is_told_with_what_is_kept_and_what_to_do(open_page: OpenPage) -> None:
    at = open_page("settings.py", lang="en")
    _wiring.workbench().own.worker.close()
    at.run()
    assert not at.exception
    assert "Replies and reviews are not being worked on. What is stored is intact. Restart the server" in words_of(at)


def test_words_that_arrive_after_the_form_was_closed_break_nothing(open_page: OpenPage) -> None:
    at = open_page("tutor.py", lang="en")
    at.button(key="open_hand_in").click().run()
    area = at.text_area(key="hand_in_text").set_value("half a").run().text_area(key="hand_in_text")
    del at.session_state["hand_in_text"]
    assert not area.set_value("half a word").run().exception


def test_without_demo_and_course_work_is_handed_in_and_the_draft_is_kept(open_page: OpenPage) -> None:
    _wiring.workbench().remove_demo(LOCAL_VIEWER)
    at = open_page("tutor.py", lang="en")
    at.button(key="open_hand_in").click().run()
    at.text_area(key="hand_in_text").set_value("# My notes\n\nHalf a page.").run()
    assert not at.exception

    again = open_page("tutor.py", lang="en")
    again.button(key="open_hand_in").click().run()
    assert again.text_area(key="hand_in_text").value == "# My notes\n\nHalf a page."
    again.button(key="hand_in_now").click().run()
    assert not again.exception
    own = _wiring.workbench().own
    (course,) = own.courses.courses(LOCAL_VIEWER)
    assert again.query_params["course"] in (course.course_id, [course.course_id])
    later = open_page("tutor.py", lang="en")
    later.button(key="open_hand_in").click().run()
    assert later.text_area(key="hand_in_text").value == ""


def test_how_much_the_tutor_gives_away_is_kept_for_the_course_that_is_chosen(open_page: OpenPage) -> None:
    at = open_page("settings.py", lang="en")
    demo = _wiring.workbench().demo
    first, second = demo.courses.courses(LOCAL_VIEWER)
    chosen = at.selectbox(key="support_course")
    chosen.select_index(chosen.options.index(second.title)).run()
    at.segmented_control(key=f"support_{second.course_id}_moderate").set_value(SupportLevel.OFF).run()
    assert not at.exception and "waits until the student writes" in words_of(at)
    levels = [demo.supports.level(LOCAL_VIEWER, each.projects[0].project_id) for each in (first, second)]
    assert levels == [SupportLevel.MODERATE, SupportLevel.OFF]
