"""The offline editor: what it does by fixed rules, what it leaves to a model, and how it types."""

import json
from collections.abc import Callable
from time import perf_counter

import pytest

from engine.domain.data_message import DataKind, wrap
from engine.domain.session import ChatMessage
from engine.domain.states import Role
from engine.llm.offline_edit import offline_edit
from engine.llm.offline_rewriting import (
    append_emoji,
    first_sentences,
    replace_words,
    space_scripts,
    widen_punctuation,
    without_emoji,
)
from engine.llm.prompts.edit import EDIT_RULES, EditAnswer

PARAGRAPHS = (
    "One is here. It is long. It goes on.",
    "Two is here.",
    "第三段在这里，用Python写。还有一句!",
    "Four is here.",
)
EVERYTHING = "everything"


def said(words: str, may_change: object = EVERYTHING, *, title: bool = True, is_code: bool = False) -> EditAnswer:
    """What it answers to one suggestion about a heading and four paragraphs, blocks 1 to 5."""
    blocks = [{"number": 1, "kind": "heading", "text": "# Report"}] + [
        {"number": number, "kind": "paragraph", "text": text} for number, text in enumerate(PARAGRAPHS, start=2)
    ]
    asked = {
        "number": 1,
        "text": words,
        "may_change": may_change,
        "may_change_title": title,
        "keeps_structure": False,
    }
    data = wrap(DataKind.TEXT, {"title": "Report", "is_code": is_code, "blocks": blocks})
    data += "\n" + wrap(DataKind.ASKED, {"suggestions": [asked]})
    messages = [
        ChatMessage(role=Role.SYSTEM, content=EDIT_RULES),
        ChatMessage(role=Role.USER, content=data),
    ]
    return EditAnswer.model_validate_json(offline_edit([{"role": m.role, "content": m.content} for m in messages]))


def told(answer: EditAnswer) -> list[tuple[str, int, int, str]]:
    return [(each.do, each.block, each.anchor, each.text) for each in answer.operations]


@pytest.mark.parametrize(
    ("words", "may_change", "expected"),
    [
        ("replace Two in the second paragraph with Second", [3], [("replace", 3, 0, "Second is here.")]),
        ("把第三段的Python换成Java", [4], [("replace", 4, 0, "第三段在这里，用Java写。还有一句!")]),
        ("用“你好”替换“第三段”", EVERYTHING, [("replace", 4, 0, "你好在这里，用Python写。还有一句!")]),
        ("delete the sentence “It is long.”", EVERYTHING, [("replace", 2, 0, "One is here. It goes on.")]),
        ("delete “long” in the first paragraph", [2], [("replace", 2, 0, "One is here. It is. It goes on.")]),
        ("删掉“还有一句!”", EVERYTHING, [("replace", 4, 0, "第三段在这里，用Python写。")]),
        ("delete the section “Two”", [3], [("delete", 3, 0, "")]),
        ("replace “Two” with “Second”", EVERYTHING, [("replace", 3, 0, "Second is here.")]),
        ("change Two to Second", EVERYTHING, [("replace", 3, 0, "Second is here.")]),
        ("把“第三段”改成“第三部分”", [4], [("replace", 4, 0, "第三部分在这里，用Python写。还有一句!")]),
        ("把Python换成Java", EVERYTHING, [("replace", 4, 0, "第三段在这里，用Java写。还有一句!")]),
        ("delete the second paragraph", [3], [("delete", 3, 0, "")]),
        ("删掉第二段", [3], [("delete", 3, 0, "")]),
        ("move paragraph 1 after paragraph 3", [2, 4], [("move_after", 2, 4, "")]),
        ("put paragraph 4 before paragraph 1", [2, 5], [("move_before", 5, 2, "")]),
        ("把第一段移到最后", [2, 5], [("move_after", 2, 5, "")]),
        ("move the last paragraph to the top", [5], [("move_before", 5, 2, "")]),
        ("把第三段移到最前面", [4], [("move_before", 4, 2, "")]),
        ("把第三段移到开头", [2, 4], [("move_before", 4, 2, "")]),
        ("swap paragraphs 1 and 2", [2, 3], [("move_before", 3, 2, "")]),
        ("第一段和第三段对调", [2, 4], [("move_before", 4, 2, ""), ("move_after", 2, 3, "")]),
        ("shorten the first paragraph", [2], [("replace", 2, 0, "One is here.")]),
        ("shorten paragraph 1 to two sentences", [2], [("replace", 2, 0, "One is here. It is long.")]),
        ("第三段太长，缩短一点", [4], [("replace", 4, 0, "第三段在这里，用Python写。")]),
        ("title: The shop", [1], [("replace", 1, 0, "# The shop"), ("title", 0, 0, "The shop")]),
        ("标题改成“小店”。", [1], [("replace", 1, 0, "# 小店"), ("title", 0, 0, "小店")]),
        ("add a heading “Next” before paragraph 2", [3], [("insert_before", 3, 0, "## Next")]),
        ("在第二段前加一个小标题“下一步”", [3], [("insert_before", 3, 0, "## 下一步")]),
        ("加一个小标题“下一步”在第二段前面", [3], [("insert_before", 3, 0, "## 下一步")]),
        (
            "中英文之间加空格，标点改成全角",
            EVERYTHING,
            [("replace", 4, 0, "第三段在这里，用 Python 写。还有一句！")],
        ),
        ("add an emoji 🌞 to the second paragraph", [3], [("replace", 3, 0, "Two is here. 🌞")]),
        ("结尾加一个表情", [5], [("replace", 5, 0, "Four is here. 🎉")]),
    ],
)
def test_what_needs_no_understanding_is_done(
    words: str, may_change: object, expected: list[tuple[str, int, int, str]]
) -> None:
    answer = said(words, may_change, title="title" in words or "标题改" in words)
    assert (told(answer), answer.question) == (expected, None)


