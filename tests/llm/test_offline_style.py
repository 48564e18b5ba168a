"""Rules that are applied without understanding: what they change, that twice is once, and what they leave alone."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.domain.preference import DIMENSION_OF, Aspect, Direction, StyleRule
from engine.llm.offline_style import apply_rules, can_apply, split_sentences

MORE, LESS = Direction.MORE, Direction.LESS


def rule(aspect: Aspect, direction: Direction) -> StyleRule:
    return StyleRule(rule_id="r", dimension=DIMENSION_OF[aspect], sentence="", aspect=aspect, direction=direction)


CHANGES = {
    "no emoji": (Aspect.EMOJI, LESS, "Hi 🎉 all ❤️!", "Hi all!"),
    "one emoji": (Aspect.EMOJI, MORE, "## T\n\nHi all.", "## T\n\nHi all. ✨"),
    "one is there": (Aspect.EMOJI, MORE, "Hi 🎉 all.", "Hi 🎉 all."),
    "calm": (Aspect.EXCLAMATIONS, LESS, "Come! 来！", "Come. 来。"),
    "cheerful": (Aspect.EXCLAMATIONS, MORE, "Come. Now.", "Come. Now!"),
    "plain": (Aspect.FORMALITY, LESS, "Furthermore, utilize it. 因此可以。", "Also, use it. 所以可以。"),
    "formal": (Aspect.FORMALITY, MORE, "We use it. 所以可以。", "We utilize it. 因此可以。"),
    "contracted": (Aspect.CONTRACTIONS, MORE, "It is late; we do not go.", "It's late; we don't go."),
    "spelt out": (Aspect.CONTRACTIONS, LESS, "It’s late; we don't go.", "It is late; we do not go."),
    "a list": (Aspect.LISTS, MORE, "One. Two. Three.", "- One.\n- Two.\n- Three."),
    "too short for a list": (Aspect.LISTS, MORE, "One. Two.", "One. Two."),
    "no list": (Aspect.LISTS, LESS, "- One.\n- Two.", "One. Two."),
    "no headings": (Aspect.HEADINGS, LESS, "# T\n\nOne.\n\n## U\n\nTwo.", "One.\n\nTwo."),
    "short sentences": (Aspect.SENTENCES, LESS, "We go, and they stay; all rest.", "We go. They stay. all rest."),
    "short Chinese sentences": (Aspect.SENTENCES, LESS, "我们去，而且他们留；都休息。", "我们去。他们留。都休息。"),
    "short paragraphs": (Aspect.PARAGRAPHS, LESS, "One. Two. Three.", "One. Two.\n\nThree."),
    "long paragraphs": (Aspect.PARAGRAPHS, MORE, "One.\n\nTwo.\n\n# T\n\nThree.", "One. Two.\n\n# T\n\nThree."),
    "a short text": (Aspect.TEXT, LESS, "# T\n\nOne. Two. Three.", "# T\n\nOne. Two."),
    "apart": (Aspect.SPACING, MORE, "用Git写3行", "用 Git 写 3 行"),
    "together": (Aspect.SPACING, LESS, "用 Git 写 3 行, all right", "用Git写3行, all right"),
    "full width": (Aspect.PUNCTUATION, MORE, "好,来! Well, 3.5.", "好，来！ Well, 3.5."),
    "half width": (Aspect.PUNCTUATION, LESS, "好，来！", "好,来!"),
}  # fmt: skip


@pytest.mark.parametrize(("aspect", "direction", "text", "expected"), CHANGES.values(), ids=CHANGES)
def test_a_rule_changes_what_it_names_and_nothing_else(
    aspect: Aspect, direction: Direction, text: str, expected: str
) -> None:
    styled, applied = apply_rules(text, [rule(aspect, direction)])
    assert styled == expected
    assert len(applied) == 1


def test_what_needs_understanding_is_left_alone_and_not_counted_as_applied() -> None:
    for each in (rule(Aspect.OTHER, MORE), rule(Aspect.LANGUAGE, MORE), rule(Aspect.EXAMPLES, LESS)):
        assert not can_apply(each)
        assert apply_rules("Hi! 🎉", [each]) == ("Hi! 🎉", ())


PIECES = st.sampled_from(["One. ", "用Git。", "\n\n", "- a\n", "# T\n\n", "it's ", "!", " 🎉", "因此", ", and x", "；"])
ONE_WAY = [rule(aspect, way) for aspect in Aspect for way in Direction if can_apply(rule(aspect, way))]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Version 3.5 is good. See a/b.md.", ["Version 3.5 is good.", "See a/b.md."]),
        ("One\nTwo.", ["One", "Two."]),
        ("你好!我们走。", ["你好!", "我们走。"]),
        ("!! 🎉用Git。", ["!!", "🎉用Git。"]),
        ("Hi!!🎉用Git。", ["Hi!!🎉用Git。"]),
        ('He said "go." Then “走。”他走了', ['He said "go."', "Then “走。”", "他走了"]),
        ("", []),
    ],
    ids=[
        "a number and a path",
        "two lines",
        "Latin mark before Han",
        "marks alone",
        "no space",
        "in quotes",
        "nothing",
    ],
)
def test_a_sentence_ends_where_a_reader_ends_it(text: str, sentences: list[str]) -> None:
    assert split_sentences(text) == sentences


@settings(max_examples=150)
@given(text=st.lists(PIECES | st.sampled_from(["3.5", "\n", "”", ". ", "?!"]), max_size=20).map("".join))
def test_no_letter_is_lost_between_sentences(text: str) -> None:
    assert "".join("".join(split_sentences(text)).split()) == "".join(text.split())


@settings(max_examples=150)
@given(text=st.lists(PIECES, max_size=20).map("".join), chosen=st.sampled_from(ONE_WAY))
@example(text="!! 🎉用Git。", chosen=rule(Aspect.TEXT, LESS))
def test_a_rule_that_was_applied_changes_nothing_more(text: str, chosen: StyleRule) -> None:
    once, _applied = apply_rules(text, [chosen])
    assert apply_rules(once, [chosen])[0] == once
