"""Everything about writing style that one database needs, put together."""

from dataclasses import dataclass

from engine.domain.clock import Clock
from engine.llm.models import Models
from engine.revision.style.drafting import Drafter
from engine.revision.style.habits import Habits
from engine.revision.style.learner import Learner
from engine.revision.style.persona_store import PersonaStore
from engine.work.artifact_store import ArtifactStore


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferenceDesk:
    """Personas with what was learned, and who learns and writes by it."""

    personas: PersonaStore
    habits: Habits
    learner: Learner
    drafter: Drafter


def open_preferences(personas: PersonaStore, artifacts: ArtifactStore, models: Models, clock: Clock) -> PreferenceDesk:
    """Put them together."""
    habits = Habits(personas=personas, clock=clock)
    return PreferenceDesk(
        personas=personas,
        habits=habits,
        learner=Learner(artifacts=artifacts, personas=personas, models=models),
        drafter=Drafter(artifacts=artifacts, personas=personas, habits=habits, models=models),
    )
