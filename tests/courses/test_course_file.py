from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.courses.course_file import read_course, write_course
from engine.courses.marked_yaml import MAX_BYTES
from engine.domain.course import CheckProblem, CheckSpec, Course, Criterion, Project, Task
from engine.domain.states import CriterionKind, Language, Source
from engine.domain.text import clean
from engine.errors import CourseFileError

FILE = """\
id: web
title: Web basics
language: en
projects:
  - id: shop
    title: A small shop
    tasks:
      - id: login
        title: Sign-in
        goal: Only the owner gets in
        steps: [Write the form, Hash the password]
        material: |
          Two
          lines
        criteria:
          - id: readme
            text: There is a README
            decided_by: check
            check: {name: file_exists, path: "README*"}
            next_step: Write one
          - id: reading
            kind: learning
            text: Says why a salt is needed
            decided_by: model
"""


def no_complaint(name: str, params: Mapping[str, object]) -> list[CheckProblem]:
    return []


def read(text: str) -> Course:
    return read_course(text, known_checks=no_complaint)


def refusal(text: str) -> CourseFileError:
    with pytest.raises(CourseFileError) as caught:
        read(text)
    return caught.value


def changed(old: str, new: str) -> str:
    assert FILE.count(old) == 1
    return FILE.replace(old, new)


def test_every_field_of_a_file_arrives_in_the_course() -> None:
    readme = Criterion(
        rubric_id="readme",
        kind=CriterionKind.ACCEPTANCE,
        text="There is a README",
        decided_by=Source.CHECK,
        check=CheckSpec(name="file_exists", params={"path": "README*"}),
        next_step="Write one",
    )
    reading = Criterion(
        rubric_id="reading", kind=CriterionKind.LEARNING, text="Says why a salt is needed", decided_by=Source.MODEL
    )
    task = Task(
        task_id="login",
        title="Sign-in",
        goal="Only the owner gets in",
        steps=("Write the form", "Hash the password"),
        material="Two\nlines",
        criteria=(readme, reading),
    )
    project = Project(project_id="shop", title="A small shop", tasks=(task,))
    assert read(FILE) == Course(course_id="web", title="Web basics", language=Language.EN, projects=(project,))


