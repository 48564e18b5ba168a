"""Versions of work and the submissions made of them."""

import json
from collections.abc import Collection, Sequence

from sqlalchemy import delete, func, select, update
from sqlmodel import Session, col

from db.rows import add_audit, next_number, put_text
from db.tables import (
    DraftRow,
    LearnerRow,
    ProgressRow,
    ProvenanceRow,
    SubmissionRow,
    TextRow,
    VersionFileRow,
    VersionRow,
)
from engine.access import Action, require
from engine.base_store import Store, remembered
from engine.domain.keys import FeedbackKey
from engine.domain.people import Owned, Viewer
from engine.domain.states import AuthorKind, FileKind, FileState
from engine.domain.work import Provenance, Snapshot, Submission, WorkFile
from engine.errors import NotFound


class Overtaken(Exception):
    """Other work came in before this was stored; nothing was. Made for callers that try again, never shown."""


class WorkStore(Store):
    """What was handed in, in the order in which it was accepted."""

    def hand_in(
        self,
        viewer: Viewer,
        key: FeedbackKey,
        snapshot: Snapshot,
        *,
        token: str | None = None,
        order_known: bool = True,
        provenance: Provenance | None = None,
        after: int | None = None,
    ) -> tuple[Submission, bool]:
        """Store a version and its submission in one transaction, and say whether it is new.

        The submission takes the next `submission_seq` of its key, or none where the original order of an
        import is unknown. The same `token` again, such as the second click on one form, gives the submission
        that it made the first time.

        Raises:
            Overtaken: the newest submission of this key is not number `after`, 0 for none, which it was made from.
        """
        require(viewer, Action.WRITE, Owned(learner_id=key.learner_id, project_id=key.project_id))
        with self._writing() as session:
            # The same form sent twice at one time: the second waits here and then sees the first.
            session.get(LearnerRow, key.learner_id, with_for_update=True)
            earlier = _by_token(session, key, token)
            if earlier is not None:
                return earlier, False
            if after is not None and _newest_seq(session, key) != after:
                raise Overtaken
            version = self._add_version(session, key, snapshot)
            name = f"submission:{json.dumps([key.learner_id, key.project_id, key.task_id])}"
            row = SubmissionRow(
                id=self._new_id(),
                learner_id=key.learner_id,
                project_id=key.project_id,
                task_id=key.task_id,
                submission_seq=next_number(session, name) if order_known else None,
                version_id=version.id,
                snapshot_hash=snapshot.snapshot_hash,
                token=token,
                handed_in_at=self._clock(),
            )
            session.add(row)
            session.flush()
            if provenance is not None:
                session.add(self._provenance_row(session, row, provenance))
            return read_submission(row, version.number), True

    def submission(self, viewer: Viewer, submission_id: str) -> Submission:
        """One submission.

        Raises:
            NotFound: there is none of that id.
        """
        with self._reading() as session:
            found = _submission(session, submission_id)
        require(viewer, Action.READ, Owned(learner_id=found.key.learner_id, project_id=found.key.project_id))
        return found

    def latest_key(self, viewer: Viewer, learner_id: str, project_ids: Collection[str]) -> FeedbackKey | None:
        """Where this learner handed in last, among these projects: a page's starting point, no order of facts."""
        return self._latest_key(viewer, learner_id, tuple(project_ids))

    @remembered
    def _latest_key(self, viewer: Viewer, learner_id: str, project_ids: tuple[str, ...]) -> FeedbackKey | None:
        for project_id in project_ids:
            require(viewer, Action.READ, Owned(learner_id=learner_id, project_id=project_id))
        with self._reading() as session:
            row = session.scalars(
                select(SubmissionRow)
                .where(col(SubmissionRow.learner_id) == learner_id, col(SubmissionRow.project_id).in_(project_ids))
                .order_by(col(SubmissionRow.handed_in_at).desc())
                .limit(1)
            ).first()
        if row is None:
            return None
        return FeedbackKey(learner_id=row.learner_id, project_id=row.project_id, task_id=row.task_id)

    def snapshot(self, viewer: Viewer, submission_id: str) -> Snapshot:
        """The files of a submission, ordered by path; the body of an erased one is empty.

        Raises:
            NotFound: there is no submission of that id.
        """
        with self._reading() as session:
            found = _submission(session, submission_id)
            require(viewer, Action.READ, Owned(learner_id=found.key.learner_id, project_id=found.key.project_id))
            rows = session.execute(
                select(VersionFileRow, col(TextRow.body))
                .outerjoin(TextRow, col(TextRow.id) == col(VersionFileRow.text_id))
                .where(col(VersionFileRow.version_id) == found.version_id)
                .order_by(col(VersionFileRow.position))
            ).all()
        return Snapshot(snapshot_hash=found.snapshot_hash, files=tuple(_read_file(row, body) for row, body in rows))

    @remembered
    def files(self, viewer: Viewer, submission_id: str) -> tuple[WorkFile, ...]:
        """The files of a submission by path, without their texts: `body` is None in all of them.

        Raises:
            NotFound: there is no submission of that id.
        """
        with self._reading() as session:
            found = _readable(session, viewer, submission_id)
            rows = session.scalars(
                select(VersionFileRow)
                .where(col(VersionFileRow.version_id) == found.version_id)
                .order_by(col(VersionFileRow.position))
            ).all()
        return tuple(_read_file(row, None) for row in rows)

    def file(self, viewer: Viewer, submission_id: str, path: str) -> WorkFile:
        """One file of a submission with its text; that of an erased one is empty.

        Raises:
            NotFound: there is no submission of that id, or no such file in it.
        """
        with self._reading() as session:
            found = _readable(session, viewer, submission_id)
            row = session.execute(
                select(VersionFileRow, col(TextRow.body))
                .outerjoin(TextRow, col(TextRow.id) == col(VersionFileRow.text_id))
                .where(col(VersionFileRow.version_id) == found.version_id, col(VersionFileRow.path) == path)
                .order_by(col(VersionFileRow.position))
                .limit(1)
            ).first()
        if row is None:
            raise NotFound("there is no such file in this submission")
        return _read_file(row[0], row[1])

    def token(self, viewer: Viewer, submission_id: str) -> str | None:
        """Of the form or delivery that a submission came by; None where that is not known.

        Raises:
            NotFound: there is no submission of that id.
        """
        with self._reading() as session:
            _readable(session, viewer, submission_id)
            return session.get_one(SubmissionRow, submission_id).token

    @remembered
    def environment_notes(self, viewer: Viewer, submission_id: str) -> tuple[str, ...]:
        """What was handed in about where the work runs, in the order of the files; empty words where it was erased.

        Raises:
            NotFound: there is no submission of that id.
        """
        files = self.files(viewer, submission_id)
        notes = [file.path for file in files if file.kind is FileKind.ENVIRONMENT]
        return tuple(self.file(viewer, submission_id, path).body or "" for path in notes)

    @remembered
    def provenance(self, viewer: Viewer, submission_id: str) -> Provenance | None:
        """The repository and commit its files came from; None where they came otherwise, or it was erased.

        Raises:
            NotFound: there is no submission of that id.
        """
        with self._reading() as session:
            _readable(session, viewer, submission_id)
            row = session.execute(
                select(col(ProvenanceRow.commit_id), col(TextRow.body))
                .join(TextRow, col(TextRow.id) == col(ProvenanceRow.text_id))
                .where(col(ProvenanceRow.submission_id) == submission_id, col(TextRow.erased_at).is_(None))
            ).first()
        if row is None:
            return None
        told = json.loads(row.body)
        return Provenance(address=told["address"], wanted=told["wanted"], commit_id=row.commit_id)

    def erase_person(self, viewer: Viewer, learner_id: str) -> int:
        """Empty every text of a learner, forget drafts, running words, number and address; tells how many texts.

        Facts, hashes and counts stay. One audit row says who did it and when.
        """
        require(viewer, Action.MANAGE, Owned(learner_id=learner_id, project_id=None))
        now = self._clock()
        with self._writing() as session:
            erased: Sequence[str] = session.scalars(
                update(TextRow)
                .where(col(TextRow.owner_id) == learner_id, col(TextRow.erased_at).is_(None))
                .values(body="", erased_at=now)
                .returning(col(TextRow.id))
            ).all()
            session.execute(update(LearnerRow).where(col(LearnerRow.id) == learner_id).values(number=None, email=None))
            session.execute(delete(DraftRow).where(col(DraftRow.owner_id) == learner_id))
            session.execute(delete(ProgressRow).where(col(ProgressRow.owner_id) == learner_id))
            add_audit(
                session,
                audit_id=self._new_id(),
                at=now,
                actor=viewer.person_id,
                action="erase_person",
                subject=learner_id,
                detail=json.dumps({"texts": len(erased)}),
            )
        return len(erased)

    def _add_version(self, session: Session, key: FeedbackKey, snapshot: Snapshot) -> VersionRow:
        parent = session.scalars(
            select(VersionRow)
            .where(
                col(VersionRow.learner_id) == key.learner_id,
                col(VersionRow.project_id) == key.project_id,
                col(VersionRow.task_id) == key.task_id,
            )
            .order_by(col(VersionRow.number).desc())
            .limit(1)
        ).first()
        version = VersionRow(
            id=self._new_id(),
            learner_id=key.learner_id,
            project_id=key.project_id,
            task_id=key.task_id,
            number=next_number(session, f"version:{json.dumps([key.learner_id, key.project_id, key.task_id])}"),
            parent_id=parent.id if parent else None,
            author_kind=AuthorKind.LEARNER,
            reason="handed_in",
            snapshot_hash=snapshot.snapshot_hash,
            made_at=self._clock(),
        )
        session.add(version)
        session.flush()
        session.add_all(
            self._file_row(session, version.id, position, key.learner_id, file)
            for position, file in enumerate(snapshot.files)
        )
        return version

    def _provenance_row(self, session: Session, row: SubmissionRow, provenance: Provenance) -> ProvenanceRow:
        told = json.dumps({"address": provenance.address, "wanted": provenance.wanted}, ensure_ascii=False)
        text_id = put_text(session, text_id=self._new_id(), owner_id=row.learner_id, body=told)
        return ProvenanceRow(submission_id=row.id, commit_id=provenance.commit_id, text_id=text_id)

    def _file_row(
        self, session: Session, version_id: str, position: int, owner_id: str, file: WorkFile
    ) -> VersionFileRow:
        text_id = None
        if file.body is not None:
            text_id = put_text(session, text_id=self._new_id(), owner_id=owner_id, body=file.body)
        return VersionFileRow(
            version_id=version_id,
            position=position,
            path=file.path,
            sha256=file.sha256,
            size_bytes=file.size_bytes,
            kind=file.kind,
            state=file.state,
            text_id=text_id,
        )


