import warnings

import pytest

from engine.domain.course import Scalar
from engine.domain.states import CriterionStatus, FileKind, FileState
from engine.domain.work import WorkFile, take_snapshot
from engine.review.checks.finding import Finding, FindingCode
from engine.review.checks.registry import KNOWN_CHECKS
from engine.review.evidence import Evidence, gather_evidence
from tests.review.builders import case, evidence_of, suite

PASS, FAIL, OPEN = CriterionStatus.PASS, CriterionStatus.FAIL, CriterionStatus.NEED_REVIEW


def find(name: str, evidence: Evidence, **params: Scalar) -> Finding:
    check = KNOWN_CHECKS[name]
    finding = check.function(evidence, params)
    assert finding.code in check.codes
    return finding


def parse(as_: str, body: str) -> Finding:
    return find("parses", evidence_of({"a": body}), **{"files": "*", "as": as_})


class TestFileExists:
    def test_the_first_file_by_path_is_named(self) -> None:
        finding = find("file_exists", evidence_of({"b.md": "", "a.md": ""}), path="*.md")
        assert (finding.status, finding.evidence, finding.values["count"]) == (PASS, "a.md", 2)

    def test_a_missing_file_fails(self) -> None:
        finding = find("file_exists", evidence_of({"a.py": ""}), path="*.md")
        assert (finding.status, finding.code, finding.evidence) == (FAIL, FindingCode.FILE_MISSING, None)

    def test_a_file_that_cannot_be_read_is_there(self) -> None:
        assert find("file_exists", evidence_of({"plan.png": None}), path="*.png").status is PASS


class TestPatternPresent:
    def test_the_first_hit_is_shown_with_its_line(self) -> None:
        evidence = evidence_of({"a.py": "x = 1\n", "b.py": "import os\n  def main():  # go\n"})
        finding = find("pattern_present", evidence, pattern=r"def \w+", files="*.py")
        assert (finding.status, finding.evidence) == (PASS, "b.py:2: def main(): # go")

    def test_a_hit_counts_even_if_another_file_cannot_be_read(self) -> None:
        evidence = evidence_of({"a.py": None, "b.py": "x"})
        assert find("pattern_present", evidence, pattern="x", files="*").status is PASS

    def test_nothing_found_fails_and_counts_the_files(self) -> None:
        finding = find("pattern_present", evidence_of({"a": "", "b": ""}), pattern="x", files="*")
        assert (finding.status, finding.code, finding.values["count"]) == (FAIL, FindingCode.PATTERN_MISSING, 2)

    def test_no_file_fails(self) -> None:
        finding = find("pattern_present", evidence_of({}), pattern="x", files="*.py")
        assert (finding.status, finding.code) == (FAIL, FindingCode.FILE_MISSING)

    def test_it_is_open_while_it_could_stand_in_a_file_that_cannot_be_read(self) -> None:
        finding = find("pattern_present", evidence_of({"a.py": "", "b.py": None}), pattern="x", files="*")
        assert (finding.status, finding.code, finding.evidence) == (OPEN, FindingCode.FILE_UNREADABLE, "b.py")

    def test_the_ends_of_a_pattern_are_the_ends_of_lines(self) -> None:
        assert find("pattern_present", evidence_of({"a": "x\ny\nz"}), pattern="^y$", files="*").evidence == "a:2: y"

    def test_a_long_line_is_shortened_and_cleaned(self) -> None:
        evidence = find("pattern_present", evidence_of({"a": "x\u202e" * 9000}), pattern="x", files="*").evidence
        assert evidence is not None
        assert len(evidence) <= 260 and evidence.endswith("…") and "\u202e" not in evidence


