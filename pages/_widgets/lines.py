"""Lines of a file as HTML of our own: everything in them is escaped, nothing in them acts."""

from html import escape

from engine.review.viewing import FileView, ShownLine
from pages._widgets.words import _

_UNSEEN = {code: f"\\u{code:04x}" for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A), *range(0x200B, 0x2010))}
_UNSEEN |= {code: f"\\x{code:02x}" for code in (*range(9), *range(11, 32), 127)}
"""Characters that hide themselves or turn the text around are written out."""


def lines_html(view: FileView, *, marked: int | None, name: str) -> str:
    """The lines, each with its number, the marked one marked; a region that the keyboard can scroll."""
    rows = "".join(_row(line, is_marked=line.number == marked) for line in view.lines)
    return f'<div class="tl-lines" tabindex="0" role="region" aria-label="{escape(name)}">{rows}</div>'


def _row(line: ShownLine, *, is_marked: bool) -> str:
    gap = ""
    if line.gap_before:
        words = _("… {n:,} lines left out …", n=line.gap_before)
        gap = f'<div class="gap">{escape(words)}</div>'
    text = escape(line.text.translate(_UNSEEN)) or " "
    shown = f'<span class="n">{line.number}</span><span class="t">{text}</span>'
    return f"{gap}<div>{f'<mark>{shown}</mark>' if is_marked else shown}</div>"