@pytest.mark.parametrize(
    ("words", "may_change"),
    [
        ("make it livelier", EVERYTHING),
        ("太正式了，活泼点", EVERYTHING),
        ("delete the last sentence", [5]),
        ("delete the last sentence of paragraph 2", [3]),
        ("delete everything that is boring", EVERYTHING),
        ("shorten the second paragraph", [3]),
        ("replace “Nowhere” with “Somewhere”", EVERYTHING),
        ("delete “xyz” in the first paragraph", [2]),
        ("去掉空格", EVERYTHING),
        ("标点改成半角", EVERYTHING),
        ("move paragraph 1", [2]),
        ("add a heading “Next”", EVERYTHING),
        ("explain paragraph 2 better", [3]),
    ],
)
def test_the_rest_is_said_to_need_a_model(words: str, may_change: object) -> None:
    answer = said(words, may_change)
    assert answer.operations == []
    assert answer.question is not None
    assert words in answer.question
    assert ("offline" in answer.question) is not ("离线" in answer.question)


def test_it_answers_in_the_language_of_the_suggestion() -> None:
    assert "离线编辑" in str(said("太正式了").question)
    assert "offline editor" in str(said("too formal").question)


def test_a_title_that_may_not_be_changed_stays() -> None:
    assert said("title: The shop", [2], title=False).operations == []


def test_an_empty_request_is_answered_in_form() -> None:
    assert json.loads(offline_edit([{"role": "system", "content": EDIT_RULES}])) == {"operations": [], "question": None}


def test_two_suggestions_about_one_block_are_written_once() -> None:
    blocks = [{"number": 1, "kind": "paragraph", "text": "Two is here. It goes on."}]
    asked = [
        {"number": 1, "text": "replace “Two” with “2”", "may_change": [1], "may_change_title": False},
        {"number": 2, "text": "shorten the first paragraph", "may_change": [1], "may_change_title": False},
    ]
    data = wrap(DataKind.TEXT, {"title": "", "is_code": False, "blocks": blocks})
    data += "\n" + wrap(DataKind.ASKED, {"suggestions": asked})
    answer = EditAnswer.model_validate_json(offline_edit([{}, {"content": data}]))
    assert [(each.suggestions, each.text) for each in answer.operations] == [([1, 2], "2 is here.")]


@pytest.mark.parametrize(
    ("text", "spaced"),
    [
        ("用Python3写", "用 Python3 写"),
        ("用 Python 写", "用 Python 写"),
        ("见`代码x在`这里", "见`代码x在`这里"),
        ("见[文档](https://a.b/文档a)里", "见[文档](https://a.b/文档a)里"),
        ("增长50%以上", "增长 50% 以上"),
    ],
)
def test_spaces_stand_between_scripts_and_nowhere_inside_code_or_addresses(text: str, spaced: str) -> None:
    assert space_scripts(text) == spaced
    assert space_scripts(spaced) == spaced


@pytest.mark.parametrize(
    ("text", "wide"),
    [
        ("你好,世界!", "你好，世界！"),
        ("这是(说明)", "这是（说明）"),
        ("版本(v1.2)", "版本(v1.2)"),
        ("共3.5元,约4.", "共3.5元，约4."),
        ("比如:a, b", "比如：a, b"),
        ("等等...", "等等..."),
        ("Hello, world.", "Hello, world."),
    ],
)
def test_punctuation_behind_han_characters_is_full_width(text: str, wide: str) -> None:
    assert widen_punctuation(text) == wide
    assert widen_punctuation(wide) == wide


@pytest.mark.parametrize(
    ("text", "count", "kept"),
    [
        ("One. Two. Three.", None, "One."),
        ("One. Two. Three. Four.", None, "One. Two."),
        ("第一句。第二句！“第三句？”", 2, "第一句。第二句！"),
        ("Version 1.2 is out. Get it.", 1, "Version 1.2 is out."),
        ("no full stop", None, "no full stop"),
    ],
)
def test_the_first_sentences_are_kept(text: str, count: int | None, kept: str) -> None:
    assert first_sentences(text, count) == kept


def test_words_of_latin_letters_are_replaced_whole_only() -> None:
    assert replace_words("cat, concat, cat猫", "cat", "dog") == "dog, concat, dog猫"
    assert replace_words("二手书和书", "书", "本") == "二手本和本"
    assert replace_words("a\\1", "a", "\\g<0>") == "\\g<0>\\1"


def test_emoji_come_and_go_whole() -> None:
    assert append_emoji("结束。", "👩‍🔬") == "结束。👩‍🔬"
    assert append_emoji("Done.", "🎉") == "Done. 🎉"
    assert without_emoji("Done 👩‍🔬!") == "Done!"


SLOW = {
    "dots": (space_scripts, "a." * 40_000),
    "targets": (widen_punctuation, "](" * 80_000),
    "spaces": (without_emoji, " " * 60_000 + "x"),
}


@pytest.mark.parametrize(("change", "text"), SLOW.values(), ids=SLOW)
def test_a_text_that_looks_like_the_beginning_of_something_everywhere_is_changed_in_a_moment(
    change: Callable[[str], str], text: str
) -> None:
    begun = perf_counter()
    assert change(text) == text
    assert perf_counter() - begun < 5  # seconds; looking from every place to the end took longer by far
