"""Personas, what was learned for them, and what people did to it."""

from sqlalchemy import func, select
from sqlmodel import Session, col

from db.rows import next_number, put_text
from db.tables import (
    LearnerRow,
    LearningAttemptRow,
    PersonaRow,
    ProjectRow,
    RuleEventRow,
    RuleEvidenceRow,
    StyleRuleRow,
)
from engine.access import Action
from engine.base_store import Store, remembered
from engine.domain.learning import Learning, LearningState
from engine.domain.people import Owned, Viewer
from engine.domain.preference import (
    Aspect,
    Direction,
    EvidenceKind,
    Persona,
    PersonaRules,
    Proposal,
    RuleEventKind,
    RuleOrigin,
)
from engine.domain.states import Language
from engine.errors import NotFound, WordsRefused
from engine.revision.style.allowed import is_allowed
from engine.revision.style.lessons import Findings, Place, Step, plan_lesson
from engine.revision.style.preferences import Context
from engine.revision.style.rule_store import (
    add_attempt,
    owner_key,
    persona_of,
    persona_row,
    quote_json,
    read_learning,
    read_persona,
    read_rules,
    rule_row,
)
from engine.revision.style.wishes import says_opposite
from engine.work.version_store import require_artifact


class PersonaStore(Store):
    """Insert-only. A persona is read and changed by whoever may do so with the texts that it is learned from."""

    def of_owner(self, viewer: Viewer, owned: Owned, language: Language) -> Persona:
        """The persona of a learner in a project, or of its teachers; made at first need, in this language."""
        require_artifact(viewer, Action.WRITE, owned)
        with self._writing() as session:
            row = persona_of(session, owned)
            if row is None:
                _lock_owner(session, owned)  # somebody else may be making it
                row = persona_of(session, owned) or self._made(session, owned, language)
            return read_persona(row)

    @remembered
    def find(self, viewer: Viewer, owned: Owned) -> Persona | None:
        """The persona of a learner in a project, or of its teachers; None where nothing was to be learned yet."""
        require_artifact(viewer, Action.READ, owned)
        with self._reading() as session:
            row = persona_of(session, owned)
            return None if row is None else read_persona(row)

    @remembered
    def read(self, viewer: Viewer, persona_id: str) -> PersonaRules:
        """Everything that is known of a persona's rules.

        Raises:
            NotFound: there is no such persona.
        """
        with self._reading() as session:
            row = persona_row(session, viewer, Action.READ, persona_id)
            return PersonaRules(
                persona=read_persona(row), rules=read_rules(session, row.id), edits=_edits(session, row.id)
            )

    def learn(
        self,
        viewer: Viewer,
        persona_id: str,
        artifact_id: str,
        version_id: str,
        findings: Findings,
        context: Context,
    ) -> Learning:
        """Write down what a version teaches, in one transaction; whoever else learns for the persona waits.

        What was learned from a version before stays, and nothing is added to it.

        Raises:
            NotFound: there is no such persona.
        """
        with self._writing() as session:
            row = persona_row(session, viewer, Action.WRITE, persona_id, lock=True)
            known = _learned(session, version_id)
            if known is not None:
                return read_learning(known)
            place = Place(artifact_id=artifact_id, version_id=version_id, edit_number=_edits(session, row.id) + 1)
            steps = plan_lesson(read_rules(session, row.id), findings, context, place)
            rule_ids = [self._take(session, viewer, row, step, findings.words, place) for step in steps]
            attempt = add_attempt(
                session,
                attempt_id=self._new_id(),
                persona_id=row.id,
                artifact_id=artifact_id,
                version_id=version_id,
                change=findings.change,
                rule_ids=rule_ids,
                at=self._clock(),
            )
            return read_learning(attempt)

    def not_learned(self, viewer: Viewer, persona_id: str, artifact_id: str, version_id: str, fault: str) -> Learning:
        """Write down that a version could not be learned from, by the name of what went wrong.

        Raises:
            NotFound: there is no such persona.
        """
        with self._writing() as session:
            row = persona_row(session, viewer, Action.WRITE, persona_id)
            attempt = add_attempt(
                session,
                attempt_id=self._new_id(),
                persona_id=row.id,
                artifact_id=artifact_id,
                version_id=version_id,
                fault=fault,
                at=self._clock(),
            )
            return read_learning(attempt)

    @remembered
    def learnings(self, viewer: Viewer, persona_id: str) -> tuple[Learning, ...]:
        """The newest try for each version of the persona that was ever tried, the newest last.

        Raises:
            NotFound: there is no such persona.
        """
        with self._reading() as session:
            row = persona_row(session, viewer, Action.READ, persona_id)
            return tuple(read_learning(one) for one in _newest_tries(session, row.id))

    def mark(self, viewer: Viewer, rule_id: str, kind: RuleEventKind, sentence: str = "") -> None:
        """Write down what a person did to a rule.

        A wish that is taken back opens what it had replaced.

        Raises:
            NotFound: there is no such rule.
            WordsRefused: an edited rule would not be about style, is none, or would say the opposite.
        """
        sentence = sentence.strip()
        if kind is RuleEventKind.EDITED and not is_allowed(sentence):
            raise WordsRefused("this is no sentence on style", reason="not_style")
        with self._writing() as session:
            rule, persona = _rule(session, viewer, rule_id)
            if kind is RuleEventKind.EDITED and says_opposite(Aspect(rule.aspect), Direction(rule.direction), sentence):
                raise WordsRefused("this is the opposite of the rule", reason="opposite")
            self._add_event(session, viewer, persona, rule.id, kind, sentence)
            if kind is RuleEventKind.UNDONE:
                for replaced in _replaced_with(session, rule):
                    self._add_event(session, viewer, persona, replaced, RuleEventKind.REOPENED)

    def _made(self, session: Session, owned: Owned, language: Language) -> PersonaRow:
        row = PersonaRow(
            id=self._new_id(),
            owner_key=owner_key(owned),
            project_id=owned.project_id or "",
            learner_id=owned.learner_id,
            language=language,
            made_at=self._clock(),
        )
        session.add(row)
        session.flush()
        return row

    def _take(
        self,
        session: Session,
        viewer: Viewer,
        persona: PersonaRow,
        step: Step,
        words: str,
        place: Place,
    ) -> str:
        """Write one step down; gives the rule's id."""
        rule_id = step.rule_id
        if rule_id is None and step.proposal is not None:
            rule_id = self._add_rule(session, viewer, persona, step.proposal, step.origin)
        if rule_id is None:
            raise NotFound("a step of a lesson speaks of no rule")
        if step.evidence is not None:
            is_said = step.evidence is EvidenceKind.SAID or step.event is RuleEventKind.REPLACED
            quote = quote_json(words if is_said else "", step.proposal)
            session.add(
                RuleEvidenceRow(
                    id=self._new_id(),
                    rule_id=rule_id,
                    kind=step.evidence,
                    artifact_id=place.artifact_id,
                    version_id=place.version_id,
                    edit_number=place.edit_number,
                    quote_text_id=self._put(session, viewer, persona, quote),
                    at=self._clock(),
                )
            )
        if step.event is not None:
            self._add_event(session, viewer, persona, rule_id, step.event)
        session.flush()
        return rule_id

    def _add_rule(
        self, session: Session, viewer: Viewer, persona: PersonaRow, proposal: Proposal, origin: RuleOrigin
    ) -> str:
        row = rule_row(
            persona.id,
            proposal,
            origin,
            rule_id=self._new_id(),
            sentence_text_id=self._put(session, viewer, persona, proposal.sentence),
            at=self._clock(),
        )
        session.add(row)
        session.flush()
        return row.id

    def _add_event(
        self,
        session: Session,
        viewer: Viewer,
        persona: PersonaRow,
        rule_id: str,
        kind: RuleEventKind,
        sentence: str = "",
    ) -> None:
        session.add(
            RuleEventRow(
                id=self._new_id(),
                rule_id=rule_id,
                number=next_number(session, f"rule:{rule_id}"),
                kind=kind,
                sentence_text_id=self._put(session, viewer, persona, sentence) if sentence else None,
                person_id=viewer.person_id,
                at=self._clock(),
            )
        )
        session.flush()

    def _put(self, session: Session, viewer: Viewer, persona: PersonaRow, body: str) -> str:
        owner_id = persona.learner_id or f"teacher:{viewer.person_id}"
        return put_text(session, text_id=self._new_id(), owner_id=owner_id, body=body)


