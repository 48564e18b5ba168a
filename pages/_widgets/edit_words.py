"""What is said in the conversation about a text: what was changed, what was not and why, what is asked back."""

from collections.abc import Mapping

from engine.domain.edit import ChangeFacts, EditMessage, MessageFacts, MessageKind, RevisionFacts, SuggestionState
from engine.llm.offline_pairs import WhyNot
from engine.revision.editing.editor import STALE
from engine.revision.editing.not_done import ASKED_BACK, CUT, NOT_FOLLOWED, TOO_LONG, UNUSABLE
from engine.revision.editing.operations import Refusal, Verb
from engine.revision.editing.scope_parts import ScopeProblem
from pages._widgets.markdown import literal
from pages._widgets.states import Colour, StateLook
from pages._widgets.words import N_, _, ngettext

SUGGESTION: Mapping[SuggestionState, StateLook] = {
    SuggestionState.WAITING: StateLook(
        icon="hourglass_top", colour=Colour.BLUE, word=N_("Waits for the edit before it")
    ),
    SuggestionState.COLLECTED: StateLook(icon="playlist_add", colour=Colour.GREY, word=N_("Collected")),
    SuggestionState.APPLYING: StateLook(icon="autorenew", colour=Colour.BLUE, word=N_("Being applied")),
    SuggestionState.APPLIED: StateLook(icon="check_circle", colour=Colour.GREEN, word=N_("Applied")),
    SuggestionState.FAILED: StateLook(icon="error", colour=Colour.VIOLET, word=N_("Not applied")),
    SuggestionState.NEEDS_SCOPE: StateLook(icon="help", colour=Colour.AMBER, word=N_("Question for you")),
    SuggestionState.WITHDRAWN: StateLook(icon="do_not_disturb_on", colour=Colour.GREY, word=N_("Withdrawn")),
}

FAULTS: Mapping[str, str] = {
    UNUSABLE: N_(
        "The model's answer could not be used (two tries). The text is unchanged and your request is kept. "
        "Put it differently, or try again."
    ),
    TOO_LONG: N_(
        "This is about {n} characters of the text, and the model can change about {limit} at one time. It was not "
        "asked, the text is unchanged and your request is kept. Name a shorter part, such as one section, or edit "
        "by hand."
    ),
    CUT: N_(
        "The model's answer reached its limit of length and ended in the middle, so none of it was used. The text is "
        "unchanged and your request is kept. Name a shorter part, or ask for one thing at a time."
    ),
    WhyNot.NEEDS_MODEL: N_(
        "No model is connected: the offline editor follows set rules, and this needs a model. The text is unchanged "
        "and your request is kept. Connect a model in Settings and try again, or edit by hand."
    ),
    WhyNot.NOT_IN_TEXT: N_(
        "“{words}” does not occur in the text, so nothing was changed. Your request is kept. Check the spelling, or "
        "name words that stand there."
    ),
    WhyNot.NOT_IN_PART: N_(
        "“{words}” occurs in the text, but not in the part you named, so nothing was changed. Your request is kept. "
        "Name the part where it stands, or no part at all."
    ),
    WhyNot.OTHER_LETTERS: N_(
        "“{words}” does not occur in the text, but “{found}” does. Nothing was changed and your request is kept. "
        "Write it as it stands there."
    ),
    WhyNot.ALREADY_SO: N_("The text is like that already, so nothing was changed. Your request is kept."),
    NOT_FOLLOWED: N_("For one request nothing was changed. It is kept. Put it differently, or try it again by itself."),
    STALE: N_(
        "Another version was saved while this was being changed, so nothing was overwritten. Your request is kept. "
        "Try again, and it is applied to the newest version."
    ),
    "interrupted": N_("A restart interrupted this edit. The text is unchanged and your request is kept. Try again."),
    "timed_out": N_("No answer came in time. The text is unchanged and your request is kept. Try again."),
    "key_refused": N_(
        "The model service does not accept the key. The text is unchanged and your request is kept. "
        "Change the key in Settings, then try again."
    ),
    "model_unknown": N_(
        "The model service does not know this model. The text is unchanged and your request is kept. "
        "Correct the name in Settings, then try again."
    ),
    "rate_limited": N_(
        "The model service is busy. The text is unchanged and your request is kept. Try again in a few minutes."
    ),
    "provider_down": N_(
        "The model service cannot be reached. The text is unchanged and your request is kept. "
        "Try again in a few minutes."
    ),
    "context_too_large": N_(
        "The text is too long for the model's window. It is unchanged and your request is kept. "
        "Name the part that is to change, or edit by hand."
    ),
    "store": N_("The database was busy, so the edit was not saved. Your request is kept. Try again."),
}
"""By the code of what went wrong."""
OTHER_FAULT = N_("This edit did not work. The text is unchanged and your request is kept. Try again.")

