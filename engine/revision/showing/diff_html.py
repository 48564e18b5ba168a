"""A comparison as harmless HTML. Everything of both texts is escaped here, after comparing and nowhere else.

All that is not of the texts, such as numbers, signs and labels, is drawn by the style sheet from attributes, so
that whoever selects and copies gets the characters of the text and no others. NUL and halves of surrogate pairs
cannot stand in a page; U+FFFD stands there with their label.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from html import escape
from pathlib import Path

from engine.revision.script import Diff
from engine.revision.showing.comparison import Comparison
from engine.revision.showing.diff_words import DiffWords
from engine.revision.showing.labels import find_hidden, for_a_page, label_of, turns_text_around
from engine.revision.showing.pieces import Grain, Marker, Piece, PieceKind, whole
from engine.revision.showing.rows import Row, RowKind, Side, span_of
from engine.revision.showing.windows import Fold, Item

STYLE = Path(__file__).with_name("diff.css").read_text(encoding="utf-8")
"""How all of it looks, in light and dark."""
_TAGS = {
    PieceKind.GONE: ("<del>", "</del>"),
    PieceKind.NEW: ("<ins>", "</ins>"),
    PieceKind.MOVED_AWAY: ('<del class="mv">', "</del>"),
    PieceKind.MOVED_HERE: ('<ins class="mv">', "</ins>"),
}
_OLD_ONLY = frozenset({PieceKind.GONE, PieceKind.MOVED_AWAY})


class View(StrEnum):
    """How two texts stand on the page."""

    SIDE_BY_SIDE = "side_by_side"
    INLINE = "inline"


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffLook:
    """How somebody wants to see it."""

    view: View
    grain: Grain
    wraps: bool
    hides_spaces: bool
    """Whether changes of white space are left unmarked. No number depends on it."""
    counts_lines: bool
    """Whether places are told by line, as in code, or by paragraph."""
    prefix: str
    """Begins every id, so that several diffs can stand on a page: ASCII letters, digits, `_` and `-`."""


class DiffDrawing:
    """Draws rows of one comparison in one look."""

    def __init__(self, comparison: Comparison, look: DiffLook, words: DiffWords) -> None:
        self._comparison, self._look, self._words = comparison, look, words
        self._marker = Marker(comparison.diff, grain=look.grain, hides_spaces=look.hides_spaces)
        self._moved = dict(comparison.moved)

    def part(self, items: Iterable[Item], *, opens_folds: bool = False) -> str:
        """A stretch of rows and folds. With `opens_folds` a fold holds its rows and opens without a script."""
        inside = "".join(
            self._fold(item, holds=opens_folds) if isinstance(item, Fold) else self._row(item) for item in items
        )
        view = "side" if self._look.view is View.SIDE_BY_SIDE else "inline"
        return f"{_opening(self._look, self._words, f'{view} {_wrapping(self._look)}')}{inside}</div>"

    def row_id(self, row: int) -> str:
        """The id of a row's element."""
        return f"{self._look.prefix}-r{row}"

    def _fold(self, fold: Fold, *, holds: bool) -> str:
        words = escape(self.fold_words(fold))
        if holds:
            rows = "".join(map(self._row, fold.rows))
            return f'<details class="f"><summary>{words}</summary>{rows}</details>'
        label = f'<span class="a">{escape(self._words.show)}</span>'
        return f'<div class="f"><button type="button" data-fold="{fold.rows.start}">{words} {label}</button></div>'

    def fold_words(self, fold: Fold) -> str:
        """How much is folded, in the measure of the look."""
        if not fold.lines:
            return self._words.unchanged_characters(fold.characters)
        if self._look.counts_lines or not fold.paragraphs:
            return self._words.unchanged_lines(fold.lines)
        return self._words.unchanged_paragraphs(fold.paragraphs)

    def _row(self, place: int) -> str:
        row = self._comparison.rows[place]
        hidden = self._look.hides_spaces and row.is_spaces_only
        kind = RowKind.SAME if hidden else row.kind
        cells = self._inline(place, row) if self._look.view is View.INLINE else self._beside(place, row)
        return f'<div class="r {kind}" id="{self.row_id(place)}">{cells}</div>'

    def _beside(self, place: int, row: Row) -> str:
        old = "" if row.old is None else self._cell("o", row, row.old, self._old(row))
        new = "" if row.new is None else self._cell("n", row, row.new, self._new(place, row))
        return (old or '<div class="c o none"></div>') + (new or '<div class="c n none"></div>')

    def _inline(self, place: int, row: Row) -> str:
        if row.old is None or row.new is None:
            side = row.old or row.new
            pieces = self._old(row) if row.old is not None else self._inline_new(place, row)
            return "" if side is None else self._cell("o" if row.old else "n", row, side, pieces)
        same = row.kind is RowKind.SAME
        return self._cell("b", row, row.new, _plain(self._text_new(row)) if same else self._both(row))

    def _both(self, row: Row) -> Sequence[Piece]:
        return list(self._marker.both_pieces(span_of(row)))

    def _inline_new(self, place: int, row: Row) -> Sequence[Piece]:
        inner = self._moved.get(place)
        if inner is None:
            return self._new(place, row)
        return _with_break(self._inner(place).both_pieces(whole(inner.display)), self._text_new(row))

    def _old(self, row: Row) -> Sequence[Piece]:
        """The old side with its marks."""
        span = span_of(row)
        text = self._comparison.diff.display.old[span.old_start : span.old_end]
        if row.kind is RowKind.SAME:
            return _plain(text)
        if row.old is not None and row.new is not None:
            return list(self._marker.old_pieces(span))
        if row.other is not None:
            inner = self._moved.get(row.other)
            if inner is None:
                return _plain(text)
            return _with_break(self._inner(row.other).old_pieces(whole(inner.display)), text)
        if self._is_hidden(row):
            return _plain(text)
        end = _own_end(text)
        return [*self._marker.all_gone(span.old_start, span.old_start + end), *_plain(text[end:])]

    def _new(self, place: int, row: Row) -> Sequence[Piece]:
        """The new side with its marks."""
        span = span_of(row)
        if row.kind is RowKind.SAME:
            return _plain(self._text_new(row))
        if row.old is not None and row.new is not None:
            return list(self._marker.new_pieces(span))
        if row.other is not None:
            inner = self._moved.get(place)
            if inner is None:
                return _plain(self._text_new(row))
            return _with_break(self._inner(place).new_pieces(whole(inner.display)), self._text_new(row))
        if self._is_hidden(row):
            return _plain(self._text_new(row))
        end = _own_end(self._text_new(row))
        return [*self._marker.all_new(span.new_start, span.new_start + end), *_plain(self._text_new(row)[end:])]

    def _is_hidden(self, row: Row) -> bool:
        return self._look.hides_spaces and row.is_spaces_only

    def _text_new(self, row: Row) -> str:
        span = span_of(row)
        return self._comparison.diff.display.new[span.new_start : span.new_end]

    def _inner(self, place: int) -> Marker:
        return Marker(self._moved[place], grain=self._look.grain, hides_spaces=self._look.hides_spaces)

    def _cell(self, side_class: str, row: Row, side: Side, pieces: Sequence[Piece]) -> str:
        kinds = {piece.kind for piece in pieces}
        signs = f"{' gone' if kinds & _OLD_ONLY else ''}{' new' if kinds - _OLD_ONLY - {PieceKind.SAME} else ''}"
        number = self._number(side)
        gutter = f'<span class="g" data-l="{"" if number is None else number}"></span>'
        lines = "".join(self._lines(pieces))
        return (
            f'<div class="c {side_class}{signs}">{gutter}<div class="x">{self._notes(row, pieces)}{lines}</div></div>'
        )

    def _number(self, side: Side) -> int | None:
        if side.is_continued:
            return None
        if self._look.counts_lines:
            return side.line
        return None if side.is_inside else side.paragraph

    def _notes(self, row: Row, pieces: Sequence[Piece]) -> str:
        """What is said above a row's lines; none of it can be selected."""
        notes = []
        if any(turns_text_around(piece.text) for piece in pieces):
            notes.append(_note("warn", self._words.turns_around))
        if any(piece.looks_the_same for piece in pieces):
            notes.append(_note("same", self._words.looks_the_same))
        if row.other is not None:
            notes.append(self._moved_note(row, row.other))
        return "".join(notes)

    def _moved_note(self, row: Row, other: int) -> str:
        """The link to the other end of a move."""
        there = self._comparison.rows[other]
        side = there.old or there.new
        told = self._words.moved_to if row.new is None else self._words.moved_from
        words = escape(told(side)) if side else ""
        link = f'<a href="#{self.row_id(other)}" data-go="{other}" data-l="{words}" aria-label="{words}"></a>'
        return f'<div class="k moved">{link}</div>'

    def _lines(self, pieces: Sequence[Piece]) -> Iterator[str]:
        """Every line in a block of its own, so that nothing in it turns another one around."""
        opening = f'<div class="t" dir="{"ltr" if self._look.counts_lines else "auto"}">'
        line: list[str] = []
        for piece in pieces:
            for text in _lines_of(piece.text):
                line.append(_piece_html(Piece(kind=piece.kind, text=text, looks_the_same=piece.looks_the_same)))
                if text.endswith("\n"):
                    yield f"{opening}{''.join(line)}</div>"
                    line = []
        if line:
            yield f"{opening}{''.join(line)}</div>"


