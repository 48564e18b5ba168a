"""Generated texts in Chinese and English, and seeded revisions of them: nobody's words, the same at each run.

Words are drawn as languages use them, few often and many rarely, so that a text has both repetition and rare words.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate
from random import Random

ZH = """
的 了 在 是 我们 可以 这个 学生 程序 一个 代码 老师 文件 作业 测试 问题 方法 需要 因为 所以 如果 但是 然后 结果
说明 例子 步骤 修改 版本 保存 打开 关闭 运行 错误 提示 输入 输出 函数 变量 数据 列表 循环 条件 返回 参数 名称 评审 标准
依据 草稿 段落 句子 标题 读者 作者 清楚 简单 复杂 重要 直接 具体 完整 已经 正在 还没有 开始 结束 继续 检查 比较 选择
解释 记录 整理 准备 提交 讨论 明天 昨天 上午 下午 春天 河边 城市 山路 火车 窗户 桌子 纸张 铅笔 灯光
"""
EN = """
the a of to and in is that it we you for with this not are on be as can file text change line code when then from
review task student teacher answer question reason example version draft report result error test value name list
function returns because before after between every another first second simple careful complete clear short long
write read open close start finish compare explain choose keep remove rename repeat measure describe river garden
window table paper pencil morning evening yesterday tomorrow winter summer engine wheel bridge harbour mountain
"""
ZH_WORDS, EN_WORDS = ZH.split(), EN.split()
Words = Callable[[Random, int], str]


def zh_paragraph(random: Random, characters: int) -> str:
    """A Chinese paragraph of about so many characters."""
    return _paragraph(random, characters, ZH_WORDS, "", ("，", "、", "；"), ("。", "。", "？", "！"))


def en_paragraph(random: Random, characters: int) -> str:
    """An English paragraph of about so many characters."""
    return _paragraph(random, characters, EN_WORDS, " ", (", ", " - ", "; "), (". ", ". ", "? ")).rstrip()


def prose(random: Random, characters: int, paragraph: Words) -> str:
    """Paragraphs with blank lines between, together exactly so many characters."""
    parts = []
    left = characters
    while left > 0:
        parts.append(paragraph(random, random.randint(60, 400)))
        left -= len(parts[-1]) + 2
    return "\n\n".join(parts)[:characters]


def _paragraph(
    random: Random, characters: int, words: Sequence[str], between: str, pauses: Sequence[str], ends: Sequence[str]
) -> str:
    weights = [*accumulate(1 / (rank + 3) for rank in range(len(words)))]
    text = ""
    while len(text) < characters:
        drawn = random.choices(words, cum_weights=weights, k=random.randint(4, 14))
        half = random.randint(1, len(drawn) - 1)
        text += between.join(drawn[:half]) + random.choice(pauses) + between.join(drawn[half:]) + random.choice(ends)
    return text


def revised(random: Random, text: str, percent: int, paragraph: Words) -> str:
    """About so much of the text replaced, deleted, inserted or moved, in words and in runs of them."""
    pieces = _pieces(text)
    goal, done = len(text) * percent // 100, 0
    while done < goal:
        place = random.randrange(len(pieces))
        count = random.choice((1, 1, 1, 2, 3, 12))
        here = pieces[place : place + count]
        done += max(1, sum(map(len, here)))
        kind = random.random()
        fresh = _pieces(paragraph(random, 60))[:count]
        if kind < 0.4:
            pieces[place : place + count] = fresh
        elif kind < 0.65:
            del pieces[place : place + count]
        elif kind < 0.9:
            pieces[place:place] = fresh
        else:
            del pieces[place : place + count]
            target = random.randrange(len(pieces) + 1)
            pieces[target:target] = here
    return "".join(pieces)


def _pieces(text: str) -> list[str]:
    """Characters of Chinese, words of English, spaces and line ends."""
    pieces: list[str] = []
    for character in text:
        if pieces and character.isascii() and character.isalnum() and pieces[-1].isascii() and pieces[-1].isalnum():
            pieces[-1] += character
        else:
            pieces.append(character)
    return pieces
