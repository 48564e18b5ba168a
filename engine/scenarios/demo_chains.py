"""Texts of the demo that were improved version by version: a student's report and README, a teacher's lesson plan."""

from dataclasses import dataclass

from engine.domain.artifact import ArtifactKind, VersionAuthor, VersionReason
from engine.scenarios.demo_steps import Write, WriteAgain
from engine.scenarios.demo_texts import DemoWords

REPORT, README, PLAN = "docs/login.md", "README.md", "plan.md"
HANDED_IN = 4
"""Number of the report's version that is handed in."""


@dataclass(frozen=True, slots=True)
class _Paragraphs:
    """The report in parts, as they read at first and later."""

    words: DemoWords

    def title(self) -> str:
        return self.words(zh="登录功能报告", en="Report on the login")

    def aim(self) -> str:
        return self.words(
            zh="本报告旨在说明校园二手书店登录功能的实现情况，并对其安全性进行分析。",
            en="The purpose of the present report is to describe the implementation of the login of the campus book "
            "shop and to analyse its security.",
        )

    def aim_lively(self) -> str:
        return self.words(
            zh="这份报告讲两件事：书店的登录是怎么做的，以及它守不守得住。",
            en="This report tells two things: how the login of our book shop works, and whether it holds.",
        )

    def storing(self) -> str:
        return self.words(
            zh="密码用 scrypt 处理后保存，每个账号有自己的盐。数据库里没有一个密码是明文。",
            en="Passwords are stored as scrypt hashes, each account with a salt of its own. No password stands in the "
            "database as it was typed.",
        )

    def wrong(self) -> str:
        return self.words(
            zh="用户输错密码时，系统会给出提示，提示内容不区分账号不存在与密码错误两种情况，因为如果加以区分，"
            "攻击者便可以据此判断某个账号是否存在，从而逐个尝试账号，这对用户而言是不利的。",
            en="In the event that a user enters a wrong password, a message is displayed, and this message makes no "
            "distinction between an unknown account and a wrong password, since such a distinction would enable an "
            "attacker to determine whether an account exists and to try accounts one after another.",
        )

    def wrong_short(self) -> str:
        return self.words(
            zh="密码错了和账号不存在，提示是同一句话。这样别人没法一个个试出谁注册过。",
            en="A wrong password and an unknown account give the same message, so nobody can find out who has an "
            "account here.",
        )

    def tests(self) -> str:
        return self.words(
            zh="五个测试里四个通过。没过的那个查的是账号不存在的情况：现在抛出 KeyError，还没有变成提示。",
            en="Four of five tests pass. The fifth looks for an account that does not exist: it ends in a KeyError "
            "that does not become a message yet.",
        )

    def lock(self) -> str:
        return self.words(
            zh="连续输错三次，账号要等一分钟才能再试。",
            en="After three wrong passwords the account rests for a minute.",
        )

    def listed(self) -> str:
        return self.words(
            zh="- scrypt 加盐保存密码\n- 两种错误同一句提示\n- 五个测试，四个通过",
            en="- passwords as salted scrypt hashes\n- one message for both mistakes\n- five tests, four of them pass",
        )

    def text(self, *paragraphs: str) -> str:
        """The report of these paragraphs."""
        return f"# {self.title()}\n\n" + "\n\n".join(paragraphs) + "\n"


def report_before(words: DemoWords) -> tuple[Write, ...]:
    """V1 to V4 of the report on the login; V3 is a branch that led nowhere."""
    p = _Paragraphs(words)

    def write(body: str, base: int | None, note: str = "", *, asked: bool = False) -> Write:
        return Write(
            path=REPORT,
            kind=ArtifactKind.REPORT,
            title=p.title(),
            body=body,
            base=base,
            author=VersionAuthor.MODEL if asked else VersionAuthor.STUDENT,
            reason=VersionReason.ASKED if asked else VersionReason.EDITED,
            note=note,
        )

    livelier = words(zh="第一段太正式了，活泼一点", en="the first paragraph is too formal, make it livelier")
    shorter = words(zh="第三段太长，缩短", en="make the third paragraph shorter")
    return (
        write(p.text(p.aim(), p.storing(), p.wrong(), p.tests()), None),
        write(p.text(p.aim_lively(), p.storing(), p.wrong(), p.tests()), 1, livelier, asked=True),
        write(p.text(p.aim(), p.listed()), 1, words(zh="试试只列要点", en="only the points, as a try")),
        write(p.text(p.aim_lively(), p.storing(), p.wrong_short(), p.tests()), 2, shorter, asked=True),
    )


