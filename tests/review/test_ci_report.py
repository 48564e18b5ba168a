import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.states import TestState
from engine.review.ci_report import (
    MAX_NOTES,
    MESSAGE_CHARACTERS,
    NOTE_CHARACTERS,
    CiReport,
    ReportProblem,
    TestCase,
    merge_cases,
    read_report,
)
from tests.review.builders import case, suite

PASSED, FAILED, NOT_RUN = TestState.PASSED, TestState.FAILED, TestState.NOT_RUN

PROJECT = """
import unittest
import pytest

def test_passes(): pass
def test_fails(): assert 1 == 2, "one & <two>"
def test_raises(): raise ValueError("boom")

@pytest.fixture
def broken(): raise RuntimeError("no database")
def test_set_up(broken): pass

@pytest.fixture
def late():
    yield
    raise RuntimeError("too late")
def test_tear_down(late): pass
def test_fails_and_tears_down(late): assert False

@pytest.mark.skip(reason="later")
def test_skipped(): pass

class TestClass(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise ValueError("no class")
    def test_in_class(self): pass
"""


def read(text: str) -> CiReport:
    return read_report("report.xml", text)


def states(text: str) -> dict[str, TestState]:
    return {case.name: case.state for case in read(text).cases}


@pytest.mark.parametrize("family", ["xunit1", "xunit2"])
def test_a_real_report_of_pytest_is_read_by_the_rule(tmp_path: Path, family: str) -> None:
    (tmp_path / "test_a.py").write_text(PROJECT)
    (tmp_path / "test_b.py").write_text("import a_module_that_is_not_there")
    options = ["-o", f"junit_family={family}", "--continue-on-collection-errors", "--junitxml=r.xml"]
    isolated = ["-p", "no:cacheprovider", "-p", "no:randomly", "-c", "/dev/null", "--rootdir=."]
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *options, *isolated, "test_a.py", "test_b.py"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
        timeout=60,
    )
    report = read((tmp_path / "r.xml").read_text())
    assert {case.name: case.state for case in report.cases} == {
        "test_b": NOT_RUN,
        "test_a.test_passes": PASSED,
        "test_a.test_fails": FAILED,
        "test_a.test_raises": FAILED,
        "test_a.test_set_up": NOT_RUN,
        "test_a.test_tear_down": NOT_RUN,
        "test_a.test_fails_and_tears_down": FAILED,
        "test_a.test_skipped": NOT_RUN,
        "test_a.TestClass.test_in_class": NOT_RUN,
    }
    failing = next(case for case in report.cases if case.short_name == "test_fails")
    assert (failing.where, failing.message) == ("test_a.py:6", "AssertionError: one & <two>\nassert 1 == 2")
    assert report.problem is None


@pytest.mark.parametrize(
    ("inside", "state"),
    [
        pytest.param("", PASSED, id="nothing"),
        pytest.param("<system-out>failure</system-out>", PASSED, id="output only"),
        pytest.param('<failure message="x"/>', FAILED, id="failure"),
        pytest.param('<error message="ValueError"/>', FAILED, id="error inside the test"),
        pytest.param("<error/>", FAILED, id="error without a word"),
        pytest.param('<error message="collection failure"/>', NOT_RUN, id="collection"),
        pytest.param('<error message="internal error"/>', NOT_RUN, id="harness"),
        pytest.param("<error message='failed on setup with \"x\"'/>", NOT_RUN, id="set-up"),
        pytest.param("<error message='failed on teardown with \"x\"'/>", NOT_RUN, id="tear-down"),
        pytest.param('<error message="test setup failure"/>', NOT_RUN, id="set-up, as old versions say it"),
        pytest.param('<error message="it failed on setup with x"/>', FAILED, id="the words later in a message"),
        pytest.param('<failure message="failed on setup with x"/>', FAILED, id="a failure is one whatever it says"),
        pytest.param("<skipped/>", NOT_RUN, id="skipped"),
        pytest.param("<skipped/><failure/>", FAILED, id="failed and skipped"),
        pytest.param('<error message="collection failure"/><error message="x"/>', FAILED, id="two errors"),
        pytest.param("<flakyFailure/>", PASSED, id="passed in the end"),
    ],
)
def test_a_result_element_gives_the_state(inside: str, state: TestState) -> None:
    assert states(suite(case("t", inside))) == {"tests.test_a.t": state}


@pytest.mark.parametrize(
    ("class_name", "name"),
    [
        pytest.param("unittest.loader._FailedTest", "test_a", id="import of a unittest module"),
        pytest.param("unittest.suite._ErrorHolder", "setUpClass (test_a.T)", id="class of unittest"),
        pytest.param("org.example.ATest", "initializationError", id="JUnit 4"),
        pytest.param("org.example.ATest", "", id="no name"),
        pytest.param("org.example.ATest", "org.example.ATest", id="named as its class"),
        pytest.param("Test suite failed to run", "a.test.js", id="Jest"),
    ],
)
def test_an_error_of_another_harness_did_not_run(class_name: str, name: str) -> None:
    report = suite(case(name, '<error message="boom"/>', class_name))
    assert [case.state for case in read(report).cases] == [NOT_RUN]


