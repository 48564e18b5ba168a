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
from pages._widgets.markdown import literal
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
    MuteReason.BY_PERSON: N_("It was muted by hand."),
    MuteReason.FADED: N_("It has not been seen for a long time, or later changes went the other way."),
    MuteReason.BEATEN: N_("Another rule about the same thing takes precedence."),
    MuteReason.REPLACED: N_("A later wish said the opposite."),
}
SPEAKS: Mapping[EvidenceKind, str] = {
    EvidenceKind.SAID: N_("You said so"),
    EvidenceKind.SEEN: N_("Your change by hand"),
    EvidenceKind.KEPT: N_("You left a draft as this rule made it"),
    EvidenceKind.AGAINST: N_("Speaks against it"),
}
SPEAKS_OF_ANOTHER: Mapping[EvidenceKind, str] = {
    EvidenceKind.SAID: N_("{name} said so"),
    EvidenceKind.SEEN: N_("Changed by hand by {name}"),
    EvidenceKind.KEPT: N_("{name} left a draft as this rule made it"),
    EvidenceKind.AGAINST: SPEAKS[EvidenceKind.AGAINST],
}
"""The same, to a reader whose own words and changes these are not."""


def why(one: Standing, name: str) -> str:
    """Why a rule stands as it does, in one or two sentences; `name` of whom it is, empty for the reader's own."""
    if one.why is not None:
        return _(MUTED[one.why])
    if one.state is RuleState.CANDIDATE:
        return _("Seen once. After the second time I will keep to it.")
    if one.is_said and not any(each.kind is EvidenceKind.SAID for each in one.rule.evidence):
        return _("It was confirmed by hand, so it holds from the next draft on.")
    if one.is_said:
        if name:
            return _("{name} said it, so it holds from the next draft on.", name=literal(name))
        return _("You said it, so it holds from the next draft on.")
    return ngettext("Changes by hand showed it in {n} text.", "Changes by hand showed it in {n} texts.", one.supports)


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


def evidence_title(evidence: Evidence, name: str) -> str:
    """What kind of evidence it is, and when it came; `name` as in `why`. Plain text."""
    told = _(SPEAKS_OF_ANOTHER[evidence.kind], name=name) if name else _(SPEAKS[evidence.kind])
    return f"{told} · {moment(evidence.at)}"
