"""What a suggestion names, in both languages."""

import pytest

from engine.revision.blocks import split_blocks
from engine.revision.editing.scope import Scope, resolve_scope
from engine.revision.editing.scope_parts import ScopeProblem, ScopeQuestion
from tests.revision.texts import BRIEF, BRIEF_TITLE, CODE, GUIDE, GUIDE_TITLE, PLAIN

ALL = "all"
"""Nothing is named."""

IN_ENGLISH: dict[str, set[int] | str] = {
    "make the third paragraph shorter": {5},
    "Shorten paragraph 3 to two sentences.": {5},
    "Paragraphs 2 to 4 are too long": {3, 5, 6},
    "paragraphs 1, 3 and 5 need examples": {2, 5, 9},
    "from paragraph 2 to paragraph 4, be brief": {3, 5, 6},
    "merge the first and second paragraphs": {2, 3},
    "the first two paragraphs repeat each other": {2, 3},
    "the last paragraph is weak": {12},
    "rewrite the second to last paragraph": {9},
    "the last two paragraphs could be one": {9, 12},
    "2nd para: clearer please": {3},
    "swap paragraphs 1 and 2": {2, 3},
    "move paragraph 2 after paragraph 4": {3, 6},
    "only the title": "title",
    "Change the title to “Third paragraph”": "title",
    "make the title and the first paragraph shorter": "title+2",
    "rework the section on setup": {4, 5, 6, 7},
    "the setup section is too long": {4, 5, 6, 7},
    "shorten the Usage section a bit": {8, 9, 10},
    "section 2 should be livelier": {8, 9, 10},
    "the second section needs an example": {8, 9, 10},
    "the last section is boring": {11, 12},
    "the introduction is too long": {2, 3},
    "rewrite the conclusion": {11, 12},
    "add an emoji at the end": {12},
    "everything but the title can be shorter": "but 1, title",
    "make it livelier except the third paragraph": "but 5",
    "leave the second paragraph as it is, the rest shorter": "but 3",
    "don't touch the setup section": "but 4, 5, 6, 7",
    "sort the list": {7},
    "add a row to the table": {10},
    "the headings should be questions": {1, 4, 8, 11},
    "change the heading “Setup” to “Install”": {4},
    "the paragraph about the installer is unclear": {6},
    "every paragraph needs fewer words": {2, 3, 5, 6, 9, 12},
    "the first sentence should name the course": {2},
    "make the third paragraph as short as the first paragraph": {5},
    "make it livelier": ALL,
    "too formal": ALL,
    "replace 'paragraph 2' with 'chapter 2'": ALL,
    "add a paragraph about prices": ALL,
    "fix the spelling": ALL,
    "remove the repeated parts": ALL,
}
IN_CHINESE: dict[str, set[int] | str] = {
    "第三段太长，缩短一点": {5},
    "删除最后一段": {10},
    "请移除第三段": {5},
    "除最后一段，都短一点": "but 10",
    "排除第二段，其他都短一点": "but 4",
    "把第3段改短": {5},
    "第二到第四段都太啰嗦": {4, 5, 7},
    "第二段到第四段精简一下": {4, 5, 7},
    "第1、3段语气太硬": {2, 5},
    "前两段合成一段": {2, 4},
    "最后一段写得太急": {10},
    "最后两段再短些": {7, 10},
    "倒数第二段换个例子": {7},
    "2-4段压缩": {4, 5, 7},
    "首段重写": {2},
    "第二个自然段举个例子": {4},
    "把第二段移到第四段后面": {4, 7},
    "只改标题": "title",
    "标题改成“第三段的故事”": "title",
    "标题和第一段都要更短": "title+2",
    "关于安装的那一节太长": {3, 4, 5},
    "活动流程这一节写细一点": {6, 7, 8},
    "“注意事项”部分再友好些": {9, 10},
    "第二节改成列表": {6, 7, 8},
    "最后一节太严肃": {9, 10},
    "引言太长": {2},
    "结尾加一个 emoji": {10},
    "除了标题，其他都可以改": "but 1, title",
    "除了第三段都活泼点": "but 5",
    "第二段不要动，别的改短": "but 4",
    "别动第一段": "but 2",
    "把列表排个序": {8},
    "小标题都改成问句": {1, 3, 6, 9},
    "讲志愿者的那一段说清楚": {7},
    "每段都短一点": {2, 4, 5, 7, 10},
    "第一句写得更抓人": {2},
    "第三段改得像第一段那样短": {5},
    "太正式了，活泼点": ALL,
    "把“第三段”改成“第三部分”": ALL,
    "标题改成“换书节”": "title",
    "再加一段说明": ALL,
    "改一下错别字": ALL,
    "文章太长": ALL,
    "把重复的部分删掉": ALL,
    "细节再多些": ALL,
    "大部分句子太长": ALL,
}


