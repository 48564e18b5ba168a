"""The rules of a person as others need them: for a draft, for an edit, for a tutor's reply, for a page."""

from engine.domain.artifact import ArtifactKind
from engine.domain.clock import Clock
from engine.domain.keys import FeedbackKey
from engine.domain.people import Owned, Viewer
from engine.domain.preference import PersonaRules, Standing, StyleRule
from engine.revision.style.persona_store import PersonaStore
from engine.revision.style.preferences import Context, Moment, choose, for_tutor, judge, sentence_of


class Habits:
    """Answers by the rules that stand at the moment of asking; makes no persona."""

    def __init__(self, *, personas: PersonaStore, clock: Clock) -> None:
        self._personas = personas
        self._clock = clock

    def for_text(self, viewer: Viewer, owned: Owned, kind: ArtifactKind, task_id: str | None) -> tuple[StyleRule, ...]:
        """The rules that go along when a text of this kind is written or changed; none where none are known."""
        known = self._known(viewer, owned)
        return () if known is None else choose(known.rules, self._now(known), Context(kind=kind, task_id=task_id))

    def for_tutor(self, viewer: Viewer, key: FeedbackKey) -> tuple[StyleRule, ...]:
        """The student's rules on language and length that hold everywhere or for this task."""
        known = self._known(viewer, Owned(learner_id=key.learner_id, project_id=key.project_id))
        if known is None:
            return ()
        return for_tutor(choose(known.rules, self._now(known), Context(task_id=key.task_id)))

    def used_in(self, viewer: Viewer, owned: Owned, version_id: str) -> tuple[StyleRule, ...]:
        """The rules that a version was written by, in the words that are in force now; deleted ones included."""
        known = self._known(viewer, owned)
        if known is None:
            return ()
        used = [rule for rule in known.rules if any(use.version_id == version_id for use in rule.uses)]
        return tuple(
            StyleRule(
                rule_id=rule.rule_id,
                dimension=rule.dimension,
                sentence=sentence_of(rule),
                aspect=rule.aspect,
                direction=rule.direction,
            )
            for rule in used
        )

    def standings(self, viewer: Viewer, persona_id: str) -> tuple[Standing, ...]:
        """How each rule of a persona stands, whatever is to be written; see `judge`."""
        known = self._personas.read(viewer, persona_id)
        return judge(known.rules, self._now(known))

    def _known(self, viewer: Viewer, owned: Owned) -> PersonaRules | None:
        persona = self._personas.find(viewer, owned)
        return None if persona is None else self._personas.read(viewer, persona.persona_id)

    def _now(self, known: PersonaRules) -> Moment:
        return Moment(at=self._clock(), edits=known.edits)
