"""The page of revisions without a browser: versions, editing, conflicts, restoring, handing in, and links."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from engine.domain.artifact import ArtifactEntry, ArtifactKind, NewVersion, VersionAuthor, VersionLine, VersionReason
from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER, Owned, Viewer, ViewerKind
from engine.domain.states import Language
from engine.scenarios.demo_chains import PLAN, REPORT
from engine.wiring import Space
from pages import _wiring
from tests.pages.conftest import OpenPage
from tests.pages.test_tutor_page import words_of


def demo() -> Space:
    return _wiring.workbench().demo


def report(language: Language = Language.EN) -> ArtifactEntry:
    """The report of the demo's first student, for the task that the page begins with."""
    space = demo()
    course = next(one for one in space.courses.courses(LOCAL_VIEWER) if one.language is language)
    learner = space.courses.learners(LOCAL_VIEWER, course.course_id)[0]
    owned = Owned(learner_id=learner.learner_id, project_id=course.projects[0].project_id)
    found = space.artifacts.artifacts(LOCAL_VIEWER, owned)
    return next(one for one in found if one.artifact.file_name == REPORT)


def lines() -> tuple[VersionLine, ...]:
    return demo().artifacts.versions(LOCAL_VIEWER, report().artifact.artifact_id)


def key_of_report() -> FeedbackKey:
    artifact = report().artifact
    assert artifact.owned.learner_id and artifact.owned.project_id and artifact.task_id
    return FeedbackKey(
        learner_id=artifact.owned.learner_id, project_id=artifact.owned.project_id, task_id=artifact.task_id
    )


def save_elsewhere(body: str) -> None:
    """What another tab saves meanwhile, from the newest version."""
    newest = lines()[-1]
    new = NewVersion(title=newest.title, body=body, author=VersionAuthor.STUDENT, reason=VersionReason.EDITED, note="")
    demo().artifacts.save(LOCAL_VIEWER, newest.artifact_id, newest.version_id, new)


def edit(at: AppTest, body: str) -> AppTest:
    """Open the editor on the newest version, and type."""
    at.button(key="version_edit").click().run()
    (area,) = [one for one in at.text_area if (one.key or "").startswith("edit_body_")]
    return area.set_value(body).run()


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_newest_version_is_shown_beside_the_one_it_was_made_from(open_page: OpenPage, lang: str) -> None:
    at = open_page("revisions.py", lang=lang)
    assert not at.exception and not at.error
    versions = [box.value for box in at.selectbox if (box.key or "").startswith("version_")]
    assert versions == [5, 6]
    assert at.button(key="version_restore").label == {"zh": "把 V5 恢复成 V7", "en": "Restore V5 as V7"}[lang]


def test_a_version_that_was_handed_in_tells_its_submission_and_what_changed(open_page: OpenPage) -> None:
    at = open_page("revisions.py", lang="en", new="4")
    said = words_of(at)
    assert "1 to fix" in said
    assert "since submission 1:" in said
    assert "Fixed" in said


def test_what_is_typed_is_a_draft_and_saving_makes_the_next_version(open_page: OpenPage) -> None:
    at = edit(open_page("revisions.py", lang="en"), "Written by hand.")
    newest = lines()[-1]
    (draft,) = demo().version_drafts.drafts(LOCAL_VIEWER, newest.artifact_id)
    assert (draft.body, draft.base_id) == ("Written by hand.", newest.version_id)
    at.button(key="edit_save").click().run()
    assert "Saved as V7." in [one.value for one in at.success]
    assert (lines()[-1].number, lines()[-1].parent_id) == (7, newest.version_id)
    assert demo().version_drafts.drafts(LOCAL_VIEWER, newest.artifact_id) == ()


def test_saving_without_a_change_says_so_and_makes_no_version(open_page: OpenPage) -> None:
    at = open_page("revisions.py", lang="en")
    at.button(key="version_edit").click().run()
    at.button(key="edit_save").click().run()
    assert any("no new version" in one.value for one in at.success)
    assert lines()[-1].number == 6


