"""Handing in a version of an artifact, with what else belongs to the work."""

from dataclasses import dataclass

from engine.domain.artifact import Artifact, ArtifactVersion
from engine.domain.keys import FeedbackKey
from engine.domain.people import Viewer
from engine.domain.work import Submission
from engine.errors import ArtifactRefused, NotFound
from engine.jobs.worker import Worker
from engine.review.hand_in import HandedIn, HandInDesk
from engine.sessions.session_store import SessionStore
from engine.work.artifact_store import ArtifactStore
from engine.work.version_files import VersionFiles, files_with
from engine.work.work_store import WorkStore


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionHandIn:
    """A hand-in that is ready to be sent."""

    artifact: Artifact
    version: ArtifactVersion
    key: FeedbackKey
    newest: Submission | None
    """The submission whose files go along; None where this is the first."""
    files: VersionFiles

    @property
    def token(self) -> str:
        """Of this hand-in: twice on the same state of the work it is one submission."""
        return f"{self.version.version_id}:{self.newest.submission_id if self.newest else ''}"


class VersionDesk:
    """Makes submissions of versions."""

    def __init__(self, *, artifacts: ArtifactStore, work: WorkStore, sessions: SessionStore, desk: HandInDesk) -> None:
        self._artifacts = artifacts
        self._work = work
        self._sessions = sessions
        self._desk = desk

    def prepare(self, viewer: Viewer, artifact_id: str, version_id: str) -> VersionHandIn:
        """What would be handed in; nothing is stored.

        Raises:
            NotFound: there is no such version, or its artifact is for no task.
            ArtifactRefused: its words were erased.
        """
        artifact = self._artifacts.artifact(viewer, artifact_id)
        version = self._artifacts.version(viewer, artifact_id, version_id)
        if version.is_erased:
            raise ArtifactRefused("its words were erased", reason="erased")
        key = key_of(artifact)
        if key is None:
            raise NotFound("this text is for no task")
        newest = self._work.newest(viewer, key)
        snapshot = self._work.snapshot(viewer, newest.submission_id) if newest else None
        return VersionHandIn(
            artifact=artifact, version=version, key=key, newest=newest, files=files_with(artifact, version, snapshot)
        )

    def hand_in(self, viewer: Viewer, prepared: VersionHandIn, worker: Worker) -> HandedIn:
        """Store it as a submission that knows its version, tell the newest conversation, and begin the review.

        Raises:
            Overtaken: something else was handed in since it was prepared.
        """
        conversations = self._sessions.conversations(viewer, prepared.key)
        return self._desk.hand_in(
            viewer,
            prepared.key,
            prepared.files.files,
            token=prepared.token,
            worker=worker,
            conversation_id=conversations[0].conversation_id if conversations else None,
            from_version_id=prepared.version.version_id,
            after=(prepared.newest.submission_seq or 0) if prepared.newest else 0,
        )


def key_of(artifact: Artifact) -> FeedbackKey | None:
    """Where an artifact is handed in; None where it is for no learner or no task."""
    learner_id, project_id = artifact.owned.learner_id, artifact.owned.project_id
    if learner_id is None or project_id is None or artifact.task_id is None:
        return None
    return FeedbackKey(learner_id=learner_id, project_id=project_id, task_id=artifact.task_id)
