"""Pairs of texts for the drawn diff, the same for the same seed."""

import random

HAN = "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种"
Pair = tuple[tuple[str, str], tuple[str, str]]
"""Title and text, before and after."""


def chinese(length: int, seed: int) -> str:
    """Paragraphs of some 60 to 300 characters, together at least so many."""
    choose = random.Random(seed)  # noqa: S311 - repeatable, not secret
    text = ""
    while len(text) < length:
        size = choose.randint(60, 300)
        text += "".join(choose.choice(HAN) if choose.random() > 0.07 else "，" for _ in range(size)) + "。\n"
    return text


def edited(text: str, share: float, seed: int) -> str:
    """`text` with about that share of its characters changed, four at a time: replaced, deleted or inserted."""
    choose = random.Random(seed)  # noqa: S311 - repeatable, not secret
    places = sorted((choose.randrange(len(text)) for _ in range(int(len(text) * share / 5.3))), reverse=True)
    parts = list(text)
    for place in places:
        if "\n" in parts[place : place + 4]:
            continue
        fresh = [choose.choice(HAN) for _ in range(4)]
        parts[place : place + choose.choice((4, 4, 0))] = choose.choice((fresh, fresh, []))
    return "".join(parts)


def chinese_pair(length: int, seed: int = 1) -> Pair:
    """A text of that length with 10 % changed."""
    text = chinese(length, seed)
    return ("长文", text), ("长文", edited(text, 0.1, seed))
