"""How the reports of eight tools read: one row a test, the ids are the table."""

import re
from pathlib import Path

import pytest

from engine.domain.states import CriterionStatus, TestState
from engine.review.ci_report import CiReport, read_report
from engine.review.evidence import Evidence
from tests.review.builders import find

FOLDER = Path(__file__).parent / "junit"
PASSED, FAILED, NOT_RUN = TestState.PASSED, TestState.FAILED, TestState.NOT_RUN

TABLE: dict[str, list[tuple[str, str, TestState]]] = {
    # made by pytest 9.2
    "pytest": [
        ("passed", "test_shop.test_adds", PASSED),
        ("assertion", "test_shop.test_differs", FAILED),
        ("exception in the code", "test_shop.test_code_raises", FAILED),
        ("parametrised", "test_shop.test_reads[1, 2]", PASSED),
        ("parametrised, exception", "test_shop.test_reads[x[0]]", FAILED),
        ("set-up", "test_shop.test_set_up_breaks", NOT_RUN),
        ("tear-down", "test_shop.test_tear_down_breaks", NOT_RUN),
        ("assertion, then tear-down", "test_shop.test_differs_and_tear_down_breaks", FAILED),
        ("skipped", "test_shop.test_skipped", NOT_RUN),
        ("expected to fail", "test_shop.test_expected_to_fail", NOT_RUN),
        ("passes unexpectedly", "test_shop.test_passes_unexpectedly", FAILED),
        ("set-up of a class", "test_shop.TestCart.test_in_broken_class", NOT_RUN),
        ("class in a class", "test_shop.TestNested.TestInner.test_inside", PASSED),
        ("collection", "test_broken", NOT_RUN),
    ],
    "unittest-xml": [
        ("passed", "test_shop.CartTest.test_adds", PASSED),
        ("assertion", "test_shop.CartTest.test_differs", FAILED),
        ("exception in the code", "test_shop.CartTest.test_code_raises", FAILED),
        ("sub-test, exception", "test_shop.CartTest.test_reads (price='x')", FAILED),
        ("skipped", "test_shop.CartTest.test_skipped", NOT_RUN),
        ("set-up", "test_shop.SetUpTest.test_needs_database", NOT_RUN),
        ("tear-down", "test_shop.SetUpTest.test_leaves_a_mess", NOT_RUN),
        ("set-up of a class", "setUpClass (test_shop.ServerTest)", NOT_RUN),
        ("import", "unittest.loader._FailedTest.test_broken", NOT_RUN),
    ],
    "surefire": [
        ("passed", "shop.CartTest.addsItem", PASSED),
        ("assertion", "shop.CartTest.totals", FAILED),
        ("exception in the code", "shop.CartTest.throwsInCode", FAILED),
        ("exception with a cause from a set-up", "shop.CartTest.throwsWithACause", FAILED),
        ("parametrised", "shop.CartTest.parses(String)[1]", PASSED),
        ("parametrised, exception", "shop.CartTest.parses(String)[2]", FAILED),
        ("class in a class", "shop.CartTest$Discounts.half", FAILED),
        ("disabled", "shop.CartTest.disabled", NOT_RUN),
        ("assumption", "shop.CartTest.assumed", NOT_RUN),
        ("set-up", "shop.SetUpTest.reads", NOT_RUN),
        ("constructor", "shop.ConstructorTest.reads", NOT_RUN),
        ("set-up of a class", "shop.ClassSetUpTest", NOT_RUN),
        ("set-up of a class, JUnit 4", "shop.OldClassSetUpTest.shop.OldClassSetUpTest", NOT_RUN),
        ("class without tests", "shop.EmptyTest.initializationError", NOT_RUN),
    ],
    "surefire-rerun": [
        ("failed, then passed", "shop.FlakyTest.passesAtSecondTry", PASSED),
        ("raised, then passed", "shop.FlakyTest.throwsOnceThenPasses", PASSED),
        ("failed every time", "shop.FlakyTest.failsEveryTime", FAILED),
        ("raised every time", "shop.FlakyTest.throwsEveryTime", FAILED),
    ],
    "jest": [
        ("passed", "cart adds an item.cart adds an item", PASSED),
        ("assertion", "cart shows the total.cart shows the total", FAILED),
        ("exception in the code", "cart pays by card.cart pays by card", FAILED),
        ("parametrised", "cart discounts halves the price of 10%.cart discounts halves the price of 10%", PASSED),
        ("time-out", "cart discounts halves the price of [20].cart discounts halves the price of [20]", FAILED),
        ("skipped", "cart is sent abroad.cart is sent abroad", NOT_RUN),
        ("to do", "cart is gift-wrapped.cart is gift-wrapped", NOT_RUN),
        ("file that does not load", "Test suite failed to run.src/broken.test.js", NOT_RUN),
    ],
    "go-junit-report": [
        ("passed", "example.org/shop/cart.TestAdds", PASSED),
        ("assertion", "example.org/shop/cart.TestTotals", FAILED),
        ("panic in the code", "example.org/shop/cart.TestPays", FAILED),
        ("test of a failed sub-test", "example.org/shop/cart.TestReads", FAILED),
        ("sub-test", "example.org/shop/cart.TestReads/1,_2", PASSED),
        ("sub-test, failed", "example.org/shop/cart.TestReads/x[0]", FAILED),
        ("skipped", "example.org/shop/cart.TestAbroad", NOT_RUN),
        ("never ended", "example.org/shop/cart.TestBrokeOff", NOT_RUN),
        ("build", "example.org/shop/broken.[build failed]", NOT_RUN),
        ("process of a package", "example.org/shop/server.Failure", NOT_RUN),
    ],
    # made by CTest 3.25
    "ctest": [
        ("passed", "adds.adds", PASSED),
        ("exit code", "subtracts.subtracts", FAILED),
        ("exception in the code", "throws.throws", FAILED),
        ("signal", "crashes.crashes", FAILED),
        ("time-out", "hangs.hangs", FAILED),
        ("no program", "no_program.no_program", NOT_RUN),
        ("disabled", "off.off", NOT_RUN),
        ("skipped", "skips.skips", NOT_RUN),
        ("test that is a set-up", "prepare.prepare", FAILED),
        ("its set-up failed", "needs_db.needs_db", NOT_RUN),
    ],
    "googletest": [
        ("passed", "Cart.Adds", PASSED),
        ("assertion, twice", "Cart.Totals", FAILED),
        ("exception in the code", "Cart.Throws", FAILED),
        ("exception that speaks of a set-up", "Cart.ThrowsWords", FAILED),
        ("disabled", "Cart.DISABLED_Abroad", NOT_RUN),
        ("skipped", "Cart.Offline", NOT_RUN),
        ("set-up", "Server.Answers", NOT_RUN),
        ("constructor", "Server.Closes", NOT_RUN),
        ("parametrised", "Prices/Reads.Number/0", PASSED),
        ("parametrised, unknown exception", "Prices/Reads.Number/1", FAILED),
        ("set-up of a suite", "Database", NOT_RUN),
    ],
}


