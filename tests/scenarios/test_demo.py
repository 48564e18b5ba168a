"""The demo's database: every history ends as told, whole or not at all."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from engine.demo_file import build_demo
from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER, Owned
from engine.domain.preference import RuleState
from engine.domain.session import Turn
from engine.domain.states import FeedbackState, Language, TurnState
from engine.llm.offline import offline_gateway
from engine.revision.chain import lanes_of, verify_chain
from engine.scenarios import demo
from engine.scenarios.demo_chains import HANDED_IN, PLAN, README, REPORT
from engine.scenarios.demo_histories import demo_course_text, demo_histories, demo_learners
from engine.scenarios.demo_steps import Ask, BrokenOff, DemoHistory, Opens
from engine.settings import Settings
from engine.wiring import Space, build_space

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
HISTORIES = [
    pytest.param(language, number, id=f"{language}-{history.learner_id}-{history.task_id}")
    for language in Language
    for number, history in enumerate(demo_histories(language))
]


@pytest.fixture(scope="module")
def space(demo_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Space]:
    folder = shutil.copytree(demo_folder, tmp_path_factory.mktemp("demo") / "data")
    opened = build_space(f"sqlite:///{folder / 'demo.db'}", offline_gateway(delay_s=0))
    yield opened
    opened.close()


def key_of(space: Space, language: Language, history: DemoHistory) -> FeedbackKey:
    """The key of a history, found as a page would find it: by names and the author's ids."""
    course = next(one for one in space.courses.courses(LOCAL_VIEWER) if one.language is language)
    name = next(one.name for one in demo_learners(language) if one.learner_id == history.learner_id)
    learner = next(one for one in space.courses.learners(LOCAL_VIEWER, course.course_id) if one.name == name)
    project = next(one for one in course.projects if history.task_id in {task.task_id for task in one.tasks})
    return FeedbackKey(learner_id=learner.learner_id, project_id=project.project_id, task_id=history.task_id)


@pytest.mark.parametrize(("language", "number"), HISTORIES)
def test_a_history_ends_in_its_state_with_every_question_answered(
    space: Space, language: Language, number: int
) -> None:
    history = demo_histories(language)[number]
    key = key_of(space, language, history)
    assert space.tutor.current_feedback(LOCAL_VIEWER, key).state is history.ends_in
    conversation = space.sessions.conversations(LOCAL_VIEWER, key)[0]
    entries, older = space.sessions.entries(LOCAL_VIEWER, conversation.conversation_id, last=50)
    turns = [entry for entry in entries if isinstance(entry, Turn)]
    assert older == 0
    asked = [step for step in history.steps if isinstance(step, Ask | BrokenOff | Opens)]
    wanted = [TurnState.INTERRUPTED if isinstance(step, BrokenOff) else TurnState.DONE for step in asked]
    words = ["" if isinstance(step, Opens) else step.text for step in asked]
    assert [(turn.question, turn.state) for turn in turns] == list(zip(words, wanted, strict=True))
    assert [turn.opening is not None for turn in turns] == [isinstance(step, Opens) for step in asked]
    answered = [turn for turn in turns if turn.state is TurnState.DONE]
    assert all(turn.reply and space.sessions.receipt(LOCAL_VIEWER, turn.turn_id).request for turn in answered)


@pytest.mark.parametrize("language", Language)
def test_all_seven_states_are_there_and_the_first_student_has_two_open_items(space: Space, language: Language) -> None:
    histories = demo_histories(language)
    assert {history.ends_in for history in histories} == set(FeedbackState)
    first = space.tutor.current_feedback(LOCAL_VIEWER, key_of(space, language, histories[0]))
    assert [item.status for item in first.items] == ["FAIL", "NEED_REVIEW"]


def talk(space: Space, language: Language, task_id: str) -> tuple[str, list[Turn]]:
    """The conversation of the last history of this task, and its turns."""
    history = [one for one in demo_histories(language) if one.task_id == task_id][-1]
    conversation = space.sessions.conversations(LOCAL_VIEWER, key_of(space, language, history))[0].conversation_id
    entries, _older = space.sessions.entries(LOCAL_VIEWER, conversation, last=50)
    return conversation, [entry for entry in entries if isinstance(entry, Turn)]


@pytest.mark.parametrize("language", Language)
def test_one_talk_has_a_summary_in_force_and_a_plan_that_was_made_anew(space: Space, language: Language) -> None:
    conversation, turns = talk(space, language, "csv-import")
    summary = space.summaries.newest(LOCAL_VIEWER, conversation)
    assert summary is not None
    assert 3 <= summary.turns < len(turns)
    facts = space.sessions.receipt(LOCAL_VIEWER, turns[-1].turn_id).facts
    assert facts.summary_turns == summary.turns
    first, second = space.sessions.plans(LOCAL_VIEWER, conversation)
    assert (first.number, second.number) == (1, 2)
    assert first.plan != second.plan


