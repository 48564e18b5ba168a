"""One row of the fault table: how it is played and what must be true of every one."""

from collections.abc import Callable
from dataclasses import dataclass

from engine.domain.people import LOCAL_VIEWER
from engine.domain.states import CriterionStatus
from engine.scenarios.faults_scene import FaultRig, FaultScene, FaultStage, Seen, is_failure


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultRow:
    """What was done, what the person was told, and what came of it."""

    name: str
    told: str
    kept: bool
    """Whether all that was stored before is there still, and what was given meanwhile is as it should be."""
    no_failure: bool
    """Whether nothing says that the student failed."""
    no_score: bool
    """Whether nothing was judged: a verdict that is still open is none."""
    as_expected: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultCase:
    """One row before it is played."""

    name: str
    expected: str
    """Stands in what the person is told."""
    play: Callable[[FaultScene], Seen]
    """Lets it go wrong and says what was seen."""
    fails: bool = False
    """Whether the student's own work fails here, so that there must be a failure."""

    def row(self, rig: FaultRig, healthy: FaultStage, number: int) -> FaultRow:
        """Play it with a learner of its own, then look at everything that is stored."""
        scene = FaultScene(rig, healthy, number)
        seen = self.play(scene)
        kept = seen.kept and scene.before <= scene.facts()
        no_failure, no_score = _no_failure(scene), _no_score(scene)
        as_wanted = (no_failure, no_score) == (not self.fails, not self.fails)
        return FaultRow(
            name=self.name,
            told=seen.told,
            kept=kept,
            no_failure=no_failure,
            no_score=no_score,
            as_expected=self.expected in seen.told and kept and as_wanted,
        )


def _no_failure(scene: FaultScene) -> bool:
    feedback = scene.healthy.tutor.current_feedback(LOCAL_VIEWER, scene.key)
    told = {feedback.verdict, *(item.status for item in feedback.items)}
    return CriterionStatus.FAIL not in told and not any(map(is_failure, scene.new_records()))


def _no_score(scene: FaultScene) -> bool:
    return all(record.verdict is CriterionStatus.NEED_REVIEW for record in scene.new_records())
