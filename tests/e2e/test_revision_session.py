"""One person improves a text by talking, from the first version to a new draft in the style that was learned."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from engine.domain.artifact import ArtifactVersion, VersionReason
from engine.domain.people import LOCAL_VIEWER, Owned
from engine.llm.offline import offline_gateway
from engine.revision.chain import verify_chain
from engine.wiring import Space, build_space
from tests.e2e.conftest import Server, Servers, Watched
from tests.e2e.editing_model import EMOJI, editing_model, lively, shorter_of

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]
SOON = 20_000
Visit = Callable[..., Watched]


@dataclass(frozen=True, kw_only=True)
class Script:
    """What a person types and reads in one language."""

    locale: str
    paragraphs: tuple[str, ...]
    livelier: str
    shorter: str
    emoji: str
    by_hand: str
    brief: str
    words: Mapping[str, str]
    """Of the page; `{n}` stands for a number."""

    @property
    def first(self) -> str:
        """The text of V1."""
        return "\n\n".join(self.paragraphs) + "\n"


EN = Script(
    locale="en-US",
    paragraphs=(
        "# Report",
        "The login was examined. It holds.",
        "Passwords are stored as hashes.",
        "The tests were run. Four of them pass. The fifth looks for an account that does not exist.",
        "The next step is the missing message.",
    ),
    livelier="Too formal, livelier please",
    shorter="Make the third paragraph shorter",
    emoji="Add one emoji at the end of the last paragraph",
    by_hand="A line by hand.",
    brief="An invitation to our demo on Friday.",
    words={
        "title": "Title of the text",
        "file": "File name",
        "text": "Text",
        "save": "Save as V{n}",
        "saved": "Saved as V{n}.",
        "joined": "Saved as V{n}: both texts together, following V{old}.",
        "ask": "What should change? Name a part, and only that part can change.",
        "apply": "Apply this request",
        "whole": "Outside the part you named, 100% is unchanged.",
        "undo": "Undo",
        "compare": "Compare",
        "with": "with",
        "restore": "Restore V{old} as V{n}",
        "restored": "V{old} is restored as V{n}. Nothing was removed.",
        "edit": "Edit V{n} by hand",
        "conflict": "You edited V{old}, but V{n} exists by now.",
        "together": "Together: V{n} takes in the changes of both",
        "keep": "Keep both",
        "both": "The text of both",
        "brief_tab": "From a brief",
        "brief": "What the text should say",
        "write": "Write a draft",
        "by_rules": "V1 was written with these style rules:",
        "style": "Writing style",
    },
)
ZH = Script(
    locale="zh-CN",
    paragraphs=(
        "# 报告",
        "本文检查了登录功能。结论是可用。",
        "密码以哈希保存。",
        "测试已经运行。其中四个通过。第五个查找的账号不存在。",
        "下一步是补上缺少的提示。",
    ),
    livelier="太正式了，活泼点",
    shorter="第三段太长，缩短一点",
    emoji="在最后一段末尾加一个表情",
    by_hand="手写的一行。",
    brief="邀请大家周五来看演示。",
    words={
        "title": "标题",
        "file": "文件名",
        "text": "文字",
        "save": "保存成 V{n}",
        "saved": "已保存成 V{n}。",
        "joined": "已保存成 V{n}：两份合在一起，接在 V{old} 后面。",
        "ask": "要改什么？说明是哪一部分，就只有那一部分会动。",
        "apply": "按这条要求改",
        "whole": "你说的那一部分以外，100% 没有动。",
        "undo": "撤销",
        "compare": "对比",
        "with": "和",
        "restore": "把 V{old} 恢复成 V{n}",
        "restored": "V{old} 已恢复成 V{n}，什么都没有删。",
        "edit": "自己改 V{n}",
        "conflict": "你改的是 V{old}，这期间已经有了 V{n}。",
        "together": "合在一起：V{n} 收下两边的改动",
        "keep": "两种都留",
        "both": "合好的文字",
        "brief_tab": "按要求起草",
        "brief": "这篇要写什么",
        "write": "起草",
        "by_rules": "V1 写作时用的文风规则：",
        "style": "文风",
    },
)


@pytest.fixture(scope="module")
def env() -> Iterator[Mapping[str, str]]:
    with editing_model() as env:
        yield env


@pytest.fixture
def server(servers: Servers, env: Mapping[str, str]) -> Server:
    """One for this file, with a model that edits by fixed rules."""
    return servers(env=env)


@pytest.fixture
def elsewhere(server: Server) -> Iterator[Space]:
    """The demo's database, opened by another process."""
    space = build_space(f"sqlite:///{server.data_dir / 'demo.db'}", offline_gateway(delay_s=0), holder="elsewhere")
    yield space
    space.close()


