"""What a model was asked for a draft, or about a change, is kept to the byte, and keeping it costs nobody anything."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from engine.domain.artifact import ArtifactKind
from engine.domain.learning import LearningState
from engine.domain.model_call import CallUse, ModelCall
from engine.domain.people import LOCAL_VIEWER
from engine.errors import ArtifactRefused, ModelError
from engine.llm.scripted import Fault, Reply, ScriptedTransport
from engine.revision.style.drafting import Brief, Drafted
from tests.conftest import Ticking
from tests.llm.calls import gateway
from tests.revision.studio import Studio, opened_studio
from tests.revision.test_learner import LIVELY, PLAIN, QUICK

WORDS = "The lab closes at six."
DRAFT = json.dumps({"title": "The lab", "text": "Come on Friday.\n"})
NOTHING = '{"change": "fact", "rules": []}'


def _draft(studio: Studio, name: str = "draft.md", words: str = WORDS) -> Drafted:
    brief = Brief(owned=studio.owned, kind=ArtifactKind.ANNOUNCEMENT, file_name=name, words=words)
    return studio.space.preferences.drafter.draft(LOCAL_VIEWER, brief)


def _kept(studio: Studio, use: CallUse, part: str = "") -> tuple[ModelCall, ...]:
    assert studio.persona is not None
    return studio.space.calls.calls(LOCAL_VIEWER, use, studio.persona.persona_id, part)


def _parts(studio: Studio, use: CallUse) -> tuple[str, ...]:
    assert studio.persona is not None
    return studio.space.calls.parts(LOCAL_VIEWER, use, studio.persona.persona_id)


def _refuse(studio: Studio, table: str) -> None:
    with studio.space.database.begin() as connection:
        connection.exec_driver_sql(
            f"CREATE TRIGGER refuse BEFORE INSERT ON {table} BEGIN SELECT RAISE(ABORT, 'no'); END"
        )


def test_the_request_of_a_draft_is_kept_with_its_answer_and_found_by_the_text_that_came_of_it(
    tmp_path: Path, migrated_file: Path, clock: Ticking
) -> None:
    transport = ScriptedTransport(["no JSON", DRAFT, DRAFT])
    with opened_studio(tmp_path, migrated_file, gateway(transport), clock) as studio:
        artifact = _draft(studio).artifact
        other = _draft(studio, "other.md").artifact
        calls = _kept(studio, CallUse.DRAFT, artifact.artifact_id)
        assert artifact.persona_id == calls[0].subject.subject_id
        assert [call.sent.request for call in calls] == transport.bodies[:2]
        assert [call.sent.answer for call in calls] == ["no JSON", DRAFT]
        assert [call.sha256 for call in calls] == [sha256(body).hexdigest() for body in transport.bodies[:2]]
        assert all(call.sent.usage.input_tokens and call.sent.tries[0].result == "ok" for call in calls)
        assert _parts(studio, CallUse.DRAFT) == (artifact.artifact_id, other.artifact_id)


@pytest.mark.parametrize(
    ("reply", "answer", "result"),
    [(Fault(status=500), None, "provider_down"), ('{"title": ""}', '{"title": ""}', "ok")],
    ids=["server error", "unusable"],
)
def test_what_a_draft_that_failed_was_asked_for_is_kept_with_how_it_ended(
    tmp_path: Path, migrated_file: Path, clock: Ticking, reply: Reply, answer: str | None, result: str
) -> None:
    with opened_studio(tmp_path, migrated_file, gateway(ScriptedTransport([reply] * 9), limits=QUICK), clock) as studio:
        with pytest.raises(ModelError):
            _draft(studio)
        calls = _kept(studio, CallUse.DRAFT)
        assert WORDS in calls[0].sent.request.decode()
        assert (calls[-1].sent.answer, calls[-1].sent.tries[-1].result) == (answer, result)


def test_the_answer_to_a_draft_whose_name_is_taken_is_not_lost(
    tmp_path: Path, migrated_file: Path, clock: Ticking
) -> None:
    other = DRAFT.replace("Friday", "Monday")
    with opened_studio(tmp_path, migrated_file, gateway(ScriptedTransport([DRAFT, other])), clock) as studio:
        _draft(studio)
        with pytest.raises(ArtifactRefused):
            _draft(studio)
        assert [call.sent.answer for call in _kept(studio, CallUse.DRAFT)] == [DRAFT, other]


def test_without_a_model_a_draft_keeps_what_the_offline_model_was_given(studio: Studio) -> None:
    drafted = _draft(studio)
    (call,) = _kept(studio, CallUse.DRAFT, drafted.artifact.artifact_id)
    assert WORDS in call.sent.request.decode()
    assert "The lab closes at six." in (call.sent.answer or "")


@pytest.mark.parametrize("table", ["model_call", "rule_use"])
def test_what_cannot_be_written_down_about_a_draft_costs_no_draft(studio: Studio, table: str) -> None:
    studio.ask("no emoji")
    _refuse(studio, table)
    drafted = _draft(studio)
    assert len(drafted.rules) == 1
    assert studio.space.artifacts.versions(LOCAL_VIEWER, drafted.artifact.artifact_id)[-1].number == 1


def test_the_request_about_a_change_is_kept_and_found_by_the_version(
    tmp_path: Path, migrated_file: Path, clock: Ticking
) -> None:
    transport = ScriptedTransport([NOTHING, NOTHING])
    with opened_studio(tmp_path, migrated_file, gateway(transport), clock) as studio:
        first, second = (studio.edit(PLAIN, text) for text in (LIVELY, PLAIN.replace("do not", "never")))
        for version, body in zip((first, second), transport.bodies, strict=True):
            (call,) = _kept(studio, CallUse.LEARN, version.version_id)
            assert (call.sent.request, call.sent.answer) == (body, NOTHING)


@pytest.mark.parametrize(
    ("reply", "count"), [(Fault(status=500), 1), ("no JSON", 2)], ids=["server error", "unusable twice"]
)
def test_a_lesson_that_failed_keeps_what_was_asked(
    tmp_path: Path, migrated_file: Path, clock: Ticking, reply: Reply, count: int
) -> None:
    with opened_studio(tmp_path, migrated_file, gateway(ScriptedTransport([reply] * 9), limits=QUICK), clock) as studio:
        version = studio.edit(PLAIN, LIVELY)
        assert len(_kept(studio, CallUse.LEARN, version.version_id)) == count


def test_a_request_that_cannot_be_kept_costs_no_lesson(tmp_path: Path, migrated_file: Path, clock: Ticking) -> None:
    with opened_studio(tmp_path, migrated_file, gateway(ScriptedTransport([NOTHING])), clock) as studio:
        _refuse(studio, "model_call")
        studio.edit(PLAIN, LIVELY)
        assert studio.persona is not None
        (learning,) = studio.space.preferences.personas.learnings(LOCAL_VIEWER, studio.persona.persona_id)
        assert learning.state is LearningState.DONE
        assert _kept(studio, CallUse.LEARN) == ()


def test_counting_without_a_model_asks_nobody(studio: Studio) -> None:
    studio.edit(PLAIN, LIVELY)
    assert _kept(studio, CallUse.LEARN) == ()


def test_requests_of_both_kinds_are_told_apart_and_erasing_a_person_takes_their_words(
    tmp_path: Path, migrated_file: Path, clock: Ticking
) -> None:
    replies = ScriptedTransport(lambda request: DRAFT if "tutorloop-brief" in str(request) else NOTHING)
    with opened_studio(tmp_path, migrated_file, gateway(replies), clock) as studio:
        version = studio.edit(PLAIN, LIVELY)
        drafted = _draft(studio)
        assert [_parts(studio, use) for use in (CallUse.DRAFT, CallUse.LEARN)] == [
            (drafted.artifact.artifact_id,),
            (version.version_id,),
        ]
        studio.space.work.erase_person(LOCAL_VIEWER, studio.owned.learner_id or "")
        for use in (CallUse.DRAFT, CallUse.LEARN):
            (call,) = _kept(studio, use)
            assert (call.sent.request, call.sent.answer) == (b"", "")
            assert len(call.sha256) == 64
