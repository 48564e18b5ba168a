"""Artifacts, their versions, and which of those were handed in."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Row, Select, func, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from db.tables import (
    ArtifactRow,
    ArtifactSubmissionRow,
    ArtifactVersionRow,
    LearnerRow,
    ProjectRow,
    SubmissionRow,
    TaskRow,
    TextRow,
)
from engine.access import Action, require
from engine.base_store import Store, remembered
from engine.domain.artifact import (
    Artifact,
    ArtifactEntry,
    ArtifactKind,
    ArtifactVersion,
    NewVersion,
    Saved,
    VersionAuthor,
    VersionDraft,
    VersionHandedIn,
    VersionLine,
    VersionReason,
)
from engine.domain.people import Owned, Viewer
from engine.errors import ArtifactRefused, NotFound, StaleBase
from engine.work.unpack import HandInLimits, safe_path
from engine.work.version_draft_store import drop_version_draft, put_version_draft, version_draft
from engine.work.version_store import (
    append_version,
    artifact_row,
    lines_where,
    newest_of,
    note_rules,
    owner_of,
    read_artifact,
    read_line,
    require_artifact,
    version_of,
    versions_of,
)


class ArtifactStore(Store):
    """Versions are insert-only, and every change is a new one.

    A learner's artifact is read and written by whoever may do so with the learner's work. One without a learner
    is the teachers' of its project alone, reading included.
    """

    def begin(
        self,
        viewer: Viewer,
        owned: Owned,
        first: NewVersion,
        *,
        kind: ArtifactKind,
        file_name: str,
        task_id: str | None = None,
        persona_id: str | None = None,
        begun_from: str | None = None,
        artifact_id: str | None = None,
        rules: Sequence[str] = (),
    ) -> tuple[Artifact, ArtifactVersion]:
        """Store an artifact and its V1 in one transaction.

        The same first text under the same name again is a second click: one artifact. `begun_from` is the
        submission whose file the first text is. `artifact_id` is the id of a new one, where it was told already.
        `rules` are the ids of those of style that the first text was written by; where they cannot be noted they are
        left out, with a line in the log.

        Raises:
            NotFound: there is no such project or task, or the submission is another learner's.
            HandInError: the file name leads outside, or is none.
            ArtifactRefused: another text of these owners has this name, or the words cannot be kept.
        """
        require_artifact(viewer, Action.WRITE, owned)
        path = safe_path(file_name, HandInLimits())
        with self._writing() as session:
            course_id = _check_place(session, owned, task_id, begun_from)
            there = _same_name(session, owned, task_id, path)
            if there is not None:
                return read_artifact(there), _same_first(session, there, first)
            row = ArtifactRow(
                id=artifact_id or self._new_id(),
                course_id=course_id,
                project_id=owned.project_id or "",
                learner_id=owned.learner_id,
                task_id=task_id,
                kind=kind,
                file_name=path,
                persona_id=persona_id,
                begun_from_id=begun_from,
                made_at=self._clock(),
            )
            session.add(row)
            session.flush()
            version = self._append(session, viewer, row, None, first).version
            note_rules(session, version, rules, version.made_at)
            return read_artifact(row), version

    @remembered
    def artifact(self, viewer: Viewer, artifact_id: str) -> Artifact:
        """One artifact.

        Raises:
            NotFound: there is none of that id.
        """
        with self._reading() as session:
            return read_artifact(artifact_row(session, viewer, Action.READ, artifact_id, lock=False))

    @remembered
    def artifacts(self, viewer: Viewer, owned: Owned) -> tuple[ArtifactEntry, ...]:
        """Every artifact of a learner in a project, or of its teachers, the one saved last first."""
        require_artifact(viewer, Action.READ, owned)
        newest = aliased(ArtifactVersionRow)
        number = select(func.max(col(newest.number))).where(col(newest.artifact_id) == col(ArtifactRow.id))
        found = (
            lines_where()
            .add_columns(ArtifactRow)
            .join(ArtifactRow, col(ArtifactRow.id) == col(ArtifactVersionRow.artifact_id))
            .where(
                col(ArtifactVersionRow.number) == number.scalar_subquery(),
                col(ArtifactRow.project_id) == owned.project_id,
                col(ArtifactRow.learner_id).is_(None)
                if owned.learner_id is None
                else col(ArtifactRow.learner_id) == owned.learner_id,
            )
            .order_by(col(ArtifactVersionRow.made_at).desc(), col(ArtifactRow.id))
        )
        with self._reading() as session:
            rows = session.execute(found).all()
        return tuple(ArtifactEntry(artifact=read_artifact(row.ArtifactRow), newest=read_line(row)) for row in rows)

    @remembered
    def versions(self, viewer: Viewer, artifact_id: str) -> tuple[VersionLine, ...]:
        """Every version by number, without their texts.

        Raises:
            NotFound: there is no artifact of that id.
        """
        found = lines_where().where(col(ArtifactVersionRow.artifact_id) == artifact_id)
        with self._reading() as session:
            artifact_row(session, viewer, Action.READ, artifact_id, lock=False)
            rows = session.execute(found.order_by(col(ArtifactVersionRow.number))).all()
        return tuple(read_line(row) for row in rows)

    def version(self, viewer: Viewer, artifact_id: str, version_id: str) -> ArtifactVersion:
        """One version with its text.

        Raises:
            NotFound: there is no artifact of that id, or no such version of it.
        """
        with self._reading() as session:
            artifact_row(session, viewer, Action.READ, artifact_id, lock=False)
            return version_of(session, artifact_id, version_id)

    def chain(self, viewer: Viewer, artifact_id: str) -> tuple[ArtifactVersion, ...]:
        """Every version by number with its text, to be checked or taken away; long.

        Raises:
            NotFound: there is no artifact of that id.
        """
        with self._reading() as session:
            artifact_row(session, viewer, Action.READ, artifact_id, lock=False)
            return versions_of(session, artifact_id)

    def save(
        self,
        viewer: Viewer,
        artifact_id: str,
        base_id: str,
        new: NewVersion,
        *,
        branch: bool = False,
        draft_id: str | None = None,
    ) -> Saved:
        """Store the next version, made from `base_id`, and forget the draft that it was typed as.

        Nothing is new where text and title are those of the newest version or of the base. `branch` says that the
        base may be older than the newest version, and the viewer knows. `draft_id` is the form it was typed in.

        Raises:
            StaleBase: a newer version exists than the base, and no branch was asked for. The text is kept as a
                draft, under the base's id where no form is named.
            NotFound: there is no such artifact, or the base is no version of it.
            ArtifactRefused: the words cannot be kept as they are.
        """
        try:
            with self._writing() as session:
                row = artifact_row(session, viewer, Action.WRITE, artifact_id, lock=True)
                saved = self._append(session, viewer, row, base_id, new, branch=branch)
                drop_version_draft(session, row, viewer, draft_id or base_id)
                return saved
        except StaleBase:
            self._keep_draft(viewer, artifact_id, draft_id or base_id, base_id, new)
            raise

    def restore(self, viewer: Viewer, artifact_id: str, version_id: str, author: VersionAuthor) -> Saved:
        """Store the text of an older version as the next one, made from the newest; nothing is removed.

        Raises:
            NotFound: there is no such artifact, or no such version of it.
            ArtifactRefused: the words of that version were erased.
        """
        with self._writing() as session:
            row = artifact_row(session, viewer, Action.WRITE, artifact_id, lock=True)
            source = version_of(session, artifact_id, version_id)
            if source.is_erased:
                raise ArtifactRefused("its words were erased", reason="erased")
            again = NewVersion(
                title=source.title,
                body=source.body,
                author=author,
                reason=VersionReason.RESTORED,
                note=f"V{source.number}",
                source_id=source.version_id,
            )
            return self._append(session, viewer, row, newest_of(session, artifact_id).version_id, again)

    def join(self, viewer: Viewer, artifact_id: str, newest_id: str, new: NewVersion, *, draft_id: str) -> Saved:
        """Store what became of two texts that were written from one: the next version, made from the newest.

        The base of the draft is its second source, and the note names both. The draft is forgotten.

        Raises:
            StaleBase: yet another version came meanwhile; the draft stays as it is.
            NotFound: there is no such artifact, version or draft.
            ArtifactRefused: the words cannot be kept as they are.
        """
        with self._writing() as session:
            row = artifact_row(session, viewer, Action.WRITE, artifact_id, lock=True)
            draft = version_draft(session, row, viewer, draft_id)
            base, other = (version_of(session, artifact_id, each) for each in (draft.base_id, newest_id))
            joined = NewVersion(
                title=new.title,
                body=new.body,
                author=new.author,
                reason=VersionReason.JOINED,
                note=f"V{base.number} + V{other.number}",
                source_id=base.version_id,
            )
            saved = self._append(session, viewer, row, newest_id, joined)
            drop_version_draft(session, row, viewer, draft_id)
            return saved

    @remembered
    def handed_in(self, viewer: Viewer, artifact_id: str) -> tuple[VersionHandedIn, ...]:
        """Which versions were handed in as what, in the order of the submissions.

        Raises:
            NotFound: there is no artifact of that id.
        """
        found = _handed_in_where().where(col(ArtifactVersionRow.artifact_id) == artifact_id)
        with self._reading() as session:
            artifact_row(session, viewer, Action.READ, artifact_id, lock=False)
            rows = session.execute(found.order_by(col(SubmissionRow.submission_seq))).all()
        return tuple(_read_handed_in(row) for row in rows)

    def sources(self, viewer: Viewer, submission_ids: Collection[str]) -> tuple[VersionHandedIn, ...]:
        """Which of these submissions came from a version, and from which one.

        Raises:
            AccessDenied: one of them is not the viewer's to read.
        """
        return self._sources(viewer, tuple(sorted(submission_ids)))

    @remembered
    def _sources(self, viewer: Viewer, submission_ids: tuple[str, ...]) -> tuple[VersionHandedIn, ...]:
        found = _handed_in_where().where(col(ArtifactSubmissionRow.submission_id).in_(submission_ids))
        with self._reading() as session:
            rows = session.execute(found.order_by(col(SubmissionRow.submission_seq))).all()
        for row in rows:
            require(viewer, Action.READ, Owned(learner_id=row.learner_id, project_id=row.project_id))
        return tuple(_read_handed_in(row) for row in rows)

    def _keep_draft(self, viewer: Viewer, artifact_id: str, draft_id: str, base_id: str, new: NewVersion) -> None:
        with self._writing() as session:
            row = artifact_row(session, viewer, Action.WRITE, artifact_id, lock=False)
            kept = VersionDraft(
                draft_id=draft_id, base_id=base_id, title=new.title, body=new.body, saved_at=self._clock()
            )
            put_version_draft(session, row, viewer, kept)

    def _append(
        self,
        session: Session,
        viewer: Viewer,
        row: ArtifactRow,
        base_id: str | None,
        new: NewVersion,
        *,
        branch: bool = False,
    ) -> Saved:
        return append_version(
            session,
            row,
            base_id,
            new,
            owner_id=owner_of(row, viewer),
            saved_by=viewer.kind,
            new_id=self._new_id,
            at=self._clock(),
            branch=branch,
        )


def _check_place(session: Session, owned: Owned, task_id: str | None, begun_from: str | None) -> str:
    """The course of the project. Whoever begins one more artifact of the same owner at this time waits."""
    project = session.get(ProjectRow, owned.project_id or "", with_for_update=owned.learner_id is None)
    if project is None or (task_id is not None and session.get(TaskRow, (project.id, task_id)) is None):
        raise NotFound("there is no such project or task")
    if owned.learner_id is not None and session.get(LearnerRow, owned.learner_id, with_for_update=True) is None:
        raise NotFound("there is no such learner")
    if begun_from is not None:
        submission = session.get(SubmissionRow, begun_from)
        if submission is None or (submission.learner_id, submission.project_id) != (owned.learner_id, project.id):
            raise NotFound("there is no such submission")
    return project.course_id


def _same_name(session: Session, owned: Owned, task_id: str | None, path: str) -> ArtifactRow | None:
    """The artifact of the same owner for the same task under this name."""
    found = select(ArtifactRow).where(
        col(ArtifactRow.project_id) == owned.project_id,
        col(ArtifactRow.file_name) == path,
        col(ArtifactRow.learner_id).is_not_distinct_from(owned.learner_id),
        col(ArtifactRow.task_id).is_not_distinct_from(task_id),
    )
    return session.scalars(found).first()


def _same_first(session: Session, there: ArtifactRow, first: NewVersion) -> ArtifactVersion:
    """V1 of an artifact, if it is `first`."""
    known = versions_of(session, there.id)[0]
    if (known.title, known.body) != (first.title.strip(), first.body):
        raise ArtifactRefused("there is a text of this name", reason="taken", name=there.file_name)
    return known


def _handed_in_where() -> Select[*tuple[Any, ...]]:
    return (
        select(
            col(ArtifactVersionRow.id).label("version_id"),
            col(ArtifactVersionRow.artifact_id),
            col(ArtifactVersionRow.number),
            col(TextRow.body).label("title"),
            col(SubmissionRow.id).label("submission_id"),
            col(SubmissionRow.submission_seq),
            col(SubmissionRow.learner_id),
            col(SubmissionRow.project_id),
        )
        .join(ArtifactSubmissionRow, col(ArtifactSubmissionRow.version_id) == col(ArtifactVersionRow.id))
        .join(SubmissionRow, col(SubmissionRow.id) == col(ArtifactSubmissionRow.submission_id))
        .join(TextRow, col(TextRow.id) == col(ArtifactVersionRow.title_text_id))
    )


def _read_handed_in(row: Row[*tuple[Any, ...]]) -> VersionHandedIn:
    return VersionHandedIn(
        version_id=row.version_id,
        artifact_id=row.artifact_id,
        number=row.number,
        title=row.title,
        submission_id=row.submission_id,
        submission_seq=row.submission_seq,
    )