@pytest.mark.parametrize("attribute", ['status="notrun"', 'status="disabled"', 'result="suppressed"'])
def test_a_case_marked_as_not_run_did_not_run(attribute: str) -> None:
    assert states(f'<testsuite><testcase name="t" {attribute}/></testsuite>') == {"t": NOT_RUN}


def test_nested_suites_prefixes_and_a_single_suite_are_read() -> None:
    nested = f"<testsuite><testsuite>{case('a')}<testsuite>{case('b')}</testsuite></testsuite>{case('c')}</testsuite>"
    assert list(states(f"<testsuites>{nested}</testsuites>")) == ["tests.test_a.a", "tests.test_a.b", "tests.test_a.c"]
    assert list(states(nested)) == list(states(f"<testsuites>{nested}</testsuites>"))
    assert states('<j:testsuite xmlns:j="u"><j:testcase name="t"><j:failure/></j:testcase></j:testsuite>') == {
        "t": FAILED
    }


def test_an_error_of_a_whole_suite_did_not_run() -> None:
    (broken,) = read('<testsuite name="slow"><error message="no server"/></testsuite>').cases
    assert (broken.name, broken.state, broken.message) == ("slow", NOT_RUN, "no server")


@pytest.mark.parametrize(
    "document_type",
    [
        pytest.param('<!DOCTYPE x [<!ENTITY a "boom">]>', id="entity"),
        pytest.param('<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>', id="file"),
        pytest.param('<!DOCTYPE x SYSTEM "http://localhost/x.dtd">', id="outside"),
        pytest.param("<!DOCTYPE x>", id="plain"),
    ],
)
def test_a_document_type_is_refused_and_nothing_is_read(document_type: str) -> None:
    report = read(f'{document_type}<testsuite><testcase name="t"><failure message="&a;"/></testcase></testsuite>')
    assert (report.cases, report.problem, report.line) == ((), ReportProblem.REFUSED, None)


def test_what_stands_before_a_break_is_kept_with_the_line() -> None:
    whole = "<testsuite>\n" + "\n".join([case("a"), case("b", "<failure/>"), case("c")]) + "\n</testsuite>"
    report = read(whole[: whole.index('name="c"')])
    assert [(case.short_name, case.state) for case in report.cases] == [("a", PASSED), ("b", FAILED)]
    assert (report.problem, report.line) == (ReportProblem.BROKEN, 4)


@pytest.mark.parametrize("text", ["", "no xml", "<testsuite>", "<a></b>", "<testsuite>&nothing;</testsuite>"])
def test_what_is_no_xml_is_broken_and_has_no_cases(text: str) -> None:
    report = read(text)
    assert (report.cases, report.problem) == ((), ReportProblem.BROKEN)


def test_an_encoding_that_the_report_names_no_longer_counts() -> None:
    assert states('<?xml version="1.0" encoding="gbk"?><testsuite><testcase name="测试"/></testsuite>') == {
        "测试": PASSED
    }


def test_deep_nesting_is_read_in_good_time() -> None:
    report = read("<testsuite>" + '<testcase name="t">' * 50_000 + "</testcase>" * 50_000 + "</testsuite>")
    assert (len(report.cases), report.problem) == (1, None)


def test_names_and_messages_are_cleaned() -> None:
    (found,) = read(suite(case("t\u202e", '<failure message="a\u200bb"/>'))).cases
    assert (found.name, found.short_name, found.message) == ("tests.test_a.t", "t", "ab")


def test_the_path_of_a_test_stands_in_where_no_place_is_told() -> None:
    (found,) = read('<testsuite><testcase name="t" file="a.py" line="3"><failure/></testcase></testsuite>').cases
    assert (found.where, found.message) == ("a.py", None)


@pytest.mark.parametrize(
    ("order", "state"),
    [
        pytest.param([PASSED, FAILED], FAILED, id="failed over passed"),
        pytest.param([NOT_RUN, PASSED], PASSED, id="passed over not run"),
        pytest.param([NOT_RUN, FAILED], FAILED, id="failed over not run"),
    ],
)
def test_the_stronger_state_of_one_test_wins_whatever_the_order(order: list[TestState], state: TestState) -> None:
    def a_case(state: TestState) -> TestCase:
        return TestCase(name="t", short_name="t", state=state, message=None, where=None)

    for cases in (order, order[::-1]):
        (merged,) = merge_cases(a_case(state) for state in cases)
        assert merged.state is state


