"""A text to be edited by conversation, in a space of its own, with a model that says what a test wants."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from engine.domain.artifact import Artifact, ArtifactKind, ArtifactVersion, NewVersion, VersionAuthor, VersionReason
from engine.domain.data_message import DataKind, unwrap_all
from engine.domain.edit import EditConversation, EditMessage, MessageKind, RevisionRecord, Suggestion
from engine.domain.model_call import CallUse, ModelCall
from engine.domain.people import LOCAL_VIEWER, Owned
from engine.domain.states import Language
from engine.llm.gateway import CallLimits, Gateway
from engine.llm.models import Models
from engine.llm.offline import offline_gateway
from engine.llm.scripted import Reply, ScriptedTransport
from engine.revision.blocks import split_blocks
from engine.revision.editing.editor import ActiveRules, AfterEdit, Editor
from engine.revision.editing.operations import quoted_beginning
from engine.settings import DEFAULT_BUDGETS
from engine.wiring import Space
from tests.revision.texts import GUIDE, GUIDE_TITLE
from tests.tutoring.room import Room, a_gateway, contents, opened_room, wait_until

Operations = Sequence[Mapping[str, object]]


def op(
    do: str,
    block: int = 0,
    text: str = "",
    *,
    body: str = GUIDE,
    anchor: int = 0,
    begins: str | None = None,
    follows: int = 1,
) -> dict[str, object]:
    """One operation as a model answers it."""
    blocks = split_blocks(body, is_code=False).blocks
    quoted = quoted_beginning(blocks[block - 1].text) if 1 <= block <= len(blocks) else ""
    return {
        "suggestions": [follows],
        "do": do,
        "block": block,
        "begins": quoted if begins is None else begins,
        "anchor": anchor,
        "text": text,
    }


def answer(*operations: Mapping[str, object], question: str | None = None) -> str:
    """A whole answer."""
    return json.dumps({"operations": list(operations), "question": question}, ensure_ascii=False)


def data_of(request: Mapping[str, object], kind: DataKind) -> Mapping[str, object]:
    """The data of this kind in a decoded request; nothing where there is none."""
    found = [data for _role, text in contents(dict(request)) for data in unwrap_all(text)]
    return next((payload for each, payload in found if each is kind), {})


@dataclass(kw_only=True)
class Desk:
    """One artifact and its conversation."""

    room: Room
    artifact: Artifact
    transport: ScriptedTransport | None = None
    editor: Editor

    @property
    def space(self) -> Space:
        return self.room.space

    @property
    def versions(self) -> list[ArtifactVersion]:
        return list(self.space.artifacts.chain(LOCAL_VIEWER, self.artifact.artifact_id))

    @property
    def newest(self) -> ArtifactVersion:
        return self.versions[-1]

    @property
    def talk(self) -> EditConversation:
        return self.space.edits.conversation(LOCAL_VIEWER, self.artifact.artifact_id)

    @property
    def last(self) -> EditMessage:
        return self.talk.messages[-1]

    @property
    def record(self) -> RevisionRecord:
        return self.talk.revisions[-1]

    @property
    def calls(self) -> tuple[ModelCall, ...]:
        conversation_id = self.talk.conversation_id or ""
        return self.space.calls.calls(LOCAL_VIEWER, CallUse.EDIT, conversation_id)

    def kinds(self) -> list[MessageKind]:
        return [message.kind for message in self.talk.messages]

    def ask(self, words: str, *, collect: bool = False) -> Suggestion:
        """A suggestion, and wait until nothing is being applied any more."""
        asked = self.editor.suggest(LOCAL_VIEWER, self.artifact.artifact_id, words, self.space.worker, collect=collect)
        self.settle()
        return self.suggestion(asked.suggestion_id)

    def with_(self, *, rules: ActiveRules = lambda _viewer, _artifact: (), learn: AfterEdit = lambda *_: None) -> None:
        """Edit by an editor that is given these from outside."""
        assert self.transport is not None
        self.editor = Editor(
            store=self.space.edits,
            artifacts=self.space.artifacts,
            calls=self.space.calls,
            models=Models.of(a_gateway(self.transport)),
            budgets=lambda: DEFAULT_BUDGETS,
            active_rules=rules,
            after_edit=learn,
        )

    def settle(self) -> None:
        wait_until(lambda: not self.talk.running)

    def suggestion(self, suggestion_id: str) -> Suggestion:
        return next(each for each in self.talk.suggestions if each.suggestion_id == suggestion_id)

    def save(self, body: str) -> ArtifactVersion:
        """A version by hand."""
        new = NewVersion(title=GUIDE_TITLE, body=body, author=VersionAuthor.STUDENT, reason=VersionReason.EDITED)
        base = self.newest.version_id
        return self.space.artifacts.save(LOCAL_VIEWER, self.artifact.artifact_id, base, new).version


@contextmanager
def opened_desk(
    folder: Path,
    gateway: Gateway | Models | None = None,
    *,
    body: str = GUIDE,
    title: str = GUIDE_TITLE,
    language: Language = Language.EN,
) -> Iterator[Desk]:
    """A new desk; the offline editor answers unless a gateway is given."""
    with opened_room(folder, gateway or offline_gateway(delay_s=0), language) as room:
        first = NewVersion(title=title, body=body, author=VersionAuthor.STUDENT, reason=VersionReason.FIRST)
        owned = Owned(learner_id=room.key.learner_id, project_id=room.key.project_id)
        artifact, _version = room.space.artifacts.begin(
            LOCAL_VIEWER, owned, first, kind=ArtifactKind.REPORT, file_name="report.md", task_id=room.key.task_id
        )
        yield Desk(room=room, artifact=artifact, editor=room.space.editor)


@contextmanager
def scripted_desk(
    folder: Path,
    replies: Sequence[Reply] | Callable[[dict[str, object]], Reply],
    *,
    body: str = GUIDE,
    title: str = GUIDE_TITLE,
    limits: CallLimits | None = None,
) -> Iterator[Desk]:
    """A desk whose model says these replies."""
    transport = ScriptedTransport(replies)
    with opened_desk(folder, a_gateway(transport, limits), body=body, title=title) as desk:
        desk.transport = transport
        yield desk
