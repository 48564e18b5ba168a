"""Editing by conversation, from the suggestion to the new version.

1. The suggestion is stored and can be seen at once; the first one opens the conversation.
2. "Collect" acknowledges it; "apply now" takes everything that waits as one run, which a worker follows.
3. What each suggestion names is resolved; what is not there or not clear is asked back.
4. The model is given numbered blocks, the suggestions, what was said before and the rules of style in force; about
   what one answer cannot hold it is asked run by run.
5. Its operations are checked one by one, and asked for once more where they cannot be used.
6. Version, revision record and the answer in the conversation are stored in one transaction.
7. Whoever wants to learn from it is told; what goes wrong there never touches the edit.
8. What could not be done leaves the text as it is and the suggestion there, to be tried again.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from engine.domain.artifact import (
    Artifact,
    ArtifactKind,
    ArtifactVersion,
    NewVersion,
    Saved,
    VersionAuthor,
    VersionReason,
)
from engine.domain.edit import EditRun, MessageFacts, MessageKind, Suggestion, SuggestionState
from engine.domain.model_call import CallSubject, CallUse, SentCall
from engine.domain.people import LOCAL_VIEWER, Viewer
from engine.domain.preference import StyleRule
from engine.errors import ArtifactRefused, ContextTooLarge, InputError, ModelError, StaleBase, TutorloopError
from engine.jobs.worker import Worker
from engine.llm.gateway import Gateway
from engine.llm.models import Models
from engine.llm.prompts.edit import CHECK, EditAnswer
from engine.llm.structured import AnswerCut, AnswerInvalid, ask_structured
from engine.llm.tokens import count_tokens
from engine.revision.blocks import Document, split_blocks
from engine.revision.editing.edit_judge import Answered, EditJudge, put_together
from engine.revision.editing.edit_request import EarlierMessage, EditTask, chosen_rules
from engine.revision.editing.editing_store import EditingStore, NewMessage, RunApplied, RunEnd, SuggestionEnd
from engine.revision.editing.not_done import CUT, TOO_LONG, UNUSABLE, not_done
from engine.revision.editing.operations import Edit
from engine.revision.editing.reply_room import Asking, plan_requests
from engine.revision.editing.scope import Scope, resolve_scope
from engine.revision.editing.scope_parts import ScopeQuestion
from engine.revision.editing.telling import revision_facts
from engine.sessions.call_store import CallStore
from engine.settings import Budgets, ModelUse
from engine.work.artifact_store import ArtifactStore
from engine.work.version_store import NOTE_LIMIT

_log = logging.getLogger(__name__)

ERASED = "erased"
"""Fault: the words of the version were erased."""
STALE = "stale_base"
"""Fault: another version came while the edit was under way."""
_TOLD_BEFORE = frozenset({MessageKind.SUGGESTION, MessageKind.APPLIED, MessageKind.ASKED, MessageKind.UNDONE})


@dataclass(frozen=True, slots=True, kw_only=True)
class AppliedEdit:
    """An edit that was stored, for whoever learns from it."""

    artifact: Artifact
    before: ArtifactVersion
    after: ArtifactVersion
    suggestions: tuple[str, ...]
    """The person's own words, in full."""


ActiveRules = Callable[[Viewer, Artifact], Sequence[StyleRule]]
"""The rules of style in force for an artifact, the most important first."""
AfterEdit = Callable[[Viewer, AppliedEdit], None]


