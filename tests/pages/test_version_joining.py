"""The page of a conflict joins two texts: what merged is in, each clash waits, and what is typed is never lost."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from engine.domain.artifact import ArtifactKind, ArtifactVersion, NewVersion, VersionAuthor, VersionDraft, VersionReason
from engine.domain.people import LOCAL_VIEWER
from tests.pages.conftest import OpenPage
from tests.pages.test_revisions_page import demo, lines, report, save_elsewhere

BASE = "Red one.\n\nGreen two.\n\nBlue three.\n\nFour words.\n"
MINE = "Red 1.\n\nGrass two.\n\nBlue three.\n\nFour words.\n"
THEIRS = "Red one.\n\nMoss two.\n\nBlue three.\n\nFour terms.\n"
MERGED = "Red 1.\n\nMoss two.\n\nBlue three.\n\nFour terms.\n"


def conflict(
    open_page: OpenPage,
    mine: str = MINE,
    theirs: str = THEIRS,
    title: str | None = None,
    my_title: str | None = None,
) -> AppTest:
    """V7 is the base, V8 theirs, each side with its title; the way of joining is chosen."""
    save_elsewhere(BASE)
    base = lines()[-1]
    demo().version_drafts.keep(
        LOCAL_VIEWER, base.artifact_id, "tab", base.version_id, title=my_title or base.title, body=mine, is_branch=False
    )
    new = NewVersion(
        title=title or base.title, body=theirs, author=VersionAuthor.STUDENT, reason=VersionReason.EDITED, note=""
    )
    demo().artifacts.save(LOCAL_VIEWER, base.artifact_id, base.version_id, new)
    return joining(open_page)


def joining(open_page: OpenPage) -> AppTest:
    """As a tab finds it that has just come to this address."""
    at = open_page("revisions.py", lang="en", edit="7", draft="tab", conflict="1")
    return at.radio[0].set_value("together").run()


def text(at: AppTest) -> str:
    (area,) = [one for one in at.text_area if (one.key or "").startswith("conflict_text_")]
    return str(area.value)


def type_in(at: AppTest, words: str) -> AppTest:
    (area,) = [one for one in at.text_area if (one.key or "").startswith("conflict_text_")]
    return area.set_value(words).run()


def press(at: AppTest, key: str) -> AppTest:
    return at.button(key=key).click().run()


def keys(at: AppTest) -> set[str]:
    return {one.key or "" for one in at.button}


def joined_draft() -> VersionDraft:
    (draft,) = [one for one in demo().version_drafts.drafts(LOCAL_VIEWER, lines()[0].artifact_id) if one.choices]
    return draft


def newest() -> ArtifactVersion:
    return demo().artifacts.version(LOCAL_VIEWER, lines()[-1].artifact_id, lines()[-1].version_id)


def test_what_merges_by_itself_is_in_and_a_clash_waits_with_both_wordings(open_page: OpenPage) -> None:
    at = conflict(open_page)
    assert not at.exception and text(at) == MERGED
    said = " ".join(one.value for one in at.info)
    told = ("1 change of yours is in.", "1 change of theirs is in.", "1 place was changed by both")
    assert all(each in said for each in told)
    shown = " ".join(str(one.proto.body) for one in at.get("html"))
    assert "Grass" in shown and "Moss" in shown
    assert at.button(key="conflict_save").disabled


CHOICES = {
    "yours": MERGED.replace("Moss", "Grass"),
    "both": MERGED.replace("Moss", "Grass Moss"),
    "by_hand": MERGED,
}


@pytest.mark.parametrize(("choice", "said"), [(one, CHOICES[one]) for one in ("yours", "by_hand")])
def test_a_choice_goes_into_the_text_and_lets_it_be_saved(open_page: OpenPage, choice: str, said: str) -> None:
    at = press(conflict(open_page), f"clash_0_{choice}")
    assert text(at) == said
    press(at, "conflict_save")
    assert (newest().body, newest().reason, newest().note) == (said, VersionReason.JOINED, "V7 + V8")
    assert newest().parent_id == lines()[-2].version_id
    assert any("both texts together, following V8" in one.value for one in at.success)
    assert demo().version_drafts.drafts(LOCAL_VIEWER, newest().artifact_id) == ()


def test_what_is_typed_elsewhere_stays_when_a_choice_is_made_and_after_a_reload(open_page: OpenPage) -> None:
    at = type_in(conflict(open_page), MERGED.replace("Blue three", "Blue, typed"))
    assert joined_draft().body == text(at)
    press(at, "clash_0_both")
    assert text(at) == CHOICES["both"].replace("Blue three", "Blue, typed")
    again = joining(open_page)
    assert text(again) == text(at)
    press(again, "clash_0_yours")
    assert text(again) == CHOICES["yours"].replace("Blue three", "Blue, typed")
    assert not again.button(key="conflict_save").disabled


def typed_in_the_place(open_page: OpenPage) -> AppTest:
    at = type_in(conflict(open_page), MERGED.replace("Moss", "Fern"))
    return press(at, "clash_0_yours")


def test_what_is_typed_in_the_very_place_is_asked_about_before_a_choice_replaces_it(open_page: OpenPage) -> None:
    at = typed_in_the_place(open_page)
    assert "Fern" in text(at)
    assert any("You typed in this very place" in one.value for one in at.warning)
    assert text(press(at, "conflict_replace")) == CHOICES["yours"]
    assert "conflict_replace" not in keys(at)


def test_what_is_typed_in_the_very_place_can_be_the_choice(open_page: OpenPage) -> None:
    at = press(typed_in_the_place(open_page), "conflict_leave")
    assert "Fern" in text(at) and "conflict_leave" not in keys(at)
    press(at, "conflict_save")
    assert newest().body == MERGED.replace("Moss", "Fern")


def test_all_places_that_wait_take_one_choice(open_page: OpenPage) -> None:
    at = conflict(open_page, mine=MINE.replace("Blue", "Azure"), theirs=THEIRS.replace("Blue", "Sky"))
    press(at, "clash_rest_yours")
    assert text(at) == MERGED.replace("Moss", "Grass").replace("Blue", "Azure")
    assert not at.button(key="conflict_save").disabled


def test_a_version_that_comes_meanwhile_is_taken_in_before_anything_is_saved(open_page: OpenPage) -> None:
    at = press(conflict(open_page), "clash_0_yours")
    type_in(at, text(at).replace("Blue three", "Blue, typed"))
    save_elsewhere(THEIRS.replace("Four terms", "Five terms"))
    press(at, "conflict_save")
    assert newest().number == 9 and newest().body.endswith("Five terms.\n")
    assert any("take the newer words in before you save" in one.value for one in at.warning)
    press(at, "conflict_anew")
    assert text(at) == "Red 1.\n\nGrass two.\n\nBlue, typed.\n\nFive terms.\n"
    press(at, "conflict_save")
    assert (newest().number, newest().note) == (10, "V7 + V9")


def test_a_text_of_mine_that_changed_again_is_joined_anew_only_when_that_is_wanted(open_page: OpenPage) -> None:
    at = press(conflict(open_page), "clash_0_yours")
    press(at, "conflict_back")
    (area,) = [one for one in at.text_area if (one.key or "").startswith("edit_body_")]
    area.set_value(MINE.replace("Red 1", "Red 2")).run()
    press(at, "edit_save")
    at.radio[0].set_value("together").run()
    assert text(at) == CHOICES["yours"] and at.button(key="conflict_save").disabled
    press(press(at, "conflict_anew"), "conflict_replace")
    assert text(at) == MERGED.replace("Red 1", "Red 2")


def test_line_ends_and_a_title_that_only_theirs_changed_are_theirs(open_page: OpenPage) -> None:
    at = conflict(open_page, theirs=THEIRS.replace("\n", "\r\n"), title="Their title")
    assert text(at) == MERGED
    press(press(at, "clash_0_yours"), "conflict_save")
    assert newest().body == CHOICES["yours"].replace("\n", "\r\n")
    assert newest().title == "Their title"


def test_both_wordings_of_a_line_of_code_are_two_lines(open_page: OpenPage) -> None:
    artifact = report().artifact
    new = NewVersion(title="Code", body="x = 0\ny = 0\n", author=VersionAuthor.STUDENT, reason=VersionReason.FIRST)
    _artifact, first = demo().artifacts.begin(
        LOCAL_VIEWER, artifact.owned, new, kind=ArtifactKind.CODE, file_name="of_two.py"
    )
    mine, theirs = replace(new, body="x = 1\ny = 0\n"), replace(new, body="x = 2\ny = 1\n")
    demo().version_drafts.keep(
        LOCAL_VIEWER, first.artifact_id, "tab", first.version_id, title="Code", body=mine.body, is_branch=False
    )
    demo().artifacts.save(LOCAL_VIEWER, first.artifact_id, first.version_id, theirs)
    at = open_page("revisions.py", lang="en", text=first.artifact_id, edit="1", draft="tab", conflict="1")
    at.radio[0].set_value("together").run()
    assert at.button(key="clash_0_both").label == "Keep both, mine above"
    assert text(press(at, "clash_0_both")) == "x = 1\nx = 2\ny = 1\n"


def titles_clash(open_page: OpenPage) -> AppTest:
    """Nothing but the title was changed by both."""
    return conflict(open_page, mine=MINE.replace("Grass", "Green"), title="Their title", my_title="My title")


def title(at: AppTest) -> str:
    (field,) = [one for one in at.text_input if (one.key or "").startswith("conflict_title_")]
    return str(field.value)


def type_title(at: AppTest, words: str) -> AppTest:
    (field,) = [one for one in at.text_input if (one.key or "").startswith("conflict_title_")]
    return field.set_value(words).run()


def test_a_title_that_both_changed_is_a_clash_and_saving_waits_for_it(open_page: OpenPage) -> None:
    at = titles_clash(open_page)
    assert not at.exception and title(at) == "Their title"
    assert any("1 place was changed by both and waits for you" in one.value for one in at.info)
    assert at.button(key="conflict_save").disabled
    assert {one for one in keys(at) if one.startswith("clash_")} == {
        "clash_title_yours",
        "clash_title_theirs",
        "clash_title_by_hand",
    }
    shown = " ".join(str(one.proto.body) for one in at.get("html"))
    assert "My" in shown and "Their" in shown


@pytest.mark.parametrize(
    ("typed", "choice", "said"),
    [
        (None, "yours", "My title"),
        (None, "theirs", "Their title"),
        ("A third title", "by_hand", "A third title"),
    ],
)
def test_a_chosen_title_is_saved_and_kept_over_a_reload(
    open_page: OpenPage, typed: str | None, choice: str, said: str
) -> None:
    at = titles_clash(open_page)
    if typed:
        at = type_title(at, typed)
        assert at.button(key="conflict_save").disabled
    press(at, f"clash_title_{choice}")
    at = joining(open_page)
    assert title(at) == said
    press(at, "conflict_save")
    assert (newest().number, newest().title) == (9, said)


@pytest.mark.parametrize(("answer", "said"), [("replace", "My title"), ("leave", "A third title")])
def test_a_typed_title_is_asked_about_before_a_choice_replaces_it(open_page: OpenPage, answer: str, said: str) -> None:
    at = press(type_title(titles_clash(open_page), "A third title"), "clash_title_yours")
    assert title(at) == "A third title" and at.button(key="conflict_save").disabled
    press(at, f"conflict_{answer}")
    assert title(at) == said and not at.button(key="conflict_save").disabled


def test_all_that_wait_take_one_choice_and_the_title_with_them(open_page: OpenPage) -> None:
    at = press(conflict(open_page, title="Their title", my_title="My title"), "clash_rest_yours")
    assert (title(at), text(at)) == ("My title", CHOICES["yours"])
    assert not at.button(key="conflict_save").disabled


def test_a_title_that_changed_meanwhile_is_taken_in_and_a_typed_one_stays(open_page: OpenPage) -> None:
    at = press(type_title(titles_clash(open_page), "A third title"), "clash_title_by_hand")
    save_elsewhere(THEIRS.replace("Four terms", "Five terms"))
    press(at, "conflict_save")
    press(at, "conflict_anew")
    assert title(at) == "A third title" and "Five terms" in text(at)
    assert not at.button(key="conflict_save").disabled


def test_a_title_of_mine_that_changed_again_is_not_lost(open_page: OpenPage) -> None:
    at = press(press(conflict(open_page), "clash_0_yours"), "conflict_back")
    (field,) = [one for one in at.text_input if (one.key or "").startswith("edit_title_")]
    field.set_value("My title").run()
    press(at, "edit_save")
    at.radio[0].set_value("together").run()
    assert at.button(key="conflict_save").disabled
    press(press(at, "conflict_anew"), "conflict_replace")
    assert title(at) == "My title"


def test_discarding_my_text_forgets_what_was_joined_with_it(open_page: OpenPage) -> None:
    at = press(conflict(open_page), "conflict_back")
    press(at, "edit_discard")
    assert demo().version_drafts.drafts(LOCAL_VIEWER, lines()[0].artifact_id) == ()


def test_a_joined_text_that_cannot_be_saved_is_told_and_nothing_is_lost(open_page: OpenPage) -> None:
    at = type_in(press(conflict(open_page), "clash_0_yours"), " ")
    press(at, "conflict_save")
    assert any("no text" in one.value.lower() or "empty" in one.value.lower() for one in at.error)
    assert newest().number == 8
    assert text(at) == " " and {
        draft.body for draft in demo().version_drafts.drafts(LOCAL_VIEWER, newest().artifact_id)
    } == {MINE, " "}