@given(st.text(max_size=80))
def test_no_text_makes_reading_fail(text: str) -> None:
    for report in (text, f"<testsuite>{text}</testsuite>", f'<testsuite><testcase name="{text}"/></testsuite>'):
        found = read(report)
        assert all(case.state is not FAILED for case in found.cases) or "<" in text


@pytest.mark.parametrize(
    ("suite_of_it", "states_of_it"),
    [
        pytest.param('<testsuite name="a.test.js" errors="1"/>', {"a.test.js": NOT_RUN}, id="an error, no test"),
        pytest.param('<testsuite name="s" errors="0"/>', {}, id="no error"),
        pytest.param('<testsuite name="s" errors=""/>', {}, id="an empty count"),
        pytest.param(f'<testsuite name="s" errors="1">{case("a")}</testsuite>', {"tests.test_a.a": PASSED}, id="tests"),
    ],
)
def test_a_suite_that_counts_an_error_and_names_no_test_did_not_run(
    suite_of_it: str, states_of_it: dict[str, TestState]
) -> None:
    assert states(f"<testsuites>{suite_of_it}</testsuites>") == states_of_it


@pytest.mark.parametrize(
    ("status", "state"), [("fail", FAILED), ("failed", FAILED), ("run", PASSED), ("Failed", FAILED)]
)
def test_a_status_tells_the_state_where_no_result_does(status: str, state: TestState) -> None:
    assert states(f'<testsuite><testcase name="t" status="{status}"/></testsuite>') == {"t": state}


def test_a_failure_without_a_test_is_none_of_a_test() -> None:
    assert states('<testsuite><testcase name="" classname="Db"><failure/></testcase></testsuite>') == {"Db": NOT_RUN}


@pytest.mark.parametrize(
    ("frames", "state"),
    [
        pytest.param("at a.T.setUp(T.java:1)", NOT_RUN, id="set-up"),
        pytest.param("at a.T.t(T.java:9)\n\tat a.T.setUp(T.java:1)", NOT_RUN, id="called by the set-up"),
        pytest.param("at a.T.setUp(T.java:1)\n\tat a.T.t(T.java:9)", FAILED, id="set-up called by the test"),
        pytest.param("at a.T.setUpAccount(T.java:1)", FAILED, id="a name that only begins so"),
        pytest.param("at b.Base.setUp(Base.java:1)", FAILED, id="of another class: a doubt hides no failure"),
        pytest.param("at a.T$1.before(T.java:1)", NOT_RUN, id="inner class"),
        pytest.param("", FAILED, id="no frame"),
    ],
)
def test_a_trace_of_java_tells_where_an_error_began(frames: str, state: TestState) -> None:
    error = f'<error type="E" message="boom">E: boom\n\t{frames}</error>'
    (found,) = read(suite(case("t", error, "a.T"))).cases
    assert found.state is state


def test_a_test_that_is_called_set_up_is_a_test() -> None:
    error = '<error type="E" message="boom">File "a.py", line 1, in setup\n</error>'
    (found,) = read(suite(case("setup", error))).cases
    assert found.state is FAILED


def test_a_message_keeps_its_beginning_and_end_without_secrets() -> None:
    told = f"begin {'x ' * 5000} password='hunter2' end"
    (found,) = read(suite(case("t", f"<failure>{told}</failure>"))).cases
    assert found.message is not None and len(found.message) <= MESSAGE_CHARACTERS
    assert found.message.startswith("begin x") and found.message.endswith("password='[redacted]' end")


def test_notes_of_the_environment_are_read_and_other_properties_are_not() -> None:
    told = {"java.version": "17", "os.name": "Linux\u202e", "user.name": "bob", "env.SECRET": "x", "go.version": ""}
    properties = "".join(f'<property name="{name}" value="{value}"/>' for name, value in told.items())
    again = '<property name="java.version" value="11"/>'
    report = read(f"<testsuite><properties>{properties}{again}</properties>{case('t')}</testsuite>")
    assert [(note.name, note.value) for note in report.notes] == [("java.version", "17"), ("os.name", "Linux")]
    assert [note.path for note in report.notes] == ["report.xml", "report.xml"]


def test_many_and_long_notes_are_bounded() -> None:
    names = [f"{tool}.{what}" for tool in ("os", "java", "go", "npm", "php", "gcc", "node") for what in NOTE_KINDS]
    properties = "".join(f'<property name="{name}" value="{"v" * 900}"/>' for name in names)
    notes = read(f"<testsuite>{properties}</testsuite>").notes
    assert len(names) > len(notes) == MAX_NOTES
    assert {len(note.value) for note in notes} == {NOTE_CHARACTERS}


NOTE_KINDS = ("name", "version", "vendor", "arch", "release", "type")
