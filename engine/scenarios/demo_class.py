"""The rest of the demo's class: students of whom only hand-ins and reviews are told, so that a board is full."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.domain.course import Learner
from engine.domain.states import Language
from engine.scenarios.demo_steps import HandIn
from engine.scenarios.demo_texts import code_files, words_in


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassWork:
    """What one of them handed in for one task, each followed by its review. No person has to decide anything."""

    learner_id: str
    project_id: str
    task_id: str
    hand_ins: tuple[HandIn, ...]
    """In order."""


def classmates(language: Language) -> tuple[Learner, ...]:
    """They stand behind the students with histories; the fifth has not begun."""
    return tuple(
        Learner(learner_id=learner_id, name=name) for learner_id, name in zip(_IDS, _NAMES[language], strict=True)
    )


def class_work(language: Language) -> tuple[ClassWork, ...]:
    """All of it, by the checks of the course: stuck on one test, idle, ahead of all others, under way."""
    setup, thin = _setup(language), {"README.md": words_in(language).work("setup/readme_v1")}
    listing = {number: code_files("listing", "listing", "test_listing", number) for number in (1, 2)}
    search = code_files("search", "search", "test_search", 1)
    return (
        _core(_IDS[0], "setup", (setup, 9.4)),
        _core(_IDS[0], "listing", *((_noted(listing[1], n), days) for n, days in enumerate((6.1, 4.2, 0.6), start=1))),
        _core(_IDS[1], "setup", (setup, 12.1)),
        _core(_IDS[1], "listing", (listing[1], 6.3), (listing[2], 6.0)),
        _core(_IDS[1], "search", (search, 3.1)),
        _live(_IDS[1], "ci-tests", (_workflow(1), 2.2), (_workflow(2), 1.9)),
        _core(_IDS[2], "setup", (thin, 5.2)),
        _core(_IDS[3], "setup", (thin, 11.5), (setup, 10.9)),
        _core(_IDS[3], "listing", (listing[2], 7.7)),
        _core(_IDS[3], "search", (search, 1.4)),
        _core(_IDS[5], "setup", (setup, 8.8)),
        _live(_IDS[5], "ci-tests", (_workflow(1), 1.1)),
    )


_IDS = tuple(f"student-{number}" for number in range(7, 13))
_NAMES: Mapping[Language, tuple[str, ...]] = {
    Language.ZH: ("孙佳怡", "徐浩然", "马天宇", "朱可欣", "胡梓涵", "郭子轩"),
    Language.EN: ("Aisha Rahman", "Lukas Novak", "Emma Dubois", "Felix Hartmann", "Nora Lind", "Mateo Silva"),
}


def _core(learner_id: str, task_id: str, *versions: tuple[Mapping[str, str], float]) -> ClassWork:
    """Work for a task of the first project, each version with the days since it came in."""
    return _work("shop-core", learner_id, task_id, versions)


def _live(learner_id: str, task_id: str, *versions: tuple[Mapping[str, str], float]) -> ClassWork:
    """The same for a task of the second project."""
    return _work("shop-live", learner_id, task_id, versions)


def _work(
    project_id: str, learner_id: str, task_id: str, versions: tuple[tuple[Mapping[str, str], float], ...]
) -> ClassWork:
    hand_ins = tuple(HandIn(files=files, days_ago=days) for files, days in versions)
    return ClassWork(learner_id=learner_id, project_id=project_id, task_id=task_id, hand_ins=hand_ins)


def _noted(files: Mapping[str, str], number: int) -> Mapping[str, str]:
    """The same work with another note, as of somebody who changes everything but what fails."""
    return {**files, "NOTES.md": f"{number}\n"}


def _setup(language: Language) -> Mapping[str, str]:
    readme = words_in(language).work("setup/readme_v2")
    return {"README.md": readme, "requirements.txt": "flask==3.1.0\npytest==8.4.1\n"}


def _workflow(version: int) -> Mapping[str, str]:
    words = words_in(Language.EN)
    names = {
        ".github/workflows/tests.yml": f"ci-tests/workflow_v{version}",
        "tests/test_search.py": "search/test_search",
        "tests/test_listing.py": "listing/test_listing",
        "report.xml": "ci-tests/report_all",
    }
    return {path: words.shared(name) for path, name in names.items()}