_PARAGRAPH: Mapping[str, str] = {
    Verb.REPLACE: N_("paragraph {n} changed"),
    Verb.INSERT_BEFORE: N_("new text before paragraph {n}"),
    Verb.INSERT_AFTER: N_("new text after paragraph {n}"),
    Verb.DELETE: N_("paragraph {n} removed"),
    Verb.MOVE_BEFORE: N_("paragraph {n} moved"),
    Verb.MOVE_AFTER: N_("paragraph {n} moved"),
    Verb.TITLE: N_("title changed"),
}
_BLOCK: Mapping[str, str] = {
    Verb.REPLACE: N_("part {n} (heading, list or code) changed"),
    Verb.INSERT_BEFORE: N_("new text before part {n}"),
    Verb.INSERT_AFTER: N_("new text after part {n}"),
    Verb.DELETE: N_("part {n} (heading, list or code) removed"),
    Verb.MOVE_BEFORE: N_("part {n} (heading, list or code) moved"),
    Verb.MOVE_AFTER: N_("part {n} (heading, list or code) moved"),
    Verb.TITLE: N_("title changed"),
}
"""Parts that are no paragraph are counted among all blocks."""
_REFUSALS: Mapping[str, str] = {
    Refusal.NO_SUCH_SUGGESTION: N_("nobody asked for it"),
    Refusal.NO_SUCH_BLOCK: N_("there is no such part"),
    Refusal.DOES_NOT_MATCH: N_("the part does not begin the way the model said"),
    Refusal.OUTSIDE_SCOPE: N_("outside the part that you named"),
    Refusal.BREAKS_STRUCTURE: N_("a request about tone keeps the number and order of the parts"),
    Refusal.OVERLAPS: N_("the part was changed already"),
    Refusal.NOTHING_TO_WRITE: N_("there was no text to write"),
    Refusal.CHANGES_NOTHING: N_("it would change nothing"),
    Refusal.NOT_A_TITLE: N_("that cannot be a title"),
    Refusal.RUNS_INTO_OTHERS: N_("it would swallow the part after it"),
    Refusal.REPEATS_OTHERS: N_("it repeats another part word for word"),
}
MOST_TOLD = 6
"""Changes that are named one by one."""

_QUESTIONS: Mapping[str, str] = {
    ScopeProblem.NO_SUCH_PARAGRAPH: N_(
        "Which paragraph is meant by “{named}”? The text has {n}; headings, lists and tables do not count."
    ),
    ScopeProblem.NO_SUCH_SECTION: N_("Which section is meant by “{named}”? The headings are: {choices}."),
    ScopeProblem.NO_SUCH_PART: N_("“{named}” is not there: the text has {n} of that kind. What should change?"),
    ScopeProblem.SEVERAL: N_("“{named}” fits {n} places. Which one is meant? {choices}"),
    ScopeProblem.WHICH: N_("Which one is “{named}”? The text has {n} paragraphs; name one by its number."),
}


def fault_sentence(facts: MessageFacts, about: str = "") -> str:
    """What happened, what was kept, what to do; `about` the words in question, and those found instead below."""
    words, _break, found = about.partition("\n")
    return _(
        FAULTS.get(facts.fault, OTHER_FAULT),
        words=literal(words),
        found=literal(found),
        n=facts.count,
        limit=facts.limit,
    )


def question_sentence(message: EditMessage) -> str:
    """What is asked back."""
    if message.facts.fault == ASKED_BACK:
        return _("The editor asks: {words}", words=literal(message.words))
    named, *choices = message.words.split("\n")
    return _(
        _QUESTIONS[message.facts.fault],
        named=literal(named),
        n=message.facts.count,
        choices=literal(_(", ").join(choices)),
    ).strip()


def change_words(change: ChangeFacts) -> str:
    """One change."""
    if change.paragraph:
        return _(_PARAGRAPH[change.verb], n=change.paragraph)
    return _(_BLOCK[change.verb], n=change.block)


def done_words(facts: RevisionFacts) -> str:
    """What was changed, in one line."""
    if len(facts.done) > MOST_TOLD:
        return ngettext("{n} part changed", "{n} parts changed", len(facts.done))
    return _(", ").join(change_words(change) for change in facts.done)


def refused_words(changes: tuple[ChangeFacts, ...]) -> list[str]:
    """What was not done and why, a line each."""
    lines = [
        _("{what}: {why}", what=change_words(change), why=_(_REFUSALS[change.refusal]))
        for change in changes[:MOST_TOLD]
    ]
    if len(changes) > MOST_TOLD:
        more = len(changes) - MOST_TOLD
        lines.append(ngettext("{n} more", "{n} more", more))
    return lines


def length_words(facts: RevisionFacts) -> str:
    """How much longer or shorter the text is."""
    n = abs(facts.characters)
    if facts.characters < 0:
        return ngettext("{n} character shorter", "{n} characters shorter", n)
    return ngettext("{n} character longer", "{n} characters longer", n) if n else _("as long as before")


def plain_words(message: EditMessage) -> str:
    """A message that is neither a suggestion nor about an edit that was done."""
    facts = message.facts
    match message.kind:
        case MessageKind.WELCOME:
            title = literal(message.words)
            return _(
                "“{title}” (V{n}) is open. Say what should change; the rest stays as it is.",
                title=title,
                n=facts.number,
            )
        case MessageKind.COLLECTED:
            return ngettext(
                "Noted. {n} request is collected; apply it when you like.",
                "Noted. {n} requests are collected; apply them together when you like.",
                facts.count,
            )
        case MessageKind.UNDONE:
            return _("Undone: V{other} is V{n} again, word for word.", other=facts.other, n=facts.number)
        case MessageKind.ASKED:
            return question_sentence(message)
        case _:
            return fault_sentence(facts, message.words)
