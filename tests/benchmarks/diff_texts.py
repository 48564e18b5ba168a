"""The pairs of texts that diff engines are measured on: true revisions where they are at hand, else generated ones."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.revision.prose import en_paragraph, prose, revised, zh_paragraph

DATA = Path(__file__).parents[2].parent / "shared" / "data" / "diff"
"""Beside the repository; its texts are not ours to keep in it."""
LANGUAGES = {"zh": zh_paragraph, "en": en_paragraph}
SIZES = {"1k": 1_000, "10k": 10_000, "100k": 100_000, "200k": 200_000}
QUICK_SIZE = 5_000
"""Characters of the older text; a quick run takes no larger pair."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """An older text and a newer one."""

    name: str
    old: str
    new: str

    @property
    def size(self) -> int:
        """Characters of the larger of both."""
        return max(len(self.old), len(self.new))

    @property
    def is_true(self) -> bool:
        """People revised it."""
        return self.name.startswith("true")


def revisions(quick: bool) -> list[Pair]:
    """Pairs of growing size."""
    pairs = [*_stored(DATA)] if DATA.is_dir() else [*made(QUICK_SIZE if quick else max(SIZES.values()))]
    return sorted((pair for pair in pairs if not quick or pair.size <= QUICK_SIZE), key=lambda pair: pair.size)


def _stored(folder: Path) -> Iterator[Pair]:
    for path in sorted(folder.glob("*.a")):
        old, new = (each.read_bytes().decode() for each in (path, path.with_suffix(".b")))
        yield Pair(name=path.stem, old=old, new=new)


def made(most: int) -> Iterator[Pair]:
    """Generated pairs of no more than so many characters."""
    for language, paragraph in LANGUAGES.items():
        for name, size in SIZES.items():
            for percent in (1, 10, 50):
                if size <= most:
                    random = Random(size + percent)  # noqa: S311 - a benchmark
                    old = prose(random, size, paragraph)
                    yield Pair(
                        name=f"made_{language}_{name}_{percent}",
                        old=old,
                        new=revised(random, old, percent, paragraph),
                    )


def worst_cases(quick: bool) -> list[Pair]:
    """Texts that ruin one engine or another; a tenth as large in a quick run."""
    part = 10 if quick else 1
    random = Random(23)  # noqa: S311 - a benchmark
    return [
        Pair(name=name, old=old, new=new)
        for name, (old, new) in {**_repeated(part, random), **_rewritten(part, random)}.items()
    ]


def _repeated(part: int, random: Random) -> dict[str, tuple[str, str]]:
    """Few different tokens, many times."""
    run, line, phase, row = 7000 // part, "the same line again and again\n", 4000 // part, 4000 // part
    two = "".join(random.choices("甲乙", k=20_000 // part)), "".join(random.choices("甲乙", k=20_000 // part))
    code = [f"f({number % 7}, x[{number % 11}]); " for number in range(3400 // part)]
    return {
        "few symbols": ("a b" * run, "a b" * (run // 2) + "a c" * 67 + "a b" * (run // 2 - 67)),
        "equal lines": (line * row, line * (row - row // 8) + "another line\n"),
        "phase shift": ("甲乙" * phase, "甲乙" * (phase // 2) + "丙" + "甲乙" * (phase - phase // 2) + "甲乙"),
        "two symbols": two,
        "one long line": ("".join(code), "".join(code[1::2] + code[::2])),
    }


def _rewritten(part: int, random: Random) -> dict[str, tuple[str, str]]:
    """Much changed, or everything."""
    paragraphs = prose(random, 48_000 // part, zh_paragraph).split("\n\n")
    shuffled = random.sample(paragraphs, len(paragraphs))
    changed = [prose(random, 20_000 // part, zh_paragraph) for _ in range(2)]
    backwards = prose(random, 10_000 // part, zh_paragraph)
    lines = [f"{random.randrange(10**6)} line {number}" for number in range(3000 // part)]
    unrelated = [_unrelated(random, 200_000 // part) for _ in range(2)]
    return {
        "paragraphs shuffled": ("\n\n".join(paragraphs), "\n\n".join(shuffled)),
        "all changed": (changed[0], changed[1]),
        "reversed": (backwards, backwards[::-1]),
        "blank lines between": ("\n\n".join(lines), "\n\n".join(f"{line}!" for line in lines)),
        "unrelated": (unrelated[0], unrelated[1]),
    }


def _unrelated(random: Random, size: int) -> str:
    """Characters drawn one by one, common ones often."""
    return "".join(chr(0x4E00 + int(3000 * random.random() ** 3)) for _ in range(size))