def title_html(diff: Diff, look: DiffLook, words: DiffWords) -> str:
    """A single line, such as a title, with its marks in it."""
    marker = Marker(diff, grain=look.grain, hides_spaces=look.hides_spaces)
    inside = "".join(map(_piece_html, marker.both_pieces(whole(diff.display))))
    return f"{_opening(look, words, 'line')}<bdi>{inside}</bdi></div>"


def _opening(look: DiffLook, words: DiffWords, classes: str) -> str:
    spoken = "".join(
        f"--{name}:{_css_string(word)};"
        for name, word in (("gone", words.gone), ("new", words.new), ("moved", words.moved))
    )
    focus = "" if look.wraps else ' tabindex="0"'
    return (
        f'<div class="tl-diff {classes}" data-diff="{look.prefix}" role="group" aria-label="{escape(words.region)}"'
        f' lang="{escape(words.language)}" style="{escape(spoken)}"{focus}>'
    )


def _wrapping(look: DiffLook) -> str:
    return f"{'wrap' if look.wraps else 'keep'}{' mono' if look.counts_lines else ''}"


def _lines_of(text: str) -> Iterator[str]:
    """Cut after each LF, and nowhere else."""
    start = 0
    while start < len(text):
        stop = text.find("\n", start) + 1 or len(text)
        yield text[start:stop]
        start = stop


