from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain.learning import ChangeKind
from engine.domain.preference import (
    EVERYWHERE,
    Aspect,
    Direction,
    Scope,
    ScopeLevel,
)
from engine.revision.diff import raw_script
from engine.revision.style.traits import EVIDENCE_CHARACTERS, MOST_TRAITS, Reading, read_change

MORE, LESS = Direction.MORE, Direction.LESS
EN = (
    "The workshop starts at 14:00 in room 3. Please bring a laptop. We do not provide chargers, and the room closes "
    "at six.\n\nFurthermore, participants should utilize the shared folder. It is open to all.\n"
)
ZH = "本次实践课旨在帮助同学们掌握Git的基本用法。请大家带上电脑。我们将分组，每组3人。\n\n综上所述，课程很重要。\n"
STYLE = {
    "an emoji": (EN, ("laptop.", "laptop. 🎉"), Aspect.EMOJI, MORE),
    "an exclamation mark": (EN, ("laptop.", "laptop!"), Aspect.EXCLAMATIONS, MORE),
    "contractions": (EN, ("do not", "don't"), Aspect.CONTRACTIONS, MORE),
    "plain words": (EN, ("should utilize the", "should use the"), Aspect.FORMALITY, LESS),
    "a split sentence": (EN, ("chargers, and the", "chargers. The"), Aspect.SENTENCES, LESS),
    "a split paragraph": (EN, (" We do not", "\n\nWe do not"), Aspect.PARAGRAPHS, LESS),
    "a heading": (EN, ("Furthermore", "## Folder\n\nFurthermore"), Aspect.HEADINGS, MORE),
    "Chinese and Latin apart": (ZH, ("掌握Git的", "掌握 Git 的"), Aspect.SPACING, MORE),
    "plain Chinese": (ZH, ("综上所述", "总之"), Aspect.FORMALITY, LESS),
    "a Chinese exclamation mark": (ZH, ("重要。", "重要！"), Aspect.EXCLAMATIONS, MORE),
    "a Chinese sentence split": (ZH, ("分组，每组", "分组。每组"), Aspect.SENTENCES, LESS),
    "half-width punctuation": (ZH, ("综上所述，", "综上所述,"), Aspect.PUNCTUATION, LESS),
}  # fmt: skip
NOT_STYLE = {
    "a time": (EN, ("14:00", "15:30"), ChangeKind.FACT),
    "a number": (EN, ("room 3", "room 5"), ChangeKind.FACT),
    "a Chinese number": (ZH, ("3人", "5人"), ChangeKind.FACT),
    "a new sentence, however lively": (EN, ("laptop.", "laptop. Snacks are served at two! 🎉"), ChangeKind.ONE_OFF),
    "a formal word in place of none": (EN, ("Please bring", "Therefore please bring"), ChangeKind.ONE_OFF),
    "a sentence less": (EN, (" Please bring a laptop.", ""), ChangeKind.ONE_OFF),
    "a new Chinese sentence": (ZH, ("电脑。", "电脑。课后还有水果和饮料等着你们哦！"), ChangeKind.ONE_OFF),
    "another text": (EN, (EN, "Quite another announcement was pasted over it!\n"), ChangeKind.ONE_OFF),
}  # fmt: skip


def _read(old: str, new: str, scope: Scope = EVERYWHERE) -> Reading:
    return read_change(raw_script(old, new), scope)


@pytest.mark.parametrize(("text", "change", "aspect", "direction"), STYLE.values(), ids=STYLE)
def test_a_change_of_style_hints_at_one_rule_and_back_at_its_opposite(
    text: str, change: tuple[str, str], aspect: Aspect, direction: Direction
) -> None:
    changed = text.replace(*change)
    there, back = _read(text, changed), _read(changed, text)
    assert there.change is back.change is ChangeKind.STYLE
    assert [(one.aspect, one.direction) for one in there.proposals] == [(aspect, direction)]
    assert [(one.aspect, one.direction) for one in back.proposals] == [(aspect, direction.opposite)]


@pytest.mark.parametrize(("text", "change", "kind"), NOT_STYLE.values(), ids=NOT_STYLE)
def test_a_change_of_matter_hints_at_nothing(text: str, change: tuple[str, str], kind: ChangeKind) -> None:
    assert _read(text, text.replace(*change)) == Reading(change=kind, proposals=())


