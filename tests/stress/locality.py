"""Prints what becomes of sixty suggestions that name their part when the model misbehaves in a third of them.

By hand: `python -m tests.stress.locality`. Ends with 1 if a block changes that was not named, or if a misbehaviour
is neither refused nor repaired, or is not told.
"""

import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.domain.artifact import ArtifactKind, NewVersion, VersionAuthor, VersionReason
from engine.domain.data_message import DataKind
from engine.domain.edit import MessageKind, SuggestionState
from engine.domain.people import LOCAL_VIEWER, Owned
from engine.domain.states import Language
from engine.llm.scripted import Reply, ScriptedTransport
from engine.revision.blocks import split_blocks
from engine.revision.editing.scope import Scope, resolve_scope
from tests.revision.editing import answer, data_of, op
from tests.revision.texts import BRIEF, BRIEF_TITLE, GUIDE, GUIDE_TITLE
from tests.tutoring.room import Room, a_gateway, opened_room, wait_until

ENGLISH = (
    *("make the third paragraph shorter", "shorten paragraph 1", "paragraphs 2 to 4 are too long"),
    *(
        "the last paragraph is weak",
        "rewrite the first two paragraphs",
        "only the title",
        "the setup section is too long",
    ),
    *("rework the section on usage", "the introduction is too dry", "rewrite the conclusion", "sort the list"),
    *(
        "the table needs another name",
        "add an emoji at the end",
        "section 2 is too long",
        "the second to last paragraph",
    ),
    *("make the fourth paragraph clearer", "paragraph 5 should be simpler", "the headings should be questions"),
    *("make the first paragraph livelier", "the paragraph about the installer is unclear"),
    *("don't touch the setup section, shorten the rest", "everything but the title can be shorter"),
    *("the last two paragraphs need examples", "change the heading “Setup” to “Install”", "the second section is dull"),
    *("the third paragraph should name the version", "the first sentence should name the course", "paragraphs 1 and 5"),
    *("make the sixth paragraph friendlier", "the last section is too short"),
)
CHINESE = (
    *(
        "第三段太长，缩短一点",
        "第一段重写",
        "第二到第四段精简",
        "最后一段太急",
        "前两段重复了",
        "只改标题",
        "关于安装的那一节太长",
    ),
    *("活动流程这一节写细一点", "引言太长", "结尾加一个 emoji", "把列表排个序", "第二节压缩一下", "倒数第二段换个例子"),
    *(
        "第四段写清楚",
        "第五段再友好些",
        "小标题都改成问句",
        "第一段活泼点",
        "讲志愿者的那一段说清楚",
        "第二段不要动，别的改短",
    ),
    *(
        "除了标题，其他都可以改",
        "最后两段再短些",
        "第三节太严肃",
        "第 1、3 段语气太硬",
        "首段举个例子",
        "第一句写得更抓人",
    ),
    *("注意事项部分写具体", "第三个自然段举个例子", "每段都短一点", "最后一节太短", "第一节再亲切些"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the scripted model reads of a request."""

    body: str
    blocks: Sequence[Mapping[str, object]]
    allowed: frozenset[int]
    title: bool
    is_repair: bool

    @property
    def outside(self) -> list[int]:
        numbers = [int(str(block["number"])) for block in self.blocks]
        return [number for number in numbers if number not in self.allowed]

    def text(self, number: int) -> str:
        return str(self.blocks[number - 1]["text"])

    def replace(self, number: int, text: str | None = None) -> dict[str, object]:
        return op("replace", number, f"{self.text(number)}!" if text is None else text, body=self.body)

    def good(self) -> list[dict[str, object]]:
        """Exactly what was asked for: every named block changed in its last character."""
        title = [op("title", text="Another title")] if self.title else []
        return [*(self.replace(number) for number in sorted(self.allowed)), *title]


def _renumbered(request: Request) -> str:
    return answer(*({**each, "block": int(str(each["block"])) - 1} for each in request.good()))


Misbehaviour = Callable[[Request], str]
MISBEHAVIOURS: dict[str, Misbehaviour] = {
    "rewrites everything": lambda r: answer(*(r.replace(n) for n in range(1, len(r.blocks) + 1))),
    "touches another block": lambda r: answer(*r.good(), r.replace(r.outside[0])),
    "deletes another block": lambda r: answer(*r.good(), op("delete", r.outside[-1], body=r.body)),
    "moves another block": lambda r: answer(*r.good(), op("move_before", r.outside[-1], anchor=1, body=r.body)),
    "adds beside another block": lambda r: answer(*r.good(), op("insert_after", r.outside[0], "New.", body=r.body)),
    "renumbers": _renumbered,
    "returns prose": lambda r: f"Sure! Here is the new text:\n\n{r.body}",
    "gives the text for a block": lambda r: answer(r.replace(min(r.allowed, default=1), r.body)),
    "leaves a fence open": lambda r: answer(r.replace(min(r.allowed, default=1), "```\nopen")),
    "misbehaves twice": lambda r: f"{r.body}",
}
STUBBORN = "misbehaves twice"
"""The only one that the second request does not mend."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What became of one suggestion."""

    misbehaviour: str
    """Empty where the model behaved."""
    changed_blocks: int
    """Blocks outside the named part that are not there byte for byte, in order."""
    is_applied: bool
    refused: int
    mended: int
    is_told: bool
    locality: float | None


def main() -> int:
    """Print the table; 1 where anything is not as it should be."""
    results = run(cases())
    lines = [
        f"{'what the model did':<28} {'cases':>5} {'applied':>7} {'refused':>7} {'mended':>6} {'failed':>6} "
        f"{'told':>5} {'changed':>8}"
    ]
    for name in ("", *MISBEHAVIOURS):
        of_kind = [each for each in results if each.misbehaviour == name]
        counts = (
            len(of_kind),
            sum(each.is_applied for each in of_kind),
            sum(each.refused for each in of_kind),
            sum(each.mended > 0 for each in of_kind),
            sum(not each.is_applied for each in of_kind),
            sum(each.is_told for each in of_kind),
            sum(each.changed_blocks for each in of_kind),
        )
        lines.append("{:<28} {:>5} {:>7} {:>7} {:>6} {:>6} {:>5} {:>8}".format(name or "what was asked", *counts))
    faults = wrong(results)
    lines.append(f"{len(results)} suggestions; blocks outside that changed: {sum(r.changed_blocks for r in results)}")
    print("\n".join([*lines, *faults]))  # noqa: T201 - the table
    return 1 if faults else 0


def wrong(results: Iterable[Result]) -> list[str]:
    """What is not as it should be, a line each."""
    faults: list[str] = []
    for each in results:
        if each.changed_blocks or each.locality not in (None, 1.0):
            faults.append(f"{each.misbehaviour or 'as asked'}: text outside the named part changed")
        if each.misbehaviour and not (each.is_told and (each.refused or each.mended or not each.is_applied)):
            faults.append(f"{each.misbehaviour}: not refused, or not told")
        if each.is_applied is (each.misbehaviour == STUBBORN):
            faults.append(f"{each.misbehaviour or 'as asked'}: applied {each.is_applied}")
    return faults


def cases() -> list[tuple[Language, str, str]]:
    """Language, suggestion and misbehaviour; every third suggestion is misbehaved about, each way twice."""
    names = [*MISBEHAVIOURS, *reversed(MISBEHAVIOURS)]
    every = [(Language.EN, words) for words in ENGLISH] + [(Language.ZH, words) for words in CHINESE]
    return [
        (language, words, names[place // 3] if place % 3 == 2 else "") for place, (language, words) in enumerate(every)
    ]


def run(chosen: Sequence[tuple[Language, str, str]]) -> list[Result]:
    """Each suggestion on a text of its own."""
    acting = {words: misbehaviour for _language, words, misbehaviour in chosen}
    transport = ScriptedTransport(lambda request: _reply(request, acting))
    with tempfile.TemporaryDirectory() as folder, opened_room(Path(folder), a_gateway(transport)) as room:
        return [
            _result(room, language, words, misbehaviour, place)
            for place, (language, words, misbehaviour) in enumerate(chosen)
        ]


def _reply(sent: dict[str, object], acting: Mapping[str, str]) -> Reply:
    text, asked = data_of(sent, DataKind.TEXT), data_of(sent, DataKind.ASKED)
    suggestions, blocks = asked["suggestions"], text["blocks"]
    assert isinstance(suggestions, list)
    assert isinstance(blocks, list)
    messages = sent["messages"]
    assert isinstance(messages, list)
    may_change = suggestions[0]["may_change"]
    request = Request(
        body=BRIEF if text["title"] == BRIEF_TITLE else GUIDE,
        blocks=blocks,
        allowed=frozenset(may_change),
        title=suggestions[0]["may_change_title"],
        is_repair=len(messages) > 2,
    )
    misbehaviour = acting[suggestions[0]["text"]]
    is_good = not misbehaviour or (request.is_repair and misbehaviour != STUBBORN)
    return answer(*request.good()) if is_good else MISBEHAVIOURS[misbehaviour](request)


def _result(room: Room, language: Language, words: str, misbehaviour: str, place: int) -> Result:
    body, title = (GUIDE, GUIDE_TITLE) if language is Language.EN else (BRIEF, BRIEF_TITLE)
    space = room.space
    first = NewVersion(title=title, body=body, author=VersionAuthor.STUDENT, reason=VersionReason.FIRST)
    owned = Owned(learner_id=room.key.learner_id, project_id=room.key.project_id)
    artifact, _version = space.artifacts.begin(
        LOCAL_VIEWER, owned, first, kind=ArtifactKind.REPORT, file_name=f"{place}.md"
    )
    space.editor.suggest(LOCAL_VIEWER, artifact.artifact_id, words, space.worker, collect=False)
    wait_until(lambda: not space.edits.conversation(LOCAL_VIEWER, artifact.artifact_id).running)
    talk = space.edits.conversation(LOCAL_VIEWER, artifact.artifact_id)
    newest = space.artifacts.chain(LOCAL_VIEWER, artifact.artifact_id)[-1]
    facts = talk.revisions[-1].facts if talk.revisions else None
    is_applied = talk.suggestions[0].state is SuggestionState.APPLIED
    return Result(
        misbehaviour=misbehaviour,
        changed_blocks=_changed(body, title, words, newest.body),
        is_applied=is_applied,
        refused=len(facts.refused) if facts else 0,
        mended=facts.answers - 1 if facts else 0,
        is_told=bool(facts and (facts.refused or facts.answers > 1)) or talk.messages[-1].kind is MessageKind.FAILED,
        locality=facts.locality if facts else None,
    )


def _changed(body: str, title: str, words: str, new: str) -> int:
    """Blocks outside the named part that do not stand in the new text, in their order."""
    document = split_blocks(body, is_code=False)
    scope = resolve_scope(words, document, title)
    assert isinstance(scope, Scope)
    assert scope.is_named
    missing, place = Counter[str](), 0
    for block in document.blocks:
        if scope.allows(block.number):
            continue
        found = new.find(block.text, place)
        missing["changed"] += found < 0
        place = max(place, found + len(block.text))
    return missing["changed"]


if __name__ == "__main__":
    sys.exit(main())
