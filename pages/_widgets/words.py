"""The words on the pages: English sentences in the code, Chinese ones in the catalogue."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import TypeVar

import streamlit as st
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from streamlit.runtime.scriptrunner import get_script_run_ctx

from engine.domain.states import Language
from pages._widgets.address import name_in_address

CATALOGUE = Path(__file__).parents[1] / "locale" / "zh" / "LC_MESSAGES" / "tutorloop.po"
OWN_NAMES = {Language.ZH: "中文", Language.EN: "English"}
SESSION_KEY = "language"
"""Where the session keeps the language in use; fragments and callbacks find it there too."""


Made = TypeVar("Made")
_of_this_run: ContextVar[Language | None] = ContextVar("language_of_this_run", default=None)
"""Set by a run of the whole script in its own thread; fragments and callbacks have threads of their own."""


@cache
def translator(language: Language) -> NullTranslations:
    """The catalogue of `language`, read once; English is the source and needs none."""
    if language is Language.EN:
        return NullTranslations()
    with CATALOGUE.open("rb") as file:
        catalogue = read_po(file, locale=language.value)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return GNUTranslations(compiled)


def choose(*wishes: str | None) -> Language:
    """The first wish that is one of ours, `zh-CN` counting as `zh`; else English."""
    for wish in wishes:
        short = (wish or "").replace("_", "-").split("-")[0].lower()
        if short in set(Language):
            return Language(short)
    return Language.EN


def switch(language: Language) -> None:
    """Read on in `language`; the rest of the address stays as it is."""
    name_in_address("lang", language.value)


def language() -> Language:
    """The language of the person whose page is drawn now; English outside of a page."""
    settled = _of_this_run.get()
    if settled is not None:
        return settled
    if get_script_run_ctx(suppress_warning=True) is None:
        return Language.EN
    return choose(st.session_state.get(SESSION_KEY))


def in_this_language(make: Callable[[], Made]) -> Callable[[], Made]:
    """`make` for a call that comes later and outside of a page, such as that of a download.

    Its words are then in the language of the page that is drawn now.
    """
    chosen = language()

    def later() -> Made:
        before = _of_this_run.set(chosen)
        try:
            return make()
        finally:
            _of_this_run.reset(before)

    return later


def settle(language: Language) -> None:
    """From here on this run of the script is in `language`, and so are the fragments and callbacks of the session.

    The run remembers it beside the session: a page asks for some two hundred words.
    """
    st.session_state[SESSION_KEY] = language.value
    _of_this_run.set(language)


def _(message: str, **values: object) -> str:
    """`message` in the reader's language, its blanks filled with `values`."""
    said = translator(language()).gettext(message)
    return _tight(said, values).format(**values) if values else said


def ngettext(singular: str, plural: str, n: int, **values: object) -> str:
    """The form that fits `n`, in the reader's language; `{n}` and the other blanks are filled."""
    return _tight(translator(language()).ngettext(singular, plural, n), values).format(n=n, **values)


_HAN = "[\u3400-\u9fff]"


def _tight(message: str, values: Mapping[str, object]) -> str:
    """`message` without the space beside a blank whose value needs none on that side.

    A full-width mark brings its own room, and Han beside Han stands close; the space is there for a value that is a
    number or a Latin word.
    """
    for name, value in values.items():
        if isinstance(value, str) and value:
            if behind := _close_to(value[-1]):
                message = re.sub(rf"(?<=\{{{name}\}}) (?={behind})", "", message)
            if before := _close_to(value[0]):
                message = re.sub(rf"(?<={before}) (?=\{{{name}\}})", "", message)
    return message


def _close_to(end: str) -> str:
    """What stands close to this character, as a pattern; empty for a character that keeps its distance."""
    if unicodedata.east_asian_width(end) not in "WF":
        return ""
    return r"\w" if unicodedata.category(end)[0] == "P" else _HAN if re.match(_HAN, end) else ""


def N_(message: str) -> str:  # gettext's usual name, which babel looks for
    """Mark `message` for the catalogue where it stands in a table; `_` translates it when it is drawn."""
    return message


_FULL_STOPS = "。；：！？”）"


def in_a_row(sentences: Iterable[str]) -> str:
    """Sentences one behind the other, without the empty ones; a full-width mark needs no space behind it."""
    row = ""
    for sentence in filter(None, sentences):
        space = "" if not row or row.endswith(tuple(_FULL_STOPS)) else " "
        row = f"{row}{space}{sentence}"
    return row
