"""The rest of the demo's class: students of whom only hand-ins and reviews are told, so that a board is full."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.domain.course import Learner
from engine.domain.states import Language, ReviewFault
from engine.scenarios.demo_steps import HandIn, Review, ReviewUnavailable
from engine.scenarios.demo_texts import code_files, words_in


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassWork:
    """What one of them handed in for one task, each followed by its review."""

    learner_id: str
    project_id: str
    task_id: str
    hand_ins: tuple[tuple[HandIn, Review | ReviewUnavailable], ...]
    """In order."""


def classmates(language: Language) -> tuple[Learner, ...]:
    """They stand behind the students with histories; the fifth has not begun."""
    return tuple(
        Learner(learner_id=learner_id, name=name) for learner_id, name in zip(_IDS, _NAMES[language], strict=True)
    )


def class_work(language: Language) -> tuple[ClassWork, ...]:
    """All of it, by the checks of the course: stuck on one test, idle, ahead of all others, and under way."""
    setup, thin = _setup(language), {"README.md": words_in(language).work("setup/readme_v1")}
    listing, login = _versions("listing", "listing", "test_listing"), _versions("login", "auth", "test_login")
    return (
        _core(_IDS[0], "setup", (setup, 9.4)),
        _core(_IDS[0], "listing", *((_noted(listing[1], n), days) for n, days in enumerate((6.1, 4.2, 0.6), start=1))),
        _core(_IDS[1], "setup", (setup, 12.1)),
        _core(_IDS[1], "storage", (_storage(language), 8.2)),
        _core(_IDS[1], "listing", (listing[1], 6.3), (listing[2], 6.0)),
        _core(_IDS[1], "search", (code_files("search", "search", "test_search", 1), 3.1)),
        _core(_IDS[1], "login", (login[2], 0.3)),
        _core(_IDS[2], "setup", (thin, 5.2)),
        _core(_IDS[3], "setup", (thin, 11.5), (setup, 10.9)),
        _core(_IDS[3], "listing", (listing[2], 7.7)),
        _core(_IDS[3], "search", (code_files("search", "search", "test_search", 1), 1.4)),
        _core(_IDS[5], "setup", (setup, 8.8)),
        _core(_IDS[5], "login", (login[1], 1.1)),
        ClassWork(
            learner_id=_IDS[5],
            project_id="shop-live",
            task_id="csv-import",
            hand_ins=(
                (
                    HandIn(files=code_files("csv-import", "importer", "test_importer", 1), days_ago=0.7),
                    ReviewUnavailable(fault=ReviewFault.PROVIDER_DOWN),
                ),
            ),
        ),
    )


_IDS = tuple(f"student-{number}" for number in range(7, 13))
_NAMES: Mapping[Language, tuple[str, ...]] = {
    Language.ZH: ("孙佳怡", "徐浩然", "马天宇", "朱可欣", "胡梓涵", "郭子轩"),
    Language.EN: ("Aisha Rahman", "Lukas Novak", "Emma Dubois", "Felix Hartmann", "Nora Lind", "Mateo Silva"),
}


def _core(learner_id: str, task_id: str, *versions: tuple[Mapping[str, str], float]) -> ClassWork:
    """Work for a task of the first project, each version with the days since it came in."""
    hand_ins = tuple((HandIn(files=files, days_ago=days), Review()) for files, days in versions)
    return ClassWork(learner_id=learner_id, project_id="shop-core", task_id=task_id, hand_ins=hand_ins)


def _versions(task: str, module: str, tests: str) -> Mapping[int, Mapping[str, str]]:
    return {number: code_files(task, module, tests, number) for number in (1, 2)}


def _noted(files: Mapping[str, str], number: int) -> Mapping[str, str]:
    """The same work with another note, as of somebody who changes everything but what fails."""
    return {**files, "NOTES.md": f"{number}\n"}


def _setup(language: Language) -> Mapping[str, str]:
    readme = words_in(language).work("setup/readme_v2")
    return {"README.md": readme, "requirements.txt": "flask==3.1.0\npytest==8.4.1\n"}


def _storage(language: Language) -> Mapping[str, str]:
    words = words_in(language)
    return {"shop/storage.py": words.shared("storage/storage_v2"), "docs/schema.md": words.work("storage/schema")}
