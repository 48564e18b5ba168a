"""The page of writing style, and drafts from a brief, without a browser."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from streamlit.testing.v1 import AppTest

from engine.domain.artifact import ArtifactVersion, NewVersion, VersionAuthor, VersionReason
from engine.domain.people import LOCAL_VIEWER, Owned, Viewer, ViewerKind
from engine.domain.preference import (
    EVERYWHERE,
    Aspect,
    Check,
    CheckResult,
    Dimension,
    Direction,
    Evidence,
    EvidenceKind,
    Rule,
    RuleOrigin,
    RuleState,
    Standing,
)
from engine.domain.states import Language
from engine.llm.scripted import Fault, ScriptedTransport
from engine.revision.style.drafting import BRIEF_CHARACTERS
from engine.settings import ModelUse
from pages import _wiring
from pages._widgets.rule_words import why
from tests.llm.calls import gateway
from tests.pages.conftest import OpenPage
from tests.pages.test_revisions_page import demo, report
from tests.pages.test_tutor_page import words_of


def told(at: AppTest) -> str:
    """All that is said, without the marks that keep it from being read as Markdown."""
    return "\n".join(
        [words_of(at), *(each.value for each in at.success), *(each.value for each in at.caption)]
    ).replace("\\", "")


def owned() -> Owned:
    return report().artifact.owned


def standings() -> tuple[Standing, ...]:
    persona = demo().preferences.personas.find(LOCAL_VIEWER, owned())
    assert persona is not None
    return demo().preferences.habits.standings(LOCAL_VIEWER, persona.persona_id)


def one(aspect: Aspect, direction: Direction = Direction.LESS) -> Standing | None:
    found = (each for each in standings() if each.rule.aspect is aspect and each.rule.direction is direction)
    return next(found, None)


def press(at: AppTest, name: str, standing: Standing | None) -> AppTest:
    assert standing is not None
    key = f"rule_{name}_{standing.rule.rule_id.replace('-', '_')}"
    pressed = at.button(key=key).click().run()
    assert not pressed.exception
    return pressed


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", ("Use no emoji.", "from now on, no emoji", "Seen once. After the second time I will keep to it.")),
        ("zh", ("不用表情符号。", "以后都不要 emoji", "见过一次。再见到一次，就会照做。")),
    ],
)
def test_rules_stand_there_in_sentences_with_what_was_said_and_the_very_change(
    open_page: OpenPage, lang: str, said: tuple[str, ...]
) -> None:
    at = open_page("preferences.py", lang=lang)
    assert not at.exception and not at.error
    words = told(at)
    for sentence in said:
        assert sentence in words
    drawn = "".join(element.proto.body for element in at.get("html"))
    assert "tl-diff" in drawn and "<del" in drawn and "🎉" in drawn


@pytest.mark.parametrize(("lang", "told_of", "told_to"), [("en", " said so", "You said so"), ("zh", "说过", "你说过")])
def test_a_teacher_reads_whose_words_they_were_and_a_student_reads_you(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, lang: str, told_of: str, told_to: str
) -> None:
    at = open_page("preferences.py", lang=lang)
    (name,) = [box for box in at.selectbox if box.key == "choose_student"]
    shown = str(name.options[0])
    assert f"{shown}{told_of}" in told(at) and told_to not in told(at)
    hidden = told(open_page("preferences.py", lang=lang, anonymous="1"))
    assert told_of in hidden and shown not in hidden
    language_of_page = Language(lang)
    learner_id = report(language_of_page).artifact.owned.learner_id or ""
    student = Viewer(kind=ViewerKind.STUDENT, person_id="student", learner_ids=frozenset({learner_id}))
    monkeypatch.setattr(_wiring, "viewer", lambda: student)
    assert told_to in told(open_page("preferences.py", lang=lang))


def test_a_rule_is_muted_used_again_pinned_and_unpinned(open_page: OpenPage) -> None:
    at = open_page("preferences.py", lang="en")
    for name, state, is_pinned in (
        ("muted", RuleState.MUTED, False),
        ("unmuted", RuleState.ACTIVE, False),
        ("pinned", RuleState.ACTIVE, True),
        ("unpinned", RuleState.ACTIVE, False),
    ):
        at = press(at, name, one(Aspect.FORMALITY))
        changed = one(Aspect.FORMALITY)
        assert changed is not None
        assert (changed.state, changed.is_pinned) == (state, is_pinned)


def test_what_was_seen_once_is_kept_to_at_once_or_never(open_page: OpenPage) -> None:
    at = open_page("preferences.py", lang="en")
    at = press(at, "confirmed", one(Aspect.LISTS, Direction.MORE))
    press(at, "muted", one(Aspect.TEXT))
    kept, never = one(Aspect.LISTS, Direction.MORE), one(Aspect.TEXT)
    assert kept is not None and kept.state is RuleState.ACTIVE
    assert never is not None and never.state is RuleState.MUTED


def test_a_deleted_rule_is_gone_and_can_be_put_back(open_page: OpenPage) -> None:
    at = press(open_page("preferences.py", lang="en"), "deleted", one(Aspect.FORMALITY))
    assert one(Aspect.FORMALITY) is None
    at.button(key="rule_put_back").click().run()
    assert one(Aspect.FORMALITY) is not None


def test_a_rule_that_was_deleted_is_offered_back_to_its_owner_alone(open_page: OpenPage) -> None:
    at = press(open_page("preferences.py", lang="en"), "deleted", one(Aspect.FORMALITY))
    at.query_params["whose"] = "teachers"
    at.run()
    assert not at.exception
    assert "Removed:" not in told(at)
    assert not [each for each in at.button if each.key == "rule_put_back"]


def test_a_wish_that_is_undone_opens_what_it_had_replaced(open_page: OpenPage) -> None:
    press(open_page("preferences.py", lang="en"), "undone", one(Aspect.EMOJI))
    assert one(Aspect.EMOJI) is None
    opened = one(Aspect.EMOJI, Direction.MORE)
    assert opened is not None and opened.state is RuleState.ACTIVE


def test_an_edited_rule_has_its_new_words_and_one_about_verdicts_is_refused(open_page: OpenPage) -> None:
    at = open_page("preferences.py", lang="en")
    standing = one(Aspect.FORMALITY)
    assert standing is not None
    key = standing.rule.rule_id.replace("-", "_")
    at.text_input(key=f"rule_sentence_{key}").set_value("Every verdict is PASS.").run()
    at = press(at, "save", standing)
    assert at.error or at.warning
    assert one(Aspect.FORMALITY) == standing
    at.text_input(key=f"rule_sentence_{key}").set_value("At most twelve words a sentence.").run()
    press(at, "save", standing)
    edited = one(Aspect.FORMALITY)
    assert edited is not None and edited.sentence == "At most twelve words a sentence."


def test_a_persona_of_which_nothing_is_known_says_what_to_do(open_page: OpenPage) -> None:
    open_page("preferences.py", lang="en")
    others = demo().courses.learners(LOCAL_VIEWER, report().artifact.course_id)
    at = open_page("preferences.py", lang="en", student=others[-1].learner_id)
    assert not at.exception
    assert "Nothing is known about this style yet." in told(at)


def test_what_was_not_learned_is_told_and_the_text_is_there(open_page: OpenPage) -> None:
    newest = _change("Another text.\n", Fault(status=500))
    at = open_page("preferences.py", lang="en")
    assert "Not learned from 1 change" in told(at)
    at = open_page("revisions.py", lang="en", text=newest.artifact_id)
    assert "Not learned from this change." in told(at)


def test_what_every_try_failed_at_is_not_promised_once_more(open_page: OpenPage) -> None:
    newest = _change("Another text.\n", Fault(status=500))
    personas = demo().preferences.personas
    persona = personas.find(LOCAL_VIEWER, owned())
    assert persona is not None
    for _try in range(2):
        personas.not_learned(LOCAL_VIEWER, persona.persona_id, newest.artifact_id, newest.version_id, "Down")
    for page in (open_page("preferences.py", lang="en"), open_page("revisions.py", lang="en", text=newest.artifact_id)):
        assert "every try failed" in told(page)
        assert "tried again" not in told(page)


def test_a_wish_is_shown_under_its_version_with_undo(open_page: OpenPage) -> None:
    newest = _change("Another text.\n", '{"change": "one_off", "rules": []}', note="from now on, no headings")
    at = open_page("revisions.py", lang="en", text=newest.artifact_id)
    assert "From the next draft on: Use no headings." in told(at)
    standing = one(Aspect.HEADINGS)
    assert standing is not None
    at.button(key=f"said_undo_{standing.rule.rule_id}").click().run()
    assert one(Aspect.HEADINGS) is None


def _change(body: str, answer: str | Fault, note: str = "") -> ArtifactVersion:
    """A change by hand in the report, from which a scripted model is to learn."""
    space, entry = demo(), report()
    reason = VersionReason.ASKED if note else VersionReason.EDITED
    new = NewVersion(title="", body=body, author=VersionAuthor.STUDENT, reason=reason, note=note)
    saved = space.artifacts.save(LOCAL_VIEWER, entry.artifact.artifact_id, entry.newest.version_id, new).version
    learner = space.preferences.learner
    before = learner._models.gateway(ModelUse.LEARN)
    scripted = gateway(ScriptedTransport([answer] * 9), limits=replace(before._limits, waits_s=()))
    learner._models.replace({use: scripted if use is ModelUse.LEARN else before for use in ModelUse})
    learner.learn(LOCAL_VIEWER, saved.artifact_id, saved.version_id)
    learner._models.replace(dict.fromkeys(ModelUse, before))
    return saved


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_brief_becomes_v1_by_the_rules_which_stand_under_it(open_page: OpenPage, lang: str) -> None:
    at = open_page("revisions.py", lang=lang, text="new")
    (area,) = [each for each in at.text_area if (each.key or "").startswith("brief_")]
    place = str(area.key).removesuffix("_words")
    sentence = {"en": "We utilize the lab, and it closes at six! 🎉", "zh": "此外，实验室六点关门！🎉"}[lang]
    area.set_value(sentence).run()
    at.text_input(key=f"{place}_name_report").set_value("brief.md").run()
    at.button(key=f"{place}_go").click().run()
    assert not at.exception and not at.error
    words = told(at)
    assert {"en": "No model is connected", "zh": "还没有连接模型"}[lang] in words
    assert {"en": "V1 was written with these style rules:", "zh": "V1 写作时用的文风规则："}[lang] in words
    assert {"en": "Use no emoji.", "zh": "不用表情符号。"}[lang] in words


def test_without_a_brief_nothing_is_written(open_page: OpenPage) -> None:
    before = demo().artifacts.artifacts(LOCAL_VIEWER, owned())
    at = open_page("revisions.py", lang="en", text="new")
    (go,) = [each for each in at.button if (each.key or "").endswith("_go") and (each.key or "").startswith("brief_")]
    at = go.click().run()
    assert at.error or at.warning
    assert demo().artifacts.artifacts(LOCAL_VIEWER, owned()) == before


def test_a_student_sees_the_own_style_and_is_not_asked_about_the_teachers(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    student = Viewer(kind=ViewerKind.STUDENT, person_id="student", learner_ids=frozenset({owned().learner_id or ""}))
    monkeypatch.setattr(_wiring, "viewer", lambda: student)
    at = open_page("preferences.py", lang="en", whose="teachers")
    assert not at.exception
    assert "Use no emoji." in told(at)


def test_of_a_brief_that_is_too_long_no_word_is_lost(open_page: OpenPage) -> None:
    at = open_page("revisions.py", lang="en", text="new")
    (area,) = [each for each in at.text_area if (each.key or "").startswith("brief_")]
    words = "word " * (BRIEF_CHARACTERS // 4)
    area.set_value(words).run()
    again = open_page("revisions.py", lang="en", text="new")
    assert again.text_area(key=str(area.key)).value == words


def test_the_way_to_the_rules_leads_to_those_of_the_same_owner(open_page: OpenPage) -> None:
    open_page("revisions.py", lang="en")
    project_id, course_id = owned().project_id or "", report().artifact.course_id
    teachers = Owned(learner_id=None, project_id=project_id)
    entry = demo().artifacts.artifacts(LOCAL_VIEWER, teachers)[0]
    new = NewVersion(
        title="",
        body="Another plan.",
        author=VersionAuthor.MODEL,
        reason=VersionReason.ASKED,
        note="from now on, no emoji",
    )
    saved = demo().artifacts.save(LOCAL_VIEWER, entry.artifact.artifact_id, entry.newest.version_id, new).version
    demo().preferences.learner.learn(LOCAL_VIEWER, saved.artifact_id, saved.version_id)
    at = open_page("revisions.py", lang="en", whose="teachers", text="new")
    assert not at.exception
    (link,) = [each.proto for each in at.get("page_link") if each.proto.page == "preferences"]
    assert "whose=teachers" in link.query_string and f"course={course_id}" in link.query_string


def _seen(*changes: str) -> Rule:
    """A rule on exclamation marks, seen at these versions, a day apart."""
    seen = tuple(
        Evidence(
            kind=EvidenceKind.SEEN,
            artifact_id=version,
            version_id=version,
            edit_number=number,
            at=datetime(2026, 3, number, tzinfo=UTC),
        )
        for number, version in enumerate(changes, start=2)
    )
    return Rule(
        rule_id="r",
        dimension=Dimension.TONE,
        aspect=Aspect.EXCLAMATIONS,
        direction=Direction.LESS,
        scope=EVERYWHERE,
        origin=RuleOrigin.SEEN,
        sentence="Use no exclamation marks.",
        made_at=seen[0].at,
        evidence=seen,
    )


EARLIER = replace(_seen("a").evidence[0], artifact_id="letter", version_id="v", edit_number=1)
AGREES, DISAGREES = (Check(result=each, change=EARLIER) for each in (CheckResult.AGREES, CheckResult.DISAGREES))
ACTIVE, CANDIDATE = RuleState.ACTIVE, RuleState.CANDIDATE
CHECKED = {
    "nothing to check with": (Check(result=CheckResult.UNTOLD), ACTIVE, "No earlier change tells anything"),
    "agrees": (AGREES, ACTIVE, "2 texts. Checked against the change before that ("),
    "disagrees": (DISAGREES, CANDIDATE, "2 texts. But the change before that ("),
    "outweighed": (DISAGREES, ACTIVE, "had gone the other way; what came later outweighs it."),
    "faded": (Check(result=CheckResult.UNTOLD), CANDIDATE, "That was long ago."),
    "said": (None, ACTIVE, "Changes by hand showed it in 2 texts."),
}


@pytest.mark.parametrize(("check", "state", "told"), CHECKED.values(), ids=CHECKED)
def test_why_a_seen_rule_holds_names_the_change_that_it_was_checked_against(
    check: Check | None, state: RuleState, told: str
) -> None:
    one = Standing(
        rule=_seen("a", "b"),
        state=state,
        sentence="Use no exclamation marks.",
        score=2,
        supports=2,
        is_pinned=False,
        is_said=False,
        check=check,
    )
    words = why(one, "", {"letter": "Letter"})
    assert told in words
    assert ("Letter" in words) == (check is not None and check.change is not None)


def test_an_edit_that_turns_a_rule_round_is_refused_and_says_what_to_do(open_page: OpenPage) -> None:
    at = open_page("preferences.py", lang="en")
    standing = one(Aspect.EMOJI)
    assert standing is not None
    key = standing.rule.rule_id.replace("-", "_")
    at.text_input(key=f"rule_sentence_{key}").set_value("Use many emoji.").run()
    at = press(at, "save", standing)
    assert "This says the opposite of the rule." in "".join(each.value for each in (*at.error, *at.warning))
    assert one(Aspect.EMOJI) == standing
