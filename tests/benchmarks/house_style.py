"""Texts as a writer without any taste would draft them, for the simulation of preferences."""

import random

_EN = (
    "The workshop on {topic} starts at {hour}:00 in room {room}, and it is open to all students.",
    "Furthermore, each group should utilize the shared folder of {topic}.",
    "We do not provide laptops, and the batteries last approximately {hour} hours.",
    "Please register prior to day {room} in order to obtain a seat.",
    "Numerous tutors will assist you, and it is not necessary to know {topic}.",
    "A short report of {room} lines is due after the workshop.",
)
_ZH = (
    "关于{topic}的实践课在{hour}点开始，而且所有同学都可以参加。",
    "此外，每个小组应当使用{topic}的共享目录。",
    "教室里没有电脑，而且插座只有{room}个。",
    "请在第{room}天以前报名，名额较为有限。",
    "因此，没有学过{topic}的同学也可以来，助教会予以帮助。",
    "课后请写一份{room}行的小结。",
)
_ITEMS = {
    "en": ("- Bring the notes on {topic}.", "- Read chapter {room} first.", "- Write down {hour} questions."),
    "zh": ("- 带上{topic}的笔记。", "- 先读第{room}章。", "- 写下{hour}个问题。"),
}
_FRAME = {
    "en": ("## About", "## Before you come", "We look forward to seeing you! 🌟"),
    "zh": ("## 说明", "## 课前准备", "期待和大家见面！🌟"),
}
_TOPICS = ("Git", "SQL", "Python", "Docker", "Linux", "CSS")


def house_draft(language: str, seed: int, number: int) -> str:
    """The text of one round: equal seed and round, equal text."""
    dice = random.Random(f"draft {seed} {number}")  # noqa: S311 - reproducible
    values = {"topic": dice.choice(_TOPICS), "hour": dice.randint(2, 9), "room": dice.randint(3, 40)}
    sentences = dice.sample(_EN if language == "en" else _ZH, 5)
    between = " " if language == "en" else ""
    about, before, end = _FRAME[language]
    first, second = between.join(sentences[:3]), between.join(sentences[3:])
    blocks = (about, first, before, "\n".join(_ITEMS[language]), second, end)
    return "\n\n".join(blocks).format(**values) + "\n"
