"""The parts of a request and the fields of a block, by the names that people read."""

from collections.abc import Mapping

from engine.domain.session import PartKind
from engine.domain.states import Role
from engine.tutoring.receipt import ShownPart
from pages._widgets.words import N_, _

PART_NAMES: Mapping[PartKind, str] = {
    PartKind.RULES: N_("Rules for the tutor"),
    PartKind.OPENING: N_("Rules for beginning by itself"),
    PartKind.REPLY_STYLE: N_("Rules for language and length"),
    PartKind.TASK: N_("Course and task"),
    PartKind.PREFERENCES: N_("The student's wishes for language and length"),
    PartKind.SUMMARY: N_("Turns 1 to {n} as a summary"),
    PartKind.TEACHER: N_("What a teacher wrote"),
    PartKind.TURN: N_("Turn {n}"),
    PartKind.FEEDBACK: N_("Feedback block"),
    PartKind.NOTES: N_("Learning notes"),
    PartKind.NEWEST: N_("Newest message"),
    PartKind.OPEN: N_("The request to begin"),
    PartKind.BEGUN: N_("What had arrived of turn {n}"),
    PartKind.GO_ON: N_("The request to go on from there"),
}
ROLE_NAMES: Mapping[Role, str] = {
    Role.SYSTEM: N_("as rules"),
    Role.USER: N_("as data"),
    Role.ASSISTANT: N_("the tutor's words"),
}
FIELDS: Mapping[str, str] = {
    "state": N_("state"),
    "submission_seq": N_("submission"),
    "attempt_seq": N_("attempt"),
    "snapshot_hash": N_("fingerprint of the work"),
    "rubric_version": N_("version of the criteria"),
    "prompt_version": N_("version of the review prompts"),
    "engine_version": N_("version of the review rules"),
    "review_status": N_("verdict"),
    "model": N_("model"),
    "next_step": N_("next step"),
    "total_items": N_("open items"),
    "omitted_count": N_("items left out"),
    "truncated_fields": N_("texts shortened"),
    "problem": N_("problem"),
    "status": N_("verdict"),
    "criterion": N_("criterion"),
    "reason": N_("reason"),
    "evidence": N_("evidence"),
    "source": N_("decided by"),
}
"""The fields of a block and of its items, where people read them."""
_SPOKEN = frozenset({PartKind.TURN, PartKind.NEWEST})


def part_name(part: ShownPart) -> str:
    """What a part is."""
    is_numbered = part.kind in (PartKind.TURN, PartKind.SUMMARY, PartKind.BEGUN)
    return _(PART_NAMES[part.kind], n=part.turn_number) if is_numbered else _(PART_NAMES[part.kind])


def part_role(part: ShownPart) -> str:
    """In whose name a part stands in the request."""
    spoken = part.kind in _SPOKEN and part.role is Role.USER
    return _("the student's words") if spoken else _(ROLE_NAMES[part.role])