class TestPatternAbsent:
    def test_a_hit_fails_with_its_place(self) -> None:
        finding = find("pattern_absent", evidence_of({"a": "ok", "b": "1\nTODO: x"}), pattern="TODO", files="*")
        assert (finding.status, finding.evidence) == (FAIL, "b:2: TODO: x")

    def test_a_hit_fails_even_if_another_file_cannot_be_read(self) -> None:
        evidence = evidence_of({"a": None, "b": "TODO"})
        assert find("pattern_absent", evidence, pattern="TODO", files="*").status is FAIL

    def test_no_hit_passes(self) -> None:
        assert find("pattern_absent", evidence_of({"a": "ok"}), pattern="TODO", files="*").status is PASS

    def test_a_file_that_cannot_be_read_leaves_it_open(self) -> None:
        finding = find("pattern_absent", evidence_of({"a.py": "ok", "b.py": None}), pattern="TODO", files="*")
        assert (finding.status, finding.code) == (OPEN, FindingCode.FILE_UNREADABLE)

    def test_an_image_among_the_files_leaves_nothing_open(self) -> None:
        evidence = evidence_of({"a.py": "ok", "logo.PNG": None})
        assert find("pattern_absent", evidence, pattern="TODO", files="**/*").status is PASS

    def test_an_image_alone_cannot_be_searched(self) -> None:
        assert find("pattern_absent", evidence_of({"a.png": None}), pattern="x", files="*").status is OPEN

    def test_without_a_file_nothing_is_proved(self) -> None:
        finding = find("pattern_absent", evidence_of({"a.md": ""}), pattern="x", files="*.py")
        assert (finding.status, finding.code) == (OPEN, FindingCode.NOTHING_TO_CHECK)


class TestMinLength:
    @pytest.mark.parametrize(("needed", "status"), [(7, PASS), (8, FAIL)])
    def test_the_files_are_counted_together_and_the_bound_is_enough(self, needed: int, status: CriterionStatus) -> None:
        finding = find("min_length", evidence_of({"a.md": "四个字了", "b.md": "a b"}), files="*.md", characters=needed)
        assert (finding.status, finding.values["characters"]) == (status, 7)

    @pytest.mark.parametrize(
        "padding",
        ["\n" * 50, " \t" * 50, "\u200b" * 50, " \u200b" * 50, "\ufeff" * 9],
        ids=["lines", "blanks", "zero width", "mixed", "marks"],
    )
    def test_what_cannot_be_seen_does_not_count(self, padding: str) -> None:
        finding = find("min_length", evidence_of({"a": f"ab{padding}c"}), files="*", characters=5)
        assert finding.status is FAIL

    def test_one_file_is_named_and_several_are_by_the_glob(self) -> None:
        one, two = evidence_of({"a.md": "x"}), evidence_of({"a.md": "x", "b.md": "x"})
        assert find("min_length", one, files="*.md", characters=9).values["glob"] == "a.md"
        assert find("min_length", two, files="*.md", characters=9).values["glob"] == "*.md"

    def test_a_missing_file_fails(self) -> None:
        assert find("min_length", evidence_of({}), files="*", characters=1).code is FindingCode.FILE_MISSING

    def test_too_short_is_open_while_another_file_cannot_be_read(self) -> None:
        evidence = evidence_of({"a": "ab", "b": None})
        assert find("min_length", evidence, files="*", characters=3).status is OPEN
        assert find("min_length", evidence, files="*", characters=2).status is PASS


