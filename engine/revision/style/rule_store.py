"""Rows of personas and rules, read and written inside the transactions of their store."""

import json
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import select
from sqlmodel import Session, col

from db.rows import drop_running, next_number
from db.tables import (
    ArtifactVersionRow,
    LearningAttemptRow,
    PersonaRow,
    RuleEventRow,
    RuleEvidenceRow,
    RuleUseRow,
    StyleRuleRow,
    TextRow,
)
from engine.access import Action
from engine.domain.artifact import VersionReason
from engine.domain.learning import ChangeKind, Learning, LearningState, lesson_of
from engine.domain.people import Owned, Viewer
from engine.domain.preference import (
    DIMENSION_OF,
    Aspect,
    Dimension,
    Direction,
    Evidence,
    EvidenceKind,
    Persona,
    Proposal,
    Rule,
    RuleEvent,
    RuleEventKind,
    RuleOrigin,
    RuleUse,
    Scope,
    ScopeLevel,
)
from engine.domain.states import Language
from engine.errors import NotFound
from engine.work.version_store import require_artifact

WORDS_CHARACTERS = 200
"""Of what a person said, kept beside a rule; the whole stands with the version."""

_QUOTE = TypeAdapter(dict[str, str])
_IDS = TypeAdapter(tuple[str, ...])


def quote_json(words: str, proposal: Proposal | None) -> str:
    """How the evidence of a rule is kept: in one text, so that it is erased as one."""
    before, after = (proposal.before, proposal.after) if proposal else ("", "")
    kept = {"words": words[:WORDS_CHARACTERS], "before": before, "after": after}
    return json.dumps(kept, ensure_ascii=False)


def rule_row(
    persona_id: str,
    proposal: Proposal,
    origin: RuleOrigin,
    *,
    rule_id: str,
    sentence_text_id: str,
    at: datetime,
) -> StyleRuleRow:
    """A new rule."""
    return StyleRuleRow(
        id=rule_id,
        persona_id=persona_id,
        dimension=DIMENSION_OF[proposal.aspect],
        aspect=proposal.aspect,
        direction=proposal.direction,
        scope_level=proposal.scope.level,
        scope_of=proposal.scope.of,
        origin=origin,
        sentence_text_id=sentence_text_id,
        made_at=at,
    )


def persona_row(session: Session, viewer: Viewer, action: Action, persona_id: str, *, lock: bool = False) -> PersonaRow:
    """A persona that the viewer may do this to; locked, whoever else learns for it at this time waits.

    Raises:
        NotFound: there is none of that id.
    """
    row = session.get(PersonaRow, persona_id, with_for_update=lock)
    if row is None:
        raise NotFound("there is no such persona")
    require_artifact(viewer, action, Owned(learner_id=row.learner_id, project_id=row.project_id))
    return row


def owner_key(owned: Owned) -> str:
    """Learner and project in one."""
    return json.dumps([owned.learner_id, owned.project_id])


def persona_of(session: Session, owned: Owned, *, lock: bool = False) -> PersonaRow | None:
    """The persona of this owner, if there is one."""
    found = select(PersonaRow).where(col(PersonaRow.owner_key) == owner_key(owned))
    return session.scalars(found.with_for_update() if lock else found).first()


def add_attempt(
    session: Session,
    *,
    attempt_id: str,
    persona_id: str,
    artifact_id: str,
    version_id: str,
    at: datetime,
    change: ChangeKind | None = None,
    rule_ids: Sequence[str] = (),
    fault: str = "",
) -> LearningAttemptRow:
    """Write down how a try to learn from a version ended, and let go of the version; a fault says that it failed."""
    row = LearningAttemptRow(
        id=attempt_id,
        persona_id=persona_id,
        artifact_id=artifact_id,
        version_id=version_id,
        number=next_number(session, f"learning:{version_id}"),
        state=LearningState.FAILED if fault else LearningState.DONE,
        change=change,
        rule_ids=json.dumps(list(rule_ids)),
        fault=fault[:80],
        at=at,
    )
    session.add(row)
    drop_running(session, lesson_of(version_id))
    session.flush()
    return row


def read_persona(row: PersonaRow) -> Persona:
    """A persona as it is stored."""
    return Persona(
        persona_id=row.id,
        owned=Owned(learner_id=row.learner_id, project_id=row.project_id),
        language=Language(row.language),
        made_at=row.made_at,
    )


