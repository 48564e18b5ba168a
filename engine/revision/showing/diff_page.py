"""A comparison as one HTML file that needs nothing else: no script, no other file, no network."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from engine.revision.showing.diff_html import STYLE, DiffDrawing
from engine.revision.showing.labels import for_a_page
from engine.revision.showing.windows import Item

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_PAGE_STYLE = """
:root { color-scheme: light dark; }
body { margin: 1.5rem auto; max-width: 90rem; padding: 0 1rem; font-family: "PingFang SC", "Microsoft YaHei",
  "Noto Sans CJK SC", sans-serif; background: light-dark(#ffffff, #14171c); color: light-dark(#1f2430, #e8ebf0); }
h1 { font-size: 1.4rem; }
h2 { font-size: 1rem; }
ol { columns: 18rem; }
a { color: inherit; }
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageWords:
    """What stands around the comparison in the file; plain text."""

    title: str
    notes: Sequence[str]
    """Sentences below the title: numbers, line endings."""
    changes: str
    """Heading of the list of changes."""
    entries: Sequence[tuple[int, str]]
    """The list: a row and what happened there."""


def write_page(drawing: DiffDrawing, items: Sequence[Item], words: PageWords, language: str) -> str:
    """The whole file. What is folded is in it and opens by a click."""
    notes = "".join(f"<p>{_text(note)}</p>" for note in words.notes)
    entries = "".join(f'<li><a href="#{drawing.row_id(row)}">{_text(entry)}</a></li>' for row, entry in words.entries)
    changes = f"<h2>{_text(words.changes)}</h2><ol>{entries}</ol>" if entries else ""
    return (
        f'<!doctype html>\n<html lang="{escape(language)}"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f"<title>{_text(words.title)}</title><style>{_PAGE_STYLE}{STYLE}</style></head>"
        f"<body><h1><bdi>{_text(words.title)}</bdi></h1>{notes}{changes}"
        f"<main>{drawing.part(items, opens_folds=True)}</main></body></html>\n"
    )


def _text(words: str) -> str:
    return escape("".join(map(for_a_page, words)))
