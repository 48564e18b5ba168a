"""The two courses that teachers can begin with: sound, varied, and each check decides what its text says."""

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from engine.courses.course_file import read_course, write_course
from engine.domain.course import Course, Criterion, Task
from engine.domain.review import CriterionResult
from engine.domain.states import CriterionKind, CriterionStatus, Language, Source
from engine.review.checks.registry import check_params
from engine.review.criteria import judge_criterion
from engine.scenarios.sample_courses import sample_course, sample_course_text
from tests.review.builders import evidence_of

both_courses = pytest.mark.parametrize("language", list(Language))

HAN = "\u4e00-\u9fff"
HALF_WIDTH = re.compile(f"[{HAN}][,.:;?!()]|[,;?!()][{HAN}]")
CLOSE_TO_LATIN = re.compile(f"[{HAN}][A-Za-z0-9`]|[A-Za-z0-9`][{HAN}]")
STRAY_SPACE = re.compile(f"[{HAN}] +[{HAN}]|[，。：；？！、“”（）] | [，。：；？！、”）]")
DOUBLED = re.compile("[，。：；？！、]{2,}")


def tasks(course: Course) -> list[Task]:
    return [task for project in course.projects for task in project.tasks]


def lines(course: Course) -> list[Criterion]:
    return [line for task in tasks(course) for line in task.criteria]


def prose(course: Course) -> Iterator[str]:
    """Every text that people read, code blocks left out."""
    for project in course.projects:
        yield project.title
        for task in project.tasks:
            yield from (task.title, task.goal, *task.steps)
            yield from (row for row in task.material.splitlines() if not row.startswith("    "))
            yield from (text for line in task.criteria for text in (line.text, line.next_step))


def repeated(things: list[str]) -> list[str]:
    return [thing for thing, count in Counter(things).items() if count > 1]


@both_courses
def test_a_sample_course_reads_without_complaint_and_writes_back_equal(language: Language) -> None:
    course = sample_course(language)
    assert course.language is language
    assert read_course(sample_course_text(language), known_checks=check_params) == course
    assert read_course(write_course(course), known_checks=check_params) == course


def test_the_chinese_course_has_fifty_tasks_and_the_english_one_twelve_of_its_own() -> None:
    zh, en = sample_course(Language.ZH), sample_course(Language.EN)
    assert (len(tasks(zh)), len(tasks(en))) == (50, 12)
    assert (len(zh.projects), len(en.projects)) == (8, 3)
    assert not {task.task_id for task in tasks(zh)} & {task.task_id for task in tasks(en)}


@both_courses
def test_every_task_has_one_to_four_criteria_that_decide_and_one_that_only_teaches(language: Language) -> None:
    for task in tasks(sample_course(language)):
        kinds = Counter(line.kind for line in task.criteria)
        assert 1 <= kinds[CriterionKind.ACCEPTANCE] <= 4, task.task_id
        assert kinds[CriterionKind.LEARNING] >= 1, task.task_id
        assert task.goal and task.steps and 0 < len(task.material) <= 500, task.task_id


@both_courses
def test_ids_are_unique_in_the_whole_course_and_no_text_is_used_twice(language: Language) -> None:
    course = sample_course(language)
    assert repeated([task.task_id for task in tasks(course)]) == []
    assert repeated([line.rubric_id for line in lines(course)]) == []
    assert repeated([line.text for line in lines(course)]) == []
    assert repeated([line.next_step for line in lines(course)]) == []
    assert repeated([text for task in tasks(course) for text in (task.title, task.goal, *task.steps)]) == []
    assert max(len(line.rubric_id) for line in lines(course)) <= 30


@both_courses
def test_tests_rules_models_and_teachers_all_decide_something(language: Language) -> None:
    deciding = Counter(
        line.decided_by for line in lines(sample_course(language)) if line.kind is CriterionKind.ACCEPTANCE
    )
    assert set(deciding) == set(Source)
    assert min(deciding[source] for source in (Source.CI, Source.CHECK, Source.MODEL)) >= deciding.total() // 6