NO_FORM = {
    "bold words at the beginning of lines": (
        "Date\nPlace of the meeting\nCosts of the trip\n",
        "**Date**\n**Place** of the meeting\n**Costs** of the trip\n",
    ),
    "decimals at the beginning of lines": (
        "About 3.14 metres\nAnd 2.5 more\nThen the end\n",
        "3.14 metres\n2.5 more\nThen the end\n",
    ),
    "degrees below zero": ("In degrees.\n-5 at two\n-7 at three\n", "In degrees.\nCold at two\nCold at three\n"),
    "a picture": ("See the lab of the course here.\n", "See the ![lab of the course](lab.png) here.\n"),
    "a comment and a sign in a fence": (
        "Run it:\n\n```\nif a == b:\n    go()\n```\n",
        "Run it:\n\n```\n# compare\nif a != b:\n    go()\n```\n",
    ),
    "code in a sentence": ("Use `a` to turn the switch on now.\n", "Use `!a` to turn the switch on now.\n"),
    "a word inside another, 须 and 要": ("大家必须提前提交报告和代码。\n", "大家需要提前提交报告和代码。\n"),
    "a word inside another, 要": ("因此这一步在流程里不能少。\n", "重要的这一步在流程里不能少。\n"),
    "a word inside another, 均 and 要": ("本次测验的平均分为八十。\n", "本次测验的主要分为八十。\n"),
    "a word inside another, 该 and 都": ("每组应该去首尔提交完整的报告。\n", "每组去成都提交完整的报告。\n"),
}


@pytest.mark.parametrize(("old", "new"), NO_FORM.values(), ids=NO_FORM)
def test_what_only_looks_like_a_mark_of_style_hints_at_nothing(old: str, new: str) -> None:
    assert _read(old, new).proposals == _read(new, old).proposals == ()


def test_a_program_has_no_style_of_this_sort() -> None:
    changed = "x = a == b  # yes! 🎉\n", "x = a == b  # yes\n"
    assert _read(*changed).proposals
    assert _read(*changed, Scope(ScopeLevel.KIND, "code")).proposals == ()


def test_the_evidence_is_the_very_change() -> None:
    (rule,) = _read(EN, EN.replace("14:00", "15:00").replace("laptop.", "laptop!")).proposals
    assert (rule.before, rule.after) == ("Please bring a laptop.", "Please bring a laptop!")


def test_a_list_is_seen_and_reaches_as_far_as_it_is_told_to() -> None:
    scope = Scope(ScopeLevel.KIND, "report")
    text = "- The workshop starts at two.\n- Please bring a laptop.\n- The room closes at six.\n"
    old = "The workshop starts at two. Please bring a laptop. The room closes at six.\n"
    assert (Aspect.LISTS, MORE, scope) in [
        (one.aspect, one.direction, one.scope) for one in _read(old, text, scope).proposals
    ]


PIECES = st.sampled_from(
    ["We do not go", "我们用Git写", " 🎉", "!", "。", ". ", "\n", "- a ", "# T", "it's", "因此", "14:00"]
)
TEXTS = st.lists(PIECES | st.text(max_size=6), max_size=25).map("".join)


@settings(max_examples=150)
@given(old=TEXTS, new=TEXTS)
def test_any_change_is_read_with_bounded_evidence_and_no_rule_twice(old: str, new: str) -> None:
    reading = _read(old, new)
    aspects = [one.aspect for one in reading.proposals]
    assert len(aspects) == len(set(aspects)) <= MOST_TRAITS
    assert (reading.change is ChangeKind.STYLE) == bool(aspects)
    assert all(len(side) <= EVIDENCE_CHARACTERS for one in reading.proposals for side in (one.before, one.after))


@pytest.mark.parametrize("mark", [".", "!", "?"])
def test_a_text_of_marks_alone_is_read_in_a_moment(mark: str) -> None:
    text, begun = mark * 20_000, perf_counter()
    _read(text, f"a{text}b")
    assert perf_counter() - begun < 5  # seconds; looking from every mark to the end took minutes
