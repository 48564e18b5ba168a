"""Versions of artifacts as rows: steps inside the transactions of the stores that save them."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Select, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from db.rows import next_number, put_text, storable
from db.tables import ArtifactRow, ArtifactVersionRow, RuleUseRow, TextRow
from engine.access import Action, require
from engine.domain.artifact import (
    Artifact,
    ArtifactKind,
    ArtifactVersion,
    NewVersion,
    Saved,
    VersionAuthor,
    VersionLine,
    VersionReason,
    hash_version,
)
from engine.domain.clock import NewId
from engine.domain.people import Owned, Viewer, ViewerKind
from engine.domain.text import is_blank
from engine.domain.word_count import count_words
from engine.errors import ArtifactRefused, NotFound, StaleBase

_log = logging.getLogger(__name__)

TITLE_LIMIT, BODY_LIMIT, NOTE_LIMIT = 200, 1_000_000, 2_000
"""Characters."""


def require_artifact(viewer: Viewer, action: Action, owned: Owned) -> None:
    """Go on only if the viewer may; what belongs to no learner is the teachers' alone, reading included.

    Raises:
        AccessDenied: the viewer may not.
    """
    require(viewer, Action.TEACH if owned.learner_id is None else action, owned)


def artifact_row(session: Session, viewer: Viewer, action: Action, artifact_id: str, *, lock: bool) -> ArtifactRow:
    """An artifact that the viewer may do this to; locked, whoever else saves into it at this time waits.

    Raises:
        NotFound: there is none of that id.
    """
    row = session.get(ArtifactRow, artifact_id, with_for_update=lock)
    if row is None:
        raise NotFound("there is no such artifact")
    require_artifact(viewer, action, Owned(learner_id=row.learner_id, project_id=row.project_id))
    return row


def owner_of(row: ArtifactRow, viewer: Viewer) -> str:
    """Whose words those of an artifact are: the learner's, or of a teachers' text the teacher's who writes them."""
    return row.learner_id or f"teacher:{viewer.person_id}"


def append_version(
    session: Session,
    row: ArtifactRow,
    base_id: str | None,
    new: NewVersion,
    *,
    owner_id: str,
    saved_by: ViewerKind,
    new_id: NewId,
    at: datetime,
    branch: bool = False,
) -> Saved:
    """Store the next version of a locked artifact, made from `base_id`, or its first one without.

    The text and title of the newest version, or of the base, are no new version: a form that was sent twice, or
    one in which nothing was changed. `branch` says that the base may be older than the newest version, and the
    viewer knows.

    Raises:
        StaleBase: the base is older than the newest version, and no branch was asked for.
        NotFound: the base is no version of this artifact.
        ArtifactRefused: the words cannot be kept as they are.
    """
    new = _checked(new)
    if base_id is None:
        return _put(session, row, None, new, owner_id=owner_id, saved_by=saved_by, new_id=new_id, at=at)
    newest, base = newest_of(session, row.id), version_of(session, row.id, base_id)
    for known in (newest, base):
        if (known.title, known.body) == (new.title, new.body) and not known.is_erased:
            return Saved(version=known, is_new=False)
    if newest.version_id != base.version_id and not branch:
        raise StaleBase(
            "a newer version came meanwhile",
            base_id=base_id,
            base=base.number,
            newest_id=newest.version_id,
            newest=newest.number,
        )
    return _put(session, row, base, new, owner_id=owner_id, saved_by=saved_by, new_id=new_id, at=at)


def _checked(new: NewVersion) -> NewVersion:
    """The words as a database can hold them."""
    kept = replace(new, title=storable(new.title).strip(), body=storable(new.body), note=storable(new.note).strip())
    if is_blank(kept.body):
        raise ArtifactRefused("there is no text yet", reason="blank")
    for name, words, limit in (
        ("title_too_long", kept.title, TITLE_LIMIT),
        ("too_long", kept.body, BODY_LIMIT),
        ("note_too_long", kept.note, NOTE_LIMIT),
    ):
        if len(words) > limit:
            raise ArtifactRefused("these words are too long", reason=name, limit=limit, characters=len(words))
    return kept