FAULTS = [
    ("id-used-twice-in-a-task", "id: reading", "id: readme", 21, "projects[0].tasks[0].criteria[1].id", "used twice"),
    ("id-of-65-characters", "id: reading", "id: " + "x" * 65, 21, "projects[0].tasks[0].criteria[1].id", "65 char"),
    ("id-with-a-space", "id: login", "id: log in", 8, "projects[0].tasks[0].id", '"log in" is not an id'),
    ("id-beginning-with-a-dot", "id: web", "id: .web", 1, "id", "is not an id"),
    ("id-with-a-line-end", "id: web", 'id: "web\\n"', 1, "id", "is not an id"),
    ("id-empty", "id: web", 'id: ""', 1, "id", "is not an id"),
    ("id-that-is-a-number", "id: web", "id: 12", 1, "id", "must be text"),
    ("text-of-81-characters", "There is a README", "字" * 81, 17, "projects[0].tasks[0].criteria[0].text", "81 char"),
    ("text-blank", "There is a README", '"\\u200b"', 17, "projects[0].tasks[0].criteria[0].text", "is empty"),
    ("text-of-two-lines", "There is a README", '"a\\nb"', 17, "projects[0].tasks[0].criteria[0].text", "one line"),
    ("title-missing", "    title: A small shop\n", "", 5, "projects[0].title", "is missing"),
    ("title-without-a-value", "title: A small shop", "title:", 6, "projects[0].title", "is missing"),
    ("title-that-is-a-date", "title: Sign-in", "title: 2024-01-01", 9, "projects[0].tasks[0].title", "as it stands"),
    ("lone-equals-sign", "goal: Only the owner gets in", "goal: =", 10, "projects[0].tasks[0].goal", "as it stands"),
    ("title-that-is-no", "title: Sign-in", "title: no", 9, "projects[0].tasks[0].title", "must be text"),
    ("field-unknown", "goal: Only", "gaol: x\n        goal: Only", 10, "projects[0].tasks[0].gaol", "not a field"),
    ("key-given-twice", "goal: Only", "goal: x\n        goal: Only", 11, "projects[0].tasks[0].goal", "given twice"),
    (
        "key-that-is-a-number",
        "goal: Only",
        "1: x\n        goal: Only",
        10,
        "projects[0].tasks[0]",
        "key that is not text",
    ),
    ("language-unknown", "language: en", "language: fr", 3, "language", "must be 'zh' or 'en'"),
    ("kind-unknown", "kind: learning", "kind: bonus", 22, "projects[0].tasks[0].criteria[1].kind", "must be"),
    ("decided-by-unknown", "by: model", "by: vote", 24, "projects[0].tasks[0].criteria[1].decided_by", "must be"),
    ("decided-by-ci-without-check", "by: model", "by: ci", 21, "projects[0].tasks[0].criteria[1].check", "is missing"),
    ("model-with-a-check", "by: check", "by: model", 19, "projects[0].tasks[0].criteria[0].check", "must be left out"),
    ("teacher-with-a-check", "by: check", "by: teacher", 19, "projects[0].tasks[0].criteria[0].check", "must be left"),
    ("check-without-name", "name: ", "nom: ", 19, "projects[0].tasks[0].criteria[0].check.name", "is missing"),
    (
        "check-parameter-nested",
        '"README*"',
        "{a: 1}",
        19,
        "projects[0].tasks[0].criteria[0].check.path",
        "must be text",
    ),
    ("check-parameter-infinite", '"README*"', ".inf", 19, "projects[0].tasks[0].criteria[0].check.path", "number"),
    ("steps-not-a-list", "[Write the form, Hash the password]", "Write", 11, "projects[0].tasks[0].steps", "be a list"),
    ("step-blank", "[Write the form, ", '["", ', 11, "projects[0].tasks[0].steps[0]", "is empty"),
    ("alias", "goal: Only the owner gets in", "goal: *x", 10, "", 'alias "*x"'),
    ("tag", "goal: Only the owner gets in", "goal: !!python/name:os.system x", 10, "", "tag"),
    ("not-yaml", "goal: Only the owner gets in", "goal: [", 12, "", "not YAML"),
    ("control-character", "goal: Only", "goal: \x01", 10, "", "does not allow"),
    ("escape-beyond-unicode", "goal: Only the owner gets in", 'goal: "\\Uffffffff"', 10, "", "no character"),
    (
        "number-that-cannot-be-read",
        "goal: Only the owner gets in",
        "goal: 0x_",
        10,
        "projects[0].tasks[0].goal",
        "number",
    ),
    ("nested-too-deep", "goal: Only the owner gets in", "goal: " + "[" * 30, 10, "", "nested"),
    ("second-document", "kind: learning", "kind: learning\n---\n", 23, "", "another document"),
]


@pytest.mark.parametrize(
    ("old", "new", "line", "where", "words"), [fault[1:] for fault in FAULTS], ids=[fault[0] for fault in FAULTS]
)
def test_a_fault_is_named_with_its_line_and_field(old: str, new: str, line: int, where: str, words: str) -> None:
    fault = refusal(changed(old, new))
    assert (fault.line, fault.where) == (line, where)
    assert words in str(fault)
    assert str(fault).startswith(f"line {line}: {where}")


def test_a_repeated_criterion_is_told_in_one_readable_sentence() -> None:
    told = str(refusal(changed("id: reading", "id: readme")))
    assert told == 'line 21: projects[0].tasks[0].criteria[1].id "readme" is used twice'


