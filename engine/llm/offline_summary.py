"""The offline summary: the student's newest questions by their first words. No model reads anything."""

import regex

from engine.domain.data_message import DataKind, unwrap
from engine.domain.states import Language
from engine.domain.text import clean

_FIRST_CHARS = 48
"""Of each question."""
_MOST_QUESTIONS = 6
"""So many stay inside the length of a summary, in both languages."""
_HAN = regex.compile(r"\p{Han}")

_MECHANICAL = {
    Language.EN: "Listed by fixed rules, no model has read it.",
    Language.ZH: "这份摘要按固定规则列出，没有模型读过。",
}
_ASKED = {Language.EN: "The student's last questions in it:", Language.ZH: "学生在其中最后问的是："}


def offline_summary(message: str) -> str:
    """The newest questions of the turns in a summariser's data message, oldest first; equal message, equal summary."""
    data = unwrap(message)
    turns = data[1].get("turns") if data and data[0] is DataKind.SUMMARY else None
    listed = turns if isinstance(turns, list) else []
    questions = [_first_words(str(turn.get("student") or "")) for turn in listed if isinstance(turn, dict)]
    shown = [question for question in questions if question][-_MOST_QUESTIONS:]
    language = Language.ZH if any(_HAN.search(question) for question in shown) else Language.EN
    lines = [f"- {question}" for question in shown]
    return "\n".join([_MECHANICAL[language], *([_ASKED[language], *lines] if lines else [])])


def _first_words(question: str) -> str:
    line = " ".join(clean(question).split())
    return line if len(line) <= _FIRST_CHARS else "".join(regex.findall(r"\X", line[:_FIRST_CHARS])[:-1]) + "…"
