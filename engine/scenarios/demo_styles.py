"""Short texts of the demo through whose changes a style is learned: said, seen twice, seen once, and taken back."""

from engine.domain.artifact import ArtifactKind, VersionAuthor, VersionReason
from engine.scenarios.demo_steps import Write
from engine.scenarios.demo_texts import DemoWords

TESTS, SETUP, NEXT = "docs/tests.md", "docs/setup.md", "docs/next-week.md"


def style_texts(words: DemoWords) -> tuple[Write, ...]:
    """Two short notes, changed by turns."""
    tested = words(
        zh="本周对登录功能进行了测试，五个用例中四个通过。",
        en="This week the login was tested, and four of five cases passed.",
    )
    tested_lively = words(
        zh="这周测了登录，五个用例过了四个。", en="We tested the login this week. Four of five cases passed."
    )
    cheer = words(zh="终于能登录了！", en="At last one can log in!")
    plan = words(zh="下周修好第五个用例。", en="Next week we mend the fifth case.")
    install = words(zh="用pip安装依赖，再运行app.py。", en="Install the packages with pip, then run the app.")
    works = words(zh="看到登录页就成功了！", en="You see the login page, so it works!")
    stop = words(zh="按Ctrl+C停止。", en="Press Ctrl and C to stop it.")

    def calm(text: str) -> str:
        return text.replace("！", "。").replace("!", ".")

    first, second = words(zh="", en=" ").join((tested, cheer, plan)), words(zh="", en=" ").join((install, works, stop))
    lively = first.replace(tested, tested_lively)
    listed = "\n".join(f"- {one}" for one in (install, calm(works), stop))
    notes, how = words(zh="测试小结", en="Notes on the tests"), words(zh="安装说明", en="How to set it up")
    return (
        _write(TESTS, notes, first, None),
        _write(SETUP, how, second, None),
        _write(TESTS, notes, lively, 1, words(zh="太正式了，活泼点", en="livelier, please")),
        _write(SETUP, how, f"{second} 🎉", 1, words(zh="加一个 emoji", en="add one emoji")),
        _write(TESTS, notes, calm(lively), 2),
        _write(SETUP, how, f"{calm(second)} 🎉", 2),
        _write(SETUP, how, calm(second), 3, words(zh="以后都不要 emoji", en="from now on, no emoji")),
        _write(SETUP, how, listed, 4),
    )


def brief(words: DemoWords) -> str:
    """What a draft is asked for with, once the style is known."""
    return words(
        zh="下周先把第五个用例修好。因此要先看 KeyError 从哪里来。此外把锁定一分钟也做上！",
        en="Next week we mend the fifth case first. In order to do so we look where the KeyError comes from. "
        "Furthermore the rest of a minute is built in!",
    )


def _write(path: str, title: str, body: str, base: int | None, asked: str = "") -> Write:
    return Write(
        path=path,
        kind=ArtifactKind.REPORT,
        title=title,
        body=f"{body}\n",
        base=base,
        author=VersionAuthor.MODEL if asked else VersionAuthor.STUDENT,
        reason=VersionReason.ASKED if asked else VersionReason.EDITED,
        note=asked,
    )
