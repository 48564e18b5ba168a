"""The rules of style that went along with an edit are noted with the version that came of it, and cost no edit."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from engine.domain.artifact import ArtifactKind, NewVersion, VersionAuthor, VersionReason
from engine.domain.edit import SuggestionState
from engine.domain.people import LOCAL_VIEWER, Owned
from engine.domain.preference import Dimension, Rule, StyleRule
from engine.llm.scripted import Reply
from engine.revision.editing.edit_request import RULE_CHARACTERS
from tests.revision.editing import Desk, answer, op, opened_desk, scripted_desk
from tests.stores.builders import used

NOTHING = '{"change": "fact", "rules": []}'
SHORTER = answer(op("replace", 2, "Short."))


class Replies:
    """Answers edits with one operation, and learns nothing."""

    def __init__(self, edit: str) -> None:
        self._edit = edit

    def __call__(self, request: dict[str, object]) -> Reply:
        return NOTHING if "<tutorloop-change>" in str(request) else self._edit


def _wish(desk: Desk, note: str, file_name: str = "other.md") -> None:
    """A rule that holds everywhere, said about another text."""
    owned = _owned(desk)
    first = NewVersion(title="", body="One.\n", author=VersionAuthor.STUDENT, reason=VersionReason.FIRST)
    artifacts = desk.space.artifacts
    artifact, base = artifacts.begin(LOCAL_VIEWER, owned, first, kind=ArtifactKind.REPORT, file_name=file_name)
    new = NewVersion(title="", body="Two.\n", author=VersionAuthor.MODEL, reason=VersionReason.ASKED, note=note)
    saved = artifacts.save(LOCAL_VIEWER, artifact.artifact_id, base.version_id, new).version
    desk.space.preferences.learner.learn(LOCAL_VIEWER, artifact.artifact_id, saved.version_id)


def _owned(desk: Desk) -> Owned:
    return Owned(learner_id=desk.room.key.learner_id, project_id=desk.room.key.project_id)


def _rules(desk: Desk) -> tuple[Rule, ...]:
    personas = desk.space.preferences.personas
    persona = personas.find(LOCAL_VIEWER, _owned(desk))
    assert persona is not None
    return personas.read(LOCAL_VIEWER, persona.persona_id).rules


@contextmanager
def _desk(folder: Path, edit: str = SHORTER) -> Iterator[Desk]:
    with scripted_desk(folder, Replies(edit)) as desk:
        _wish(desk, "from now on, no emoji")
        yield desk


def test_the_version_of_an_edit_names_the_rules_that_the_model_was_given(tmp_path: Path) -> None:
    with _desk(tmp_path) as desk:
        asked = desk.ask("make the first paragraph shorter")
        assert asked.state is SuggestionState.APPLIED
        assert "Use no emoji." in desk.calls[0].sent.request.decode()
        used = desk.space.preferences.habits.used_in(LOCAL_VIEWER, _owned(desk), desk.newest.version_id)
        assert [rule.sentence for rule in used] == ["Use no emoji."]
        (use,) = _rules(desk)[0].uses
        assert (use.artifact_id, use.number, use.reason) == (desk.artifact.artifact_id, 2, VersionReason.ASKED)


def test_a_rule_for_which_the_request_had_no_room_was_not_used(tmp_path: Path) -> None:
    with _desk(tmp_path) as desk:
        _wish(desk, "from now on, no headings", "more.md")
        emoji, headings = (used(rule) for rule in _rules(desk))
        headings = replace(headings, sentence="x" * (RULE_CHARACTERS + 1))
        desk.with_(rules=lambda _viewer, _artifact: (emoji, headings))
        desk.ask("make the first paragraph shorter")
        assert [len(rule.uses) for rule in _rules(desk)] == [1, 0]


def test_an_edit_that_changes_nothing_and_one_by_fixed_rules_use_no_rule(tmp_path: Path) -> None:
    with _desk(tmp_path, answer(question="Which one?")) as desk:
        desk.ask("make the first paragraph shorter")
        assert _rules(desk)[0].uses == ()
    (tmp_path / "offline").mkdir()
    with opened_desk(tmp_path / "offline") as desk:
        _wish(desk, "from now on, no emoji")
        assert desk.ask("delete the second paragraph").state is SuggestionState.APPLIED
        assert _rules(desk)[0].uses == ()


def test_rules_that_cannot_be_noted_cost_no_edit(tmp_path: Path) -> None:
    with _desk(tmp_path) as desk:
        with desk.space.database.begin() as connection:
            connection.exec_driver_sql(
                "CREATE TRIGGER refuse BEFORE INSERT ON rule_use BEGIN SELECT RAISE(ABORT, 'no'); END"
            )
        asked = desk.ask("make the first paragraph shorter")
        assert (asked.state, asked.fault) == (SuggestionState.APPLIED, "")
        assert len(desk.versions) == 2 and desk.record.to_number == 2
        assert _rules(desk)[0].uses == ()


def test_a_rule_that_is_kept_nowhere_costs_no_edit(tmp_path: Path) -> None:
    stray = StyleRule(rule_id="stray", dimension=Dimension.TONE, sentence="Be kind.")
    with _desk(tmp_path) as desk:
        desk.with_(rules=lambda _viewer, _artifact: (stray,))
        assert desk.ask("make the first paragraph shorter").state is SuggestionState.APPLIED
        assert "Be kind." in desk.calls[0].sent.request.decode()
        assert _rules(desk)[0].uses == ()


def test_a_request_that_cannot_be_kept_costs_no_edit(tmp_path: Path) -> None:
    with _desk(tmp_path) as desk:
        with desk.space.database.begin() as connection:
            connection.exec_driver_sql(
                "CREATE TRIGGER refuse BEFORE INSERT ON model_call BEGIN SELECT RAISE(ABORT, 'no'); END"
            )
        assert desk.ask("make the first paragraph shorter").state is SuggestionState.APPLIED
        assert desk.calls == ()
        assert len(_rules(desk)[0].uses) == 1