class Session:
    """One browser tab on one text."""

    def __init__(self, page: Page, script: Script) -> None:
        self.page = page
        self.script = script

    def word(self, name: str, **numbers: int) -> str:
        """A label of the page."""
        return self.script.words[name].format(**numbers)

    def click(self, name: str, **numbers: int) -> None:
        """Press the button of this label."""
        self.page.get_by_role("button", name=self.word(name, **numbers)).first.click()

    def sees(self, words: str) -> None:
        """Wait until this stands on the page."""
        expect(self.page.get_by_text(words).first).to_be_visible(timeout=SOON)

    def ask(self, words: str, old: int) -> None:
        """Ask for a change and wait for the version that it makes."""
        self.page.get_by_role("textbox", name=self.word("ask")).fill(words)
        self.click("apply")
        self.sees(f"V{old}→V{old + 1}")

    def begin(self, path: str) -> None:
        """Paste the first text."""
        self.page.get_by_role("textbox", name=self.word("title")).fill(path)
        name = self.page.get_by_role("textbox", name=self.word("file"))
        name.fill(path)
        name.press("Enter")
        self.page.get_by_role("textbox", name=self.word("text"), exact=True).fill(self.script.first)
        self.click("save", n=1)
        self.sees(self.word("saved", n=1))

    def open_editor(self, number: int, words: str) -> None:
        """Type `words` in place of a version's text, without saving."""
        self.click("edit", n=number)
        area = self.page.get_by_role("textbox", name=self.word("text"), exact=True)
        expect(area).to_be_visible(timeout=SOON)
        area.fill(words)

    def compare(self, old: int, new: int) -> None:
        """Choose both versions in the two fields."""
        for name, number in (("compare", old), ("with", new)):
            field = self.page.get_by_role("combobox", name=self.word(name), exact=True)
            expect(field).to_have_count(1, timeout=SOON)  # one that is being replaced stands beside it for a moment
            field.click()
            field.fill(f"V{number}")
            self.page.get_by_role("option", name=re.compile(rf"^V{number}\b")).click()


def _chain(space: Space, path: str) -> tuple[ArtifactVersion, ...]:
    """All versions of the text of this name, whoever it belongs to."""
    for course in space.courses.courses(LOCAL_VIEWER):
        for learner in space.courses.learners(LOCAL_VIEWER, course.course_id):
            for project in course.projects:
                owned = Owned(learner_id=learner.learner_id, project_id=project.project_id)
                for entry in space.artifacts.artifacts(LOCAL_VIEWER, owned):
                    if entry.artifact.file_name == path:
                        return space.artifacts.chain(LOCAL_VIEWER, entry.artifact.artifact_id)
    raise AssertionError(f"no text named {path}")


@pytest.mark.parametrize("script", [EN, ZH], ids=["en", "zh"])
def test_a_session_from_the_first_version_to_a_draft_in_the_learned_style(
    server: Server, visit: Visit, elsewhere: Space, script: Script
) -> None:
    path = f"session-{script.locale}.md"
    session = Session(visit(server, locale=script.locale).open("/revisions?text=new"), script)
    session.begin(path)
    _talk(session)
    other = Session(visit(server, locale=script.locale).open(session.page.url.removeprefix(server.url)), script)
    mine, theirs = f"{script.first}\n{script.by_hand} 1\n", f"{script.first}\n{script.by_hand} 2\n"
    _conflict(session, other, mine, theirs)
    _holds(_chain(elsewhere, path), script, mine, theirs)
    _draft_follows_what_was_said(session, server)


def _talk(session: Session) -> None:
    """V1 to V7: three requests, undo, a look at V1 beside V4, V2 again, one more request."""
    script, page = session.script, session.page
    session.ask(script.livelier, 1)
    session.ask(script.shorter, 2)
    session.sees(session.word("whole"))
    session.ask(script.emoji, 3)
    session.click("undo")
    expect(page.get_by_role("button", name=session.word("edit", n=5))).to_be_visible(timeout=SOON)
    session.compare(1, 4)
    expect(page.locator("ins", has_text=EMOJI).first).to_be_visible(timeout=SOON)
    session.compare(2, 5)
    session.click("restore", old=2, n=6)
    session.sees(session.word("restored", old=2, n=6))
    session.ask(script.shorter, 6)


def _conflict(session: Session, other: Session, mine: str, theirs: str) -> None:
    """V8 by the other tab, V9 from both."""
    page = session.page
    session.open_editor(7, mine)
    other.open_editor(7, theirs)
    other.click("save", n=8)
    other.sees(other.word("saved", n=8))
    page.get_by_role("button", name=re.compile(session.word("save", n=8)[:-1] + "[89]")).click()
    session.sees(session.word("conflict", old=7, n=8))
    page.get_by_text(session.word("together", n=9)).click()
    session.click("keep")
    expect(page.get_by_role("textbox", name=session.word("both"))).to_have_value(_both(mine, session.script))
    session.click("save", n=9)
    session.sees(session.word("joined", old=8, n=9))


def _both(mine: str, script: Script) -> str:
    return f"{mine}{script.by_hand} 2\n"


def _holds(chain: tuple[ArtifactVersion, ...], script: Script, mine: str, theirs: str) -> None:
    """Every version says what it should, and the chain is whole."""
    head, *rest = script.paragraphs
    livelier = [lively(one) for one in rest]
    shorter = [livelier[0], livelier[1], shorter_of(livelier[2]), livelier[3]]
    bodies = [one.body for one in chain]
    texts = [rest, livelier, shorter, [*shorter[:3], f"{shorter[3]} {EMOJI}"], shorter, livelier, shorter]
    assert bodies[:7] == ["\n\n".join([head, *one]) + "\n" for one in texts]
    assert bodies[7:] == [theirs, _both(mine, script)]
    assert [one.reason for one in chain[4:6]] == [VersionReason.RESTORED] * 2
    assert chain[8].reason is VersionReason.JOINED
    assert verify_chain(chain).is_whole


def _draft_follows_what_was_said(session: Session, server: Server) -> None:
    """A new draft from a brief is lively, names the rule, and the rule names the words it came from."""
    page, script = session.page, session.script
    page.goto(f"{server.url}/revisions?text=new")
    page.get_by_role("tab", name=session.word("brief_tab")).click()
    page.get_by_role("textbox", name=session.word("brief")).fill(script.brief)
    session.click("write")
    session.sees(session.word("by_rules"))
    session.sees(lively(script.brief))
    page.get_by_role("link", name=session.word("style")).last.click()
    session.sees(f"“{script.livelier}”")
