"""Which part of a text a suggestion names, so that nothing else is touched.

Paragraphs are counted as people count them: headings, lists, tables and code do not count. What names no part may
touch everything. What names a part that is not there, or one of several, becomes a question, never a guess.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from engine.revision.blocks import Document
from engine.revision.editing.scope_joins import nested, outermost, parted, placed
from engine.revision.editing.scope_parts import (
    Part,
    Reading,
    ScopeQuestion,
    read_every_paragraph,
    read_paragraphs,
    read_pointing,
    read_things,
    read_titles,
)
from engine.revision.editing.scope_sections import (
    read_counted_sections,
    read_edges,
    read_named_parts,
    read_under_headings,
)
from engine.revision.editing.scope_words import Suggestion, is_about_tone


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What may be changed for one suggestion."""

    blocks: frozenset[int] | None
    """Numbers of blocks; None: all of them."""
    title: bool
    keeps_structure: bool = False
    """A wish about tone: number, order and kinds of the blocks stay."""

    def allows(self, number: int) -> bool:
        """Whether the block of this number may be changed."""
        return self.blocks is None or number in self.blocks

    @property
    def is_named(self) -> bool:
        """Whether the suggestion named a part."""
        return self.blocks is not None


def resolve_scope(suggestion: str, document: Document, title: str) -> Scope | ScopeQuestion:
    """What may be changed for `suggestion`.

    A named title is the artifact's, and with it the heading that opens the text if it reads the same.
    """
    words = Suggestion(suggestion)
    found: list[Part] = []
    for each in _named(words, document, title):
        if isinstance(each, ScopeQuestion):
            return each
        found.append(each)
    joined = nested(words, document, outermost(found))
    joined = joined if isinstance(joined, ScopeQuestion) else placed(words, document, joined)
    if isinstance(joined, ScopeQuestion):
        return joined
    included, excluded = parted(words, joined)
    return Scope(
        blocks=_allowed_blocks(document, included, excluded),
        title=any(part.title for part in included) if included else not any(part.title for part in excluded),
        keeps_structure=is_about_tone(words.masked),
    )


def _named(words: Suggestion, document: Document, title: str) -> Reading:
    """Every part that is named; what is only pointed at counts where nothing else is."""
    is_any = False
    for read in _READERS:
        for each in read(words, document, title):
            is_any = True
            yield each
    if not is_any:
        yield from read_pointing(words, document)


def _allowed_blocks(document: Document, included: Sequence[Part], excluded: Sequence[Part]) -> frozenset[int] | None:
    if not included and not excluded:
        return None
    everything = frozenset(block.number for block in document.blocks)
    return (_blocks(included) if included else everything) - _blocks(excluded)


def _blocks(parts: Iterable[Part]) -> frozenset[int]:
    return frozenset[int]().union(*(part.blocks for part in parts))


_READERS: tuple[Callable[[Suggestion, Document, str], Reading], ...] = (
    read_paragraphs,
    read_every_paragraph,
    read_named_parts,
    read_counted_sections,
    read_under_headings,
    read_edges,
    read_titles,
    read_things,
)
