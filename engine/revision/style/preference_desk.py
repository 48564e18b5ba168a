"""Everything about writing style that one database needs, put together."""

from dataclasses import dataclass

from engine.domain.clock import Clock, NewId
from engine.llm.models import Models
from engine.revision.style.drafting import Drafter
from engine.revision.style.habits import Habits
from engine.revision.style.learner import Learner
from engine.revision.style.lesson_store import LessonStore
from engine.revision.style.persona_store import PersonaStore
from engine.sessions.call_store import CallStore
from engine.work.artifact_store import ArtifactStore


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferenceDesk:
    """Personas with what was learned, and who learns and writes by it."""

    personas: PersonaStore
    lessons: LessonStore
    habits: Habits
    learner: Learner
    drafter: Drafter


def open_preferences(
    personas: PersonaStore,
    lessons: LessonStore,
    artifacts: ArtifactStore,
    calls: CallStore,
    models: Models,
    *,
    clock: Clock,
    new_id: NewId,
) -> PreferenceDesk:
    """Put them together."""
    habits = Habits(personas=personas, clock=clock)
    return PreferenceDesk(
        personas=personas,
        lessons=lessons,
        habits=habits,
        learner=Learner(artifacts=artifacts, personas=personas, lessons=lessons, calls=calls, models=models),
        drafter=Drafter(
            artifacts=artifacts, personas=personas, calls=calls, habits=habits, models=models, new_id=new_id
        ),
    )