def test_a_draft_that_was_put_aside_can_be_gone_on_with(open_page: OpenPage) -> None:
    at = edit(open_page("revisions.py", lang="en"), "Half a sentence")
    at.button(key="edit_close").click().run()
    (go_on,) = [one for one in at.button if (one.key or "").startswith("go_on_")]
    go_on.click().run()
    (area,) = [one for one in at.text_area if (one.key or "").startswith("edit_body_")]
    assert area.value == "Half a sentence"


def test_a_text_with_windows_line_ends_keeps_them_through_the_editor(open_page: OpenPage) -> None:
    at = open_page("revisions.py", lang="en")
    save_elsewhere("one\r\ntwo\r\n")
    at.run()
    edit(at, "one\nzwei\n").button(key="edit_save").click().run()
    assert demo().artifacts.version(LOCAL_VIEWER, lines()[-1].artifact_id, lines()[-1].version_id).body == (
        "one\r\nzwei\r\n"
    )


def conflict(open_page: OpenPage) -> AppTest:
    """A tab that saves from V6 after another one has made V7."""
    at = edit(open_page("revisions.py", lang="en"), "Mine.")
    save_elsewhere("Theirs.")
    return at.button(key="edit_save").click().run()


WAYS = {
    "mine": ("Mine.", 7),
    "branch": ("Mine.", 6),
    "theirs": ("Theirs.", 6),
}


def test_a_newer_version_is_a_conflict_in_which_nothing_is_chosen_and_nothing_is_lost(open_page: OpenPage) -> None:
    at = conflict(open_page)
    assert any("V6" in one.value and "V7" in one.value for one in at.warning)
    (ways,) = at.radio
    assert ways.value is None
    assert at.button(key="conflict_save").disabled
    assert len(lines()) == 7
    (draft,) = demo().version_drafts.drafts(LOCAL_VIEWER, lines()[0].artifact_id)
    assert draft.body == "Mine."


@pytest.mark.parametrize(("way", "body", "parent"), [(way, *told) for way, told in WAYS.items()], ids=WAYS)
def test_each_way_out_of_a_conflict_does_what_it_says(open_page: OpenPage, way: str, body: str, parent: int) -> None:
    at = conflict(open_page)
    at.radio[0].set_value(way).run()
    at.button(key="conflict_save").click().run()
    assert not at.exception
    newest = lines()[-1]
    numbers = {line.version_id: line.number for line in lines()}
    assert demo().artifacts.version(LOCAL_VIEWER, newest.artifact_id, newest.version_id).body == body
    assert numbers[newest.parent_id or ""] == parent
    assert demo().version_drafts.drafts(LOCAL_VIEWER, newest.artifact_id) == ()


def test_a_branch_out_of_a_conflict_is_learned_from_as_any_change_by_hand(open_page: OpenPage) -> None:
    at = conflict(open_page)
    at.radio[0].set_value("branch").run()
    at.button(key="conflict_save").click().run()
    newest, preferences = lines()[-1], demo().preferences
    demo().worker.wait(f"learn:{newest.version_id}", timeout_s=20)
    persona = preferences.personas.find(LOCAL_VIEWER, report().artifact.owned)
    assert persona is not None
    learned = preferences.personas.learnings(LOCAL_VIEWER, persona.persona_id)
    assert newest.version_id in {one.version_id for one in learned}


def test_a_branch_is_made_when_it_is_asked_for_and_is_no_conflict(open_page: OpenPage) -> None:
    at = open_page("revisions.py", lang="en", old="1", new="3")
    at.button(key="version_branch").click().run()
    (area,) = [one for one in at.text_area if (one.key or "").startswith("edit_body_")]
    area.set_value("On a way of its own.").run()
    at.button(key="edit_save").click().run()
    assert not at.exception
    assert (lines()[-1].number, lines()[-1].parent_id) == (7, lines()[2].version_id)


