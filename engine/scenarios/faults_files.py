"""Rows of the fault table: files, zips, test reports and course files that are hostile or broken."""

import io
import stat
import zipfile
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from engine.courses.course_file import read_course
from engine.domain.people import LOCAL_VIEWER
from engine.domain.states import CriterionStatus
from engine.errors import CourseFileError, HandInError
from engine.review.checks.registry import check_params
from engine.scenarios.faults_row import FaultCase
from engine.scenarios.faults_scene import GOOD_REPORT, GOOD_WORK, FaultScene, Seen, problem
from engine.work.unpack import MIB, Upload

_TOKEN = "faulty"  # noqa: S105 - the token of a form
_CHINESE_NAME = "作业.py"
_PLACEHOLDER = "aaaa.py"
"""As many bytes as the Chinese name has in GBK."""
_COURSE = """\
id: course
title: Course
language: en
projects:
  - id: app
    title: App
    tasks:
      - id: task
        title: Task
        goal: Do it
        criteria:
{criteria}
"""
_LINE = "          - {{id: {id}, kind: {kind}, text: It works, decided_by: teacher}}"


# ---- what is handed in ----


def _zip(entries: Iterable[tuple[str | zipfile.ZipInfo, bytes]]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            archive.writestr(name, content, compress_type=zipfile.ZIP_DEFLATED)
    return target.getvalue()


def _zipped(content: bytes) -> tuple[Upload, ...]:
    return (Upload(name="work.zip", content=content),)


def _traversal() -> tuple[Upload, ...]:
    return _zipped(_zip([("../evil.py", b"print(1)")]))


def _bomb() -> tuple[Upload, ...]:
    return _zipped(_zip([("zeros.txt", bytes(40 * MIB))]))


def _symlink() -> tuple[Upload, ...]:
    link = zipfile.ZipInfo("passwords")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    return _zipped(_zip([(link, b"/etc/passwd")]))


def _chinese_names() -> tuple[Upload, ...]:
    """As Windows in China packs: names in GBK, which nothing in the zip says."""
    packed = _zip([(_PLACEHOLDER, GOOD_WORK.content)])
    return _zipped(packed.replace(_PLACEHOLDER.encode(), _CHINESE_NAME.encode("gbk")))


def _empty_zip() -> tuple[Upload, ...]:
    return _zipped(b"")


def _many_files() -> tuple[Upload, ...]:
    return _zipped(_zip((f"src/file{number}.py", b"print(1)") for number in range(10_000)))


def _no_zip() -> tuple[Upload, ...]:
    return _zipped(b"These are only words.")


def _long_text() -> tuple[Upload, ...]:
    return (Upload(name="log.txt", content=b"a line of a log\n" * (50 * MIB // 16)),)


def _binary() -> tuple[Upload, ...]:
    return Upload(name="main.py", content=b"\x7fELF\x02\x01\x01\x00" + bytes(range(256)) * 8), GOOD_REPORT


def _report(body: str) -> tuple[Upload, ...]:
    return GOOD_WORK, Upload(name="report.xml", content=body.encode())


def _suite(*cases: str) -> str:
    return f'<testsuite name="all">{"".join(cases)}</testsuite>'


def _case(name: str, inside: str = "") -> str:
    return f'<testcase classname="app" name="{name}">{inside}</testcase>'


def _in_doctype(declared: str) -> str:
    return f"<!DOCTYPE testsuite [{declared}]>" + _suite(_case("test_main", "<system-out>&x;</system-out>"))


_SKIPPED = _case("test_last", "<skipped/>")


def _broken_report() -> tuple[Upload, ...]:
    return _report(_suite(_case("test_main"))[:-6])


def _too_large_report() -> tuple[Upload, ...]:
    return _report(_suite(_case("test_main", f"<system-out>{'x' * (11 * MIB)}</system-out>")))


def _long_report() -> tuple[Upload, ...]:
    return _report(_suite(*(_case(f"test_{number}") for number in range(20_000)), _SKIPPED))


def _outside_entity() -> tuple[Upload, ...]:
    return _report(_in_doctype('<!ENTITY x SYSTEM "file:///etc/passwd">'))


def _growing_entity() -> tuple[Upload, ...]:
    steps = "".join(f'<!ENTITY e{number + 1} "{f"&e{number};" * 10}">' for number in range(9))
    return _report(_in_doctype(f'<!ENTITY e0 "ha">{steps}<!ENTITY x "&e9;">'))


def _nested_suites() -> tuple[Upload, ...]:
    inside = _suite(_case("test_main"), _suite(_suite(_SKIPPED)))
    return _report(f"<testsuites>{inside}</testsuites>")


def _skipped_case() -> tuple[Upload, ...]:
    return _report(_suite(_case("test_main"), _SKIPPED))


def _collection_error() -> tuple[Upload, ...]:
    return _report(_suite('<testcase name="test_app"><error message="collection failure">no module</error></testcase>'))


def _set_up_error() -> tuple[Upload, ...]:
    return _report(_suite(_case("test_main", '<error message="failed on setup with &quot;no database&quot;"/>')))


def _error_inside() -> tuple[Upload, ...]:
    return _report(_suite(_case("test_main", '<error message="ZeroDivisionError">main.py:1: in f</error>')))


def _missing_case() -> tuple[Upload, ...]:
    return _report(_suite(_case("other")))


def _no_cases() -> tuple[Upload, ...]:
    return _report(_suite())


# ---- how it is played ----


def _hand_in(make: Callable[[], Sequence[Upload]], scene: FaultScene) -> Seen:
    """Hand it in; refused, nothing of it may be stored, and taken, its review says why it is open."""
    try:
        scene.hand_in(scene.healthy, make(), _TOKEN)
    except HandInError as error:
        return Seen(told=problem(error), kept=scene.facts() == scene.before)
    (record,) = scene.new_records()
    reasons = [result.reason for result in record.criteria if result.status is not CriterionStatus.PASS]
    return Seen(told=f"{record.verdict}: {' '.join(dict.fromkeys(reasons))}")


def _hand_in_chinese(scene: FaultScene) -> Seen:
    handed_in = scene.hand_in(scene.healthy, _chinese_names(), _TOKEN)
    files = scene.healthy.work.snapshot(LOCAL_VIEWER, handed_in.submission.submission_id).files
    return Seen(told="taken: " + ", ".join(file.path for file in files))


def _read_course(text: str, scene: FaultScene) -> Seen:
    try:
        scene.healthy.courses.keep_course(LOCAL_VIEWER, read_course(text, known_checks=check_params))
    except CourseFileError as error:
        return Seen(told=problem(error), kept=scene.facts() == scene.before)
    return Seen(told="taken")


def _handed_in(name: str, make: Callable[[], Sequence[Upload]], expected: str, *, fails: bool = False) -> FaultCase:
    return FaultCase(name=name, expected=expected, play=partial(_hand_in, make), fails=fails)


def _course(name: str, lines: Sequence[tuple[str, str]], expected: str) -> FaultCase:
    criteria = "\n".join(_LINE.format(id=rubric_id, kind=kind) for rubric_id, kind in lines)
    return FaultCase(name=name, expected=expected, play=partial(_read_course, _COURSE.format(criteria=criteria)))


FILE_CASES = (
    _handed_in("zip with a path outside", _traversal, "hand_in.path_outside: "),
    _handed_in("zip bomb", _bomb, "hand_in.bomb: "),
    _handed_in("zip with a link", _symlink, "hand_in.link: "),
    FaultCase(name="zip with names in GBK, accepted", expected=f"taken: {_CHINESE_NAME}", play=_hand_in_chinese),
    _handed_in("zip of 0 bytes", _empty_zip, "hand_in.empty_file: "),
    _handed_in("zip of 10,000 files", _many_files, "hand_in.too_many: "),
    _handed_in("not a zip", _no_zip, "hand_in.broken_zip: "),
    _handed_in("text of 50 MB", _long_text, "hand_in.too_large: "),
    _handed_in("binary renamed .py", _binary, "NEED_REVIEW: main.py could not be read"),
    _handed_in("report that breaks off", _broken_report, "NEED_REVIEW: The test report report.xml "),
    _handed_in("report of 11 MB", _too_large_report, "NEED_REVIEW: The test report report.xml "),
    _handed_in("report of 20,001 cases, the last skipped", _long_report, "NEED_REVIEW: "),
    _handed_in("report with an entity that reads a file", _outside_entity, "NEED_REVIEW: The test report report.xml "),
    _handed_in("report with entities that grow", _growing_entity, "NEED_REVIEW: The test report report.xml "),
    _handed_in("report with nested suites, a skipped test deep inside", _nested_suites, "test_last"),
    _handed_in("report with a skipped test", _skipped_case, "test_last"),
    _handed_in("report with a collection error", _collection_error, "test_app"),
    _handed_in("report with an error in set-up", _set_up_error, "test_main"),
    _handed_in("report with an error inside a test: failed, by the rule", _error_inside, "FAIL: ", fails=True),
    _handed_in("report without the wanted tests", _missing_case, "NEED_REVIEW: "),
    _handed_in("report without any test", _no_cases, "NEED_REVIEW: "),
    _course(
        "course file with a rubric id twice",
        (("readme", "acceptance"), ("readme", "acceptance")),
        "course_file: line 13: projects[0].tasks[0].criteria[1].id ",
    ),
    _course(
        "course file with an id of 65 characters",
        (("x" * 65, "acceptance"),),
        "course_file: line 12: projects[0].tasks[0].criteria[0].id ",
    ),
    _course(
        "course file without an acceptance criterion",
        (("readme", "learning"),),
        "course_file: line 11: projects[0].tasks[0].criteria ",
    ),
)
"""In the order of the table."""
