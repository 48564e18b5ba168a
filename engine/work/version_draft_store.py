"""Texts on their way to become a version, kept as they are typed."""

import json
from datetime import datetime

from sqlalchemy import select
from sqlmodel import Session, col

from db.rows import drop_draft, put_draft
from db.tables import ArtifactRow, DraftRow
from engine.access import Action
from engine.base_store import Store
from engine.domain.artifact import VersionDraft
from engine.domain.people import Viewer
from engine.errors import NotFound
from engine.work.version_store import artifact_row, owner_of


class VersionDraftStore(Store):
    """Each person has drafts of their own, one for each form; they go with the words of the text's owner."""

    def keep(
        self,
        viewer: Viewer,
        artifact_id: str,
        draft_id: str,
        base_id: str,
        *,
        title: str,
        body: str,
        is_branch: bool = False,
        choices: str = "",
    ) -> None:
        """Keep what is being typed in one form, over what was kept of it before.

        Raises:
            NotFound: there is no artifact of that id.
        """
        with self._writing() as session:
            row = artifact_row(session, viewer, Action.WRITE, artifact_id, lock=False)
            draft = VersionDraft(
                draft_id=draft_id,
                base_id=base_id,
                title=title,
                body=body,
                is_branch=is_branch,
                choices=choices,
                saved_at=self._clock(),
            )
            put_version_draft(session, row, viewer, draft)

    def drafts(self, viewer: Viewer, artifact_id: str) -> tuple[VersionDraft, ...]:
        """Everything this person is typing about an artifact, in whatever tab, the latest first.

        Raises:
            NotFound: there is no artifact of that id.
        """
        with self._reading() as session:
            row = artifact_row(session, viewer, Action.READ, artifact_id, lock=False)
            return _drafts(session, row, viewer)

    def drop(self, viewer: Viewer, artifact_id: str, draft_id: str) -> None:
        """Forget what was typed in one form.

        Raises:
            NotFound: there is no artifact of that id.
        """
        with self._writing() as session:
            row = artifact_row(session, viewer, Action.WRITE, artifact_id, lock=False)
            drop_version_draft(session, row, viewer, draft_id)


def put_version_draft(session: Session, row: ArtifactRow, viewer: Viewer, draft: VersionDraft) -> None:
    """Keep a draft over the one of the same form."""
    said = {
        "base": draft.base_id,
        "title": draft.title,
        "body": draft.body,
        "branch": draft.is_branch,
        "choices": draft.choices,
    }
    told = json.dumps(said, ensure_ascii=True)
    subject = f"{_subjects(row, viewer)}{draft.draft_id}"
    put_draft(session, owner_id=owner_of(row, viewer), subject=subject, body=told, at=draft.saved_at)


def drop_version_draft(session: Session, row: ArtifactRow, viewer: Viewer, draft_id: str) -> None:
    """Forget the draft of one form, if there is one."""
    drop_draft(session, owner_id=owner_of(row, viewer), subject=f"{_subjects(row, viewer)}{draft_id}")


def version_draft(session: Session, row: ArtifactRow, viewer: Viewer, draft_id: str) -> VersionDraft:
    """The draft of one form.

    Raises:
        NotFound: there is none.
    """
    found = next((one for one in _drafts(session, row, viewer) if one.draft_id == draft_id), None)
    if found is None:
        raise NotFound("there is no such draft")
    return found


def _drafts(session: Session, row: ArtifactRow, viewer: Viewer) -> tuple[VersionDraft, ...]:
    mine = _subjects(row, viewer)
    found = session.scalars(
        select(DraftRow)
        .where(col(DraftRow.owner_id) == owner_of(row, viewer), col(DraftRow.subject).startswith(mine, autoescape=True))
        .order_by(col(DraftRow.saved_at).desc())
    ).all()
    return tuple(_read(one.subject.removeprefix(mine), one.body, one.saved_at) for one in found)


def _subjects(row: ArtifactRow, viewer: Viewer) -> str:
    """How the subjects of a person's drafts of an artifact begin."""
    return f"artifact:{row.id}:{viewer.person_id}:"


def _read(draft_id: str, body: str, saved_at: datetime) -> VersionDraft:
    told = json.loads(body)
    return VersionDraft(
        draft_id=draft_id,
        base_id=told["base"],
        title=told["title"],
        body=told["body"],
        is_branch=told["branch"],
        choices=told.get("choices", ""),  # a draft of before choices were kept has none
        saved_at=saved_at,
    )
