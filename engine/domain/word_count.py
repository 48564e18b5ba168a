"""How many words a text has, Chinese and Latin alike."""

import re
import unicodedata

_SIGNS = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Ideographs, and the kana that stand between them: none of them is parted from the next by a space."""
_PIECE = f"(?:[^\\W_{_SIGNS}]|[\u0300-\u036f])+"
"""Letters and digits with their accents."""
_WORD = re.compile(f"[{_SIGNS}]|{_PIECE}(?:(?:['\u2019_-]|(?<=\\d)[.,:](?=\\d)){_PIECE})*")


def count_words(text: str) -> int:
    """Count each Chinese character as a word, and each run of letters and digits as one.

    An apostrophe, a hyphen or a low line inside a run joins it (`don't`, `re-use`, `max_size`), and so does a
    point, comma or colon between two digits (`3.14`, `1,000`, `12:30`). Where Chinese meets Latin one word ends
    and the next begins, with or without a space. Punctuation, symbols and emoji are no words.
    """
    return sum(1 for _ in _WORD.finditer(unicodedata.normalize("NFC", text)))
