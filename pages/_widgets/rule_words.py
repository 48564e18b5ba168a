"""What is said of a style rule: how it stands, why, how far it reaches, what speaks for it."""

from collections.abc import Mapping

from engine.domain.artifact import ArtifactKind
from engine.domain.preference import (
    Evidence,
    EvidenceKind,
    MuteReason,
    RuleState,
    ScopeLevel,
    Standing,
)
from pages._widgets.moments import moment
from pages._widgets.states import Colour, StateLook
from pages._widgets.version_words import KINDS
from pages._widgets.words import N_, _, ngettext

LOOKS: Mapping[RuleState, StateLook] = {
    RuleState.ACTIVE: StateLook(icon="check_circle", colour=Colour.GREEN, word=N_("In force")),
    RuleState.CANDIDATE: StateLook(icon="hourglass_top", colour=Colour.BLUE, word=N_("Seen once")),
    RuleState.MUTED: StateLook(icon="volume_off", colour=Colour.GREY, word=N_("Muted")),
}
PINNED = StateLook(icon="keep", colour=Colour.GREEN, word=N_("Pinned"))
MUTED: Mapping[MuteReason, str] = {
    MuteReason.BY_PERSON: N_("You muted it."),
    MuteReason.FADED: N_("It has not been seen for long, or later changes went the other way."),
    MuteReason.BEATEN: N_("Another rule on the same thing goes before it."),
    MuteReason.REPLACED: N_("A later wish said the opposite."),
}
SPEAKS: Mapping[EvidenceKind, str] = {
    EvidenceKind.SAID: N_("You said so"),
    EvidenceKind.SEEN: N_("Your change by hand"),
    EvidenceKind.KEPT: N_("You left a draft as this rule made it"),
    EvidenceKind.AGAINST: N_("Against it"),
}


def why(one: Standing) -> str:
    """Why a rule stands as it does, in one or two sentences."""
    if one.why is not None:
        return _(MUTED[one.why])
    if one.state is RuleState.CANDIDATE:
        return _("Seen once. After the second time I will keep to it.")
    if one.is_said:
        return _("You said it, so it holds from the next draft on.")
    return ngettext("Your changes showed it in {n} text.", "Your changes showed it in {n} texts.", one.supports)


def reach(one: Standing) -> str:
    """Where a rule holds."""
    scope = one.rule.scope
    match scope.level:
        case ScopeLevel.EVERYWHERE:
            return _("Holds in every text")
        case ScopeLevel.KIND:
            return _("Holds in: {kind}", kind=_(KINDS[ArtifactKind(scope.of)]))
        case ScopeLevel.TASK:
            return _("Holds in one task")


def evidence_title(evidence: Evidence) -> str:
    """What kind of evidence it is, and when it came."""
    return f"{_(SPEAKS[evidence.kind])} · {moment(evidence.at)}"