def test_an_id_of_64_characters_and_a_text_of_80_are_taken() -> None:
    text = changed("id: reading", "id: " + "x" * 64).replace("There is a README", "字" * 80)
    first, second = read(text).projects[0].tasks[0].criteria
    assert (len(first.text), len(second.rubric_id)) == (80, 64)


def test_the_length_of_a_criterion_is_counted_after_cleaning() -> None:
    padded = '"' + "\\u200b" * 20 + "字" * 80 + '  "'
    assert read(changed("There is a README", padded)).projects[0].tasks[0].criteria[0].text == "字" * 80


def test_task_and_project_ids_may_not_repeat_where_they_stand() -> None:
    head, tasks = FILE.split("    tasks:\n")
    twice = refusal(f"{head}    tasks:\n{tasks}{tasks}")
    assert (twice.line, twice.where) == (25, "projects[0].tasks[1].id")
    top, projects = FILE.split("projects:\n")
    twice = refusal(f"{top}projects:\n{projects}{projects}")
    assert (twice.line, twice.where) == (25, "projects[1].id")
    other = projects.replace("id: shop", "id: shop2")
    assert len(read(f"{top}projects:\n{projects}{other}").projects) == 2


def test_a_task_that_nothing_decides_is_refused() -> None:
    fault = refusal(changed("id: readme\n", "id: readme\n            kind: learning\n"))
    assert (fault.line, fault.where) == (15, "projects[0].tasks[0].criteria")
    assert "no criterion of kind acceptance" in str(fault)


@pytest.mark.parametrize("field", ["projects", "tasks", "criteria"])
def test_an_empty_list_is_refused(field: str) -> None:
    head, _ = FILE.split(f"{field}:\n")
    assert "at least one" in str(refusal(f"{head}{field}: []\n"))


def test_the_first_of_several_faults_is_named() -> None:
    assert refusal(changed("title: Sign-in", "title: 1").replace("kind: learning", "kind: x")).line == 9


@pytest.mark.parametrize("text", ["", "# only a comment\n", "- a\n", "word", "null"], ids=repr)
def test_what_is_not_a_course_at_all_is_refused(text: str) -> None:
    assert str(refusal(text))


