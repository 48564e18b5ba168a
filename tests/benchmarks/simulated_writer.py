"""A person with hidden tastes who edits every draft to suit them. Knows nothing of what learns from the edits.

Nothing of the product is imported here: a user who shared code with the learner would prove nothing. Every choice
depends on the seed and the round alone, so that each way of learning meets the same person on the same days.
"""

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

PICTURES = "🎉✨🚀🌟💡"
SAID_FORMALLY = {
    "en": {
        "furthermore": "also",
        "in order to": "to",
        "utilize": "use",
        "approximately": "about",
        "numerous": "many",
        "prior to": "before",
        "assist": "help",
        "obtain": "get",
    },
    "zh": {"综上所述": "总之", "因此": "所以", "此外": "另外", "应当": "要", "予以": "给", "较为": "比较"},
}
SHORT_FORMS = {"do not": "don't", "is not": "isn't", "cannot": "can't", "it is": "it's", "we will": "we'll"}
REMARKS = {
    "en": (
        "Ask Tom about the projector before you leave the building.",
        "The coffee machine on the second floor works again, thanks to Mia! 🎉",
        "Parking behind the library costs nothing on that day.",
        "Hey folks, the old keys still open the lab!",
    ),
    "zh": (
        "投影仪的问题请找小汤问一下。",
        "二楼的咖啡机又能用啦，谢谢小米！🎉",
        "当天图书馆后面可以免费停车。",
        "旧钥匙还能打开实验室哦！",
    ),
}


@dataclass(frozen=True, kw_only=True)
class Writer:
    """One simulated person."""

    language: str
    tastes: Mapping[str, str]
    """What is wanted, `more` or `less`, by name; nothing is wanted of what is not named."""
    after_switch: Mapping[str, str]
    """The same from `switch_at` on."""
    switch_at: int
    notices: float = 1.0
    """How often something unwanted is noticed."""

    def wants(self, number: int) -> Mapping[str, str]:
        """The tastes in round `number`."""
        return self.tastes if number < self.switch_at else self.after_switch

    def edit(self, draft: str, seed: int, number: int) -> str:
        """The draft as this person leaves it: facts put right, perhaps a remark added, and the style suited."""
        dice = random.Random(f"{seed} {number}")  # noqa: S311 - reproducible
        text = self._remark(_put_right(draft, dice), dice)
        noticed = {name: way for name, way in self.wants(number).items() if dice.random() < self.notices}
        return suited(text, noticed, self.language)

    def _remark(self, text: str, dice: random.Random) -> str:
        """Now and then one thing more is said; how it is said is chance."""
        if dice.random() >= 0.3:
            return text
        between = " " if self.language == "en" else ""
        blocks = text.split("\n\n")
        running = [place for place, block in enumerate(blocks) if not block.startswith(("#", "-"))]
        if running:
            blocks[running[-1]] = blocks[running[-1]].rstrip("\n") + between + dice.choice(REMARKS[self.language])
        return "\n\n".join(blocks)


def suited(text: str, tastes: Mapping[str, str], language: str) -> str:
    """`text` as somebody of these tastes wants it."""
    for name, way in tastes.items():
        text = _EDITS[name, way](text, language)
    return text


def _put_right(text: str, dice: random.Random) -> str:
    """One number is wrong in every third draft."""
    numbers = list(re.finditer(r"\d+", text))
    if not numbers or dice.random() >= 0.33:
        return text
    wrong = dice.choice(numbers)
    return f"{text[: wrong.start()]}{int(wrong.group()) + dice.randint(1, 9)}{text[wrong.end() :]}"


def _no_pictures(text: str, _language: str) -> str:
    return re.sub(f" ?[{PICTURES}]", "", text)


def _a_picture(text: str, _language: str) -> str:
    if re.search(f"[{PICTURES}]", text):
        return text
    return _at_first_paragraph(text, lambda block: f"{block} 🎉")


def _calm(text: str, _language: str) -> str:
    return text.replace("!", ".").replace("！", "。")


def _cheer(text: str, _language: str) -> str:
    if re.search("[!！]", text):
        return text
    return _at_first_paragraph(text, lambda block: re.sub(r"[.。](\W*)$", r"!\1", block))


def _at_first_paragraph(text: str, change: Callable[[str], str]) -> str:
    blocks = text.split("\n\n")
    for place, block in enumerate(blocks):
        if not block.startswith(("#", "-")):
            blocks[place] = change(block)
            break
    return "\n\n".join(blocks)


def _exchanged(text: str, table: Mapping[str, str]) -> str:
    for old, new in table.items():
        text = re.sub(rf"\b{old}\b" if old.isascii() else old, new, text)
        text = re.sub(rf"\b{old.capitalize()}\b", new.capitalize(), text)
    return text


def _plainly(text: str, language: str) -> str:
    return _exchanged(text, SAID_FORMALLY[language])


def _short_forms(text: str, _language: str) -> str:
    return _exchanged(text, SHORT_FORMS)


def _long_forms(text: str, _language: str) -> str:
    return _exchanged(text, {short: long for long, short in SHORT_FORMS.items()})


def _prose(text: str, language: str) -> str:
    between = " " if language == "en" else ""
    blocks = text.split("\n\n")
    return "\n\n".join(
        between.join(line[2:].strip() for line in block.strip().split("\n")) if block.startswith("- ") else block
        for block in blocks
    )


def _no_headings(text: str, _language: str) -> str:
    return "\n\n".join(block for block in text.split("\n\n") if not block.startswith("#"))


def _short_sentences(text: str, language: str) -> str:
    if language == "zh":
        return text.replace("，而且", "。")
    return re.sub(r", and (\w)", lambda found: f". {found[1].upper()}", text)


def _apart(text: str, _language: str) -> str:
    text = re.sub("([\u4e00-\u9fff])([A-Za-z0-9])", r"\1 \2", text)
    return re.sub("([A-Za-z0-9])([\u4e00-\u9fff])", r"\1 \2", text)


def _together(text: str, _language: str) -> str:
    return re.sub("(?<=[\u4e00-\u9fff]) (?=[A-Za-z0-9])|(?<=[A-Za-z0-9]) (?=[\u4e00-\u9fff])", "", text)


def _as_it_is(text: str, _language: str) -> str:
    return text


_EDITS = {
    ("emoji", "less"): _no_pictures,
    ("emoji", "more"): _a_picture,
    ("exclamations", "less"): _calm,
    ("exclamations", "more"): _cheer,
    ("formality", "less"): _plainly,
    ("formality", "more"): _as_it_is,
    ("contractions", "more"): _short_forms,
    ("contractions", "less"): _long_forms,
    ("lists", "less"): _prose,
    ("headings", "less"): _no_headings,
    ("sentences", "less"): _short_sentences,
    ("spacing", "more"): _apart,
    ("spacing", "less"): _together,
}
