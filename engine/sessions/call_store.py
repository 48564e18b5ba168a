"""What models were asked besides tutor replies, with the exact bytes."""

import logging
from typing import Any

from sqlalchemy import Row, Select, func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from db.rows import next_number, put_text
from db.tables import (
    ArtifactRow,
    AttemptRow,
    ConversationRow,
    EditConversationRow,
    ModelCallRow,
    PersonaRow,
    SubmissionRow,
    TextRow,
)
from engine.access import Action, require
from engine.base_store import Store, remembered
from engine.domain.model_call import CallSubject, CallUse, ModelCall, SentCall
from engine.domain.people import Owned, Viewer
from engine.domain.session import Usage
from engine.errors import NotFound, StoreError
from engine.sessions.turn_store import TRIES

_log = logging.getLogger(__name__)


class CallStore(Store):
    """Insert-only: a call is one row, written when it has ended, and belongs to whose work or words were sent."""

    def keep(self, viewer: Viewer, subject: CallSubject, model: str, sent: SentCall) -> bool:
        """Store a call; False, with a line in the log, where the database cannot.

        What was asked is worth keeping, but nothing that was asked for may fail for it.

        Raises:
            NotFound: there is no such attempt, conversation or persona.
        """
        try:
            with self._writing() as session:
                owned = _owner(session, subject.use, subject.subject_id)
                require(
                    viewer, _needed(Action.REVIEW if subject.use is CallUse.JUDGEMENT else Action.WRITE, owned), owned
                )
                session.add(self._row(session, viewer, owned, subject, model, sent))
        except (StoreError, SQLAlchemyError):
            _log.warning("what a model was asked could not be kept", exc_info=True)
            return False
        return True

    def calls(self, viewer: Viewer, use: CallUse, subject_id: str, part: str = "") -> tuple[ModelCall, ...]:
        """The calls about an attempt, a conversation or a persona, in the order in which they ended.

        With a `part` only those about it.

        Raises:
            NotFound: there is no such attempt, conversation or persona.
        """
        found = _calls(use, subject_id)
        if part:
            found = found.where(col(ModelCallRow.part) == part)
        with self._reading() as session:
            owned = _owner(session, use, subject_id)
            require(viewer, _needed(Action.READ, owned), owned)
            rows = session.execute(found).all()
        return tuple(_read(row) for row in rows)

    @remembered
    def parts(self, viewer: Viewer, use: CallUse, subject_id: str) -> tuple[str, ...]:
        """Which parts of a subject a model was asked about, each once, the one asked about last at the end.

        Raises:
            NotFound: there is no such attempt, conversation or persona.
        """
        found = (
            select(col(ModelCallRow.part))
            .where(col(ModelCallRow.subject_id) == subject_id, col(ModelCallRow.use) == use)
            .group_by(col(ModelCallRow.part))
            .order_by(func.max(col(ModelCallRow.number)))
        )
        with self._reading() as session:
            owned = _owner(session, use, subject_id)
            require(viewer, _needed(Action.READ, owned), owned)
            return tuple(session.scalars(found))

    def _row(
        self, session: Session, viewer: Viewer, owned: Owned, subject: CallSubject, model: str, sent: SentCall
    ) -> ModelCallRow:
        owner_id = owned.learner_id or f"teacher:{viewer.person_id}"

        def kept(body: str) -> str:
            return put_text(session, text_id=self._new_id(), owner_id=owner_id, body=body)

        return ModelCallRow(
            id=self._new_id(),
            learner_id=owned.learner_id,
            use=subject.use,
            subject_id=subject.subject_id,
            part=subject.part,
            number=next_number(session, f"call:{subject.subject_id}"),
            model=model,
            request_text_id=kept(sent.request.decode()),
            answer_text_id=None if sent.answer is None else kept(sent.answer),
            tries=TRIES.dump_json(sent.tries).decode(),
            input_tokens=sent.usage.input_tokens,
            output_tokens=sent.usage.output_tokens,
            ended_at=self._clock(),
        )


def _needed(action: Action, owned: Owned) -> Action:
    """What belongs to no learner is the teachers' alone, reading included."""
    return Action.TEACH if owned.learner_id is None else action


def _owner(session: Session, use: CallUse, subject_id: str) -> Owned:
    """Whose attempt, conversation, text or style it is."""
    row: SubmissionRow | ConversationRow | ArtifactRow | PersonaRow | None
    match use:
        case CallUse.JUDGEMENT:
            attempt = session.get(AttemptRow, subject_id)
            row = session.get(SubmissionRow, attempt.submission_id) if attempt else None
        case CallUse.SUMMARY:
            row = session.get(ConversationRow, subject_id)
        case CallUse.EDIT:
            edited = session.get(EditConversationRow, subject_id)
            row = session.get(ArtifactRow, edited.artifact_id) if edited else None
        case CallUse.DRAFT | CallUse.LEARN:
            row = session.get(PersonaRow, subject_id)
    if row is None:
        raise NotFound("nothing that a model was asked about has this id")
    return Owned(learner_id=row.learner_id, project_id=row.project_id)


def _calls(use: CallUse, subject_id: str) -> Select[*tuple[Any, ...]]:
    request, answer = aliased(TextRow), aliased(TextRow)
    return (
        select(
            ModelCallRow,
            col(request.body).label("request"),
            col(request.sha256).label("sha256"),
            col(answer.body).label("answer"),
        )
        .join(request, col(request.id) == col(ModelCallRow.request_text_id))
        .outerjoin(answer, col(answer.id) == col(ModelCallRow.answer_text_id))
        .where(col(ModelCallRow.subject_id) == subject_id, col(ModelCallRow.use) == use)
        .order_by(col(ModelCallRow.number))
    )


def _read(found: Row[*tuple[Any, ...]]) -> ModelCall:
    row = found.ModelCallRow
    return ModelCall(
        subject=CallSubject(use=CallUse(row.use), subject_id=row.subject_id, part=row.part),
        number=row.number,
        model=row.model,
        sent=SentCall(
            request=found.request.encode(),
            answer=found.answer,
            tries=TRIES.validate_json(row.tries),
            usage=Usage(input_tokens=row.input_tokens, output_tokens=row.output_tokens),
        ),
        sha256=found.sha256,
        ended_at=row.ended_at,
    )
