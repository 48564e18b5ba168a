"""What changed between two texts, in words: for the list of changes, the notes above it, and what is drawn."""

from collections.abc import Iterator, Mapping

from engine.domain.states import Language
from engine.revision.showing.changes import Change, ChangeKind
from engine.revision.showing.comparison import Comparison
from engine.revision.showing.diff_words import DiffWords
from engine.revision.showing.rows import Side
from pages._widgets.words import N_, _, language, ngettext

SENTENCES: Mapping[ChangeKind, str] = {
    ChangeKind.WORDING: N_("{place} wording"),
    ChangeKind.NEW: N_("{place} new"),
    ChangeKind.GONE: N_("{place} deleted"),
    ChangeKind.MOVED: N_("{before} moved to {place}"),
    ChangeKind.MOVED_AND_EDITED: N_("{before} moved to {place}, edited"),
    ChangeKind.SPACES: N_("{place} spaces"),
}
"""An entry of the list; `place` is where it begins, in the new text if it is there."""
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
        moved_from=lambda n: _("moved from line {n}", n=n) if counts_lines else _("moved from p{n}", n=n),
        moved_to=lambda n: _("moved to line {n}", n=n) if counts_lines else _("moved to p{n}", n=n),
        turns_around=_("This line holds characters that change the order in which it is shown."),
        looks_the_same=_("Looks the same, but is written with other code points."),
    )


def change_words(change: Change, *, counts_lines: bool) -> str:
    """One entry of the list of changes."""
    before, place = (_place(side, counts_lines=counts_lines) for side in (change.old, change.new or change.old))
    return _(SENTENCES[change.kind], before=before, place=place)


def _place(side: Side | None, *, counts_lines: bool) -> str:
    if side is None:
        return ""
    if counts_lines or side.paragraph is None:
        return _("line {n}", n=side.line)
    return _("p{n}", n=side.paragraph)


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
            "{n} change of spaces only is not marked.", "{n} changes of spaces only are not marked.", spaces
        )
    return ngettext("{n} change is of spaces only.", "{n} changes are of spaces only.", spaces)
