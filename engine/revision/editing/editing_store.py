"""The conversation in which a text is edited, and what each suggestion became: one transaction a step."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import select
from sqlmodel import Session, col

from db.rows import drop_draft, drop_running, put_draft, take_lease
from db.tables import (
    ArtifactRow,
    DraftRow,
    EditConversationRow,
    RevisionRecordRow,
    SuggestionRow,
    SuggestionStateRow,
)
from engine.access import Action
from engine.base_store import Store, lease_until, remembered
from engine.domain.artifact import ArtifactVersion, NewVersion, Saved, VersionAuthor, VersionReason
from engine.domain.edit import (
    EditConversation,
    EditRun,
    MessageFacts,
    MessageKind,
    RevisionFacts,
    Suggestion,
    SuggestionState,
)
from engine.domain.people import Viewer
from engine.domain.running import Lease, Subject
from engine.domain.states import Role
from engine.domain.text import is_blank
from engine.errors import ArtifactRefused, NotFound, StaleBase, WordsRefused
from engine.revision.editing.edit_row_store import (
    Writer,
    conversation_of,
    messages_of,
    records_of,
    state_row,
    states_of,
    suggestions_of,
)
from engine.revision.editing.telling import preview
from engine.work.version_store import append_version, artifact_row, newest_of, note_rules, owner_of, version_of

SUGGESTION_LIMIT = 2_000
"""Characters of one suggestion; longer words are a text of their own."""
INTERRUPTED = "interrupted"
_OPEN = frozenset({SuggestionState.COLLECTED, SuggestionState.WAITING})
_ENDED = frozenset({SuggestionState.FAILED, SuggestionState.NEEDS_SCOPE})
_NOTHING = MessageFacts()


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMessage:
    """A message that the end of a run brings."""

    kind: MessageKind
    words: str = ""
    facts: MessageFacts = _NOTHING
    suggestion_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestionEnd:
    """What became of one suggestion of a run."""

    state: SuggestionState
    fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnd:
    """How a run that changed nothing ended."""

    suggestions: Mapping[str, SuggestionEnd]
    messages: tuple[NewMessage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunApplied(RunEnd):
    """How a run that changed the text ended; the message about it is made of the version."""

    base_id: str
    new: NewVersion
    facts: RevisionFacts
    rules: tuple[str, ...] = ()
    """Ids of the rules of style that the model was given along."""


class EditingStore(Store):
    """Suggestions, messages and records are insert-only; what became of a suggestion is working state."""

    @remembered
    def conversation(self, viewer: Viewer, artifact_id: str) -> EditConversation:
        """The conversation about an artifact with everything in it; an empty one before the first suggestion.

        Raises:
            NotFound: there is no artifact of that id.
        """
        with self._reading() as session:
            artifact = artifact_row(session, viewer, Action.READ, artifact_id, lock=False)
            row = conversation_of(session, artifact_id)
            if row is None:
                return EditConversation(conversation_id=None, persona_id=artifact.persona_id)
            return EditConversation(
                conversation_id=row.id,
                persona_id=row.persona_id,
                messages=messages_of(session, row.id),
                suggestions=suggestions_of(session, row.id),
                revisions=records_of(session, row.id),
            )

    def suggest(self, viewer: Viewer, artifact_id: str, words: str, *, collect: bool) -> Suggestion:
        """Store a suggestion, to be applied or to be collected, with its message; the first brings the welcome row.

        The same words while they wait or are being applied are a second click.

        Raises:
            NotFound: there is no artifact of that id.
            WordsRefused: there is nothing in the words, or they are longer than `SUGGESTION_LIMIT`.
        """
        if is_blank(words):
            raise WordsRefused("there is nothing to ask for yet", reason="blank")
        if len(words) > SUGGESTION_LIMIT:
            raise WordsRefused("this is too long for a suggestion", reason="too_long", limit=SUGGESTION_LIMIT)
        with self._writing() as session:
            artifact = artifact_row(session, viewer, Action.WRITE, artifact_id, lock=True)
            row, writer = self._opened(session, viewer, artifact)
            drop_draft(session, owner_id=owner_of(artifact, viewer), subject=_draft_subject(artifact_id, viewer))
            known = _being_followed(session, row.id, words.strip())
            if known is not None:
                return known
            state = SuggestionState.COLLECTED if collect else SuggestionState.WAITING
            suggestion_id = writer.suggest(words.strip(), state)
            writer.say(Role.USER, MessageKind.SUGGESTION, preview(words.strip()), _NOTHING, suggestion_id=suggestion_id)
            if collect:
                count = sum(each.state is SuggestionState.COLLECTED for each in suggestions_of(session, row.id))
                writer.say(Role.ASSISTANT, MessageKind.COLLECTED, "", MessageFacts(count=count))
            return next(each for each in suggestions_of(session, row.id) if each.suggestion_id == suggestion_id)

    def take(self, viewer: Viewer, artifact_id: str, lease: Lease, *, collected: bool = True) -> EditRun | None:
        """Take everything that waits as one run, and what was `collected` too; None where no run can begin now.

        While a run is under way nothing is taken; what was collected waits for its end then like the rest.

        Raises:
            NotFound: there is no artifact of that id.
        """
        with self._writing() as session:
            artifact_row(session, viewer, Action.WRITE, artifact_id, lock=True)
            row = conversation_of(session, artifact_id)
            every = suggestions_of(session, row.id) if row else ()
            wanted = _OPEN if collected else frozenset({SuggestionState.WAITING})
            taken = tuple(each for each in every if each.state in wanted)
            is_under_way = any(each.state is SuggestionState.APPLYING for each in every)
            states = states_of(session, [each.suggestion_id for each in taken])
            run_id, now = self._new_id(), self._clock()
            if row is None or not taken or is_under_way:
                for state in states:
                    state.state = SuggestionState.WAITING
                return None
            for state in states:
                state.state, state.fault, state.run_id = SuggestionState.APPLYING, "", run_id
                state.changed_at = now
            until = lease_until(now, lease)
            take_lease(session, subject_id=run_id, kind=Subject.EDIT, holder=lease.holder, until=until)
            return EditRun(run_id=run_id, artifact_id=artifact_id, conversation_id=row.id, suggestions=taken)

    def wait_again(self, viewer: Viewer, suggestion_id: str) -> str:
        """Let a suggestion that failed, or about which something was asked, wait again; gives back the artifact's id.

        One that waits, is being applied or was applied stays as it is.

        Raises:
            NotFound: there is no such suggestion.
        """
        return self._set_state(viewer, suggestion_id, _ENDED, SuggestionState.WAITING)

    def withdraw(self, viewer: Viewer, suggestion_id: str) -> str:
        """Put a suggestion away that is not being applied and was not; gives back the artifact's id.

        Raises:
            NotFound: there is no such suggestion.
        """
        return self._set_state(viewer, suggestion_id, _ENDED | _OPEN, SuggestionState.WITHDRAWN)

    def end_run(self, viewer: Viewer, run: EditRun, end: RunEnd) -> None:
        """Store how a run ended that changed nothing."""
        with self._writing() as session:
            artifact = artifact_row(session, viewer, Action.WRITE, run.artifact_id, lock=True)
            if _is_running(session, run.run_id):
                self._end(session, self._writer(session, viewer, artifact, run.conversation_id), run, end)

    def apply(self, viewer: Viewer, run: EditRun, end: RunApplied) -> ArtifactVersion:
        """Store the version, its record, the rules, the states and the messages of a run in one transaction.

        Where the rules cannot be noted they are left out, with a line in the log.

        Raises:
            StaleBase: a newer version than the base exists, or this very text is there already; nothing was stored.
            NotFound: the run has ended already.
            ArtifactRefused: the text cannot be kept as it is, or the words that it was made from were erased.
        """
        with self._writing() as session:
            artifact = artifact_row(session, viewer, Action.WRITE, run.artifact_id, lock=True)
            if not _is_running(session, run.run_id):
                raise NotFound("this edit has ended already")
            base = newest_of(session, run.artifact_id)
            if base.is_erased:
                raise ArtifactRefused("its words were erased", reason="erased")
            saved = self._append(session, viewer, artifact, end.base_id, end.new)
            if not saved.is_new:
                raise _stale(base, saved.version)
            writer = self._writer(session, viewer, artifact, run.conversation_id)
            revision_id = writer.record(run.run_id, end.base_id, saved.version.version_id, end.facts)
            writer.say(
                Role.ASSISTANT,
                MessageKind.APPLIED,
                preview(saved.version.body),
                MessageFacts(number=base.number, other=saved.version.number),
                revision_id=revision_id,
            )
            self._end(session, writer, run, end)
            note_rules(session, saved.version, end.rules, self._clock())
            return saved.version

    def undo(self, viewer: Viewer, revision_id: str, author: VersionAuthor) -> Saved:
        """Store the text from before a revision as the next version, as long as what came of it is the newest.

        Raises:
            NotFound: there is no such revision.
            StaleBase: a newer version came meanwhile.
            ArtifactRefused: the words of the version before it were erased.
        """
        with self._writing() as session:
            record = session.get(RevisionRecordRow, revision_id)
            row = session.get(EditConversationRow, record.conversation_id) if record else None
            if record is None or row is None:
                raise NotFound("there is no such revision")
            artifact = artifact_row(session, viewer, Action.WRITE, row.artifact_id, lock=True)
            newest = newest_of(session, artifact.id)
            after = version_of(session, artifact.id, record.to_version_id)
            before = version_of(session, artifact.id, record.from_version_id)
            if newest.version_id != after.version_id:
                raise _stale(after, newest)
            if before.is_erased:
                raise ArtifactRefused("its words were erased", reason="erased")
            again = NewVersion(
                title=before.title,
                body=before.body,
                author=author,
                reason=VersionReason.RESTORED,
                note=f"V{before.number}",
                source_id=before.version_id,
            )
            saved = self._append(session, viewer, artifact, after.version_id, again)
            self._writer(session, viewer, artifact, row.id).say(
                Role.SYSTEM,
                MessageKind.UNDONE,
                "",
                MessageFacts(number=before.number, other=saved.version.number),
                revision_id=revision_id,
            )
            return saved

    def interrupt(self, viewer: Viewer, run_id: str) -> None:
        """End a run whose worker is gone: its suggestions are kept and can be tried again."""
        with self._writing() as session:
            found = session.execute(
                select(EditConversationRow, SuggestionStateRow)
                .join(SuggestionRow, col(SuggestionRow.conversation_id) == col(EditConversationRow.id))
                .join(SuggestionStateRow, col(SuggestionStateRow.suggestion_id) == col(SuggestionRow.id))
                .where(
                    col(SuggestionStateRow.run_id) == run_id,
                    col(SuggestionStateRow.state) == SuggestionState.APPLYING,
                )
            ).first()
            if found is None:
                drop_running(session, run_id)
                return
            row = found[0]
            artifact = artifact_row(session, viewer, Action.WRITE, row.artifact_id, lock=True)
            if not _is_running(session, run_id):  # it ended by itself while this waited for the text
                return
            taken = tuple(each for each in suggestions_of(session, row.id) if each.run_id == run_id)
            run = EditRun(run_id=run_id, artifact_id=artifact.id, conversation_id=row.id, suggestions=taken)
            failed = SuggestionEnd(state=SuggestionState.FAILED, fault=INTERRUPTED)
            end = RunEnd(
                suggestions={each.suggestion_id: failed for each in taken},
                messages=(NewMessage(kind=MessageKind.FAILED, facts=MessageFacts(fault=INTERRUPTED)),),
            )
            self._end(session, self._writer(session, viewer, artifact, row.id), run, end)

    def words(self, viewer: Viewer, artifact_id: str) -> str:
        """What this person is typing as the next suggestion; empty where nothing is.

        Raises:
            NotFound: there is no artifact of that id.
        """
        with self._reading() as session:
            artifact = artifact_row(session, viewer, Action.READ, artifact_id, lock=False)
            draft = session.get(DraftRow, (owner_of(artifact, viewer), _draft_subject(artifact_id, viewer)))
            return draft.body if draft else ""

    def keep_words(self, viewer: Viewer, artifact_id: str, words: str) -> None:
        """Keep what this person is typing; nothing of it forgets it.

        Raises:
            NotFound: there is no artifact of that id.
        """
        with self._writing() as session:
            artifact = artifact_row(session, viewer, Action.WRITE, artifact_id, lock=False)
            owner_id, subject = owner_of(artifact, viewer), _draft_subject(artifact_id, viewer)
            if words:
                put_draft(session, owner_id=owner_id, subject=subject, body=words, at=self._clock())
            else:
                drop_draft(session, owner_id=owner_id, subject=subject)

    def _opened(self, session: Session, viewer: Viewer, artifact: ArtifactRow) -> tuple[EditConversationRow, Writer]:
        """The conversation of a locked artifact; it begins with what was loaded."""
        row = conversation_of(session, artifact.id)
        if row is not None:
            return row, self._writer(session, viewer, artifact, row.id)
        row = EditConversationRow(
            id=self._new_id(), artifact_id=artifact.id, persona_id=artifact.persona_id, opened_at=self._clock()
        )
        session.add(row)
        session.flush()
        writer, newest = self._writer(session, viewer, artifact, row.id), newest_of(session, artifact.id)
        facts = MessageFacts(number=newest.number)
        writer.say(Role.SYSTEM, MessageKind.WELCOME, preview(newest.title or artifact.file_name), facts)
        return row, writer

    def _writer(self, session: Session, viewer: Viewer, artifact: ArtifactRow, conversation_id: str) -> Writer:
        owner_id = owner_of(artifact, viewer)
        return Writer(session, conversation_id, owner_id=owner_id, new_id=self._new_id, at=self._clock())

    def _append(self, session: Session, viewer: Viewer, artifact: ArtifactRow, base_id: str, new: NewVersion) -> Saved:
        return append_version(
            session,
            artifact,
            base_id,
            new,
            owner_id=owner_of(artifact, viewer),
            saved_by=viewer.kind,
            new_id=self._new_id,
            at=self._clock(),
        )

    def _end(self, session: Session, writer: Writer, run: EditRun, end: RunEnd) -> None:
        for state in states_of(session, list(end.suggestions)):
            became = end.suggestions[state.suggestion_id]
            state.state, state.fault, state.changed_at = became.state, became.fault, self._clock()
        for each in end.messages:
            writer.say(Role.ASSISTANT, each.kind, each.words, each.facts, suggestion_id=each.suggestion_id)
        drop_running(session, run.run_id)

    def _set_state(
        self, viewer: Viewer, suggestion_id: str, only: frozenset[SuggestionState], state: SuggestionState
    ) -> str:
        with self._writing() as session:
            found, row = state_row(session, suggestion_id)
            artifact_row(session, viewer, Action.WRITE, row.artifact_id, lock=True)
            session.refresh(found)
            if SuggestionState(found.state) in only:
                found.state, found.fault, found.changed_at = state, "", self._clock()
            return row.artifact_id


def _being_followed(session: Session, conversation_id: str, words: str) -> Suggestion | None:
    """The suggestion of the same words that waits or is being applied."""
    states = _OPEN | {SuggestionState.APPLYING}
    every = suggestions_of(session, conversation_id)
    return next((each for each in every if each.words == words and each.state in states), None)


def _is_running(session: Session, run_id: str) -> bool:
    found = select(SuggestionStateRow).where(
        col(SuggestionStateRow.run_id) == run_id, col(SuggestionStateRow.state) == SuggestionState.APPLYING
    )
    return session.scalars(found).first() is not None


def _stale(base: ArtifactVersion, newest: ArtifactVersion) -> StaleBase:
    return StaleBase(
        "a newer version came meanwhile",
        base_id=base.version_id,
        base=base.number,
        newest_id=newest.version_id,
        newest=newest.number,
    )


def _draft_subject(artifact_id: str, viewer: Viewer) -> str:
    return f"edit:{artifact_id}:{viewer.person_id}"
