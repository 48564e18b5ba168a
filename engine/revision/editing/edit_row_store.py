"""Edits by conversation as rows: steps inside the transactions of `EditingStore`."""

from collections.abc import Sequence
from datetime import datetime

from pydantic import TypeAdapter
from sqlalchemy import select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from db.rows import next_number, put_text
from db.tables import (
    ArtifactVersionRow,
    EditConversationRow,
    EditMessageRow,
    RevisionRecordRow,
    SuggestionRow,
    SuggestionStateRow,
    TextRow,
)
from engine.domain.clock import NewId
from engine.domain.edit import (
    EditMessage,
    MessageFacts,
    MessageKind,
    RevisionFacts,
    RevisionRecord,
    Suggestion,
    SuggestionState,
)
from engine.domain.states import Role
from engine.errors import NotFound

_MESSAGE_FACTS = TypeAdapter(MessageFacts)
REVISION_FACTS = TypeAdapter(RevisionFacts)
"""How the facts of a revision stand in its row."""


class Writer:
    """Writes rows of one conversation, all owned by the same person, at one moment."""

    def __init__(self, session: Session, conversation_id: str, *, owner_id: str, new_id: NewId, at: datetime) -> None:
        self._session = session
        self._conversation_id = conversation_id
        self._owner_id = owner_id
        self._new_id = new_id
        self._at = at

    def say(
        self,
        role: Role,
        kind: MessageKind,
        words: str,
        facts: MessageFacts,
        *,
        suggestion_id: str | None = None,
        revision_id: str | None = None,
    ) -> None:
        """Add the next message."""
        self._session.add(
            EditMessageRow(
                id=self._new_id(),
                conversation_id=self._conversation_id,
                seq=next_number(self._session, f"edit_message:{self._conversation_id}"),
                role=role,
                kind=kind,
                text_id=self._kept(words),
                facts=_MESSAGE_FACTS.dump_json(facts).decode(),
                suggestion_id=suggestion_id,
                revision_id=revision_id,
                written_at=self._at,
            )
        )
        self._session.flush()

    def suggest(self, words: str, state: SuggestionState) -> str:
        """Add the next suggestion and give back its id."""
        row = SuggestionRow(
            id=self._new_id(),
            conversation_id=self._conversation_id,
            number=next_number(self._session, f"suggestion:{self._conversation_id}"),
            text_id=self._kept(words),
            asked_at=self._at,
        )
        self._session.add(row)
        self._session.flush()
        self._session.add(SuggestionStateRow(suggestion_id=row.id, state=state, fault="", changed_at=self._at))
        self._session.flush()
        return row.id

    def record(self, run_id: str, from_version_id: str, to_version_id: str, facts: RevisionFacts) -> str:
        """Add the record of a revision and give back its id."""
        row = RevisionRecordRow(
            id=self._new_id(),
            conversation_id=self._conversation_id,
            run_id=run_id,
            from_version_id=from_version_id,
            to_version_id=to_version_id,
            facts=REVISION_FACTS.dump_json(facts).decode(),
            made_at=self._at,
        )
        self._session.add(row)
        self._session.flush()
        return row.id

    def _kept(self, words: str) -> str:
        return put_text(self._session, text_id=self._new_id(), owner_id=self._owner_id, body=words)


def conversation_of(session: Session, artifact_id: str) -> EditConversationRow | None:
    """The conversation of an artifact; None before the first suggestion."""
    return session.scalars(
        select(EditConversationRow).where(col(EditConversationRow.artifact_id) == artifact_id)
    ).one_or_none()


def suggestions_of(session: Session, conversation_id: str) -> tuple[Suggestion, ...]:
    """Every suggestion by number."""
    rows = session.execute(
        select(SuggestionRow, SuggestionStateRow, col(TextRow.body))
        .join(SuggestionStateRow, col(SuggestionStateRow.suggestion_id) == col(SuggestionRow.id))
        .join(TextRow, col(TextRow.id) == col(SuggestionRow.text_id))
        .where(col(SuggestionRow.conversation_id) == conversation_id)
        .order_by(col(SuggestionRow.number))
    ).all()
    return tuple(_read_suggestion(*row) for row in rows)


def _read_suggestion(row: SuggestionRow, state: SuggestionStateRow, words: str) -> Suggestion:
    return Suggestion(
        suggestion_id=row.id,
        number=row.number,
        words=words,
        state=SuggestionState(state.state),
        fault=state.fault,
        run_id=state.run_id,
    )


def state_row(session: Session, suggestion_id: str) -> tuple[SuggestionStateRow, EditConversationRow]:
    """The state of a suggestion, and the conversation that it belongs to.

    Raises:
        NotFound: there is no such suggestion.
    """
    found = session.execute(
        select(SuggestionStateRow, EditConversationRow)
        .join(SuggestionRow, col(SuggestionRow.id) == col(SuggestionStateRow.suggestion_id))
        .join(EditConversationRow, col(EditConversationRow.id) == col(SuggestionRow.conversation_id))
        .where(col(SuggestionStateRow.suggestion_id) == suggestion_id)
    ).first()
    if found is None:
        raise NotFound("there is no such suggestion")
    return found[0], found[1]


def messages_of(session: Session, conversation_id: str) -> tuple[EditMessage, ...]:
    """Every message in order."""
    rows = session.execute(
        select(EditMessageRow, col(TextRow.body))
        .join(TextRow, col(TextRow.id) == col(EditMessageRow.text_id))
        .where(col(EditMessageRow.conversation_id) == conversation_id)
        .order_by(col(EditMessageRow.seq))
    ).all()
    return tuple(_read_message(*row) for row in rows)


def _read_message(row: EditMessageRow, words: str) -> EditMessage:
    return EditMessage(
        message_id=row.id,
        seq=row.seq,
        role=Role(row.role),
        kind=MessageKind(row.kind),
        words=words,
        facts=_MESSAGE_FACTS.validate_json(row.facts),
        suggestion_id=row.suggestion_id,
        revision_id=row.revision_id,
        written_at=row.written_at,
    )


def records_of(session: Session, conversation_id: str) -> tuple[RevisionRecord, ...]:
    """Every revision in the order of the versions that came of them."""
    before, after = aliased(ArtifactVersionRow), aliased(ArtifactVersionRow)
    rows = session.execute(
        select(RevisionRecordRow, col(before.number), col(after.number))
        .join(before, col(before.id) == col(RevisionRecordRow.from_version_id))
        .join(after, col(after.id) == col(RevisionRecordRow.to_version_id))
        .where(col(RevisionRecordRow.conversation_id) == conversation_id)
        .order_by(col(after.number))
    ).all()
    return tuple(_read_record(*row) for row in rows)


def _read_record(row: RevisionRecordRow, from_number: int, to_number: int) -> RevisionRecord:
    return RevisionRecord(
        revision_id=row.id,
        run_id=row.run_id,
        from_version_id=row.from_version_id,
        from_number=from_number,
        to_version_id=row.to_version_id,
        to_number=to_number,
        facts=REVISION_FACTS.validate_json(row.facts),
    )


def states_of(session: Session, suggestion_ids: Sequence[str]) -> Sequence[SuggestionStateRow]:
    """The states of these suggestions."""
    return session.scalars(
        select(SuggestionStateRow).where(col(SuggestionStateRow.suggestion_id).in_(suggestion_ids))
    ).all()
