"""Learns from a version after it was stored and shown: a call of its own, whose failure touches nothing else.

Whoever saves a version hands it over and goes on; nothing of the version waits for what happens here, and
nothing here writes to it. A try that fails is written down as not learned and made again after the next change, and
so is one that never began because the process ended. No version is learned from twice, whoever tries it at one time.
"""

import asyncio
import logging
from dataclasses import dataclass, replace

from engine.domain.artifact import Artifact, ArtifactVersion
from engine.domain.data_message import DataKind, wrap
from engine.domain.learning import ChangeKind, lesson_of
from engine.domain.model_call import CallSubject, CallUse, SentCall
from engine.domain.people import LOCAL_VIEWER, Owned, Viewer, ViewerKind
from engine.domain.preference import (
    Aspect,
    Persona,
    Proposal,
    Scope,
    ScopeLevel,
)
from engine.domain.running import Lease
from engine.domain.session import ChatMessage
from engine.domain.states import Role
from engine.jobs.worker import Worker
from engine.llm.gateway import Gateway
from engine.llm.models import Models
from engine.llm.prompts.learn import LEARN_RULES, LearnedRule, Lesson
from engine.llm.structured import AfterCall, ask_structured
from engine.revision.diff import raw_script
from engine.revision.script import Script
from engine.revision.style.allowed import is_allowed
from engine.revision.style.lesson_store import LessonStore
from engine.revision.style.lessons import BY_HAND, SPOKEN, Findings
from engine.revision.style.persona_store import PersonaStore
from engine.revision.style.preferences import Context
from engine.revision.style.traits import language_of, place_of, read_change
from engine.revision.style.wishes import read_wishes
from engine.sessions.call_store import CallStore
from engine.settings import ModelUse
from engine.work.artifact_store import ArtifactStore

_log = logging.getLogger(__name__)

MOST_RETRIED = 3
"""Earlier versions that are tried again after one change."""
MOST_PLACES = 12
"""Changed places that a model is shown."""
MOST_RULES_LEARNED = 3
_ALONE = Lease(holder="learner", seconds=600)
"""Of learning in the caller's own thread, which nobody renews."""


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

    def __init__(
        self,
        *,
        artifacts: ArtifactStore,
        personas: PersonaStore,
        lessons: LessonStore,
        calls: CallStore,
        models: Models,
    ) -> None:
        self._artifacts = artifacts
        self._personas = personas
        self._lessons = lessons
        self._calls = calls
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
            self._hand_over(viewer, artifact_id, version_id, worker, ())
        except Exception:
            _log.warning("learning could not be begun; the next change tries again", exc_info=True)

    def try_now(self, viewer: Viewer, owned: Owned, *, wait_s: float) -> None:
        """Try what waits to be learned from, as after a change; returns once the oldest was tried, or after `wait_s`.

        Without a worker nothing is tried.
        """
        waiting = [one for one in self._lessons.waiting(viewer, owned) if not one.is_under_way]
        if waiting and self._worker is not None:
            self.begin(viewer, waiting[0].artifact_id, waiting[0].version_id)
            self._worker.wait(lesson_of(waiting[0].version_id), wait_s)

    def interrupt(self, lesson: str) -> None:
        """End a try whose worker is gone; the next change tries again."""
        self._lessons.interrupt(LOCAL_VIEWER, lesson)

    def learn(
        self,
        viewer: Viewer,
        artifact_id: str,
        version_id: str,
        worker: Worker | None = None,
        *,
        tried: tuple[str, ...] = (),
    ) -> None:
        """Learn from a version, then from those that wait, a few one after another; never raises.

        `tried` are the versions that were tried before after the same change.
        """
        try:
            owned = self._try(viewer, artifact_id, version_id, worker)
            if owned is not None:
                self._go_on(viewer, owned, (*tried, version_id), worker)
        except asyncio.CancelledError:
            _log.info("learning was stopped; the next change tries again")
        except Exception:
            _log.warning("what came of learning could not be written down", exc_info=True)

    def _hand_over(
        self, viewer: Viewer, artifact_id: str, version_id: str, worker: Worker, tried: tuple[str, ...]
    ) -> None:
        worker.submit(lesson_of(version_id), lambda: self.learn(viewer, artifact_id, version_id, worker, tried=tried))

    def _go_on(self, viewer: Viewer, owned: Owned, tried: tuple[str, ...], worker: Worker | None) -> None:
        """Try the oldest version that waits and was not tried just now, if there is one."""
        waiting = self._lessons.waiting(viewer, owned) if len(tried) <= MOST_RETRIED else ()
        following = [one for one in waiting if not one.is_under_way and one.version_id not in tried]
        if not following:
            return
        artifact_id, version_id = following[0].artifact_id, following[0].version_id
        if worker is None:
            self.learn(viewer, artifact_id, version_id, tried=tried)
        else:
            self._hand_over(viewer, artifact_id, version_id, worker, tried)

    def _try(self, viewer: Viewer, artifact_id: str, version_id: str, worker: Worker | None) -> Owned | None:
        """One try, written down however it ends; None where a version of this kind teaches nothing."""
        artifact = self._artifacts.artifact(viewer, artifact_id)
        if not _is_own(viewer, artifact):
            return None
        version = self._artifacts.version(viewer, artifact_id, version_id)
        if version.parent_id is None or version.reason not in SPOKEN | BY_HAND or version.is_erased:
            return None
        persona = self._personas.of_owner(viewer, artifact.owned, language_of(version.body))
        lease = _ALONE if worker is None else worker.lease
        if not self._lessons.take(viewer, persona.persona_id, version_id, lease):
            return artifact.owned
        try:
            self._study(viewer, persona, artifact, version, worker)
        except (Exception, asyncio.CancelledError) as error:
            _log.warning("nothing was learned from a version; the next change tries again", exc_info=True)
            self._personas.not_learned(viewer, persona.persona_id, artifact_id, version_id, type(error).__name__)
            if isinstance(error, asyncio.CancelledError):
                raise
        return artifact.owned

    def _study(
        self, viewer: Viewer, persona: Persona, artifact: Artifact, version: ArtifactVersion, worker: Worker | None
    ) -> None:
        """Learn what can be found; what the person's own words state is kept also where a model fails."""
        case = self._case(viewer, artifact, version, version.parent_id or "")
        try:
            findings = self._find(viewer, persona, case, worker)
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

    def _find(self, viewer: Viewer, persona: Persona, case: Case, worker: Worker | None) -> Findings:
        """What a model finds, or, without one, what can be counted; what a model was asked is kept."""
        gateway = self._models.gateway(ModelUse.LEARN)
        if gateway.is_offline or not case.script.hunks:
            return by_counting(case)
        subject = CallSubject(use=CallUse.LEARN, subject_id=persona.persona_id, part=case.version.version_id)

        def keep(sent: SentCall) -> None:
            self._calls.keep(viewer, subject, gateway.model, sent)

        return by_model(case, asyncio.run(_ask(gateway, case, keep, worker)))


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


async def _ask(gateway: Gateway, case: Case, keep: AfterCall, worker: Worker | None) -> Lesson:
    if worker is not None:
        worker.cancel_on_stop(lesson_of(case.version.version_id))
    asked = await ask_structured(
        gateway,
        build_request(case),
        Lesson,
        before_send=lambda body: _log.debug("asking about a change, %d bytes", len(body)),
        after_call=keep,
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
