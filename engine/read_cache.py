"""Answers that a database gave, kept for as long as nothing has been committed to it."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import TypeVar, cast

Value = TypeVar("Value")
Mark = Callable[[], Hashable | None]
"""The same at two moments only if nothing was committed between them; None where that is unknown."""
AT_MOST = 512
"""Answers that are kept; the one not asked for the longest goes first."""


class ReadCache:
    """Never stale: an answer is given again only if the database holds what it held before that answer was read.

    The mark is taken before reading, so a commit that comes between them makes the answer newer than its mark,
    and it is read once more. May be shared by threads. Answers must never be changed by those who get them.
    """

    def __init__(self, mark: Mark, *, at_most: int = AT_MOST) -> None:
        self._mark = mark
        self._at_most = at_most
        self._answers: OrderedDict[Hashable, tuple[Hashable, object]] = OrderedDict()
        self._lock = Lock()

    def get(self, question: Hashable, read: Callable[[], Value]) -> Value:
        """The answer to `question`, which names everything that it depends on beside the database: who asks, too.

        What `read` raises is passed on and not kept.
        """
        mark = self._mark()
        if mark is None:
            return read()
        with self._lock:
            kept = self._answers.get(question)
            if kept is not None and kept[0] == mark:
                self._answers.move_to_end(question)
                return cast("Value", kept[1])  # the question names the method, and with it the type
        answer = read()
        with self._lock:
            self._answers[question] = mark, answer
            self._answers.move_to_end(question)
            if len(self._answers) > self._at_most:
                self._answers.popitem(last=False)
        return answer
