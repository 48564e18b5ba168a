"""What the offline tutor reads out of a request: data, the newest words, what they ask for."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import regex

from engine.domain.data_message import DataKind, unwrap
from engine.domain.states import CriterionStatus, FeedbackState, Language, Role
from engine.domain.text import clean
from engine.llm.offline_intents import Intent, read_intent

Data = Mapping[str, object]

_OPEN = frozenset({CriterionStatus.FAIL, CriterionStatus.NEED_REVIEW})


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenItem:
    """One open criterion of the block."""

    position: int
    """Its place in the block, from 0; `truncated_fields` names it so."""
    rubric_id: str
    status: CriterionStatus
    criterion: str
    reason: str
    evidence: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadBlock:
    """The feedback block of a request."""

    state: FeedbackState
    submission_seq: int | None
    next_step: str | None
    total_items: int
    omitted_count: int
    truncated_fields: frozenset[str]
    items: tuple[OpenItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadTask:
    """The task of a request; empty where the request says nothing."""

    title: str = ""
    goal: str = ""
    steps: tuple[str, ...] = ()
    criteria: tuple[str, ...] = ()
    language: Language | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadRequest:
    """Everything a reply depends on."""

    newest: str
    """The student's newest words, cleaned."""
    earlier: tuple[str, ...]
    """The student's words before those, oldest first."""
    replies: tuple[str, ...]
    """The tutor's earlier words."""
    task: ReadTask
    block: ReadBlock | None
    """None where the request holds none: then there is no review to speak of."""
    notes: tuple[str, ...]
    language: Language
    intent: Intent


def read_request(messages: Sequence[Mapping[str, object]]) -> ReadRequest:
    """Read `messages` as they were sent.

    A student can type what looks like a data message, so the place decides: the last user message is the
    student's, unless it is the only one that holds feedback; of the others the last feedback counts, the
    first task, and notes only behind the feedback.
    """
    users = [_content(message) for message in messages if message.get("role") == Role.USER]
    words, data = _words_and_data(users)
    newest = words[-1] if words else ""
    task = _read_task(next((payload for kind, payload in data if kind is DataKind.TASK), {}))
    places = [index for index, (kind, _) in enumerate(data) if kind is DataKind.FEEDBACK]
    behind = data[places[-1] + 1 :] if places else []
    block = _read_block(data[places[-1]][1]) if places else None
    return ReadRequest(
        newest=newest,
        earlier=tuple(words[:-1]),
        replies=tuple(_content(message) for message in messages if message.get("role") == Role.ASSISTANT),
        task=task,
        block=block,
        notes=tuple(
            note for kind, payload in behind if kind is DataKind.NOTES for note in _texts(payload, "learning_notes")
        ),
        language=_language(newest, task.language),
        intent=read_intent(_without_criteria(newest, task, block)),
    )


def cut_off_reply(messages: Sequence[Mapping[str, object]]) -> str | None:
    """The words with which a broken reply began, if the request asks to go on with it.

    A student can type what looks like that, so the place decides: behind the tutor's words stands nothing of
    the student's but the newest message, and that has the feedback before it.
    """
    if len(messages) < 2 or messages[-2].get("role") != Role.ASSISTANT:
        return None
    found = unwrap(_content(messages[-1]))
    return _content(messages[-2]) if found is not None and found[0] is DataKind.GO_ON else None


def _without_criteria(newest: str, task: ReadTask, block: ReadBlock | None) -> str:
    """The words of a criterion ("README explains …") are not the student's own asking."""
    shown = [_whole(item.criterion) for item in block.items] if block else []
    names = sorted({*task.criteria, *shown} - {""}, key=len, reverse=True)
    return re.sub("|".join(map(re.escape, names)), " ", newest, flags=re.IGNORECASE) if names else newest


def _whole(criterion: str) -> str:
    return criterion.rstrip("…").strip()


def _words_and_data(users: Sequence[str]) -> tuple[list[str], list[tuple[DataKind, dict[str, object]]]]:
    read = [unwrap(text) for text in users]
    if any(found and found[0] is DataKind.FEEDBACK for found in read[:-1]):
        read[-1] = None
    words = [clean(text) for text, found in zip(users, read, strict=True) if found is None]
    return words, [found for found in read if found]


def _content(message: Mapping[str, object]) -> str:
    content = message.get("content")
    return content if isinstance(content, str) else ""


