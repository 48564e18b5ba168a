"""What is said of a style rule: how it stands, why, how far it reaches, what speaks for it."""

from collections.abc import Mapping

from engine.domain.artifact import ArtifactKind
from engine.domain.preference import (
    CheckResult,
    Evidence,
    EvidenceKind,
    MuteReason,
    RuleState,
    ScopeLevel,
    Standing,
)
from engine.revision.style.preferences import LEAST_SUPPORTS
from pages._widgets.moments import moment
from pages._widgets.states import Colour, StateLook
from pages._widgets.version_words import KINDS
from pages._widgets.words import N_, _, in_a_row, ngettext

LOOKS: Mapping[RuleState, StateLook] = {
    RuleState.ACTIVE: StateLook(icon="check_circle", colour=Colour.GREEN, word=N_("In force")),
    RuleState.CANDIDATE: StateLook(icon="hourglass_top", colour=Colour.BLUE, word=N_("Not yet in force")),
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


def why(one: Standing, name: str, texts: Mapping[str, str]) -> str:
    """Why a rule stands as it does, in one or two sentences; plain text.

    `name` is whose rule it is, empty for the reader's own; `texts` are the names of artifacts by id.
    """
    if one.why is not None:
        return _(MUTED[one.why])
    if one.state is RuleState.CANDIDATE and one.supports < LEAST_SUPPORTS:
        return _("Seen once. After the second time I will keep to it.")
    if one.is_said and not any(each.kind is EvidenceKind.SAID for each in one.rule.evidence):
        return _("It was confirmed by hand, so it holds from the next draft on.")
    if one.is_said:
        if name:
            return _("{name} said it, so it holds from the next draft on.", name=name)
        return _("You said it, so it holds from the next draft on.")
    showed = ngettext("Changes by hand showed it in {n} text.", "Changes by hand showed it in {n} texts.", one.supports)
    return in_a_row([showed, _checked(one, texts)])


def _checked(one: Standing, texts: Mapping[str, str]) -> str:
    """What an earlier change said of a rule that was only seen; empty where it needs no check."""
    if one.check is None:
        return ""
    place = _place(one.check.change, texts) if one.check.change is not None else ""
    is_against = one.check.result is CheckResult.DISAGREES
    if one.state is RuleState.CANDIDATE:
        if not is_against:
            return _("That was long ago. After the next time I will keep to it.")
        return _(
            "But the change before that ({place}) went the other way. After one more text I will keep to it.",
            place=place,
        )
    if is_against:
        return _("The change before that ({place}) had gone the other way; what came later outweighs it.", place=place)
    if not place:
        return _("No earlier change tells anything about it.")
    return _("Checked against the change before that ({place}): it went the same way.", place=place)


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


def evidence_title(evidence: Evidence, name: str, texts: Mapping[str, str]) -> str:
    """What kind of evidence it is, when it came and in which text; `name` and `texts` as in `why`. Plain text."""
    told = _(SPEAKS_OF_ANOTHER[evidence.kind], name=name) if name else _(SPEAKS[evidence.kind])
    return f"{told} · {_place(evidence, texts)}"


def _place(evidence: Evidence, texts: Mapping[str, str]) -> str:
    name = texts.get(evidence.artifact_id)
    return moment(evidence.at) + (f" · {name}" if name else "")