def test_a_file_over_one_mebibyte_is_refused_before_it_is_parsed() -> None:
    assert str(MAX_BYTES) in str(refusal("x" * (MAX_BYTES + 1)))
    assert "bytes" in str(refusal("字" * (MAX_BYTES // 3 + 1)))
    assert "bytes" not in str(refusal("x" * MAX_BYTES))


def test_a_check_is_judged_by_those_who_know_the_checks() -> None:
    asked: list[tuple[str, Mapping[str, object]]] = []

    def complain(name: str, params: Mapping[str, object]) -> list[CheckProblem]:
        asked.append((name, params))
        return [CheckProblem(field="path", what="is too wide"), CheckProblem(field=None, what="never seen")]

    with pytest.raises(CourseFileError) as caught:
        read_course(FILE, known_checks=complain)
    assert asked == [("file_exists", {"path": "README*"})]
    assert str(caught.value) == "line 19: projects[0].tasks[0].criteria[0].check.path is too wide"


def test_parameters_keep_their_types_and_lists_become_tuples() -> None:
    text = changed('path: "README*"', 'a: 3, b: 1.5, c: yes, d: [x, y], e: " ^<{7} "')
    check = read(text).projects[0].tasks[0].criteria[0].check
    assert check is not None
    assert check.params == {"a": 3, "b": 1.5, "c": True, "d": ("x", "y"), "e": " ^<{7} "}


def test_text_of_several_lines_is_written_as_a_block_and_other_text_on_its_line() -> None:
    written = write_course(read(FILE))
    assert "material: |-\n      Two\n      lines\n" in written
    assert "title: Sign-in\n" in written


# ---- laws ----


def _settled(text: str) -> str:
    for _ in range(5):
        text = clean(text)
    return text


IDS = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", fullmatch=True)
PLAIN = st.characters(exclude_categories=["Cs", "Cc", "Cf"], exclude_characters="\u2028\u2029")
TRICKY = st.sampled_from(
    [
        "no",
        "null",
        "~",
        "1",
        "1e3",
        "2024-01-01",
        "a: b",
        "- x",
        "# c",
        "'",
        '"',
        "*a",
        "&a",
        "!x",
        "<<",
        "{",
        "%",
        "👩‍💻",
        "\u00a0",
    ]
)
ONE_LINE = (st.text(PLAIN, max_size=80) | TRICKY).map(_settled).filter(lambda text: bool(text.strip()))
LINES = st.lists(ONE_LINE | st.sampled_from(["", "  x", "\tx", "x  "]), max_size=4).map(
    lambda rows: _settled("\n".join(rows))
)
TEXTS = LINES.filter(lambda text: bool(text.strip()))
SCALARS = (
    st.integers()
    | st.booleans()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(PLAIN | st.sampled_from("\n\t"), max_size=20)
    | st.lists(st.text(PLAIN, max_size=9), max_size=3).map(tuple)
)
CHECKS = st.builds(
    CheckSpec, name=ONE_LINE, params=st.dictionaries(ONE_LINE.filter(lambda key: key != "name"), SCALARS, max_size=3)
)


@st.composite
def criteria(draw: st.DrawFn, rubric_id: str, kind: CriterionKind) -> Criterion:
    source = draw(st.sampled_from(list(Source)))
    return Criterion(
        rubric_id=rubric_id,
        kind=kind,
        text=draw(ONE_LINE.filter(lambda text: len(text) <= 80)),
        decided_by=source,
        check=draw(CHECKS) if source in (Source.CI, Source.CHECK) else None,
        next_step=draw(LINES),
    )


@st.composite
def tasks(draw: st.DrawFn) -> Task:
    ids = draw(st.lists(IDS, min_size=1, max_size=3, unique=True))
    kinds = [CriterionKind.ACCEPTANCE, *(draw(st.sampled_from(list(CriterionKind))) for _ in ids[1:])]
    return Task(
        task_id=draw(IDS),
        title=draw(ONE_LINE),
        goal=draw(TEXTS),
        steps=tuple(draw(st.lists(TEXTS, max_size=2))),
        material=draw(LINES),
        criteria=tuple(draw(criteria(rubric_id, kind)) for rubric_id, kind in zip(ids, kinds, strict=True)),
    )


PROJECTS = st.builds(
    Project,
    project_id=IDS,
    title=ONE_LINE,
    tasks=st.lists(tasks(), min_size=1, max_size=2, unique_by=lambda task: task.task_id).map(tuple),
)
COURSES = st.builds(
    Course,
    course_id=IDS,
    title=ONE_LINE,
    language=st.sampled_from(list(Language)),
    projects=st.lists(PROJECTS, min_size=1, max_size=2, unique_by=lambda project: project.project_id).map(tuple),
)


@given(COURSES)
@settings(max_examples=100, deadline=None)
def test_a_course_that_is_written_reads_back_equal(course: Course) -> None:
    assert read(write_course(course)) == course


@given(st.text(max_size=60) | st.text("[]{}:,-&*!|>'\"\\0x1e_.?%@ \n\tab<=~", max_size=60))
@settings(max_examples=200, deadline=None)
def test_any_text_is_either_a_course_or_refused_in_words(text: str) -> None:
    assert str(refusal(text))


@given(st.integers(0, len(FILE) - 1), st.text("[]{}:,-&*!|>'\"\\0x1e_.?%@ \n\tab<=~1", min_size=1, max_size=3))
@settings(max_examples=200, deadline=None)
def test_a_damaged_course_file_never_ends_in_another_error(place: int, damage: str) -> None:
    damaged = FILE[:place] + damage + FILE[place + 1 :]
    try:
        course = read(damaged)
    except CourseFileError as fault:
        assert 0 <= fault.line <= damaged.count("\n") + 1
    else:
        assert read(write_course(course)) == course