def _plain(text: str) -> Sequence[Piece]:
    return (Piece(kind=PieceKind.SAME, text=text),) if text else ()


def _own_end(text: str) -> int:
    """How much of a line on one side is marked: its break only where there is nothing else to mark."""
    return len(text) - 1 if text.endswith("\n") and len(text) > 1 else len(text)


def _with_break(pieces: Iterable[Piece], text: str) -> Sequence[Piece]:
    """The pieces of a line, and the break that ends it."""
    return (*pieces, *(_plain("\n") if text.endswith("\n") else ()))


def _note(name: str, words: str) -> str:
    return f'<div class="k {name}" data-l="{escape(words)}"></div>'


def _piece_html(piece: Piece) -> str:
    """A piece of one line with its mark; a marked line break gets a mark of its own."""
    if piece.kind is PieceKind.SAME:
        return _text_html(piece.text, labels_blanks=False)
    opening, closing = _TAGS[piece.kind]
    text = piece.text.removesuffix("\n")
    marked = f"{opening}{_text_html(text, labels_blanks=text.isspace())}{closing}" if text else ""
    if text == piece.text:
        return marked
    return f'{marked}{opening}<span class="nl">\n</span>{closing}'


def _text_html(text: str, *, labels_blanks: bool) -> str:
    """Escaped, and with a labelled box around every character that nobody could see.

    The wide blank that begins Chinese paragraphs gets one only with `labels_blanks`, else a faint dot.
    """
    shown: list[str] = []
    at = 0
    for place in find_hidden(text):
        shown += escape(text[at:place]), _hidden_html(text[place], labels_blanks=labels_blanks)
        at = place + 1
    shown.append(escape(text[at:]))
    return "".join(shown)


def _hidden_html(character: str, *, labels_blanks: bool) -> str:
    if character == "\u3000" and not labels_blanks:
        return f'<span class="w">{character}</span>'
    return f'<span class="u" data-l="{label_of(character)}">{for_a_page(character)}</span>'


def _css_string(words: str) -> str:
    """A string for a style sheet: every character that could end it is written as a number."""
    return '"' + "".join(one if one.isalnum() or one in " ,.:" else f"\\{ord(one):x} " for one in words) + '"'
