"""Plays the writing of texts of the demo through the real store."""

from engine.domain.artifact import NewVersion, VersionAuthor, VersionReason
from engine.domain.people import LOCAL_VIEWER, Owned
from engine.revision.preference_desk import PreferenceDesk
from engine.scenarios.demo_steps import Write, WriteAgain
from engine.work.artifact_store import ArtifactStore


class DemoWriting:
    """Remembers which versions each text of one owner has."""

    def __init__(
        self, artifacts: ArtifactStore, preferences: PreferenceDesk, owned: Owned, task_id: str | None
    ) -> None:
        self._artifacts = artifacts
        self._preferences = preferences
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
            artifact_id, ids = self._texts[step.path]
            base_id = ids[step.base - 1]
            new = _new(step, step.reason)
            saved = self._artifacts.save(LOCAL_VIEWER, artifact_id, base_id, new, branch=True)
            ids.append(saved.version.version_id)
            self._preferences.learner.learn(LOCAL_VIEWER, artifact_id, saved.version.version_id)

    def version_id(self, path: str, number: int) -> str:
        """One version of a text that was written before."""
        return self._texts[path][1][number - 1]

    def _begin(self, step: Write, begun_from: str | None) -> None:
        artifact, first = self._artifacts.begin(
            LOCAL_VIEWER,
            self._owned,
            _new(step, VersionReason.FIRST),
            kind=step.kind,
            file_name=step.path,
            task_id=self._task_id,
            begun_from=begun_from,
        )
        self._texts[step.path] = artifact.artifact_id, [first.version_id]


def _new(step: Write, reason: VersionReason) -> NewVersion:
    return NewVersion(title=step.title, body=step.body, author=step.author, reason=reason, note=step.note)
