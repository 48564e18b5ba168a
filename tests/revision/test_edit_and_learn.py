"""Whatever becomes of learning, an edit by conversation ends the same, and it has ended before learning begins."""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from engine.domain.artifact import ArtifactKind, NewVersion, VersionAuthor, VersionReason
from engine.domain.edit import SuggestionState
from engine.domain.learning import LearningState
from engine.domain.people import LOCAL_VIEWER, Owned
from engine.llm.models import Models
from engine.llm.scripted import Fault, Reply, ScriptedTransport
from engine.settings import ModelUse
from engine.wiring import Space, build_space
from tests.conftest import Ticking
from tests.llm.calls import gateway
from tests.revision.editing import answer, op
from tests.revision.test_learner import IMPATIENT, QUICK
from tests.stores.builders import COURSE
from tests.tutoring.room import wait_until

BODY = "Long is it, and formal.\n\nSecond.\n"
WISH = "from now on, short sentences"
LESSON = '{"change": "one_off", "rules": []}'


def _raises(_request: dict[str, object]) -> Reply:
    raise RuntimeError("a fault of ours")


def _answers() -> dict[str, Sequence[Reply] | Callable[[dict[str, object]], Reply]]:
    return {
        "learned": [LESSON],
        "time-out": [Fault(status=200, delay_s=9)] * 3,
        "garbage": ["no JSON at all"] * 3,
        "server error": [Fault(status=500)] * 3,
        "exception": _raises,
    }


def _edit(folder: Path, migrated: Path, learning: ScriptedTransport) -> tuple[object, object]:
    """Everything that one edit stores, and how learning from it ended."""
    folder.mkdir()
    shutil.copy(migrated, folder / "edit.db")
    editing = ScriptedTransport([answer(op("replace", 1, "Short.", body=BODY))])
    uses = dict.fromkeys(ModelUse, gateway(editing, limits=QUICK))
    models = Models(uses | {ModelUse.LEARN: gateway(learning, limits=IMPATIENT)})
    space = build_space(f"sqlite:///{folder / 'edit.db'}", models, clock=Ticking())
    try:
        artifact_id = _begin(space)
        asked = space.editor.suggest(LOCAL_VIEWER, artifact_id, WISH, space.worker, collect=False)
        wait_until(lambda: _stored(space, artifact_id, asked.suggestion_id)[0] is SuggestionState.APPLIED)
        at_once = _stored(space, artifact_id, asked.suggestion_id)
        newest = space.artifacts.versions(LOCAL_VIEWER, artifact_id)[-1]
        space.worker.wait(f"learn:{newest.version_id}", timeout_s=20)
        assert _stored(space, artifact_id, asked.suggestion_id) == at_once
        wait_until(lambda: bool(_learned(space)))
        return at_once, _learned(space)
    finally:
        space.close()


def _begin(space: Space) -> str:
    course = space.courses.keep_course(LOCAL_VIEWER, COURSE)
    learner = space.courses.add_learner(LOCAL_VIEWER, "Ada", course_id=course.course_id)
    owned = Owned(learner_id=learner.learner_id, project_id=course.projects[0].project_id)
    first = NewVersion(title="T", body=BODY, author=VersionAuthor.STUDENT, reason=VersionReason.FIRST)
    artifact, _first = space.artifacts.begin(LOCAL_VIEWER, owned, first, kind=ArtifactKind.REPORT, file_name="text.md")
    return artifact.artifact_id


def _stored(space: Space, artifact_id: str, suggestion_id: str) -> tuple[object, ...]:
    """What stands of the edit, without ids and moments."""
    talk = space.edits.conversation(LOCAL_VIEWER, artifact_id)
    chain = space.artifacts.chain(LOCAL_VIEWER, artifact_id)
    state = next(each.state for each in talk.suggestions if each.suggestion_id == suggestion_id)
    return (
        state,
        [(message.kind, message.words) for message in talk.messages],
        [(record.from_number, record.to_number, record.facts.locality) for record in talk.revisions],
        [(version.number, version.title, version.body, version.note, version.reason) for version in chain],
    )


def _learned(space: Space) -> list[tuple[LearningState, list[str]]]:
    course = space.courses.courses(LOCAL_VIEWER)[0]
    owned = Owned(
        learner_id=space.courses.learners(LOCAL_VIEWER, course.course_id)[0].learner_id,
        project_id=course.projects[0].project_id,
    )
    persona = space.preferences.personas.find(LOCAL_VIEWER, owned)
    if persona is None:
        return []
    known = space.preferences.personas.read(LOCAL_VIEWER, persona.persona_id)
    tries = space.preferences.personas.learnings(LOCAL_VIEWER, persona.persona_id)
    return [(each.state, [rule.sentence for rule in known.rules]) for each in tries]


def test_however_learning_ends_the_edit_is_the_same_and_was_shown_before(tmp_path: Path, migrated_file: Path) -> None:
    edits: dict[str, object] = {}
    learned: dict[str, object] = {}
    for name, replies in _answers().items():
        edits[name], learned[name] = _edit(tmp_path / name, migrated_file, ScriptedTransport(replies))
    assert all(edit == edits["learned"] for edit in edits.values())
    said = ["Write short sentences."]
    assert learned.pop("learned") == [(LearningState.DONE, said)]
    assert list(learned.values()) == [[(LearningState.FAILED, said)]] * 4


def test_when_learning_begins_the_edit_has_ended(tmp_path: Path, migrated_file: Path) -> None:
    """Asked from inside the learning call: suggestion, version and record stand already, so nothing waits for it."""
    seen: list[tuple[object, ...]] = []

    def look(_request: dict[str, object]) -> Reply:
        with spaces[0].database.connect() as connection:
            artifact_id = str(connection.exec_driver_sql("SELECT id FROM artifact").scalar_one())
        talk = spaces[0].edits.conversation(LOCAL_VIEWER, artifact_id)
        seen.append(_stored(spaces[0], artifact_id, talk.suggestions[0].suggestion_id))
        return LESSON

    spaces: list[Space] = []
    shutil.copy(migrated_file, tmp_path / "edit.db")
    editing = ScriptedTransport([answer(op("replace", 1, "Short.", body=BODY))])
    uses = dict.fromkeys(ModelUse, gateway(editing, limits=QUICK))
    models = Models(uses | {ModelUse.LEARN: gateway(ScriptedTransport(look))})
    spaces.append(build_space(f"sqlite:///{tmp_path / 'edit.db'}", models, clock=Ticking()))
    try:
        artifact_id = _begin(spaces[0])
        asked = spaces[0].editor.suggest(LOCAL_VIEWER, artifact_id, WISH, spaces[0].worker, collect=False)
        wait_until(lambda: bool(_learned(spaces[0])))
        assert seen == [_stored(spaces[0], artifact_id, asked.suggestion_id)]
        assert seen[0][0] is SuggestionState.APPLIED
    finally:
        spaces[0].close()