def _put(
    session: Session,
    row: ArtifactRow,
    base: VersionLine | None,
    new: NewVersion,
    *,
    owner_id: str,
    saved_by: ViewerKind,
    new_id: NewId,
    at: datetime,
) -> Saved:
    parent_hash = base.version_hash if base else None

    def keep(words: str) -> str:
        return put_text(session, text_id=new_id(), owner_id=owner_id, body=words)

    stored = ArtifactVersionRow(
        id=new_id(),
        artifact_id=row.id,
        number=next_number(session, f"artifact_version:{row.id}"),
        parent_id=base.version_id if base else None,
        parent_hash=parent_hash,
        source_id=new.source_id,
        version_hash=hash_version(
            parent_hash=parent_hash,
            author=new.author,
            reason=new.reason,
            note=new.note,
            title=new.title,
            body=new.body,
        ),
        title_text_id=keep(new.title),
        body_text_id=keep(new.body),
        note_text_id=keep(new.note) if new.note else None,
        author=new.author,
        reason=new.reason,
        characters=len(new.body),
        word_count=count_words(new.body),
        saved_by=saved_by,
        made_at=at,
    )
    session.add(stored)
    session.flush()
    return Saved(version=version_of(session, row.id, stored.id), is_new=True)


def note_rules(session: Session, version: VersionLine, rule_ids: Sequence[str], at: datetime) -> None:
    """Note by which rules of style a version was written; none of them where one cannot be, which harms nothing."""
    uses = [
        RuleUseRow(rule_id=each, version_id=version.version_id, artifact_id=version.artifact_id, at=at)
        for each in rule_ids
    ]
    try:
        with session.begin_nested():
            session.add_all(uses)
    except SQLAlchemyError:
        _log.warning("the rules that a version was written by could not be noted", exc_info=True)


def lines_where() -> Select[*tuple[Any, ...]]:
    """Versions with title and note; `read_line` reads its rows."""
    title, note = aliased(TextRow), aliased(TextRow)
    return (
        select(
            ArtifactVersionRow,
            col(title.body).label("title"),
            col(title.erased_at).label("erased_at"),
            col(note.body).label("note"),
        )
        .join(title, col(title.id) == col(ArtifactVersionRow.title_text_id))
        .outerjoin(note, col(note.id) == col(ArtifactVersionRow.note_text_id))
    )


def _versions_where() -> Select[*tuple[Any, ...]]:
    """Versions with all their words; `read_version` reads its rows."""
    body = aliased(TextRow)
    return (
        lines_where()
        .add_columns(col(body.body).label("body"))
        .join(body, col(body.id) == col(ArtifactVersionRow.body_text_id))
    )


def newest_of(session: Session, artifact_id: str) -> ArtifactVersion:
    """The version with the largest number."""
    found = _versions_where().where(col(ArtifactVersionRow.artifact_id) == artifact_id)
    return read_version(session.execute(found.order_by(col(ArtifactVersionRow.number).desc()).limit(1)).one())


def version_of(session: Session, artifact_id: str, version_id: str) -> ArtifactVersion:
    """One version of an artifact.

    Raises:
        NotFound: it has none of that id.
    """
    found = _versions_where().where(
        col(ArtifactVersionRow.artifact_id) == artifact_id, col(ArtifactVersionRow.id) == version_id
    )
    row = session.execute(found).first()
    if row is None:
        raise NotFound("there is no such version")
    return read_version(row)


def versions_of(session: Session, artifact_id: str) -> tuple[ArtifactVersion, ...]:
    """Every version with its text, by number."""
    found = _versions_where().where(col(ArtifactVersionRow.artifact_id) == artifact_id)
    rows = session.execute(found.order_by(col(ArtifactVersionRow.number))).all()
    return tuple(read_version(row) for row in rows)


def read_artifact(row: ArtifactRow) -> Artifact:
    """An artifact as it is stored."""
    return Artifact(
        artifact_id=row.id,
        course_id=row.course_id,
        owned=Owned(learner_id=row.learner_id, project_id=row.project_id),
        task_id=row.task_id,
        kind=ArtifactKind(row.kind),
        file_name=row.file_name,
        persona_id=row.persona_id,
        begun_from=row.begun_from_id,
        made_at=row.made_at,
    )


def read_line(row: Row[*tuple[Any, ...]]) -> VersionLine:
    """A version without its text, from a row of `lines_where`."""
    stored: ArtifactVersionRow = row[0]
    return VersionLine(
        version_id=stored.id,
        artifact_id=stored.artifact_id,
        number=stored.number,
        parent_id=stored.parent_id,
        parent_hash=stored.parent_hash,
        source_id=stored.source_id,
        version_hash=stored.version_hash,
        title=row.title,
        author=VersionAuthor(stored.author),
        reason=VersionReason(stored.reason),
        note=row.note or "",
        characters=stored.characters,
        word_count=stored.word_count,
        made_at=stored.made_at,
        is_erased=row.erased_at is not None,
    )


def read_version(row: Row[*tuple[Any, ...]]) -> ArtifactVersion:
    """A version with its text."""
    line = read_line(row)
    told = {name: getattr(line, name) for name in line.__slots__}
    return ArtifactVersion(**told, body=row.body)
