"""Texts and work files of the demo, in one language."""

from dataclasses import dataclass
from importlib.resources import files

from engine.domain.states import Language


@dataclass(frozen=True, slots=True)
class DemoWords:
    """Texts in one language."""

    language: Language

    def __call__(self, *, zh: str, en: str) -> str:
        """The text in this language."""
        return zh if self.language is Language.ZH else en

    def work(self, name: str) -> str:
        """A work file that there is one of in each language."""
        return demo_work(f"{name}.{self.language}")

    def shared(self, name: str) -> str:
        """A work file that both languages share."""
        return demo_work(name)


def words_in(language: Language) -> DemoWords:
    """Texts and work files in one language."""
    return DemoWords(language)


def demo_work(name: str) -> str:
    """A work file that both languages share. All end in .txt, so that no tool takes them for our own code."""
    return (files("engine.scenarios") / "demo_work" / f"{name}.txt").read_text("utf-8")


def code_files(task: str, module: str, tests: str, version: int) -> dict[str, str]:
    """A module of the shop, its tests, and the report of that version."""
    return {
        f"shop/{module}.py": demo_work(f"{task}/{module}_v{version}"),
        f"tests/{tests}.py": demo_work(f"{task}/{tests}"),
        "report.xml": demo_work(f"{task}/report_v{version}"),
    }


def build_log() -> str:
    """A long log of a build server, with a key in it that must not be shown."""
    begin = (
        "$ git clone https://git.example/maya/book-shop.git",
        "export SHOP_TOKEN=tk9f27ab01cc34de",
        "python 3.11.9",
    )
    wheels = (f"Collecting package {number:04}  (cached)" for number in range(1, 1881))
    end = ("tests/test_login.py ....F", "1 failed, 4 passed in 0.41s", "exit code 1")
    return "\n".join((*begin, *wheels, *end)) + "\n"