class Editor:
    """Follows suggestions; see the steps above. May be shared by threads."""

    def __init__(
        self,
        *,
        store: EditingStore,
        artifacts: ArtifactStore,
        calls: CallStore,
        models: Models,
        budgets: Callable[[], Budgets],
        active_rules: ActiveRules,
        after_edit: AfterEdit,
    ) -> None:
        """Put an editor together; `budgets` says how large a request may be at that moment."""
        self._store = store
        self._artifacts = artifacts
        self._calls = calls
        self._models = models
        self._budgets = budgets
        self._active_rules = active_rules
        self._after_edit = after_edit

    @property
    def is_offline(self) -> bool:
        """Whether the offline editor answers, by fixed rules."""
        return self._models.gateway(ModelUse.EDIT).is_offline

    def suggest(self, viewer: Viewer, artifact_id: str, words: str, worker: Worker, *, collect: bool) -> Suggestion:
        """Store a suggestion, and unless it is only collected apply it with everything that waits.

        Raises:
            NotFound: there is no artifact of that id.
            WordsRefused: there is nothing in the words, or they are too long.
        """
        suggestion = self._store.suggest(viewer, artifact_id, words, collect=collect)
        if not collect:
            self.apply_waiting(viewer, artifact_id, worker)
        return suggestion

    def apply_waiting(
        self, viewer: Viewer, artifact_id: str, worker: Worker, *, collected: bool = True
    ) -> EditRun | None:
        """Apply everything that waits, and what was `collected` too, outside this thread.

        None where nothing can begin now: while an edit of this artifact is under way it goes on with what waits when
        it has ended. What is only collected after that waits for the person.
        """
        run = self._store.take(viewer, artifact_id, worker.lease, collected=collected)
        if run is not None:
            taken = run
            worker.submit(taken.run_id, lambda: self._work(viewer, taken, worker))
        return run

    def retry(self, viewer: Viewer, suggestion_id: str, worker: Worker) -> None:
        """Try a suggestion again that failed; what is collected stays so."""
        self.apply_waiting(viewer, self._store.wait_again(viewer, suggestion_id), worker, collected=False)

    def withdraw(self, viewer: Viewer, suggestion_id: str) -> None:
        """Put a suggestion away."""
        self._store.withdraw(viewer, suggestion_id)

    def undo(self, viewer: Viewer, revision_id: str, author: VersionAuthor) -> Saved:
        """Take an edit back: the text before it is the next version.

        Raises:
            StaleBase: a newer version came meanwhile.
        """
        return self._store.undo(viewer, revision_id, author)

    def interrupt(self, run_id: str) -> None:
        """End a run whose worker is gone; its suggestions are kept."""
        self._store.interrupt(LOCAL_VIEWER, run_id)

    def _work(self, viewer: Viewer, run: EditRun, worker: Worker) -> None:
        applied = self.follow(viewer, run, worker)
        try:
            self.apply_waiting(viewer, run.artifact_id, worker, collected=False)
        finally:
            if applied is not None:
                self._tell(viewer, applied)

    def follow(self, viewer: Viewer, run: EditRun, worker: Worker | None = None) -> AppliedEdit | None:
        """Apply a run in this thread and store its end; None where nothing was changed."""
        try:
            return self._follow(viewer, run, worker)
        except asyncio.CancelledError:
            self._fail(viewer, run, "interrupted")
        except TutorloopError as error:
            self._fail(viewer, run, _fault(error), error)
        except Exception:
            _log.exception("an edit ended by an error of ours")
            self._fail(viewer, run, "internal")
        return None

    def _follow(self, viewer: Viewer, run: EditRun, worker: Worker | None) -> AppliedEdit | None:
        artifact = self._artifacts.artifact(viewer, run.artifact_id)
        newest = self._artifacts.versions(viewer, run.artifact_id)[-1]
        before = self._artifacts.version(viewer, run.artifact_id, newest.version_id)
        if before.is_erased:
            raise ArtifactRefused("its words were erased", reason=ERASED)
        document = split_blocks(before.body, is_code=artifact.kind is ArtifactKind.CODE)
        asked, clear, scopes = _resolved(run, document, before.title)
        if not clear:
            self._store.end_run(viewer, run, asked)
            return None
        task = EditTask(
            document=document,
            title=before.title,
            suggestions=tuple(each.words for each in clear),
            scopes=scopes,
            earlier=self._earlier(viewer, run),
            rules=self._rules(viewer, artifact),
        )
        gateway = self._models.gateway(ModelUse.EDIT)
        answered = asyncio.run(self._ask(viewer, run, task, gateway, worker))
        end = _end_of(answered, task, clear, asked, before, is_offline=gateway.is_offline)
        if not isinstance(end, RunApplied):
            self._store.end_run(viewer, run, end)
            return None
        after = self._store.apply(viewer, run, end)
        return AppliedEdit(artifact=artifact, before=before, after=after, suggestions=task.suggestions)

    async def _ask(
        self, viewer: Viewer, run: EditRun, task: EditTask, gateway: Gateway, worker: Worker | None
    ) -> Answered:
        """Ask for the whole task, or for one run of blocks after the other until something is asked back.

        Raises:
            ContextTooLarge: it is too long; nothing was asked.
            ModelError: the service failed before anything came that can be used.
        """
        if worker is not None:
            worker.cancel_on_stop(run.run_id)
        askings = plan_requests(task, None if gateway.is_offline else self._budgets(), count_tokens)
        subject = CallSubject(use=CallUse.EDIT, subject_id=run.conversation_id, part=run.run_id)
        judges: list[EditJudge] = []
        for asking in askings:
            judges.append(EditJudge(asking.task, is_part=len(askings) > 1))
            await self._ask_one(viewer, subject, asking, judges[-1], gateway)
            if judges[-1].is_asking:
                break
        return put_together(task, judges)

    async def _ask_one(
        self, viewer: Viewer, subject: CallSubject, asking: Asking, judge: EditJudge, gateway: Gateway
    ) -> None:
        """Let the judge see an answer, and a second one where the first cannot be used.

        Raises:
            ModelError: the service failed before anything came that can be used.
        """

        def keep(sent: SentCall) -> None:
            judge.answers += sent.answer is not None
            self._calls.keep(viewer, subject, gateway.model, sent)

        try:
            await ask_structured(
                gateway,
                asking.messages,
                EditAnswer,
                before_send=lambda body: _log.debug("asking for an edit, %d bytes", len(body)),
                after_call=keep,
                context={CHECK: judge},
            )
        except ModelError:
            # What was right in the first answer stays right when the second one never comes or is worse.
            if judge.best is None or not judge.best.done:
                raise

    def _earlier(self, viewer: Viewer, run: EditRun) -> tuple[EarlierMessage, ...]:
        """What was said before this run, without questions of our own wording."""
        conversation = self._store.conversation(viewer, run.artifact_id)
        taken = {each.suggestion_id for each in run.suggestions}
        by_id = {each.suggestion_id: each.words for each in conversation.suggestions}
        told: list[EarlierMessage] = []
        for message in conversation.messages:
            if message.kind not in _TOLD_BEFORE or message.suggestion_id in taken:
                continue
            words = by_id.get(message.suggestion_id or "", message.words)
            if message.kind is MessageKind.APPLIED:
                words = f"V{message.facts.number} -> V{message.facts.other}"
            if message.kind is MessageKind.UNDONE:
                words = f"taken back: V{message.facts.other} is V{message.facts.number} again"
            told.append(EarlierMessage(role=message.role, text=words))
        return tuple(told)

    def _rules(self, viewer: Viewer, artifact: Artifact) -> tuple[StyleRule, ...]:
        """The rules in force; without them where they cannot be read."""
        try:
            return tuple(self._active_rules(viewer, artifact))
        except Exception:
            _log.warning("an edit goes on without rules of style", exc_info=True)
            return ()

    def _tell(self, viewer: Viewer, applied: AppliedEdit) -> None:
        try:
            self._after_edit(viewer, applied)
        except Exception:
            _log.warning("nothing was learned from an edit", exc_info=True)

    def _fail(self, viewer: Viewer, run: EditRun, fault: str, error: TutorloopError | None = None) -> None:
        failed = SuggestionEnd(state=SuggestionState.FAILED, fault=fault)
        count, limit = (int(error.values[name]) if error and fault == TOO_LONG else 0 for name in ("count", "limit"))
        end = RunEnd(
            suggestions={each.suggestion_id: failed for each in run.suggestions},
            messages=(NewMessage(kind=MessageKind.FAILED, facts=MessageFacts(fault=fault, count=count, limit=limit)),),
        )
        self._store.end_run(viewer, run, end)


