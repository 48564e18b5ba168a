"""Learns from a version after it was stored and shown: a call of its own, whose failure touches nothing else.

Whoever saves a version hands it over and goes on; nothing of the version waits for what happens here, and
nothing here writes to it. A try that fails is written down as not learned and made again after the next change.
"""

import asyncio
import logging
from dataclasses import dataclass, replace

from engine.domain.artifact import Artifact, ArtifactVersion
from engine.domain.data_message import DataKind, wrap
from engine.domain.people import Viewer, ViewerKind
from engine.domain.preference import Aspect, ChangeKind, Persona, Proposal, Scope, ScopeLevel
from engine.domain.session import ChatMessage
from engine.domain.states import Role
from engine.jobs.worker import Worker
from engine.llm.models import Models
from engine.llm.prompts.learn import LEARN_RULES, LearnedRule, Lesson
from engine.llm.structured import ask_structured
from engine.revision.diff import raw_script
from engine.revision.script import Script
from engine.revision.style.allowed import is_allowed
from engine.revision.style.lessons import BY_HAND, SPOKEN, Findings
from engine.revision.style.persona_store import PersonaStore
from engine.revision.style.preferences import Context
from engine.revision.style.traits import language_of, place_of, read_change
from engine.revision.style.wishes import read_wishes
from engine.settings import ModelUse
from engine.work.artifact_store import ArtifactStore

_log = logging.getLogger(__name__)

MOST_RETRIED = 3
"""Earlier versions that are tried again after one change."""
MOST_PLACES = 12
"""Changed places that a model is shown."""
MOST_RULES_LEARNED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A version that may teach something, and what it was made from."""

    artifact: Artifact
    version: ArtifactVersion
    script: Script
    said: tuple[Proposal, ...]
    """What the person's words state, by set rules."""

    @property
    def is_by_hand(self) -> bool:
        """Whether a person wrote the change."""
        return self.version.reason in BY_HAND

    @property
    def words(self) -> str:
        """What the person said about it; empty where nothing was said."""
        return self.version.note if self.version.reason in SPOKEN else ""

    @property
    def context(self) -> Context:
        """What the text is for."""
        return Context(kind=self.artifact.kind, task_id=self.artifact.task_id)

    @property
    def scope(self) -> Scope:
        """How far a rule reaches that was only seen: to texts of this kind."""
        return Scope(ScopeLevel.KIND, self.artifact.kind)


class Learner:
    """Learns from versions, one after another in the order of coming."""

    def __init__(self, *, artifacts: ArtifactStore, personas: PersonaStore, models: Models) -> None:
        self._artifacts = artifacts
        self._personas = personas
        self._models = models
        self._worker: Worker | None = None

    def attach(self, worker: Worker) -> None:
        """Learn in the threads of `worker` from now on; without one nothing is learned."""
        self._worker = worker

    def begin(self, viewer: Viewer, artifact_id: str, version_id: str) -> None:
        """Learn from a version that was stored, in a thread of its own; never raises, never waits."""
        worker = self._worker
        if worker is None:
            return
        try:
            worker.submit(f"learn:{version_id}", lambda: self.learn(viewer, artifact_id, version_id, worker))
        except Exception:
            _log.warning("learning could not be begun; the next change tries again", exc_info=True)

    def learn(self, viewer: Viewer, artifact_id: str, version_id: str, worker: Worker | None = None) -> None:
        """Learn from a version, then from those that failed before; never raises."""
        try:
            persona = self._try(viewer, artifact_id, version_id, worker)
            if persona is None:
                return
            for failed in self._personas.to_retry(viewer, persona.persona_id, limit=MOST_RETRIED):
                if failed.version_id != version_id:
                    self._try(viewer, failed.artifact_id, failed.version_id, worker)
        except asyncio.CancelledError:
            _log.info("learning was stopped; the next change tries again")
        except Exception:
            _log.warning("what came of learning could not be written down", exc_info=True)

    def _try(self, viewer: Viewer, artifact_id: str, version_id: str, worker: Worker | None) -> Persona | None:
        """One try, written down however it ends; None where a version of this kind teaches nothing."""
        artifact = self._artifacts.artifact(viewer, artifact_id)
        if not _is_own(viewer, artifact):
            return None
        version = self._artifacts.version(viewer, artifact_id, version_id)
        if version.parent_id is None or version.reason not in SPOKEN | BY_HAND or version.is_erased:
            return None
        persona = self._personas.of_owner(viewer, artifact.owned, language_of(version.body))
        try:
            self._study(viewer, persona, artifact, version, worker)
        except (Exception, asyncio.CancelledError) as error:
            _log.warning("nothing was learned from a version; the next change tries again", exc_info=True)
            self._personas.not_learned(viewer, persona.persona_id, artifact_id, version_id, type(error).__name__)
            if isinstance(error, asyncio.CancelledError):
                raise
        return persona

    def _study(
        self, viewer: Viewer, persona: Persona, artifact: Artifact, version: ArtifactVersion, worker: Worker | None
    ) -> None:
        """Learn what can be found; what the person's own words state is kept also where a model fails."""
        case = self._case(viewer, artifact, version, version.parent_id or "")
        try:
            findings = self._find(case, version.version_id, worker)
        except (Exception, asyncio.CancelledError):
            if case.said:
                stated = Findings(change=ChangeKind.STYLE, said=case.said, words=case.words)
                self._keep(viewer, persona, case, stated)
            raise
        self._keep(viewer, persona, case, findings)

    def _case(self, viewer: Viewer, artifact: Artifact, version: ArtifactVersion, parent_id: str) -> Case:
        parent = self._artifacts.version(viewer, artifact.artifact_id, parent_id)
        script = raw_script(parent.body, version.body)
        before, after = place_of(script, script.hunks[0]) if script.hunks else ("", "")
        words = version.note if version.reason in SPOKEN else ""
        said = tuple(replace(wish, before=before, after=after) for wish in read_wishes(words))
        return Case(artifact=artifact, version=version, script=script, said=said)

    def _keep(self, viewer: Viewer, persona: Persona, case: Case, findings: Findings) -> None:
        version = case.version
        self._personas.learn(
            viewer, persona.persona_id, version.artifact_id, version.version_id, findings, case.context
        )

    def _find(self, case: Case, version_id: str, worker: Worker | None) -> Findings:
        """What a model finds, or, without one, what can be counted."""
        gateway = self._models.gateway(ModelUse.LEARN)
        if gateway.is_offline or not case.script.hunks:
            return by_counting(case)
        asking = _ask(self._models, case, version_id, worker)
        return by_model(case, asyncio.run(asking))


