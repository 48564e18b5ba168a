"""What a model was given for a draft and for a lesson is shown where they are told, and what is left can be tried."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from streamlit.testing.v1 import AppTest

from engine.domain.artifact import ArtifactVersion, NewVersion, VersionAuthor, VersionReason
from engine.domain.clock import utc_now
from engine.domain.people import LOCAL_VIEWER
from engine.domain.preference import RuleUse
from engine.domain.states import Language
from engine.llm.scripted import Fault, ScriptedTransport
from engine.settings import ModelUse
from tests.llm.calls import gateway
from tests.pages.conftest import OpenPage
from tests.pages.test_preferences_page import _change, owned, told
from tests.pages.test_revisions_page import demo, report

ONE_OFF = '{"change": "one_off", "rules": []}'


def _buttons(at: AppTest, beginning: str) -> list[str]:
    return [str(each.key) for each in at.button if str(each.key).startswith(beginning)]


def _unlearned(*, ago: timedelta = timedelta(minutes=2)) -> ArtifactVersion:
    """A change by hand in the report, saved by a process that ended before anything was learned from it."""
    space, entry = demo(), report()
    new = NewVersion(title="", body="Another text! 🎉\n", author=VersionAuthor.STUDENT, reason=VersionReason.EDITED)
    clock = space.artifacts._clock
    space.artifacts._clock = lambda: utc_now() - ago
    saved = space.artifacts.save(LOCAL_VIEWER, entry.artifact.artifact_id, entry.newest.version_id, new).version
    space.artifacts._clock = clock
    return saved


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "A model was asked to write a first text by these rules of style: "),
        ("zh", "请模型按这些文风规则写初稿："),
    ],
)
def test_under_a_drafted_v1_stands_what_the_model_was_given(open_page: OpenPage, lang: str, said: str) -> None:
    open_page("revisions.py", lang=lang)
    drafted = next(
        each.artifact.artifact_id
        for each in demo().artifacts.artifacts(LOCAL_VIEWER, report(Language(lang)).artifact.owned)
        if each.newest.reason is VersionReason.BRIEF
    )
    at = open_page("revisions.py", lang=lang, text=drafted)
    (key,) = _buttons(at, "asked_draft_")
    at.button(key=key).click().run()
    assert not at.exception
    assert said in told(at)
    assert {"en": "Use no emoji.", "zh": "不用表情符号。"}[lang] in told(at)
    assert any("tutorloop-brief" in each.value for each in at.code)


def test_of_a_draft_that_failed_the_request_can_be_seen_beside_the_brief(open_page: OpenPage) -> None:
    at = open_page("revisions.py", lang="en", text="new")
    models = demo().preferences.drafter._models
    before = models.gateway(ModelUse.EDIT)
    broken = gateway(ScriptedTransport([Fault(status=500)] * 9), limits=replace(before._limits, waits_s=()))
    models.replace({use: broken if use is ModelUse.EDIT else before for use in ModelUse})
    (area,) = [each for each in at.text_area if (each.key or "").startswith("brief_")]
    area.set_value("The lab closes at six.").run()
    at.button(key=str(area.key).removesuffix("_words") + "_go").click().run()
    models.replace(dict.fromkeys(ModelUse, before))
    assert "The last request for a draft brought no text." in told(at)
    at.button(key="asked_draft_lost").click().run()
    assert not at.exception
    assert "No answer came." in told(at)
    assert any("The lab closes at six." in each.value for each in at.code)


def test_beside_a_rules_evidence_stands_what_the_model_was_given(open_page: OpenPage) -> None:
    newest = _change("Another text.\n", ONE_OFF, note="from now on, no headings")
    at = open_page("preferences.py", lang="en")
    (key,) = _buttons(at, f"asked_newest_{newest.version_id}")
    at.button(key=key).click().run()
    assert not at.exception
    assert "A model was asked what" in told(at) and "What was said about it: from now on, no headings" in told(at)
    assert ONE_OFF in [each.value for each in at.code]


@pytest.mark.parametrize(
    ("lang", "label", "learned"), [("en", "changes looked at", "Learned"), ("zh", "处改动", "学到了")]
)
def test_every_change_that_was_looked_at_is_listed_with_what_came_of_it(
    open_page: OpenPage, lang: str, label: str, learned: str
) -> None:
    open_page("preferences.py", lang=lang)
    newest = _change("Another text.\n", Fault(status=500))
    at = open_page("preferences.py", lang=lang)
    assert [each for each in at.expander if label in each.label]
    assert learned not in told(at)
    at.session_state["lessons_all"] = True
    at.run()
    assert not at.exception
    assert learned in told(at)
    if lang == "en":
        assert "Not learned" in told(at) and f"V{newest.number}" in told(at)
        assert _buttons(at, "asked_lesson_") == [f"asked_lesson_{newest.version_id}"]


def test_a_rule_names_the_versions_that_it_was_used_in_edits_too(open_page: OpenPage) -> None:
    at = open_page("preferences.py", lang="en")
    assert "Used in:" in told(at)
    uses = [use for one in _standing_uses() for use in one]
    asked = next(use for use in uses if use.reason is VersionReason.ASKED)
    links = [each.proto.label for each in at.get("page_link")]
    assert any(re.search(rf"\(.*V{asked.number}\b.*\)", label) for label in links)
    at = open_page("revisions.py", lang="en", text=asked.artifact_id, b=str(asked.number))
    assert not at.exception


def _standing_uses() -> list[tuple[RuleUse, ...]]:
    persona = demo().preferences.personas.find(LOCAL_VIEWER, owned())
    assert persona is not None
    return [one.rule.uses for one in demo().preferences.habits.standings(LOCAL_VIEWER, persona.persona_id)]


@pytest.mark.parametrize("page", ["preferences.py", "revisions.py"])
def test_a_change_that_nobody_looked_at_is_told_and_can_be_tried_at_once(open_page: OpenPage, page: str) -> None:
    open_page(page, lang="en")
    left = _unlearned()
    at = open_page(page, lang="en", text=left.artifact_id)
    assert {
        "preferences.py": "1 change was not looked at yet",
        "revisions.py": "This change was not looked at for habits of style yet.",
    }[page] in told(at)
    at.button(key="lessons_try_now").click().run()
    assert not at.exception
    assert "not looked at" not in told(at)
    assert demo().preferences.lessons.waiting(LOCAL_VIEWER, owned()) == ()


def test_of_a_change_that_was_just_saved_nothing_is_promised(open_page: OpenPage) -> None:
    open_page("preferences.py", lang="en")
    left = _unlearned(ago=timedelta(0))
    for page in ("preferences.py", "revisions.py"):
        at = open_page(page, lang="en", text=left.artifact_id)
        assert "not looked at" not in told(at)
        assert _buttons(at, "lessons_try_now") == []
