"""Plays the writing of texts of the demo, and the talking about them, through the real stores."""

from engine.domain.artifact import NewVersion, VersionAuthor, VersionReason
from engine.domain.edit import SuggestionState
from engine.domain.people import LOCAL_VIEWER, Owned
from engine.domain.running import Lease
from engine.domain.states import Language
from engine.revision.blocks import Document, split_blocks
from engine.revision.editing.editing_store import EditingStore, RunApplied, SuggestionEnd
from engine.revision.editing.operations import Operation, Verb, apply_operations
from engine.revision.editing.scope import Scope, resolve_scope
from engine.revision.editing.telling import revision_facts
from engine.revision.style.preference_desk import PreferenceDesk
from engine.scenarios.demo_steps import Write, WriteAgain
from engine.work.artifact_store import ArtifactStore

_LEASE = Lease(holder="demo", seconds=60)


class DemoWriting:
    """Remembers which versions each text of one owner has."""

    def __init__(
        self,
        artifacts: ArtifactStore,
        edits: EditingStore,
        preferences: PreferenceDesk,
        owned: Owned,
        task_id: str | None,
        language: Language,
    ) -> None:
        self._artifacts = artifacts
        self._edits = edits
        self._preferences = preferences
        self._language = language
        self._owned = owned
        self._task_id = task_id
        self._texts: dict[str, tuple[str, list[str]]] = {}
        """By path: the id of the artifact, and those of its versions by number."""

    def write(self, step: Write | WriteAgain, newest_submission: str) -> None:
        """Store the next version of a text, which may be its first."""
        if isinstance(step, WriteAgain):
            artifact_id, ids = self._texts[step.path]
            source_id = ids[step.number - 1]
            saved = self._artifacts.restore(LOCAL_VIEWER, artifact_id, source_id, VersionAuthor.STUDENT)
            ids.append(saved.version.version_id)
        elif step.base is None:
            self._begin(step, newest_submission if step.is_handed_in else None)
        else:
            self._change(step)
            artifact_id, ids = self._texts[step.path]
            self._preferences.learner.learn(LOCAL_VIEWER, artifact_id, ids[-1])

    def _change(self, step: Write) -> None:
        if step.reason is VersionReason.ASKED and step.base == len(self._texts[step.path][1]):
            self._ask(step)
        else:
            artifact_id, ids = self._texts[step.path]
            base_id = ids[(step.base or 0) - 1]
            saved = self._artifacts.save(LOCAL_VIEWER, artifact_id, base_id, _new(step, step.reason), branch=True)
            ids.append(saved.version.version_id)

    def version_id(self, path: str, number: int) -> str:
        """One version of a text that was written before."""
        return self._texts[path][1][number - 1]

    def _ask(self, step: Write) -> None:
        """The next version by conversation: what the note asks for, as a model has followed it."""
        artifact_id, ids = self._texts[step.path]
        base = self._artifacts.version(LOCAL_VIEWER, artifact_id, ids[-1])
        document, after = (split_blocks(body, is_code=False) for body in (base.body, step.body))
        scope = resolve_scope(step.note, document, base.title)
        scopes = {1: scope} if isinstance(scope, Scope) else {}
        edit = apply_operations(document, base.title, _replacements(document, after), scopes)
        self._edits.suggest(LOCAL_VIEWER, artifact_id, step.note, collect=False)
        run = self._edits.take(LOCAL_VIEWER, artifact_id, _LEASE)
        if run is None or edit.body != step.body:
            raise ValueError(f"the demo's text is not what was asked for: {step.note}")
        rules = self._preferences.habits.for_text(LOCAL_VIEWER, self._owned, step.kind, self._task_id)
        followed = [each.suggestion_id for each in run.suggestions]
        end = RunApplied(
            suggestions=dict.fromkeys(followed, SuggestionEnd(state=SuggestionState.APPLIED)),
            messages=(),
            base_id=base.version_id,
            new=_new(step, step.reason),
            facts=revision_facts(document, edit, scopes, followed, mended=(), answers=1, is_offline=False),
            rules=tuple(rule.rule_id for rule in rules),
        )
        ids.append(self._edits.apply(LOCAL_VIEWER, run, end).version_id)

    def _begin(self, step: Write, begun_from: str | None) -> None:
        persona = self._preferences.personas.of_owner(LOCAL_VIEWER, self._owned, self._language)
        artifact, first = self._artifacts.begin(
            LOCAL_VIEWER,
            self._owned,
            _new(step, VersionReason.FIRST),
            kind=step.kind,
            file_name=step.path,
            task_id=self._task_id,
            persona_id=persona.persona_id,
            begun_from=begun_from,
        )
        self._texts[step.path] = artifact.artifact_id, [first.version_id]


def _replacements(before: Document, after: Document) -> tuple[Operation, ...]:
    """Every block that reads otherwise now; both texts have as many."""
    return tuple(
        Operation(suggestions=(1,), verb=Verb.REPLACE, block=old.number, begins=old.text, text=new.text)
        for old, new in zip(before.blocks, after.blocks, strict=True)
        if old.text != new.text
    )


def _new(step: Write, reason: VersionReason) -> NewVersion:
    return NewVersion(title=step.title, body=step.body, author=step.author, reason=reason, note=step.note)
