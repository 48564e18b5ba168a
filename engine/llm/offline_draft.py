"""The offline model's first draft: the brief put in order, in the style that can be applied by set rules."""

import json
from collections.abc import Mapping

from pydantic import TypeAdapter, ValidationError

from engine.domain.data_message import DataKind, unwrap_all
from engine.domain.preference import StyleRule
from engine.domain.states import Language
from engine.llm.offline_style import apply_rules, split_sentences

TITLE_CHARACTERS = 60

_RULES = TypeAdapter(tuple[StyleRule, ...])
_HEADINGS: Mapping[Language, tuple[str, str, str]] = {
    Language.EN: ("What it is about", "Points", "Still to write"),
    Language.ZH: ("主题", "要点", "待补充"),
}
_OPEN: Mapping[Language, str] = {
    Language.EN: "[names, dates and figures that the brief leaves open]",
    Language.ZH: "[提纲里没有写明的人名、日期和数据]",
}


def offline_draft(message: str) -> str:
    """The answer to a request for a draft, as JSON: equal message, equal answer."""
    given = dict(unwrap_all(message))
    brief = str(given.get(DataKind.BRIEF, {}).get("brief", ""))
    title, text = outline(brief, _rules(given.get(DataKind.PREFERENCES, {})))
    return json.dumps({"title": title, "text": text}, ensure_ascii=False)


def outline(brief: str, rules: tuple[StyleRule, ...]) -> tuple[str, str]:
    """Title and text from the sentences of a brief; nothing is added but headings and what is left open."""
    found = split_sentences(" ".join(brief.split()))
    language = Language.ZH if any("\u4e00" <= character <= "\u9fff" for character in brief) else Language.EN
    about, points, open_ = _HEADINGS[language]
    first, rest = (found[:1], found[1:]) if found else ([], [])
    blocks = [f"## {about}", *first]
    if rest:
        blocks += [f"## {points}", "\n".join(f"- {one}" for one in rest)]
    blocks += [f"## {open_}", f"- {_OPEN[language]}"]
    text, _applied = apply_rules("\n\n".join(blocks) + "\n", rules)
    return _title(first[0] if first else about), text


def _title(sentence: str) -> str:
    short = sentence.rstrip(".!?。！？")
    return short if len(short) <= TITLE_CHARACTERS else short[: TITLE_CHARACTERS - 1].rstrip() + "…"


def _rules(payload: Mapping[str, object]) -> tuple[StyleRule, ...]:
    try:
        return _RULES.validate_python(payload.get("rules", ()))
    except ValidationError:
        return ()
