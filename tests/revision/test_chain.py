"""Whether a chain is whole: every fault is named, what was erased is told, and branches lie beside the trunk."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from engine.domain.artifact import Artifact, ArtifactKind, ArtifactVersion, VersionAuthor, VersionReason, hash_version
from engine.domain.people import Owned
from engine.revision.chain import ChainFault, ChainProblem, lanes_of, verify_chain


def _version(
    number: int,
    parent: ArtifactVersion | None,
    body: str,
    *,
    source: ArtifactVersion | None = None,
    reason: VersionReason = VersionReason.EDITED,
) -> ArtifactVersion:
    parent_hash = parent.version_hash if parent else None
    return ArtifactVersion(
        version_id=f"v{number}",
        artifact_id="a",
        number=number,
        parent_id=parent.version_id if parent else None,
        parent_hash=parent_hash,
        source_id=source.version_id if source else None,
        version_hash=hash_version(
            parent_hash=parent_hash, author=VersionAuthor.STUDENT, reason=reason, note="", title="T", body=body
        ),
        title="T",
        body=body,
        author=VersionAuthor.STUDENT,
        reason=reason,
        note="",
        characters=len(body),
        word_count=1,
        made_at=datetime(2026, 3, 1, tzinfo=UTC),
    )


def a_version(body: str) -> ArtifactVersion:
    """A first version that says this."""
    return _version(1, None, body)


def an_artifact(file_name: str, kind: ArtifactKind = ArtifactKind.REPORT) -> Artifact:
    """A text of a learner."""
    return Artifact(
        artifact_id="a",
        course_id="course",
        owned=Owned(learner_id="ada", project_id="one"),
        task_id="first",
        kind=kind,
        file_name=file_name,
        persona_id=None,
        made_at=datetime(2026, 3, 1, tzinfo=UTC),
    )


def _chain() -> list[ArtifactVersion]:
    """V1 - V2 - V4 - V5 (which is V1 again), and V3 beside V2."""
    first = _version(1, None, "one")
    second = _version(2, first, "two")
    beside = _version(3, first, "beside")
    fourth = _version(4, second, "four")
    again = _version(5, fourth, "one", source=first, reason=VersionReason.RESTORED)
    return [first, second, beside, fourth, again]


def _erased(one: ArtifactVersion) -> ArtifactVersion:
    return replace(one, title="", body="", note="", is_erased=True)


def test_a_chain_as_it_was_saved_is_whole_in_whatever_order_it_comes() -> None:
    report = verify_chain(list(reversed(_chain())))
    assert (report.versions, report.unchecked, report.faults, report.is_whole) == (5, (), (), True)


Change = Callable[[list[ArtifactVersion]], Sequence[ArtifactVersion]]


def _with(number: int, **fields: object) -> Change:
    return lambda chain: [replace(one, **fields) if one.number == number else one for one in chain]  # type: ignore[arg-type]  # each test names fields of their types


BROKEN: dict[str, tuple[Change, list[tuple[int, ChainProblem]]]] = {
    "another text": (_with(2, body="two!"), [(2, ChainProblem.HASH)]),
    "another title": (_with(2, title="U"), [(2, ChainProblem.HASH)]),
    "another author": (_with(2, author=VersionAuthor.MODEL), [(2, ChainProblem.HASH)]),
    "another reason": (_with(4, reason=VersionReason.UPLOADED), [(4, ChainProblem.HASH)]),
    "another note": (_with(4, note="!"), [(4, ChainProblem.HASH)]),
    "another parent": (_with(4, parent_id="v3"), [(4, ChainProblem.PARENT_HASH)]),
    "a parent that comes later": (
        _with(3, parent_id="v4"),
        [(3, ChainProblem.PARENT), (3, ChainProblem.PARENT_HASH)],
    ),
    "a second root": (
        _with(3, parent_id=None, parent_hash=None),
        [(3, ChainProblem.ROOT), (3, ChainProblem.HASH)],
    ),
    "a gap": (
        lambda chain: [one for one in chain if one.number != 3],
        [(4, ChainProblem.NUMBER), (5, ChainProblem.NUMBER)],
    ),
    "an end cut off at the front": (
        lambda chain: [one for one in chain if one.number == 3],
        [(3, problem) for problem in (ChainProblem.NUMBER, ChainProblem.ROOT, ChainProblem.PARENT)]
        + [(3, ChainProblem.PARENT_HASH)],
    ),
    "restored, but something else": (_with(5, source_id="v2"), [(5, ChainProblem.SOURCE)]),
    "restored from nowhere": (_with(5, source_id="gone"), [(5, ChainProblem.SOURCE)]),
    "a text and a hash that fit one another, in the middle": (
        lambda chain: [_version(2, chain[0], "forged") if one.number == 2 else one for one in chain],
        [(4, ChainProblem.PARENT_HASH)],
    ),
}


@pytest.mark.parametrize(("change", "faults"), BROKEN.values(), ids=BROKEN)
def test_each_fault_is_named_with_its_version(change: Change, faults: list[tuple[int, ChainProblem]]) -> None:
    report = verify_chain(change(_chain()))
    assert report.faults == tuple(ChainFault(number=number, problem=problem) for number, problem in faults)
    assert not report.is_whole


def test_erased_words_cannot_be_checked_and_are_no_fault() -> None:
    report = verify_chain([_erased(one) for one in _chain()])
    assert (report.unchecked, report.faults) == ((1, 2, 3, 4, 5), ())


def test_an_erased_version_still_ties_its_children() -> None:
    chain = _chain()
    report = verify_chain([_erased(one) if one.number == 2 else one for one in _with(4, parent_hash="x")(chain)])
    assert [fault.problem for fault in report.faults] == [ChainProblem.PARENT_HASH, ChainProblem.HASH]


def test_no_versions_are_a_whole_chain() -> None:
    assert verify_chain(()).is_whole


def test_branches_lie_beside_the_trunk_that_leads_to_the_newest() -> None:
    assert lanes_of(_chain()) == {"v1": 0, "v2": 0, "v3": 1, "v4": 0, "v5": 0}


def test_a_branch_that_holds_the_newest_is_the_trunk() -> None:
    first = _version(1, None, "one")
    second, third = _version(2, first, "two"), _version(3, first, "three")
    fourth, fifth = _version(4, second, "four"), _version(5, third, "five")
    sixth = _version(6, first, "six")
    lanes = lanes_of([first, second, third, fourth, fifth, sixth])
    assert lanes == {"v1": 0, "v6": 0, "v2": 1, "v4": 1, "v3": 2, "v5": 2}


def test_a_chain_of_thousands_is_laid_out_without_recursion() -> None:
    chain: list[ArtifactVersion] = []
    for number in range(1, 3001):
        chain.append(_version(number, chain[-1] if chain else None, "x"))
    assert set(lanes_of(chain).values()) == {0}