def _by_token(session: Session, key: FeedbackKey, token: str | None) -> Submission | None:
    if token is None:
        return None
    found = session.execute(
        select(SubmissionRow, col(VersionRow.number))
        .join(VersionRow, col(VersionRow.id) == col(SubmissionRow.version_id))
        .where(col(SubmissionRow.learner_id) == key.learner_id, col(SubmissionRow.token) == token)
    ).first()
    return read_submission(found[0], found[1]) if found else None


def _newest_seq(session: Session, key: FeedbackKey) -> int:
    newest = select(func.max(col(SubmissionRow.submission_seq))).where(
        col(SubmissionRow.learner_id) == key.learner_id,
        col(SubmissionRow.project_id) == key.project_id,
        col(SubmissionRow.task_id) == key.task_id,
    )
    return session.scalar(newest) or 0


def _readable(session: Session, viewer: Viewer, submission_id: str) -> Submission:
    """One submission, if the viewer may read it."""
    found = _submission(session, submission_id)
    require(viewer, Action.READ, Owned(learner_id=found.key.learner_id, project_id=found.key.project_id))
    return found


def _submission(session: Session, submission_id: str) -> Submission:
    found = session.execute(
        select(SubmissionRow, col(VersionRow.number))
        .join(VersionRow, col(VersionRow.id) == col(SubmissionRow.version_id))
        .where(col(SubmissionRow.id) == submission_id)
    ).first()
    if found is None:
        raise NotFound("there is no such submission")
    return read_submission(found[0], found[1])


def read_submission(row: SubmissionRow, version_number: int) -> Submission:
    """The value of a stored submission."""
    return Submission(
        submission_id=row.id,
        key=FeedbackKey(learner_id=row.learner_id, project_id=row.project_id, task_id=row.task_id),
        submission_seq=row.submission_seq,
        version_id=row.version_id,
        version_number=version_number,
        snapshot_hash=row.snapshot_hash,
        handed_in_at=row.handed_in_at,
    )


def _read_file(row: VersionFileRow, body: str | None) -> WorkFile:
    return WorkFile(
        path=row.path,
        sha256=row.sha256,
        size_bytes=row.size_bytes,
        kind=FileKind(row.kind),
        state=FileState(row.state),
        body=body,
    )
