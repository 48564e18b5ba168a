"""Whether a chain of versions is whole, and how its branches lie beside one another."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine.domain.artifact import ArtifactVersion, VersionLine, VersionReason, hash_version


class ChainProblem(StrEnum):
    """What can be wrong with a version in its chain."""

    NUMBER = "number"
    """The numbers are not 1, 2, 3 … up to here."""
    ROOT = "root"
    """It has no parent and is not the first, or is the first and has one."""
    PARENT = "parent"
    """Its parent is not in the chain, or not before it."""
    PARENT_HASH = "parent_hash"
    """It names another hash than its parent has."""
    HASH = "hash"
    """Its words are not those that it was saved with."""
    SOURCE = "source"
    """It was restored from a version that is not before it, or that says something else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainFault:
    """One thing that is wrong with one version."""

    number: int
    problem: ChainProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainReport:
    """What checking a chain came to."""

    versions: int
    unchecked: tuple[int, ...]
    """Numbers of the versions whose words were erased: their hash cannot be made again, which is no fault."""
    faults: tuple[ChainFault, ...]
    """By number."""

    @property
    def is_whole(self) -> bool:
        """Whether nothing is wrong with what can be checked."""
        return not self.faults


def verify_chain(chain: Sequence[ArtifactVersion]) -> ChainReport:
    """Check numbers, parents and hashes of one artifact's versions, all of which are given, in any order."""
    ordered = sorted(chain, key=lambda one: one.number)
    by_id = {one.version_id: one for one in ordered}
    return ChainReport(
        versions=len(ordered),
        unchecked=tuple(one.number for one in ordered if one.is_erased),
        faults=tuple(
            ChainFault(number=one.number, problem=problem)
            for place, one in enumerate(ordered, start=1)
            for problem in _problems(one, place, by_id)
        ),
    )


def _problems(one: ArtifactVersion, place: int, by_id: Mapping[str, ArtifactVersion]) -> Iterator[ChainProblem]:
    if one.number != place:
        yield ChainProblem.NUMBER
    if (one.parent_id is None) != (place == 1):
        yield ChainProblem.ROOT
    parent = _earlier(one, one.parent_id, by_id)
    if one.parent_id is not None and parent is None:
        yield ChainProblem.PARENT
    if one.parent_hash != (parent.version_hash if parent else None):
        yield ChainProblem.PARENT_HASH
    if not one.is_erased and one.version_hash != _hash(one):
        yield ChainProblem.HASH
    if not _has_its_source(one, _earlier(one, one.source_id, by_id)):
        yield ChainProblem.SOURCE


def _earlier(
    one: ArtifactVersion, version_id: str | None, by_id: Mapping[str, ArtifactVersion]
) -> ArtifactVersion | None:
    """The version of that id, if it comes before this one."""
    found = by_id.get(version_id or "")
    return found if found is not None and found.number < one.number else None


def _hash(one: ArtifactVersion) -> str:
    return hash_version(
        parent_hash=one.parent_hash,
        author=one.author,
        reason=one.reason,
        note=one.note,
        title=one.title,
        body=one.body,
    )


def _has_its_source(one: ArtifactVersion, source: ArtifactVersion | None) -> bool:
    """Whether a second source that is named is there, and a restored text is that of its source."""
    if one.source_id is None:
        return True
    if source is None:
        return False
    is_told = not (one.is_erased or source.is_erased)
    return (
        one.reason is not VersionReason.RESTORED or not is_told or (one.title, one.body) == (source.title, source.body)
    )


def lanes_of(lines: Sequence[VersionLine]) -> dict[str, int]:
    """Beside which line each version is drawn, by its id: 0 for the trunk, 1, 2 … for branches in order of beginning.

    A version lies on the way to the newest one that came out of it; versions on the same way share a lane. The
    trunk is the way from the first to the newest. `lines` are by number.
    """
    tips: dict[str, int] = {}
    for line in reversed(lines):
        tips.setdefault(line.version_id, line.number)
        if line.parent_id is not None:
            tips[line.parent_id] = max(tips.get(line.parent_id, 0), tips[line.version_id])
    lanes: dict[int, int] = {}
    return {line.version_id: lanes.setdefault(tips[line.version_id], len(lanes)) for line in lines}