def read_learning(row: LearningAttemptRow) -> Learning:
    """A try to learn as it is stored."""
    return Learning(
        version_id=row.version_id,
        artifact_id=row.artifact_id,
        state=LearningState(row.state),
        change=None if row.change is None else ChangeKind(row.change),
        rule_ids=_IDS.validate_json(row.rule_ids),
        fault=row.fault,
        number=row.number,
        at=row.at,
    )


def read_rules(session: Session, persona_id: str) -> tuple[Rule, ...]:
    """All rules of a persona with what belongs to them, the oldest first; one whose words were erased is left out."""
    evidence, events, uses = (
        _evidence(session, persona_id),
        _events(session, persona_id),
        _uses(session, persona_id),
    )
    found = (
        select(StyleRuleRow, TextRow)
        .join(TextRow, col(TextRow.id) == col(StyleRuleRow.sentence_text_id))
        .where(col(StyleRuleRow.persona_id) == persona_id, col(TextRow.erased_at).is_(None))
        .order_by(col(StyleRuleRow.made_at), col(StyleRuleRow.id))
    )
    return tuple(
        Rule(
            rule_id=row.id,
            dimension=Dimension(row.dimension),
            aspect=Aspect(row.aspect),
            direction=Direction(row.direction),
            scope=Scope(ScopeLevel(row.scope_level), row.scope_of),
            origin=RuleOrigin(row.origin),
            sentence=text.body,
            made_at=row.made_at,
            evidence=tuple(evidence[row.id]),
            events=tuple(events[row.id]),
            uses=tuple(uses[row.id]),
        )
        for row, text in session.execute(found)
    )


def _evidence(session: Session, persona_id: str) -> defaultdict[str, list[Evidence]]:
    found = (
        select(RuleEvidenceRow, TextRow)
        .join(StyleRuleRow, col(StyleRuleRow.id) == col(RuleEvidenceRow.rule_id))
        .join(TextRow, col(TextRow.id) == col(RuleEvidenceRow.quote_text_id))
        .where(col(StyleRuleRow.persona_id) == persona_id)
        .order_by(col(RuleEvidenceRow.edit_number), col(RuleEvidenceRow.at))
    )
    read: defaultdict[str, list[Evidence]] = defaultdict(list)
    for row, text in session.execute(found):
        quote = _quote(text.body)
        read[row.rule_id].append(
            Evidence(
                kind=EvidenceKind(row.kind),
                artifact_id=row.artifact_id,
                version_id=row.version_id,
                edit_number=row.edit_number,
                at=row.at,
                words=quote.get("words", ""),
                before=quote.get("before", ""),
                after=quote.get("after", ""),
            )
        )
    return read


def _quote(body: str) -> dict[str, str]:
    """What a text of evidence holds; nothing once it was erased."""
    try:
        return _QUOTE.validate_json(body)
    except ValidationError:
        return {}


def _events(session: Session, persona_id: str) -> defaultdict[str, list[RuleEvent]]:
    found = (
        select(RuleEventRow, TextRow)
        .join(StyleRuleRow, col(StyleRuleRow.id) == col(RuleEventRow.rule_id))
        .outerjoin(TextRow, col(TextRow.id) == col(RuleEventRow.sentence_text_id))
        .where(col(StyleRuleRow.persona_id) == persona_id)
        .order_by(col(RuleEventRow.number))
    )
    read: defaultdict[str, list[RuleEvent]] = defaultdict(list)
    for row, text in session.execute(found):
        sentence = text.body if text is not None else ""
        read[row.rule_id].append(RuleEvent(kind=RuleEventKind(row.kind), at=row.at, sentence=sentence))
    return read


def _uses(session: Session, persona_id: str) -> defaultdict[str, list[RuleUse]]:
    found = (
        select(RuleUseRow, ArtifactVersionRow)
        .join(StyleRuleRow, col(StyleRuleRow.id) == col(RuleUseRow.rule_id))
        .join(ArtifactVersionRow, col(ArtifactVersionRow.id) == col(RuleUseRow.version_id))
        .where(col(StyleRuleRow.persona_id) == persona_id)
        .order_by(col(RuleUseRow.at), col(RuleUseRow.version_id))
    )
    read: defaultdict[str, list[RuleUse]] = defaultdict(list)
    for row, version in session.execute(found):
        use = RuleUse(
            artifact_id=row.artifact_id,
            version_id=row.version_id,
            number=version.number,
            reason=VersionReason(version.reason),
            at=row.at,
        )
        read[row.rule_id].append(use)
    return read
