"""One round through the queue: which item is on the screen, what was decided, and what can be undone."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from engine.domain.states import CriterionStatus
from engine.errors import TutorloopError
from engine.review.queue_store import QueueItem

AT = "queue_at"
CHOICE = "queue_choice"
DONE = "queue_done"
LAST = "queue_last"
REFUSED = "queue_refused"
"""Where the session keeps each of these."""
END = "end"
"""In place of an item: the list has been gone through."""
AGAIN = "again"
"""In place of a verdict: a review was begun again."""
SECONDS_EACH = 45
"""What one item takes, for want of a better measure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LastDecision:
    """The decision that can be undone with one key."""

    submission_id: str
    rubric_id: str
    attempt_seq: int
    about: str
    """Student and task, as people know them."""


def id_of(item: QueueItem) -> str:
    """What the session knows an item by."""
    return f"{item.submission_id}/{item.rubric_id}"


def place_of(items: Sequence[QueueItem]) -> int | None:
    """Which of `items` is on the screen, the first where none was gone to; None where it is none of them."""
    at = st.session_state.get(AT)
    ids = [id_of(item) for item in items]
    if at is None:
        return 0 if items else None
    return ids.index(at) if at in ids else None


def go_to(item_id: str) -> None:
    """Show another item, or the end. What was typed about this one is kept as a draft."""
    st.session_state[AT] = item_id
    st.session_state.pop(CHOICE, None)
    st.session_state.pop(REFUSED, None)


def choice_for(item: QueueItem) -> CriterionStatus | None:
    """What was chosen for this item and is not saved yet."""
    chosen = st.session_state.get(CHOICE)
    return chosen[1] if chosen is not None and chosen[0] == id_of(item) else None


def choose(item: QueueItem, status: CriterionStatus) -> None:
    """Choose a verdict; nothing is saved by it."""
    st.session_state[CHOICE] = id_of(item), status


def count_done(done: str, last: LastDecision | None) -> None:
    """Count what was just done in this round; a decision can be undone as long as it is the last one."""
    st.session_state.setdefault(DONE, []).append(done)
    if last is not None:
        st.session_state[LAST] = last


def last_decision() -> LastDecision | None:
    """The decision that can be undone; None where there is none."""
    last = st.session_state.get(LAST)
    return last if isinstance(last, LastDecision) else None


def undone(last: LastDecision) -> None:
    """Forget the last decision of this round and show its item again."""
    done = st.session_state.get(DONE, [])
    verdicts = [place for place, each in enumerate(done) if each != AGAIN]
    if verdicts:
        del done[verdicts[-1]]
    st.session_state.pop(LAST, None)
    go_to(f"{last.submission_id}/{last.rubric_id}")


def done_so_far() -> list[str]:
    """What was decided in this round, in order: verdicts, and `AGAIN` for reviews."""
    return list(st.session_state.get(DONE, []))


def refuse(error: TutorloopError) -> None:
    """Keep why something could not be saved, for the place where it was tried."""
    st.session_state[REFUSED] = error


def refusal() -> TutorloopError | None:
    """Why it could not be saved; None where nothing was refused."""
    error = st.session_state.get(REFUSED)
    return error if isinstance(error, TutorloopError) else None


def minutes(items: int) -> int:
    """How long so many items take, about."""
    return max(1, round(items * SECONDS_EACH / 60))