class TestParses:
    @pytest.mark.parametrize(
        ("as_", "body"),
        [
            pytest.param("python", "def f():\n    return '\\d'\n", id="python with a doubtful escape"),
            pytest.param("python", "", id="empty python"),
            pytest.param("json", '{"a": [1, 2.5e9]}', id="json"),
            pytest.param("json", "1" * 5000, id="a number too long to convert"),
            pytest.param("yaml", "a: 1\n---\nb: !Own [x]\n", id="yaml, two documents and a tag"),
            pytest.param("yaml", "a: &a [x]\nb: *a\n", id="yaml with an alias"),
        ],
    )
    def test_what_is_well_formed_passes(self, as_: str, body: str) -> None:
        assert parse(as_, body).status is PASS

    @pytest.mark.parametrize(
        ("as_", "body", "start"),
        [
            pytest.param("python", "x = 1\nprint 'a'\n", "a:2: ", id="python"),
            pytest.param("python", "x = '''", "a:1: ", id="python without an end"),
            pytest.param("python", "(" * 300, "a:1: ", id="python, very many brackets"),
            pytest.param("json", '{\n"a": 1,\n}', "a:3: ", id="json"),
            pytest.param("json", "", "a:1: ", id="empty json"),
            pytest.param("yaml", "a: 1\n b: [2\n", "a:2: ", id="yaml"),
            pytest.param("yaml", "a: *nowhere\n", "a:1: ", id="yaml with an alias to nothing"),
            pytest.param("yaml", "a: \x07", "a: ", id="yaml with a control character"),
        ],
    )
    def test_what_is_not_well_formed_fails_with_its_place(self, as_: str, body: str, start: str) -> None:
        finding = parse(as_, body)
        assert (finding.status, finding.code) == (FAIL, FindingCode.NOT_PARSED)
        assert finding.evidence is not None and finding.evidence.startswith(start)
        assert len(finding.evidence) > len(start)

    @pytest.mark.parametrize(
        ("as_", "body"),
        [
            pytest.param("json", "[" * 100_000, id="deep json"),
            pytest.param("yaml", "[" * 5000, id="deep yaml"),
            pytest.param("yaml", "a: 1\n" * 100_001, id="long yaml"),
            pytest.param("python", "-" * 90_000 + "1", id="deep python"),
            pytest.param("python", "x\n" * 1_000_001, id="long python"),
        ],
    )
    def test_what_is_too_much_to_parse_is_open_and_no_failure(self, as_: str, body: str) -> None:
        finding = parse(as_, body)
        assert (finding.status, finding.code) == (OPEN, FindingCode.TOO_BIG_TO_PARSE)

    def test_aliases_that_would_grow_without_bound_are_not_expanded(self) -> None:
        lines = ["a0: &a0 {k: v}"] + [f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}" for n in range(1, 30)]
        assert parse("yaml", "\n".join(lines)).status is PASS

    def test_nothing_of_the_work_is_built(self) -> None:
        assert parse("yaml", "!!python/object/apply:os.abort []").status is PASS

    def test_a_broken_file_fails_even_if_another_cannot_be_read(self) -> None:
        assert find("parses", evidence_of({"a": None, "b": "("}), **{"files": "*", "as": "python"}).status is FAIL

    def test_a_file_that_cannot_be_read_leaves_it_open(self) -> None:
        evidence = evidence_of({"a.py": None, "b.py": "x"})
        assert find("parses", evidence, **{"files": "*", "as": "python"}).code is FindingCode.FILE_UNREADABLE

    def test_without_a_file_nothing_is_proved(self) -> None:
        assert find("parses", evidence_of({}), **{"files": "*", "as": "json"}).code is FindingCode.NOTHING_TO_CHECK

    def test_the_filters_for_warnings_are_as_before(self) -> None:
        before = list(warnings.filters)
        parse("python", "x is 1")
        assert list(warnings.filters) == before