def report_of(tool: str) -> CiReport:
    return read_report(f"{tool}.xml", (FOLDER / f"{tool}.xml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("tool", "name", "state"),
    [
        pytest.param(tool, name, state, id=f"{tool}: {what} = {state}")
        for tool, rows in TABLE.items()
        for what, name, state in rows
    ],
)
def test_a_report_of_a_real_tool_reads_as_it_is_meant(tool: str, name: str, state: TestState) -> None:
    report = report_of(tool)
    assert report.problem is None
    assert {case.name: case.state for case in report.cases}[name] is state


@pytest.mark.parametrize("tool", TABLE)
def test_no_test_of_a_report_is_left_out_of_the_table(tool: str) -> None:
    assert sorted(case.name for case in report_of(tool).cases) == sorted(name for _, name, _ in TABLE[tool])


def test_every_report_of_the_folder_is_in_the_table() -> None:
    assert {path.stem for path in FOLDER.glob("*.xml")} == TABLE.keys()


@pytest.mark.parametrize("tool", TABLE)
def test_what_did_not_run_is_never_judged_as_failed(tool: str) -> None:
    report = report_of(tool)
    not_run = tuple(case for case in report.cases if case.state is NOT_RUN)
    cut = CiReport(path=report.path, cases=not_run or report.cases[:1])
    finding = find("ci_tests", Evidence(files=(), reports=(cut,)))
    assert finding.status is (CriterionStatus.NEED_REVIEW if not_run else CriterionStatus.PASS)


@pytest.mark.parametrize("tool", TABLE)
def test_every_failure_says_why_as_far_as_the_tool_does(tool: str) -> None:
    silent = [case.short_name for case in report_of(tool).cases if case.state is FAILED and not case.message]
    assert tool == "ctest" or silent == []


def test_no_report_names_a_machine() -> None:
    for path in FOLDER.glob("*.xml"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"hostname=\"(?!ci\"|\")", text) and "/home/" not in text and "/root/" not in text
