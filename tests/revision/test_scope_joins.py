"""Parts that stand to one another: excepted together, inside or beside one another, or all that comes behind."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.revision.blocks import split_blocks
from engine.revision.editing.scope import Scope, resolve_scope
from engine.revision.editing.scope_parts import ScopeProblem, ScopeQuestion
from tests.revision.test_blocks import TEXTS
from tests.revision.texts import BRIEF, BRIEF_TITLE, GUIDE, GUIDE_TITLE

IN_ENGLISH: dict[str, set[int] | None] = {
    "everything except the title and the list": {2, 3, 4, 5, 6, 8, 9, 10, 11, 12},
    "except the title, the list and the table": {2, 3, 4, 5, 6, 8, 9, 11, 12},
    "change nothing but paragraph 3": {5},
    "nothing except the conclusion": {11, 12},
    "Please don't change anything except the third paragraph.": {5},
    "leave everything but the list as it is": {7},
    "everything except the list stays as it is": {7},
    "don’t change the list": {1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12},
    "shorten the setup section except the list": {4, 5, 6},
    "make it livelier, but the third paragraph shorter": {5},
    "make it livelier, but not the third paragraph": {1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12},
    "keep paragraph 2 short": {3},
    "leave the third paragraph out": {5},
    "the first paragraph is fine, shorten the rest": {1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
    "the first paragraph and the second paragraph should stay": {1, 4, 5, 6, 7, 8, 9, 10, 11, 12},
    "paragraph 2 must not be changed": {1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12},
    "other than the introduction, shorten": {1, 4, 5, 6, 7, 8, 9, 10, 11, 12},
    "only the first paragraph, not the second": {2},
    "the opening paragraph": {2},
    "the first paragraph under Setup": {5},
    "second paragraph of the Setup section": {6},
    "the second paragraph in section 1": {6},
    "the first sentence of the conclusion": {11, 12},
    "in “Usage”, add an example": {8, 9, 10},
    "the heading of the second section": {8},
    "the first heading": {4},
    "the paragraph before the list": {6},
    "the paragraph after the table": {12},
    "delete everything after the third paragraph": {6, 7, 8, 9, 10, 11, 12},
    "shorten all from paragraph 4 on": {6, 7, 8, 9, 10, 11, 12},
    "from paragraph 5 to the end, be brief": {9, 10, 11, 12},
    "the bullets are too long": {7},
    "keep lists, rewrite the rest": {1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12},
    "¶3 is too long": {5},
    "use fewer lists": None,
    "add a list": None,
}
IN_CHINESE: dict[str, set[int] | None] = {
    "删除第三段": {5},
    "移除第二段": {4},
    "删除标题": {1},
    "除了第三段，其他都不要动": {5},
    "除第三段外，其余内容一律不改": {5},
    "第三段以外都别改": {5},
    "什么都不要改，除了第三段": {5},
    "除了标题和列表，其余都活泼一点": {2, 3, 4, 5, 6, 7, 9, 10},
    "除标题和第一段外都改短": {3, 4, 5, 6, 7, 8, 9, 10},
    "不要改动标题和第一段": {3, 4, 5, 6, 7, 8, 9, 10},
    "第一段和第三段保持不变，其余改短": {1, 3, 4, 6, 7, 8, 9, 10},
    "第一段不用改": {1, 3, 4, 5, 6, 7, 8, 9, 10},
    "第一段保留，其他重写": {1, 3, 4, 5, 6, 7, 8, 9, 10},
    "第一段很好，其他段落再短些": {1, 3, 4, 5, 6, 7, 8, 9, 10},
    "语气活泼些，标题除外": {2, 3, 4, 5, 6, 7, 8, 9, 10},
    "无需修改标题": {2, 3, 4, 5, 6, 7, 8, 9, 10},
    "只改列表": {8},
    "列表太长": {8},
    "列表不要动": {1, 2, 3, 4, 5, 6, 7, 9, 10},
    "所有列表": {8},
    "第一节的第二段": {5},
    "第二节改短，列表不要动": {6, 7},
    "第一节第二段太长": {5},
    "结尾的最后一句": {10},
    "第二节的标题": {6},
    "第二节标题改成问句": {6},
    "所有标题": {1, 3, 6, 9},
    "第二个小标题": {6},
    "列表前面那一段": {7},
    "第二段以后都删掉": {5, 6, 7, 8, 9, 10},
    "从第四段开始到最后精简": {7, 8, 9, 10},
    "从第二段开始到第四段": {4, 5, 7},
    "倒数两段": {7, 10},
    "最后那段": {10},
    "段落3": {5},
    "「活动流程」里多举例子": {6, 7, 8},
    "第三段写得像标题一样短": {5},
    "整篇文章活泼点": None,
    "这篇文章太长": None,
    "活动环节太多": None,
    "把艺术节改成文化节": None,
    "说明部分再细一点": None,
    "改成列表": None,
    "少用列表": None,
    "代码的解释再细些": None,
}


@pytest.mark.parametrize("suggestion", IN_ENGLISH)
def test_english_parts_are_joined(suggestion: str) -> None:
    assert blocks(resolve_scope(suggestion, split_blocks(GUIDE, is_code=False), GUIDE_TITLE)) == IN_ENGLISH[suggestion]


@pytest.mark.parametrize("suggestion", IN_CHINESE)
def test_chinese_parts_are_joined(suggestion: str) -> None:
    assert blocks(resolve_scope(suggestion, split_blocks(BRIEF, is_code=False), BRIEF_TITLE)) == IN_CHINESE[suggestion]


def blocks(scope: Scope | ScopeQuestion) -> set[int] | None:
    assert isinstance(scope, Scope), scope
    return None if scope.blocks is None else set(scope.blocks)


@pytest.mark.parametrize(
    ("suggestion", "text", "problem", "count"),
    [
        ("the third paragraph of the conclusion section", GUIDE, ScopeProblem.NO_SUCH_PARAGRAPH, 1),
        ("第一节的第三段", BRIEF, ScopeProblem.NO_SUCH_PARAGRAPH, 2),
        ("讲安装的那段", BRIEF, ScopeProblem.SEVERAL, 2),
        ("the middle paragraph is dull", GUIDE, ScopeProblem.WHICH, 6),
        ("中间一段太长", BRIEF, ScopeProblem.WHICH, 5),
        ("the paragraph before the first paragraph", GUIDE, ScopeProblem.WHICH, 6),
        ("the ninth heading", GUIDE, ScopeProblem.NO_SUCH_PART, 4),
        ("remove everything after the last paragraph", GUIDE, ScopeProblem.NO_SUCH_PART, 0),
        ("第0个小标题", BRIEF, ScopeProblem.NO_SUCH_PART, 4),
    ],
)
def test_what_cannot_be_joined_becomes_a_question(
    suggestion: str, text: str, problem: ScopeProblem, count: int
) -> None:
    asked = resolve_scope(suggestion, split_blocks(text, is_code=False), "")
    assert isinstance(asked, ScopeQuestion)
    assert (asked.problem, asked.count) == (problem, count)


def test_an_exception_with_the_title_in_it_is_one_for_both() -> None:
    scope = resolve_scope("除了标题和第一段都改短", split_blocks(BRIEF, is_code=False), BRIEF_TITLE)
    assert isinstance(scope, Scope)
    assert (scope.title, scope.allows(2), scope.allows(4)) == (False, False, True)


WORDS = st.sampled_from(
    [
        *(
            "第",
            "0",
            "1",
            "12",
            "三",
            "十",
            "段",
            "段落",
            "节",
            "个标题",
            "标题",
            "列表",
            "除了",
            "和",
            "、",
            "的",
            "前面那",
            "删除",
        ),
        *("不要动", "从", "开始到最后", "安装", "“", "”", "说", "关于", "最后", "那", "，", "第一句", "以后都", "倒数"),
        *(
            "paragraph ",
            "the ",
            "0th ",
            "third ",
            "of ",
            "section ",
            "under setup",
            "heading ",
            "everything ",
            "except ",
        ),
        *("and ", "title ", "list ", "nothing but ", "from ", " on", "before ", "¶", "first sentence ", "keep ", "."),
    ]
)


@settings(max_examples=200, deadline=None)
@given(suggestion=st.lists(WORDS, max_size=9).map("".join), text=TEXTS | st.sampled_from([GUIDE, BRIEF]))
def test_whatever_is_said_there_is_a_scope_of_blocks_that_are_there_or_a_question(suggestion: str, text: str) -> None:
    document = split_blocks(text, is_code=False)
    scope = resolve_scope(suggestion, document, "Head")
    there = {block.number for block in document.blocks}
    assert isinstance(scope, ScopeQuestion) or scope.blocks is None or scope.blocks <= there