class TestCiTests:
    def test_all_passed_passes(self) -> None:
        evidence = evidence_of({}, reports={"r.xml": suite(case("a"), case("b"))})
        finding = find("ci_tests", evidence)
        assert (finding.status, finding.values, finding.evidence) == (PASS, {"count": 2}, "r.xml")

    def test_failed_tests_are_counted_and_the_first_are_named(self) -> None:
        failing = '<failure message="boom">a.py:7: AssertionError</failure>'
        evidence = evidence_of({}, reports={"r.xml": suite(case("ok"), *(case(f"t{n}", failing) for n in range(5)))})
        finding = find("ci_tests", evidence)
        assert (finding.status, finding.code) == (FAIL, FindingCode.TESTS_FAILED)
        assert finding.values == {"count": 5, "total": 6, "tests": "t0\nt1\nt2\nt3"}
        assert finding.evidence == "a.py:7: boom"

    @pytest.mark.parametrize(
        "inside", ["<skipped/>", '<error message="collection failure"/>'], ids=["skipped", "collection"]
    )
    def test_what_did_not_run_leaves_it_open(self, inside: str) -> None:
        finding = find("ci_tests", evidence_of({}, reports={"r.xml": suite(case("a"), case("b", inside))}))
        assert (finding.status, finding.code, finding.values["tests"]) == (OPEN, FindingCode.TESTS_NOT_RUN, "b")

    def test_a_failure_beside_what_did_not_run_fails(self) -> None:
        evidence = evidence_of({}, reports={"r.xml": suite(case("a", "<failure/>"), case("b", "<skipped/>"))})
        assert find("ci_tests", evidence).status is FAIL

    @pytest.mark.parametrize(
        ("reports", "code"),
        [
            pytest.param({}, FindingCode.NO_REPORT, id="none"),
            pytest.param({"r.xml": "<testsuites/>"}, FindingCode.NO_MATCHING_TEST, id="without tests"),
            pytest.param({"r.xml": suite(case("a"))[:-5]}, FindingCode.REPORT_BROKEN, id="broken"),
            pytest.param({"r.xml": "<!DOCTYPE x>" + suite(case("a"))}, FindingCode.REPORT_REFUSED, id="refused"),
            pytest.param({"r.xml": None}, FindingCode.REPORT_UNREADABLE, id="unreadable"),
            pytest.param({"a.xml": suite(case("a")), "b.xml": "<"}, FindingCode.REPORT_BROKEN, id="one of two broken"),
        ],
    )
    def test_a_missing_or_bad_report_leaves_it_open(self, reports: dict[str, str | None], code: FindingCode) -> None:
        finding = find("ci_tests", evidence_of({}, reports=reports))
        assert (finding.status, finding.code) == (OPEN, code)

    def test_a_failure_before_the_break_of_a_report_fails(self) -> None:
        evidence = evidence_of({}, reports={"r.xml": suite(case("a", "<failure/>"))[:-5]})
        assert find("ci_tests", evidence).status is FAIL

    @pytest.mark.parametrize(
        ("glob", "status"),
        [
            pytest.param("*", FAIL, id="all"),
            pytest.param("test_login*", PASS, id="by name"),
            pytest.param("tests.test_a.*", FAIL, id="by class"),
            pytest.param("test_out|test_x", FAIL, id="alternatives"),
            pytest.param("login", OPEN, id="the whole name must fit"),
        ],
    )
    def test_only_the_tests_that_are_meant_count(self, glob: str, status: CriterionStatus) -> None:
        evidence = evidence_of({}, reports={"r.xml": suite(case("test_login_ok"), case("test_out", "<failure/>"))})
        assert find("ci_tests", evidence, tests=glob).status is status

    def test_one_test_in_two_reports_is_counted_once_and_failed_wins(self) -> None:
        evidence = evidence_of({}, reports={"a.xml": suite(case("t")), "b.xml": suite(case("t", "<failure/>"))})
        assert find("ci_tests", evidence).values["total"] == 1
        assert find("ci_tests", evidence).status is FAIL


@pytest.mark.parametrize(
    ("name", "params"),
    [
        pytest.param("pattern_present", {"pattern": "x", "files": "*"}, id="pattern_present"),
        pytest.param("pattern_absent", {"pattern": "x", "files": "*"}, id="pattern_absent"),
        pytest.param("min_length", {"files": "*", "characters": 9}, id="min_length"),
        pytest.param("parses", {"files": "*", "as": "python"}, id="parses"),
        pytest.param("ci_tests", {}, id="ci_tests"),
    ],
)
@pytest.mark.parametrize("state", [FileState.BINARY, FileState.UNDECODABLE, FileState.TOO_LARGE])
def test_a_file_that_cannot_be_read_is_never_a_failure(name: str, params: dict[str, Scalar], state: FileState) -> None:
    kind = FileKind.REPORT if name == "ci_tests" else FileKind.WORK
    file = WorkFile(path="a.py", sha256="0", size_bytes=1, kind=kind, state=state, body=None)
    assert find(name, gather_evidence(take_snapshot((file,))), **params).status is OPEN
