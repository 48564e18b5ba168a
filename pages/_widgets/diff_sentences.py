"""What changed between two texts, in words: for the list of changes, the notes above it, and what is drawn."""

from collections.abc import Iterator, Mapping

from engine.domain.states import Language
from engine.revision.blocks import BlockKind
from engine.revision.showing.changes import Change, ChangeKind
from engine.revision.showing.comparison import Comparison
from engine.revision.showing.diff_words import DiffWords
from engine.revision.showing.labels import short_quote
from engine.revision.showing.rows import Side
from pages._widgets.words import N_, _, language, ngettext

SENTENCES: Mapping[ChangeKind, str] = {
    ChangeKind.WORDING: N_("{what}: reworded"),
    ChangeKind.NEW: N_("{what}: new"),
    ChangeKind.GONE: N_("{what} (old): deleted"),
    ChangeKind.MOVED: N_("{what}: moved to {to}"),
    ChangeKind.MOVED_AND_EDITED: N_("{what}: moved to {to} and reworded"),
    ChangeKind.SPACES: N_("{what}: spaces only"),
}
"""An entry of the list; `what` it begins with is told by the new text, of a move and of what is gone by the old one."""
PARTS: Mapping[BlockKind, str] = {
    BlockKind.FRONT_MATTER: N_("Front matter"),
    BlockKind.HEADING: N_("Heading"),
    BlockKind.LIST: N_("List"),
    BlockKind.TABLE: N_("Table"),
    BlockKind.CODE: N_("Code block"),
    BlockKind.RULE: N_("Dividing line"),
}
"""What is no numbered paragraph."""
QUOTED = 40
"""Columns of a heading that the list of changes quotes."""
_BREAKS = {"\r\n": "CRLF", "\n": "LF", "\r": "CR"}


def diff_words(*, counts_lines: bool) -> DiffWords:
    """The words of a drawn diff in the reader's language."""
    return DiffWords(
        language="zh-Hans" if language() is Language.ZH else "en",
        region=_("What changed"),
        gone=_("deleted:"),
        new=_("inserted:"),
        moved=_("moved:"),
        unchanged_paragraphs=lambda n: ngettext("{n} paragraph unchanged", "{n} paragraphs unchanged", n),
        unchanged_lines=lambda n: ngettext("{n} line unchanged", "{n} lines unchanged", n),
        unchanged_characters=lambda n: ngettext("{n} character unchanged", "{n} characters unchanged", n),
        show=_("show"),
        moved_from=lambda side: _("moved from {place}", place=_spot(side, counts_lines=counts_lines)),
        moved_to=lambda side: _("moved to {place}", place=_spot(side, counts_lines=counts_lines)),
        turns_around=_("This line holds characters that change the order in which it is shown."),
        looks_the_same=_("Looks the same, but is written with other code points."),
    )


def change_words(change: Change, *, counts_lines: bool) -> str:
    """One entry of the list of changes."""
    is_move = change.kind in (ChangeKind.MOVED, ChangeKind.MOVED_AND_EDITED)
    told = (change.old if is_move else None) or change.new or change.old
    what = _what(told, counts_lines=counts_lines) if told else ""
    to = _spot(change.new, counts_lines=counts_lines) if change.new else ""
    return _(SENTENCES[change.kind], what=what, to=to)


def _what(side: Side, *, counts_lines: bool) -> str:
    """What begins there: lines are counted in code only, elsewhere paragraphs, and the rest by the one above."""
    if counts_lines:
        return _("Line {n}", n=side.line)
    if side.paragraph is not None:
        return _("Paragraph {n}", n=side.paragraph)
    if side.kind is None:
        return _("Below paragraph {n}", n=side.after) if side.after else _("At the beginning")
    quote = short_quote(side.heading, QUOTED)
    part = _("Heading “{words}”", words=quote) if quote else _(PARTS[side.kind])
    return _("{part} below paragraph {n}", part=part, n=side.after) if side.after else part


def _spot(side: Side, *, counts_lines: bool) -> str:
    """A place inside a sentence, behind "from" and "to"."""
    if counts_lines:
        return _("line {n}", n=side.line)
    if side.paragraph is not None:
        return _("paragraph {n}", n=side.paragraph)
    return _("below paragraph {n}", n=side.after) if side.after else _("the beginning")


def notes_of(comparison: Comparison, older: str, newer: str) -> Iterator[str]:
    """What is told once: how much changed, line endings, breaks at the end. `older` and `newer` name the two texts."""
    script = comparison.diff.raw
    if script.hunks:
        yield _(
            "{added:,} characters added, {removed:,} removed since {older}.",
            added=script.inserted,
            removed=script.deleted,
            older=older,
        )
    elif comparison.breaks:
        yield _("The two texts are identical but for their line endings.")
    else:
        yield _("The two texts are identical.")
    for one in comparison.breaks:
        before, after = _BREAKS[one.before], _BREAKS[one.after]
        yield ngettext(
            "Line endings: {before} → {after} in {n} line.",
            "Line endings: {before} → {after} in {n} lines.",
            one.lines,
            before=before,
            after=after,
        )
    old_ends, new_ends = comparison.end_break
    if old_ends != new_ends:
        yield _("The last line of {label} has no line break at its end.", label=newer if old_ends else older)


def count_words(shown: int, at: int | None) -> str:
    """How many changes there are, and at which one the reader is."""
    if at is not None:
        return _("change {at} of {n}", at=at, n=shown)
    return ngettext("{n} change", "{n} changes", shown)


def spaces_words(spaces: int, *, is_hidden: bool) -> str:
    """How many changed places are white space only; empty where there are none."""
    if not spaces:
        return ""
    if is_hidden:
        return ngettext(
            "{n} change in spaces only is not marked.", "{n} changes in spaces only are not marked.", spaces
        )
    return ngettext("{n} change is in spaces only.", "{n} changes are in spaces only.", spaces)