def report_handed_in(words: DemoWords) -> str:
    """The text of the version that is handed in."""
    return report_before(words)[HANDED_IN - 1].body


def report_after(words: DemoWords) -> tuple[Write | WriteAgain, ...]:
    """V5, in which a paragraph moved and one is new, and V6, which is V4 again."""
    p = _Paragraphs(words)
    return (
        Write(
            path=REPORT,
            kind=ArtifactKind.REPORT,
            title=p.title(),
            body=p.text(p.aim_lively(), p.tests(), p.storing(), p.wrong_short(), p.lock()),
            base=4,
            author=VersionAuthor.STUDENT,
            reason=VersionReason.EDITED,
            note=words(zh="测试提到前面，加上锁定", en="tests first, and the lock"),
        ),
        WriteAgain(path=REPORT, number=HANDED_IN),
    )


def readme_versions(words: DemoWords) -> tuple[Write, ...]:
    """V1, which is what was handed in first, V2, which tells more, and V3, which is handed in."""
    whole = words.work("setup/readme_v2")
    begin = whole.split("\n\n")
    needs = words(zh="补上需要什么、怎么启动", en="what it needs and how to start it")
    check = words(zh="加上怎么知道它跑起来了", en="how to know that it works")
    bodies = (words.work("setup/readme_v1"), "\n\n".join(begin[:-2]) + "\n", whole)
    notes = (README, needs, check)
    return tuple(
        Write(
            path=README,
            kind=ArtifactKind.README,
            title="",
            body=body,
            base=number or None,
            author=VersionAuthor.STUDENT if number else VersionAuthor.IMPORT,
            reason=VersionReason.EDITED,
            note=note,
            is_handed_in=number == 0,
        )
        for number, (body, note) in enumerate(zip(bodies, notes, strict=True))
    )


def lesson_plan(words: DemoWords) -> tuple[Write, ...]:
    """A teacher's plan for one lesson, in three versions; students have no such text."""
    title = words(zh="第 5 课：登录", en="Lesson 5: the login")
    begin = words(
        zh="## 目标\n\n学生能说清密码为什么不能明文保存。\n\n",
        en="## Aim\n\nStudents can say why no password is stored as it was typed.\n\n",
    )
    steps = words(
        zh="## 过程\n\n1. 看一个泄露的数据库（10 分钟）\n2. 两人一组改 `auth.py`（25 分钟）\n",
        en="## Course\n\n1. Look at a leaked database (10 minutes)\n2. Change `auth.py` in pairs (25 minutes)\n",
    )
    more = words(zh="3. 互相跑测试（10 分钟）\n", en="3. Run each other's tests (10 minutes)\n")
    home = words(
        zh="\n## 作业\n\n写一段话：为什么两种错误要用同一句提示？\n",
        en="\n## Homework\n\nOne paragraph: why do both mistakes get the same message?\n",
    )
    homework = words(zh="加上作业；以后都加小标题", en="with homework; from now on, use headings")
    notes = ("", words(zh="加上互测", en="with a round of testing"), homework)
    bodies = (begin + steps, begin + steps + more, begin + steps + more + home)
    return tuple(
        Write(
            path=PLAN,
            kind=ArtifactKind.LESSON_PLAN,
            title=title,
            body=body,
            base=number or None,
            author=VersionAuthor.TEACHER,
            reason=VersionReason.EDITED,
            note=note,
        )
        for number, (body, note) in enumerate(zip(bodies, notes, strict=True))
    )