def told(scope: Scope | ScopeQuestion, blocks: int) -> set[int] | str:
    """A scope of a text with so many blocks, in the form of the tables above; the first block reads as the title."""
    assert isinstance(scope, Scope), scope
    if scope.blocks is None:
        return ALL
    if 2 * len(scope.blocks) > blocks:
        missing = [str(number) for number in range(1, blocks + 1) if number not in scope.blocks]
        return "but " + ", ".join([*missing, *([] if scope.title else ["title"])])
    return "+".join(["title", *map(str, sorted(scope.blocks - {1}))]) if scope.title else set(scope.blocks)


@pytest.mark.parametrize("suggestion", IN_ENGLISH)
def test_english_names_are_understood(suggestion: str) -> None:
    scope = resolve_scope(suggestion, split_blocks(GUIDE, is_code=False), GUIDE_TITLE)
    assert told(scope, blocks=12) == IN_ENGLISH[suggestion]


@pytest.mark.parametrize("suggestion", IN_CHINESE)
def test_chinese_names_are_understood(suggestion: str) -> None:
    scope = resolve_scope(suggestion, split_blocks(BRIEF, is_code=False), BRIEF_TITLE)
    assert told(scope, blocks=10) == IN_CHINESE[suggestion]


ASKED: dict[str, tuple[str, ScopeProblem, int]] = {
    "make paragraph 9 shorter": (GUIDE, ScopeProblem.NO_SUCH_PARAGRAPH, 6),
    "第九段短一点": (BRIEF, ScopeProblem.NO_SUCH_PARAGRAPH, 5),
    "make the fifth section shorter": (GUIDE, ScopeProblem.NO_SUCH_SECTION, 3),
    "rework the section on prices": (GUIDE, ScopeProblem.NO_SUCH_SECTION, 4),
    "关于票价的那一节删掉": (BRIEF, ScopeProblem.NO_SUCH_SECTION, 4),
    "第七节删掉": (BRIEF, ScopeProblem.NO_SUCH_SECTION, 3),
    "the paragraph about the shop is unclear": (GUIDE, ScopeProblem.SEVERAL, 2),
    "the paragraph about llamas is unclear": (GUIDE, ScopeProblem.NO_SUCH_PARAGRAPH, 6),
    "sort the table": (BRIEF, ScopeProblem.NO_SUCH_PART, 0),
    "make this paragraph shorter": (GUIDE, ScopeProblem.WHICH, 6),
    "这一段太长": (BRIEF, ScopeProblem.WHICH, 5),
    "把后一段删掉": (BRIEF, ScopeProblem.WHICH, 5),
}


@pytest.mark.parametrize("suggestion", ASKED)
def test_what_is_missing_or_unclear_becomes_a_question(suggestion: str) -> None:
    text, problem, count = ASKED[suggestion]
    asked = resolve_scope(suggestion, split_blocks(text, is_code=False), "")
    assert isinstance(asked, ScopeQuestion)
    assert (asked.problem, asked.count) == (problem, count)


def test_a_question_about_a_section_lists_the_headings() -> None:
    asked = resolve_scope("rework the section on prices", split_blocks(GUIDE, is_code=False), "")
    assert isinstance(asked, ScopeQuestion)
    assert (asked.named, asked.choices) == ("prices", ("Shop guide", "Setup", "Usage", "Conclusion"))


@pytest.mark.parametrize(
    ("suggestion", "keeps"),
    [
        ("make it livelier", True),
        ("too formal", True),
        ("太正式了，活泼点", True),
        ("第三段语气亲切些", True),
        ("livelier, and remove the last paragraph", False),
        ("语气活泼些，再加一段结尾", False),
        ("shorten the third paragraph", False),
        ("把“正式”改成“公开”", False),
    ],
)
def test_a_wish_about_tone_keeps_the_structure(suggestion: str, keeps: bool) -> None:
    scope = resolve_scope(suggestion, split_blocks(BRIEF, is_code=False), "")
    assert isinstance(scope, Scope)
    assert scope.keeps_structure is keeps


def test_a_paragraph_that_is_the_only_one_may_be_pointed_at() -> None:
    scope = resolve_scope("make this paragraph shorter", split_blocks("# A\n\nOnly this.\n", is_code=False), "A")
    assert isinstance(scope, Scope)
    assert scope.blocks == frozenset({2})


def test_each_line_of_a_text_without_blank_lines_is_a_paragraph() -> None:
    scope = resolve_scope("第二段短一点", split_blocks(PLAIN, is_code=False), "")
    assert isinstance(scope, Scope)
    assert scope.blocks == frozenset({2})


def test_parts_of_a_program_are_counted_by_blank_lines_at_the_margin() -> None:
    scope = resolve_scope("comment the second paragraph", split_blocks(CODE, is_code=True), "shop.py")
    assert isinstance(scope, Scope)
    assert scope.blocks == frozenset({2})