def _is_own(viewer: Viewer, artifact: Artifact) -> bool:
    """Whether what the viewer writes tells of the owner's style: a teacher's hand in a student's text does not."""
    return artifact.owned.learner_id is None or viewer.kind is not ViewerKind.TEACHER


def by_counting(case: Case) -> Findings:
    """What set rules find in the words, and in a change by hand."""
    reading = read_change(case.script, case.scope)
    change = ChangeKind.STYLE if case.said else reading.change if case.is_by_hand else ChangeKind.ONE_OFF
    return Findings(
        change=change,
        said=case.said,
        seen=reading.proposals if case.is_by_hand else (),
        words=case.words,
        is_by_hand=case.is_by_hand,
    )


def by_model(case: Case, lesson: Lesson) -> Findings:
    """What a model found, as far as it can be shown; what the person's words state by set rules stands in any case."""
    places = [place_of(case.script, hunk) for hunk in case.script.hunks]
    is_style = lesson.change is ChangeKind.STYLE
    found = [_shown(case, rule, places) for rule in lesson.rules[:MOST_RULES_LEARNED]] if is_style else []
    said = {one.aspect for one in case.said}
    shown = [(rule, one) for rule, one in zip(lesson.rules, found, strict=False) if one is not None]
    return Findings(
        change=ChangeKind.STYLE if case.said else lesson.change,
        said=(*case.said, *(one for rule, one in shown if rule.source == "words" and one.aspect not in said)),
        seen=tuple(one for rule, one in shown if rule.source == "change"),
        words=case.words,
        is_by_hand=case.is_by_hand,
    )


def _shown(case: Case, rule: LearnedRule, places: list[tuple[str, str]]) -> Proposal | None:
    """A rule whose words are allowed and whose quote stands where it should; None otherwise."""
    quote = _even(rule.quote)
    if not is_allowed(rule.sentence) or not quote or (rule.source == "change" and not case.is_by_hand):
        return None
    telling = [place for place in places if any(quote in _even(side) for side in place)]
    if rule.source == "words":
        if quote not in _even(case.words):
            return None
        telling = telling or places
    if not telling:
        return None
    before, after = telling[0]
    is_other = rule.aspect is Aspect.OTHER
    scope = Scope() if rule.source == "words" else case.scope
    return Proposal(
        aspect=rule.aspect,
        direction=rule.direction if not is_other else rule.direction.MORE,
        sentence=rule.sentence,
        scope=scope,
        before=before,
        after=after,
    )


def _even(words: str) -> str:
    return " ".join(words.casefold().split())


async def _ask(models: Models, case: Case, version_id: str, worker: Worker | None) -> Lesson:
    if worker is not None:
        worker.cancel_on_stop(f"learn:{version_id}")
    asked = await ask_structured(
        models.gateway(ModelUse.LEARN),
        build_request(case),
        Lesson,
        before_send=lambda body: _log.debug("asking about a change, %d bytes", len(body)),
    )
    return asked.value


def build_request(case: Case) -> tuple[ChatMessage, ...]:
    """Our rules, then the change as data."""
    places = [place_of(case.script, hunk) for hunk in case.script.hunks[:MOST_PLACES]]
    data = {
        "said": case.words,
        "by": "hand" if case.is_by_hand else "request",
        "kind": case.artifact.kind.value,
        "places": [{"before": before, "after": after} for before, after in places],
    }
    return (
        ChatMessage(role=Role.SYSTEM, content=LEARN_RULES),
        ChatMessage(role=Role.USER, content=wrap(DataKind.CHANGE, data)),
    )
