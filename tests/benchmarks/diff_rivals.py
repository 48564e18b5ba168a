"""One engine on one pair, in a process of its own that is ended when it takes too long.

`python -m tests.benchmarks.diff_rivals ENGINE OLD NEW` prints what it took and what it marked, as JSON. Every
engine begins with two texts; those that compare tokens get the product's. The time is the process's CPU time, the
best of several on short texts, without the start of Python. Git is measured as a whole process.
"""

import json
import re
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter, process_time

from engine.revision.aligning.tokens import tokens_of
from engine.revision.diff import compare
from tests.benchmarks.diff_texts import Pair
from tests.revision.scripts import assert_sound

ROOT = Path(__file__).parents[2]
SHORT, ENOUGH_S, MOST_ROUNDS = 30_000, 0.3, 50
"""Up to so many characters the best of several is taken: as many as fit into this time, and no more than that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """What an engine marks as changed."""

    characters: int
    """Deleted and inserted."""
    hunks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What an engine took for a pair."""

    seconds: float
    raw: Marked
    display: Marked
    """The same as `raw` in engines that know one script only."""
    peak: int
    """Bytes held at most beyond the texts; 0 where it is not measured."""


Found = tuple[Marked, Marked]


def ours(old: str, new: str) -> Found:
    """The product's engine: both scripts and the moves."""
    found = compare(old, new)
    raw, display = (
        Marked(characters=script.deleted + script.inserted, hunks=len(script.hunks))
        for script in (found.raw, found.display)
    )
    return raw, display


def _by_opcodes(matcher: Callable[..., SequenceMatcher[str]], autojunk: bool) -> Callable[[str, str], Found]:
    def run(old: str, new: str) -> Found:
        olds, news = tokens_of(old), tokens_of(new)
        codes = [
            code
            for code in matcher(None, olds.items, news.items, autojunk=autojunk).get_opcodes()
            if code[0] != "equal"
        ]
        characters = sum(
            olds.starts[old_end] - olds.starts[old_start] + news.starts[new_end] - news.starts[new_start]
            for _, old_start, old_end, new_start, new_end in codes
        )
        marked = Marked(characters=characters, hunks=len(codes))
        return marked, marked

    return run


def _cydifflib(old: str, new: str) -> Found:
    return _by_opcodes(import_module("cydifflib").SequenceMatcher, autojunk=False)(old, new)


def _diff_match_patch(old: str, new: str) -> Found:
    """As it comes: at most a second, in characters."""
    pieces = import_module("diff_match_patch").diff_match_patch().diff_main(old, new)
    hunks = sum(kind != 0 and (place == 0 or pieces[place - 1][0] == 0) for place, (kind, _) in enumerate(pieces))
    marked = Marked(characters=sum(len(text) for kind, text in pieces if kind), hunks=hunks)
    return marked, marked


def _git(old: str, new: str) -> Found:
    """Words of letters, else single characters; spaces and line ends are not compared."""
    with tempfile.TemporaryDirectory(prefix="words-") as folder:
        paths = [Path(folder) / name for name in ("old", "new")]
        for path, text in zip(paths, (old, new), strict=True):
            path.write_bytes(text.encode())
        words = "--word-diff-regex=[A-Za-z0-9_]+|[^[:space:]]"
        command = ["git", "diff", "--no-index", "--no-color", "--word-diff=porcelain", words, *map(str, paths)]
        told = subprocess.run(
            command, capture_output=True, env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}, check=False
        )
    if told.returncode not in (0, 1):
        raise RuntimeError(told.stderr.decode(errors="replace"))
    lines = re.sub(r"\A(?:(?!@@).*\n)*", "", told.stdout.decode(errors="replace")).split("\n")
    changed = [line[:1] in ("+", "-") for line in lines]
    hunks = sum(here and not before for before, here in zip([False, *changed], changed, strict=False))
    marked = Marked(characters=sum(len(line) - 1 for line in lines if line[:1] in ("+", "-")), hunks=hunks)
    return marked, marked


OURS, DIFFLIB, AUTOJUNK, CYDIFFLIB, MATCH_PATCH, GIT = (
    "ours",
    "difflib",
    "difflib autojunk",
    "cydifflib",
    "diff-match-patch",
    "git word-diff",
)
ENGINES: Mapping[str, Callable[[str, str], Found]] = {
    OURS: ours,
    DIFFLIB: _by_opcodes(SequenceMatcher, autojunk=False),
    AUTOJUNK: _by_opcodes(SequenceMatcher, autojunk=True),
    CYDIFFLIB: _cydifflib,
    MATCH_PATCH: _diff_match_patch,
    GIT: _git,
}
NEEDED = {CYDIFFLIB: "cydifflib", MATCH_PATCH: "diff_match_patch"}
"""What must be installed for an engine; the optional extra `bench` does."""


def is_installed(engine: str) -> bool:
    """Whether an engine can run here."""
    return engine not in NEEDED or find_spec(NEEDED[engine]) is not None


def run_in_child(engine: str, pair: Pair, limit_s: float) -> Run | None:
    """What the engine took; None when it was ended after `limit_s` seconds."""
    with tempfile.TemporaryDirectory(prefix="pair-") as folder:
        paths = [Path(folder) / name for name in ("old", "new")]
        for path, text in zip(paths, (pair.old, pair.new), strict=True):
            path.write_bytes(text.encode())
        command = [sys.executable, "-m", "tests.benchmarks.diff_rivals", engine, *map(str, paths)]
        try:
            told = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=limit_s, check=True, text=True)
        except subprocess.TimeoutExpired:
            return None
    given = json.loads(told.stdout)
    raw, display = (Marked(**given[name]) for name in ("raw", "display"))
    return Run(seconds=given["seconds"], raw=raw, display=display, peak=given["peak"])


def engine_run(engine: str, old: str, new: str) -> Run:
    """Run an engine here, as often as the length of the texts allows."""
    run = ENGINES[engine]
    clock = perf_counter if engine == GIT else process_time
    short = max(len(old), len(new)) <= SHORT
    run(*((old, new) if short else ("warm", "up")))
    taken: list[float] = []
    for _ in range(MOST_ROUNDS if short else 1):
        if sum(taken) > ENOUGH_S:
            break
        begun = clock()
        raw, display = run(old, new)
        taken.append(clock() - begun)
    if engine == OURS:
        assert_sound(compare(old, new))
    return Run(seconds=min(taken), raw=raw, display=display, peak=_peak(run, old, new) if engine == OURS else 0)


def _peak(run: Callable[[str, str], Found], old: str, new: str) -> int:
    tracemalloc.start()
    run(old, new)
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def main() -> None:
    """Print what an engine took."""
    engine, *paths = sys.argv[1:]
    found = engine_run(engine, *(Path(path).read_bytes().decode() for path in paths))
    given = {
        "seconds": found.seconds,
        "peak": found.peak,
        **{
            name: {"characters": each.characters, "hunks": each.hunks}
            for name, each in (("raw", found.raw), ("display", found.display))
        },
    }
    print(json.dumps(given))  # noqa: T201 - what it is for


if __name__ == "__main__":
    main()
