"""What the tutor is told where it begins by itself after a review. Constant to the byte for each level."""

from collections.abc import Mapping

from engine.domain.states import SupportLevel
from engine.llm.prompts.tutor import TUTOR_RULES

_BEGIN = """\
OPENING
A review of the newest hand-in has just ended with criteria that are not met, and the learner has written nothing since.
You begin. The last message, <tutorloop-open>, is the system's request to do so and no words of the learner; do not
answer it and do not speak of it.
- Write one line kind: ask, then name the first item of the feedback block and ask exactly one question about it.
- Write of no other item, give no list and no plan.
- Earlier turns may say what the learner has tried; do not ask that again.
- Answer in the language of the learner's messages; where there are none, in the task's "language".
"""

_LEVELS: Mapping[SupportLevel, str] = {
    SupportLevel.LOW: """\
SUPPORT: low
Name the criterion only. Give away neither the reason nor the place nor the next step; ask what the learner makes of it
or has tried.
""",
    SupportLevel.MODERATE: """\
SUPPORT: moderate
Say in one sentence why it is not met and, where the evidence names a place, which. Leave out the next step; ask a
question that lets the learner find it.
""",
    SupportLevel.HIGH: """\
SUPPORT: high
Say why it is not met, where it shows, and the next step of the review. Ask a question that helps the learner take that
step; still do not write the solution.
""",
}

OPENING_RULES: Mapping[SupportLevel, str] = {level: f"{_BEGIN}\n{told}" for level, told in _LEVELS.items()}
"""Stand behind the tutor's rules, in the system message of such a turn alone; none where the tutor never begins."""


def opening_level(system: str) -> SupportLevel | None:
    """The level of the turn that this system message is for; None where the student asked.

    A student cannot write into that message, so whatever a message of theirs looks like, it opens nothing.
    """
    if not system.startswith(TUTOR_RULES):
        return None
    behind = system.removeprefix(TUTOR_RULES).strip()
    return next((level for level, rules in OPENING_RULES.items() if behind == rules.strip()), None)
