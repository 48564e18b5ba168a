"""The sample projects are real, and handing them in shows what they are for."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.courses.templates import general_project
from engine.domain.states import CriterionStatus, FeedbackState, Language
from engine.review.ci_report import read_report
from engine.scenarios.samples import Sample, sample_files, sample_project
from engine.work.unpack import Upload, read_hand_in
from tests.review.desk import opened_desk

every_sample = pytest.mark.parametrize("sample", Sample)
both_languages = pytest.mark.parametrize("language", Language)


def failed_tests(code: str, tests: str) -> set[str]:
    """The tests that really fail on this code."""
    known: dict[str, Callable[..., object]] = {}
    exec(code, known)  # noqa: S102 - our own text files
    found: dict[str, Callable[[], None]] = {}
    exec(tests.replace("from spending import by_month\n", ""), known, found)  # noqa: S102
    failed = set()
    for name, test in found.items():
        try:
            test()
        except AssertionError:
            failed.add(name)
    assert len(found) == 3
    return failed


@every_sample
@both_languages
def test_the_report_says_what_the_tests_really_do(sample: Sample, language: Language) -> None:
    files = sample_files(sample, language)
    report = read_report("report.xml", files["report.xml"])
    reported = {case.name.rpartition(".")[2].rpartition("::")[2] for case in report.cases if case.state == "failed"}
    assert reported == failed_tests(files["spending.py"], files["test_spending.py"])
    assert bool(reported) is (sample is Sample.FAILING)
    assert len(report.cases) == 3


@pytest.mark.parametrize(
    ("sample", "state", "failed"),
    [
        (Sample.FAILING, FeedbackState.CURRENT, {"tests", "readme-length"}),
        (Sample.PASSING, FeedbackState.PASSED, set()),
    ],
)
@both_languages
def test_handing_one_in_shows_what_it_is_for(
    tmp_path: Path, sample: Sample, state: FeedbackState, failed: set[str], language: Language
) -> None:
    criteria = general_project(language).projects[0].tasks[0].criteria
    read = read_hand_in([Upload(name="sample.zip", content=sample_project(sample, language))])
    with opened_desk(tmp_path, criteria, language) as desk:
        desk.hand_in({file.path: file.body or "" for file in read.files})
        card = desk.card()
        assert card.state is state
        assert {line.rubric_id for line in card.lines if line.status is CriterionStatus.FAIL} == failed
        assert sum(line.status is CriterionStatus.PASS for line in card.lines) >= 3


@both_languages
def test_both_samples_are_small_plain_zips_that_are_equal_each_time(language: Language) -> None:
    for sample in Sample:
        packed = sample_project(sample, language)
        sample_project.cache_clear()
        assert sample_project(sample, language) == packed
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            assert set(archive.namelist()) == set(sample_files(sample, language))
        assert len(packed) < 10_000


def test_the_words_are_of_the_readers_language_and_the_code_is_the_same() -> None:
    for sample in Sample:
        zh, en = (sample_files(sample, language) for language in (Language.ZH, Language.EN))
        assert {path for path in zh if zh[path] != en[path]} == {"README.md"}
        assert any("\u4e00" <= char <= "\u9fff" for char in zh["README.md"])
        assert en["README.md"].isascii()
