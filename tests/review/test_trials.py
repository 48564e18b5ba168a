"""A check is tried on stored hand-ins, and nothing is stored of it."""

from dataclasses import dataclass

from engine.domain.course import CheckSpec
from engine.domain.people import LOCAL_VIEWER, Viewer
from engine.domain.states import FileKind
from engine.domain.work import Snapshot, take_snapshot
from engine.read_cache import ReadCache
from engine.review.trials import TRIED_AT_MOST, Trial, Trials
from engine.work.work_store import WorkStore
from tests.review.builders import a_file, case, suite

README = CheckSpec(name="file_exists", params={"path": "README*"})
TESTS = CheckSpec(name="ci_tests", params={"tests": "test_login"})


@dataclass
class Kept(WorkStore):
    """Hand-ins that were kept, by id, and which of them were read."""

    snapshots: dict[str, Snapshot]
    read: list[str]

    def snapshot(self, viewer: Viewer, submission_id: str) -> Snapshot:  # noqa: ARG002 - a store's signature
        self.read.append(submission_id)
        return self.snapshots[submission_id]


def trials_of(*snapshots: Snapshot) -> tuple[Trials, Kept, list[str]]:
    kept = Kept(snapshots={str(n): snapshot for n, snapshot in enumerate(snapshots)}, read=[])
    return Trials(work=kept, reads=ReadCache(lambda: 1)), kept, list(kept.snapshots)


def test_a_check_says_on_how_many_of_the_newest_hand_ins_it_would_be_met() -> None:
    with_readme, without = take_snapshot((a_file("README.md", "x"),)), take_snapshot((a_file("a.py", "x"),))
    trials, _kept, ids = trials_of(without, with_readme, with_readme)
    assert trials.try_checks(LOCAL_VIEWER, [README], ids) == (Trial(met=2, of=3, first_open="file_missing"),)
    assert trials.try_checks(LOCAL_VIEWER, [README], ids[1:]) == (Trial(met=2, of=2, first_open=None),)


def test_the_newest_open_one_tells_why_a_test_would_not_be_met() -> None:
    report = a_file("report.xml", suite(case("test_other")), FileKind.REPORT)
    trials, _kept, ids = trials_of(take_snapshot((report,)), take_snapshot((a_file("a.py", "x"),)))
    assert trials.try_checks(LOCAL_VIEWER, [TESTS], ids) == (Trial(met=0, of=2, first_open="no_matching_test"),)
    assert trials.try_checks(LOCAL_VIEWER, [TESTS], ids[1:]) == (Trial(met=0, of=1, first_open="no_report"),)


def test_a_check_that_is_called_wrongly_and_no_hand_ins_say_nothing() -> None:
    trials, kept, ids = trials_of(take_snapshot((a_file("README.md", "x"),)))
    unknown, broken = CheckSpec(name="gone"), CheckSpec(name="pattern_present", params={"pattern": "(", "files": "*"})
    assert trials.try_checks(LOCAL_VIEWER, [unknown, broken, README], ids) == (
        None,
        None,
        Trial(met=1, of=1, first_open=None),
    )
    assert trials.try_checks(LOCAL_VIEWER, [README, TESTS], []) == (None, None)
    assert kept.read == ["0"]


def test_only_the_newest_are_tried_and_each_is_read_once_however_many_checks_there_are() -> None:
    trials, kept, ids = trials_of(*[take_snapshot((a_file("README.md", "x"),))] * (TRIED_AT_MOST + 5))
    (first, second) = trials.try_checks(LOCAL_VIEWER, [README, TESTS], ids)
    assert first is not None
    assert second is not None
    assert (first.of, second.of) == (TRIED_AT_MOST, TRIED_AT_MOST)
    trials.try_checks(LOCAL_VIEWER, [README, TESTS], ids)
    assert kept.read == ids[:TRIED_AT_MOST]