@pytest.mark.parametrize("language", Language)
def test_one_reply_is_interrupted_and_what_had_arrived_is_there(space: Space, language: Language) -> None:
    _conversation, turns = talk(space, language, "ci-tests")
    (cut,) = [turn for turn in turns if turn.state is TurnState.INTERRUPTED]
    assert (cut.reply, bool(cut.partial)) == (None, True)


def test_a_demo_that_was_cut_short_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings.from_env({"TUTORLOOP_DATA": str(tmp_path)})
    with monkeypatch.context() as patched:
        patched.setattr(demo._Demo, "_play_history", _cut_short)
        with pytest.raises(KeyboardInterrupt):
            build_demo(settings, NOW)
    assert not (tmp_path / "demo.db").exists()
    with monkeypatch.context() as patched:
        patched.setattr(demo._Demo, "_play_history", lambda *_: None)
        build_demo(settings, NOW)
    assert (tmp_path / "demo.db").exists()


def test_a_demo_that_is_there_is_left_alone(tmp_path: Path, demo_folder: Path) -> None:
    shutil.copy(demo_folder / "demo.db", tmp_path)
    before = (tmp_path / "demo.db").read_bytes()
    build_demo(Settings.from_env({"TUTORLOOP_DATA": str(tmp_path)}), NOW)
    assert (tmp_path / "demo.db").read_bytes() == before


def test_the_course_file_of_the_demo_is_the_one_that_is_played() -> None:
    assert "shop-core" in demo_course_text(Language.EN)


def _cut_short(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("language", Language)
def test_two_texts_have_whole_chains_with_a_branch_a_hand_in_and_a_version_restored(
    space: Space, language: Language
) -> None:
    key = key_of(space, language, demo_histories(language)[0])
    owned = Owned(learner_id=key.learner_id, project_id=key.project_id)
    chains = {
        entry.artifact.file_name: space.artifacts.chain(LOCAL_VIEWER, entry.artifact.artifact_id)
        for entry in space.artifacts.artifacts(LOCAL_VIEWER, owned)
        if entry.artifact.file_name in (REPORT, README)
    }
    assert {name: len(chain) for name, chain in chains.items()} == {REPORT: 6, README: 3}
    assert all(verify_chain(chain).is_whole for chain in chains.values())
    assert set(lanes_of(chains[REPORT]).values()) == {0, 1}
    assert chains[REPORT][-1].body == chains[REPORT][HANDED_IN - 1].body
    handed_in = [space.artifacts.handed_in(LOCAL_VIEWER, chain[0].artifact_id) for chain in chains.values()]
    assert {(one.number, one.submission_seq) for facts in handed_in for one in facts} == {(HANDED_IN, 2), (3, 2)}
    (submission_id,) = [one.submission_id for facts in handed_in for one in facts if one.number == HANDED_IN]
    text = space.work.file(LOCAL_VIEWER, submission_id, REPORT)
    assert text.body == chains[REPORT][HANDED_IN - 1].body


@pytest.mark.parametrize("language", Language)
def test_the_teachers_have_a_lesson_plan(space: Space, language: Language) -> None:
    key = key_of(space, language, demo_histories(language)[0])
    (entry,) = space.artifacts.artifacts(LOCAL_VIEWER, Owned(learner_id=None, project_id=key.project_id))
    assert (entry.artifact.file_name, entry.newest.number) == (PLAN, 3)


@pytest.mark.parametrize("language", Language)
def test_every_text_names_the_persona_of_whoever_it_belongs_to_and_both_have_rules(
    space: Space, language: Language
) -> None:
    key = key_of(space, language, demo_histories(language)[0])
    for learner_id in (key.learner_id, None):
        owned = Owned(learner_id=learner_id, project_id=key.project_id)
        persona = space.preferences.personas.find(LOCAL_VIEWER, owned)
        assert persona is not None
        entries = space.artifacts.artifacts(LOCAL_VIEWER, owned)
        assert {space.edits.conversation(LOCAL_VIEWER, one.artifact.artifact_id).persona_id for one in entries} == {
            persona.persona_id
        }
        assert space.preferences.habits.standings(LOCAL_VIEWER, persona.persona_id)


@pytest.mark.parametrize("language", Language)
def test_a_style_was_learned_that_is_said_seen_waiting_and_replaced_and_a_draft_keeps_to_it(
    space: Space, language: Language
) -> None:
    key = key_of(space, language, demo_histories(language)[0])
    persona = space.preferences.personas.find(LOCAL_VIEWER, Owned(learner_id=key.learner_id, project_id=key.project_id))
    assert persona is not None and persona.language is language
    standings = space.preferences.habits.standings(LOCAL_VIEWER, persona.persona_id)
    assert {one.state for one in standings} == set(RuleState)
    assert {one.is_said for one in standings if one.state is RuleState.ACTIVE} == {True, False}
    assert [one.state for one in standings if one.is_pinned] == [RuleState.ACTIVE]
    assert all(one.rule.evidence for one in standings)
    assert any(one.rule.uses for one in standings)
    assert space.preferences.habits.for_tutor(LOCAL_VIEWER, key) == ()