def _lock_owner(session: Session, owned: Owned) -> None:
    """Whoever else makes the persona of this owner waits."""
    if owned.learner_id is not None:
        session.get(LearnerRow, owned.learner_id, with_for_update=True)
    else:
        session.get(ProjectRow, owned.project_id or "", with_for_update=True)


def _rule(session: Session, viewer: Viewer, rule_id: str) -> tuple[StyleRuleRow, PersonaRow]:
    row = session.get(StyleRuleRow, rule_id)
    if row is None:
        raise NotFound("there is no such rule")
    return row, persona_row(session, viewer, Action.WRITE, row.persona_id)


def _learned(session: Session, version_id: str) -> LearningAttemptRow | None:
    """The try that learned from a version."""
    found = select(LearningAttemptRow).where(
        col(LearningAttemptRow.version_id) == version_id, col(LearningAttemptRow.state) == LearningState.DONE
    )
    return session.scalars(found).first()


def _edits(session: Session, persona_id: str) -> int:
    """Versions that were learned from."""
    done = select(func.count(col(LearningAttemptRow.version_id).distinct())).where(
        col(LearningAttemptRow.persona_id) == persona_id, col(LearningAttemptRow.state) == LearningState.DONE
    )
    return session.scalar(done) or 0


def _newest_tries(session: Session, persona_id: str) -> list[LearningAttemptRow]:
    newest: dict[str, LearningAttemptRow] = {}
    found = select(LearningAttemptRow).where(col(LearningAttemptRow.persona_id) == persona_id)
    for row in session.scalars(found.order_by(col(LearningAttemptRow.at), col(LearningAttemptRow.number))):
        newest.pop(row.version_id, None)
        newest[row.version_id] = row
    return list(newest.values())


def _replaced_with(session: Session, rule: StyleRuleRow) -> list[str]:
    """Rules that the wish of this one had replaced and that nobody opened since."""
    said = select(col(RuleEvidenceRow.version_id)).where(
        col(RuleEvidenceRow.rule_id) == rule.id, col(RuleEvidenceRow.kind) == EvidenceKind.SAID
    )
    opposed = (
        select(col(StyleRuleRow.id))
        .join(RuleEvidenceRow, col(RuleEvidenceRow.rule_id) == col(StyleRuleRow.id))
        .where(
            col(StyleRuleRow.persona_id) == rule.persona_id,
            col(StyleRuleRow.aspect) == rule.aspect,
            col(RuleEvidenceRow.kind) == EvidenceKind.AGAINST,
            col(RuleEvidenceRow.version_id).in_(said),
        )
    )
    return [one for one in session.scalars(opposed) if _last_event(session, one) == RuleEventKind.REPLACED]


def _last_event(session: Session, rule_id: str) -> str | None:
    newest = select(col(RuleEventRow.kind)).where(col(RuleEventRow.rule_id) == rule_id)
    return session.scalars(newest.order_by(col(RuleEventRow.number).desc()).limit(1)).first()
