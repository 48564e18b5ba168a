"""How much of the feedback stands in a request. Whatever is missing from the block, the block says so."""

from bisect import bisect_right
from dataclasses import replace

from engine.domain.data_message import escaped_json
from engine.domain.feedback import Block, Feedback, FeedbackItem
from engine.feedback.block import Draft, ShownItem, ShownText, write_block, write_minimal_block
from engine.feedback.cutting import clean_and_cut, cut
from engine.feedback.order import urgency

BLOCK_LIMIT = 2400
"""Code points of a whole block, markers and metadata included."""
ITEM_LIMIT = 4
CRITERION_CAP = 80
"""This and the other caps count code points of cleaned text, the omission mark included."""
REASON_CAP = 120
EVIDENCE_CAP = 120
NEXT_STEP_CAP = 160
MODEL_CAP = 40


def budget_feedback(feedback: Feedback, limit: int = BLOCK_LIMIT) -> Block:
    """Write as much of `feedback` as `limit` code points hold.

    Texts are cleaned, cut to their caps, then escaped; the limit counts the escaped block. At most four items are
    shown, FAIL before NEED_REVIEW, then by rubric id; whole ones only, up to the first that does not fit. Where
    that is the very first, its longest text (as escaped; of equal ones the earlier field) is shortened no further
    than needed. The next step gives way only where without it an item, or the metadata, fits and with it not.
    Metadata that do not fit even so give the minimal block, whose state is `invalid`.

    Raises:
        ValueError: `limit` is smaller than the minimal block.
    """
    minimal = write_minimal_block(feedback, limit)
    if limit < len(minimal.text):
        raise ValueError(f"a block needs at least {len(minimal.text)} characters, not {limit}")
    items = tuple(_shown(item) for item in _foremost(feedback))
    drafts = [_fill(head, items, limit) for head in _heads(feedback)]
    fitting = [draft for draft in drafts if _fits(draft, limit)]
    fitting.sort(key=lambda draft: not draft.items)  # stable: among equals the one with its next step
    return write_block(fitting[0], limit) if fitting else minimal


def _foremost(feedback: Feedback) -> list[FeedbackItem]:
    return sorted(feedback.items, key=lambda item: urgency(item.status, item.rubric_id))[:ITEM_LIMIT]


def _heads(feedback: Feedback) -> tuple[Draft, ...]:
    """The block without items: as it should be, and without its next step where it has one."""
    model = _within(feedback.attempt.model if feedback.attempt else None, MODEL_CAP)
    head = Draft(feedback=feedback, model=model, next_step=_within(feedback.next_step, NEXT_STEP_CAP))
    if head.next_step.text is None:
        return (head,)
    return head, replace(head, next_step=ShownText(text=None, is_cut=True))


def _shown(item: FeedbackItem) -> ShownItem:
    texts = {
        "criterion": _within(item.criterion, CRITERION_CAP),
        "reason": _within(item.reason, REASON_CAP),
        "evidence": _within(item.evidence, EVIDENCE_CAP),
    }
    return ShownItem(rubric_id=item.rubric_id, status=item.status, texts=texts, source=item.source)


def _within(text: str | None, cap: int) -> ShownText:
    shown, is_cut = clean_and_cut(text or "", cap)
    return ShownText(text=shown or None, is_cut=is_cut)


def _fits(draft: Draft, limit: int) -> bool:
    return len(write_block(draft, limit).text) <= limit


def _fill(head: Draft, items: tuple[ShownItem, ...], limit: int) -> Draft:
    """Add items up to the first that does not fit; if that is the very first, add what fits of it."""
    draft = head
    for item in items:
        longer = draft.adding(item)
        if not _fits(longer, limit):
            return draft if draft.items else _with_shortened(head, item, limit)
        draft = longer
    return draft


def _with_shortened(head: Draft, item: ShownItem, limit: int) -> Draft:
    """Add `item` with its longest text shortened as little as possible; `head` as it was where that is not enough."""
    name = max(item.texts, key=lambda field: _serialised_length(item.texts[field]))
    caps = range(1, len(item.texts[name].text or ""))
    enough = bisect_right(caps, limit, key=lambda cap: _length(head.adding(_shortened(item, name, cap))))
    return head.adding(_shortened(item, name, caps[enough - 1])) if enough else head


def _serialised_length(shown: ShownText) -> int:
    return len(escaped_json({"": shown.text})) if shown.text else 0


def _length(draft: Draft) -> int:
    return len(write_block(draft, 0).text)


def _shortened(item: ShownItem, name: str, cap: int) -> ShownItem:
    text, _ = cut(item.texts[name].text or "", cap)
    return replace(item, texts={**item.texts, name: ShownText(text=text, is_cut=True)})