@both_courses
def test_every_criterion_is_one_line_without_a_full_stop_and_has_a_next_step_with_one(language: Language) -> None:
    course = sample_course(language)
    assert [line.rubric_id for line in lines(course) if line.text[-1] in "。.；;"] == []
    ends = "。" if language is Language.ZH else (".", '."')
    assert [line.rubric_id for line in lines(course) if not line.next_step.endswith(ends)] == []
    assert max(len(line.next_step) for line in lines(course)) <= 160


@pytest.mark.parametrize(
    "fault",
    [HALF_WIDTH, CLOSE_TO_LATIN, STRAY_SPACE, DOUBLED],
    ids=["half-width", "no space by Latin", "stray space", "doubled"],
)
def test_chinese_is_set_with_full_width_punctuation_and_a_space_beside_latin(fault: re.Pattern[str]) -> None:
    assert [text for text in prose(sample_course(Language.ZH)) if fault.search(text)] == []


def test_each_language_is_written_in_its_own_letters() -> None:
    han = re.compile(f"[{HAN}]")
    zh, en = ([text for text in prose(sample_course(language)) if text] for language in Language)
    assert [text for text in zh if not han.search(text)] == []
    assert [text for text in en if han.search(text)] == []


HASHES = "见 a1b2c3d。", "还没提交"
EXAMPLES = {
    # what the file holds when the criterion is met, and when it is not
    "ignore-venv": ("__pycache__/\n.venv/\n", "venv.txt\n"),
    "python-version": ("需要 Python 3.11 以上", "需要 Python"),
    "run-command": ("```\npython -m seatbook\n```", "运行 seatbook 就行"),
    "hours-no-clock": ("def is_open(at):\n    return at.time() < CLOSE\n", "now = datetime.now()\n"),
    "no-deep-nesting": ("        if free:\n            return seat\n", "                    if free:\n"),
    "own-test-file": ("def test_a():\n    ...\n" * 3, "def test_a():\n    ...\n" * 2),
    "edges-parametrized": ("@pytest.mark.parametrize('at', [1])\n", "def test_at():\n"),
    "edges-named": ("parametrize('at', [1], ids=['关门前一分钟'])", "parametrize('at', [1])"),
    "bug-commits": ("测试a1b2c3d，修复 0f9e8d7。", "只有 a1b2c3d"),
    "fake-clock": ("class FixedClock:\n", "clock = Mock()\n"),
    "no-sleep": ("clock.move(minutes=15)\n", "time.sleep(1)\n"),
    "workflow-report": ("run: pytest --junitxml=report.xml", "run: pytest -q"),
    "workflow-not-masked": ("run: pytest\n", "run: pytest || true\n"),
    "tools-configured": ("[tool.ruff]\nline-length = 100\n[tool.mypy]\nstrict = true\n", "[tool.ruff]\n"),
    "no-bare-ignore": ("x = f()  # type: ignore[no-any-return]\n", "x = f()  # type: ignore\n"),
    "tables-foreign-key": (
        "seat_id INTEGER REFERENCES seat,\nstudent_id INTEGER references student",
        "seat_id INTEGER REFERENCES seat",
    ),
    "sql-one-module": ("print('请选择 select')\n", 'db.execute("SELECT id FROM seat WHERE room = ?")\n'),
    "sql-placeholders": ("db.execute(SQL, (room,))\n", 'db.execute(f"SELECT {room}")\n'),
    "index-migration": ("CREATE INDEX booking_seat ON booking (seat_id);", "CREATE TABLE booking (id INTEGER);"),
    "timing-recorded": ("加索引前 840 ms，加索引后 3.5 毫秒", "快多了，只要 3 ms"),
    "backup-api": ("source.backup(target)\n", "shutil.copy(db, target)\n"),
    "api-no-verbs": ("POST /bookings\nGET /students/12/addresses\n", "POST /createBooking\n"),
    "api-time-zone": ("2026-03-01T08:00:00+08:00", "2026-03-01 08:00"),
    "no-stack-shown": ("app = FastAPI()\n", "app = FastAPI(debug=True)\n"),
    "password-slow-hash": ("hashlib.scrypt(password, salt=salt)", "hashlib.sha256(password)"),
    "page-viewport": ('<meta name="viewport" content="width=device-width">', "<meta charset=utf-8>"),
    "form-error-near": ('<input aria-describedby="day-error">', "<input>"),
    "page-language": ('<html lang="zh-CN">', "<html>"),
    "no-div-buttons": ("<button>预约 A-07</button>", '<div class="b" onclick="go()">预约</div>'),
    "usability-fix": HASHES,
    "env-example": ("SEATBOOK_DATABASE=sqlite:///x\n", "# 以后再写\n"),
    "no-secret-in-code": ('token = os.environ["SEATBOOK_TOKEN"]\n', 'API_KEY = "sk-0123456789"\n'),
    "image-pinned": ("FROM python:3.12-slim\n", "FROM python:latest\n"),
    "image-user": ("RUN useradd app\nUSER app\n", "USER root\n"),
    "image-no-env": (".git\n.env\n", ".envrc\n"),
    "no-print": ("log.info('预约成功')\n", "    print('预约成功')\n"),
    "load-script": ("parser = argparse.ArgumentParser()\n", "PEOPLE = 300\n"),
    "load-table": (
        "| 人数 | 九五分位 | 失败数 |\n|---|---|---|\n| 10 | 40 | 0 |\n| 100 | 90 | 0 |\n| 300 | 2100 | 7 |\n",
        "| 人数 | 九五分位 | 失败数 |\n|---|---|---|\n| 10 | 40 | 0 |\n",
    ),
    "incident-timeline": ("20:15发现\n20：20 判断\n20:31 动手\n20:40 恢复\n21:00 复盘\n", "20:15 发现，20:40 恢复"),
    "pr-template": ("## 怎样验证", "## 改了什么"),
    "no-conflict-marks": ("a <<<<<<< b\n", "<<<<<<< HEAD\n"),
    "pr-size-rule": ("一个合并请求最多改 300 行", "合并请求要小"),
    "pinned-versions": ("fastapi==0.115.0\nuvicorn[standard]==0.30.1\n", "fastapi==0.115.0\nuvicorn\n"),
    "changelog-version": ("## [1.0.0] 2026-06-20\n", "## 1.0.0\n"),
    "version-agrees": ('[project]\nversion = "1.0.0"\n', 'version = "0.9.0"\n'),
    "retro-three-commits": ("a1b2c3d 对，0f9e8d7 错，1234abc 说不清", "a1b2c3d 对，0f9e8d7 错"),
    "readme-commands": ("npm ci\nnpm start\n", "npm start\n"),
    "strict-mode": ('{"compilerOptions": {"strict": true}}', '{"compilerOptions": {"strict": false}}'),
    "no-any": ("const many: Company[] = []", "function read(row: any) {}"),
    "curl-examples": ("curl a\ncurl b\ncurl c\n", "curl a\ncurl b\n"),
    "page-title": ("<title>School garden | Weather</title>", "<title>Weather</title>"),
    "html-lang": ('<html lang="en">', "<html>"),
    "images-have-alt": ('<img src="a.png" alt="Soil, dry">', '<img src="a.png">'),
    "none-skipped": ("it('reads a line', () => {})", "it.skip('reads a line', () => {})"),
    "no-secrets": ("Password: <in the safe>", "password: hunter2!"),
    "two-commits": ("a1b2c3d held, 0f9e8d7 did not", "a1b2c3d held"),
}


def by_pattern() -> dict[str, tuple[Criterion, Language]]:
    return {
        line.rubric_id: (line, language)
        for language in Language
        for line in lines(sample_course(language))
        if line.check is not None and line.check.name in ("pattern_present", "pattern_absent")
    }


def test_every_pattern_of_both_courses_has_examples() -> None:
    assert EXAMPLES.keys() == by_pattern().keys()


@pytest.mark.parametrize("rubric_id", EXAMPLES)
def test_a_pattern_tells_work_that_meets_its_criterion_from_work_that_does_not(rubric_id: str) -> None:
    line, language = by_pattern()[rubric_id]
    met, not_met = (verdict(line, body, language) for body in EXAMPLES[rubric_id])
    assert (met, not_met) == (CriterionStatus.PASS, CriterionStatus.FAIL)


def verdict(line: Criterion, body: str, language: Language) -> CriterionStatus:
    assert line.check is not None
    glob = str(line.check.params["files"]).split("|")[0]
    path = glob.replace("**/", "").replace("[!_]*", "web").replace("*", "example")
    result = judge_criterion(line, evidence_of({path: body}), language)
    assert isinstance(result, CriterionResult), result
    return result.status