def test_restoring_says_that_nothing_was_removed(open_page: OpenPage) -> None:
    at = open_page("revisions.py", lang="en", old="1", new="2")
    at.button(key="version_restore").click().run()
    assert "V2 is restored as V7. Nothing was removed." in [one.value for one in at.success]
    assert len(lines()) == 7


def test_handing_in_takes_the_other_files_along_and_links_both_ways(open_page: OpenPage) -> None:
    open_page("revisions.py", lang="en")
    newest, desk = lines()[-1], demo().version_desk
    prepared = desk.prepare(LOCAL_VIEWER, newest.artifact_id, newest.version_id)
    handed_in = desk.hand_in(LOCAL_VIEWER, prepared, demo().worker).submission
    again = desk.hand_in(LOCAL_VIEWER, prepared, demo().worker).submission
    assert (handed_in.submission_seq, again) == (3, handed_in)
    paths = [file.path for file in demo().work.files(LOCAL_VIEWER, handed_in.submission_id)]
    assert {REPORT, "shop/auth.py", "tests/test_login.py", "report.xml"} <= set(paths)
    (source,) = demo().artifacts.sources(LOCAL_VIEWER, (handed_in.submission_id,))
    assert (source.version_id, source.number) == (newest.version_id, 6)


def test_the_card_of_a_submission_links_to_its_version(open_page: OpenPage) -> None:
    at = open_page("tutor.py", lang="en")
    (link,) = [one.proto for one in at.get("page_link") if "from V4" in one.proto.label]
    assert (link.label, link.page) == ("from V4 of Report on the login", "revisions")
    assert f"text={report().artifact.artifact_id}" in link.query_string


def test_pasting_a_first_text_makes_v1(open_page: OpenPage) -> None:
    at = open_page("revisions.py", lang="en", text="new")
    (body,) = [one for one in at.text_area if (one.key or "").startswith("begin_body_")]
    body.set_value("A first text.").run()
    (name,) = [one for one in at.text_input if (one.key or "").startswith("begin_name_")]
    name.set_value("notes.md").run()
    at.button(key="begin_paste").click().run()
    assert any(one.value.startswith("Saved as V1.") for one in at.success)
    owned = report().artifact.owned
    begun = {one.artifact.file_name: one.artifact for one in demo().artifacts.artifacts(LOCAL_VIEWER, owned)}
    persona = demo().preferences.personas.find(LOCAL_VIEWER, owned)
    assert persona is not None and begun["notes.md"].persona_id == persona.persona_id


def test_a_name_that_is_taken_is_told_and_the_words_stay(open_page: OpenPage) -> None:
    at = open_page("revisions.py", lang="en", text="new")
    (body,) = [one for one in at.text_area if (one.key or "").startswith("begin_body_")]
    body.set_value("Another text.").run()
    (name,) = [one for one in at.text_input if (one.key or "").startswith("begin_name_")]
    name.set_value(REPORT).run()
    at.button(key="begin_paste").click().run()
    assert any("already" in one.value for one in at.error)
    assert [one.value for one in at.text_area if (one.key or "").startswith("begin_body_")] == ["Another text."]


def test_a_file_of_the_newest_submission_becomes_v1(open_page: OpenPage) -> None:
    at = open_page("revisions.py", lang="en", text="new")
    (files,) = [one for one in at.selectbox if (one.key or "").startswith("begin_file_")]
    files.set_value("shop/auth.py").run()
    at.button(key="begin_handed_in").click().run()
    (entry,) = [
        one
        for one in demo().artifacts.artifacts(LOCAL_VIEWER, report().artifact.owned)
        if one.artifact.file_name == "shop/auth.py"
    ]
    assert (entry.artifact.kind, entry.newest.author) == (ArtifactKind.CODE, VersionAuthor.IMPORT)
    assert entry.artifact.begun_from is not None


