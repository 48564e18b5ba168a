"""Other ways into a snapshot than a zip: a folder, files that stand elsewhere, a note, and several of them together."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from engine.domain.states import FileKind
from engine.work.decoding import read_file
from engine.work.unpack import Basket, HandIn, HandInLimits, Upload, common_top, junk_of, safe_path

NOTE = "environment-note.txt"
"""The name of what is said of the environment; a file of the work may not have it."""
NOTE_CHARACTERS = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeFile:
    """One file that stands elsewhere and can be read."""

    name: str
    """Its path, not checked yet."""
    size_bytes: int


def read_folder(uploads: Sequence[Upload], limits: HandInLimits | None = None) -> HandIn:
    """Read a folder whose files came one by one under their paths; a zip in it stays a file.

    A single top folder is left away, as of a zip.

    Raises:
        HandInError: nothing of it is taken; `reason` is a `HandInProblem`.
    """
    basket = Basket(limits=limits or HandInLimits())
    paths = [safe_path(upload.name, basket.limits) for upload in uploads]
    top = common_top(paths)
    for path, upload in zip(paths, uploads, strict=True):
        if junk := junk_of(path):
            basket.skipped.add(junk)
        else:
            basket.spend(len(upload.content))
            basket.add(path.removeprefix(top), len(upload.content), upload.content)
    return basket.taken()


def read_tree(
    listed: Sequence[TreeFile],
    read: Callable[[Sequence[TreeFile]], Iterator[bytes]],
    limits: HandInLimits | None = None,
) -> HandIn:
    """Read files of known size from elsewhere; `read` is asked once, when all together are within the limits.

    It is given those that are wanted and gives their contents in that order; of one over the limit the beginning
    is enough. Every file keeps its whole path; a zip stays a file.

    Raises:
        HandInError: nothing of it is taken; `reason` is a `HandInProblem`.
    """
    basket = Basket(limits=limits or HandInLimits())
    wanted: list[tuple[str, TreeFile]] = []
    for file in listed:
        path = safe_path(file.name, basket.limits)
        if junk := junk_of(path):
            basket.skipped.add(junk)
        else:
            basket.spend(file.size_bytes)
            wanted.append((path, file))
            basket.expect(len(wanted))
    for (path, file), content in zip(wanted, read([file for _path, file in wanted]), strict=True):
        basket.add(path, file.size_bytes, content)
    return basket.taken()


def environment_note(words: str) -> HandIn | None:
    """What a person says of system, versions and needs, as a fact of the snapshot; None where nothing is said."""
    said = words.replace("\0", "").strip()[:NOTE_CHARACTERS]
    if not said:
        return None
    file = read_file(NOTE, said.encode("utf-8", "replace"))
    return HandIn(files=(replace(file, kind=FileKind.ENVIRONMENT),), skipped=())


def join(parts: Sequence[HandIn], limits: HandInLimits | None = None) -> HandIn:
    """Several hand-ins as one, within the limits of one.

    Raises:
        HandInError: together they are too large or too many, or one path is in two of them.
    """
    basket = Basket(limits=limits or HandInLimits())
    for part in parts:
        basket.skipped.update(part.skipped)
        for file in part.files:
            basket.spend(file.size_bytes)
            basket.keep(file)
    return basket.taken()