def _fault(error: TutorloopError) -> str:
    match error:
        case ArtifactRefused(reason="erased"):
            return ERASED
        case ContextTooLarge() if error.values:
            return TOO_LONG
        case AnswerCut():
            return CUT
        case AnswerInvalid() | ArtifactRefused():
            return UNUSABLE
        case StaleBase():
            return STALE
        case InputError():
            return "internal"
        case _:
            return error.code


def _resolved(
    run: EditRun, document: Document, title: str
) -> tuple[RunEnd, tuple[Suggestion, ...], Mapping[int, Scope]]:
    """What has to be asked back, and the clear suggestions with their scopes."""
    ends: dict[str, SuggestionEnd] = {}
    messages: list[NewMessage] = []
    clear: list[Suggestion] = []
    scopes: dict[int, Scope] = {}
    for suggestion in run.suggestions:
        scope = resolve_scope(suggestion.words, document, title)
        if isinstance(scope, Scope):
            clear.append(suggestion)
            scopes[len(clear)] = scope
            continue
        ends[suggestion.suggestion_id] = SuggestionEnd(state=SuggestionState.NEEDS_SCOPE, fault=scope.problem)
        messages.append(_question(suggestion, scope))
    return RunEnd(suggestions=ends, messages=tuple(messages)), tuple(clear), scopes


