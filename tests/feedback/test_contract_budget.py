"""Long text and special characters at the budget, on both databases and through the real stores."""

from dataclasses import replace

from engine.feedback.budgeter import CRITERION_CAP, ITEM_LIMIT, NEXT_STEP_CAP, REASON_CAP
from tests.feedback.builders import HOSTILE
from tests.feedback.story import RUBRIC, V1, Story, criterion, entry

FAMILY = "👨‍👩‍👧‍👦"
"""Seven code points that make one picture."""


def _told(story: Story, *, next_step: str | None = None, **texts: str) -> None:
    """A review whose one open item and next step hold these texts."""
    entries = [entry("tests", "FAIL", **{"reason": "why", **texts})]
    entries += [entry(line.rubric_id) for line in RUBRIC if line.rubric_id != "tests"]
    story.submit("a")
    story.start("review", "a")
    story.finish("review", {"verdict": "FAIL", "next_step": next_step, "criteria": entries})


def test_long_texts_come_back_cut_to_their_caps_and_every_cut_is_told(story: Story) -> None:
    long = "x" * 5000
    _told(story, reason=long, evidence=long, next_step=long)
    seen = story.see()
    assert len(seen.text) <= 2400
    assert seen.items[0]["reason"] == seen.items[0]["evidence"] == "x" * (REASON_CAP - 1) + "…"
    assert seen.block["next_step"] == "x" * (NEXT_STEP_CAP - 1) + "…"
    assert seen.block["truncated_fields"] == ["next_step", "0.reason", "0.evidence"]


def test_a_text_at_its_cap_is_whole_and_one_character_more_is_not(story: Story) -> None:
    _told(story, reason="字" * REASON_CAP, evidence="字" * (REASON_CAP + 1))
    seen = story.see()
    assert seen.items[0]["reason"] == "字" * REASON_CAP
    assert seen.block["truncated_fields"] == ["0.evidence"]


def test_a_cut_never_splits_what_a_reader_sees_as_one_character(story: Story) -> None:
    _told(story, reason=FAMILY * 40, evidence="e\u0301" * 100, next_step="a" + FAMILY * 40)
    seen = story.see()
    assert seen.items[0]["reason"] == FAMILY * 17 + "…"
    assert seen.items[0]["evidence"] == "e\u0301" * 59 + "…"
    assert seen.block["next_step"] == "a" + FAMILY * 22 + "…"


def test_no_text_can_close_hide_or_turn_the_block(story: Story) -> None:
    _told(story, reason=f"seen {HOSTILE}", evidence=HOSTILE, next_step=HOSTILE)
    seen = story.see()
    assert seen.text.count("</tutorloop-feedback>") == 1 and seen.text.endswith("\n</tutorloop-feedback>")
    assert not set(seen.text) & set("\x00\u202e\u2066\u200b\u2028\u2029\U000e0041")
    assert "</tutorloop-feedback>" in str(seen.items[0]["reason"])


def test_of_more_open_items_than_a_block_shows_the_rest_is_counted(story: Story) -> None:
    long_ids = [f"{letter * 63}{number}" for number, letter in enumerate("fedcba")]
    story.rules(replace(V1, rubric="many"), tuple(criterion(one, text="字" * 200) for one in long_ids))
    story.submit("a")
    story.review("review", "a", **dict.fromkeys(long_ids, "NEED_REVIEW") | {long_ids[0]: "FAIL"})
    seen = story.see()
    assert seen.open == [long_ids[0], *sorted(long_ids[1:])[: ITEM_LIMIT - 1]]
    assert (seen.block["total_items"], seen.block["omitted_count"]) == (6, 2)
    assert {len(str(item["criterion"])) for item in seen.items} == {CRITERION_CAP}


def test_the_next_step_gives_way_before_the_item_does(story: Story) -> None:
    _told(story, reason="why", next_step="z" * 400)
    with_step = len(story.see().text)
    seen = story.see(limit=with_step - 130)
    assert seen.open == ["tests"] and seen.items[0]["reason"] == "why"
    assert seen.block["next_step"] is None and seen.block["truncated_fields"] == ["next_step"]


def test_a_block_without_room_for_its_metadata_blames_nobody(story: Story) -> None:
    _told(story, reason="why")
    seen = story.see(limit=130)
    assert seen.block == {"schema": "tutorloop.feedback/1", "state": "invalid", "problem": "context_budget_exceeded"}
