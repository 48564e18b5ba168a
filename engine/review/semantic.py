"""One criterion that must be read for its meaning: one request to a model, one verdict or one fault."""

import logging
from pathlib import PurePosixPath

from engine.domain.course import Criterion, TaskInForce
from engine.domain.data_message import DataKind, wrap
from engine.domain.quote import Found, find_quote
from engine.domain.review import CriterionResult
from engine.domain.session import ChatMessage
from engine.domain.states import CriterionStatus, Language, ReviewFault, Role, Source
from engine.domain.text import is_blank
from engine.errors import ModelError, ProviderTimedOut
from engine.llm.gateway import Gateway
from engine.llm.prompts.review import QUOTES, REVIEW_RULES, Judgement
from engine.llm.structured import AfterCall, AnswerInvalid, ask_structured
from engine.review.checks.finding import place, shorten
from engine.review.criteria import CriterionFault, judge_without_evidence
from engine.review.evidence import Evidence
from engine.review.excerpts import ShownWork, show_work

_log = logging.getLogger(__name__)

PROSE = frozenset({"", ".md", ".markdown", ".txt", ".rst", ".adoc", ".org", ".tex", ".html", ".htm"})
"""Endings of files that are written for people."""
REASON_CHARACTERS = 600
NEXT_STEP_CHARACTERS = 300

_LANGUAGES = {Language.ZH: "Chinese", Language.EN: "English"}


class SemanticJudge:
    """Judges by a model. A fault of the service is never a verdict."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    @property
    def model(self) -> str:
        """The name of the model, for provenance."""
        return self._gateway.model

    async def judge(
        self,
        criterion: Criterion,
        given: TaskInForce,
        evidence: Evidence,
        *,
        after_call: AfterCall | None = None,
    ) -> CriterionResult | CriterionFault:
        """Ask once about this criterion; `after_call` is given each request that this took, once it has ended.

        Raises:
            Exception: whatever is an error of ours.
        """
        work = show_work(f"{criterion.text}\n{given.task.goal}", evidence.files)
        try:
            asked = await ask_structured(
                self._gateway,
                build_request(criterion, given, work),
                Judgement,
                before_send=lambda body: _log.debug("asking about a criterion, %d bytes", len(body)),
                after_call=after_call,
            )
        except ModelError as error:
            detail = f"{type(error).__name__}: {error}"
            return CriterionFault(rubric_id=criterion.rubric_id, fault=_fault(error), detail=detail)
        return read_judgement(criterion, asked.value, work, given.language)


def build_request(criterion: Criterion, given: TaskInForce, work: ShownWork) -> tuple[ChatMessage, ...]:
    """Our rules, then everything else as data in one message, since some servers refuse two in a row.

    The criterion is never cut.
    """
    asked = {
        "course": given.course_title,
        "task": given.task.title,
        "goal": given.task.goal,
        "criterion": criterion.text,
        "answer_in": _LANGUAGES[given.language],
    }
    data = f"{wrap(DataKind.CRITERION, asked)}\n{wrap(DataKind.WORK, work.payload)}"
    return ChatMessage(role=Role.SYSTEM, content=REVIEW_RULES), ChatMessage(role=Role.USER, content=data)


def _fault(error: ModelError) -> ReviewFault:
    match error:
        case ProviderTimedOut():
            return ReviewFault.TIMED_OUT
        case AnswerInvalid():
            return ReviewFault.TOOL_BROKEN
        case _:
            return ReviewFault.PROVIDER_DOWN


def read_judgement(criterion: Criterion, judged: Judgement, work: ShownWork, language: Language) -> CriterionResult:
    """The verdict, if a quote of it stands where it should; else the criterion waits for a person.

    A verdict of PASS or FAIL without a quote that is found becomes NEED_REVIEW, and nothing of what was answered
    is passed on: what stands on no evidence is no feedback (DESIGN 9).
    """
    evidence = _found_quote(judged, work)
    if evidence is None and judged.status is not CriterionStatus.NEED_REVIEW:
        return judge_without_evidence(criterion, language)
    is_met = judged.status is CriterionStatus.PASS
    return CriterionResult(
        rubric_id=criterion.rubric_id,
        status=judged.status,
        reason=shorten(judged.reason, REASON_CHARACTERS),
        evidence=evidence,
        source=Source.MODEL,
        next_step=None if is_met else _next_step(criterion, judged.next_step),
    )


def _found_quote(judged: Judgement, work: ShownWork) -> str | None:
    """The first quote that stands in its file, with the line on which it really stands."""
    for quote in judged.quotes[:QUOTES]:
        body = work.bodies.get(quote.path)
        if body is None:
            continue
        found = find_quote(quote.quote, body, is_code=not is_prose(quote.path), near_line=quote.line)
        if isinstance(found, Found):
            return place(quote.path, found.line, body[found.start : found.end])
    return None


def is_prose(path: str) -> bool:
    """Whether a file is written for people; in all others case and inner space count in a quote."""
    return PurePosixPath(path).suffix.casefold() in PROSE


def _next_step(criterion: Criterion, answered: str | None) -> str | None:
    """That of the course's author goes before that of the model, as it goes before that of a check."""
    if not is_blank(criterion.next_step):
        return criterion.next_step
    return shorten(answered or "", NEXT_STEP_CHARACTERS) or None