_QUOTES = "“”\"'「」『』‘’`《》 "


def _question(suggestion: Suggestion, question: ScopeQuestion) -> NewMessage:
    return NewMessage(
        kind=MessageKind.ASKED,
        words="\n".join((question.named.strip(_QUOTES), *question.choices)),
        facts=MessageFacts(fault=question.problem, count=question.count),
        suggestion_id=suggestion.suggestion_id,
    )


def _end_of(
    answered: Answered,
    task: EditTask,
    clear: Sequence[Suggestion],
    asked: RunEnd,
    before: ArtifactVersion,
    *,
    is_offline: bool,
) -> RunEnd:
    """How the run ends: applied, as far as anything could be done, else with why not."""
    edit = answered.edit
    is_changed = edit is not None and (edit.body, edit.title) != (before.body, before.title)
    followed = {place for each in edit.done for place in each.suggestions} if edit is not None and is_changed else set()
    left, told = not_done(answered, task, clear, followed, is_offline=is_offline)
    done = {each.suggestion_id: SuggestionEnd(state=SuggestionState.APPLIED) for each in clear}
    ends = {**asked.suggestions, **done, **left}
    messages = [*asked.messages, *told]
    if edit is None or not followed:
        return RunEnd(suggestions=ends, messages=tuple(messages))
    return _applied(edit, answered, task, clear, ends, messages, followed, before, is_offline=is_offline)


def _applied(
    edit: Edit,
    answered: Answered,
    task: EditTask,
    clear: Sequence[Suggestion],
    ends: Mapping[str, SuggestionEnd],
    messages: Sequence[NewMessage],
    followed: set[int],
    before: ArtifactVersion,
    *,
    is_offline: bool,
) -> RunApplied:
    done = [suggestion for place, suggestion in enumerate(clear, start=1) if place in followed]
    facts = revision_facts(
        task.document,
        edit,
        task.scopes,
        [suggestion.suggestion_id for suggestion in done],
        mended=answered.mended,
        answers=answered.answers,
        is_offline=is_offline,
    )
    note = "\n".join(suggestion.words for suggestion in done)
    new = NewVersion(
        title=edit.title,
        body=edit.body,
        author=VersionAuthor.MODEL,
        reason=VersionReason.ASKED,
        note=note if len(note) <= NOTE_LIMIT else f"{note[: NOTE_LIMIT - 1]}…",
    )
    # The offline editor is given the rules too, and follows none of them.
    rules = () if is_offline else tuple(rule.rule_id for rule in chosen_rules(task.rules))
    return RunApplied(
        suggestions=ends, messages=tuple(messages), base_id=before.version_id, new=new, facts=facts, rules=rules
    )