def test_the_teachers_texts_are_a_choice_of_their_own(open_page: OpenPage) -> None:
    at = open_page("revisions.py", lang="en", whose="teachers")
    assert not at.exception
    (chosen,) = [box for box in at.selectbox if (box.key or "").startswith("text_which")]
    assert PLAN in chosen.options[0]
    assert not [one for one in at.button if one.key == "version_hand_in_now"]


def test_a_student_has_no_choice_of_the_teachers_texts(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    open_page("revisions.py", lang="en")
    learner_id = report().artifact.owned.learner_id or ""
    student = Viewer(kind=ViewerKind.STUDENT, person_id="maya", learner_ids=frozenset({learner_id}))
    monkeypatch.setattr(_wiring, "viewer", lambda: student)
    at = open_page("revisions.py", lang="en", whose="teachers")
    assert not at.exception and not at.error
    assert not [one for one in at.get("button_group") if "whose" in str(one.proto.id)]
    (chosen,) = [box for box in at.selectbox if (box.key or "").startswith("text_which")]
    assert REPORT in chosen.options[0]


def test_an_address_that_names_a_text_shows_it_whichever_task_is_chosen(open_page: OpenPage) -> None:
    at = open_page("revisions.py", lang="en")
    at.query_params["text"] = report().artifact.artifact_id
    at.query_params["task"] = f"{key_of_report().project_id}/setup"
    at.run()
    assert "Report on the login" in words_of(at)
    del at.query_params["text"]
    assert "Report on the login" not in words_of(at.run())


def test_an_address_that_names_what_is_not_there_shows_the_newest(open_page: OpenPage) -> None:
    at = open_page("revisions.py", lang="en", text="nothing", old="99", new="x", edit="7", draft="gone", conflict="1")
    assert not at.exception and not at.error
    versions = [box.value for box in at.selectbox if (box.key or "").startswith("version_")]
    assert versions == [5, 6]


def test_no_word_of_a_hostile_title_becomes_markup(open_page: OpenPage) -> None:
    at = open_page("revisions.py", lang="en")
    newest = lines()[-1]
    hostile = "<img src=x onerror=alert(1)> **bold** :red[x]"
    new = NewVersion(title=hostile, body="x", author=VersionAuthor.STUDENT, reason=VersionReason.EDITED, note=hostile)
    demo().artifacts.save(LOCAL_VIEWER, newest.artifact_id, newest.version_id, new)
    at.run()
    drawn = "\n".join(one.value for one in at.markdown)
    assert not re.search(r"(?<!\\)<img|(?<!\\):red\[x", drawn)


def test_no_word_of_a_hostile_name_becomes_markup(open_page: OpenPage) -> None:
    open_page("revisions.py", lang="en")
    owned = report().artifact.owned
    course_id = report().artifact.course_id
    learner = demo().courses.add_learner(LOCAL_VIEWER, "![x](http://x.example/y.png)", course_id=course_id)
    at = open_page(
        "revisions.py", lang="en", student=learner.learner_id, task=f"{owned.project_id}/{report().artifact.task_id}"
    )
    assert not at.exception
    (whose,) = [one for one in at.get("button_group") if "text_whose" in str(one.proto.id)]
    assert "![x]" not in str(whose.proto.options[0].content)


def test_an_address_of_a_text_that_is_not_here_says_so_and_opens_no_editor_on_another(open_page: OpenPage) -> None:
    at = open_page("revisions.py", lang="en", text="gone", edit="1", draft="d1", old="2")
    assert [one.value for one in at.info if "not among these" in one.value]
    assert at.query_params["text"] == report().artifact.artifact_id
    assert not {"edit", "draft", "old"} & set(at.query_params)
    assert not [area for area in at.text_area if (area.key or "").startswith("edit_body_")]
    assert not at.exception and not at.error