def _read_task(payload: Data) -> ReadTask:
    language = _text(payload, "language")
    criteria = payload.get("criteria")
    listed = criteria if isinstance(criteria, list) else []
    return ReadTask(
        title=_text(payload, "title"),
        goal=_text(payload, "goal"),
        steps=_texts(payload, "steps"),
        criteria=tuple(_text(line, "text") for line in listed if isinstance(line, dict) and _text(line, "text")),
        language=Language(language) if language in set(Language) else None,
    )


def _read_block(payload: Data) -> ReadBlock:
    state = _text(payload, "state")
    items = payload.get("items")
    read = tuple(
        item for place, line in enumerate(items if isinstance(items, list) else []) if (item := _item(place, line))
    )
    return ReadBlock(
        state=FeedbackState(state) if state in set(FeedbackState) else FeedbackState.INVALID,
        submission_seq=_number(payload, "submission_seq"),
        next_step=_text(payload, "next_step") or None,
        total_items=_number(payload, "total_items") or len(read),
        omitted_count=_number(payload, "omitted_count") or 0,
        truncated_fields=frozenset(_texts(payload, "truncated_fields")),
        items=read,
    )


def _item(position: int, line: object) -> OpenItem | None:
    if not isinstance(line, dict) or _text(line, "status") not in _OPEN:
        return None
    return OpenItem(
        position=position,
        rubric_id=_text(line, "rubric_id"),
        status=CriterionStatus(_text(line, "status")),
        criterion=_text(line, "criterion"),
        reason=_text(line, "reason"),
        evidence=_text(line, "evidence") or None,
    )


def _text(payload: Data, name: str) -> str:
    value = payload.get(name)
    return clean(value) if isinstance(value, str) else ""


def _texts(payload: Data, name: str) -> tuple[str, ...]:
    value = payload.get(name)
    return tuple(clean(text) for text in value if isinstance(text, str)) if isinstance(value, list) else ()


def _number(payload: Data, name: str) -> int | None:
    value = payload.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


_HAN = regex.compile(r"\p{Han}")
_LATIN = regex.compile(r"\p{Latin}")


def _language(newest: str, of_task: Language | None) -> Language:
    if _HAN.search(newest):
        return Language.ZH
    if _LATIN.search(newest):
        return Language.EN
    return of_task or Language.EN


_LATIN_WORD = re.compile(r"[A-Za-z]{4,}")
_TOO_COMMON = frozenset(
    re.findall(
        "[a-z]+",
        """
        about after again also before cannot could criterion does done each every fixed from have help here into
        just know make more must need next only open please should some step sure task than that them then there
        these they this tried want what when where which will with work would your
        """,
    )
)


_FIRST = re.compile(r"\bfirst (?:open )?(?:item|criterion|one)\b|第一条|第一个|第一项", re.IGNORECASE)


def item_in_question(request: ReadRequest, items: Sequence[OpenItem]) -> OpenItem:
    """The item to talk about: named by the newest words, else by the latest that named one, else the first."""
    for words in reversed((*request.earlier, request.newest)):
        if named := named_item(words, items):
            return named
        if _FIRST.search(words):
            break
    return items[0]


def named_item(words: str, items: Sequence[OpenItem]) -> OpenItem | None:
    """The item that `words` name by its id, its criterion or words only its criterion has; None if unclear."""
    by_id = [item for item in items if _names_id(words, item)]
    if by_id:
        return by_id[0] if len(by_id) == 1 else None
    whole = [item for item in items if _holds_criterion(words, item)]
    if whole:
        return max(whole, key=lambda item: len(item.criterion))
    scores = [len(_distinctive(item, items) & _tokens(words)) for item in items]
    best = max(scores, default=0)
    return items[scores.index(best)] if best and scores.count(best) == 1 else None


def _names_id(words: str, item: OpenItem) -> bool:
    identifier = item.rubric_id
    if len(identifier) < 2 or identifier.isdigit():
        return False
    pattern = rf"(?<![A-Za-z0-9_-]){re.escape(identifier)}(?![A-Za-z0-9_-])"
    return re.search(pattern, words, re.IGNORECASE) is not None


def _holds_criterion(words: str, item: OpenItem) -> bool:
    criterion = _whole(item.criterion)
    return bool(criterion) and criterion.casefold() in words.casefold()


def _distinctive(item: OpenItem, items: Sequence[OpenItem]) -> set[str]:
    shared = {token for other in items if other is not item for token in _tokens(other.criterion)}
    return _tokens(item.criterion) - shared


def _tokens(text: str) -> set[str]:
    latin = {word.lower() for word in _LATIN_WORD.findall(text)} - _TOO_COMMON
    return latin | {text[i : i + 3] for i in range(len(text) - 2) if len(_HAN.findall(text[i : i + 3])) == 3}
