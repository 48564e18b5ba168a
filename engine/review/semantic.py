"""One criterion that must be read for its meaning: one request to a model, one verdict or one fault."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass

from engine.domain.course import Criterion, TaskInForce
from engine.domain.data_message import DataKind, escaped_json, wrap
from engine.domain.review import CriterionResult
from engine.domain.session import ChatMessage
from engine.domain.states import CriterionStatus, FileKind, Language, ReviewFault, Role, Source
from engine.domain.text import is_blank
from engine.domain.work import WorkFile
from engine.errors import ModelError, ProviderTimedOut
from engine.llm.gateway import Gateway
from engine.llm.prompts.review import PLACES, REVIEW_RULES, Judgement
from engine.llm.structured import AnswerInvalid, ask_structured
from engine.review.checks.finding import place, shorten
from engine.review.criteria import CriterionFault
from engine.review.evidence import Evidence, shown_lines
from engine.review.logs import is_log

_log = logging.getLogger(__name__)

WORK_CHARACTERS = 12_000
"""Room for files in one request, in characters as they are sent; fits a window of 16,000 tokens in any script."""
NAMED_LEFT_OUT = 40
"""So many files that were left out are named; how many there are is always said."""
REASON_CHARACTERS = 600
NEXT_STEP_CHARACTERS = 300

_LANGUAGES = {Language.ZH: "Chinese", Language.EN: "English"}
_NO_ROOM = "no room"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownWork:
    """What a model is given of the work."""

    payload: Mapping[str, object]
    """Files with numbered lines, and which were left out."""
    places: Mapping[str, int]
    """How many lines each file shown has, by path."""


class SemanticJudge:
    """Judges by a model. A fault of the service is never a verdict."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    @property
    def model(self) -> str:
        """The name of the model, for provenance."""
        return self._gateway.model

    async def judge(
        self, criterion: Criterion, given: TaskInForce, evidence: Evidence
    ) -> CriterionResult | CriterionFault:
        """Ask once about this criterion. The request itself is not kept yet.

        Raises:
            Exception: whatever is an error of ours.
        """
        work = show_work(criterion, given, evidence)
        try:
            asked = await ask_structured(
                self._gateway,
                build_request(criterion, given, work),
                Judgement,
                before_send=lambda body: _log.debug("asking about a criterion, %d bytes", len(body)),
                context={PLACES: work.places},
            )
        except ModelError as error:
            detail = f"{type(error).__name__}: {error}"
            return CriterionFault(rubric_id=criterion.rubric_id, fault=_fault(error), detail=detail)
        return _result(criterion, asked.value)


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


def show_work(criterion: Criterion, given: TaskInForce, evidence: Evidence, limit: int = WORK_CHARACTERS) -> ShownWork:
    """Whole files within `limit`: those that the criterion or the goal names first, then small before large.

    Of equal ones that by path. What does not fit or is no text is named with why; test reports are no work.
    """
    told = f"{criterion.text}\n{given.task.goal}".casefold()
    files = [file for file in evidence.files if file.kind is FileKind.WORK]
    files.sort(key=lambda file: (not _is_named(file, told), len(file.body or ""), file.path))
    shown: list[Mapping[str, object]] = []
    left_out: list[Mapping[str, object]] = []
    places: dict[str, int] = {}
    for file in files:
        entry = _entry(file, limit)
        if entry is None:
            left_out.append({"path": file.path, "why": file.state if file.body is None else _NO_ROOM})
            continue
        shown.append(entry)
        places[file.path] = shown_lines(file)[-1][0]
        limit -= len(escaped_json(entry))
    payload = {"files": shown, "left_out": left_out[:NAMED_LEFT_OUT], "left_out_count": len(left_out)}
    return ShownWork(payload=payload, places=places)


def _is_named(file: WorkFile, told: str) -> bool:
    return file.path.rpartition("/")[2].casefold() in told


def _entry(file: WorkFile, limit: int) -> Mapping[str, object] | None:
    """The file as it is sent, of a log its beginning and end; None where it is no text or does not fit."""
    if file.body is None or (len(file.body) > limit and not is_log(file)):
        return None
    text = "".join(f"{number}\t{line}\n" for number, line in shown_lines(file))
    entry = {"path": file.path, "text": text}
    return entry if len(escaped_json(entry)) <= limit else None


def _fault(error: ModelError) -> ReviewFault:
    match error:
        case ProviderTimedOut():
            return ReviewFault.TIMED_OUT
        case AnswerInvalid():
            return ReviewFault.TOOL_BROKEN
        case _:
            return ReviewFault.PROVIDER_DOWN


def _result(criterion: Criterion, judged: Judgement) -> CriterionResult:
    return CriterionResult(
        rubric_id=criterion.rubric_id,
        status=judged.status,
        reason=shorten(judged.reason, REASON_CHARACTERS),
        evidence=None if judged.evidence is None else _evidence(judged.evidence),
        source=Source.MODEL,
        next_step=None if judged.status is CriterionStatus.PASS else _next_step(criterion, judged.next_step),
    )


def _evidence(answered: str) -> str:
    path, _, line = answered.rpartition(":")
    return place(path, int(line))


def _next_step(criterion: Criterion, answered: str | None) -> str | None:
    """That of the course's author goes before that of the model, as it goes before that of a check."""
    if not is_blank(criterion.next_step):
        return criterion.next_step
    return shorten(answered or "", NEXT_STEP_CHARACTERS) or None
